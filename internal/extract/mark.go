package extract

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// marks says for each kind of ancestor how deep the nearest one lies: its
// depth plus one, or 0 where there is none. Elements that add nothing share
// their parent's.
type marks [numMarks]uint8

// The kinds of ancestors that features ask for: tags, roles and attributes,
// then groups of class and id names.
const (
	markArticle = iota
	markMain
	markNav
	markHeader
	markFooter
	markAside
	markForm
	markUl
	markOl
	markLi
	markTable
	markTd
	markTh
	markPre
	markQuote
	markFigure
	markCaption
	markSection
	markDetails
	markButton
	markLink
	markHeading
	markDl
	markP
	markLabel
	markDialog
	markAddress
	markRoleMenu
	markRoleTab
	markRoleList
	markSearch
	markItemprop
	markItempropBody
	markProduct
	markHidden
	markCustom
	firstGroup // the class groups follow, in the order of groupNames
	numMarks   = firstGroup + 48
)

// groups holds the prefixes of class and id tokens, by first letter. The
// number is the group; prefixes of one meaning share one. A trailing '=' asks
// for the whole token.
var groups = [26][]struct {
	prefix string
	group  uint8
}{
	0:         {{"article", 0}, {"advert", 1}, {"ads=", 1}, {"ad=", 1}, {"author", 2}, {"also=", 3}, {"answer", 4}, {"accordion", 5}, {"avatar", 2}, {"action", 6}, {"account", 7}, {"archive", 8}},
	'b' - 'a': {{"breadcrumb", 9}, {"banner", 10}, {"byline", 2}, {"body", 11}, {"blog", 12}, {"button", 6}, {"btn", 6}, {"bio", 2}, {"buy", 13}, {"badge", 44}},
	'c' - 'a': {{"comment", 14}, {"content", 15}, {"copyright", 16}, {"cookie", 17}, {"consent", 17}, {"card", 18}, {"cart", 13}, {"categor", 19}, {"code", 20}, {"caption", 21}, {"contact", 22}, {"cta", 6}, {"carousel", 45}, {"collapse", 5}},
	'd' - 'a': {{"desc", 23}, {"detail", 23}, {"discuss", 14}, {"date", 24}, {"doc", 25}, {"dialog", 26}, {"dropdown", 27}, {"disclaim", 16}},
	'e' - 'a': {{"entry", 12}, {"excerpt", 23}, {"event", 18}},
	'f' - 'a': {{"foot", 16}, {"filter", 28}, {"facet", 28}, {"faq", 4}, {"feature", 29}, {"follow", 30}, {"form=", 7}, {"feed", 18}},
	'g' - 'a': {{"grid", 18}, {"gallery", 45}, {"gdpr", 17}},
	'h' - 'a': {{"header", 31}, {"hero", 29}, {"hidden", 32}, {"hide", 32}, {"head=", 31}, {"headline", 33}, {"highlight", 20}},
	'i' - 'a': {{"item", 34}, {"intro", 23}, {"info=", 23}},
	'l' - 'a': {{"list", 34}, {"login", 7}, {"logo", 35}, {"legal", 16}, {"link", 36}, {"label", 44}, {"lead", 23}},
	'm' - 'a': {{"menu", 27}, {"main", 15}, {"meta", 24}, {"message", 37}, {"modal", 26}, {"more=", 3}, {"markdown", 25}, {"masthead", 31}, {"mobile", 32}, {"member", 38}},
	'n' - 'a': {{"nav", 27}, {"newsletter", 39}, {"note", 10}, {"notice", 10}, {"next=", 40}},
	'o' - 'a': {{"overlay", 26}},
	'p' - 'a': {{"post", 37}, {"product", 41}, {"price", 13}, {"promo", 1}, {"pagin", 40}, {"pager", 40}, {"popup", 26}, {"popular", 3}, {"privacy", 17}, {"prev=", 40}, {"profile", 38}, {"partner", 46}, {"plan", 47}, {"pricing", 47}, {"prose", 15}},
	'q' - 'a': {{"question", 4}, {"quote", 21}},
	'r' - 'a': {{"related", 3}, {"recommend", 3}, {"repl", 14}, {"review", 42}, {"rating", 42}, {"result", 34}, {"rich", 15}, {"rte=", 15}, {"row=", 34}},
	's' - 'a': {{"sidebar", 43}, {"side=", 43}, {"sidenav", 43}, {"social", 30}, {"share", 30}, {"sharing", 30}, {"search", 28}, {"sponsor", 1}, {"subscri", 39}, {"signup", 39}, {"sign=", 7}, {"summary", 23}, {"similar", 3}, {"story", 0}, {"skip", 32}, {"sr=", 32}, {"star", 42}, {"spec", 23}, {"signature", 38}, {"slide", 45}, {"sort", 28}, {"section", 11}},
	't' - 'a': {{"tag", 19}, {"title", 33}, {"text", 15}, {"toc", 9}, {"tab=", 5}, {"tabs=", 5}, {"thread", 37}, {"topic", 37}, {"trend", 3}, {"time", 24}, {"tool", 6}, {"toolbar", 6}, {"testimonial", 46}, {"team", 46}, {"tooltip", 32}},
	'u' - 'a': {{"user", 38}},
	'v' - 'a': {{"visually", 32}, {"video", 45}},
	'w' - 'a': {{"widget", 43}, {"wysiwyg", 15}, {"wishlist", 13}},
}

