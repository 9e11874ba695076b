// Package page provides the document model: the value that every source of content
// produces and every output format is made from.
//
// HTML, PDF, feeds, office files, data and rendered browser pages become a [Page];
// Markdown, text, outlines, sections, selections, diffs and citations are made
// from it. This package only has types: it does not parse, fetch or format.
//
//	p := &page.Page{
//		URL:  "https://example.com/",
//		Type: page.Article,
//		Meta: page.Meta{Title: "Example"},
//		Blocks: []page.Block{
//			{Kind: page.Heading, Level: 1, Inlines: []page.Inline{{Kind: page.Text, Text: "Example"}}},
//		},
//	}
//
// The block model follows Pandoc's document model: a tree of [Block] values
// whose leaves hold [Inline] values. It is a superset of CommonMark with GFM
// tables, so that a Markdown rendering loses nothing that Markdown can say.
//
// # Guarantees
//
// A Page is plain data: it has no reference to the bytes or the tree that it was
// made from. It is safe for concurrent reads.
// All text is valid UTF-8 without C0 or C1 control characters other than tab
// and newline. All link and image addresses are absolute and have the scheme
// http or https, or mailto and tel in links.
//
// # Limits
//
// Blocks are nested at most [MaxDepth] deep, so that recursive walks are safe.
package page

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/result"
)

// MaxDepth is the maximum nesting of blocks within blocks, and of inlines within
// inlines. Producers flatten deeper nesting without losing text.
const MaxDepth = 64

// Page is the content of one address.
type Page struct {
	// URL is the final address, after redirects. It is the base of relative
	// addresses on the page.
	URL string
	// Type is the kind of the page. The zero value is Other.
	Type Type
	// Meta is what the page states about itself.
	Meta Meta
	// Facts are what the page's data says about its subject, nil for nothing. They are
	// not content.
	Facts *facts
	// Method says how Blocks were chosen.
	Method method
	// Verdict says whether Blocks are the content of the page.
	Verdict Verdict
	// Missing are the signs that content of the page is not in Blocks; nil for none.
	// See [Page.Miss].
	Missing []Sign
	// Shell says why the page's scripts probably add content that its bytes do not
	// have; "" for most pages. It is independent of Verdict: there can be content
	// all the same.
	Shell Shell
	// Blocks is the content in reading order: the main content, or the whole body
	// when the caller asked for it or no main content was found.
	Blocks []Block
	// Links are the links of the whole page, navigation included, each address
	// once, in the order of first appearance.
	Links []Link
	// Routes are the links to views that scripts make of one page, each once: addresses
	// whose fragment [IsRoute].
	Routes []Link
	// Scripted are addresses that the page's scripts lead to when an element is clicked.
	Scripted []string
	// Scripts reports whether the page runs scripts.
	Scripts bool
	// Omissions count what was left out of Blocks, by reason. Each kind occurs once.
	Omissions []Omission
	// OmittedText counts the text that an HTML page shows and Blocks do not contain:
	// not navigation, and not what sites repeat.
	OmittedText OmittedText
	// FromData reports that the page shows almost nothing, and that Blocks come
	// from data in its scripts.
	FromData bool
	// SheetsRead reports whether text that style sheets hide was left out too: all
	// sheets of the page are embedded in it, and all of them were read.
	SheetsRead bool
	// Judged reports whether a browser has said which text is painted.
	Judged bool
	// Recognized counts the pages of a document whose text was recognized in pictures.
	// Unrecognized is why other pictures have no text; "" where all have.
	Recognized   int
	Unrecognized string
}

// Type is the kind of a page, in the type of the public answers.
type Type = result.PageType

// The types of pages.
const (
	Article       = result.PageArticle
	Documentation = result.PageDocumentation
	Service       = result.PageService
	Forum         = result.PageForum
	Collection    = result.PageCollection
	Listing       = result.PageListing
	Product       = result.PageProduct
	Document      = result.PageDocument
	Feed          = result.PageFeed
	Data          = result.PageData
	Image         = result.PageImage
	Source        = result.PageSource
	Other         = result.PageOther
)

// facts are those of the public answers.
type facts = result.Facts

// OmittedText is that of the public answers.
type OmittedText = result.Omitted

// method tells how the blocks of a page were chosen.
type method string

