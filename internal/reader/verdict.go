package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file says why an answer is not complete, and what gets the rest. A verdict of
// success other than complete has its reason in a notice; the reason of another verdict
// is in the error.

// weigh sets the verdict of an answer by the signs of its page, and notes the reasons.
// links: the answer is judged by its links. all: it is of all that the page shows.
func (a *Answer) weigh(p *page.Page, links, all bool) {
	rest := page.Page{Verdict: p.Verdict}
	if p.Verdict.Success() {
		rest.Verdict = page.Complete
	}
	for _, s := range p.Missing {
		if !(all && s.Kind == page.MissingMore) && !(links && s.Kind.Verdict() == page.Thin && s.Kind != page.MissingContent) && !a.isVain(s) {
			rest.Miss(s)
		}
	}
	a.Verdict = rest.Verdict
	var why, steps []string
	for _, s := range rest.Missing {
		switch s.Kind {
		case page.MissingBytes, page.MissingText:
			continue // these have notices of their own
		}
		why = append(why, reasonOf(p, s))
		if step := a.stepTo(s, rest.Missing); step != "" && !slices.Contains(steps, step) {
			steps = append(steps, step)
		}
	}
	if len(why) == 0 {
		return
	}
	note := "Verdict " + string(a.Verdict) + ": " + strings.Join(why, "; ") + "."
	if len(steps) > 0 {
		note += " Next: " + strings.Join(steps, "; ") + "."
	}
	a.noted = append(a.noted, note)
}

// isVain reports whether the browser has shown that what a sign is about brings nothing.
func (a *Answer) isVain(s page.Sign) bool {
	return a.vain && (s.Kind == page.MissingScripts || s.Kind == page.MissingComments)
}

// VerdictReason returns why the content of a page is not complete, in a few words
// without a period; "" for a page without signs that something is missing.
func VerdictReason(p *page.Page) string {
	why := make([]string, len(p.Missing))
	for i, s := range p.Missing {
		why[i] = reasonOf(p, s)
	}
	return strings.Join(why, "; ")
}

// reasonOf is a sign of a page in words.
func reasonOf(p *page.Page, s page.Sign) string {
	of := fmt.Sprintf("of %d", s.Of)
	if s.Noun != "" {
		of += " " + text.Name(s.Noun)
	}
	switch s.Kind {
	case page.MissingRecords:
		if s.From == 0 {
			return fmt.Sprintf("the page says that it shows %d %s", s.To, of)
		}
		return fmt.Sprintf("the page says that it shows %d to %d %s", s.From, s.To, of)
	case page.MissingMore:
		return fmt.Sprintf("omitted %s in %s outside of the main content", text.Count(p.OmittedText.Words, "word"), text.Count(p.OmittedText.Blocks, "block"))
	case page.MissingScroll:
		return fmt.Sprintf("the page still brought more after %s of scrolling", text.Count(s.To, "screen"))
	case page.MissingPages:
		if s.Of > 0 {
			return fmt.Sprintf("this is page %d %s", s.To, of)
		}
	case page.MissingReplies:
		return fmt.Sprintf("the page counts %s and has %d", text.Count(s.Of, "reply"), s.To)
	}
	return cmp.Or(reasons[s.Kind], "the page's scripts bring content")
}

// reasons are those of signs that say no more than their kind.
var reasons = map[page.SignKind]string{
	page.MissingComments: "the page's scripts bring its comments",
	page.MissingLoad:     "the page had not loaded when its time was over",
	page.MissingPages:    "another page follows",
	page.MissingButton:   "a button of the page loads more of its list",
	page.MissingEnd:      "the markup breaks off, so that the end of the page is missing",
	page.MissingBytes:    "not all of the page was read",
	page.MissingNodes:    "the page has more elements than are read",
	page.MissingLinks:    "URLs of links were omitted, because the base of the page is long",
	page.MissingTree:     "the markup could not be read as a page; this is its text",
	page.MissingParts:    "the document has more than is read",
	page.MissingValues:   "this is an outline of the data",
	page.MissingText:     "pages of the document hold no text and are pictures",
	page.MissingPaid:     "the page says that its text goes on for subscribers",
	page.MissingAccount:  "the page asks to sign in",
	page.MissingGate:     "the page asks for an age or for consent before it shows its content",
	page.MissingDoubt:    "the heading is that of an error page or a check, but the text below it is about something else",
	page.MissingResults:  "the page says that its list is empty",
	page.MissingFrames:   "the content is on other pages, which are linked here",
	page.MissingDrawings: "only controls and drawings of the page have text",
	page.MissingCanvas:   "a script draws the page on a canvas, which holds no text (take_web_screenshot shows it)",
	page.MissingMain:     "only the menus and the footer of the page have text",
	page.MissingContent:  "the page shows no text",
}

// stepTo is what gets the content that a sign is about, which is one of those of the page;
// "" where nothing is known. A file and a page that is open in the browser are not asked
// for again.
func (a *Answer) stepTo(s page.Sign, all []page.Sign) string {
	if s.URL != "" && text.IsWholeURL(s.URL) {
		return "the next page is " + text.URL(s.URL)
	}
	switch s.Kind {
	case page.MissingNodes, page.MissingTree, page.MissingValues, page.MissingLinks:
		if slices.ContainsFunc(all, func(s page.Sign) bool { return s.Kind == page.MissingBytes }) {
			return "mode=raw gives all that was read of it"
		}
		return "mode=raw gives all of it"
	case page.MissingMore:
		if !a.argued {
			return ""
		}
		return "use whole=true to get them"
	}
	if !a.fetched {
		return ""
	}
	return a.stepOnline(s)
}

// stepOnline is stepTo for what is got by another request.
func (a *Answer) stepOnline(s page.Sign) string {
	switch s.Kind {
	case page.MissingLoad:
		return "timeout_ms gives the page more time"
	case page.MissingScroll:
		if a.scrolled {
			return "navigate_to_url and browser_scroll go further in a browser"
		}
		return "scroll=true scrolls further"
	case page.MissingRecords, page.MissingPages:
		return "mode=links lists the links of the page, those to further pages too"
	case page.MissingButton:
		if a.renders {
			return "navigate_to_url and browser_click press it in a browser"
		}
	case page.MissingEnd:
		return "fresh=true asks the site again"
	case page.MissingPaid, page.MissingAccount:
		return "look for the same content on another site, or have a person sign in with spyhop login, and then give login=SITE"
	case page.MissingFrames:
		return "read the linked pages"
	case page.MissingScripts, page.MissingDrawings, page.MissingContent, page.MissingReplies, page.MissingComments:
		switch {
		case a.Metadata.Rendered:
			return "wait_for waits for a text that the page shows later"
		case a.renders && a.Metadata.RenderNote == "":
			return "render=always runs the scripts of the page in a browser"
		}
	}
	return ""
}
