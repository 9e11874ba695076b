package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/classify"
	"github.com/spyhop-dev/spyhop/internal/extract/convert"
	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// HTML extracts the content of an HTML page.
//
// A page without content gives an [Error] with Code NoContent and, beside it,
// the page with its verdict, metadata and links and without blocks.
func HTML(body []byte, o Options) (*page.Page, error) {
	r := reading{options: o}
	return r.read(body)
}

// Data reads what a page says about itself as data: all of it, for a page without
// content too. It is empty for a document of another format.
func Data(body []byte, mediaType string, o Options) (*about.Graph, error) {
	if !isHTML(mediaType) {
		return new(about.Graph), nil
	}
	r := reading{options: o}
	if err := r.see(body); err != nil {
		return new(about.Graph), o.stopped()
	}
	defer r.seg.Release()
	_, stated := about.Read(r.doc, o.URL)
	return stated.Graph, o.stopped()
}

// DataAndPage is [Data] and [HTML] of one page, which is parsed once for both. The error is
// that of HTML.
func DataAndPage(body []byte, o Options) (*about.Graph, *page.Page, error) {
	r := reading{options: o, stated: about.Hints{Graph: new(about.Graph)}}
	p, err := r.read(body)
	return r.stated.Graph, p, err
}

// Shown returns all that an HTML page shows, in page order.
func Shown(body []byte, o Options) ([]blocks.Shown, error) {
	r := reading{options: o}
	if err := r.see(body); err != nil {
		return nil, err
	}
	defer r.seg.Release()
	return r.seg.Shown(), nil
}

// HTMLWith is [HTML] with the labels of the blocks that label returns in the
// place of the model's: how training measures a model that is not packed yet.
// off names stages of the choice of blocks that are omitted.
func HTMLWith(body []byte, o Options, label func() ([]float32, blocks.TypeScores), off ...string) (*page.Page, error) {
	r := reading{options: o, label: label, off: map[string]bool{}}
	for _, stage := range off {
		r.off[stage] = true
	}
	return r.read(body)
}

// Explain extracts a page as [HTML] does and reports how each block was
// judged, in page order: how a wrong page is debugged. No judgements come back
// when the blocks were not judged: on a page without a tree.
func Explain(body []byte, o Options) (*page.Page, []Judgement, error) {
	r := reading{options: o, explain: true}
	p, err := r.read(body)
	return p, r.judgements, err
}

// Judgement is how one block of a page was judged.
type Judgement = blocks.Judgement

// reading is the way of one page through the stages, a method for each.
type reading struct {
	options Options
	label   func() ([]float32, blocks.TypeScores) // nil: the model labels
	off     map[string]bool                       // stages of the choice of blocks that are omitted
	explain bool

	page *page.Page
	doc  *html.Node
	base *dom.Resolver
	head dom.Head
	path string // of the address, with its query

	seg      *blocks.Segmentation
	stated   about.Hints
	sure     float64   // the probability of the page's type
	prob     []float32 // by block
	keep     []bool    // by block: it is chosen
	weights  blocks.Weights
	unpacked bool // the body holds the content of the page's data
	all      bool // a short page was chosen as a whole
	cut      bool // the markup breaks off

	judgements []Judgement
}

func (r *reading) read(body []byte) (*page.Page, error) {
	if err := r.see(body); err != nil {
		if stopped := r.options.stopped(); stopped != nil {
			return nil, stopped
		}
		if r.doc == nil {
			return r.withoutTree(valid(body), err)
		}
		return nil, err
	}
	defer func() {
		if r.seg != nil { // it ended before the conversion
			r.seg.Release()
		}
	}()
	// The steps have the names of the stages: see (package dom, css), score (blocks/model.go),
	// region, clean and close (blocks/region.go, comments.go, close.go).
	for _, stage := range []func(){r.describe, r.score, r.choose, r.judge, r.unpack, r.miss} {
		if err := r.options.stopped(); err != nil {
			return nil, err
		}
		stage()
	}
	sel, err := r.selection()
	if err != nil {
		return r.page, err
	}
	if err := r.options.stopped(); err != nil {
		return nil, err
	}
	end := r.end()
	r.convert(sel, end)
	if err := r.options.stopped(); err != nil {
		return nil, err
	}
	return r.result(end)
}

// valid is body in UTF-8.
func valid(body []byte) []byte {
	if utf8.Valid(body) {
		return body
	}
	return []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
}

