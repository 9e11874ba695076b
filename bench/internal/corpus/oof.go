package corpus

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Unseen has the probabilities of the blocks of a page, and its type, by the model of the
// other folds.
type Unseen struct {
	Prob []float32
	Kind string
}

// OutOfFold reads what train.py wrote to a folder for these pages. labels takes the labels
// for the probabilities.
func OutOfFold(pages []*Page, dir string, labels bool) []Unseen {
	raw, err := os.ReadFile(filepath.Join(dir, "oof.f32"))
	check(err)
	f, err := os.Open(filepath.Join(dir, "blocks.tsv"))
	check(err)
	defer f.Close()
	types, err := os.ReadFile(filepath.Join(dir, "types.txt"))
	check(err)
	out := make([]Unseen, len(pages))
	for i, kind := range strings.Fields(string(types)) {
		out[i].Kind = kind
	}
	at := 0
	for s := bufio.NewScanner(f); s.Scan(); at += 4 {
		var i, fold int
		var label float32
		_, err := fmt.Sscan(s.Text(), &i, &fold, &label)
		check(err)
		p := math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))
		if labels && label == label {
			p = label
		}
		out[i].Prob = append(out[i].Prob, p)
	}
	return out
}
