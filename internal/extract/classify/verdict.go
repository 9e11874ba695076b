// Package classify provides the content verdict of a page (its content, or a
// captcha, an error and so on), whether its scripts would add content, and its type.
//
//	verdict, why := classify.Judge(doc, head, seg, weights, stated)
//	signs := classify.Missing(read)
//	shell := classify.ShellOf(doc, verdict, weights, kind)
//	kind := classify.PageType(scores, stated)
//
// verdict.go distinguishes content from a captcha, a login form, an error, or a
// shell that waits for its scripts; its phrases and marks are in verdict.txt. It
// examines only pages with few words that the model takes for content. The markup of
// known services decides first. Phrases decide second, and only if the page has
// little other text: a page about captchas has prose.
//
// missing.go looks for signs that content is missing, on every page: records that the
// page counts and does not show, a next page, a paywall. counter.go reads lines that
// count, nextpage.go finds the address of the next page.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use, and do not change the tree.
// To Judge, a page with more than 300 words of content is Complete.
//
// # Limits
//
// Phrases are those of the languages in verdict.txt. The first 4,000 elements are
// searched for marks.
package classify

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Words up to which a page is looked at, and up to which it is judged by what
// kind of evidence. "Good" words are those of blocks that the model takes for
// content, prose those of longer blocks that are not links and not surely
// boilerplate, such as the text of a cookie banner.
const (
	maxJudged   = 300  // good or chosen words: beyond, a page is content
	maxGood     = 150  // good words of a page without content
	markedProse = 250  // prose beside a mark: services explain themselves
	spokenProse = 60   // prose beside a phrase and no other evidence
	fewWords    = 60   // all words of a page where weak evidence is enough
	nearlyNone  = 9    // own words of a page where a common phrase is enough
	maxAsked    = 12   // own words of a page that is a form without a phrase
	fewTalk     = 14   // percent of the own text that is talk: below, it is about something
	muchTalk    = 25   // … from which on it is the site that speaks
	maxFrame    = 1000 // all words of a page that is only navigation
	maxSeen     = 4000
	maxHeads    = 4    // headings besides the main one: of a manual, a later one can be "Permission denied"
	maxField    = 200  // bytes of a label or attribute that is compared
	maxSaid     = 2000 // bytes of text that phrases are looked for in
)

// evidence is what the markup of a page indicates.
type evidence struct {
	marks    map[kind]bool
	widget   bool // a captcha that ordinary pages have as well, in the body
	class404 bool
	password bool // an input for a password or a one-time code
	form     bool // … outside of boilerplate
	writes   bool // a field for a longer text
	email    bool
	button   bool // something to press or to choose, outside of boilerplate
	nav      bool
	article  bool // the page calls itself an article, a product, a post
	tells    bool // the text below the headings is about something else than the site
	talks    bool // … is about the site and to its visitor
}

// Judge says whether the blocks of a page are its content. It gives Complete
// for all but few pages. For a thin page it says what is missing.
func Judge(doc *html.Node, h dom.Head, seg *blocks.Segmentation, w blocks.Weights, stated about.Hints) (page.Verdict, page.SignKind) {
	if w.Good > maxJudged || w.Chosen > maxJudged {
		return page.Complete, ""
	}
	d := verdictData()
	e := evidence{marks: make(map[kind]bool), article: isThing(stated)}
	e.look(doc, d)
	s := saidBy(seg, h.Title)
	if w.Own <= markedProse { // beyond, no phrase is enough
		percent, long := s.talk(d)
		e.tells, e.talks = long && percent < fewTalk && !e.class404, percent >= muchTalk
	}
	switch v := e.verdict(d, s, w); {
	case v == "":
	case v == page.Thin:
		return v, page.MissingAccount
	case e.tells && v != page.LoginWall && !e.marks[kindChallenge] && !e.marks[kindRefused] && !e.marks[kindDead]:
		return page.Thin, page.MissingDoubt // its text is given: a film can be called "Not found"
	default:
		return v, ""
	}
	if !e.article && w.Good <= fewWords {
		switch spoken := w.Prose <= spokenProse; {
		case e.consent(d, s, w), spoken && e.gate(d, s, w):
			return page.Thin, page.MissingGate
		case spoken && w.All <= 2*fewWords && (s.heading(d, kindThin) || saysAny(s.body, d.list(kindThin, "heading"))):
			return page.Thin, page.MissingPaid
		}
	}
	if dom.HasScript(doc) {
		switch v := e.withScripts(doc, d, s, seg, w); v {
		case page.Complete:
		case page.Thin:
			return v, page.MissingScripts
		default:
			return v, ""
		}
	}
	if seg.Len() > 0 && seg.AllChrome() && mostlyLinks(w) {
		return page.Thin, page.MissingMain
	}
	if stated.Paid || e.marks[kindThin] && (s.text(d, kindThin) || saysAny(s.body, d.lists["thin hint"])) {
		return page.Thin, page.MissingPaid
	}
	return page.Complete, ""
}

