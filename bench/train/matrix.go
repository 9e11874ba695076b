package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
)

// lexicons returns one lexicon for each fold, made from the other folds, and as
// the last one the lexicon of all pages.
func lexicons(pages []*trainPage) []*train.Lexicon {
	out := make([]*train.Lexicon, corpus.Folds+1)
	for k := range out {
		var s []*train.Sample
		for _, p := range pages {
			if p.Fold != k && !p.Truth.Partial() {
				s = append(s, p.sample)
			}
		}
		out[k] = train.NewLexicon(s, 3)
	}
	return out
}

func matrix(pages []*trainPage, out string) {
	check(os.MkdirAll(out, 0o755))
	for file, names := range map[string][]string{"names.txt": blocks.FeatureNames(), "typenames.txt": blocks.TypeNames()} {
		check(os.WriteFile(filepath.Join(out, file), []byte(strings.Join(names, "\n")+"\n"), 0o644))
	}
	lex := lexicons(pages)
	tokens, err := json.Marshal(lex[corpus.Folds].Tokens())
	check(err)
	check(os.WriteFile(filepath.Join(out, "lexicon.json"), tokens, 0o644))
	base, kinds := make([][]byte, len(pages)), make([][]byte, len(pages))
	extra := make([][corpus.Folds + 1][]byte, len(pages))
	corpus.Parallel(len(pages), func(i int) {
		p := pages[i]
		own := make([]*train.Lexicon, len(lex))
		for k := range lex {
			own[k] = lex[k]
			if p.Fold != k {
				own[k] = lex[k].Without(p.sample.Domain)
			}
		}
		rows, tokens, kind, err := p.sample.Features(p.Body(), own...)
		check(err)
		base[i], kinds[i] = floats(rows), floats([][]float32{kind})
		for k := range lex {
			extra[i][k] = floats(tokens[k])
		}
	})
	write := func(name string, f func(w io.Writer)) {
		file, err := os.Create(filepath.Join(out, name))
		check(err)
		w := bufio.NewWriterSize(file, 1<<20)
		f(w)
		check(w.Flush())
		check(file.Close())
	}
	for file, rows := range map[string][][]byte{"base.f32": base, "types.f32": kinds} {
		write(file, func(w io.Writer) {
			for _, b := range rows {
				w.Write(b)
			}
		})
	}
	for k := range lex {
		write(fmt.Sprintf("lex%d.f32", k), func(w io.Writer) {
			for i := range extra {
				w.Write(extra[i][k])
			}
		})
	}
	write("blocks.tsv", func(w io.Writer) { // page, fold, label, words
		for i, p := range pages {
			for k, y := range p.sample.Label {
				fmt.Fprintf(w, "%d\t%d\t%g\t%d\n", i, p.Fold, y, p.sample.Words[k])
			}
		}
	})
	write("pages.tsv", func(w io.Writer) { // page, id, fold, type, words of the truth, set
		for i, p := range pages {
			var truth float32
			for k, y := range p.sample.Label {
				if y > 0 {
					truth += y * float32(p.sample.Words[k])
				}
			}
			fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%.0f\t%s\n", i, p.sample.ID, p.Fold, p.sample.Type, truth, p.Set)
		}
	})
}

// floats encodes the rows of a matrix.
func floats(rows [][]float32) []byte {
	var b []byte
	if len(rows) > 0 {
		b = make([]byte, 0, 4*len(rows)*len(rows[0]))
	}
	for _, r := range rows {
		for _, x := range r {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}
