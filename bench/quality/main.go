// Command quality scores the extraction of Spyhop and of other Go libraries on
// the same pages in one run:
//
//	go run ./quality --data DIR            word F1 by page type, snippets, CPU
//	go run ./quality --data DIR --meta     title, author and date
//	go run ./quality --segments DIR        wanted and unwanted segments
//	go run ./quality --data DIR --shells   for which pages a browser is used
//	go run ./quality --data DIR --write FILE   what Spyhop prints for each page
//
// DIR has the layout of the WCXB benchmark: html/ID.html.gz and
// ground-truth/ID.json. The formulas are those of the benchmark's published
// scorer. CPU is the CPU time of the process, garbage collection included. Its
// ratio to the CPU time of html.Parse on the same pages in the same run can be
// compared between machines.
//
// With --golden FILE, Spyhop's scores are compared with the committed scores;
// --update writes them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

type options struct {
	data, segments, only, golden string
	oof, write, peer             string
	text, whole                  bool
	peers, update, meta, json    bool
	shells                       bool
	worst                        int
	showMeta                     string
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.data, "data", "", "folder with the WCXB development split")
	flag.StringVar(&o.segments, "segments", "", "folder with the segments corpus")
	flag.StringVar(&o.only, "only", "", "score only the pages of this type")
	flag.StringVar(&o.golden, "golden", "", "file with Spyhop's committed scores")
	flag.StringVar(&o.showMeta, "show-meta", "", "with --meta, print the pages where Spyhop's title, author or date (one of these words) differs")
	flag.BoolVar(&o.peers, "peers", true, "also score the other libraries")
	flag.BoolVar(&o.update, "update", false, "write the golden file")
	flag.BoolVar(&o.meta, "meta", false, "score metadata instead of content")
	flag.BoolVar(&o.shells, "shells", false, "list the pages whose scripts Spyhop would run in a browser, and those whose scripts it should run")
	flag.StringVar(&o.oof, "oof", "", "with --shells or --write, take the cross-validated block probabilities from this `FOLDER`, which make train writes")
	flag.StringVar(&o.write, "write", "", "write what Spyhop prints for each page of --data (or of a folder with items.jsonl) to this `FILE`, as JSON Lines with id, format and text")
	flag.StringVar(&o.peer, "peer", "", "with --write, write the plain text of another library, for example go-trafilatura")
	flag.BoolVar(&o.text, "text", false, "with --write, write plain text instead of Markdown")
	flag.BoolVar(&o.whole, "whole", false, "with --write, write the whole body instead of the main content: the ceiling of what a choice of blocks can keep")
	flag.BoolVar(&o.json, "json", false, "print JSON")
	flag.IntVar(&o.worst, "worst", 0, "list the `N` pages with Spyhop's lowest scores")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(o options, w io.Writer) error {
	if o.data == "" && o.segments == "" {
		return fmt.Errorf("nothing to score: name a folder with --data or --segments")
	}
	if o.golden != "" && o.only != "" {
		return fmt.Errorf("--golden needs the scores of all page types: leave out --only %s", o.only)
	}
	if o.write != "" {
		return writePredictions(o)
	}
	tools := []tool{engine}
	if o.peers {
		tools = append(tools, peers...)
	}
	var out []*result
	if o.data != "" {
		pages, err := loadWCXB(o.data, o.only)
		if err != nil {
			return err
		}
		if o.shells {
			return measureShells(o.data, o.oof, pages, w)
		}
		var results []*result
		if o.meta {
			results, err = runMeta(o, pages, w)
		} else {
			results, err = runContent(o, pages, tools, w)
		}
		if err != nil {
			return err
		}
		out = append(out, results...)
	}
	if o.segments != "" {
		results, err := scoreSegments(o.segments, tools)
		if err != nil {
			return err
		}
		if !o.json {
			printSegments(w, results)
		}
		out = append(out, results...)
	}
	if o.json {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(out)
	}
	return nil
}

// atOnce is the number of pages that a tool reads before the next tool's turn.
const atOnce = 32

// loaded is a page in memory.
type loaded struct {
	sample
	body []byte
}

func runContent(o options, pages []sample, tools []tool, w io.Writer) ([]*result, error) {
	tools = append([]tool{floor}, tools...)
	results := make([]*result, len(tools))
	for i, t := range tools {
		results[i] = newResult(t.name)
	}
	for n := 0; n < len(pages); n += atOnce {
		var some []loaded
		for _, p := range pages[n:min(n+atOnce, len(pages))] {
			body, err := readPage(p.file)
			if err != nil {
				return nil, err
			}
			some = append(some, loaded{p, body})
		}
		for i, t := range tools {
			if n == 0 {
				t.measure(some[:1]) // warm up: tables and models are built at first use
			}
			outcomes, cpu := t.measure(some)
			results[i].cpu += cpu
			for k, o := range outcomes {
				results[i].add(some[k].sample, o.text, o.err)
			}
		}
	}
	for _, r := range results {
		r.close(len(pages), results[0].cpu)
	}
	// The floor has a CPU time but no text to score.
	results[0].Scores = map[string]figures{"all": {Pages: len(pages)}}
	ordered := append(results[1:len(results):len(results)], results[0])
	mine := ordered[0]
	if !o.json {
		printTable(w, ordered)
		if o.worst > 0 {
			printWorst(w, mine, o.worst)
		}
	}
	if o.golden != "" {
		if err := compareGolden(os.Stderr, o.golden, mine, o.update); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}

func runMeta(o options, pages []sample, w io.Writer) ([]*result, error) {
	n := 1
	if o.peers {
		n = len(readers)
	}
	if o.showMeta != "" {
		showMeta = func(p sample, got metadata) { showDifference(w, o.showMeta, p, got) }
	}
	begin := time.Now()
	results, err := scoreMetadata(pages, n)
	if err != nil {
		return nil, err
	}
	if !o.json {
		printMetadata(w, results)
		fmt.Fprintf(os.Stderr, "%d pages in %.1f s\n", len(pages), time.Since(begin).Seconds())
	}
	return results, nil
}

func showDifference(w io.Writer, field string, p sample, got metadata) {
	g, t, same := got.title, p.meta.title, sameTitle
	switch field {
	case "author":
		g, t, same = got.author, p.meta.author, sameAuthor
	case "date":
		g, t, same = got.date, p.meta.date, sameDate
	}
	if (g != "" || t != "") && (t == "" || !same(g, t)) {
		fmt.Fprintf(w, "%s %s\n  truth %q\n  got   %q\n", p.id, p.address, t, g)
	}
}