// withScripts gives the verdict on a page that scripts may complete. Of a
// page that is nearly all links a person may still see a list of links, when
// some are not in page chrome and nothing waits for the scripts: then the text
// is given, and not called complete.
func (e *evidence) withScripts(doc *html.Node, d *verdicts, s said, seg *blocks.Segmentation, w blocks.Weights) page.Verdict {
	switch {
	case seg.Len() == 0,
		w.All <= fewWords && !e.article && (w.Own <= nearlyNone && s.exact(d, kindShell) || s.text(d, kindShell)),
		w.All <= fewWords && w.Own <= nearlyNone && signsOf(doc).emptyRoot:
		return page.EmptyShell
	case w.Best >= blocks.FairChance || !mostlyLinks(w) || w.All > maxFrame:
		return page.Complete
	case seg.IsShort() && !seg.AllChrome() && signsOf(doc) == shellSigns{}:
		return page.Thin
	}
	return page.EmptyShell
}

// mostlyLinks reports whether a third of the text of a page is links: prose has fewer.
func mostlyLinks(w blocks.Weights) bool { return 3*w.Link >= w.Chars }

// verdict applies the rules in the order in which they exclude each other.
func (e *evidence) verdict(d *verdicts, s said, w blocks.Weights) page.Verdict {
	good, prose, all := w.Good, w.Prose, w.All
	if good > maxGood || prose > markedProse {
		return ""
	}
	marked := all <= maxJudged && !e.article // such pages have little around them
	form := e.password || e.email || e.writes
	spoken := prose <= spokenProse && good <= maxGood && !e.article
	says := func(k kind) bool {
		return spoken && (s.heading(d, k) || all <= fewWords && (w.Own <= nearlyNone || e.talks) && s.exact(d, k) || all <= 2*fewWords && s.text(d, k))
	}
	// The work on a bridge is news of a site, around which are its menus.
	away := spoken && (!e.nav || w.Own <= fewWords/3) && s.heading(d, kindAway)
	switch {
	case marked && e.marks[kindChallenge]:
		return page.Challenge
	case marked && e.marks[kindRefused]:
		return page.RefusedBySite
	case e.widget && !form && all <= fewWords/3, says(kindChallenge):
		return page.Challenge
	case says(kindRate):
		return page.RateLimited
	case says(kindRefused):
		return page.RefusedBySite
	case marked && e.marks[kindDead], says(kindDead), away, spoken && (s.main(d, kindGone)),
		e.class404 && !e.article && (s.heading(d, kindDead) || s.anywhere(d, kindDead)):
		return page.Dead
	case spoken && good <= fewWords:
		return e.login(d, s, w)
	}
	return ""
}

// gate reports whether a page asks for an age or for consent, and has nothing else. Pages about
// ages and games of such a name have the menus of their site around them and say more, or have
// nothing to press.
func (e *evidence) gate(d *verdicts, s said, w blocks.Weights) bool {
	if e.nav {
		return e.button && w.Own <= fewWords && (w.Own <= maxAsked || !e.tells) && s.main(d, kindGate)
	}
	return e.button && s.heading(d, kindGate) || w.All <= fewWords/2 && s.main(d, kindGate)
}

// consent reports whether a page asks for cookies, or for money instead, and has nothing
// else. A page with a banner also has a text of its own.
func (e *evidence) consent(d *verdicts, s said, w blocks.Weights) bool {
	return w.Prose <= markedProse && (w.Own <= fewWords && s.main(d, kindConsent) || e.talks && (s.heading(d, kindConsent) || s.text(d, kindConsent)))
}

