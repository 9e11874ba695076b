package blocks

import (
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
	firstGroup // the groups of class and id names follow
	numMarks   = firstGroup + numGroups
)

// The groups of class and id names: prefixes of one meaning share one. The model
// learned the effect of a group; its name is that of its first prefix or meaning.
const (
	groupArticle = iota
	groupPromo
	groupAuthor
	groupRelated
	groupQuestion
	groupAccordion
	groupAction
	groupForm
	groupArchive
	groupBreadcrumb
	groupNotice
	groupBody
	groupEntry
	groupPrice
	groupComment
	groupContent
	groupFooter
	groupCookie
	groupCard
	groupCategory
	groupCode
	groupQuote
	groupContact
	groupDescription
	groupDate
	groupDocs
	groupDialog
	groupMenu
	groupFilter
	groupFeature
	groupFollow
	groupHeader
	groupHidden
	groupTitle
	groupList
	groupLogo
	groupLink
	groupPost
	groupUser
	groupNewsletter
	groupPager
	groupProduct
	groupReview
	groupSidebar
	groupLabel
	groupGallery
	groupPartner
	groupPricing
	numGroups
)

// groups holds the prefixes of class and id tokens, by first letter. A trailing
// '=' asks for the whole token.
var groups = [26][]groupPrefix{
	0:         {{"article", groupArticle}, {"advert", groupPromo}, {"adsby", groupPromo}, {"adslot", groupPromo}, {"adunit", groupPromo}, {"ads=", groupPromo}, {"ad=", groupPromo}, {"author", groupAuthor}, {"also=", groupRelated}, {"answer", groupQuestion}, {"accordion", groupAccordion}, {"avatar", groupAuthor}, {"action", groupAction}, {"account", groupForm}, {"archive", groupArchive}},
	'b' - 'a': {{"breadcrumb", groupBreadcrumb}, {"banner", groupNotice}, {"byline", groupAuthor}, {"body", groupBody}, {"blog", groupEntry}, {"button", groupAction}, {"btn", groupAction}, {"bio", groupAuthor}, {"buy", groupPrice}, {"badge", groupLabel}},
	'c' - 'a': {{"comment", groupComment}, {"content", groupContent}, {"copyright", groupFooter}, {"cookie", groupCookie}, {"consent", groupCookie}, {"card", groupCard}, {"cart", groupPrice}, {"categor", groupCategory}, {"code", groupCode}, {"caption", groupQuote}, {"contact", groupContact}, {"cta", groupAction}, {"carousel", groupGallery}, {"collapse", groupAccordion}, {"cmp", groupCookie}, {"ccpa", groupCookie}},
	'd' - 'a': {{"desc", groupDescription}, {"detail", groupDescription}, {"discuss", groupComment}, {"date", groupDate}, {"doc", groupDocs}, {"dialog", groupDialog}, {"dropdown", groupMenu}, {"disclaim", groupFooter}, {"didomi", groupCookie}, {"donat", groupPromo}},
	'e' - 'a': {{"entry", groupEntry}, {"excerpt", groupDescription}, {"event", groupCard}},
	'f' - 'a': {{"foot", groupFooter}, {"filter", groupFilter}, {"facet", groupFilter}, {"faq", groupQuestion}, {"feature", groupFeature}, {"follow", groupFollow}, {"form=", groupForm}, {"feed", groupCard}, {"feedback", groupForm}},
	'g' - 'a': {{"grid", groupCard}, {"gallery", groupGallery}, {"gdpr", groupCookie}},
	'h' - 'a': {{"header", groupHeader}, {"hero", groupFeature}, {"hidden", groupHidden}, {"hide", groupHidden}, {"head=", groupHeader}, {"headline", groupTitle}, {"highlight", groupCode}},
	'i' - 'a': {{"item", groupList}, {"intro", groupDescription}, {"info=", groupDescription}},
	'l' - 'a': {{"list", groupList}, {"login", groupForm}, {"logo", groupLogo}, {"legal", groupFooter}, {"link", groupLink}, {"label", groupLabel}, {"lead", groupDescription}},
	'm' - 'a': {{"menu", groupMenu}, {"main", groupContent}, {"meta", groupDate}, {"message", groupPost}, {"modal", groupDialog}, {"more=", groupRelated}, {"markdown", groupDocs}, {"masthead", groupHeader}, {"mobile", groupHidden}, {"member", groupUser}},
	'n' - 'a': {{"nav", groupMenu}, {"newsletter", groupNewsletter}, {"note", groupNotice}, {"notice", groupNotice}, {"next=", groupPager}},
	'o' - 'a': {{"overlay", groupDialog}, {"onetrust", groupCookie}},
	'p' - 'a': {{"post", groupPost}, {"product", groupProduct}, {"price", groupPrice}, {"promo", groupPromo}, {"pagin", groupPager}, {"pager", groupPager}, {"popup", groupDialog}, {"popular", groupRelated}, {"privacy", groupCookie}, {"prev=", groupPager}, {"profile", groupUser}, {"partner", groupPartner}, {"plan", groupPricing}, {"pricing", groupPricing}, {"prose", groupContent}},
	'q' - 'a': {{"question", groupQuestion}, {"quote", groupQuote}},
	'r' - 'a': {{"related", groupRelated}, {"recommend", groupRelated}, {"repl", groupComment}, {"review", groupReview}, {"rating", groupReview}, {"result", groupList}, {"rich", groupContent}, {"rte=", groupContent}, {"row=", groupList}},
	's' - 'a': {{"sidebar", groupSidebar}, {"side=", groupSidebar}, {"sidenav", groupSidebar}, {"social", groupFollow}, {"share", groupFollow}, {"sharing", groupFollow}, {"search", groupFilter}, {"sponsor", groupPromo}, {"subscri", groupNewsletter}, {"signup", groupNewsletter}, {"sign=", groupForm}, {"summary", groupDescription}, {"similar", groupRelated}, {"story", groupArticle}, {"skip", groupHidden}, {"sr=", groupHidden}, {"star", groupReview}, {"spec", groupDescription}, {"signature", groupUser}, {"slide", groupGallery}, {"sort", groupFilter}, {"section", groupBody}},
	't' - 'a': {{"tag", groupCategory}, {"title", groupTitle}, {"text", groupContent}, {"toc", groupBreadcrumb}, {"tab=", groupAccordion}, {"tabs=", groupAccordion}, {"thread", groupPost}, {"topic", groupPost}, {"trend", groupRelated}, {"time", groupDate}, {"tool", groupAction}, {"toolbar", groupAction}, {"testimonial", groupPartner}, {"team", groupPartner}, {"tooltip", groupHidden}},
	'u' - 'a': {{"user", groupUser}},
	'v' - 'a': {{"visually", groupHidden}, {"video", groupGallery}},
	'w' - 'a': {{"widget", groupSidebar}, {"wysiwyg", groupContent}, {"wishlist", groupPrice}},
}

