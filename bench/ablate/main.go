// Command ablate measures each mechanism of extraction by switching it off: what the
// sets lose without it, and what it costs.
//
//	ablate --data ../shared/bench/wcxb [--panel DIR] [--more DIR] [--oof DIR] [--only NAME,NAME]
//
// It prints a row for each mechanism: its file and lines, the change of processor time when
// it is switched off, and for each set the change of word F1 and of loss; for pages with the
// HTML of their content also of the shares of code lines, table rows, list items, headings
// and pictures that are kept, and with --records of what a program says about records. A
// mechanism that gains nothing on any set is deleted. With --oof, the folder that
// bench/train wrote, the probabilities of the blocks are cross-validated.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func main() {
	log.SetFlags(0)
	var from corpus.Sources
	from.Flags(flag.CommandLine)
	oof := flag.String("oof", "", "folder with cross-validated probabilities; without it, the model that ships is used")
	only := flag.String("only", "", "names of mechanisms, with commas between; without it, all")
	step := flag.Int("step", 1, "take every `N`th page of each set")
	source := flag.String("source", "../internal/extract", "folder of the files that the mechanisms are in")
	records := flag.String("records", "", "Python program that scores records in predictions for WCXB; it writes its figures with --json")
	flag.Parse()
	pages := corpus.List(from)
	var unseen map[string]corpus.Unseen
	if *oof != "" {
		var err error
		unseen, err = corpus.OutOfFold(*oof, false)
		check(err)
	}
	sets := load(pages, unseen, *step)
	run(sets[:1], "", "", "") // warm up: tables and models are built at first use
	all := run(sets, "", *records, from.WCXB)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	header(table, sets, all)
	row(table, "(all on)", "", 0, all, nil)
	for _, name := range blocks.Stages() {
		if *only == "" || slices.Contains(strings.Split(*only, ","), name) {
			file, lines := find(*source, name)
			row(table, name, file, lines, run(sets, name, *records, from.WCXB), &all)
			log.Print(name)
		}
	}
	check(table.Flush())
}

// set is some pages that are scored together.
type set struct {
	name  string
	pages []*sample
}

type sample struct {
	*corpus.Page
	body   []byte
	text   string         // the true content; "" where only segments are known
	parts  corpus.Parts   // of the true content, where its HTML is known
	unseen *corpus.Unseen // nil: the model that ships labels the blocks
}

func load(pages []*corpus.Page, unseen map[string]corpus.Unseen, step int) (sets []*set) {
	count := map[string]int{}
	for _, p := range pages {
		if count[p.Set]++; (count[p.Set]-1)%step != 0 {
			continue
		}
		k := slices.IndexFunc(sets, func(s *set) bool { return s.name == p.Set })
		if k < 0 {
			k = len(sets)
			sets = append(sets, &set{name: p.Set})
		}
		s := &sample{Page: p, body: p.Body()}
		var err error
		s.text, err = p.Truth.Words()
		check(err)
		if p.Truth.HTML != nil {
			s.parts, err = corpus.PartsOf(p.Truth.HTML)
			check(err)
		}
		if u, ok := unseen[p.ID]; ok {
			s.unseen = &u
		}
		sets[k].pages = append(sets[k].pages, s)
	}
	return sets
}

// outcome is what the pages of all sets gave.
type outcome struct {
	sets    []sums
	records map[string]float64
	cpu     time.Duration
}

// run extracts all pages without a mechanism; "" for with all of them.
func run(sets []*set, off, records, data string) outcome {
	out := outcome{sets: make([]sums, len(sets))}
	before := processCPU()
	texts := map[string]string{}
	for k, s := range sets {
		results := make([]sums, len(s.pages))
		pages := make([]*page.Page, len(s.pages))
		corpus.Parallel(len(s.pages), func(i int) { pages[i] = s.pages[i].extract(off) })
		out.cpu += processCPU() - before
		corpus.Parallel(len(s.pages), func(i int) { results[i] = s.pages[i].score(pages[i]) })
		for i := range results {
			out.sets[k].add(&results[i])
			if s.name == "wcxb" && records != "" {
				texts[s.pages[i].ID] = markdown.Render(pages[i], markdown.Options{})
			}
		}
		before = processCPU()
	}
	if len(texts) > 0 {
		out.records = score(records, data, texts)
	}
	return out
}

func (s *sample) extract(off string) *page.Page {
	var p *page.Page
	var err error
	if u := s.unseen; u != nil {
		p, err = (&train.Sample{URL: s.URL}).Read(s.body, u.Types, u.Prob, off)
	} else {
		p, err = extract.HTMLWith(s.body, extract.Options{URL: s.URL}, nil, off)
	}
	if err != nil { // no content
		return new(page.Page)
	}
	return p
}

