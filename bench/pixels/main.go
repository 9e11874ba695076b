// Command pixels shows what a person sees of pages that hide text, and what Spyhop reads of
// them in a browser: it draws each page twice in Chromium, as it is and with other hidden
// words of the same length. Equal pictures mean that nobody sees the words.
//
//	go run ./pixels                            # the pages in internal/browser/testdata
//	go run ./pixels --cases hidden_pixels.jsonl # another set: {id, expect, canary, html}
//	go run ./pixels --only animation
//
// For each page it prints what was expected, whether the pictures are equal, and whether the
// words are in a snapshot of the page and in the Markdown of the live page. The browser decides
// what is seen by layout: tricks with colours, masks or layers leave the words in both (rows
// with laid_out). The exit status is 1 when an expectation is not what the pixels show.
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
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
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

// testCase is a page with a sentence that may be hidden; other is the same page with other words.
type testCase struct{ id, expect, canary, page, other string }

const (
	canary   = "Zanzibar"
	sentence = canary + ", says the keeper of the lamp, is to be read aloud to everybody who asks for the road to the harbour."
	beside   = "<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits until the lamp on the pier is lit, which the keeper does by hand on every evening of the winter months.</p>"
)

func load(file string) (all []testCase, err error) {
	own := file == ""
	if own {
		file = "../internal/browser/testdata/hidden.jsonl"
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ ID, Expect, Canary, Head, Body, HTML string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, err
		}
		if own {
			c.Canary = canary
			c.HTML = "<!doctype html><html><head><meta charset=utf-8><title>Ferries</title>" + c.Head + "</head><body" + c.Body + "><article><h1>Ferries</h1>" +
				strings.Repeat(beside, 4) + c.HTML + strings.Repeat(beside, 4) + "</article></body></html>"
		}
		fill := func(s string) string { return strings.ReplaceAll(c.HTML, "{}", s) }
		if own {
			all = append(all, testCase{c.ID, c.Expect, canary, fill(sentence), fill(mirror(sentence))})
		} else {
			all = append(all, testCase{c.ID, c.Expect, c.Canary, c.HTML, strings.ReplaceAll(c.HTML, c.Canary, mirror(c.Canary))})
		}
	}
	return all, lines.Err()
}

// mirror reverses the letters of each word: the words take the same room.
func mirror(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range words {
		turned := []rune(w)
		slices.Reverse(turned)
		s = strings.Replace(s, w, string(turned), 1)
	}
	return s
}

// judge reports whether a word is in a text: absent, marked or unmarked.
func judge(text, word string) string {
	got, before := "absent", ""
	for block := range strings.SplitSeq(text, "\n\n") {
		if strings.Contains(block, word) {
			got = "marked"
			if m := page.Collapsed.String(); !strings.Contains(block, m) && !strings.HasSuffix(before, m) {
				return "unmarked"
			}
		}
		before = block
	}
	return got
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
	fmt.Fprintln(out, "id\texpected\tpictures\tsnapshot\tlive page")
	leaks := map[string]int{}
	for i, p := range all {
		if !strings.Contains(p.id, only) {
			continue
		}
		var shots [2]image.Image
		var crash error
		for k, html := range [...]string{p.other, p.page} {
			body = html
			if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: fmt.Sprintf("%s/%d-%d.html", site.URL, i, k)}); err != nil {
				crash = err
				break
			}
			if strings.Contains(html, "animation") {
				time.Sleep(2500 * time.Millisecond)
			}
			shot, err := b.Screenshot(ctx, browser.Place{}, browser.Shot{FullPage: true})
			if err != nil {
				crash = err
				break
			}
			if shots[k], err = png.Decode(bytes.NewReader(shot.Data)); err != nil {
				return 0, fmt.Errorf("%s: %w", p.id, err)
			}
		}
		if crash != nil { // it happens: a page can be too new for the browser
			fmt.Fprintf(out, "%s\t%s\tno picture: %v\n", p.id, p.expect, crash)
			wrong++
			_, _ = b.CloseContexts(ctx, browser.Place{})
			continue
		}
		s, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{MaxTokens: -1})
		if err != nil {
			return 0, err
		}
		content, err := b.Content(ctx, browser.Place{})
		if err != nil {
			return 0, err
		}
		read, err := extract.HTML([]byte(content.HTML), extract.Options{URL: "https://example.com/", Whole: true, Judged: true})
		if err != nil {
			return 0, err
		}
		snapshot, live := judge(s.Text, p.canary), judge(markdown.Blocks(read.Blocks, markdown.Options{}), p.canary)
		same := equal(shots[0], shots[1])
		note := ""
		if p.expect != "any" && same != (p.expect == "drop") {
			note = "  THE EXPECTATION IS WRONG"
			wrong++
		}
		for name, got := range map[string]string{"snapshot": snapshot, "live page": live} {
			if p.expect == "drop" && got == "unmarked" || p.expect == "keep" && got == "absent" {
				leaks[name]++
				note += "  not as expected: " + name
			}
		}
		if note == "" && quiet {
			continue
		}
		pictures := "differ"
		if same {
			pictures = "equal"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s%s\n", p.id, p.expect, pictures, snapshot, live, note)
	}
	_ = out.Flush()
	fmt.Printf("not as expected: snapshot %d, live page %d of %d; expectations that the pixels do not support: %d\n", leaks["snapshot"], leaks["live page"], len(all), wrong)
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
