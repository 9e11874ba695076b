// Command noise measures what the main content of real pages costs in tokens, and
// how much of it is pictures and links that say nothing:
//
//	go run ./noise --data DIR
//
// The folder has the layout of the WCXB benchmark (M. Foley, 2026, CC BY 4.0). Each
// page is written as people get it (with the addresses of pictures) and as models
// do (without them).
package main

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "folder with html and ground-truth")
	each := flag.Bool("pages", false, "print a line for each page")
	flag.Parse()
	if err := measure(*data, *each); err != nil {
		log.Fatal(err)
	}
}

// tally counts what pages hold.
type tally struct {
	pages                    int
	people, model            int // tokens for people and for a model
	pictures, unnamed, again int
	links, empty, tracked    int
	trackedPages             int
}

func measure(dir string, each bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no pages in %s: name their folder with --data", dir)
	}
	var all tally
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		var truth struct{ URL string }
		if err := json.Unmarshal(raw, &truth); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		body, err := readPage(filepath.Join(dir, "html", id+".html.gz"))
		if err != nil {
			return err
		}
		p, err := extract.HTML(body, extract.Options{URL: truth.URL})
		if err != nil {
			continue // a page without content
		}
		t := tallyOf(p)
		if each {
			fmt.Printf("%s %+v\n", id, t)
		}
		all.add(t)
	}
	fmt.Printf("pages %d\ntokens for people %d\ntokens for a model %d\n", all.pages, all.people, all.model)
	fmt.Printf("pictures %d, without a text %d, again %d\n", all.pictures, all.unnamed, all.again)
	fmt.Printf("links %d, empty %d, with tracking parameters %d on %d pages\n", all.links, all.empty, all.tracked, all.trackedPages)
	return nil
}

func readPage(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func (t *tally) add(o tally) {
	t.pages++
	t.people += o.people
	t.model += o.model
	t.pictures += o.pictures
	t.unnamed += o.unnamed
	t.again += o.again
	t.links += o.links
	t.empty += o.empty
	t.tracked += o.tracked
	if o.tracked > 0 {
		t.trackedPages++
	}
}

func tallyOf(p *page.Page) (t tally) {
	t.people = text.Tokens(markdown.Render(p, markdown.Options{Images: true}))
	t.model = text.Tokens(markdown.Render(p, markdown.Options{}))
	seen := map[string]bool{}
	var inlines func(in []page.Inline) (says bool)
	inlines = func(in []page.Inline) (says bool) {
		for i := range in {
			x := &in[i]
			says = says || strings.TrimSpace(x.Text) != ""
			switch x.Kind {
			case page.ImageInline:
				t.pictures++
				if x.Text == "" {
					t.unnamed++
				}
				if x.URL != "" && seen[x.URL] {
					t.again++
				}
				seen[x.URL] = true
			case page.LinkInline:
				t.links++
				if u, err := weburl.Parse(x.URL); err == nil {
					if _, removed := u.Clean(); removed != nil {
						t.tracked++
					}
				}
				if !inlines(x.Children) {
					t.empty++
				} else {
					says = true
				}
				continue
			}
			says = inlines(x.Children) || says
		}
		return says
	}
	var blocks func(list []page.Block)
	blocks = func(list []page.Block) {
		for i := range list {
			b := &list[i]
			inlines(b.Inlines)
			blocks(b.Children)
			if b.Table == nil {
				continue
			}
			for _, row := range b.Table.Rows {
				for _, c := range row {
					blocks(c.Blocks)
				}
			}
		}
	}
	blocks(p.Blocks)
	return t
}
