package blocks

import (
	"strings"
	"sync"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file finds the posts of a thread: of a forum, of a page of questions and
// answers, or of the comments under an article. Known software is recognized by
// its marks (generator.go). Everywhere else the structure says it: names of
// authors stand at the same place in parts of the page that repeat. The part of a
// name is the largest element that holds no other of these names.
//
// A post is written as a heading with its author and date, and its text below, so
// that no text stands under the name of another author. Signatures, counters and
// the author's profile are left out.

const (
	mostName   = 40 // characters of an author's name
	nameWords  = 5
	headWords  = 16 // words of a block that names the author
	dateWords  = 10 // words of a line that has the date of a post and its number
	leastPosts = 2
	postWords  = 6 // words of the posts of a thread on average
)

// A post is one contribution to a thread.
type post struct {
	b0, b1   int32 // blocks
	kind     uint64
	depth    int32 // of its element
	name     *html.Node
	author   string
	date     string
	votes    string
	accepted bool
	head     []int32 // the blocks that say who and when
	beside   []int32 // on a forum: the blocks of profiles, signatures and controls
}

// authorAt is a block with the name of an author.
type authorAt struct {
	i    int32
	name *html.Node
}

// posts finds the posts of the page, in page order.
func (seg *Segmentation) posts(keep []bool) []post {
	list := seg.knownPosts()
	if list == nil {
		list = seg.repeatedPosts(keep)
	}
	for k := range list {
		seg.describePost(&list[k])
	}
	return list
}

// repeatedPosts finds posts by the names of authors at the same place in parts that
// repeat. Of several such places the one is taken whose parts have most of the
// chosen words; of two with as many, the one that begins first, and of two that begin
// in the same part, the one whose name stands first, unless that is a letter in the
// place of a picture: who likes a post is named below it.
func (seg *Segmentation) repeatedPosts(keep []bool) []post {
	var best []post
	most := seg.chosenWords(keep, 0, int32(len(seg.blocks))) * 3 / 10
	if seg.places == nil {
		seg.places = seg.authorPlaces()
	}
	for _, list := range seg.places {
		if len(list) < leastPosts {
			continue
		}
		posts := seg.partsOf(list)
		words := int32(0)
		for _, p := range posts {
			words += seg.chosenWords(keep, p.b0, p.b1)
		}
		if (words > most || words == most && best != nil && len(posts) > 0 && (posts[0].b0 < best[0].b0 || posts[0].b0 == best[0].b0 && isLetter(best[0].name))) && seg.areTexts(posts) {
			best, most = posts, words
		}
	}
	return best
}

// isLetter reports whether an element shows a letter or two, in the place of a picture.
func isLetter(n *html.Node) bool {
	const most = 2
	return len([]rune(text.Line(dom.NodeText(n, 4*mostName)))) <= most
}

// authorPlaces groups the names of authors by their places, in the order of the first
// name of each group.
func (seg *Segmentation) authorPlaces() [][]authorAt {
	places := [][]authorAt{}
	known := map[uint64]int{}
	for i := range seg.blocks {
		n := seg.authorIn(int32(i))
		if n == nil {
			continue
		}
		place := seg.place(seg.blocks[i].elem)
		k, ok := known[place]
		if !ok {
			k = len(places)
			known[place] = k
			places = append(places, nil)
		}
		places[k] = append(places[k], authorAt{int32(i), n})
	}
	return places
}

// chosenWords counts the words of the chosen blocks from b0 up to b1; of all of them if
// keep is nil.
func (seg *Segmentation) chosenWords(keep []bool, b0, b1 int32) int32 {
	if keep == nil {
		return seg.facts.words[b1] - seg.facts.words[b0]
	}
	words := int32(0)
	for i := b0; i < b1; i++ {
		if keep[i] {
			words += seg.blocks[i].words
		}
	}
	return words
}

// place is equal for elements at the same place in parts of one kind.
func (seg *Segmentation) place(e int32) uint64 {
	h := uint64(fnvOffset)
	for k := 0; k < 3 && e >= 0; k++ {
		h = (h ^ seg.elems[e].kin) * fnvPrime
		e = seg.elems[e].parent
	}
	return h
}

// common returns the innermost element that holds block i and block j.
func (seg *Segmentation) common(i, j int32) int32 {
	e := seg.blocks[i].elem
	for e >= 0 && (seg.elems[e].b0 > j || seg.elems[e].b1 <= j) {
		e = seg.elems[e].parent
	}
	return e
}

// partsOf divides the page among the names of authors. Where the parts hold next to
// nothing but names, a post is what stands between a name and the next.
func (seg *Segmentation) partsOf(list []authorAt) []post {
	out := make([]post, 0, len(list))
	bare := 0
	for k, a := range list {
		limit := int32(-1)
		for _, o := range [2]int{k - 1, k + 1} {
			if o < 0 || o >= len(list) {
				continue
			}
			if c := seg.common(a.i, list[o].i); limit < 0 || c >= 0 && seg.elems[c].depth > seg.elems[limit].depth {
				limit = c
			}
		}
		e := seg.blocks[a.i].elem
		if e == limit {
			return nil
		}
		for seg.elems[e].parent != limit && seg.elems[e].parent >= 0 {
			e = seg.elems[e].parent
		}
		p := post{b0: seg.elems[e].b0, b1: seg.elems[e].b1, kind: seg.elems[e].kin, depth: seg.elems[e].depth, name: a.name}
		if seg.facts.words[p.b1]-seg.facts.words[p.b0]-seg.blocks[a.i].words < 3 {
			bare++
		}
		out = append(out, p)
	}
	if 2*bare > len(out) {
		for k := range out {
			end := seg.elems[max(seg.common(out[k].b0, out[max(k-1, 0)].b0), 0)].b1
			if k+1 < len(out) {
				end = out[k+1].b0
			}
			out[k].b1 = max(out[k].b1, min(end, out[k].b1+maxBetween))
		}
	}
	return out
}

// maxBetween bounds the blocks of a post whose end no element marks.
const maxBetween = 200

// areTexts reports whether parts with the names of authors are posts: most of them
// have a text, and few of them a heading or a price of their own, as cards have.
func (seg *Segmentation) areTexts(posts []post) bool {
	texts, titled, priced, words := 0, 0, 0, int32(0)
	for _, p := range posts {
		w := seg.facts.words[p.b1] - seg.facts.words[p.b0]
		words += w
		if w >= 4 {
			texts++
		}
		name := text.Line(dom.NodeText(p.name, 4*mostName))
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			if b.level > 0 && b.words > 0 && seg.authorIn(i) == nil && !strings.Contains(string(seg.buf[b.s0:b.s1]), name) && (b.level == 1 || !seg.namesPage(int(i))) {
				titled++
				break
			}
			if b.words >= proseBlock {
				break
			}
			if seg.isPrice(b) {
				priced++
				break
			}
		}
	}
	return len(posts) >= leastPosts && 2*priced < len(posts) && 3*texts >= 2*len(posts) && 2*titled < len(posts) && words >= postWords*int32(len(posts))
}

