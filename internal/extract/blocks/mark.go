package blocks

import (
	_ "embed"
	mathbits "math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// marks says for each kind of ancestor how deep the nearest one lies: its
// depth plus one, or 0 where there is none. Elements that add nothing share
// their parent's.
type marks [numMarks]uint8

// numMarks is how many kinds marks.txt has.
const numMarks = 84

//go:embed marks.txt
var marksFile string

// kinds are the kinds of ancestors that features ask for.
var kinds = readKinds(marksFile)

// The kinds that more than features ask for.
var (
	markArticle      = markOf("a_article")
	markMain         = markOf("a_main")
	markNav          = markOf("a_nav")
	markHeader       = markOf("a_header")
	markFooter       = markOf("a_footer")
	markAside        = markOf("a_aside")
	markForm         = markOf("a_form")
	markTd           = markOf("a_td")
	markPre          = markOf("a_pre")
	markQuote        = markOf("a_quote")
	markCaption      = markOf("a_caption")
	markButton       = markOf("a_button")
	markDl           = markOf("a_dl")
	markLabel        = markOf("a_label")
	markDialog       = markOf("a_dialog")
	markRoleMenu     = markOf("a_role_menu")
	markItemprop     = markOf("a_itemprop")
	markItempropBody = markOf("a_itemprop_body")
	markProduct      = markOf("a_product")
	markHidden       = markOf("a_hidden")
	markCustom       = markOf("a_custom")

	namedPromo      = markOf("c_promo")
	namedAuthor     = markOf("c_author")
	namedRelated    = markOf("c_related")
	namedQuestion   = markOf("c_question")
	namedCrumbs     = markOf("c_breadcrumb")
	namedPrice      = markOf("c_price")
	namedComment    = markOf("c_comment")
	namedFooter     = markOf("c_footer")
	namedCookie     = markOf("c_cookie")
	namedDate       = markOf("c_date")
	namedMenu       = markOf("c_menu")
	namedShare      = markOf("c_follow")
	namedPost       = markOf("c_post")
	namedUser       = markOf("c_user")
	namedNewsletter = markOf("c_newsletter")
	namedPager      = markOf("c_pager")
	namedProduct    = markOf("c_product")
	namedSide       = markOf("c_sidebar")
)

// kindTable is what marks.txt says.
type kindTable struct {
	names    []string // of the features, by mark
	tags     map[atom.Atom]int
	roles    map[string]int
	prefixes [26][26][]namePrefix // of class and id names, by their first two letters: there are few of each
}

// namePrefix is a prefix of tokens of class and id names.
type namePrefix struct {
	prefix string
	mark   int
	whole  bool // it is the whole token
}

// readKinds reads the data file, which is ours.
func readKinds(file string) *kindTable {
	t := &kindTable{tags: map[atom.Atom]int{}, roles: map[string]int{}}
	for line := range strings.Lines(file) {
		if line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		mark := len(t.names)
		t.names = append(t.names, words[0])
		for _, w := range words[1:] {
			role, isRole := strings.CutPrefix(w, "role=")
			switch {
			case isRole:
				t.roles[role] = mark
			case words[0][0] == 'a':
				t.tags[atom.Lookup([]byte(w))] = mark
			default:
				prefix, whole := strings.CutSuffix(w, "=")
				list := &t.prefixes[w[0]-'a'][w[1]-'a']
				*list = append(*list, namePrefix{prefix, mark, whole})
			}
		}
	}
	return t
}

// markOf returns the mark of a feature.
func markOf(feature string) int {
	k := slices.Index(kinds.names, feature)
	if k < 0 || len(kinds.names) != numMarks {
		panic("marks.txt: " + feature)
	}
	return k
}

// addNamed adds the mark of a token of two characters or more.
func (s *markSet) addNamed(tok []byte) {
	first, second := tok[0]-'a', tok[1]-'a'
	if first >= 26 || second >= 26 { // bytes are unsigned
		return
	}
	list := kinds.prefixes[first][second]
	for i := range list {
		g := &list[i]
		if n := len(g.prefix); len(tok) >= n && string(tok[:n]) == g.prefix && (!g.whole || len(tok) == n) {
			s.add(g.mark)
			return
		}
	}
}

// mark computes what an element adds to its ancestors' marks and its
// signature, and returns the index of its marks.
func (seg *Segmentation) mark(n *html.Node, parent int32, depth int32, e *element) int32 {
	var set markSet
	e.tag = tagCodes[n.DataAtom]
	if mark, ok := kinds.tags[n.DataAtom]; ok {
		set.add(mark)
	}
	if n.DataAtom == 0 && strings.IndexByte(n.Data, '-') > 0 {
		set.add(markCustom)
	}
	class, id := set.attributes(n, e)
	if e.hidden {
		set.add(markHidden)
	}
	names := seg.names(class)
	e.part = e.part || names.part && n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article
	e.lex = names.lex
	e.kin = tagHash(n.Data)
	e.sig = e.kin + names.sum
	e.kin += names.first
	set.merge(names.marks)
	if id != "" {
		own := seg.tokens(id)
		e.lex.merge(&own.lex)
		set.merge(own.marks)
	}
	if set == (markSet{}) {
		return parent
	}
	at := uint8(min(depth, maxMarkDepth)) + 1
	key := recentMarks{parent: parent, at: at, set: set}
	slot := &seg.recent[(uint64(parent)+set[0]^set[0]>>17+set[1])%uint64(len(seg.recent))]
	if key.index = slot.index; *slot == key {
		return slot.index
	}
	m := seg.marks[parent]
	for half, bits := range set {
		for ; bits != 0; bits &= bits - 1 {
			m[half*64+mathbits.TrailingZeros64(bits)] = at
		}
	}
	seg.marks = append(seg.marks, m)
	key.index = int32(len(seg.marks) - 1)
	*slot = key
	return key.index
}

// recentMarks are marks that were computed: siblings mostly have the same ones, and
// share them. The zero value is none, because at is at least 1.
type recentMarks struct {
	parent int32
	at     uint8
	set    markSet
	index  int32
}

// markSet is a set of marks.
type markSet [2]uint64

func (s *markSet) add(mark int) { s[mark/64] |= 1 << (mark % 64) }

func (s *markSet) merge(o markSet) {
	s[0] |= o[0]
	s[1] |= o[1]
}

// attributes reads the attributes of an element: their marks, whether it is
// hidden, and its class and id.
func (s *markSet) attributes(n *html.Node, e *element) (class, id string) {
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "class":
			class = a.Val
		case "id":
			id = a.Val
		case "role":
			if m, ok := kinds.roles[a.Val]; ok {
				s.add(m)
			}
		case "itemprop":
			s.add(markItemprop)
			switch a.Val {
			case "articleBody", "text", "description", "reviewBody", "mainContentOfPage":
				s.add(markItempropBody)
			case "recipeIngredient", "ingredients", "recipeInstructions", "acceptedAnswer":
				e.part = true
			}
		case "itemtype":
			s.itemType(a.Val)
			e.item = true
		case "hidden":
			e.hidden = true
		case "aria-hidden":
			if a.Val == "true" {
				s.add(markHidden)
			}
		case "style":
			e.hidden = e.hidden || hidesInline(a.Val)
		}
	}
	return class, id
}