// mark computes what an element adds to its ancestors' marks and its
// signature, and returns the index of its marks.
func (l *layout) mark(n *html.Node, parent int32, depth int32, e *elem) int32 {
	var add [8]uint8
	k := 0
	put := func(m uint8) {
		if k < len(add) {
			add[k] = m
			k++
		}
	}
	if m, ok := tagMark(n.DataAtom); ok {
		put(m)
	}
	if n.DataAtom == 0 && strings.IndexByte(n.Data, '-') > 0 {
		put(markCustom)
	}
	sig := uint64(fnvOffset)
	for i := 0; i < len(n.Data); i++ {
		sig = (sig ^ uint64(n.Data[i])) * fnvPrime
	}
	var class, id string
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "class":
			class = a.Val
		case "id":
			id = a.Val
		case "role":
			if m, ok := roleMark(a.Val); ok {
				put(m)
			}
		case "itemprop":
			put(markItemprop)
			switch a.Val {
			case "articleBody", "text", "description", "reviewBody", "mainContentOfPage":
				put(markItempropBody)
			}
		case "itemtype":
			if strings.Contains(a.Val, "Product") {
				put(markProduct)
			} else if strings.HasSuffix(a.Val, "Article") || strings.HasSuffix(a.Val, "BlogPosting") {
				put(markItempropBody)
			}
		case "hidden":
			e.hidden = true
		case "aria-hidden":
			if a.Val == "true" {
				put(markHidden)
			}
		case "style":
			if hidesInline(a.Val) {
				e.hidden = true
			}
		}
	}
	if e.hidden {
		put(markHidden)
	}
	m := marksOf(parent, l)
	changed := k > 0
	for _, x := range add[:k] {
		m[x] = uint8(min(depth, 254)) + 1
	}
	names := l.names(class)
	e.lex = names.lex
	if id != "" {
		own := l.tokens(id)
		e.lex.merge(&own.lex)
		if own.groups != 0 {
			changed = true
			m.setGroups(own.groups, depth)
		}
	}
	if names.groups != 0 {
		changed = true
		m.setGroups(names.groups, depth)
	}
	e.sig = sig + names.sum
	if !changed {
		return parent
	}
	l.marks = append(l.marks, m)
	return int32(len(l.marks) - 1)
}

func marksOf(i int32, l *layout) marks { return l.marks[i] }

