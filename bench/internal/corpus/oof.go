package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
)

// Unseen is what the models of the other folds, which were trained without the page's domain, say
// of a page.
type Unseen struct {
	Prob  []float32         // by block
	Types blocks.TypeScores // log-odds
}

// OutOfFold reads what train.py wrote to a folder, by the id of a page. labels takes the labels
// for the probabilities of the blocks that have one.
func OutOfFold(dir string, labels bool) (map[string]Unseen, error) {
	file := map[string][]byte{}
	for _, name := range []string{"oof.f32", "typescores.f32", "blocks.tsv", "pages.tsv"} {
		var err error
		if file[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("no cross-validated probabilities: run make train, which writes them: %w", err)
		}
	}
	prob, types := floats(file["oof.f32"]), floats(file["typescores.f32"])
	pages := strings.Split(strings.TrimSpace(string(file["pages.tsv"])), "\n")
	of := make([]Unseen, len(pages))
	if len(types) != len(pages)*len(of[0].Types) {
		return nil, fmt.Errorf("%s: the files are from different runs: run make train again", dir)
	}
	at := 0
	for line := range strings.Lines(string(file["blocks.tsv"])) {
		var i, fold int
		var label float32
		if _, err := fmt.Sscan(line, &i, &fold, &label); err != nil || i >= len(of) || at >= len(prob) {
			return nil, fmt.Errorf("%s/blocks.tsv: line %d: %q", dir, at+1, line)
		}
		p := prob[at]
		if labels && label == label {
			p = label
		}
		of[i].Prob = append(of[i].Prob, p)
		at++
	}
	out := map[string]Unseen{}
	for i, line := range pages {
		f := strings.Split(line, "\t") // number, id, fold, type, words of the truth, set
		if len(f) < 6 {
			return nil, fmt.Errorf("%s/pages.tsv: line %d: %q", dir, i+1, line)
		}
		copy(of[i].Types[:], types[i*len(of[i].Types):])
		out[f[1]] = of[i]
	}
	return out, nil
}

func floats(raw []byte) []float32 {
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}