// itemType adds the mark of a type of microdata.
func (s *markSet) itemType(t string) {
	if strings.Contains(t, "Product") {
		s.add(markProduct)
	} else if strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "BlogPosting") {
		s.add(markItempropBody)
	}
}

func tagHash(name string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * fnvPrime
	}
	return h
}

// names is the result of reading a class or id attribute.
type names struct {
	sum   uint64 // order-free hash of the tokens
	first uint64 // hash of the first token
	marks markSet
	lex   lexStat
	part  bool // of ingredients
}

// names looks a class attribute up; pages repeat few of them often.
func (seg *Segmentation) names(class string) names {
	if class == "" {
		return names{}
	}
	if i, ok := seg.classes[class]; ok {
		return seg.named[i]
	}
	n := seg.tokens(class)
	if seg.classes == nil {
		seg.classes = make(map[string]int32, 256)
	}
	seg.classes[class] = int32(len(seg.named))
	seg.named = append(seg.named, n)
	return n
}

func (seg *Segmentation) tokens(s string) names {
	var n names
	for t := scanTokens(s); t.next(); {
		tok := t.buf[:t.size]
		x := uint64(t.hash) * 0x9E3779B97F4A7C15
		n.sum += x
		if n.first == 0 {
			n.first = x
		}
		n.part = n.part || strings.HasPrefix(string(tok), "ingredient")
		n.marks.addNamed(tok)
		if seg.lexicon != nil {
			if near, far, ok := seg.lexicon.Lookup(t.hash); ok {
				n.lex.add(near, far)
			}
		}
	}
	return n
}