// see makes the tree of a page as a person sees it, and cuts it into blocks. It
// leaves no tree where none could be built.
func (r *reading) see(body []byte) (err error) {
	r.page = &page.Page{URL: r.options.URL, Type: page.Other, Method: page.MethodSpyhop, Verdict: page.Complete}
	r.cut = classify.BreaksOff(body)
	if r.doc, err = dom.Parse(valid(body), r.page, r.options.Stop); err != nil {
		r.doc = nil
		return err
	}
	if r.options.Judged {
		dom.ReadJudgement(r.doc)
	}
	if err := r.options.stopped(); err != nil {
		return err
	}
	if r.options.Exclude != nil {
		if !dom.Exclude(r.doc, r.options.Exclude.compiled) {
			return &Error{Code: BadSelector}
		}
	}
	m, err := blocks.Load()
	if err != nil {
		return err
	}
	r.base = dom.NewResolver(r.options.URL, r.options.Charset, r.doc)
	if r.options.Static {
		dom.RemoveHiddenStatic(dom.Body(r.doc), r.page, r.options.spent.ofSheets(), r.options.Stop)
	}
	r.seg = m.Segment(r.doc, r.page, r.options.Stop)
	return nil
}

// WarmUp decodes the model, which else the first page waits for.
func WarmUp() { blocks.Load() }

// withoutTree gives the words of markup that no tree could be built of.
func (r *reading) withoutTree(body []byte, cause error) (*page.Page, error) {
	p := r.page
	p.Method = page.MethodTokens
	p.Miss(page.Sign{Kind: page.MissingTree})
	words := dom.TokenText(body)
	if strings.TrimSpace(words) == "" {
		return p, &Error{Code: NoContent, MediaType: "text/html", Cause: cause}
	}
	const most = 20_000 // paragraphs; where there are more lines, several are one
	least := 0
	if strings.Count(words, "\n") > most {
		least = len(words) / most
	}
	var lines []byte
	for line := range strings.SplitSeq(words, "\n") {
		if line = text.Line(line); line == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, ' ')
		}
		if lines = append(lines, line...); len(lines) >= least {
			p.Blocks = append(p.Blocks, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: string(lines)}}})
			lines = lines[:0]
		}
	}
	if len(lines) > 0 {
		p.Blocks = append(p.Blocks, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: string(lines)}}})
	}
	return p, nil
}

// describe reads links, metadata and the head.
func (r *reading) describe() {
	r.page.Links = dom.ReadLinks(r.doc, r.base)
	r.page.Routes, r.page.Scripted, r.page.Scripts = dom.ReadScripted(r.doc, r.base)
	r.page.Meta, r.stated = about.Read(r.doc, r.options.URL)
	r.head = dom.ReadHead(r.doc)
	_, r.path = dom.HostAndPath(r.options.URL)
}

// score gives each block its probability to be content, and the page its type and facts.
func (r *reading) score() {
	label := r.label
	if label == nil {
		label = r.seg.Label
	}
	var types blocks.TypeScores
	r.prob, types = label()
	r.setType(r.prob, types)
	r.state()
}

// choose finds the main region, cleans and closes it.
func (r *reading) choose() {
	if r.explain {
		r.seg.Trace()
	}
	r.keep = r.seg.Choose(r.prob, blocks.Choices{
		Comments: r.options.Comments, Type: r.page.Type, Sure: r.sure, Items: r.stated.Items, Parts: r.stated.Parts,
		IsPrice: about.PriceOf(r.page.Facts), Off: r.off,
	})
	r.weights = r.seg.Weigh(r.prob, r.keep)
	if t := r.page.Type; r.stated.Shown && (t == page.Product || t == page.Collection || t == page.Listing) {
		r.page.Meta.Byline = "" // of one of the records
	}
	if m := &r.page.Meta; r.page.Type == page.Forum {
		author, day := r.seg.Opening()
		if m.Byline == "" || author != "" && (strings.HasPrefix(m.Byline, author+" ") || strings.HasPrefix(m.Byline, author+",")) { // "ann Posts: 12", "ann, ben"
			m.Byline = author
		}
		m.Published = cmp.Or(m.Published, date.Day(day))
	}
	if r.explain {
		r.judgements = r.seg.Explain(r.prob, r.keep)
	}
}

// setType decides the type of a page that has text, with the probabilities of its blocks.
func (r *reading) setType(prob []float32, types blocks.TypeScores) {
	r.page.Type = page.Other
	switch {
	case r.seg.Len() == 0:
	case r.seg.IsThread(prob):
		r.page.Type = page.Forum
	default:
		r.page.Type, r.sure = classify.PageType(types, r.stated)
		if r.page.Type == page.Article && r.seg.LooksLikeThread(prob) {
			r.page.Type = page.Forum
		}
	}
}

