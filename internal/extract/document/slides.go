package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const maxSlides = 5000

// slides reads a pptx file: ECMA-376, part 1, section 19. Each slide is a
// section under its title, with its date, footer and number after its shapes, and its notes last. Shapes
// come in the order of the file. A text of the layout that several slides share stands on the first of them.
type slides struct {
	b             *builder
	a             *archive
	links         relations     // of the slide
	width, height float64       // of all slides, in EMU; 0: not known
	ground        string        // the slide's background, six hexadecimal digits; unknownColour where it is not one
	colours       palette       // of the slide's theme
	surfaces      []surface     // what is painted on the slide, from the back to the front
	layers        map[*node]int // how many surfaces are behind a shape
	boxes         map[*node]surface
	backdrops     map[string]backdrop
	trees         map[string]*node // of backdrops whose texts have not been written
	shapeAt       *node            // that is being read
	compared      *node            // the shape that back is of
	back          string           // the colour behind its text
	level         *node            // the colour of the text of the paragraph that is being read, unless a run says otherwise
	under         bool             // something may stand over the shape that is being read
	doubted       bool             // the paragraph that is being read has a mark
	filled        bool             // what holds a place on its layout or master has a fill
	margin        map[string]bool  // texts of layouts that were written, and layouts
	edge          []page.Inline    // date, footer and number of the slide, a line each
	number        int              // of the slide
	behind        bool             // a layout is being read
	fill          string           // of the shape that is being read; "" where it has none
	tiny          bool             // its text is, unless a run says otherwise
	shrunk        bool             // its text is, whatever a run says
}

func readSlides(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	main, show, err := a.mainPart("ppt/presentation.xml")
	if err != nil {
		return err
	}
	b.core(a)
	s := &slides{b: b, a: a, margin: map[string]bool{}, backdrops: map[string]backdrop{}, trees: map[string]*node{}, layers: map[*node]int{}, boxes: map[*node]surface{}}
	size := show.first("sldSz")
	s.width, s.height = size.length("cx"), size.length("cy")
	files := a.relations(main)
	first, numbered := show.child("presentation").number("firstSlideNum")
	if !numbered || first < 0 || first > 9999 {
		first = 1
	}
	for i, id := range show.find("sldId") {
		if i >= maxSlides {
			b.cut = true
			break
		}
		name := ""
		for _, at := range id.attrs { // r:id beside id
			if at.Name.Local == "id" && files.byID(at.Value) != "" {
				name = files.byID(at.Value)
			}
		}
		t, err := a.tree(name)
		if err != nil {
			return err
		}
		if t != nil {
			s.number = first + i
			s.slide(t, name)
		}
	}
	return nil
}

// length is an attribute as a number; 0 if it is not one.
func (n *node) length(name string) float64 {
	v, _ := n.number(name)
	return float64(v)
}

func (s *slides) slide(t *node, name string) {
	if show := t.child("sld").attr("show"); show == "0" || show == "false" {
		s.b.Omit(page.HiddenDisplay, 1)
		return
	}
	s.links = s.a.relations(name)
	clear(s.boxes)
	clear(s.layers)
	s.stage(t)
	tree := t.first("spTree")
	s.shapes(tree, place{scaleX: 1, scaleY: 1}, true)
	s.shapes(tree, place{scaleX: 1, scaleY: 1}, false)
	if len(s.edge) > 0 {
		s.b.add(page.Block{Kind: page.Paragraph, Inlines: s.edge})
		s.edge = nil
	}
	own := s.links
	s.layout(t.child("sld"), own)
	for _, rel := range own.list {
		if rel.kind != "notesSlide" && !strings.Contains(rel.target, "notesSlide") {
			continue
		}
		if notes, err := s.a.tree(rel.target); err == nil && notes != nil {
			s.links = s.a.relations(rel.target)
			s.notes(notes)
		}
	}
}

// layout writes the texts that the layout of a slide, and its master, put on each of their
// slides. What only holds a place there is not shown.
func (s *slides) layout(n *node, links relations) {
	if show := n.attr("showMasterSp"); show == "0" || show == "false" {
		return
	}
	for _, rel := range links.list {
		if rel.kind != "slideLayout" && rel.kind != "slideMaster" || s.margin[rel.target] || n.name == "sldMaster" {
			continue
		}
		s.margin[rel.target] = true
		t := s.trees[rel.target]
		delete(s.trees, rel.target)
		if t == nil {
			var err error
			if t, err = s.a.tree(rel.target); err != nil || t == nil {
				s.b.cut = s.b.cut || err != nil
				continue
			}
		}
		s.links, s.behind = s.a.relations(rel.target), true
		s.shapes(t.first("spTree"), place{scaleX: 1, scaleY: 1}, false)
		s.behind = false
		for _, c := range t.children {
			s.layout(c, s.links)
		}
	}
}

// place is where the coordinates of a group lead to on the slide.
type place struct{ x, y, scaleX, scaleY float64 }