// authorIn returns the node with the name of an author in a short block, nil for
// none.
func (seg *Segmentation) authorIn(i int32) *html.Node {
	b := &seg.blocks[i]
	m := &seg.marks[seg.elems[b.elem].marks]
	if b.words > headWords || b.words == 0 || m[markQuote] != 0 {
		return nil
	}
	dated := b.inner&innerTime != 0                              // a name and a date in one line
	linked := b.words <= nameWords && b.link >= b.chars || dated // then its markup may say whose name it is
	if !linked && m[namedPost]|m[namedComment]|m[namedAuthor]|m[namedUser]|m[namedQuestion]|m[markItemprop] == 0 {
		return nil
	}
	top := seg.elems[b.elem].node
	for _, t := range seg.texts[b.t0:b.t1] {
		n := t.Parent
		for level := 0; n != nil && level < 4; level++ {
			words := b.words
			if dated && n.DataAtom == atom.A {
				words = int32(len(strings.Fields(text.Line(dom.NodeText(n, 4*mostName)))))
			}
			if isAuthorMark(n, words) {
				if isName(text.Line(dom.NodeText(n, 4*mostName))) && !isOfWork(n) {
					return n
				}
				break
			}
			if n == top && level > 0 {
				break
			}
			n = n.Parent
		}
	}
	return nil
}

// isOfWork reports whether microdata say that the author of an element wrote a work, as
// a book or a recipe in a list, and not a post.
func isOfWork(n *html.Node) bool {
	const levels = 12
	for k := 0; n.Parent != nil && k < levels; k++ {
		n = n.Parent
		if !dom.HasAttr(n, "itemscope") {
			continue
		}
		switch of := dom.Attr(n, "itemtype"); of[strings.LastIndexByte(of, '/')+1:] {
		case "Person", "":
		case "Book", "Product", "Recipe", "Movie", "TVSeries", "MusicRecording", "MusicAlbum", "VideoObject", "SoftwareApplication", "Game", "Course":
			return true
		default:
			return false
		}
	}
	return false
}

// isAuthorMark reports whether the markup of an element says that it is the name of
// an author. words are those of the block: a link to a person says it only in a
// block with little else.
func isAuthorMark(n *html.Node, words int32) bool {
	link := false
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			if !mayBeOfAuthor().In(strings.ToLower(a.Val)) {
				continue
			}
			for c := range strings.FieldsSeq(a.Val) {
				if isAuthorClass(c) {
					return true
				}
			}
		case "itemprop":
			if a.Val == "author" || a.Val == "creator" {
				return true
			}
		case "rel":
			if dom.HasToken(a.Val, "author") {
				return true
			}
		case "href":
			link = n.DataAtom == atom.A && isPersonPath(a.Val)
		}
	}
	return link && words <= nameWords
}

