package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks/train"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"golang.org/x/net/publicsuffix"
)

// trainPage is a page to learn from.
type trainPage struct {
	set      string // wcxb, segments, docs, news, fields or more
	file     string
	truth    train.Truth
	fold     int
	sample   *train.Sample
	asItCame bool // the file is not UTF-8 yet

	id, url, kind string
}

func (p *trainPage) body() []byte {
	b := unzip(p.file)
	if p.asItCame {
		b, _, _ = fetch.Decode(b, "text/html")
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
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

// list lists the pages of all sources.
func list(from sources) []*trainPage {
	pages := loadWCXB(from.data)
	if from.segments != "" {
		pages = append(pages, loadSegments(from.segments)...)
	}
	if from.panel != "" {
		pages = append(pages, loadPanel(filepath.Join(from.panel, "docs"), "docs", "documentation")...)
		pages = append(pages, loadPanel(filepath.Join(from.panel, "news"), "news", "article")...)
	}
	if from.fields != "" {
		pages = append(pages, loadFields(from.fields)...)
	}
	if from.more != "" {
		pages = append(pages, loadMore(from.more)...)
	}
	for _, p := range pages {
		p.fold = foldOf(domainOf(p.url))
	}
	return pages
}

// label labels the blocks of the pages.
func label(pages []*trainPage) {
	parallel(len(pages), func(i int) {
		p := pages[i]
		var err error
		p.sample, err = train.NewSample(p.id, domainOf(p.url), p.url, p.kind, p.body(), p.truth)
		check(err)
	})
}

func loadWCXB(dir string) []*trainPage {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	check(err)
	slices.Sort(files)
	pages := make([]*trainPage, len(files))
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
		pages[i] = &trainPage{set: "wcxb", id: id, url: t.URL, kind: kind, file: filepath.Join(dir, "html", id+".html.gz"), truth: train.Truth{Text: t.Truth.Main}}
	}
	return pages
}

// untyped is the type of a page whose type is not known.
const untyped = "untyped"

// loadSegments reads pages of which only segments are known.
func loadSegments(dir string) []*trainPage {
	type item struct {
		ID, URL       string
		With, Without []string
	}
	return lines(filepath.Join(dir, "items.jsonl"), func(t item) *trainPage {
		return &trainPage{set: "segments", id: t.ID, url: t.URL, kind: untyped, file: filepath.Join(dir, "html", t.ID+".html.gz"), truth: train.Truth{With: t.With, Without: t.Without}, asItCame: true}
	})
}

// loadPanel reads pages with the HTML of their content.
func loadPanel(dir, set, kind string) []*trainPage {
	type item struct{ ID, URL, Path string }
	return lines(filepath.Join(dir, "manifest.jsonl"), func(t item) *trainPage {
		return &trainPage{set: set, id: t.ID, url: t.URL, kind: kind, file: filepath.Join(dir, t.Path), truth: train.Truth{HTML: unzip(filepath.Join(dir, "truth", t.ID+".html.gz"))}, asItCame: true}
	})
}

// loadFields reads pages that state fields of their content, such as ingredients.
func loadFields(dir string) []*trainPage {
	type item struct {
		ID, URL, Domain string
		With            []string
	}
	return lines(filepath.Join(dir, "items.jsonl"), func(t item) *trainPage {
		if !strings.Contains(t.URL, "://") {
			t.URL = "https://" + t.URL
		}
		return &trainPage{set: "fields", id: t.ID, url: t.URL, kind: untyped, file: filepath.Join(dir, "html", t.ID+".html.gz"), truth: train.Truth{With: t.With}, asItCame: true}
	})
}

// loadMore reads pages with the text of their content. It omits those whose text another
// extractor wrote.
func loadMore(dir string) []*trainPage {
	type item struct{ ID, URL, Source, Kind, Text string }
	pages := lines(filepath.Join(dir, "items.jsonl"), func(t item) *trainPage {
		if t.Source == "newspaper" || strings.HasPrefix(t.Source, "readability") {
			return nil
		}
		return &trainPage{set: t.Source, id: t.ID, url: t.URL, kind: cmp.Or(t.Kind, untyped), file: filepath.Join(dir, "html", t.ID+".html.gz"), truth: train.Truth{Text: t.Text}, asItCame: true}
	})
	return slices.DeleteFunc(pages, func(p *trainPage) bool { return p == nil })
}

// lines makes a page of each line of a JSON Lines file.
func lines[T any](file string, f func(T) *trainPage) (pages []*trainPage) {
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
	return int(h.Sum32() % folds)
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