func (m *marks) setGroups(set uint64, depth int32) {
	for g := 0; set != 0; g, set = g+1, set>>1 {
		if set&1 != 0 {
			m[firstGroup+g] = uint8(min(depth, 254)) + 1
		}
	}
}

// names is what a class or id attribute comes to.
type names struct {
	sum    uint64 // order-free hash of the tokens
	groups uint64
	lex    lexStat
}

// names looks a class attribute up; pages repeat few of them often.
func (l *layout) names(class string) names {
	if class == "" {
		return names{lex: lexStat{}}
	}
	if n, ok := l.classes[class]; ok {
		return n
	}
	n := l.tokens(class)
	if l.classes == nil {
		l.classes = make(map[string]names, 256)
	}
	l.classes[class] = n
	return n
}

func (l *layout) tokens(s string) names {
	var n names
	eachToken(s, func(tok []byte, h uint32) {
		n.sum += uint64(h) * 0x9E3779B97F4A7C15
		if i := int(tok[0]) - 'a'; i >= 0 && i < 26 {
			for _, g := range groups[i] {
				p := g.prefix
				if p[len(p)-1] == '=' {
					if string(tok) == p[:len(p)-1] {
						n.groups |= 1 << g.group
						break
					}
				} else if len(tok) >= len(p) && string(tok[:len(p)]) == p {
					n.groups |= 1 << g.group
					break
				}
			}
		}
		if l.lexicon != nil {
			if near, far, ok := l.lexicon.lookup(h); ok {
				n.lex.add(near, far)
			}
		}
	})
	return n
}

// eachToken cuts a class or id attribute into lower-case tokens of 2 to 20
// characters: at everything that is not a letter or digit, and at camel-case
// boundaries. Tokens with more than two digits are generated names and say
// nothing.
func eachToken(s string, f func(tok []byte, hash uint32)) {
	var buf [20]byte
	n, digits := 0, 0
	h := uint32(2166136261)
	flush := func() {
		if n > 1 && n <= 20 && digits <= 2 && digits < n {
			f(buf[:n], h)
		}
		n, digits, h = 0, 0, 2166136261
	}
	if len(s) > 2048 {
		s = s[:2048]
	}
	prevLower := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z':
			prevLower = true
		case 'A' <= c && c <= 'Z':
			if prevLower {
				flush()
			}
			prevLower = false
			c |= 0x20
		case '0' <= c && c <= '9':
			digits++
		default:
			flush()
			prevLower = false
			continue
		}
		if n < 20 {
			buf[n] = c
			h = (h ^ uint32(c)) * 16777619
		}
		n++
	}
	flush()
}

func tagMark(a atom.Atom) (uint8, bool) {
	switch a {
	case atom.Article:
		return markArticle, true
	case atom.Main:
		return markMain, true
	case atom.Nav:
		return markNav, true
	case atom.Header:
		return markHeader, true
	case atom.Footer:
		return markFooter, true
	case atom.Aside:
		return markAside, true
	case atom.Form:
		return markForm, true
	case atom.Ul:
		return markUl, true
	case atom.Ol:
		return markOl, true
	case atom.Li:
		return markLi, true
	case atom.Table:
		return markTable, true
	case atom.Td:
		return markTd, true
	case atom.Th:
		return markTh, true
	case atom.Pre:
		return markPre, true
	case atom.Blockquote:
		return markQuote, true
	case atom.Figure:
		return markFigure, true
	case atom.Figcaption, atom.Caption:
		return markCaption, true
	case atom.Section:
		return markSection, true
	case atom.Details, atom.Summary:
		return markDetails, true
	case atom.Button:
		return markButton, true
	case atom.A:
		return markLink, true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return markHeading, true
	case atom.Dl:
		return markDl, true
	case atom.P:
		return markP, true
	case atom.Label, atom.Fieldset:
		return markLabel, true
	case atom.Dialog:
		return markDialog, true
	case atom.Address:
		return markAddress, true
	}
	return 0, false
}

