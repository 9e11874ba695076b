package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/spyhop-dev/spyhop/bench/internal/train"
)

// pack writes the model file from what matrix and train.py wrote.
func pack(out, file string) {
	var tokens map[uint32][2]int8
	b, err := os.ReadFile(filepath.Join(out, "lexicon.json"))
	check(err)
	check(json.Unmarshal(b, &tokens))
	var m struct {
		Features []string
		Blocks   []jsonForest
		Types    []jsonForest
	}
	b, err = os.ReadFile(filepath.Join(out, "model.json"))
	check(err)
	check(json.Unmarshal(b, &m))
	var judges, types []train.Forest
	for _, t := range m.Blocks {
		judges = append(judges, t.forest())
	}
	for _, t := range m.Types {
		types = append(types, t.forest())
	}
	enc, err := train.EncodeModel(m.Features, tokens, judges, types)
	check(err)
	check(os.WriteFile(file, enc, 0o644))
	log.Printf("%s: %d bytes, %d features, %d forests of blocks", file, len(enc), len(m.Features), len(judges))
}

type jsonForest struct {
	Base  float32
	Trees [][][4]float32 // feature (-1: leaf), value, left child, NaN goes right
}

func (f jsonForest) forest() train.Forest {
	out := train.Forest{Base: f.Base}
	for _, t := range f.Trees {
		var tree train.Tree
		for _, n := range t {
			tn := train.TreeNode{Value: n[1]}
			if n[0] >= 0 {
				tn.Feature, tn.Left, tn.NaNRight = int(n[0]), int(n[2]), n[3] != 0
			}
			tree = append(tree, tn)
		}
		out.Trees = append(out.Trees, tree)
	}
	return out
}
