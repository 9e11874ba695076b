// Command focus measures in which order a crawl with a query reads the pages of a
// manual: how many it reads until it has the page that answers. Questions are the
// entries of the manual's own index, which people made and the crawl never sees;
// answers are the pages that an entry names. The pages are those of Debian's
// postgresql-doc-15, or of any manual with such an index.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/net/html"
)

const origin = "https://manual.example.com/"

type question struct {
	text string
	want map[string]bool
}

func main() {
	data := flag.String("data", "", "folder of the manual's HTML pages")
	index := flag.String("index", "bookindex.html", "its page with the index")
	start := flag.String("start", "index.html", "the page that the crawl is given")
	withMap := flag.Bool("map", true, "begin with the addresses of all pages, as a sitemap gives them")
	most := flag.Int("questions", 380, "ask about so many questions, evenly spread over the index")
	verbose := flag.Bool("v", false, "print each question and the number of pages")
	flag.Parse()
	pages := load(*data, *index)
	all := questions(filepath.Join(*data, *index), pages)
	var some []question
	for i, step := 0, max(1, len(all)/max(*most, 1)); i < len(all); i += step {
		some = append(some, all[i])
	}
	reads := make([]int, len(some))
	var wg sync.WaitGroup
	room := make(chan bool, runtime.NumCPU())
	for i, q := range some {
		room <- true
		wg.Go(func() {
			defer func() { <-room }()
			reads[i] = run(pages, *start, q, *withMap)
		})
	}
	wg.Wait()
	if *verbose {
		for i, q := range some {
			fmt.Printf("%4d %s %v\n", reads[i], q.text, q.want)
		}
	}
	within := func(n int) float64 {
		k := 0
		for _, r := range reads {
			if r <= n {
				k++
			}
		}
		return float64(k) / float64(len(reads))
	}
	within5, within10, within30, within100 := within(5), within(10), within(30), within(100)
	slices.Sort(reads)
	fmt.Printf("%d pages, %d questions: median pages read %d; answer within 5/10/30/100 pages %.2f %.2f %.2f %.2f\n",
		len(pages), len(some), reads[len(reads)/2], within5, within10, within30, within100)
}

// run returns after how many pages the crawl has read a wanted one.
func run(pages map[string]*page.Page, start string, q question, withMap bool) int {
	f := crawl.NewFocus(q.text)
	first, _ := weburl.Parse(origin + start)
	f.Know(first, "")
	if withMap {
		names := make([]string, 0, len(pages))
		for name := range pages {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			u, _ := weburl.Parse(origin + name)
			f.Know(u, "")
		}
	}
	next := first.String()
	for n := 1; next != "" && n <= len(pages); {
		name := strings.TrimPrefix(next, origin)
		u, _ := weburl.Parse(next)
		p := pages[name]
		if p == nil { // the page is not there, or is the index
			p = &page.Page{}
		} else {
			if q.want[name] {
				return n
			}
			n++
		}
		f.Read(u, p, nil)
		next = f.Next()
	}
	return len(pages) + 1
}

func load(dir, index string) map[string]*page.Page {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".html") {
			rel, _ := filepath.Rel(dir, path)
			if rel != index {
				names = append(names, filepath.ToSlash(rel))
			}
		}
		return err
	})
	if err != nil || len(names) == 0 {
		fmt.Fprintln(os.Stderr, "no pages in", dir, err)
		os.Exit(1)
	}
	out := map[string]*page.Page{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	room := make(chan bool, runtime.NumCPU())
	for _, name := range names {
		room <- true
		wg.Go(func() {
			defer func() { <-room }()
			body, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return
			}
			p, err := extract.HTML(body, extract.Options{URL: origin + name})
			if err != nil || p == nil {
				return
			}
			p.Links = slices.DeleteFunc(p.Links, func(l page.Link) bool {
				return !strings.HasPrefix(l.URL, origin) || l.URL == origin+index
			})
			mu.Lock()
			out[name] = p
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

// questions reads the index: its entries with at most two pages, and at least two
// words.
func questions(path string, pages map[string]*page.Page) (out []question) {
	f, err := os.Open(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	tree, err := html.Parse(f)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode || n.Data != "dt" {
			continue
		}
		q := question{want: map[string]bool{}}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && c.Data == "a" {
				for _, a := range c.Attr {
					if name, _, _ := strings.Cut(a.Val, "#"); a.Key == "href" && pages[name] != nil {
						q.want[name] = true
					}
				}
			} else if len(q.want) == 0 {
				q.text += textOf(c)
			}
		}
		q.text = strings.TrimRight(strings.TrimSpace(q.text), ", ")
		if len(q.want) > 0 && len(q.want) <= 2 && crawl.NewQuery(q.text).Len() >= 2 {
			out = append(out, q)
		}
	}
	return out
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	s := ""
	for c := range n.ChildNodes() {
		s += textOf(c)
	}
	return s
}