// tokenScan cuts a class or id attribute into lower-case tokens of 2 to 20
// characters: at everything that is not a letter or digit, and at camel-case
// boundaries. Tokens with more than two digits are generated names and say
// nothing.
type tokenScan struct {
	rest string

	// The token that was found last.
	buf  [20]byte
	size int
	hash uint32
}

func scanTokens(s string) tokenScan { return tokenScan{rest: s[:min(len(s), 2048)]} }

// next finds the next token.
func (t *tokenScan) next() bool {
	for t.rest != "" {
		n, digits, h, wasLower := 0, 0, uint32(wordOffset), false
		i, between := 0, 0 // between is 1 at a character that is in no token
	token:
		for ; i < len(t.rest); i++ {
			c := t.rest[i]
			switch {
			case 'a' <= c && c <= 'z':
				wasLower = true
			case 'A' <= c && c <= 'Z':
				if wasLower {
					break token
				}
				c |= 0x20
			case '0' <= c && c <= '9':
				digits++
			default:
				between = 1
				break token
			}
			if n < len(t.buf) {
				t.buf[n] = c
				h = (h ^ uint32(c)) * wordPrime
			}
			n++
		}
		t.rest = t.rest[i+between:]
		if n > 1 && n <= len(t.buf) && digits <= 2 && digits < n {
			t.size, t.hash = n, h
			return true
		}
	}
	return false
}

// tagCodes are the numbers by which the model knows the tags that hold text; 0 is any other.
var tagCodes = map[atom.Atom]uint8{
	atom.P:          1,
	atom.Div:        2,
	atom.Li:         3,
	atom.Td:         4,
	atom.Th:         5,
	atom.H1:         6,
	atom.H2:         7,
	atom.H3:         8,
	atom.H4:         9,
	atom.H5:         10,
	atom.H6:         10,
	atom.Button:     12,
	atom.Section:    13,
	atom.Article:    14,
	atom.Dt:         15,
	atom.Dd:         16,
	atom.Pre:        17,
	atom.Blockquote: 18,
	atom.Figcaption: 19,
	atom.Summary:    21,
	atom.Header:     22,
	atom.Footer:     23,
	atom.Main:       24,
	atom.Body:       25,
	atom.Form:       26,
	atom.Nav:        27,
	atom.Ul:         28,
	atom.Ol:         28,
	atom.A:          29,
	atom.Caption:    30,
	atom.Legend:     30,
}

// hidesInline reports whether an inline style takes the element off the page.
func hidesInline(style string) bool {
	if len(style) < 12 || len(style) > 4096 {
		return false
	}
	for decl := range strings.SplitSeq(style, ";") {
		k, v, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		k = strings.TrimSpace(k)
		if len(k) != 7 && len(k) != 10 {
			continue
		}
		v, _, _ = strings.Cut(v, "!")
		v = strings.TrimSpace(v)
		if strings.EqualFold(k, "display") && strings.EqualFold(v, "none") ||
			strings.EqualFold(k, "visibility") && strings.EqualFold(v, "hidden") {
			return true
		}
	}
	return false
}