// within is the place of the coordinates in a group.
func (p place) within(xfrm *node) place {
	off, ext, from, size := xfrm.child("off"), xfrm.child("ext"), xfrm.child("chOff"), xfrm.child("chExt")
	if off == nil || from == nil || size.length("cx") == 0 || size.length("cy") == 0 {
		return p
	}
	in := place{scaleX: p.scaleX * ext.length("cx") / size.length("cx"), scaleY: p.scaleY * ext.length("cy") / size.length("cy")}
	in.x = p.x + off.length("x")*p.scaleX - from.length("x")*in.scaleX
	in.y = p.y + off.length("y")*p.scaleY - from.length("y")*in.scaleY
	return in
}

// beside reports whether a shape stands beside the slide. A shape without a
// place of its own has that of its layout.
func (s *slides) beside(xfrm *node, p place) bool {
	off, ext := xfrm.child("off"), xfrm.child("ext")
	if off == nil || ext == nil || s.width == 0 || s.height == 0 {
		return false
	}
	x, y := p.x+off.length("x")*p.scaleX, p.y+off.length("y")*p.scaleY
	w, h := ext.length("cx")*p.scaleX, ext.length("cy")*p.scaleY
	return x >= s.width || y >= s.height || x+w <= 0 && w > 0 || y+h <= 0 && h > 0
}

// shapes writes the titles or everything else of a tree of shapes.
func (s *slides) shapes(tree *node, p place, titles bool) {
	if tree == nil {
		return
	}
	for _, c := range tree.children {
		var xfrm *node
		switch c.name {
		case "AlternateContent":
			s.shapes(alternative(c), p, titles)
			continue
		case "sp", "cxnSp":
			xfrm = c.child("spPr").child("xfrm")
		case "grpSp":
			xfrm = c.child("grpSpPr").child("xfrm")
		case "graphicFrame":
			xfrm = c.child("xfrm")
		default:
			continue
		}
		kind := s.unseen(c, xfrm, p)
		switch {
		case kind != "":
			if !titles && holds(c) {
				s.b.Omit(kind, 1)
			}
		case c.name == "grpSp":
			s.shapes(c, p.within(xfrm), titles)
		case c.name == "graphicFrame" && !titles:
			s.frame(c)
		case c.name != "graphicFrame":
			s.shape(c, titles)
		}
	}
}

// unseen is how a shape is hidden, or "".
func (s *slides) unseen(c, xfrm *node, p place) page.OmissionKind {
	for _, k := range c.children {
		if strings.HasPrefix(k.name, "nv") && isTrue(k.child("cNvPr").attr("hidden")) {
			return page.HiddenDisplay
		}
	}
	if s.beside(xfrm, p) {
		return page.HiddenOffScreen
	}
	if inner := xfrm.child("chExt"); inner != nil && inner.length("cx") > 0 && inner.length("cy") > 0 {
		if ext := xfrm.child("ext"); 100*ext.length("cx") <= tinyScale*inner.length("cx") || 100*ext.length("cy") <= tinyScale*inner.length("cy") {
			return page.HiddenSize
		}
	}
	return ""
}

// isTrue reads a boolean attribute.
func isTrue(v string) bool { return v == "1" || v == "true" || v == "on" }

// frame writes a table, a chart or a diagram.
func (s *slides) frame(n *node) {
	data := n.child("graphic").child("graphicData")
	s.shapeAt, s.compared, s.under = n, nil, s.isUnder(n)
	defer func() { s.fill, s.shapeAt, s.under = "", nil, false }()
	if t := data.first("tbl"); t != nil {
		var rows [][]string
		for _, tr := range t.find("tr") {
			var row []string
			for _, tc := range tr.kids("tc") {
				if s.fill = s.colours.fillOf(tc); s.fill == "" && t.child("tblPr").child("tableStyleId") != nil {
					s.fill = unknownColour
				}
				row = append(row, s.joined(tc))
			}
			rows = append(rows, row)
		}
		s.b.table(rows)
	}
	for _, c := range data.find("chart") {
		s.b.chart(s.a, s.links.byID(c.attr("id")))
	}
	for _, c := range data.find("relIds") {
		s.b.diagram(s.a, s.links.byID(c.attr("dm")))
	}
}

