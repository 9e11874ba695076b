//go:build linux

// Command pdf compares the text that Spyhop extracts from PDFs with the text of
// poppler's pdftotext.
//
//	go run ./pdf --data DIR [--worst 20] [--dump NAME]
//
// If NAME.txt exists beside NAME.pdf, it is the source text of the PDF. Files
// whose right-to-left words pdftotext splits into letters are a separate group,
// because its text is not a reference there.
//
// The score of a file is the F1 of its words as multisets; scripts without
// spaces count by characters. Order is the longest common subsequence of words,
// on files that have two columns according to pdftotext's boxes. It is compared
// with pdftotext -raw, which keeps the order in which LaTeX writes, and with
// its default mode, which mixes lines of both columns.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/pdf"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"golang.org/x/text/unicode/norm"
)

const (
	minWords = 100    // files with fewer words are left out
	maxOrder = 40_000 // the order of this many words is compared
)

type score struct {
	name            string
	group           string
	words           int
	f1, noEdges     float64
	order, usual    float64 // with pdftotext -raw, with pdftotext
	normalized      float64 // F1 of right-to-left words without marks, cut where the script changes
	source, peer    float64 // F1 of Spyhop and pdftotext against the source text
	pages           int
	cpu             float64 // ms
	err             error
	missing, excess string
}

func main() {
	data := flag.String("data", "", "folder with pdf/*.pdf")
	worst := flag.Int("worst", 15, "how many of the files with the lowest scores to list")
	dump := flag.String("dump", "", "print Spyhop's text of the file with this name")
	flag.Parse()
	files, _ := filepath.Glob(filepath.Join(*data, "pdf", "*.pdf"))
	if len(files) == 0 {
		log.Fatalf("no PDFs in %s/pdf: run bench/pdf/fetch %s", *data, *data)
	}
	var all []score
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pdf")
		if *dump != "" {
			if name == *dump {
				body, err := os.ReadFile(file)
				if err != nil {
					log.Fatal(err)
				}
				p, err := pdf.Read(body, pdf.Options{Whole: true})
				if err != nil {
					log.Fatal(err)
				}
				fmt.Println(markdown.Render(p, markdown.Options{}))
			}
			continue
		}
		if s, ok := compare(name, file); ok {
			all = append(all, s)
		}
	}
	if *dump == "" {
		report(all, *worst)
	}
}

func compare(name, file string) (score, bool) {
	s := score{name: name}
	want, err := exec.Command("pdftotext", "-enc", "UTF-8", file, "-").Output()
	if err != nil {
		return s, false
	}
	ref := words(string(want))
	if len(ref) < minWords {
		return s, false
	}
	s.words, s.pages = len(ref), strings.Count(string(want), "\f")
	s.group = groupOf(string(want), file, s.pages)
	body, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	before := cpu()
	p, err := pdf.Read(body, pdf.Options{Whole: true})
	s.cpu = cpu() - before
	if err != nil {
		s.err = err
		return s, true
	}
	got := words(markdown.PlainText(p))
	s.f1, s.missing, s.excess = f1(ref, got)
	if s.group == "two columns" {
		s.usual = common(ref, got)
		if raw, err := exec.Command("pdftotext", "-raw", "-enc", "UTF-8", file, "-").Output(); err == nil {
			s.order = common(words(unhyphenate(string(raw))), got)
		}
	}
	if s.group == "right to left" || s.group == "scattered" {
		s.normalized, _, _ = f1(words(normalize(string(want))), words(normalize(markdown.PlainText(p))))
	}
	if source, err := os.ReadFile(strings.TrimSuffix(file, ".pdf") + ".txt"); err == nil {
		s.source, _, _ = f1(words(string(source)), got)
		s.peer, _, _ = f1(words(string(source)), ref)
	}
	if p, err := pdf.Read(body, pdf.Options{}); err == nil {
		s.noEdges, _, _ = f1(ref, words(markdown.PlainText(p)))
	}
	return s, true
}

func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec)*1e3 + float64(u.Utime.Usec+u.Stime.Usec)/1e3
}

// words splits text into runs of letters and digits. Each character of Han, Kana
// and Hangul is a word. A word that is hyphenated at the end of a line is joined.
func words(s string) []string {
	s = norm.NFKC.String(s)
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r), unicode.Is(unicode.Hangul, r):
			flush()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			b.WriteRune(r)
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r == 0xad:
		default:
			flush()
		}
	}
	flush()
	return out
}