// isAuthorClass reports whether a class name is one that forums give to the name of
// an author.
func isAuthorClass(c string) bool {
	if len(c) > 60 {
		return false
	}
	c = strings.ToLower(c)
	if strings.Contains(c, "avatar") {
		return false
	}
	return authorClasses().In(c) || c == "creator" || c == "user" || c == "nickname" || c == "fn" || endsInAuthor(c)
}

// endsInAuthor reports whether the last word of a class name is "author", or is "link"
// behind it: "op_author", "comment-author-link".
func endsInAuthor(c string) bool {
	c = strings.TrimSuffix(strings.TrimSuffix(c, "-link"), "_link")
	rest, ok := strings.CutSuffix(c, "author")
	return ok && (rest == "" || strings.HasSuffix(rest, "-") || strings.HasSuffix(rest, "_"))
}

// mayBeOfAuthor finds what stands in every class attribute in which isAuthorClass finds a
// name: most have nothing of it.
var mayBeOfAuthor = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("user", "author", "message-name", "poster", "creator", "nickname", "fn")
})

var authorClasses = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("username", "user-name", "user_name", "author-name", "authorname", "author_name", "post-author", "postauthor", "commentauthor", "comment-author", "message-name", "hnuser", "poster")
})

// isPersonPath reports whether an address is that of a member of a site.
func isPersonPath(href string) bool {
	return personPaths().In(href)
}

var personPaths = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("/members/", "/member/", "member.php?u", "/user/", "/users/", "/u/", "/profile/", "mode=viewprofile", "action=profile", "profile.php?id", "/Profile/", "/people/")
})