func (s *sample) score(p *page.Page) (out sums) {
	text := markdown.PlainText(p)
	if s.Truth.Partial() {
		text = strings.Join(strings.Fields(text), " ")
		for _, t := range s.Truth.With {
			out.wanted++
			if strings.Contains(text, strings.Join(strings.Fields(t), " ")) {
				out.found++
			}
		}
		for _, t := range s.Truth.Without {
			if strings.Contains(text, strings.Join(strings.Fields(t), " ")) {
				out.wrong++
			}
		}
		return out
	}
	q := corpus.Compare(text, s.text)
	out.pages, out.f1 = 1, q.F1
	if q.Recall < corpus.Kept {
		out.loss = 1
	}
	if s.Truth.HTML != nil {
		out.kept, out.all = s.parts.Kept(p)
	}
	return out
}

// sums are scores of some pages.
type sums struct {
	pages, f1, loss      float64
	found, wanted, wrong float64 // segments
	kept, all            [corpus.Kinds]int
}

func (s *sums) add(o *sums) {
	s.pages, s.f1, s.loss = s.pages+o.pages, s.f1+o.f1, s.loss+o.loss
	s.found, s.wanted, s.wrong = s.found+o.found, s.wanted+o.wanted, s.wrong+o.wrong
	for k := range s.kept {
		s.kept[k] += o.kept[k]
		s.all[k] += o.all[k]
	}
}

// figures are the scores of a set in the order of names.
func (s *sums) figures() (names []string, values []float64) {
	if s.pages == 0 {
		precision, recall := s.found/max(s.found+s.wrong, 1), s.found/max(s.wanted, 1)
		return []string{"F1", "loss"}, []float64{2 * precision * recall / max(precision+recall, 1e-9), 1 - recall}
	}
	names, values = []string{"F1", "loss"}, []float64{s.f1 / s.pages, s.loss / s.pages}
	for k, n := range s.all {
		if n > 0 {
			names = append(names, [...]string{"code", "rows", "items", "heads", "pics"}[k])
			values = append(values, float64(s.kept[k])/float64(n))
		}
	}
	return names, values
}

// score asks the program that scores records: in what was extracted, are the records of a
// page complete?
func score(program, data string, texts map[string]string) map[string]float64 {
	dir, err := os.MkdirTemp("", "ablate")
	check(err)
	defer os.RemoveAll(dir)
	predictions, figures := filepath.Join(dir, "texts.jsonl"), filepath.Join(dir, "figures.json")
	var b bytes.Buffer
	for id, text := range texts {
		check(json.NewEncoder(&b).Encode(map[string]string{"id": id, "text": text}))
	}
	check(os.WriteFile(predictions, b.Bytes(), 0o600))
	cmd := exec.Command("python3", program, data, predictions, "--json", figures)
	cmd.Stderr = os.Stderr
	check(cmd.Run())
	raw, err := os.ReadFile(figures)
	check(err)
	var out struct{ All map[string]any } // numbers, and lists of a number of kept ones and of all
	check(json.Unmarshal(raw, &out))
	numbers := map[string]float64{}
	for name, v := range out.All {
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		numbers[name], _ = v.(float64)
	}
	return numbers
}

func header(w *tabwriter.Writer, sets []*set, all outcome) {
	fmt.Fprint(w, "mechanism\tfile\tlines\tCPU")
	for i, s := range sets {
		names, _ := all.sets[i].figures()
		for _, name := range names {
			fmt.Fprintf(w, "\t%s %s", s.name, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all.records)) {
		fmt.Fprintf(w, "\t%s", name)
	}
	fmt.Fprint(w, "\t\n")
}

func row(w *tabwriter.Writer, name, file string, lines int, now outcome, base *outcome) {
	cpu, format, counts := now.cpu, "\t%.4f", "\t%.4g"
	if base != nil {
		cpu, format, counts = cpu-base.cpu, "\t%+.4f", "\t%+.4g"
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t"+strings.TrimPrefix(format, "\t")+"s", name, file, lines, cpu.Seconds())
	for i := range now.sets {
		_, values := now.sets[i].figures()
		for k, v := range values {
			if base != nil {
				_, was := base.sets[i].figures()
				v -= was[k]
			}
			fmt.Fprintf(w, format, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now.records)) {
		v := now.records[name]
		if base != nil {
			v -= base.records[name]
		}
		fmt.Fprintf(w, counts, v)
	}
	fmt.Fprint(w, "\t\n")
}

// find returns the file of the function of a name below a folder, and the lines of the file
// that are not empty or comments.
func find(folder, name string) (file string, lines int) {
	mark := regexp.MustCompile(`(?mi)^func (\([^)]*\) )?` + regexp.QuoteMeta(name) + `\(`)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && mark.Match(b) {
			file, lines = filepath.Base(path), count(string(b))
		}
		return err
	})
	check(err)
	return file, lines
}

// count counts the lines of code.
func count(code string) (n int) {
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// processCPU returns the processor time of the program, garbage collection included.
func processCPU() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
