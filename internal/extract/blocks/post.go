package blocks

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
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

	// Posts with fewer words on average are remarks, where another kind of posts has
	// twice as many.
	remarkWords = 60
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
// in the same part, the one whose name stands later: a letter in the place of a
// picture stands before the name.
func (seg *Segmentation) repeatedPosts(keep []bool) []post {
	var best []post
	most := seg.chosenWords(keep, 0, int32(len(seg.blocks))) * 3 / 10
	for _, list := range seg.authorPlaces() {
		if len(list) < leastPosts {
			continue
		}
		posts := seg.partsOf(list)
		words := int32(0)
		for _, p := range posts {
			words += seg.chosenWords(keep, p.b0, p.b1)
		}
		if (words > most || words == most && best != nil && len(posts) > 0 && posts[0].b0 <= best[0].b0) && seg.areTexts(posts) {
			best, most = posts, words
		}
	}
	return best
}

// authorPlaces groups the names of authors by their places, in the order of the first
// name of each group.
func (seg *Segmentation) authorPlaces() [][]authorAt {
	var places [][]authorAt
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

// chosenWords counts the words of the chosen blocks from b0 up to b1.
func (seg *Segmentation) chosenWords(keep []bool, b0, b1 int32) int32 {
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
// have a text, and few of them a heading of their own, as cards have.
func (seg *Segmentation) areTexts(posts []post) bool {
	texts, titled, words := 0, 0, int32(0)
	for _, p := range posts {
		w := seg.facts.words[p.b1] - seg.facts.words[p.b0]
		words += w
		if w >= 4 {
			texts++
		}
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			if b.level > 0 && b.words > 0 && seg.authorIn(i) == nil {
				titled++
				break
			}
			if b.words >= proseBlock {
				break
			}
		}
	}
	return len(posts) >= leastPosts && 3*texts >= 2*len(posts) && 2*titled < len(posts) && words >= postWords*int32(len(posts))
}

// authorIn returns the node with the name of an author in a short block, nil for
// none.
func (seg *Segmentation) authorIn(i int32) *html.Node {
	b := &seg.blocks[i]
	m := &seg.marks[seg.elems[b.elem].marks]
	if b.words > headWords || b.words == 0 || m[markQuote] != 0 ||
		m[firstGroup+groupPost]|m[firstGroup+groupComment]|m[firstGroup+groupAuthor]|m[firstGroup+groupUser]|m[firstGroup+groupQuestion]|m[markItemprop] == 0 {
		return nil
	}
	top := seg.elems[b.elem].node
	for _, t := range seg.texts[b.t0:b.t1] {
		n := t.Parent
		for level := 0; n != nil && level < 4; level++ {
			if isAuthorMark(n, b.words) {
				if isName(text.Line(dom.NodeText(n, 4*mostName))) {
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

// isAuthorMark reports whether the markup of an element says that it is the name of
// an author. words are those of the block: a link to a person says it only in a
// block with little else.
func isAuthorMark(n *html.Node, words int32) bool {
	link := false
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
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
	for _, w := range [...]string{"username", "user-name", "user_name", "author-name", "authorname", "author_name", "post-author", "postauthor", "commentauthor", "comment-author", "message-name", "hnuser", "poster"} {
		if strings.Contains(c, w) {
			return true
		}
	}
	return c == "author" || c == "creator" || c == "user" || c == "nickname" || c == "fn"
}

// isPersonPath reports whether an address is that of a member of a site.
func isPersonPath(href string) bool {
	for _, w := range [...]string{"/members/", "/member/", "member.php?u", "/user/", "/users/", "/u/", "/profile/", "mode=viewprofile", "profile.php?id", "/Profile/"} {
		if strings.Contains(href, w) {
			return true
		}
	}
	return false
}

// isName reports whether a text can be the name of an author.
func isName(s string) bool {
	if s == "" || len([]rune(s)) > mostName || len(strings.Fields(s)) > nameWords {
		return false
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
// times, or in one that is called a date and has digits.
func (seg *Segmentation) dateIn(i int32) string {
	b := &seg.blocks[i]
	top := seg.elems[b.elem].node
	for _, t := range seg.texts[b.t0:b.t1] {
		for n, k := t.Parent, 0; n != nil && k < 4; n, k = n.Parent, k+1 {
			if n.DataAtom == atom.Time || strings.HasPrefix(dom.Attr(n, "itemprop"), "date") || n.Data == "relative-time" ||
				b.words <= mostFact && isDateClass(dom.Attr(n, "class")) && hasDigit(t.Data) {
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

// shownDate is the date that an element shows; what says only how long ago is
// replaced by the day that the element states.
func shownDate(n *html.Node) string {
	const mostDate = 40 // characters
	s := text.Cut(text.Line(dom.NodeText(n, 200)), mostDate)
	if hasYear(s) {
		return s
	}
	for _, key := range [...]string{"datetime", "content", "title"} {
		v := dom.Attr(n, key)
		if len(v) >= 10 && v[4] == '-' && v[7] == '-' && hasYear(v) {
			return v[:10]
		}
	}
	return s
}

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

// settlePosts completes the thread, and leaves the parts of posts out that are no
// text of theirs.
func settlePosts(seg *Segmentation, keep []bool, c Choices) {
	seg.thread = seg.posts(keep)
	said := seg.sayings()
	if !slices.ContainsFunc(seg.thread, func(p post) bool { return !said.isCopy(seg, &p) }) {
		seg.thread = nil // one text, shown several times
	}
	if c.Comments != CommentsNever {
		seg.completePosts(keep, c.Type)
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		if p.heading() == "" {
			continue
		}
		for _, i := range p.head {
			keep[i] = false
		}
		copied, labels := said.isCopy(seg, p), said.hasText(seg, p, keep)
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			control := b.words <= postWords && len(seg.thread) >= minRecords && (2*said.posts[b.hash] > len(seg.thread) || labels && said.isLabel(seg, p, i))
			if control || seg.isSignature(i) || !copied && said.repeats(seg, p, b) {
				keep[i] = false
			}
		}
	}
}

// sayings are the texts of a thread that repeat.
type sayings struct {
	places map[uint64]labelPlace
	posts  map[uint64]int  // of a short text: how often it stands in posts
	again  map[saying]bool // a text stands in several posts of an author
}

// A labelPlace is a place in posts, where all of them may have a label such as
// "Posts: 12".
type labelPlace struct {
	posts   int   // that have a text there
	last    int   // of them, by number from 1 on
	longest int32 // words
}

// isLabel reports whether most posts have short texts only at the place of block i.
func (s sayings) isLabel(seg *Segmentation, p *post, i int32) bool {
	at := s.places[seg.placeIn(i, p)]
	return at.longest <= postWords && 2*at.posts > len(seg.thread)
}

// hasText reports whether a post has a chosen text beside labels.
func (s sayings) hasText(seg *Segmentation, p *post, keep []bool) bool {
	for i := p.b0; i < p.b1; i++ {
		if keep[i] && !s.isLabel(seg, p, i) {
			return true
		}
	}
	return false
}

// A saying is a text of an author.
type saying struct {
	author string
	hash   uint64
}

func (seg *Segmentation) sayings() sayings {
	out := sayings{map[uint64]labelPlace{}, map[uint64]int{}, map[saying]bool{}}
	last := map[saying]int{} // number of the last post that has a text, from 1 on
	for k := range seg.thread {
		p := &seg.thread[k]
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			if b.words <= postWords {
				out.posts[b.hash]++
			}
			key := seg.placeIn(i, p)
			at := out.places[key]
			if at.last != k+1 {
				at.posts, at.last = at.posts+1, k+1
			}
			at.longest = max(at.longest, b.words)
			out.places[key] = at
			s := saying{p.author, b.hash}
			if before := last[s]; before != 0 && before != k+1 {
				out.again[s] = true
			}
			last[s] = k + 1
		}
	}
	return out
}

// repeats reports whether a block stands in several posts of its author, as a motto
// does.
func (s sayings) repeats(seg *Segmentation, p *post, b *block) bool {
	return b.words >= 2 && s.again[saying{p.author, b.hash}] && seg.marks[seg.elems[b.elem].marks][markQuote] == 0
}

// isCopy reports whether most of a post stands in another one of its author: then it
// is shown twice, and what repeats is no motto.
func (s sayings) isCopy(seg *Segmentation, p *post) bool {
	words := int32(0)
	for i := p.b0; i < p.b1; i++ {
		if b := &seg.blocks[i]; s.again[saying{p.author, b.hash}] {
			words += b.words
		}
	}
	return 2*words > seg.facts.words[p.b1]-seg.facts.words[p.b0]
}

// completePosts chooses the text of all posts of a kind where most of them have
// chosen text, or, on a page that is a thread, some: a thread without some of its
// answers says something else. What is text in a post is known from the others: the
// places within a post of which most words are chosen. Short remarks under an
// answer are a kind of their own.
func (seg *Segmentation) completePosts(keep []bool, t page.Type) {
	type kind struct{ posts, written, words int32 }
	type share struct{ kept, all int32 }
	kinds := map[uint64]kind{}
	places := map[uint64]share{}
	for i := range seg.thread {
		p := &seg.thread[i]
		k := kinds[p.kind]
		k.posts++
		k.words += seg.facts.words[p.b1] - seg.facts.words[p.b0]
		if seg.hasText(p, keep) {
			k.written++
			for i := p.b0; i < p.b1; i++ {
				key := seg.placeIn(i, p)
				s := places[key]
				s.all += seg.blocks[i].words
				if keep[i] {
					s.kept += seg.blocks[i].words
				}
				places[key] = s
			}
		}
		kinds[p.kind] = k
	}
	longest := int32(0) // words of a post of the kind with the longest posts, on average
	for _, k := range kinds {
		longest = max(longest, k.words/k.posts)
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		kind := kinds[p.kind]
		thread := t == page.Forum && (kind.words >= remarkWords*kind.posts || 2*kind.words >= longest*kind.posts)
		if kind.written == 0 || !thread && (kind.posts < minRecords || 2*kind.written < kind.posts) {
			continue
		}
		for i := p.b0; i < p.b1; i++ {
			if s := places[seg.placeIn(i, p)]; s.all > 0 && 2*s.kept > s.all && seg.isRemarkIn(&seg.blocks[i], p) {
				keep[i] = true
			}
		}
		if thread && !seg.hasText(p, keep) {
			for i := p.b0; i < p.b1; i++ {
				if b := &seg.blocks[i]; b.words >= 3 && 2*b.link < b.chars && seg.isRemarkIn(b, p) && !slices.Contains(p.head, i) {
					keep[i] = true
				}
			}
		}
	}
}

// isRemarkIn is isRemark, but a form around all posts does not count, nor does one
// around the text of each.
func (seg *Segmentation) isRemarkIn(b *block, p *post) bool {
	m := &seg.marks[seg.elems[b.elem].marks]
	within := uint8(min(p.depth, 254)) + 1
	text := b.words >= 3 && m[markLabel] <= within && b.inner&innerLabel == 0
	return (m[markForm] <= within || text) && m[markButton] <= within && m[markNav] <= within && m[markDialog] <= within && b.inner&innerButton == 0
}

// hasText reports whether a text of a post is chosen.
func (seg *Segmentation) hasText(p *post, keep []bool) bool {
	for i := p.b0; i < p.b1; i++ {
		if keep[i] && seg.blocks[i].words > 2 && !slices.Contains(p.head, i) {
			return true
		}
	}
	return false
}

// placeIn is equal for blocks at the same place in posts.
func (seg *Segmentation) placeIn(i int32, p *post) uint64 {
	h := uint64(fnvOffset)
	e := seg.blocks[i].elem
	for k := 0; k < 8 && e >= 0 && (seg.elems[e].b0 > p.b0 || seg.elems[e].b1 < p.b1); k++ {
		h = (h ^ seg.elems[e].kin) * fnvPrime
		e = seg.elems[e].parent
	}
	if e >= 0 {
		h ^= seg.elems[e].kin
	}
	return h
}

// isSignature reports whether block i stands in a signature.
func (seg *Segmentation) isSignature(i int32) bool {
	e := seg.blocks[i].elem
	for k := 0; k < 4 && e >= 0; k++ {
		for c := range strings.FieldsSeq(dom.Attr(seg.elems[e].node, "class")) {
			if c = strings.ToLower(c); strings.Contains(c, "signature") && !strings.Contains(c, "post-signature") {
				return true
			}
		}
		e = seg.elems[e].parent
	}
	return false
}

// writeHeadings puts a heading before the first chosen text of each post into the
// tree, and names it in the selection.
func (seg *Segmentation) writeHeadings(sel dom.Selection, keep []bool) {
	for k := range seg.thread {
		p := &seg.thread[k]
		line := p.heading()
		if line == "" {
			continue
		}
		for i := seg.textFrom(p, keep); i < p.b1; i++ {
			if keep[i] {
				h := dom.Leaf(atom.H3, "", html.EscapeString(line))
				at := seg.startOf(i, p)
				at.Parent.InsertBefore(h, at)
				sel[h] = dom.KeepAll
				unlist(h)
				seg.unquote(i, p, keep)
				break
			}
		}
	}
}

// textFrom returns the block from which on a post has its text: the heading of the page
// stands above the opening post that holds it.
func (seg *Segmentation) textFrom(p *post, keep []bool) int32 {
	for i := p.b0; i < p.b1; i++ {
		if seg.blocks[i].level == 1 && keep[i] && slices.Contains(keep[i+1:p.b1], true) {
			return i + 1
		}
		if keep[i] {
			break
		}
	}
	return p.b0
}

// unlist makes plain containers of the list items that a heading stands in, and of
// their lists: a thread that is marked up as a list is not one to read.
func unlist(h *html.Node) {
	for up, k := h.Parent, 0; up != nil && k < 8; up, k = up.Parent, k+1 {
		if up.DataAtom != atom.Li {
			continue
		}
		for _, n := range [2]*html.Node{up, up.Parent} {
			if n != nil && (n.DataAtom == atom.Li || n.DataAtom == atom.Ul || n.DataAtom == atom.Ol) {
				n.DataAtom, n.Data = atom.Div, "div"
			}
		}
	}
}

// unquote makes a plain container of a quotation that holds all of a post: some
// programs write the text of posts into one. i is the first chosen block.
func (seg *Segmentation) unquote(i int32, p *post, keep []bool) {
	last := i
	for k := i; k < p.b1; k++ {
		if keep[k] {
			last = k
		}
	}
	for e := seg.blocks[i].elem; e >= 0 && seg.elems[e].b0 >= p.b0 && seg.elems[e].b1 <= p.b1; e = seg.elems[e].parent {
		if n := seg.elems[e].node; n.DataAtom == atom.Blockquote && seg.elems[e].b1 > last && isTextClass(dom.Attr(n, "class")) {
			n.DataAtom, n.Data = atom.Div, "div"
		}
	}
}

// isTextClass reports whether a class says that an element holds a text, and not
// what somebody else said.
func isTextClass(class string) bool {
	class = strings.ToLower(class)
	return (strings.Contains(class, "text") || strings.Contains(class, "content") || strings.Contains(class, "body")) && !strings.Contains(class, "quote")
}

// startOf returns the node before which a heading stands over block i: the
// outermost element of the post that begins with the block, and not a part of a
// list or a table.
func (seg *Segmentation) startOf(i int32, p *post) *html.Node {
	b := &seg.blocks[i]
	e := b.elem
	var whole *html.Node // a quotation, list or table that the text begins with
	for up := e; up >= 0 && seg.elems[up].b0 >= p.b0 && seg.elems[up].b1 <= p.b1; up = seg.elems[up].parent {
		switch n := seg.elems[up].node; n.DataAtom {
		case atom.Blockquote, atom.Ul, atom.Ol, atom.Dl, atom.Table:
			if all := seg.elems[up].b0 == p.b0 && seg.elems[up].b1 == p.b1; all {
				continue
			}
			if !isPart(n.Parent) || n.Parent.DataAtom == atom.Li || n.Parent.DataAtom == atom.Td {
				whole = n
			}
		}
	}
	if whole != nil {
		return whole
	}
	if seg.elems[e].b0 != i || isPart(seg.elems[e].node) {
		at, top := seg.texts[b.t0], seg.elems[e].node
		for at.Parent != top && at.Parent != nil && at.Parent.Parent != nil {
			at = at.Parent
		}
		return at
	}
	for up := seg.elems[e].parent; up >= 0 && seg.elems[up].b0 == i && i > p.b0 && !isPart(seg.elems[up].node); up = seg.elems[up].parent {
		e = up
	}
	return seg.elems[e].node
}

// isPart reports whether an element can stand only within a certain other one, or
// holds only certain ones.
func isPart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Tr, atom.Td, atom.Th, atom.Tbody, atom.Thead, atom.Table, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Body:
		return true
	}
	return false
}