// login gives the verdict on a page that asks to sign in: login_wall if it asks for
// a password or a code, and thin if it only says that a login is needed, or links
// to one.
func (e *evidence) login(d *verdicts, s said, w blocks.Weights) page.Verdict {
	prose, all := w.Prose, w.All
	heading := s.main(d, kindLogin) || prose == 0 && w.Own <= maxAsked && (e.form || !e.password) && slices.ContainsFunc(s.mains, func(h string) bool {
		return len(h) <= maxField && slices.ContainsFunc(d.lists["login_wall begin"], func(b string) bool { return strings.HasPrefix(h, b+" ") })
	})
	asks := s.text(d, kindLogin) && prose == 0
	switch {
	case e.password && (heading || asks || e.form && all <= fewWords && w.Own <= maxAsked):
		return page.LoginWall
	case heading && (e.email || all <= fewWords/2), asks && (e.email || all <= fewWords):
		return page.Thin
	}
	return ""
}

// isThing reports whether a page states that it is about something: an article, a product.
func isThing(h about.Hints) bool {
	switch h.OGType {
	case "article", "product", "book", "profile":
		return true
	}
	return slices.ContainsFunc(h.SchemaTypes, func(t string) bool {
		switch t {
		case "Product", "Recipe", "QAPage", "FAQPage", "HowTo":
			return true
		}
		return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting")
	})
}

// look walks the tree once, over as many elements as a page of few words has.
func (e *evidence) look(doc *html.Node, d *verdicts) {
	seen := 0
	for n := range dom.Below(doc) {
		if n.Type != html.ElementNode {
			continue
		}
		if seen++; seen > maxSeen {
			return
		}
		e.element(n, d)
	}
}

func (e *evidence) element(n *html.Node, d *verdicts) {
	switch n.DataAtom {
	case atom.Script:
		if n.FirstChild == nil {
			break
		}
		if dom.IsJSONLD(dom.Attr(n, "type")) {
			return
		}
		if s := n.FirstChild.Data; len(s) <= 64<<10 {
			e.mark(strings.ToLower(s[:min(len(s), 8<<10)]), d, false)
		}
	case atom.Nav:
		e.nav = true
	case atom.Button, atom.Select:
		e.button = e.button || !isFramed(n)
	case atom.Input, atom.Label:
		e.field(n, d)
	case atom.Textarea:
		e.writes = e.writes || !strings.Contains(strings.ToLower(dom.Attr(n, "name")), "captcha")
	case atom.Meta:
		if strings.EqualFold(dom.Attr(n, "http-equiv"), "refresh") {
			e.mark(strings.ToLower(dom.Attr(n, "content")), d, false)
		}
		return
	}
	e.attributes(n, d)
}

// field notes what an input or its label asks for.
func (e *evidence) field(n *html.Node, d *verdicts) {
	t := strings.ToLower(dom.Attr(n, "type"))
	e.button = e.button || t == "submit" && !isFramed(n)
	switch {
	case t == "password" || asksCode(n, d) || n.DataAtom == atom.Label && saysAny(dom.PlainWords(dom.NodeText(n, maxField)), d.lists["login_wall code"]):
		e.password, e.form = true, e.form || !isFramed(n)
	case t == "email" || dom.Attr(n, "autocomplete") == "username":
		e.email = true
	}
}

func (e *evidence) attributes(n *html.Node, d *verdicts) {
	for i := range n.Attr {
		a := &n.Attr[i]
		if len(a.Val) > 2000 {
			continue
		}
		switch a.Key {
		case "src", "action":
			e.mark(strings.ToLower(a.Val), d, n.DataAtom != atom.Script)
		case "id", "class":
			v := strings.ToLower(a.Val)
			e.mark(v, d, true)
			switch n.DataAtom {
			case atom.Html, atom.Body, atom.Main, atom.Section, atom.Div:
				d.inClass.Each(v, func(i int) bool {
					e.class404 = e.class404 || dom.HasToken(v, d.lists["dead class"][i])
					return !e.class404
				})
			}
		}
	}
}

// isFramed reports whether an element is within boilerplate: a form there is not the
// purpose of the page.
func isFramed(n *html.Node) bool {
	for a := n.Parent; a != nil; a = a.Parent {
		switch a.DataAtom {
		case atom.Header, atom.Nav, atom.Footer, atom.Aside:
			return true
		case atom.Main, atom.Article:
			return false
		}
	}
	return false
}

// asksCode reports whether an input is for a one-time code of a login.
func asksCode(n *html.Node, d *verdicts) bool {
	complete := strings.ToLower(dom.Attr(n, "autocomplete"))
	if complete != "" && complete != "off" && complete != "on" {
		return dom.HasToken(complete, "one-time-code")
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "name", "id", "placeholder", "aria-label":
			if len(a.Val) <= maxField && saysAny(dom.PlainWords(strings.ReplaceAll(a.Val, "_", " ")), d.lists["login_wall code"]) {
				return true
			}
		}
	}
	return false
}