// unhyphenate joins words that are hyphenated at the end of a line. pdftotext
// does the same, except with -raw.
func unhyphenate(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "-\n")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) || !unicode.IsLower(firstRune(after)) {
			b.WriteString("-\n")
		}
		s = after
	}
}

// normalize normalizes right-to-left text, because pdftotext separates marks and
// stretching from their letters, and drops the space between a word and a number
// or a Latin word.
func normalize(s string) string {
	var b strings.Builder
	was := false
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r), r == 0x640:
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			is := unicode.IsLetter(r) && r >= 0x590 && r <= 0x8ff
			if is != was {
				b.WriteByte(' ')
			}
			was = is
		}
		b.WriteRune(r)
	}
	return b.String()
}

func f1(ref, got []string) (float64, string, string) {
	count := map[string]int{}
	for _, w := range ref {
		count[w]++
	}
	hit := 0
	for _, w := range got {
		if count[w]--; count[w] >= 0 {
			hit++
		}
	}
	return 2 * float64(hit) / float64(len(ref)+len(got)), some(count, 1), some(count, -1)
}

// some lists the words that are missing most often, or are in excess.
func some(count map[string]int, sign int) string {
	var list []string
	for w, n := range count {
		if n*sign > 0 {
			list = append(list, w)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if a, b := count[list[i]]*sign, count[list[j]]*sign; a != b {
			return a > b
		}
		return list[i] < list[j]
	})
	for i, w := range list[:min(len(list), 8)] {
		list[i] = fmt.Sprintf("%s:%d", w, count[w]*sign)
	}
	return strings.Join(list[:min(len(list), 8)], " ")
}

// common is the share of the words that both texts have in the same order.
func common(a, b []string) float64 {
	a, b = a[:min(len(a), maxOrder)], b[:min(len(b), maxOrder)]
	return 2 * float64(lcs(a, b)) / float64(len(a)+len(b))
}

// lcs is the length of the longest common subsequence, sixty-four words at a
// time (Hyyrö 2004).
func lcs(a, b []string) int {
	n := (len(a) + 63) / 64
	at := map[string][]int{}
	for i, w := range a {
		at[w] = append(at[w], i)
	}
	v := make([]uint64, n)
	for i := range v {
		v[i] = ^uint64(0)
	}
	match := make([]uint64, n)
	for _, w := range b {
		list := at[w]
		if list == nil {
			continue
		}
		clear(match)
		for _, i := range list {
			match[i/64] |= 1 << (i % 64)
		}
		carry := uint64(0)
		for i := range v {
			u := v[i] & match[i]
			sum := v[i] + u
			c := uint64(0)
			if sum < v[i] {
				c = 1
			}
			sum += carry
			if sum < carry {
				c = 1
			}
			v[i] = sum | (v[i] &^ match[i])
			carry = c
		}
	}
	length := 0
	for i := range a {
		if v[i/64]>>(i%64)&1 == 0 {
			length++
		}
	}
	return length
}

// groupOf groups files by their main difficulty.
func groupOf(text, file string, pages int) string {
	rtl, han, letters := 0, 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			switch {
			case r >= 0x590 && r <= 0x8ff, r >= 0xfb1d && r <= 0xfefc:
				rtl++
			case r >= 0x1100 && r <= 0x11ff, r >= 0x2e80 && r <= 0xd7ff:
				han++
			}
		}
	}
	switch {
	case rtl*4 > letters && scattered(text):
		return "scattered"
	case rtl*4 > letters:
		return "right to left"
	case strings.HasPrefix(filepath.Base(file), "encrypted"):
		return "encrypted"
	case twoColumns(file, pages):
		return "two columns"
	case han*4 > letters:
		return "CJK"
	}
	return "one column"
}

// scattered reports whether more than a quarter of the right-to-left words have
// one letter. In text that was extracted well it is a tenth.
func scattered(text string) bool {
	all, single := 0, 0
	for _, w := range words(normalize(text)) {
		if r := firstRune(w); r >= 0x590 && r <= 0x8ff {
			all++
			if utf8.RuneCountInString(w) == 1 && r != 'و' { // "and"
				single++
			}
		}
	}
	return single*4 > all
}

