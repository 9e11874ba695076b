// Command colly compares the processor time of a crawl with that of colly, which does not
// extract content:
//
//	go run ./colly --pages 1000 --rounds 3
//
// Each row reads the same site on loopback in a process of its own, and its processor time
// is that of this process; the site is another process. The rows of a round follow each
// other, and each value is the median of the rounds. The pace of sites is off.
//
// A crawl is compared with what reads the same pages without a crawl: colly with a
// net/http client, Spyhop with its own client. The difference is what the crawl itself
// costs: queue, known addresses, links, and for Spyhop the store and the index too.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// row is a way to read the pages of the site. It returns how many it has read.
type row struct {
	name string
	read func(ctx context.Context, site string, pages int) (int, error)
}

var rows = []row{
	{"net/http", plainFetch},
	{"colly", collyCrawl},
	{"fetch", spyhopFetch},
	{"crawl, extraction off", linkCrawl},
	{"read", spyhopRead},
	{"crawl", spyhopCrawl},
}

func main() {
	pages := flag.Int("pages", 1000, "pages of the site")
	rounds := flag.Int("rounds", 3, "how often each row is measured")
	serve := flag.Bool("serve", false, "run the site (used by the program itself)")
	only := flag.String("row", "", "measure this row (used by the program itself)")
	site := flag.String("site", "", "the address of the site (used by the program itself)")
	flag.Parse()
	var err error
	switch {
	case *serve:
		err = runSite(*pages)
	case *only != "":
		err = runRow(*only, *site, *pages)
	default:
		err = compare(*pages, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

// measured is what a row prints about itself.
type measured struct {
	Pages int
	CPU   time.Duration
	Wall  time.Duration
}

func compare(pages, rounds int) error {
	child := exec.Command(os.Args[0], "--serve", "--pages", fmt.Sprint(pages))
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		return err
	}
	defer func() { _ = stdin.Close(); _ = child.Wait() }()
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	site := "http://" + strings.TrimSpace(addr) + "/"
	all := map[string][]float64{}
	for range rounds {
		for _, r := range rows {
			out, err := exec.Command(os.Args[0], "--row", r.name, "--site", site, "--pages", fmt.Sprint(pages)).Output()
			if err != nil {
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					err = fmt.Errorf("%w: %s", err, exit.Stderr)
				}
				return fmt.Errorf("%s: %w", r.name, err)
			}
			var m measured
			if err := json.Unmarshal(out, &m); err != nil {
				return err
			}
			if m.Pages != pages {
				return fmt.Errorf("%s has read %d of %d pages", r.name, m.Pages, pages)
			}
			all[r.name] = append(all[r.name], m.CPU.Seconds()*1000/float64(m.Pages))
		}
	}
	ms := func(name string) float64 {
		slices.Sort(all[name])
		return all[name][len(all[name])/2]
	}
	fmt.Printf("%d pages of 20 KB with 30 links each, %d rounds, %d processors; ms of processor time a page\n\n", pages, rounds, runtime.GOMAXPROCS(0))
	for _, r := range rows {
		fmt.Printf("%-24s %6.2f  (%.2f to %.2f)\n", r.name, ms(r.name), all[r.name][0], all[r.name][len(all[r.name])-1])
	}
	fmt.Printf("\nbeyond fetch, without extraction: colly %.2f, Spyhop %.2f\n", ms("colly")-ms("net/http"), ms("crawl, extraction off")-ms("fetch"))
	fmt.Printf("beyond fetch and extraction (frontier, store, index): Spyhop %.2f\n", ms("crawl")-ms("read"))
	return nil
}

func runRow(name, site string, pages int) error {
	i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
	if i < 0 {
		return fmt.Errorf("there is no row %q", name)
	}
	begun, before := time.Now(), processorTime()
	n, err := rows[i].read(context.Background(), site, pages)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(measured{n, processorTime() - before, time.Since(begun)})
}

func processorTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// pageOf is the address of a page; the first one is the start.
func pageOf(site string, i int) string {
	if i == 0 {
		return site
	}
	return fmt.Sprintf("%spage-%d", site, i)
}

// runSite serves the site until its standard input ends: pages of 20 KB with words of
// their own, and links to 30 others, so that all are reached within a few links.
func runSite(pages int) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	bodies := map[string][]byte{}
	for i := range pages {
		var b bytes.Buffer
		fmt.Fprintf(&b, "<!DOCTYPE html><html lang=\"en\"><head><title>Page %d of the log</title></head><body><nav>", i)
		for k := range 15 {
			fmt.Fprintf(&b, "<a href=\"%s\">Section %d</a> ", pageOf("/", (k*pages)/15), k)
		}
		fmt.Fprintf(&b, "</nav><main><h1>Page %d of the log</h1>", i)
		for k := range 15 {
			b.WriteString("<p>")
			for w := range 30 {
				b.WriteString(wordOf(i*1_000_003+k*1009+w) + " ")
			}
			to := (i*15 + k + 1) % pages
			fmt.Fprintf(&b, "<a href=\"%s\">%s</a>.</p><div class=\"%s\"></div>", pageOf("/", to), wordOf(i*15+k), strings.Repeat("filler ", 150))
		}
		b.WriteString("</main></body></html>")
		bodies[pageOf("/", i)] = b.Bytes()
	}
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, ok := bodies[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(body)
		}))
	}()
	fmt.Println(l.Addr())
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
	return nil
}

// wordOf is one of some hundred thousand words. Pages with the same phrases would be
// near-duplicates, which a crawl leaves out.
func wordOf(n int) string {
	x := uint64(n)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x ^= x >> 31
	const first, second, third = "bdfgklmnprstvz", "aeiou", "lmnrst"
	syllable := func() string {
		s := string(first[x%14]) + string(second[(x>>8)%5]) + string(third[(x>>16)%6])
		x = x>>20 + x<<44
		return s
	}
	return syllable() + syllable()
}

