// Command browser measures snapshots of real pages, served on loopback: tokens
// (o200k), the share of the visible words in the snapshot, and times. With
// --playwright it measures Playwright MCP in the same run:
//
//	go run ./browser --data ../../shared/bench/wcxb --playwright DIR/node_modules/@playwright/mcp/cli.js
//
// Sub-resources from other hosts fail at once for both. Before the snapshots, it
// measures --starts times how long an MCP server needs from its start until its
// first page is open: the program of --spyhop, Playwright MCP, the command of
// agent-browser with --agent-browser, and, as a lower bound, the browser that prints
// the page and ends (--dump-dom). Without --data it measures only this.
//
// With --compare N it compares snapshots of N pages with the browser's accessibility
// tree and the painted words: what has no ref, which words are missing or invented.
//
// With --endurance N the program reads N pages in one context, and N pages each
// in a new context. The command prints the memory that both need, and the
// processes and folders that are left after the program ends or is killed.
package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/tiktoken-go/tokenizer"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// pages are pages of all types in the corpus: articles, forums, collections,
// documentation, listings, a product, a service.
const pages = "0140,0425,0526,0567,0647,2951,0673,0663,3010,2913,3058,0690"

func main() {
	data := flag.String("data", "", "folder of the WCXB corpus")
	ids := flag.String("pages", pages, "comma-separated ids of pages")
	peer := flag.String("playwright", "", "path of cli.js of @playwright/mcp; empty: do not measure it")
	agentBrowser := flag.String("agent-browser", "", "path of the program of agent-browser, for --starts; empty: do not measure it")
	program := flag.String("spyhop", "", "path of the program, for --starts and --endurance; empty: do not measure starts")
	count := flag.Int("starts", 10, "how many times each server is started")
	many := flag.Int("endurance", 0, "measure memory over this number of pages instead")
	dump := flag.String("dump", "", "folder to write the snapshots to")
	same := flag.Int("compare", 0, "compare this number of pages of the corpus, and those of internal/testweb, with the accessibility tree instead")
	verbose := flag.Int("v", 0, "with --compare: 1 prints each difference, 2 also where missing words stand")
	flag.Parse()
	var err error
	if *same > 0 {
		list := strings.Split(*ids, ",")
		if *ids == pages {
			list, err = sample(*data, *same)
		}
		if err == nil {
			err = compare(*data, list, *verbose)
		}
	} else if *many > 0 {
		err = endurance(*program, *data, strings.Split(*ids, ","), *many)
	} else if err = starts(*program, peers{*peer, *agentBrowser}, *count); err == nil && *data != "" {
		err = run(*data, strings.Split(*ids, ","), *peer, *dump)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(1)
	}
}

// result has the figures of one tool for one page.
type result struct {
	tokens, brief  int
	words          float64
	load, snapshot time.Duration
}

// subject is a tool that is measured.
type subject interface {
	name() string
	navigate(url string) error
	// snapshot returns the page as text.
	snapshot() (string, error)
	close()
}

func run(data string, ids []string, peer, dump string) error {
	if _, err := os.Stat(filepath.Join(data, "html")); err != nil {
		return fmt.Errorf("no corpus in %q: name its folder with --data", data)
	}
	site := httptest.NewServer(corpus(data))
	defer site.Close()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	ours, err := newOurs()
	if err != nil {
		return err
	}
	defer ours.close()
	subjects := []subject{ours}
	if peer != "" {
		p, err := newPlaywright(peer)
		if err != nil {
			return err
		}
		defer p.close()
		subjects = append(subjects, p)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "page\ttool\ttokens\twords\tload ms\tsnapshot ms\tdefault budget\t")
	all := make(map[string][]result)
	for _, id := range ids {
		var visible []string
		for _, s := range subjects {
			var r result
			start := time.Now()
			if err := s.navigate(site.URL + "/" + id); err != nil {
				return fmt.Errorf("%s: %s: %w", s.name(), id, err)
			}
			r.load, r.snapshot = time.Since(start), time.Hour
			var text string
			for range 3 {
				start = time.Now()
				if text, err = s.snapshot(); err != nil {
					return fmt.Errorf("%s: %s: %w", s.name(), id, err)
				}
				r.snapshot = min(r.snapshot, time.Since(start))
			}
			if s == subjects[0] {
				if visible, err = ours.words(); err != nil {
					return err
				}
				brief, err := ours.b.Snapshot(context.Background(), browser.Place{}, browser.SnapshotRequest{})
				if err != nil {
					return err
				}
				r.brief, _ = codec.Count(brief.Text)
			}
			if r.tokens, err = codec.Count(text); err != nil {
				return err
			}
			r.words = share(visible, text)
			if dump != "" {
				if err := os.WriteFile(filepath.Join(dump, s.name()+"-"+id+".txt"), []byte(text), 0o600); err != nil {
					return err
				}
			}
			all[s.name()] = append(all[s.name()], r)
			fmt.Fprintf(table, "%s\t%s\t%d\t%.3f\t%d\t%d\t%d\t\n", id, s.name(), r.tokens, r.words, r.load.Milliseconds(), r.snapshot.Milliseconds(), r.brief)
		}
	}
	_ = table.Flush()
	for _, s := range subjects {
		summary(s.name(), all[s.name()])
	}
	return nil
}