// judge says whether the blocks are the content of the page, and whether its
// scripts would bring more.
func (r *reading) judge() {
	verdict, why := classify.Judge(r.doc, r.head, r.seg, r.weights, r.stated)
	r.page.Shell = classify.ShellOf(r.doc, verdict, r.weights, r.page.Type)
	if r.page.Shell == "" && r.options.Comments == blocks.CommentsAlways {
		r.page.Shell = classify.CommentsShell(r.doc)
	}
	if !r.options.Whole && r.options.Selector == nil {
		r.page.Verdict = verdict
		if why != "" {
			r.page.Miss(page.Sign{Kind: why})
		}
	}
}

// miss looks for signs that content is missing. It comes after unpack: the content of the
// page's data is not missing.
func (r *reading) miss() {
	p := r.page
	if r.options.Selector != nil || r.options.Static || !p.Verdict.Success() {
		return
	}
	if r.cut {
		p.Miss(page.Sign{Kind: page.MissingEnd})
	}
	if r.seg.Beyond() && !r.options.Whole {
		p.Miss(page.Sign{Kind: page.MissingNodes})
	}
	if r.options.Judged && r.weights.All <= classify.FewWords && classify.HasCanvas(r.doc) {
		p.Miss(page.Sign{Kind: page.MissingCanvas})
	}
	seen := classify.Read{Doc: r.doc, URL: r.options.URL, Type: p.Type, Seg: r.seg, Keep: r.keep, Weights: r.weights, Links: p.Links, Next: r.stated.Next, Shell: p.Shell}
	if r.unpacked {
		seen.Keep = nil
	}
	for _, s := range classify.Missing(seen) {
		p.Miss(s)
	}
}

// state reads the facts of the page's data. It comes before unpack, which puts data
// into the body: then the page would seem to show it.
func (r *reading) state() {
	if r.options.Static {
		return
	}
	several := r.page.Type == page.Collection || r.page.Type == page.Listing
	r.page.Facts = r.stated.Graph.Facts(about.Page{URL: r.options.URL, Title: r.page.Meta.Title, Several: several, Text: r.seg.Lines})
}

// unpack puts the content of a shell's data into the body, and reads the body
// again.
func (r *reading) unpack() {
	p := r.page
	shown := about.Shown{Text: r.seg.Text(), Plain: r.weights.Plain, Chosen: r.weights.Chosen, Sure: r.weights.Good}
	if !p.Verdict.Success() && p.Verdict != page.EmptyShell ||
		!about.Unpack(r.doc, r.stated.Graph, r.head, shown) {
		return
	}
	r.unpacked = true
	p.FromData = true
	p.Verdict, p.Missing, p.Shell = page.Complete, nil, ""
	p.Links = moreLinks(p.Links, dom.ReadLinks(r.doc, r.base))
	dom.ForgetJudgement(r.head.Body)
	r.seg.Recut(r.head, p)
	prob, types := r.seg.Label()
	p.Meta, r.stated = about.Read(r.doc, r.options.URL)
	r.setType(prob, types)
	// The forests know pages, not data that was written out.
	if p.Facts == nil {
		return
	}
	if t, ok := typesOfFacts[p.Facts.Type]; ok {
		p.Type = t
	}
}

// typesOfFacts are the types of pages whose data is about one thing.
var typesOfFacts = map[string]page.Type{"product": page.Product, "article": page.Article, "recipe": page.Article, "question": page.Forum}

// selection says which part of the tree is converted; nil is all of it.
func (r *reading) selection() (dom.Selection, error) {
	if r.options.Selector != nil {
		sel, err := dom.Select(dom.Body(r.doc), r.options.Selector.compiled)
		if err != nil {
			return nil, selectorError(err)
		}
		return sel, nil
	}
	if r.options.Whole {
		r.seg.HeadPosts()
		return nil, nil
	}
	if r.unpacked {
		return nil, nil
	}
	left := 0
	for _, k := range r.keep {
		if !k {
			left++
		}
	}
	r.all = left == 0 && len(r.keep) > 0 && r.seg.IsShort()
	if r.all || left == len(r.keep) {
		return nil, nil
	}
	r.omit()
	return r.seg.Select(r.keep), nil
}

// partialShare: omitted text is a tenth of the text of the page or less where it is complete
// (SPEC 10).
const partialShare = 10