// twoColumns reports whether a file has two columns according to pdftotext: most
// pages have blocks of eight lines or more in the left half beside such blocks
// in the right half.
func twoColumns(file string, pages int) bool {
	out, err := exec.Command("pdftotext", "-bbox-layout", "-l", "8", file, "-").Output()
	if err != nil {
		return false
	}
	hits := 0
	for page := range strings.SplitSeq(string(out), "<page ") {
		var width, height float64
		if n, _ := fmt.Sscanf(page, `width="%f" height="%f"`, &width, &height); n != 2 {
			continue
		}
		l, r := 0, 0
		for line := range strings.SplitSeq(page, "<line ") {
			var x0, y0, x1, y1 float64
			if n, _ := fmt.Sscanf(line, `xMin="%f" yMin="%f" xMax="%f" yMax="%f"`, &x0, &y0, &x1, &y1); n == 4 && x1-x0 > width/5 {
				switch {
				case x1 < width*.53:
					l++
				case x0 > width*.47:
					r++
				}
			}
		}
		if l >= 12 && r >= 12 {
			hits++
		}
	}
	return hits*2 > min(pages, 8)
}

func report(all []score, worst int) {
	groups := []string{"one column", "two columns", "CJK", "encrypted", "right to left", "scattered"}
	fmt.Printf("%-14s %5s %6s %7s %7s %7s %7s %7s %9s\n", "group", "files", "failed", "F1", "no edge", ">=.97", "order", "usual", "ms/10 p")
	line := func(name string, in func(s *score) bool) {
		var n, failed, good, ordered int
		var f, e, o, v, ms, pages float64
		for i := range all {
			s := &all[i]
			if !in(s) {
				continue
			}
			n++
			if s.err != nil {
				failed++
			}
			if s.f1 >= .97 {
				good++
			}
			f, e, ms, pages = f+s.f1, e+s.noEdges, ms+s.cpu, pages+float64(s.pages)
			if s.group == "two columns" {
				o, v = o+s.order, v+s.usual
				ordered++
			}
		}
		if n > 0 {
			fmt.Printf("%-14s %5d %6d %7.4f %7.4f %7d %7.4f %7.4f %9.1f\n", name, n, failed, f/float64(n), e/float64(n), good, o/float64(max(ordered, 1)), v/float64(max(ordered, 1)), ms/max(pages, 1)*10)
		}
	}
	for _, g := range groups {
		line(g, func(s *score) bool { return s.group == g })
	}
	line("all but r-t-l", func(s *score) bool { return s.group != "right to left" && s.group != "scattered" })
	sort.Slice(all, func(i, j int) bool { return all[i].f1 < all[j].f1 })
	for _, s := range all[:min(worst, len(all))] {
		if s.err != nil {
			fmt.Printf("  %-50s %s: %v\n", s.name, s.group, s.err)
			continue
		}
		fmt.Printf("  %-50.50s %.3f %s missing %s / excess %s\n", s.name, s.f1, s.group, s.missing, s.excess)
	}
	var ours, peer, normalized, n float64
	for _, s := range all {
		if s.group == "right to left" {
			normalized, n = normalized+s.normalized, n+1
			fmt.Printf("  normalized %.3f, as it is %.3f %s\n", s.normalized, s.f1, s.name)
		}
	}
	if n > 0 {
		fmt.Printf("right to left, normalized: F1 %.4f\n", normalized/n)
	}
	n = 0
	for _, s := range all {
		if s.peer > 0 {
			ours, peer, n = ours+s.source, peer+s.peer, n+1
			fmt.Printf("  source %.3f, pdftotext %.3f %s\n", s.source, s.peer, s.name)
		}
	}
	if n > 0 {
		fmt.Printf("with the source of %.0f files: F1 %.4f, pdftotext %.4f\n", n, ours/n, peer/n)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].order < all[j].order })
	for _, s := range all {
		if s.group == "two columns" && s.order < .95 {
			fmt.Printf("  order %.3f %s\n", s.order, s.name)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].cpu/float64(all[i].pages) > all[j].cpu/float64(all[j].pages) })
	for _, s := range all[:min(5, len(all))] {
		fmt.Printf("  slow %.1f ms/10 pages (%d pages) %s\n", s.cpu/float64(s.pages)*10, s.pages, s.name)
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