// isName reports whether a text can be the name of an author.
func isName(s string) bool {
	if s == "" || len([]rune(s)) > mostName || len(strings.Fields(s)) > nameWords || dom.HasPrefixFold(s, "written by") && len(s) < len("written by")+2 {
		return false // "Written by", and the name is missing
	}
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// describePost reads who wrote a post and when.
func (seg *Segmentation) describePost(p *post) {
	if p.author == "" && p.name != nil {
		p.author = text.Line(dom.NodeText(p.name, 4*mostName))
	}
	p.author = onceName(p.author)
	named := p.author == ""
	for i := p.b0; i < p.b1; i++ {
		b := &seg.blocks[i]
		s := string(seg.buf[b.s0:b.s1])
		switch {
		case b.words > headWords || seg.marks[seg.elems[b.elem].marks][markQuote] != 0:
		case p.author != "" && s == p.author:
			p.head = append(p.head, i)
			named = true
		case seg.leadsToAuthor(b, p):
			p.head = append(p.head, i)
		case !named && seg.holds(i, p.name):
			named = true
			p.head = append(p.head, i)
			if p.date == "" {
				p.date = dateBeside(s, p.author)
			}
		case p.date == "":
			if p.date = seg.dateIn(i); p.date != "" {
				p.head = append(p.head, i)
			}
		case b.words <= dateWords && strings.Contains(s, p.date):
			p.head = append(p.head, i)
		}
	}
}

// leadsToAuthor reports whether a block of a letter or two is a link to where the name of
// the author leads: it stands in the place of a picture.
func (seg *Segmentation) leadsToAuthor(b *block, p *post) bool {
	const letters = 2
	if p.name == nil || b.chars > letters || b.link < b.chars {
		return false
	}
	href := linkAround(p.name)
	return href != "" && linkAround(seg.texts[b.t0]) == href
}

// linkAround returns the address of the link that holds a node or that it holds, "" for
// none.
func linkAround(n *html.Node) string {
	for up, k := n, 0; up != nil && k < 4; up, k = up.Parent, k+1 {
		if up.DataAtom == atom.A {
			return dom.Attr(up, "href")
		}
	}
	for d := range dom.Below(n) {
		if d.DataAtom == atom.A {
			return dom.Attr(d, "href")
		}
	}
	return ""
}

// onceName returns a name that markup has twice, for wide and for narrow screens,
// once.
func onceName(s string) string {
	w := strings.Fields(s)
	if h := len(w) / 2; h > 0 && len(w)%2 == 0 && strings.Join(w[:h], " ") == strings.Join(w[h:], " ") {
		return strings.Join(w[:h], " ")
	}
	return strings.TrimSuffix(s, ",")
}

// holds reports whether block i has text within n.
func (seg *Segmentation) holds(i int32, n *html.Node) bool {
	b := &seg.blocks[i]
	for _, t := range seg.texts[b.t0:b.t1] {
		for up, k := t, 0; up != nil && k < 6; up, k = up.Parent, k+1 {
			if up == n {
				return true
			}
		}
	}
	return false
}

// dateIn returns the date that a short block shows, "" for none: in an element for
// times, or in one that is called a date and has digits. When the author joined is no
// date of the post.
func (seg *Segmentation) dateIn(i int32) string {
	b := &seg.blocks[i]
	top := seg.elems[b.elem].node
	for _, t := range seg.texts[b.t0:b.t1] {
		for n, k := t.Parent, 0; n != nil && k < 4; n, k = n.Parent, k+1 {
			if isProfileClass(classOf(n)) {
				break
			}
			if n.DataAtom == atom.Time || strings.HasPrefix(dom.Attr(n, "itemprop"), "date") || n.Data == "relative-time" ||
				b.words <= mostFact && isDateClass(classOf(n)) && hasDigit(t.Data) {
				return shownDate(n)
			}
			if n == top {
				break
			}
		}
	}
	return ""
}

func isDateClass(class string) bool {
	for c := range strings.FieldsSeq(class) {
		c = strings.ToLower(c)
		if strings.Contains(c, "date") && !strings.Contains(c, "update") || strings.Contains(c, "timestamp") || c == "time" || c == "age" || c == "posted" {
			return true
		}
	}
	return false
}

// isProfileClass reports whether a class is that of a fact about a member.
func isProfileClass(class string) bool {
	for c := range strings.FieldsSeq(class) {
		c = strings.ToLower(c)
		if strings.HasPrefix(c, "join") || strings.Contains(c, "-join") || strings.Contains(c, "_join") || strings.Contains(c, "regdate") || strings.Contains(c, "membersince") || strings.Contains(c, "member-since") {
			return true
		}
	}
	return false
}

// shownDate is the date that an element shows; what says only how long ago is
// replaced by the day that the element states.
func shownDate(n *html.Node) string {
	const mostDate = 40 // characters
	s := text.Cut(text.Line(dateText(n)), mostDate)
	if hasYear(s) {
		return s
	}
	for _, key := range [...]string{"datetime", "content", "title"} {
		v := dom.Attr(n, key)
		if len(v) >= 10 && v[4] == '-' && v[7] == '-' && hasYear(v) {
			return v[:10]
		}
	}
	// A date has a day beside the year, "Member since 2011" has not.
	notDigit := func(r rune) bool { return r < '0' || r > '9' }
	if v := text.Line(dom.Attr(n, "title")); len(v) <= mostDate && hasYear(v) && len(strings.FieldsFunc(v, notDigit)) > 1 {
		return v
	}
	return s
}

// dateText is the text of an element that shows a date, without the age that some
// programs write right behind the year: "April 2, 2024" and "1 yr".
func dateText(n *html.Node) string {
	const enough = 200 // bytes
	s := ""
	for d := range dom.Below(n) {
		switch {
		case len(s) > enough:
			return s
		case d.Type == html.TextNode && d.Parent != nil && !dom.IsDropped(d.Parent.DataAtom):
			if d.Data != "" && hasYear(s) && isWordByte(s[len(s)-1]) && isWordByte(d.Data[0]) {
				return s
			}
			s += text.CutBytes(d.Data, enough)
		case d.Type == html.ElementNode && (d.DataAtom == atom.Br || !dom.IsInline(d.DataAtom)):
			s += " "
		}
	}
	return s
}

func isWordByte(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// hasYear reports whether a text has four digits in a row.
func hasYear(s string) bool {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			n = 0
			continue
		}
		if n++; n == 4 {
			return true
		}
	}
	return false
}

// dateBeside returns what stands behind a name in the line of a post, where it has
// a year: "by Ann » Tue Aug 27, 2019 1:47 am".
func dateBeside(line, name string) string {
	_, after, ok := strings.Cut(line, name)
	after = strings.Trim(after, " »·•|-–—,:")
	if !ok || !hasYear(after) || len(strings.Fields(after)) > 8 {
		return ""
	}
	return after
}

// Opening returns the author and the date of the first post of a thread, after
// [Segmentation.Choose].
func (seg *Segmentation) Opening() (author, date string) {
	if len(seg.thread) == 0 {
		return "", ""
	}
	return seg.thread[0].author, seg.thread[0].date
}

// Posts returns how many posts the thread of the page has, after
// [Segmentation.Choose]; 0 for another page.
func (seg *Segmentation) Posts() int { return len(seg.thread) }

// heading is the line over a post.
func (p *post) heading() string {
	var parts []string
	for _, s := range [...]string{p.author, p.date, p.votes} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if p.accepted {
		parts = append(parts, "accepted")
	}
	return strings.Join(parts, " · ")
}
