// Command manuals reads pages of manuals that nothing was trained on or tuned to, twelve of
// each of the packages that bench/manuals/fetch unpacks, and compares what is kept with the
// element that their generator writes the content into.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	pagesOfEach  = 12
	leastBytes   = 3_000 // of a page; shorter ones are redirections
	mostBytes    = 400_000
	leastContent = 30 // bytes of text
)

// contents are the elements of the content by package; the first that a page has counts.
// Others have those of "".
var contents = map[string]string{
	"":                         "[role=main], main, article, .contents, #content, .refentry, .sect1, .section, .chapter",
	"apache2-doc":              "#page-content",
	"cppreference-doc-en-html": "#mw-content-text",
	"debian-handbook":          ".section, .chapter, .preface, .appendix",
	"erlang-doc":               "#content",
	"fp-docs-3.2.2":            "body",
	"gimp-help-en":             ".sect1, .sect2, .sect3, .chapter, .glossary, .appendix, .part",
	"gnustep-base-doc":         "body",
	"graphviz-doc":             "body",
	"libboost1.74-doc":         ".refentry, .section, .chapter, .contents, #content",
	"libfftw3-doc":             "body",
	"mpich-doc":                "body",
	"nim-doc":                  "#content",
	"nodejs-doc":               "#apicontent",
	"postgresql-doc-15":        ".sect1, .refentry, .chapter, .part, .appendix",
	"qtbase5-doc-html":         ".content",
	"racket-doc":               ".main",
	"rust-doc":                 "#main-content, #content main, main",
	"swi-prolog-doc":           "body",
}

// besides are parts of the content that are none: permalinks, tooltips, line numbers, and the
// generator's navigation.
var besides = cascadia.MustCompile("script, style, a.headerlink, .ttc, .lineno, .listing_lines, .navheader, .navfooter, .navsettop, .navsetbottom, .navigate, .prev-next-area, .footer")

// indexes are words in the names of pages that are lists of others.
var indexes = []string{"genindex", "search", "_modules", "index-all", "allclasses", "overview-tree", "class-use", "package-use", "-tree", "help-doc", "py-modindex", "404"}

func main() {
	data := flag.String("data", "", "folder of a folder for each package")
	worst := flag.Int("worst", 0, "how many of the pages that lose most are named")
	flag.Parse()
	dirs, err := os.ReadDir(*data)
	if err != nil || len(dirs) == 0 {
		log.Fatalf("no manuals in %s: %v", *data, err)
	}
	var all []score
	for _, d := range dirs {
		files, err := pick(filepath.Join(*data, d.Name()))
		if err != nil {
			log.Fatal(err)
		}
		for _, file := range files {
			if s, ok := read(d.Name(), file); ok {
				all = append(all, s)
			}
		}
	}
	report(all)
	slices.SortFunc(all, func(a, b score) int { return cmp.Compare(a.Recall, b.Recall) })
	for _, s := range all[:min(*worst, len(all))] {
		fmt.Printf("%.2f %s %s\n", s.Recall, s.verdict, s.file)
	}
}

// pick chooses the pages of a package, by the hashes of their names.
func pick(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name := strings.TrimPrefix(path, dir)
		if !slices.ContainsFunc(indexes, func(s string) bool { return strings.Contains(name, s) }) {
			files = append(files, path)
		}
		return nil
	})
	key := func(path string) string {
		sum := sha256.Sum256([]byte(strings.TrimPrefix(path, dir)))
		return string(sum[:])
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	var chosen []string
	for _, path := range files {
		if body, err := load(path); err == nil && len(body) >= leastBytes && len(body) <= mostBytes {
			if chosen = append(chosen, path); len(chosen) == pagesOfEach {
				break
			}
		}
	}
	return chosen, err
}

func load(path string) ([]byte, error) {
	body, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return body, err
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// score is what one page keeps.
type score struct {
	corpus.Quality
	file      string
	verdict   page.Verdict
	kept, all [corpus.Kinds]int
}

// read compares a page with its truth. It has none where the generator names no content.
func read(name, file string) (s score, ok bool) {
	body, err := load(file)
	if err != nil {
		log.Fatal(err)
	}
	truth := truthOf(body, cmp.Or(contents[name], contents[""]))
	if len(truth) < leastContent {
		return s, false
	}
	s.file = file
	p, err := extract.HTML(body, extract.Options{URL: "https://manual.example/" + filepath.Base(file)})
	if err != nil {
		s.verdict = page.Dead
		return s, true
	}
	s.verdict = p.Verdict
	s.Quality = corpus.Compare(p.Meta.Title+"\n"+markdown.PlainText(p), textOf(truth))
	parts, err := corpus.PartsOf(truth)
	if err != nil {
		log.Fatal(err)
	}
	s.kept, s.all = parts.Kept(p)
	return s, true
}

// truthOf is the HTML of the content.
func truthOf(body []byte, selectors string) []byte {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	for selector := range strings.SplitSeq(selectors, ", ") {
		n := cascadia.Query(doc, cascadia.MustCompile(selector))
		if n == nil {
			continue
		}
		for _, x := range cascadia.QueryAll(n, besides) {
			if x.Parent != nil {
				x.Parent.RemoveChild(x)
			}
		}
		for _, x := range cascadia.QueryAll(n, cascadia.MustCompile("div.fragment")) { // Doxygen's code
			x.Data, x.DataAtom = "pre", atom.Pre
		}
		var b bytes.Buffer
		if html.Render(&b, n) != nil {
			return nil
		}
		return b.Bytes()
	}
	return nil
}

// textOf is the text of HTML, with white space between its elements.
func textOf(truth []byte) string {
	var b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(truth)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		default:
			if tag, _ := z.TagName(); !inline[atom.Lookup(tag)] {
				b.WriteByte(' ')
			}
		}
	}
}

// inline are the elements that do not part words.
var inline = map[atom.Atom]bool{atom.A: true, atom.B: true, atom.Code: true, atom.Em: true, atom.I: true, atom.Span: true, atom.Strong: true, atom.Tt: true, atom.Var: true, atom.Wbr: true}

func report(all []score) {
	var sum corpus.Quality
	var kept, parts [corpus.Kinds]int
	lost, falselyComplete, whole, falselyPartial := 0, 0, 0, 0
	for _, s := range all {
		sum.F1, sum.Precision, sum.Recall = sum.F1+s.F1, sum.Precision+s.Precision, sum.Recall+s.Recall
		switch {
		case s.Recall < corpus.Kept:
			lost++
			if s.verdict == page.Complete {
				falselyComplete++
			}
		default:
			whole++
			if s.verdict != page.Complete {
				falselyPartial++
			}
		}
		for k := range kept {
			kept[k], parts[k] = kept[k]+s.kept[k], parts[k]+s.all[k]
		}
	}
	n := float64(max(len(all), 1))
	fmt.Printf("pages %d  F1 %.3f  precision %.3f  recall %.3f  loss %.3f\n", len(all), sum.F1/n, sum.Precision/n, sum.Recall/n, float64(lost)/n)
	for k, name := range []string{"code lines", "table rows", "list items", "headings", "pictures"} {
		fmt.Printf("%s %.3f of %d  ", name, float64(kept[k])/float64(max(parts[k], 1)), parts[k])
	}
	fmt.Printf("\npages with loss that say complete: %d of %d; pages without that do not: %d of %d\n", falselyComplete, lost, falselyPartial, whole)
}