// kindOf classifies a link's target.
func (seg *Segmentation) kindOf(a *html.Node) int {
	href, rel := strings.TrimSpace(dom.Attr(a, "href")), dom.Attr(a, "rel")
	switch {
	case href == "" || href == "#" || dom.HasPrefixFold(href, "javascript:"):
		return linkScript
	case href[0] == '#':
		return linkFragment
	}
	if len(href) > 512 {
		href = href[:512]
	}
	if isSocial(href) {
		return linkSocial
	}
	if strings.Contains(rel, "tag") || strings.Contains(rel, "author") || isTaxonomy(href) {
		return linkTaxonomy
	}
	if host, ok := hostOf(href); ok && (seg.host == "" || !isWithin(host, seg.host) && !isWithin(seg.host, host)) {
		return linkExternal
	}
	return linkInternal
}

// ownHost returns the host that a page says it is on, by its canonical link or og:url,
// without www. It is "" for a page that does not say: then links with a host are external.
// The URL that the page was fetched from does not matter, so that a copy of a page has the
// same content.
func ownHost(doc *html.Node) (host string) {
	for n := range dom.Below(doc) {
		switch n.DataAtom {
		case atom.Body:
			return host
		case atom.Link:
			if dom.HasToken(dom.Attr(n, "rel"), "canonical") {
				if h, ok := hostOf(strings.TrimSpace(dom.Attr(n, "href"))); ok {
					return h
				}
			}
		case atom.Meta:
			if h, ok := hostOf(strings.TrimSpace(dom.Attr(n, "content"))); ok && dom.Attr(n, "property") == "og:url" {
				host = h
			}
		}
	}
	return host
}

// hostOf returns the host of an absolute reference without www.; ok is false
// for a reference without one.
func hostOf(href string) (host string, ok bool) {
	switch {
	case dom.HasPrefixFold(href, "https://"):
		href = href[len("https://"):]
	case dom.HasPrefixFold(href, "http://"):
		href = href[len("http://"):]
	case strings.HasPrefix(href, "//"):
		href = href[len("//"):]
	default:
		return "", false
	}
	if i := strings.IndexAny(href, "/?#:"); i >= 0 {
		href = href[:i]
	}
	return strings.TrimPrefix(strings.ToLower(href), "www."), true
}

// isWithin reports whether a host is another, or one below it.
func isWithin(host, other string) bool {
	rest, ok := strings.CutSuffix(host, other)
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}

func isSocial(href string) bool {
	if dom.HasPrefixFold(href, "mailto:") {
		return true
	}
	return (dom.HasPrefixFold(href, "http") || strings.HasPrefix(href, "//")) && socialHosts().In(href)
}

var socialHosts = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("facebook.", "twitter.", "//x.com", "linkedin.", "pinterest.", "whatsapp", "instagram.", "youtube.", "//t.me/",
		"telegram", "reddit.com/submit", "flipboard", "tumblr", "//vk.com", "addtoany", "weibo", "line.me", "getpocket.", "news.google", "bsky.app", "tiktok.")
})

// isTaxonomy reports whether a path names a tag, category or person page.
func isTaxonomy(href string) bool {
	for seg := range strings.SplitSeq(href, "/") {
		switch seg {
		case "tag", "tags", "category", "categories", "kategorie", "topic", "topics", "author", "authors",
			"autor", "user", "users", "profile", "member", "members", "people", "staff", "thema", "themen", "etiqueta":
			return true
		}
	}
	if strings.IndexByte(href, '?') < 0 {
		return false
	}
	return strings.Contains(href, "?tag=") || strings.Contains(href, "?cat=") || strings.Contains(href, "?author=")
}
