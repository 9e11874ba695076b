// Package extract provides the engine that turns the bytes of a document into
// a [page.Page]: its main content as blocks, its metadata, its links.
//
//	p, err := extract.HTML(body, extract.Options{URL: "https://example.com/post"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(p.Type, p.Meta.Title, len(p.Blocks))
//
// An HTML page goes through five stages, methods of reading (html.go):
//
//   - See: dom parses it and removes what css says is hidden.
//   - Score: blocks cuts the body into blocks, of which a model gives each its probability.
//   - Region, Clean and Close: blocks finds the main region, drops what is surely boilerplate
//     in it, keeps what kept text points at, and counts what is left out.
//
// Beside them, about reads what the page says about itself and the data of pages that show
// next to nothing, and classify distinguishes content from what is in its place. convert
// makes the blocks of the page. No stage imports a later one. document.go has the other formats, of which packages document and pdf read most.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use: bytes in, values out; no
// network, files, clock or randomness. Time and memory are linear in the input
// up to the limits below, and every input gives a page or an [Error], never a
// panic. A page on which no main content is found comes whole, and its Method
// says so; one that stands in the place of content, for example a captcha, gives an
// Error with its Verdict.
//
// # Limits
//
// 120,000 start tags, 510 levels, 256 attributes a tag and 32 KiB an attribute are
// read; what goes beyond is left out and counted in the page's omissions. Bodies
// must be valid UTF-8 (package fetch sees to that); invalid bytes come out as
// U+FFFD. Scripts are not run; the data in them is read where the page shows next
// to nothing.
package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Options steer an extraction. The zero value reads the main content.
type Options struct {
	// URL is the address of the document: the base of relative links, and a
	// hint for the page type. It may be empty; then relative links are left
	// out.
	URL string
	// Charset is the encoding that the document was sent in, which the queries of its links
	// are written in; "" means UTF-8.
	Charset string
	// Whole takes the whole body instead of the main content.
	Whole bool
	// Comments says what becomes of readers' comments; the zero value leaves
	// them out on articles.
	Comments Comments
	// Selector limits the content to the elements that a CSS selector fits;
	// empty for no limit. Only HTML and Markdown documents have elements.
	Selector *Selector
	// Exclude removes the elements that a CSS selector matches, before anything else is
	// decided; nil removes nothing. It never removes the body.
	Exclude *Selector
	// Static says that no script runs in the document, so that nothing in it
	// waits to be shown: a part of an answer, not a page.
	Static bool
	// Judged says that the document is HTML from a browser, with marks at the text that a
	// person does not see ([text.OwnMark]). False where anybody else has written it.
	Judged bool
	// Stop is asked between the stages and within those that may take long: an
	// error ends the reading, which returns it. A context's Err fits. nil is
	// never asked.
	Stop func() error
	// Elsewhere gives a request, in parts, to a process that answers it with
	// [Serve], and returns the reply: documents that are [Isolated] are read
	// there. Its error ends the reading. nil reads them in this process.
	Elsewhere func(request ...[]byte) (reply []byte, err error)
	// Recognize returns the paragraphs of text in a picture; language is a BCP 47 tag, or
	// "". It gets pictures, and those of PDF pages without text. nil: they have no text.
	Recognize func(picture []byte, language string) ([]string, error)

	scans *[]scan // takes the pictures of pages without text; may be nil
	spent *spent  // by the parts of a document that were read before; nil for a document
}

// spent is what the parts of a document take from budgets that they share: an attacker
// would else write many parts.
type spent struct {
	sheets   int // steps of style sheets
	markdown int // steps of paragraphs
}

func (s *spent) ofSheets() *int {
	if s == nil {
		return new(int)
	}
	return &s.sheets
}

func (s *spent) ofMarkdown() *int {
	if s == nil {
		return new(int)
	}
	return &s.markdown
}

// stopped asks Stop.
func (o Options) stopped() error {
	if o.Stop == nil {
		return nil
	}
	return o.Stop()
}

// errorCode is the closed set of reasons for which nothing can be extracted.
type errorCode uint8