// omit counts what is left out where the chosen blocks are the content.
func (r *reading) omit() {
	r.page.OmittedText = r.seg.Omitted(r.keep, r.page.Type == page.Forum)
	if out := r.page.OmittedText.Words; partialShare*out > int(r.weights.Chosen)+out {
		r.page.Miss(page.Sign{Kind: page.MissingMore})
	}
}

// ended is what is left of the segmentation when its blocks are not needed any more.
type ended struct {
	short, empty bool
	said         string // see [reading.said]
}

// end gives the segmentation back: of a large page it is as large as what the tree then
// becomes.
func (r *reading) end() ended {
	e := ended{short: r.seg.IsShort(), empty: r.seg.Len() == 0, said: r.said()}
	r.seg.Release()
	r.seg, r.prob, r.keep = nil, nil, nil
	return e
}

// convert makes the blocks of the page: of the whole body where the selection
// gives none.
func (r *reading) convert(sel dom.Selection, end ended) {
	p, root := r.page, dom.Body(r.doc)
	o := convert.Options{Resolve: r.base.Linkable, Picture: r.base.Picture, Omissions: p, Empty: r.options.Whole, Controls: end.short, Stop: r.options.Stop}
	if sel != nil {
		p.Blocks = convert.Blocks(root, sel.Of, o)
	}
	if len(p.Blocks) == 0 && r.options.Selector == nil {
		sel, p.OmittedText = nil, page.OmittedText{}
		p.Blocks = convert.Blocks(root, nil, o)
	}
	if len(p.Blocks) == 0 && r.options.Selector == nil {
		o.Drawings = true
		p.Blocks = convert.Blocks(root, nil, o)
	}
	if sel == nil && !r.unpacked && !r.all {
		p.Method = page.MethodWholeBody
	}
	if len(p.Blocks) == 0 && r.options.Selector == nil && p.Verdict.Success() {
		// What is shown stands in other pages.
		p.Blocks = frames(r.doc, o.Resolve)
		p.Miss(page.Sign{Kind: page.MissingFrames})
		p.Links = moreLinks(p.Links, linksOf(p.Blocks))
	}
}

// result settles the verdict. Without content it is an error.
func (r *reading) result(end ended) (*page.Page, error) {
	p := r.page
	if n := r.base.Left(); n > 0 {
		p.Omit(page.OmittedAttrs, n)
		p.Miss(page.Sign{Kind: page.MissingLinks})
	}
	if n := r.base.Relative(); n > 0 {
		p.Omit(page.RelativeLinks, n)
	}
	if end.empty && len(p.Blocks) > 0 && p.Verdict == page.EmptyShell {
		// Pictures are content. The text of controls and drawings may be the
		// frame of what scripts would bring.
		p.Verdict = page.Complete
		if slices.ContainsFunc(p.Blocks, saysMore) {
			p.Miss(page.Sign{Kind: page.MissingDrawings})
		}
	}
	if p.Verdict.Success() && p.Omitted(page.OmittedNodes) > 0 {
		p.Miss(page.Sign{Kind: page.MissingNodes})
	}
	if len(p.Blocks) > 0 && p.Verdict.Success() {
		return p, nil
	}
	p.Blocks, p.Facts = nil, nil
	e := noContent(p, "text/html")
	if !p.Verdict.Success() {
		e.Verdict, e.Said = p.Verdict, end.said
	}
	return p, e
}

// said returns the words of a page that stand in the place of content: the chosen
// blocks, else all that are not links, else the title.
func (r *reading) said() string {
	const enough = 400 // bytes
	var chosen, own []byte
	for i, b := range r.seg.Blocks() {
		if b.IsLink() || len(own) > enough {
			continue
		}
		t := b.Text[:min(len(b.Text), enough)]
		own = append(append(own, t...), ' ')
		if i < len(r.keep) && r.keep[i] {
			chosen = append(append(chosen, t...), ' ')
		}
	}
	return strings.ToValidUTF8(strings.TrimSpace(cmp.Or(string(chosen), string(own), r.page.Meta.Title)), "")
}

// saysMore reports whether a block is more than a picture.
func saysMore(b page.Block) bool {
	return b.Text != "" || len(b.Children) > 0 || page.InlineText(b.Inlines) != ""
}

// moreLinks appends the links that are new.
func moreLinks(links, more []page.Link) []page.Link {
	known := make(map[string]bool, len(links))
	for _, l := range links {
		known[l.URL] = true
	}
	for _, l := range more {
		if !known[l.URL] {
			links = append(links, l)
		}
	}
	return links
}