const (
	// MethodSpyhop means that the block model found the main content.
	MethodSpyhop method = "spyhop"
	// MethodWholeBody means the whole body: no main content was found, or the
	// caller asked for everything.
	MethodWholeBody method = "whole_body"
	// MethodTokens means the text of the tokenizer: no tree could be built.
	MethodTokens method = "tokens"
	// MethodDocument means a format other than HTML, of which everything is kept.
	MethodDocument method = "document"
)

// Verdict says whether Blocks are the page's content, in the type of the public
// answers.
type Verdict = result.Verdict

// The verdicts. The first three are success.
const (
	Complete      = result.VerdictComplete
	Partial       = result.VerdictPartial
	Thin          = result.VerdictThin
	LoginWall     = result.VerdictLoginWall
	Challenge     = result.VerdictChallenge
	EmptyShell    = result.VerdictEmptyShell
	RateLimited   = result.VerdictRateLimited
	RefusedBySite = result.VerdictRefusedBySite
	Dead          = result.VerdictDead
)

// Sign is a sign that content of a page is missing: what the page says or shows of it.
type Sign struct {
	Kind SignKind
	// From and To are the first and the last record that the page says it shows, of Of
	// in all: of results, pages, replies. 0 where the page does not say it.
	From, To, Of int
	// Noun is what the page calls the records; "" unknown.
	Noun string
	// URL is the address of the next page, absolute; "" unknown.
	URL string
}

// SignKind is what a [Sign] is about. The set is closed.
type SignKind string

// The kinds of signs. Those of the first group make the content partial, those of the
// second one thin.
const (
	MissingRecords  SignKind = "records"  // the page says that it shows a part of its records
	MissingPages    SignKind = "pages"    // it is one of several pages, or another one follows
	MissingButton   SignKind = "button"   // a button loads more of its list
	MissingReplies  SignKind = "replies"  // it counts more replies or comments than it has
	MissingEnd      SignKind = "end"      // its markup breaks off
	MissingBytes    SignKind = "bytes"    // its body was not read to the end
	MissingNodes    SignKind = "nodes"    // it has more elements than are read
	MissingLinks    SignKind = "links"    // addresses of links are left out
	MissingTree     SignKind = "tree"     // only its words could be read
	MissingParts    SignKind = "parts"    // a document has more than is read
	MissingValues   SignKind = "values"   // only an outline of the data is given
	MissingText     SignKind = "text"     // pages of a document are pictures
	MissingLoad     SignKind = "load"     // the browser read it before it had loaded
	MissingComments SignKind = "comments" // its scripts bring the comments that are wanted
	MissingScroll   SignKind = "scroll"   // it brings more when it is scrolled
	MissingMore     SignKind = "more"     // it shows more text than its content has, see OmittedText

	MissingPaid     SignKind = "paid"     // its text goes on for subscribers
	MissingGate     SignKind = "gate"     // it asks for an age or for consent first
	MissingDoubt    SignKind = "doubt"    // its heading is that of an error, its text is about something else
	MissingAccount  SignKind = "account"  // its text goes on for people who sign in
	MissingResults  SignKind = "results"  // it says that its list holds nothing
	MissingScripts  SignKind = "scripts"  // its scripts bring the content
	MissingFrames   SignKind = "frames"   // its content stands in other pages
	MissingDrawings SignKind = "drawings" // only drawings and controls have text
	MissingCanvas   SignKind = "canvas"   // a script draws it on a canvas
	MissingMain     SignKind = "main"     // only its menus and its footer have text
	MissingContent  SignKind = "content"  // it was read for its links or data, and shows no text
)

// Verdict returns what a page with such a sign is.
func (k SignKind) Verdict() Verdict {
	switch k {
	case MissingPaid, MissingDoubt, MissingAccount, MissingGate, MissingResults, MissingScripts, MissingFrames, MissingDrawings, MissingCanvas, MissingMain, MissingContent:
		return Thin
	}
	return Partial
}

// Miss adds a sign, the first one of its kind, and lowers a verdict of success to what
// the sign makes of the page.
func (p *Page) Miss(s Sign) {
	for i := range p.Missing {
		if p.Missing[i].Kind == s.Kind {
			return
		}
	}
	p.Missing = append(p.Missing, s)
	if p.Verdict.Success() && p.Verdict != Thin {
		p.Verdict = s.Kind.Verdict()
	}
}

