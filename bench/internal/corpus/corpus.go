// Package corpus provides the pages that the block model learns from and is scored on: a
// folder for each source, all of them with the truth about their main content. Like the
// commands that use it, it ends the program when a file is not there.
package corpus

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"hash/fnv"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"golang.org/x/net/publicsuffix"
)

// Sources are the folders of pages; "" for none.
type Sources struct{ WCXB, Segments, Panel, Fields, More string }

// Flags defines a flag for each source.
func (s *Sources) Flags(fs *flag.FlagSet) {
	fs.StringVar(&s.WCXB, "data", "../../shared/bench/wcxb", "the WCXB development split")
	fs.StringVar(&s.Segments, "segments", "", "folder of pages with wanted and unwanted segments, for weak labels")
	fs.StringVar(&s.Panel, "panel", "", "folder with docs and news: pages with the HTML of their content")
	fs.StringVar(&s.Fields, "fields", "", "folder of pages with fields that are content")
	fs.StringVar(&s.More, "more", "", "folder of more pages with the text of their content")
}

// Page is a page with its truth.
type Page struct {
	Set   string // wcxb, segments, docs, news, fields, or the source of another page
	ID    string
	URL   string
	Kind  string // the page type, or Untyped
	Truth train.Truth
	Fold  int

	file     string
	asItCame bool // the file is not UTF-8 yet
}

// Domain is the registrable domain of the page.
func (p *Page) Domain() string { return domainOf(p.URL) }

// Folds is the number of folds of cross-validation.
const Folds = 5

// Body returns the page in UTF-8.
func (p *Page) Body() []byte {
	b := unzip(p.file)
	if p.asItCame {
		b, _, _ = fetch.Decode(b, "text/html")
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func unzip(file string) []byte {
	f, err := os.Open(file)
	check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(err)
	b, err := io.ReadAll(z)
	check(err)
	return b
}

// List lists the pages of all sources.
func List(from Sources) []*Page {
	pages := loadWCXB(from.WCXB)
	if from.Segments != "" {
		pages = append(pages, loadSegments(from.Segments)...)
	}
	if from.Panel != "" {
		pages = append(pages, loadPanel(filepath.Join(from.Panel, "docs"), "docs", "documentation")...)
		pages = append(pages, loadPanel(filepath.Join(from.Panel, "news"), "news", "article")...)
	}
	if from.Fields != "" {
		pages = append(pages, loadFields(from.Fields)...)
	}
	if from.More != "" {
		pages = append(pages, loadMore(from.More)...)
	}
	for _, p := range pages {
		p.Fold = foldOf(p.Domain())
	}
	return pages
}

func loadWCXB(dir string) []*Page {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	check(err)
	slices.Sort(files)
	pages := make([]*Page, len(files))
	for i, file := range files {
		b, err := os.ReadFile(file)
		check(err)
		var t struct {
			URL   string
			Truth struct {
				Main string `json:"main_content"`
			} `json:"ground_truth"`
			Internal struct {
				Type struct{ Primary string } `json:"page_type"`
			} `json:"_internal"`
		}
		check(json.Unmarshal(b, &t))
		id := strings.TrimSuffix(filepath.Base(file), ".json")
		kind := cmp.Or(t.Internal.Type.Primary, "article")
		if kind == "category" {
			kind = "collection"
		}
		pages[i] = &Page{Set: "wcxb", ID: id, URL: t.URL, Kind: kind, file: filepath.Join(dir, "html", id+".html.gz"), Truth: train.Truth{Text: t.Truth.Main}}
	}
	return pages
}

// Untyped is the type of a page whose type is not known.
const Untyped = "untyped"

// loadSegments reads pages of which only segments are known.
func loadSegments(dir string) []*Page {
	type item struct {
		ID, URL       string
		With, Without []string
	}
	return lines(filepath.Join(dir, "items.jsonl"), func(t item) *Page {
		return &Page{Set: "segments", ID: t.ID, URL: t.URL, Kind: Untyped, file: filepath.Join(dir, "html", t.ID+".html.gz"), Truth: train.Truth{With: t.With, Without: t.Without}, asItCame: true}
	})
}

// loadPanel reads pages with the HTML of their content.
func loadPanel(dir, set, kind string) []*Page {
	type item struct{ ID, URL, Path string }
	return lines(filepath.Join(dir, "manifest.jsonl"), func(t item) *Page {
		return &Page{Set: set, ID: t.ID, URL: t.URL, Kind: kind, file: filepath.Join(dir, t.Path), Truth: train.Truth{HTML: unzip(filepath.Join(dir, "truth", t.ID+".html.gz"))}, asItCame: true}
	})
}

// loadFields reads pages that state fields of their content, such as ingredients.
func loadFields(dir string) []*Page {
	type item struct {
		ID, URL, Domain string
		With            []string
	}
	return lines(filepath.Join(dir, "items.jsonl"), func(t item) *Page {
		if !strings.Contains(t.URL, "://") {
			t.URL = "https://" + t.URL
		}
		return &Page{Set: "fields", ID: t.ID, URL: t.URL, Kind: Untyped, file: filepath.Join(dir, "html", t.ID+".html.gz"), Truth: train.Truth{With: t.With}, asItCame: true}
	})
}

// loadMore reads pages with the text of their content. It omits those whose text another
// extractor wrote.
func loadMore(dir string) []*Page {
	type item struct{ ID, URL, Source, Kind, Text string }
	pages := lines(filepath.Join(dir, "items.jsonl"), func(t item) *Page {
		if t.Source == "newspaper" || strings.HasPrefix(t.Source, "readability") {
			return nil
		}
		return &Page{Set: t.Source, ID: t.ID, URL: t.URL, Kind: cmp.Or(t.Kind, Untyped), file: filepath.Join(dir, "html", t.ID+".html.gz"), Truth: train.Truth{Text: t.Text}, asItCame: true}
	})
	return slices.DeleteFunc(pages, func(p *Page) bool { return p == nil })
}

// lines makes a page of each line of a JSON Lines file.
func lines[T any](file string, f func(T) *Page) (pages []*Page) {
	b, err := os.ReadFile(file)
	check(err)
	for line := range bytes.Lines(b) {
		var t T
		check(json.Unmarshal(line, &t))
		pages = append(pages, f(t))
	}
	return pages
}

func foldOf(domain string) int {
	h := fnv.New32a()
	h.Write([]byte(domain))
	return int(h.Sum32() % Folds)
}

func domainOf(u string) string {
	_, host, ok := strings.Cut(u, "://")
	if !ok {
		_, host, _ = strings.Cut(u, "::")
	}
	if i := strings.IndexAny(host, "/?#:"); i >= 0 {
		host = host[:i]
	}
	host = strings.ToLower(host)
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}