func summary(name string, rs []result) {
	var tokens, times []int
	sum, words := 0, 0.0
	for _, r := range rs {
		tokens = append(tokens, r.tokens)
		times = append(times, int(r.snapshot.Milliseconds()))
		sum += r.tokens
		words += r.words
	}
	fmt.Printf("%s: tokens median %d, max %d, sum %d; words %.3f; snapshot median %d ms, max %d ms\n", name,
		median(tokens), slices.Max(tokens), sum, words/float64(len(rs)), median(times), slices.Max(times))
}

func median(n []int) int {
	slices.Sort(n)
	return (n[(len(n)-1)/2] + n[len(n)/2]) / 2
}

// corpus serves the saved pages unchanged.
func corpus(data string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/small" {
			_, _ = io.WriteString(w, "<title>Small</title><p>A page.")
			return
		}
		f, err := os.Open(filepath.Join(data, "html", filepath.Base(r.URL.Path)+".html.gz"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = io.Copy(w, z)
	})
}

// share is the share of the visible words that a text contains, as multisets.
func share(visible []string, text string) float64 {
	have := make(map[string]int)
	for _, w := range split(text) {
		have[w]++
	}
	found := 0
	for _, w := range visible {
		if have[w] > 0 {
			have[w]--
			found++
		}
	}
	return float64(found) / float64(max(len(visible), 1))
}

// split returns the words of a text. Characters that nobody sees are in no word and
// between no words.
func split(s string) []string {
	s = strings.Map(func(r rune) rune {
		if r == '\u00ad' || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

type ours struct{ b *browser.Browser }

func newOurs() (*ours, error) {
	private, err := egress.ParseException("127.0.0.1")
	if err != nil {
		return nil, err
	}
	only, err := weburl.ParseHostList([]string{"127.0.0.1"})
	if err != nil {
		return nil, err
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{private}, Allow: only})
	if err != nil {
		return nil, err
	}
	b, err := browser.New(browser.Options{Guard: guard, AllowScript: true})
	return &ours{b}, err
}

func (o *ours) name() string { return "spyhop" }

func (o *ours) close() { _ = o.b.Close() }

func (o *ours) navigate(url string) error {
	_, err := o.b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url})
	return err
}

func (o *ours) snapshot() (string, error) {
	s, err := o.b.Snapshot(context.Background(), browser.Place{}, browser.SnapshotRequest{MaxTokens: -1})
	if err != nil {
		return "", err
	}
	return s.Text, nil
}

