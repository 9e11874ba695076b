// Command siterecall measures recall on a manual: which of the pages that were read
// answers a question, and what it costs to find out.
//
//	go run ./siterecall --html DIR [--index bookindex.html] [--pages 10000]
//
// DIR is a manual as HTML files. The questions are the entries of the manual's own
// index (--index), which people wrote: the words of an entry are the query, and the
// pages that the entry names are the answers. Entries with more than two pages or
// fewer than two words are left out. The index itself is not read.
//
// The program serves the folder on loopback, reads every page once, asks every
// question, and prints how often an answer is first, among the first five and among
// the first ten. It also prints the bytes and the processor time that each page
// costs, and with --pages how long a search takes in so many pages, which are made of
// the sentences of the manual in another order.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/result"
)

type question struct {
	text    string
	answers []string
}

func main() {
	log.SetFlags(0)
	dir := flag.String("html", "", "folder of the manual")
	index := flag.String("index", "bookindex.html", "file in it with the index")
	many := flag.Int("pages", 10_000, "pages of the second measurement; 0 leaves it out")
	every := flag.Int("every", 5, "ask only one of so many questions")
	keep := flag.String("data", "", "keep the data in this folder")
	misses := flag.Bool("misses", false, "list the questions whose answer is not first")
	flag.Parse()
	if *dir == "" {
		log.Fatal("name the folder of the manual with --html")
	}
	questions, err := readIndex(filepath.Join(*dir, *index))
	if err != nil {
		log.Fatal(err)
	}
	if *every > 1 {
		for i := 0; i**every < len(questions); i++ {
			questions[i] = questions[i**every]
		}
		questions = questions[:(len(questions)+*every-1) / *every]
	}
	data := *keep
	if data == "" {
		if data, err = os.MkdirTemp("", "spyhop-siterecall-"); err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(data)
	}
	if err := measure(*dir, *index, data, questions, *many, *misses); err != nil {
		log.Fatal(err)
	}
}

func measure(dir, index, data string, questions []question, many int, misses bool) error {
	ctx := context.Background()
	var pages []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".html") && filepath.Base(p) != index {
			rel, _ := filepath.Rel(dir, p)
			pages = append(pages, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(dir))}
	go server.Serve(l)
	defer server.Close()
	root := "http://" + l.Addr().String() + "/"

	// Reading with and without the index: the difference is what recall costs.
	without, err := readAll(ctx, spyhop.Config{NoRecall: true, DataDir: filepath.Join(data, "without")}, root, pages, nil)
	if err != nil {
		return err
	}
	with, err := readAll(ctx, spyhop.Config{DataDir: filepath.Join(data, "with")}, root, pages, func(c *spyhop.Client) error {
		return ask(ctx, c, root, questions, misses)
	})
	if err != nil {
		return err
	}
	n := time.Duration(len(pages))
	fmt.Printf("a page: %.2f ms of processor time with recall, %.2f without; %d bytes in recall.db, of %d bytes of text\n",
		(with.cpu/n).Seconds()*1000, (without.cpu/n).Seconds()*1000, with.bytes/int64(n), with.text/int64(n))
	if many > 0 {
		return large(ctx, filepath.Join(data, "with", "recall.db"), data, questions, many)
	}
	return nil
}

type cost struct {
	cpu         time.Duration
	bytes, text int64
}

// readAll reads every page with a Client, and calls then before it closes it.
func readAll(ctx context.Context, c spyhop.Config, root string, pages []string, then func(*spyhop.Client) error) (used cost, err error) {
	c.AllowPrivate, c.HTTP, c.HostRate, c.HostConcurrency, c.MaxContentChars = []string{"127.0.0.1"}, spyhop.HTTPAllow, spyhop.NoLimit, spyhop.NoLimit, spyhop.NoLimit
	c.Browser = "/none"
	c.OnError = func(err error) { log.Print(err) }
	client, err := spyhop.New(c)
	if err != nil {
		return used, err
	}
	defer client.Close()
	start := processorTime()
	var mu sync.Mutex
	var running sync.WaitGroup
	room := make(chan struct{}, 2)
	for _, p := range pages {
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			r, err := client.Fetch(ctx, spyhop.FetchRequest{URL: root + p, Render: spyhop.RenderNever})
			if err != nil {
				log.Printf("%s: %v", p, err)
				return
			}
			mu.Lock()
			used.text += int64(len(r.Markdown))
			mu.Unlock()
		})
	}
	running.Wait()
	_, _ = client.Recall(ctx, spyhop.RecallRequest{Query: "page"}) // waits until all is written
	if _, err := client.CacheStats(ctx); err != nil {
		return used, err
	}
	used.cpu = processorTime() - start
	if then != nil {
		err = then(client)
	}
	if info, bad := os.Stat(filepath.Join(c.DataDir, "recall.db")); bad == nil {
		used.bytes = info.Size()
	}
	return used, err
}