// mark notes the marks in a string in lower case. widgets: it counts captchas that ordinary
// pages have too.
func (e *evidence) mark(v string, d *verdicts, widgets bool) {
	d.inMarkup.Each(v, func(i int) bool {
		if k := d.kinds[i]; k != "" {
			e.marks[k] = true
		} else {
			e.widget = e.widget || widgets
		}
		return true
	})
}

// said is the text of a page, normalized as phrases are.
type said struct {
	mains []string // the parts of the title and first-level headings
	heads []string // mains, the first other headings, and the first words
	body  string   // text outside of links, up to maxSaid bytes
	own   string   // of that, what is neither a heading nor in forms or boilerplate
}

// titleParts are the parts of a title in plain words, and all of it.
func titleParts(title string) (parts []string) {
	for rest := title; rest != ""; {
		var part string
		if part, rest = dom.CutTitle(rest); dom.PlainWords(part) != "" {
			parts = append(parts, dom.PlainWords(part))
		}
	}
	if whole := dom.PlainWords(title); whole != "" {
		parts = append(parts, whole)
	}
	return parts
}

func saidBy(seg *blocks.Segmentation, title string) said {
	s := said{mains: titleParts(title[:min(len(title), 400)])}
	var b, own strings.Builder
	for i, k := range seg.Blocks() {
		if i > 400 || b.Len() > maxSaid {
			break
		}
		if len(k.Text) > 4*maxSaid {
			continue
		}
		t := dom.PlainWords(string(k.Text))
		switch {
		case k.Level == 1:
			s.mains = append(s.mains, t)
		case (k.Level > 0 || i == 0) && len(s.heads) < maxHeads:
			s.heads = append(s.heads, t)
		}
		if !k.IsLink() && b.Len() < maxSaid {
			b.WriteString(" " + t)
			if k.Level == 0 && seg.IsOwn(i) {
				own.WriteString(" " + t)
			}
		}
	}
	s.heads = append(s.heads, s.mains...)
	s.body, s.own = b.String()+" ", own.String()
	return s
}

// talk says how much of the page's own text is words with which a site speaks about itself
// and to its visitor, in percent. long: the text is longer than the sentence that repeats
// a heading.
func (s said) talk(d *verdicts) (percent int, long bool) {
	const sentence = 70 // letters; a character of Chinese or Japanese is as long as three
	all, talk := 0, 0
	for w := range strings.FieldsSeq(s.own) {
		first, _ := utf8.DecodeRuneInString(w)
		if text.IsCJK(first) {
			all += len(w)
			for _, t := range d.lists["talk word"] {
				if first, _ = utf8.DecodeRuneInString(t); text.IsCJK(first) {
					talk += len(t) * strings.Count(w, t)
				}
			}
			continue
		}
		n := utf8.RuneCountInString(w)
		all += n
		if slices.ContainsFunc(d.lists["talk word"], func(t string) bool { return w == t || len(t) > 3 && strings.HasPrefix(w, t) }) {
			talk += n
		}
	}
	return 100 * talk / max(all, 1), all > sentence
}

// heading reports whether a phrase of a kind is most of a heading.
func (s said) heading(d *verdicts, k kind) bool { return most(s.heads, d.list(k, "heading")) }

// main is heading for only the title and the first-level headings.
func (s said) main(d *verdicts, k kind) bool { return most(s.mains, d.list(k, "heading")) }

func most(heads, phrases []string) bool {
	for _, h := range heads {
		if len(h) > 300 {
			continue
		}
		for _, p := range phrases {
			if dom.HoldsWords(h, p) && 10*len(p) >= 6*len(h) {
				return true
			}
		}
	}
	return false
}

// exact reports whether a phrase of a kind is all of a heading.
func (s said) exact(d *verdicts, k kind) bool {
	for _, h := range s.heads {
		for _, p := range d.list(k, "exact") {
			if h == p {
				return true
			}
		}
	}
	return false
}

// anywhere reports whether a phrase of a kind is a whole heading or is in the
// text.
func (s said) anywhere(d *verdicts, k kind) bool { return s.exact(d, k) || s.text(d, k) }

// text reports whether a phrase of a kind is in the text.
func (s said) text(d *verdicts, k kind) bool {
	return saysAny(s.body, d.list(k, "text"))
}

func saysAny(s string, phrases []string) bool {
	for _, p := range phrases {
		if dom.HoldsWords(s, p) {
			return true
		}
	}
	return false
}
