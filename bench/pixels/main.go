// Command pixels shows what a person sees of the pages in package
// internal/extract/pixels, and what Spyhop says of them: it draws each page twice in
// Chromium, as it is and with other hidden words of the same length. Equal pictures
// mean that nobody sees the words.
//
//	go run ./pixels                            # the pages of the package
//	go run ./pixels --cases hidden_pixels.jsonl # another set: {id, expect, canary, html}
//	go run ./pixels --only animation
//
// For each page it prints what was expected, whether the pictures are equal, and
// whether the words are absent, marked or unmarked in the extractor's Markdown, in a
// snapshot of the live page, and in the Markdown of the live page. The exit status is
// 1 when an expectation is not what the pixels say.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/extract/pixels"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func main() {
	file := flag.String("cases", "", "file of other cases, one JSON object a line")
	only := flag.String("only", "", "run only the cases whose id contains this")
	quiet := flag.Bool("quiet", false, "print only what differs")
	flag.Parse()
	wrong, err := run(*file, *only, *quiet)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pixels:", err)
		os.Exit(1)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// pair is a page and the same page with other hidden words.
type pair struct{ one, two pixels.Case }

func load(file string) (all []pair, err error) {
	if file == "" {
		for _, name := range [...]string{"cases.jsonl", "testdata/more.jsonl"} {
			lines, err := os.ReadFile("../internal/extract/pixels/" + name)
			if err != nil {
				return nil, err
			}
			one, err := pixels.Parse(lines, pixels.Sentence)
			if err != nil {
				return nil, err
			}
			two, err := pixels.Parse(lines, pixels.Mirror(pixels.Sentence))
			if err != nil {
				return nil, err
			}
			for i := range one {
				all = append(all, pair{one[i], two[i]})
			}
		}
		return all, nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID, Canary, HTML string
			Expect           pixels.Expect
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, err
		}
		one := pixels.Case{ID: c.ID, Expect: c.Expect, Canary: c.Canary, Page: c.HTML}
		two := one
		two.Page = strings.ReplaceAll(c.HTML, c.Canary, pixels.Mirror(c.Canary))
		all = append(all, pair{one, two})
	}
	return all, lines.Err()
}

func run(file, only string, quiet bool) (wrong int, err error) {
	all, err := load(file)
	if err != nil {
		return 0, err
	}
	body := ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".html") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(body))
	}))
	defer site.Close()
	folder, err := os.MkdirTemp("", "pixels-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	private, err := egress.ParseException("127.0.0.1")
	if err != nil {
		return 0, err
	}
	hosts, err := weburl.ParseHostList([]string{"127.0.0.1"})
	if err != nil {
		return 0, err
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{private}, Allow: hosts})
	if err != nil {
		return 0, err
	}
	b, err := browser.New(browser.Options{Guard: guard, CaptureDir: folder})
	if err != nil {
		return 0, err
	}
	defer b.Close()
	ctx := context.Background()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "id\texpected\tpictures\tpage\tsnapshot\tlive page")
	leaks := map[string]int{}
	for i, p := range all {
		if !strings.Contains(p.one.ID, only) {
			continue
		}
		var shots [2]image.Image
		var crash error
		snapshot, live := pixels.Absent, pixels.Absent
		for k, c := range [...]pixels.Case{p.two, p.one} {
			body = c.Page
			if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: fmt.Sprintf("%s/%d-%d.html", site.URL, i, k)}); err != nil {
				crash = err
				break
			}
			if strings.Contains(c.Page, "animation") {
				time.Sleep(2500 * time.Millisecond)
			}
			shot, err := b.Screenshot(ctx, browser.Place{}, browser.Shot{FullPage: true})
			if err != nil {
				crash = err
				break
			}
			if shots[k], err = png.Decode(bytes.NewReader(shot.Data)); err != nil {
				return 0, fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		if crash != nil { // it happens: a page can be too new for the browser
			fmt.Fprintf(out, "%s\t%s\tno picture: %v\n", p.one.ID, p.one.Expect, crash)
			wrong++
			_, _ = b.CloseContexts(ctx, browser.Place{})
			continue
		}
		s, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{MaxTokens: -1})
		if err != nil {
			return 0, err
		}
		snapshot, _ = pixels.Judge(s.Text, p.one.Canary)
		content, err := b.Content(ctx, browser.Place{})
		if err != nil {
			return 0, err
		}
		lived := p.one
		lived.Page, lived.Judged = content.HTML, true
		live = pixels.Read(lived).Got
		same := equal(shots[0], shots[1])
		read := pixels.Read(p.one)
		note := ""
		if p.one.Expect != pixels.Any && same != (p.one.Expect == pixels.Drop) {
			note = "  THE EXPECTATION IS WRONG"
			wrong++
		}
		if !read.Right() {
			note += "  wrong page"
		}
		for name, got := range map[string]pixels.Got{"page": read.Got, "snapshot": snapshot, "live page": live} {
			if p.one.Expect == pixels.Drop && got == pixels.Unmarked || p.one.Expect == pixels.Keep && got == pixels.Absent {
				leaks[name]++
				if name != "page" {
					note += "  wrong " + name
				}
			}
		}
		if note == "" && quiet {
			continue
		}
		pictures := "differ"
		if same {
			pictures = "equal"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s%s\n", p.one.ID, p.one.Expect, pictures, read.Got, snapshot, live, note)
	}
	_ = out.Flush()
	fmt.Printf("not as expected: page %d, snapshot %d, live page %d; expectations that the pixels do not support: %d\n", leaks["page"], leaks["snapshot"], leaks["live page"], wrong)
	return wrong, nil
}

// equal compares two pictures pixel by pixel.
func equal(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}