// words is a script that returns the painted words: those of text nodes with a
// box that no ancestor hides by visibility, opacity, size or position, or clips:
// a box beyond the edge of what clips it, or fixed beside the window, is not painted, unless the element scrolls
// or a positioned box leaves it out (CSS 2, 11.1.1). It shares no code with the snapshot.
func (o *ours) words() ([]string, error) {
	raw, _, err := o.b.Evaluate(context.Background(), browser.Place{}, `(() => {
		const out = [], r = document.createRange(), w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let n; n = w.nextNode();) {
			const e = n.parentElement;
			if (!e || !e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || !n.data.trim()) continue;
			r.selectNodeContents(n);
			const b = r.getBoundingClientRect();
			if (b.width < 1 || b.height < 1 || b.right + scrollX <= 0 || b.bottom + scrollY <= 0) continue;
			let a = e, hidden = false, box = b, free = '';
			for (; a && !hidden; a = a.parentElement) {
				const c = getComputedStyle(a), q = a.getBoundingClientRect(), root = a === document.body || a === document.documentElement;
				if (free === 'absolute' && (c.position !== 'static' || c.transform !== 'none')) free = '';
				if (!free && !root && c.display !== 'inline') {
					const x = c.overflowX, y = c.overflowY, cuts = /hidden|clip/;
					if (cuts.test(x) && (q.right <= box.left || q.left >= box.right) || cuts.test(y) && (q.bottom <= box.top || q.top >= box.bottom)) { hidden = true; break; }
					if (/auto|scroll/.test(x + y)) box = q;
				}
				if (c.position === 'fixed' || c.position === 'absolute' && !free) free = c.position;
				if (c.position === 'fixed' && !a.offsetParent && (q.right <= 0 || q.left >= innerWidth || q.bottom <= 0 || q.top >= innerHeight)) { hidden = true; break; }
				hidden = (c.overflowX !== 'visible' && q.width < 2) || (c.overflowY !== 'visible' && q.height < 2) || /^(rect\(0|rect\(1px)/.test(c.clip) || /inset\((50|100)%/.test(c.clipPath);
			}
			if (!hidden) out.push(n.data);
		}
		return out.join(' ').slice(0, 60000);
	})()`, "")
	if err != nil {
		return nil, err
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return split(s), nil
}

// unknown is a script that returns those of some words that the markup of a page does not
// have: its text, hidden or not, its attributes, and what style sheets add.
func (o *ours) unknown(words []string) ([]string, error) {
	list, err := json.Marshal(strings.Join(words, " "))
	if err != nil {
		return nil, err
	}
	raw, _, err := o.b.Evaluate(context.Background(), browser.Place{}, `(words => {
		const known = new Set;
		const add = s => { for (const w of s.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) || []) known.add(w); };
		const walk = root => {
			for (const e of root.querySelectorAll('*')) {
				for (const c of e.childNodes) if (c.nodeType === 3) add(c.data);
				for (const a of e.attributes) add(a.value);
				if (typeof e.value === 'string') add(e.value);
				for (const p of ['::before', '::after']) add(getComputedStyle(e, p).content);
				if (e.shadowRoot) walk(e.shadowRoot);
			}
			for (const e of root.querySelectorAll('*')) if (e.children.length && e.textContent.length < 1000) add(e.textContent);
		};
		walk(document);
		return words.split(' ').filter(w => w && !known.has(w)).join(' ');
	})(`+string(list)+`)`, "")
	if err != nil {
		return nil, err
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return split(s), nil
}

// whereScript says, of painted texts with a word of a list, what could keep a person from
// seeing them, and where they stand.
const whereScript = `(words => {
	const want = new Set(words.split(' ')), out = [], w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), r = document.createRange();
	for (let n; (n = w.nextNode()) && out.length < 400;) {
		const e = n.parentElement;
		if (!e || !e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || !(n.data.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) || []).some(x => want.has(x))) continue;
		r.selectNodeContents(n);
		const b = r.getBoundingClientRect();
		if (b.width < 1 || b.height < 1) continue;
		let why = '', path = '';
		for (let a = e, k = 0; a; a = a.parentElement, k++) {
			const c = getComputedStyle(a), q = a.getBoundingClientRect();
			if (k < 4) path += ' ' + a.localName + (a.className ? '.' + a.className : '');
			if (!why && /hidden|clip/.test(c.overflowX + c.overflowY) && (q.right <= b.left || q.left >= b.right || q.bottom <= b.top || q.top >= b.bottom)) why = 'clipped by ' + a.localName + '.' + a.className;
			if (!why && c.transform !== 'none') why = 'transform ' + c.transform;
			if (!why && c.filter + c.clipPath + c.maskImage !== 'nonenonenone') why = c.filter + c.clipPath + c.maskImage;
		}
		const x = b.left + b.width / 2, y = b.top + b.height / 2;
		scrollTo(0, scrollY + y - 300);
		const now = r.getBoundingClientRect(), top = document.elementFromPoint(now.left + now.width / 2, now.top + now.height / 2);
		if (!why && top && top !== e && !e.contains(top) && !top.contains(e)) why = 'covered by ' + top.localName + '.' + top.className;
		const c = getComputedStyle(e);
		out.push([n.data.trim().replace(/\s+/g, ' ').slice(0, 60), why || [c.color, c.backgroundColor, c.fontSize, Math.round(b.width) + 'x' + Math.round(b.height), Math.round(b.left) + ',' + Math.round(b.top)].join(' '), path.slice(0, 150)].join(' | '));
	}
	return out.join('\n').slice(0, 20000);
})(`

// where runs whereScript.
func (o *ours) where(words []string) string {
	list, _ := json.Marshal(strings.Join(words, " "))
	raw, _, err := o.b.Evaluate(context.Background(), browser.Place{}, whereScript+string(list)+")", "")
	if err != nil {
		return err.Error()
	}
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}
