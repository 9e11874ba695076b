package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// prediction is what Spyhop prints for one page, as the published scorers of the
// corpora read it.
type prediction struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Text   string `json:"text"`
}

// writePredictions reads every page of a corpus and writes what a caller gets of
// it. A page without content has an empty text.
func writePredictions(o options) error {
	pages, err := loadPages(o.data)
	if err != nil {
		return err
	}
	read := func(s sample, u map[string]corpus.Unseen) (prediction, error) { return predict(s, u, o) }
	if o.peer != "" {
		i := slices.IndexFunc(peers, func(t tool) bool { return strings.HasPrefix(t.name, o.peer) })
		if i < 0 {
			return fmt.Errorf("no library %q", o.peer)
		}
		read = func(s sample, _ map[string]corpus.Unseen) (prediction, error) { return peers[i].predict(s) }
	}
	var u map[string]corpus.Unseen
	if o.oof != "" {
		if u, err = corpus.OutOfFold(o.oof, false); err != nil {
			return err
		}
	}
	out := make([]prediction, len(pages))
	errs := make([]error, len(pages))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = read(pages[i], u)
			}
		})
	}
	for i := range pages {
		next <- i
	}
	close(next)
	wg.Wait()
	f, err := os.Create(o.write)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range out {
		if errs[i] != nil {
			return errs[i]
		}
		if err := e.Encode(out[i]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// loadPages reads the list of a corpus: of WCXB, or of one with items.jsonl.
func loadPages(dir string) ([]sample, error) {
	items, err := loadSegments(dir)
	if os.IsNotExist(err) {
		return loadWCXB(dir, "")
	}
	var pages []sample
	for _, p := range items {
		pages = append(pages, p.sample())
	}
	return pages, err
}

func predict(s sample, u map[string]corpus.Unseen, o options) (prediction, error) {
	out := prediction{ID: s.id, Format: "markdown"}
	if o.text {
		out.Format = "text"
	}
	body, err := readBytes(s)
	if err != nil {
		return out, err
	}
	var p *page.Page
	if o.whole {
		p, err = extract.HTML(body, extract.Options{URL: s.address, Whole: true})
	} else {
		p, err = read(u, s.id, s.address, body)
	}
	switch {
	case err != nil: // a page without content
	case o.text:
		out.Text = markdown.PlainText(p)
	default:
		out.Text = markdown.Render(p, markdown.Options{})
	}
	return out, nil
}

// predict reads a page with another library. A page that it refuses has an empty
// text.
func (t tool) predict(s sample) (prediction, error) {
	out := prediction{ID: s.id, Format: "text"}
	body, err := readBytes(s)
	if err != nil {
		return out, err
	}
	if give, err := t.one(loaded{s, body}); err == nil && give != nil {
		out.Text = give()
	}
	return out, nil
}

// readBytes reads a page. Pages that are stored as they came are decoded as the
// program decodes an answer without a charset in its header, and as the training
// command does: the probabilities count its blocks.
func readBytes(s sample) ([]byte, error) {
	if !s.asItCame {
		return readPage(s.file)
	}
	raw, err := unzip(s.file)
	if err != nil {
		return nil, err
	}
	body, _, _ := fetch.Decode(raw, "text/html")
	return body, nil
}