// plainFetch gets the pages with net/http.
func plainFetch(ctx context.Context, site string, pages int) (n int, err error) {
	for i := range pages {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, pageOf(site, i), nil)
		if err != nil {
			return n, err
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			return n, err
		}
		_, err = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// collyCrawl follows all links of the site with colly, as its documentation shows it.
func collyCrawl(_ context.Context, site string, _ int) (int, error) {
	host, _, _ := strings.Cut(strings.TrimPrefix(site, "http://"), "/")
	c := colly.NewCollector(colly.AllowedDomains(host, strings.Split(host, ":")[0]), colly.IgnoreRobotsTxt())
	n := 0
	c.OnResponse(func(*colly.Response) { n++ })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { _ = e.Request.Visit(e.Attr("href")) })
	err := c.Visit(site)
	return n, err
}

// client is the fetching part of Spyhop: the egress policy, and no cache.
func client(site string) (*fetch.Client, error) {
	exception, err := egress.ParseException(strings.TrimSuffix(strings.TrimPrefix(site, "http://"), "/"))
	if err != nil {
		return nil, err
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{exception}, HTTP: egress.HTTPAllow})
	if err != nil {
		return nil, err
	}
	return fetch.New(fetch.Options{RoundTripper: guard.RoundTripper(), Judge: func(u weburl.URL) (weburl.URL, error) { u, d := guard.Judge(u); return u, d.Err() },
		HostConcurrency: -1, HostRate: -1, NegativeTTL: -1})
}

func spyhopFetch(ctx context.Context, site string, pages int) (n int, err error) {
	c, err := client(site)
	if err != nil {
		return 0, err
	}
	for i := range pages {
		u, err := weburl.Parse(pageOf(site, i))
		if err == nil {
			_, err = c.Get(ctx, fetch.Request{URL: u})
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// linkCrawl is Spyhop's crawl with its frontier on disk, of pages whose links are read and
// whose content is not.
func linkCrawl(ctx context.Context, site string, pages int) (int, error) {
	c, err := client(site)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "spyhop-colly-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	f, err := frontier.OpenSQLite(frontier.Options{Dir: dir})
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var reads atomic.Int64
	read := func(ctx context.Context, u weburl.URL) (*page.Page, error) {
		r, err := c.Get(ctx, fetch.Request{URL: u})
		if err != nil {
			return nil, err
		}
		return &page.Page{URL: u.String(), Links: linksOf(u, r.Body)}, nil
	}
	k := &crawl.Crawler{Frontier: f, Worker: "bench", Web: crawl.Web{
		Fetch:  c.Get,
		Robots: func(context.Context, weburl.URL) (fetch.Robots, error) { return fetch.Robots{}, nil },
		Judge:  func(weburl.URL) error { return nil },
		Site:   fetch.Site,
		Page:   func(ctx context.Context, q crawl.ReadRequest) (*page.Page, error) { return read(ctx, q.URL) },
		Read: func(ctx context.Context, q crawl.ReadRequest) (*reader.Answer, *page.Page, error) {
			p, err := read(ctx, q.URL)
			reads.Add(1)
			return &reader.Answer{Fetch: result.Fetch{URL: p.URL, FinalURL: p.URL, Metadata: result.Metadata{Version: p.URL}}}, p, err
		},
	}}
	j, err := k.Create(ctx, "local", crawl.Options{URLs: []string{site}, MaxPages: pages, MaxDepth: 100})
	if err == nil {
		_, err = k.Run(ctx, j.ID, crawl.RunOptions{})
	}
	return int(reads.Load()), err
}

// linksOf are the links of a page.
func linksOf(base weburl.URL, body []byte) (out []page.Link) {
	tree, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		for _, a := range n.Attr {
			if u, err := base.Resolve(a.Val); a.Key == "href" && err == nil {
				out = append(out, page.Link{URL: u.String(), Count: 1})
			}
		}
	}
	return out
}

// open opens a whole client; without a folder it stores nothing.
func open(site, dir string) (*spyhop.Client, error) {
	c := spyhop.Config{AllowPrivate: []string{strings.TrimSuffix(strings.TrimPrefix(site, "http://"), "/")}, HTTP: spyhop.HTTPAllow, HostRate: spyhop.NoLimit, DataDir: dir}
	if dir == "" {
		c.CacheTTL = spyhop.Off
	}
	return spyhop.New(c)
}

// spyhopRead reads the pages one by one: fetch, extraction and Markdown.
func spyhopRead(ctx context.Context, site string, pages int) (n int, err error) {
	c, err := open(site, "")
	if err != nil {
		return 0, err
	}
	defer c.Close()
	for i := range pages {
		if _, err := c.Fetch(ctx, spyhop.FetchRequest{URL: pageOf(site, i), Render: spyhop.RenderNever}); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// spyhopCrawl crawls the site as the command does: frontier, cache, and the index of
// recall on disk.
func spyhopCrawl(ctx context.Context, site string, pages int) (int, error) {
	dir, err := os.MkdirTemp("", "spyhop-colly-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	c, err := open(site, dir)
	if err != nil {
		return 0, err
	}
	r, err := c.Crawl(ctx, spyhop.CrawlRequest{URLs: []string{site}, MaxPages: pages, MaxDepth: 100, Render: spyhop.RenderNever})
	if err != nil {
		return 0, err
	}
	if r.Read != int64(pages) {
		return 0, fmt.Errorf("read %d, failed %d, left %d, reasons %v", r.Read, r.Failures, r.Left, r.Reasons)
	}
	return int(r.Read), c.Close() // which writes what is still to be written
}