// ask asks every question.
func ask(ctx context.Context, c *spyhop.Client, root string, questions []question, misses bool) error {
	var first, five, ten int
	var took []time.Duration
	for _, q := range questions {
		start := time.Now()
		r, err := c.Recall(ctx, spyhop.RecallRequest{Query: q.text})
		took = append(took, time.Since(start))
		at := -1
		if err == nil {
			at = slices.IndexFunc(r.Pages, func(p result.RecalledPage) bool { return slices.Contains(q.answers, strings.TrimPrefix(p.URL, root)) })
		}
		if at == 0 {
			first++
		}
		if at >= 0 && at < 5 {
			five++
		}
		if at >= 0 {
			ten++
		}
		if misses && at != 0 {
			found := "nothing"
			if err == nil {
				found = strings.TrimPrefix(r.Pages[0].URL, root)
			}
			fmt.Printf("%2d  %s: %s, not %s\n", at+1, q.text, found, strings.Join(q.answers, " or "))
		}
	}
	slices.Sort(took)
	n := float64(len(questions))
	fmt.Printf("%d questions: answer page first %.3f, among five %.3f, among ten %.3f; a search: median %v, 95 of 100 within %v\n",
		len(questions), float64(first)/n, float64(five)/n, float64(ten)/n, took[len(took)/2].Round(10*time.Microsecond), took[len(took)*95/100].Round(10*time.Microsecond))
	return nil
}

// large measures searches in a store with many pages.
func large(ctx context.Context, from, data string, questions []question, pages int) error {
	s := store.New(store.Options{Dir: filepath.Join(data, "large"), File: "recall.db", MaxBytes: 4 << 30, Words: recall.Words, OnError: func(err error) { log.Print(err) }})
	defer s.Close()
	paragraphs, err := allParagraphs(from)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	start := processorTime()
	for i := range pages {
		var b strings.Builder
		title := paragraphs[random.IntN(len(paragraphs))]
		for b.Len() < 8000 {
			b.WriteString(paragraphs[random.IntN(len(paragraphs))] + "\n\n")
		}
		u := fmt.Sprintf("https://site%d.example.org/page/%d", i%50, i)
		s.PutVersion(ctx, store.Version{URL: u, Hops: []string{u}, Hash: fmt.Sprintf("%012x", i), Title: title[:min(len(title), 60)], Content: b.String()})
		if i%500 == 499 {
			s.Flush()
		}
	}
	stats, err := s.Stats(ctx)
	if err != nil {
		return err
	}
	cpu := processorTime() - start
	r := recall.Recall{Store: s, Reopen: func(context.Context, string, []string) error { return nil }}
	var took []time.Duration
	start = processorTime()
	for _, q := range questions {
		begin := time.Now()
		if _, err := r.Search(ctx, recall.Query{Text: q.text}); err != nil {
			return fmt.Errorf("%s: %w", q.text, err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	fmt.Printf("%d pages of 8 kB (%d stored, %d dropped): %.2f ms of processor time a page; a search: median %v, 95 of 100 within %v, longest %v; %.2f ms of processor time\n", pages, stats.Items, s.Health().Dropped,
		(cpu/time.Duration(pages)).Seconds()*1000, took[len(took)/2].Round(10*time.Microsecond), took[len(took)*95/100].Round(10*time.Microsecond), took[len(took)-1].Round(10*time.Microsecond),
		(processorTime()-start).Seconds()*1000/float64(len(questions)))
	return nil
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// readIndex makes questions of an index as DocBook writes it: a dt with the words of
// the entry and links to pages.
func readIndex(file string) (out []question, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc, err := html.Parse(f)
	if err != nil {
		return nil, err
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "dt" {
			continue
		}
		var q question
		var label strings.Builder
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.ElementNode && c.Data == "a":
				for _, a := range c.Attr {
					page, _, _ := strings.Cut(a.Val, "#")
					if a.Key == "href" && strings.HasSuffix(page, ".html") && !slices.Contains(q.answers, path.Clean(page)) {
						q.answers = append(q.answers, path.Clean(page))
					}
				}
			case len(q.answers) == 0:
				label.WriteString(textOf(c))
			}
		}
		q.text = strings.TrimRight(strings.TrimSpace(label.String()), ", ")
		if len(q.answers) > 0 && len(q.answers) <= 2 && countWords(q.text) >= 2 {
			out = append(out, q)
		}
	}
	return out, nil
}

// countWords counts words of two letters or more that are not among the commonest.
func countWords(s string) (n int) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if len(w) > 1 && !slices.Contains(strings.Fields("the of to and in a is for with on or by an as at be that this are from it not see also use using html chapter section part"), w) {
			n++
		}
	}
	return n
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// allParagraphs reads the paragraphs of the stored versions.
func allParagraphs(file string) (out []string, err error) {
	s := store.New(store.Options{Dir: filepath.Dir(file), File: filepath.Base(file), MaxBytes: 4 << 30, Words: recall.Words,
		Scope: "127.0.0.1\nproxy\n"})
	defer s.Close()
	hits, err := s.Search(context.Background(), store.Search{Terms: []string{"table", "server", "function", "command"}, Limit: 1000})
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		v, ok := s.Open(context.Background(), h)
		if !ok {
			continue
		}
		for p := range strings.SplitSeq(v.Content, "\n\n") {
			if len(p) > 100 {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no paragraphs", file)
	}
	return out, nil
}