// Shell is a reason to run a page's scripts.
type Shell string

// The reasons, the strongest first.
const (
	ShellEmpty    Shell = "empty"    // only a frame, or a text such as "Loading"
	ShellRoot     Shell = "root"     // the element that scripts fill is empty
	ShellUnlikely Shell = "unlikely" // no block is likely to be content
	ShellWaiting  Shell = "waiting"  // placeholders and little content
	ShellComments Shell = "comments" // comments are wanted, and their section is empty
)

// Meta is what a page states about itself. Empty fields are unknown.
type Meta struct {
	Title     string
	Byline    string // the authors' names, separated by ", "
	Published string // ISO 8601 date, with time and offset where the page gives them
	Modified  string // as Published
	Language  string // BCP 47 tag, for example "en" or "pt-BR"
	SiteName  string
	Excerpt   string
	Licence   string   // an address or a name
	Canonical string   // the canonical URL that the page declares, absolute
	Image     string   // the lead image, absolute
	Feeds     []string // the feeds that the page declares, absolute; at most 8
	// Others are the pages that the head names as the next or the previous one, or as this
	// one in another form or language (RFC 8288), absolute; at most 64.
	Others []string
}

// Kind is the kind of a Block.
type Kind uint8

// The kinds of blocks, with the fields of Block that each uses.
const (
	Paragraph      Kind = iota // Inlines
	Heading                    // Level, Inlines, ID
	Code                       // Text, Lang: verbatim, without the final newline
	Quote                      // Children
	List                       // Ordered, Start, Loose, Children (each an Item)
	Item                       // Children, Check
	DefinitionList             // Children: Term and Definition blocks in order
	Term                       // Inlines
	Definition                 // Children
	TableBlock                 // Table
	Rule                       // nothing
	Math                       // Text: TeX of a displayed formula, without delimiters
	Footnote                   // ID (as in the FootnoteRef), Children
	Group                      // Children, Label: another unit, such as a post or a tab panel
)

// Check is the state of a task-list item.
type Check uint8

const (
	noCheck Check = iota
	Unchecked
	Checked
)

// Block is one block of content. Which fields are meaningful depends on Kind;
// the others are zero. The small fields share one word: a page can have hundreds of
// thousands of blocks.
type Block struct {
	Kind     Kind
	Mark     Mark  // Paragraph, Heading, Group: when a person sees it
	Check    Check // Item: the box to tick
	Ordered  bool  // List
	Loose    bool  // List: the items are paragraphs
	Level    int   // Heading: 1 to 6
	Inlines  []Inline
	Children []Block
	Text     string
	Lang     string // Code: the language's name in lower case, or ""
	Table    *Table
	Start    int    // List: the first number of an ordered list
	ID       string // Heading, Term: the anchor; Footnote: its label
	Label    string // Group: a heading-like label of the unit, or empty
}

// Mark says that a person sees a block that was kept only later.
type Mark uint8

// The marks.
const (
	NoMark    Mark = iota
	Collapsed      // hidden until a control of the page is used: details, a tab, an accordion
)

// String returns a mark as content has it, "" for NoMark.
func (m Mark) String() string {
	if m == Collapsed {
		return "(collapsed)"
	}
	return ""
}

// InlineKind is the kind of an Inline.
type InlineKind uint8

// The kinds of inlines, with the fields of Inline that each uses.
const (
	Text        InlineKind = iota // Text
	Emphasis                      // Children
	Strong                        // Children
	Strike                        // Children
	Sub                           // Children
	Sup                           // Children
	CodeSpan                      // Text
	LinkInline                    // URL, Title, Children
	ImageInline                   // URL ("" for embedded data), Title, Text (the alternative text)
	MathInline                    // Text: TeX without delimiters
	Break                         // nothing: a line break of the author
	FootnoteRef                   // Text: the label
)

// Inline is a run of text or a mark within a block. White space in Text is already
// collapsed as in HTML: no two consecutive spaces, no newline.
type Inline struct {
	Kind     InlineKind
	Text     string
	URL      string
	Title    string
	Children []Inline
}

// Table is a table as on the page: rows of cells with spans. Renderers make it
// rectangular.
type Table struct {
	Caption []Inline
	// HeaderRows is the number of leading rows that are column headers.
	HeaderRows int
	// Align has the alignment of the first columns; nil or a shorter slice leaves
	// the others at the default.
	Align []Align
	Rows  [][]Cell
}