type groupPrefix struct {
	prefix string
	group  uint8
}

// wholePrefix is a prefix without its '='.
type wholePrefix struct {
	groupPrefix
	whole bool // it is the whole token
}

// groupsByTwo has the rows of groups by their first two letters: there are few of each.
var groupsByTwo = sync.OnceValue(func() *[26][26][]wholePrefix {
	var out [26][26][]wholePrefix
	for i, list := range groups {
		for _, g := range list {
			prefix, whole := strings.CutSuffix(g.prefix, "=")
			second := prefix[1] - 'a'
			out[i][second] = append(out[i][second], wholePrefix{groupPrefix{prefix, g.group}, whole})
		}
	}
	return &out
})

// groupOf returns the group of a token of two characters or more, as a set; 0 for none.
func groupOf(tok []byte) uint64 {
	first, second := tok[0]-'a', tok[1]-'a'
	if first >= 26 || second >= 26 { // bytes are unsigned
		return 0
	}
	list := groupsByTwo()[first][second]
	for i := range list {
		g := &list[i]
		if n := len(g.prefix); len(tok) >= n && string(tok[:n]) == g.prefix && (!g.whole || len(tok) == n) {
			return 1 << g.group
		}
	}
	return 0
}

// mark computes what an element adds to its ancestors' marks and its
// signature, and returns the index of its marks.
func (seg *Segmentation) mark(n *html.Node, parent int32, depth int32, e *element) int32 {
	var k markList
	t := tags[n.DataAtom]
	e.tag = t.code
	if t.marked {
		k.add(t.mark)
	}
	if n.DataAtom == 0 && strings.IndexByte(n.Data, '-') > 0 {
		k.add(markCustom)
	}
	class, id := k.attributes(n, e)
	if e.hidden {
		k.add(markHidden)
	}
	names := seg.names(class)
	e.part = e.part || names.part && n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article
	e.lex = names.lex
	e.kin = tagHash(n.Data)
	e.sig = e.kin + names.sum
	e.kin += names.first
	groups := names.groups
	if id != "" {
		own := seg.tokens(id)
		e.lex.merge(&own.lex)
		groups |= own.groups
	}
	if k.n == 0 && groups == 0 {
		return parent
	}
	at := uint8(min(depth, maxMarkDepth)) + 1
	key := recentMarks{parent: parent, at: at, list: k, groups: groups}
	slot := &seg.recent[(uint64(parent)+groups^groups>>17+uint64(k.list[0]))%uint64(len(seg.recent))]
	if key.index = slot.index; *slot == key {
		return slot.index
	}
	m := seg.marks[parent]
	for _, x := range k.list[:k.n] {
		m[x] = at
	}
	m.setGroups(groups, at)
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
	list   markList
	groups uint64
	index  int32
}