func roleMark(role string) (uint8, bool) {
	switch role {
	case "main":
		return markMain, true
	case "article":
		return markArticle, true
	case "navigation":
		return markNav, true
	case "dialog", "alertdialog":
		return markDialog, true
	case "banner":
		return markHeader, true
	case "contentinfo":
		return markFooter, true
	case "complementary":
		return markAside, true
	case "search":
		return markSearch, true
	case "menu", "menubar", "menuitem":
		return markRoleMenu, true
	case "tab", "tablist", "tabpanel":
		return markRoleTab, true
	case "list", "listitem":
		return markRoleList, true
	}
	return 0, false
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

// tagCode gives the tags that hold text a number for the model.
func tagCode(n *html.Node) uint8 {
	switch n.DataAtom {
	case atom.P:
		return 1
	case atom.Div:
		return 2
	case atom.Li:
		return 3
	case atom.Td:
		return 4
	case atom.Th:
		return 5
	case atom.H1:
		return 6
	case atom.H2:
		return 7
	case atom.H3:
		return 8
	case atom.H4:
		return 9
	case atom.H5, atom.H6:
		return 10
	case atom.Button:
		return 12
	case atom.Section:
		return 13
	case atom.Article:
		return 14
	case atom.Dt:
		return 15
	case atom.Dd:
		return 16
	case atom.Pre:
		return 17
	case atom.Blockquote:
		return 18
	case atom.Figcaption:
		return 19
	case atom.Summary:
		return 21
	case atom.Header:
		return 22
	case atom.Footer:
		return 23
	case atom.Main:
		return 24
	case atom.Body:
		return 25
	case atom.Form:
		return 26
	case atom.Nav:
		return 27
	case atom.Ul, atom.Ol:
		return 28
	case atom.A:
		return 29
	case atom.Caption, atom.Legend:
		return 30
	}
	return 0
}

// kindOf classifies a link's target.
func (l *layout) kindOf(a *html.Node) int {
	var href, rel string
	for i := range a.Attr {
		switch a.Attr[i].Key {
		case "href":
			href = strings.TrimSpace(a.Attr[i].Val)
		case "rel":
			rel = a.Attr[i].Val
		}
	}
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
	rest := href
	switch {
	case dom.HasPrefixFold(rest, "https://"):
		rest = rest[8:]
	case dom.HasPrefixFold(rest, "http://"):
		rest = rest[7:]
	case strings.HasPrefix(rest, "//"):
		rest = rest[2:]
	default:
		return linkInternal
	}
	if i := strings.IndexAny(rest, "/?#:"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimPrefix(strings.ToLower(rest), "www.")
	if l.host == "" || rest == l.host || strings.HasSuffix(rest, "."+l.host) || strings.HasSuffix(l.host, "."+rest) {
		return linkInternal
	}
	return linkExternal
}

func isSocial(href string) bool {
	if dom.HasPrefixFold(href, "mailto:") {
		return true
	}
	if dom.HasPrefixFold(href, "http") || strings.HasPrefix(href, "//") {
		for _, h := range [...]string{"facebook.", "twitter.", "//x.com", "linkedin.", "pinterest.", "whatsapp", "instagram.", "youtube.", "//t.me/", "telegram", "reddit.com/submit", "flipboard", "tumblr", "//vk.com", "addtoany", "weibo", "line.me", "getpocket.", "news.google", "bsky.app", "tiktok."} {
			if strings.Contains(href, h) {
				return true
			}
		}
	}
	return false
}

// isTaxonomy reports whether a path names a tag, category or person page.
func isTaxonomy(href string) bool {
	for seg := range strings.SplitSeq(href, "/") {
		switch seg {
		case "tag", "tags", "category", "categories", "kategorie", "topic", "topics", "author", "authors",
			"autor", "user", "users", "profile", "member", "members", "people", "staff", "thema", "themen", "etiqueta":
			return true
		}
	}
	return strings.Contains(href, "?tag=") || strings.Contains(href, "?cat=") || strings.Contains(href, "?author=")
}
