// Command documents compares the text that Spyhop extracts from documents with
// reference texts.
//
//	go run ./documents --data DIR [--kind docx] [--worst 20] [--dump NAME]
//
// DIR has a folder for each format (docx, pptx, xlsx, odt, epub, mail, pdf, …).
// Beside each file is its reference text, NAME.ref; bench/documents/reference
// writes those with pandoc, openpyxl, Python's email package and pdftotext. The
// score of a file is the F1 of its words as multisets; recall shows what is
// missing. Of two references (NAME.ref2: the raw text of a format that pandoc
// reads in part) the nearer one counts. Files whose references have fewer than 10
// words are only read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"golang.org/x/text/unicode/norm"
)

const minWords = 10

// mediaTypes are the types of the folders.
var mediaTypes = map[string]string{
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"odt":  "application/vnd.oasis.opendocument.text",
	"ods":  "application/vnd.oasis.opendocument.spreadsheet",
	"odp":  "application/vnd.oasis.opendocument.presentation",
	"epub": "application/epub+zip", "rtf": "application/rtf", "pdf": "application/pdf", "mail": "message/rfc822",
}

type score struct {
	name            string
	f1, recall      float64
	words           int
	took            time.Duration
	missing, excess string
	err             error
}

func main() {
	data := flag.String("data", "", "folder with a folder for each format")
	only := flag.String("kind", "", "read only this format")
	worst := flag.Int("worst", 10, "how many of the files with the lowest scores to list")
	dump := flag.String("dump", "", "print Spyhop's Markdown of the files whose name contains this")
	flag.Parse()
	folders, _ := os.ReadDir(*data)
	for _, folder := range folders {
		kind := folder.Name()
		if mediaTypes[kind] == "" || *only != "" && *only != kind {
			continue
		}
		files, err := filepath.Glob(filepath.Join(*data, kind, "*"))
		if err != nil {
			log.Fatal(err)
		}
		var all []score
		for _, file := range files {
			if strings.HasSuffix(file, ".ref") || strings.HasSuffix(file, ".ref2") || *dump != "" && !strings.Contains(file, *dump) {
				continue
			}
			all = append(all, read(file, mediaTypes[kind], *dump != ""))
		}
		if *dump == "" {
			report(kind, all, *worst)
		}
	}
}

// read reads one file and scores it.
func read(file, mediaType string, dump bool) score {
	s := score{name: filepath.Base(file)}
	body, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	from := time.Now()
	p, err := extract.Document(body, mediaType, extract.Options{Whole: true})
	s.took = time.Since(from)
	if dump && p != nil {
		fmt.Printf("%s: %s %+v\n%s\n", s.name, p.Verdict, p.Omissions, markdown.Render(p, markdown.Options{}))
	}
	var e *extract.Error
	if errors.As(err, &e) && e.Code == extract.NoContent {
		err = nil
	}
	s.err = err
	for _, name := range []string{file + ".ref", file + ".ref2"} {
		want, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		reference := words(string(want))
		if s.words == 0 {
			s.words = len(reference)
		}
		if p == nil || s.words < minWords {
			return s
		}
		f1, recall, missing, excess := compare(reference, words(withoutAddresses(markdown.Render(p, markdown.Options{}))))
		if s.missing == "" || f1 > s.f1 {
			s.f1, s.recall, s.missing, s.excess = f1, recall, missing, excess
		}
	}
	return s
}

// withoutAddresses removes the addresses of links, the line ends of cells and the tags
// of superscripts and subscripts.
func withoutAddresses(s string) string {
	s = strings.NewReplacer("<br>", " ", "<sup>", "", "</sup>", "", "<sub>", "", "</sub>", "", "[image: ", "[").Replace(s)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "](")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		end := strings.IndexAny(rest, ")\n")
		if end < 0 {
			return b.String()
		}
		s = rest[end:]
	}
}

// words splits text into runs of letters and digits. Each character of Han and
// Kana is a word.
func words(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			flush()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return out
}

// compare returns F1 and recall of words as multisets, and examples of the
// differences.
func compare(want, got []string) (f1, recall float64, missing, excess string) {
	count := map[string]int{}
	for _, w := range want {
		count[w]++
	}
	common := 0
	var more, less []string
	for _, w := range got {
		if count[w] > 0 {
			common++
		} else {
			more = append(more, w)
		}
		count[w]--
	}
	for _, w := range want {
		if count[w] > 0 {
			less = append(less, w)
			count[w]--
		}
	}
	if len(got) == 0 {
		return 0, 0, example(less), ""
	}
	recall = float64(common) / float64(len(want))
	return 2 * float64(common) / float64(len(want)+len(got)), recall, example(less), example(more)
}

func example(w []string) string {
	s := strings.Join(w[:min(len(w), 14)], " ")
	return fmt.Sprintf("%d: %s", len(w), s[:min(len(s), 160)])
}

func report(kind string, all []score, worst int) {
	var scored []score
	failed := 0
	slowest := score{}
	for _, s := range all {
		if s.err != nil {
			failed++
		}
		if s.took > slowest.took {
			slowest = s
		}
		if s.words >= minWords {
			scored = append(scored, s)
		}
	}
	sort.Slice(scored, func(i, k int) bool { return scored[i].f1 < scored[k].f1 })
	f1, recall := 0.0, 0.0
	for _, s := range scored {
		f1 += s.f1
		recall += s.recall
	}
	n := float64(max(len(scored), 1))
	median := 0.0
	if len(scored) > 0 {
		median = scored[len(scored)/2].f1
	}
	fmt.Printf("%-5s %4d files, %3d not read, %4d scored: F1 %.4f (median %.4f), recall %.4f; slowest %v %s\n",
		kind, len(all), failed, len(scored), f1/n, median, recall/n, slowest.took.Round(time.Millisecond), slowest.name)
	for _, s := range scored[:min(len(scored), worst)] {
		fmt.Printf("  %.3f %5d %s %v\n      missing %s\n      excess  %s\n", s.f1, s.words, s.name, s.err, s.missing, s.excess)
	}
}