// markList collects the marks of one element; more than eight are not kept.
type markList struct {
	list [8]uint8
	n    int
}

func (k *markList) add(mark uint8) {
	if k.n < len(k.list) {
		k.list[k.n] = mark
		k.n++
	}
}

// attributes reads the attributes of an element: their marks, whether it is
// hidden, and its class and id.
func (k *markList) attributes(n *html.Node, e *element) (class, id string) {
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "class":
			class = a.Val
		case "id":
			id = a.Val
		case "role":
			if m, ok := roleMark(a.Val); ok {
				k.add(m)
			}
		case "itemprop":
			k.add(markItemprop)
			switch a.Val {
			case "articleBody", "text", "description", "reviewBody", "mainContentOfPage":
				k.add(markItempropBody)
			case "recipeIngredient", "ingredients", "recipeInstructions", "acceptedAnswer":
				e.part = true
			}
		case "itemtype":
			k.itemType(a.Val)
			e.item = true
		case "hidden":
			e.hidden = true
		case "aria-hidden":
			if a.Val == "true" {
				k.add(markHidden)
			}
		case "style":
			e.hidden = e.hidden || hidesInline(a.Val)
		}
	}
	return class, id
}

// itemType adds the mark of a type of microdata.
func (k *markList) itemType(t string) {
	if strings.Contains(t, "Product") {
		k.add(markProduct)
	} else if strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "BlogPosting") {
		k.add(markItempropBody)
	}
}

func tagHash(name string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * fnvPrime
	}
	return h
}

// setGroups marks the groups of a set; at is the depth plus one.
func (m *marks) setGroups(set uint64, at uint8) {
	for g := 0; set != 0; g, set = g+1, set>>1 {
		if set&1 != 0 {
			m[firstGroup+g] = at
		}
	}
}

// names is the result of reading a class or id attribute.
type names struct {
	sum    uint64 // order-free hash of the tokens
	first  uint64 // hash of the first token
	groups uint64
	lex    lexStat
	part   bool // of ingredients
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
		n.groups |= groupOf(tok)
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

// tag is the data about a tag that features use.
type tag struct {
	// code is the number that the model knows the tags by that hold text; 0: any
	// other.
	code uint8
	// mark is the kind of ancestor, where marked says that it is one.
	mark   uint8
	marked bool
}

var tags = map[atom.Atom]tag{
	atom.Article:    {code: 14, mark: markArticle, marked: true},
	atom.Main:       {code: 24, mark: markMain, marked: true},
	atom.Nav:        {code: 27, mark: markNav, marked: true},
	atom.Header:     {code: 22, mark: markHeader, marked: true},
	atom.Footer:     {code: 23, mark: markFooter, marked: true},
	atom.Aside:      {mark: markAside, marked: true},
	atom.Form:       {code: 26, mark: markForm, marked: true},
	atom.Ul:         {code: 28, mark: markUl, marked: true},
	atom.Ol:         {code: 28, mark: markOl, marked: true},
	atom.Li:         {code: 3, mark: markLi, marked: true},
	atom.Table:      {mark: markTable, marked: true},
	atom.Td:         {code: 4, mark: markTd, marked: true},
	atom.Th:         {code: 5, mark: markTh, marked: true},
	atom.Pre:        {code: 17, mark: markPre, marked: true},
	atom.Blockquote: {code: 18, mark: markQuote, marked: true},
	atom.Figure:     {mark: markFigure, marked: true},
	atom.Figcaption: {code: 19, mark: markCaption, marked: true},
	atom.Caption:    {code: 30, mark: markCaption, marked: true},
	atom.Section:    {code: 13, mark: markSection, marked: true},
	atom.Details:    {mark: markDetails, marked: true},
	atom.Summary:    {code: 21, mark: markDetails, marked: true},
	atom.Button:     {code: 12, mark: markButton, marked: true},
	atom.A:          {code: 29, mark: markLink, marked: true},
	atom.H1:         {code: 6, mark: markHeading, marked: true},
	atom.H2:         {code: 7, mark: markHeading, marked: true},
	atom.H3:         {code: 8, mark: markHeading, marked: true},
	atom.H4:         {code: 9, mark: markHeading, marked: true},
	atom.H5:         {code: 10, mark: markHeading, marked: true},
	atom.H6:         {code: 10, mark: markHeading, marked: true},
	atom.Dl:         {mark: markDl, marked: true},
	atom.P:          {code: 1, mark: markP, marked: true},
	atom.Label:      {mark: markLabel, marked: true},
	atom.Fieldset:   {mark: markLabel, marked: true},
	atom.Dialog:     {mark: markDialog, marked: true},
	atom.Address:    {mark: markAddress, marked: true},
	atom.Div:        {code: 2},
	atom.Dt:         {code: 15},
	atom.Dd:         {code: 16},
	atom.Body:       {code: 25},
	atom.Legend:     {code: 30},
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