// Align is the alignment of a table column.
type Align uint8

const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Cell is one table cell.
type Cell struct {
	Blocks           []Block // mostly one Paragraph
	Header           bool
	ColSpan, RowSpan int // at least 1; producers clamp to 1000 and 65534
}

// Link is one address that the page links to.
type Link struct {
	URL   string // absolute, http or https, without fragment
	Text  string // of the first appearance: its text, else alt, label, title, last path segment
	Count int    // how often the page links to it
}

// Found are the links that lead on from a page: Links, and those that only its head or its
// scripts have.
func (p *Page) Found() []Link {
	out := slices.Clip(p.Links)
	for _, list := range [][]string{p.Meta.Others, p.Scripted} {
		for _, u := range list {
			out = append(out, Link{URL: u, Count: 1})
		}
	}
	return out
}

// IsRoute reports whether a fragment names a view of a page that scripts make, "/a" or "!a",
// and not a place in it.
func IsRoute(fragment string) bool {
	return strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") && len(fragment) > 1
}

// Omission counts what was left out of the blocks for one reason.
type Omission struct {
	Kind  OmissionKind
	Count int
}

// OmissionKind is the reason of an Omission.
type OmissionKind string

// The kinds of omissions.
const (
	// Elements that the page hides from people, by the way in which it hides them.
	HiddenDisplay    OmissionKind = "display"
	HiddenVisibility OmissionKind = "visibility"
	HiddenOpacity    OmissionKind = "opacity"
	HiddenSize       OmissionKind = "zero_size"
	HiddenOffScreen  OmissionKind = "off_screen"
	HiddenColor      OmissionKind = "same_color"
	HiddenClip       OmissionKind = "clip"
	HiddenComments   OmissionKind = "comments"

	HiddenCharacters OmissionKind = "invisible"  // invisible or control characters removed
	OmittedNesting   OmissionKind = "flattened"  // elements beyond the nesting limit, text kept
	OmittedAttrs     OmissionKind = "attributes" // attributes beyond the limit
	OmittedNodes     OmissionKind = "nodes"      // the page has more nodes than the limit: the rest was not read
	OmittedRest      OmissionKind = "truncated"  // the body ended before the document did
	OmittedDataURI   OmissionKind = "data_uri"   // embedded data that was dropped
	RelativeLinks    OmissionKind = "relative"   // links that stay relative, because the document's URL is not known
	OmittedPages     OmissionKind = "textless"   // pages of a document that hold no text, probably pictures
)

// HiddenKinds returns the kinds that count what the page hides from people.
func HiddenKinds() []OmissionKind {
	return []OmissionKind{HiddenDisplay, HiddenVisibility, HiddenOpacity, HiddenSize, HiddenOffScreen, HiddenColor, HiddenClip, HiddenComments, HiddenCharacters}
}

// Hidden returns the sum of the counts of all hidden kinds.
func (p *Page) Hidden() int {
	n := 0
	for _, k := range HiddenKinds() {
		n += p.Omitted(k)
	}
	return n
}

// Omitted returns the count of kind k, 0 when nothing of that kind was left out.
func (p *Page) Omitted(k OmissionKind) int {
	for _, o := range p.Omissions {
		if o.Kind == k {
			return o.Count
		}
	}
	return 0
}

// Omit adds n to the count of kind k.
func (p *Page) Omit(k OmissionKind, n int) {
	if n == 0 {
		return
	}
	for i := range p.Omissions {
		if p.Omissions[i].Kind == k {
			p.Omissions[i].Count += n
			return
		}
	}
	p.Omissions = append(p.Omissions, Omission{k, n})
}

// InlineText returns the text of inlines without marks and without the alternative
// texts of images.
func InlineText(in []Inline) string {
	var b strings.Builder
	inlineText(&b, in)
	return strings.TrimSpace(b.String())
}

func inlineText(b *strings.Builder, in []Inline) {
	for i := range in {
		switch in[i].Kind {
		case Text, CodeSpan, MathInline:
			b.WriteString(in[i].Text)
		case Break:
			b.WriteByte(' ')
		default:
			inlineText(b, in[i].Children)
		}
	}
}