func (s *slides) shape(sp *node, titles bool) {
	holder := sp.first("ph")
	if s.behind && holder != nil {
		return
	}
	kind := holder.attr("type")
	title := kind == "title" || kind == "ctrTitle"
	if title != titles {
		return
	}
	body := sp.child("txBody")
	usual, sized := body.child("lstStyle").child("lvl1pPr").child("defRPr").number("sz")
	s.fill, s.tiny, s.shrunk = s.colours.fillOf(sp), sized && usual <= 50*tinyHalfPoints, isShrunk(body)
	s.shapeAt, s.compared, s.under = sp, nil, s.isUnder(sp)
	defer func() { s.fill, s.tiny, s.shrunk, s.shapeAt, s.under = "", false, false, nil, false }()
	switch {
	case s.behind: // slides share these
		if in := s.joined(sp); !s.margin[in] {
			s.margin[in] = true
			s.b.paragraph(in)
		}
		return
	case kind == "dt", kind == "ftr", kind == "sldNum":
		if in := s.b.clean(s.joined(sp)); in != "" {
			if len(s.edge) > 0 {
				s.edge = append(s.edge, page.Inline{Kind: page.Break})
			}
			s.edge = append(s.edge, page.Inline{Kind: page.Text, Text: in})
		}
		return
	}
	if title {
		s.b.heading(2, s.joined(sp))
		return
	}
	var list listStack
	var counts [9]int
	var first []page.Inline
	items := 0
	for _, p := range sp.child("txBody").kids("p") {
		in := joined(s.inlines(p))
		if page.InlineText(in) == "" {
			continue
		}
		props := p.child("pPr")
		n := number{}
		n.level, _ = props.number("lvl")
		n.level = min(max(n.level, 0), 8)
		clear(counts[n.level+1:])
		if auto := props.child("buAutoNum"); auto != nil {
			if from, ok := auto.number("startAt"); ok && counts[n.level] == 0 {
				counts[n.level] = from - 1
			}
			counts[n.level]++
			n.ordered, n.n = true, counts[n.level]
		} else {
			counts[n.level] = 0
		}
		if items++; items == 1 {
			first = in
		}
		list.item(n, in, s.b)
	}
	if l, ok := list.take(); ok {
		if items == 1 {
			l = page.Block{Kind: page.Paragraph, Inlines: first}
			if f := onlyFormula(first); f != "" {
				l = page.Block{Kind: page.Math, Text: f}
			}
		}
		s.b.add(l)
	}
}

func (s *slides) notes(t *node) {
	s.ground, s.surfaces = "FFFFFF", nil
	for _, sp := range t.find("sp") {
		if sp.first("ph").attr("type") != "body" {
			continue
		}
		for _, p := range sp.child("txBody").kids("p") {
			if in := joined(s.inlines(p)); page.InlineText(in) != "" {
				s.b.quote(in)
			}
		}
	}
}

// joined is the text of the paragraphs of a shape as one line.
func (s *slides) joined(n *node) string {
	var out []string
	for _, p := range n.find("p") {
		if t := page.InlineText(s.inlines(p)); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, " ")
}

// inlines reads the runs of a paragraph.
func (s *slides) inlines(p *node) []page.Inline {
	var out []page.Inline
	level, _ := p.child("pPr").number("lvl")
	s.level, s.doubted = textColour(s.shapeAt.child("txBody"), level), false
	for _, c := range p.children {
		switch c.name {
		case "r", "fld":
			if !s.behind || c.attr("type") != "slidenum" {
				out = append(out, s.run(c)...)
			}
		case "br":
			out = append(out, page.Inline{Kind: page.Text, Text: " "})
		case "m":
			for _, f := range c.children {
				if t := texOf(f); f.name != "" && t != "" {
					out = append(out, page.Inline{Kind: page.MathInline, Text: t})
				}
			}
		case "AlternateContent":
			out = append(out, s.inlines(alternative(c))...)
		}
	}
	return out
}

func (s *slides) run(r *node) []page.Inline {
	t := s.b.fold(r.child("t").content())
	if r.attr("type") == "slidenum" {
		t = strconv.Itoa(s.number) // the file has the one of when it was last drawn
	}
	if t == "" {
		return nil
	}
	props := r.child("rPr")
	kind, doubtful := s.hidden(props)
	if kind != "" && strings.TrimSpace(t) != "" {
		s.b.Omit(kind, 1)
		return nil
	}
	in := []page.Inline{{Kind: page.Text, Text: t}}
	if u, err := weburl.Parse(s.links.byID(props.child("hlinkClick").attr("id"))); err == nil && strings.TrimSpace(t) != "" {
		s.b.link(u, t)
		in = []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
	}
	if (doubtful || s.under) && !s.doubted && strings.TrimSpace(t) != "" {
		s.doubted = true
		in = append([]page.Inline{{Kind: page.Text, Text: unknownMark}}, in...)
	}
	return in
}

// hidden is how a run is hidden, or "", and whether it may be.
func (s *slides) hidden(props *node) (_ page.OmissionKind, doubtful bool) {
	fill := props.child("solidFill")
	if fill == nil && props.child("gradFill") == nil {
		fill = s.level
	}
	same, doubtful := s.isPaintedLike(s.colours.colourOf(fill), props)
	size, sized := props.number("sz")
	switch {
	case sized && size <= 50*tinyHalfPoints, !sized && s.tiny, s.shrunk:
		return page.HiddenSize, false
	case props.child("noFill") != nil && props.child("ln") == nil, isClear(fill):
		return page.HiddenOpacity, false
	case same:
		return page.HiddenColor, false
	}
	return "", doubtful
}

// isShrunk reports whether the text of a shape is shrunk so much that nobody can read it.
func isShrunk(body *node) bool {
	scale, inPercent := strings.CutSuffix(body.child("bodyPr").child("normAutofit").attr("fontScale"), "%")
	n, err := strconv.ParseFloat(scale, 64)
	if !inPercent {
		n /= 1000
	}
	return err == nil && n > 0 && n <= tinyScale
}
