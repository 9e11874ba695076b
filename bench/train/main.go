// Command train prepares the training data of the block model of
// internal/extract/blocks, scores the model, and packs it. train.py trains it
// with XGBoost:
//
//	train matrix --data ../shared/bench/wcxb --out DIR   features, labels and folds
//	python3 train.py DIR                                 forests and cross-validated probabilities
//	train score  --data ../shared/bench/wcxb --out DIR   scores in cross-validation; scores.json for the chart
//	train pack   --data ../shared/bench/wcxb --out DIR --model FILE
//
// More pages are named with --segments, --panel, --fields and --more, for each step the
// same ones.
//
// Cross-validation has 5 folds, split by registrable domain. The lexicon of a
// fold is made from the other folds. Within training too, the features of a page
// do not use pages of its own domain.
package main

import (
	"flag"
	"log"
	"os"
	"runtime"
	"sync"
)

const folds = 5

// sources are the folders of pages to learn from; "" for none.
type sources struct{ data, segments, panel, fields, more string }

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: train matrix|score|pack --data DIR --out DIR [--segments DIR] [--panel DIR] [--fields DIR] [--more DIR] [--predictions DIR] [--model FILE]")
	}
	fs := flag.NewFlagSet("train", flag.ExitOnError)
	var from sources
	fs.StringVar(&from.data, "data", "../../shared/bench/wcxb", "the WCXB development split")
	fs.StringVar(&from.segments, "segments", "", "folder of pages with wanted and unwanted segments, for weak labels")
	fs.StringVar(&from.panel, "panel", "", "folder with docs and news: pages with the HTML of their content")
	fs.StringVar(&from.fields, "fields", "", "folder of pages with fields that are content")
	fs.StringVar(&from.more, "more", "", "folder of more pages with the text of their content")
	out := fs.String("out", "", "folder for the matrices")
	predictions := fs.String("predictions", "", "folder for what score extracts, a file for each set, as the scorers of the sets read it")
	perfect := fs.Bool("perfect", false, "score the labels in place of the model")
	model := fs.String("model", "", "model file to write")
	fs.Parse(os.Args[2:])
	if *out == "" {
		log.Fatal("--out is missing: name a folder for the matrices")
	}
	pages := list(from)
	log.Printf("%d pages", len(pages))
	switch os.Args[1] {
	case "matrix":
		label(pages)
		matrix(pages, *out)
	case "score":
		score(pages, *out, *predictions, *perfect)
	case "pack":
		label(pages)
		pack(pages, *out, *model)
	default:
		log.Fatalf("unknown step %q", os.Args[1])
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