const (
	// Unsupported: no reader for this media type.
	Unsupported errorCode = iota + 1
	// NoContent: the document holds no text.
	NoContent
	// malformed: the document breaks the rules of its type, or is locked.
	malformed
	// BadSelector: Options.Selector cannot be read, or asks for too much.
	BadSelector
	// NoMatch: Options.Selector fits nothing that is shown.
	NoMatch
	// TooLarge: the document unpacks to more than is read.
	TooLarge
)

// Error says why a document gave no page.
type Error struct {
	Code      errorCode
	MediaType string
	// Verdict says, with NoContent, what stands in the place of content; may be
	// empty.
	Verdict page.Verdict
	// Said is, with NoContent, the text that stands in the place of content, as
	// the page has it; empty when the page shows no text.
	Said string
	// Hidden counts, with NoContent, the text that was removed because the document
	// hides it.
	Hidden []page.Omission
	Cause  error
}

// noContent is the error of a page that was read and holds nothing to read.
func noContent(p *page.Page, mediaType string) *Error {
	e := &Error{Code: NoContent, MediaType: mediaType}
	for _, k := range page.HiddenKinds() {
		if n := p.Omitted(k); n > 0 && k != page.HiddenComments {
			e.Hidden = append(e.Hidden, page.Omission{Kind: k, Count: n})
		}
	}
	return e
}

func (e *Error) Error() string {
	switch e.Code {
	case Unsupported:
		if e.Cause != nil {
			return fmt.Sprintf("unsupported content type %s: %v", e.MediaType, e.Cause)
		}
		return fmt.Sprintf("unsupported content type %s", e.MediaType)
	case NoContent:
		if why := e.reasons(); len(why) > 0 {
			return "no readable content: " + strings.Join(why, "; ")
		}
		return "no readable content"
	case BadSelector:
		return "the selector cannot be read, or asks for too much"
	case NoMatch:
		return "the selector fits nothing on the page"
	case TooLarge:
		return fmt.Sprintf("%s that unpacks to more than can be read", e.MediaType)
	}
	if e.Cause != nil {
		return fmt.Sprintf("malformed %s: %v", e.MediaType, e.Cause)
	}
	return fmt.Sprintf("malformed %s", e.MediaType)
}

func (e *Error) Unwrap() error { return e.Cause }

// reasons says why the content is missing.
func (e *Error) reasons() (why []string) {
	if r := reason(e.Verdict); r != "" {
		why = append(why, r)
	}
	if e.Code == NoContent && e.Cause != nil {
		why = append(why, e.Cause.Error())
	}
	if e.Said != "" {
		why = append(why, "the page says "+text.Quoted(e.Said))
	}
	if len(e.Hidden) > 0 {
		kinds := make([]string, len(e.Hidden))
		for i, h := range e.Hidden {
			kinds[i] = fmt.Sprintf("%s: %d", h.Kind, h.Count)
		}
		why = append(why, "hidden text was removed ("+strings.Join(kinds, ", ")+")")
	}
	return why
}

// reason is a verdict in a few words.
func reason(v page.Verdict) string {
	switch v {
	case page.Challenge:
		return "the site asks whether a person is there (challenge)"
	case page.LoginWall:
		return "the page is a form to sign in (login_wall)"
	case page.RateLimited:
		return "the site got too many requests (rate_limited)"
	case page.RefusedBySite:
		return "the site refuses access (refused_by_site)"
	case page.Dead:
		return "the page does not exist, is empty or is out of order (dead)"
	case page.EmptyShell:
		return "the page is empty until its scripts run (empty_shell)"
	}
	return ""
}

// Selector is a CSS selector that was read once. It is safe for concurrent use.
type Selector struct{ compiled *css.Selector }

// CompileSelector reads a selector. The error has the code BadSelector.
func CompileSelector(s string) (*Selector, error) {
	compiled, err := css.Compile(s)
	if err != nil {
		return nil, &Error{Code: BadSelector}
	}
	return &Selector{compiled}, nil
}

// selectorError is the error of a selector in this package's terms.
func selectorError(err error) *Error {
	if errors.Is(err, dom.ErrNoMatch) {
		return &Error{Code: NoMatch}
	}
	return &Error{Code: BadSelector}
}
