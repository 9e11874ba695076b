// Command train prepares the training data of the block model of
// internal/extract/blocks, scores the model, and packs it. train.py trains it
// with XGBoost:
//
//	train matrix --data ../shared/bench/wcxb --out DIR   features, labels and folds
//	python3 train.py DIR                                 forests and cross-validated probabilities
//	train score  --data ../shared/bench/wcxb --out DIR   word F1 in cross-validation; scores.json for the chart
//	train pack   --data ../shared/bench/wcxb --out DIR --model FILE
//
// Cross-validation has 5 folds, split by registrable domain. The lexicon of a
// fold is made from the other folds. Within training too, the features of a page
// do not use pages of its own domain.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks/train"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"golang.org/x/net/publicsuffix"
)

const folds = 5

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: train matrix|score|pack --data DIR --out DIR [--model FILE]")
	}
	fs := flag.NewFlagSet("train", flag.ExitOnError)
	data := fs.String("data", "../../shared/bench/wcxb", "the WCXB development split")
	segments := fs.String("segments", "", "folder of pages with wanted and unwanted segments, for weak labels")
	out := fs.String("out", "", "folder for the matrices")
	model := fs.String("model", "", "model file to write")
	fs.Parse(os.Args[2:])
	if *out == "" {
		log.Fatal("--out is missing: name a folder for the matrices")
	}
	pages := load(*data)
	if *segments != "" && os.Args[1] != "pack" {
		pages = append(pages, loadSegments(*segments)...)
	}
	log.Printf("%d pages", len(pages))
	switch os.Args[1] {
	case "matrix":
		matrix(pages, *out)
	case "score":
		score(pages, *out)
	case "pack":
		pack(pages, *out, *model)
	default:
		log.Fatalf("unknown step %q", os.Args[1])
	}
}

type trainPage struct {
	file   string
	truth  string
	fold   int
	sample *train.Sample
	// with and without are segments that belong and do not belong to the main
	// content, for pages that have no other ground truth.
	with, without []string
	asItCame      bool // the file is not UTF-8 yet
}

// partial reports whether the ground truth of the page is only segments.
func (p *trainPage) partial() bool { return p.with != nil || p.without != nil }

