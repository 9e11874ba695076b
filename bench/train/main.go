// Command train prepares the training data of the block model of
// internal/extract/blocks, scores the model, and packs it. train.py trains it
// with XGBoost:
//
//	train matrix --data ../shared/bench/wcxb --out DIR   features, labels and folds
//	python3 train.py DIR                                 forests and cross-validated probabilities
//	train score  --data ../shared/bench/wcxb --out DIR   scores in cross-validation; scores.json for the chart
//	train pack   --out DIR --model FILE
//
// More pages are named with --segments, --panel, --fields and --more, for matrix and score
// the same ones.
//
// Cross-validation has 5 folds, split by registrable domain. The lexicon of a
// fold is made from the other folds. Within training too, the features of a page
// do not use pages of its own domain.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/bench/internal/train"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: train matrix|score|pack --data DIR --out DIR [--segments DIR] [--panel DIR] [--fields DIR] [--more DIR] [--predictions DIR] [--model FILE]")
	}
	fs := flag.NewFlagSet("train", flag.ExitOnError)
	var from corpus.Sources
	from.Flags(fs)
	out := fs.String("out", "", "folder for the matrices")
	predictions := fs.String("predictions", "", "folder for what score extracts, a file for each set, as the scorers of the sets read it")
	perfect := fs.Bool("perfect", false, "score the labels in place of the model")
	model := fs.String("model", "", "model file to write")
	fs.Parse(os.Args[2:])
	if *out == "" {
		log.Fatal("--out is missing: name a folder for the matrices")
	}
	switch os.Args[1] {
	case "matrix":
		matrix(label(corpus.List(from)), *out)
	case "score":
		score(corpus.List(from), *out, *predictions, *perfect)
	case "pack":
		pack(*out, *model)
	default:
		log.Fatalf("unknown step %q", os.Args[1])
	}
}

// trainPage is a page to learn from.
type trainPage struct {
	*corpus.Page
	sample *train.Sample
}

// label labels the blocks of the pages.
func label(list []*corpus.Page) []*trainPage {
	pages := make([]*trainPage, len(list))
	corpus.Parallel(len(list), func(i int) {
		p := list[i]
		s, err := train.NewSample(p.ID, p.Domain(), p.URL, p.Kind, p.Body(), p.Truth)
		check(err)
		pages[i] = &trainPage{p, s}
	})
	return pages
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