func (p *trainPage) body() []byte {
	f, err := os.Open(p.file)
	check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(err)
	b, err := io.ReadAll(z)
	check(err)
	if p.asItCame {
		b, _, _ = fetch.Decode(b, "text/html")
	}
	return []byte(strings.ToValidUTF8(string(b), "\uFFFD"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func load(dir string) []*trainPage {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	check(err)
	slices.Sort(files)
	pages := make([]*trainPage, len(files))
	parallel(len(files), func(i int) {
		b, err := os.ReadFile(files[i])
		check(err)
		var t struct {
			URL   string
			Truth struct {
				Main string `json:"main_content"`
			} `json:"ground_truth"`
			Internal struct {
				Type struct{ Primary string } `json:"page_type"`
			} `json:"_internal"`
		}
		check(json.Unmarshal(b, &t))
		id := strings.TrimSuffix(filepath.Base(files[i]), ".json")
		p := &trainPage{file: filepath.Join(dir, "html", id+".html.gz"), truth: t.Truth.Main}
		kind := t.Internal.Type.Primary
		switch kind {
		case "":
			kind = "article"
		case "category":
			kind = "collection"
		}
		domain := domainOf(t.URL)
		p.fold = foldOf(domain)
		p.sample, err = train.NewSample(id, domain, t.URL, kind, p.body(), p.truth)
		check(err)
		pages[i] = p
	})
	return pages
}

// loadSegments reads pages whose ground truth says only of some segments whether
// they belong to the main content.
func loadSegments(dir string) []*trainPage {
	b, err := os.ReadFile(filepath.Join(dir, "items.jsonl"))
	check(err)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	pages := make([]*trainPage, len(lines))
	parallel(len(lines), func(i int) {
		var t struct {
			ID, URL       string
			With, Without []string
		}
		check(json.Unmarshal([]byte(lines[i]), &t))
		p := &trainPage{file: filepath.Join(dir, "html", t.ID+".html.gz"), with: t.With, without: t.Without, asItCame: true}
		domain := domainOf(t.URL)
		p.fold = foldOf(domain)
		p.sample, err = train.NewSegmentSample(t.ID, domain, t.URL, p.body(), t.With, t.Without)
		check(err)
		pages[i] = p
	})
	return pages
}

func foldOf(domain string) int {
	h := fnv.New32a()
	h.Write([]byte(domain))
	return int(h.Sum32() % folds)
}

func domainOf(u string) string {
	_, host, ok := strings.Cut(u, "://")
	if !ok {
		_, host, _ = strings.Cut(u, "::")
	}
	if i := strings.IndexAny(host, "/?#:"); i >= 0 {
		host = host[:i]
	}
	host = strings.ToLower(host)
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// lexicons returns one lexicon for each fold, made from the other folds, and as
// the last one the lexicon of all pages.
func lexicons(pages []*trainPage) []*train.Lexicon {
	out := make([]*train.Lexicon, folds+1)
	for k := range out {
		var s []*train.Sample
		for _, p := range pages {
			if p.fold != k && !p.partial() {
				s = append(s, p.sample)
			}
		}
		out[k] = train.NewLexicon(s, 3)
	}
	return out
}

func matrix(pages []*trainPage, out string) {
	check(os.MkdirAll(out, 0o755))
	names := blocks.FeatureNames()
	check(os.WriteFile(filepath.Join(out, "names.txt"), []byte(strings.Join(names, "\n")+"\n"), 0o644))
	var lexCols []int
	for i, n := range names {
		if strings.HasPrefix(n, "lx_") {
			lexCols = append(lexCols, i)
		}
	}
	lex := lexicons(pages)
	base := make([][]byte, len(pages))
	extra := make([][folds + 1][]byte, len(pages))
	parallel(len(pages), func(i int) {
		p := pages[i]
		body := p.body()
		for k := range lex {
			lx := lex[k]
			if p.fold != k {
				lx = lx.Without(p.sample.Domain)
			}
			rows, err := p.sample.Features(body, lx)
			check(err)
			var b []byte
			for _, r := range rows {
				if k == folds {
					for _, x := range r {
						base[i] = binary.LittleEndian.AppendUint32(base[i], math.Float32bits(x))
					}
				}
				for _, c := range lexCols {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r[c]))
				}
			}
			extra[i][k] = b
		}
	})
	write := func(name string, f func(w io.Writer)) {
		file, err := os.Create(filepath.Join(out, name))
		check(err)
		w := bufio.NewWriterSize(file, 1<<20)
		f(w)
		check(w.Flush())
		check(file.Close())
	}
	write("base.f32", func(w io.Writer) {
		for _, b := range base {
			w.Write(b)
		}
	})
	for k := range lex {
		write(fmt.Sprintf("lex%d.f32", k), func(w io.Writer) {
			for i := range extra {
				w.Write(extra[i][k])
			}
		})
	}
	write("blocks.tsv", func(w io.Writer) { // page, fold, label, words
		for i, p := range pages {
			for k, y := range p.sample.Label {
				fmt.Fprintf(w, "%d\t%d\t%g\t%d\n", i, p.fold, y, p.sample.Words[k])
			}
		}
	})
	write("pages.tsv", func(w io.Writer) {
		for i, p := range pages {
			fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%d\n", i, p.sample.ID, p.fold, p.sample.Type, len(wordsOf(p.truth)))
		}
	})
}

func readFloats(file string) []float32 {
	b, err := os.ReadFile(file)
	check(err)
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// score prints the cross-validated word F1, and the word F1 of the labels, which
// is the upper bound.
func score(pages []*trainPage, out string) {
	p := readFloats(filepath.Join(out, "oof.f32"))
	types, err := os.ReadFile(filepath.Join(out, "types.txt"))
	check(err)
	typeOf := strings.Fields(string(types))
	type result struct {
		f1, perfect float64
		found       segmentCounts
		language    string
	}
	results := make([]result, len(pages))
	start := make([]int, len(pages)+1)
	for i, pg := range pages {
		start[i+1] = start[i] + len(pg.sample.Label)
	}
	parallel(len(pages), func(i int) {
		pg, r := pages[i], &results[i]
		body := pg.body()
		text, language := pg.read(body, typeOf[i], p[start[i]:start[i+1]])
		if pg.partial() {
			r.language = language
			text = collapseSpaces(text)
			for _, t := range pg.with {
				r.found[1][number(strings.Contains(text, collapseSpaces(t)))]++
			}
			for _, t := range pg.without {
				r.found[0][number(strings.Contains(text, collapseSpaces(t)))]++
			}
			return
		}
		r.f1 = wordF1(text, pg.truth)
		text, _ = pg.read(body, pg.sample.Type, pg.sample.Label)
		r.perfect = wordF1(text, pg.truth)
	})
	kinds := []string{"all", "article", "documentation", "service", "forum", "collection", "listing", "product"}
	scores := map[string]float64{}
	for _, kind := range kinds {
		var n, f1, perfect float64
		for i, pg := range pages {
			if !pg.partial() && (kind == "all" || pg.sample.Type == kind) {
				n++
				f1 += results[i].f1
				perfect += results[i].perfect
			}
		}
		fmt.Printf("%-14s %5.0f  F1 %.4f  perfect labels %.4f\n", kind, n, f1/n, perfect/n)
		scores[kind] = f1 / n
	}
	data, err := json.Marshal(scores)
	check(err)
	check(os.WriteFile(filepath.Join(out, "scores.json"), data, 0o644)) // for the chart
	var sum segmentCounts
	byLanguage := map[string]*segmentCounts{}
	documents := map[string]int{}
	for i := range results {
		r := &results[i]
		sum.add(&r.found)
		if r.language != "" {
			if byLanguage[r.language] == nil {
				byLanguage[r.language] = &segmentCounts{}
			}
			byLanguage[r.language].add(&r.found)
			documents[r.language]++
		}
	}
	fmt.Printf("segments       %s\n", sum.figures())
	for _, l := range slices.Sorted(maps.Keys(byLanguage)) {
		if documents[l] >= 10 {
			fmt.Printf("  %s %3d pages  %s\n", l, documents[l], byLanguage[l].figures())
		}
	}
}

// segmentCounts counts missing and present segments, separately for unwanted and
// wanted ones.
type segmentCounts [2][2]int

func (c *segmentCounts) add(o *segmentCounts) {
	for w := range c {
		for f := range c[w] {
			c[w][f] += o[w][f]
		}
	}
}

func (c *segmentCounts) figures() string {
	tp := float64(c[1][1])
	precision, recall := tp/max(tp+float64(c[0][1]), 1), tp/max(tp+float64(c[1][0]), 1)
	return fmt.Sprintf("F1 %.4f  precision %.4f  recall %.4f", 2*precision*recall/max(precision+recall, 1e-9), precision, recall)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// read returns the text that extraction returns with these probabilities, and the
// page's language.
func (p *trainPage) read(body []byte, kind string, prob []float32) (text, language string) {
	out, err := p.sample.Read(body, kind, prob)
	if err != nil {
		return "", "" // no content
	}
	language, _, _ = strings.Cut(out.Meta.Language, "-")
	return markdown.PlainText(out), language
}

func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

func wordF1(a, b string) float64 {
	count := map[string]int{}
	na, nb, common := 0, 0, 0
	for _, w := range wordsOf(a) {
		count[w]++
		na++
	}
	for _, w := range wordsOf(b) {
		nb++
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if na == 0 && nb == 0 {
		return 1
	}
	if common == 0 {
		return 0
	}
	return 2 * float64(common) / float64(na+nb)
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_')
	})
}

func pack(pages []*trainPage, out, file string) {
	var samples []*train.Sample
	for _, p := range pages {
		samples = append(samples, p.sample)
	}
	lex := train.NewLexicon(samples, 3)
	var m struct {
		Features []string
		Blocks   []jsonForest
		Types    []jsonForest
	}
	b, err := os.ReadFile(filepath.Join(out, "model.json"))
	check(err)
	check(json.Unmarshal(b, &m))
	var judges, types []train.Forest
	for _, t := range m.Blocks {
		judges = append(judges, t.forest())
	}
	for _, t := range m.Types {
		types = append(types, t.forest())
	}
	enc, err := train.EncodeModel(m.Features, lex, judges, types)
	check(err)
	check(os.WriteFile(file, enc, 0o644))
	log.Printf("%s: %d bytes, %d features, %d forests of blocks", file, len(enc), len(m.Features), len(judges))
}

type jsonForest struct {
	Base  float32
	Trees [][][4]float32 // feature (-1: leaf), value, left child, NaN goes right
}

func (f jsonForest) forest() train.Forest {
	out := train.Forest{Base: f.Base}
	for _, t := range f.Trees {
		var tree train.Tree
		for _, n := range t {
			tn := train.TreeNode{Value: n[1]}
			if n[0] >= 0 {
				tn.Feature, tn.Left, tn.NaNRight = int(n[0]), int(n[2]), n[3] != 0
			}
			tree = append(tree, tn)
		}
		out.Trees = append(out.Trees, tree)
	}
	return out
}
