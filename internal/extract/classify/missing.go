package classify

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// This file looks for signs that a page does not have all of its content: what the page
// itself says about the rest. A sign that is wrong costs trust, so each one is kept only
// if it was right for nine of ten pages of WCXB (docs/measured.md). Not kept: texts that
// end in an ellipsis, "read more", "show more" and "loading", which stand beside the
// content as often as at its end, and end tags that are not there.

// Read is a page in which signs are looked for.
type Read struct {
	Doc     *html.Node
	URL     string
	Type    page.Type
	Seg     *blocks.Segmentation
	Keep    []bool // by block; nil: it is not known
	Weights blocks.Weights
	Links   []page.Link
	Next    string // what the head calls the next page; may be empty
	Shell   page.Shell
}

// Missing returns the signs of a page, those that say most first.
func Missing(r Read) (out []page.Sign) {
	d := verdictData()
	next := r.next(d)
	lists := r.Type == page.Forum || r.Type == page.Listing || r.Type == page.Collection
	s, found := r.counted(d, lists)
	switch {
	case found:
		s.URL = next
		out = append(out, s)
	case next != "":
		out = append(out, page.Sign{Kind: page.MissingPages, URL: next})
	case lists && r.loads(d):
		out = append(out, page.Sign{Kind: page.MissingButton})
	case r.Type == page.Forum:
		if of, has := r.replies(d); 2*has < of {
			out = append(out, page.Sign{Kind: page.MissingReplies, To: has, Of: of})
		}
	}
	if r.empty(d) {
		out = append(out, page.Sign{Kind: page.MissingResults})
	}
	if r.walled(d) {
		out = append(out, page.Sign{Kind: page.MissingPaid})
	}
	// On a short page, Judge says whether something waits for the scripts.
	if r.Shell == page.ShellComments {
		out = append(out, page.Sign{Kind: page.MissingComments})
	} else if r.Shell != "" && (r.Shell != page.ShellUnlikely || !r.Seg.IsShort()) {
		out = append(out, page.Sign{Kind: page.MissingScripts})
	}
	return out
}

// Words of a line that counts records, and of a line that loads more of them.
const (
	counterWords = 14
	loaderWords  = 6
	wallWords    = 30
	textWords    = 15 // of a paragraph at least
)

// counted looks for a line such as "1–25 of 250 results". Manuals and code have such
// lines as examples.
func (r *Read) counted(d *verdicts, lists bool) (page.Sign, bool) {
	if r.Type == page.Documentation {
		return page.Sign{}, false
	}
	for i, b := range r.Seg.Blocks() {
		if b.Words > counterWords || len(b.Text) > maxField || !hasTwoNumbers(b.Text) {
			continue
		}
		if s, ok := d.counter(string(b.Text), r.Type == page.Article, lists); ok && !r.Seg.InCode(i) {
			return s, true
		}
	}
	return page.Sign{}, false
}

// hasTwoNumbers reports whether a line has two runs of digits.
func hasTwoNumbers(line []byte) bool {
	runs, inside := 0, false
	for _, c := range line {
		if isDigit(c) && !inside {
			runs++
		}
		inside = isDigit(c)
	}
	return runs >= 2
}

// loads reports whether a line of the page is the label of what loads more records.
func (r *Read) loads(d *verdicts) bool {
	for _, b := range r.Seg.Blocks() {
		if b.Words > loaderWords || len(b.Text) > maxField {
			continue
		}
		label := withoutNumbers(dom.PlainWords(string(b.Text)))
		if slices.Contains(d.lists["partial loader"], label) || b.Level == 0 && slices.ContainsFunc(d.lists["partial begin"], func(l string) bool { return strings.HasPrefix(label, l+" ") }) {
			return true
		}
	}
	return false
}

func withoutNumbers(s string) string {
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	var out []string
	for w := range strings.FieldsSeq(s) {
		if _, err := strconv.Atoi(w); err != nil {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// empty reports whether a line says that the list of the page holds nothing: on a page with little
// else, or right below the main heading. Shops
// say it of the cart on every page, beside or behind the content.
func (r *Read) empty(d *verdicts) bool {
	few := r.Weights.Good <= maxGood && r.Weights.Prose <= spokenProse
	if !few && r.Type != page.Listing && r.Type != page.Collection {
		return false
	}
	for i, b := range r.Seg.Blocks() {
		if b.Words > counterWords || len(b.Text) > maxField || b.IsLink() || !few && !r.Seg.BelowTitle(i) {
			continue
		}
		if saysAny(dom.PlainWords(string(b.Text)), d.lists["thin empty"]) {
			return true
		}
	}
	return false
}

// walled reports whether a phrase of a paywall stands where the text of an article ends:
// the footers of some papers have such phrases below every text.
func (r *Read) walled(d *verdicts) bool {
	if r.Keep == nil {
		return false
	}
	last, kept := 0, -1 // the last paragraph, and the last block of the article
	for i, b := range r.Seg.Blocks() {
		if r.Keep[i] {
			kept = i
			if b.Words >= textWords {
				last = i
			}
		}
	}
	for i, b := range r.Seg.Blocks() {
		if kept < 0 || i > kept+wallReach {
			break
		}
		if i >= last && b.Words <= wallWords && saysAny(dom.PlainWords(string(b.Text)), d.list(kindThin, "text")) {
			return true
		}
	}
	return false
}

// wallReach is how many blocks behind the text a paywall begins at most.
const wallReach = 6

// replies returns how many replies a thread counts, and how many it has. The opening
// post is not a reply. Where no posts were found in much text, it counts none.
func (r *Read) replies(d *verdicts) (of, has int) {
	if r.Seg.Posts() == 0 && r.Weights.Chosen > maxJudged {
		return 0, 0
	}
	seen := 0
	for n := range r.Doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if seen++; seen > maxElements {
			break
		}
		for i := range n.Attr {
			for _, name := range d.lists["partial count"] {
				if n.Attr[i].Key == name {
					if v, err := strconv.Atoi(strings.TrimSpace(n.Attr[i].Val)); err == nil {
						of = max(of, v)
					}
				}
			}
		}
	}
	return of, max(0, r.Seg.Posts()-1)
}

// BreaksOff reports whether markup ends within a tag, a comment or a script: the rest of
// it is missing.
func BreaksOff(body []byte) bool {
	body = bytes.TrimRight(body, " \t\r\n")
	open := bytes.LastIndexByte(body, '<')
	if open < 0 || open == len(body)-1 {
		return open >= 0
	}
	if rest := body[open:]; bytes.IndexByte(rest, '>') < 0 {
		c := rest[1] | 0x20
		return c >= 'a' && c <= 'z' || rest[1] == '/' || rest[1] == '!'
	}
	return endsInScript(body)
}

// endsInScript reports whether the last tag of a script is a start tag.
func endsInScript(body []byte) bool {
	for at := bytes.LastIndex(body, []byte("script")); at > 0; at = bytes.LastIndex(body[:at], []byte("script")) {
		if before := body[:at]; bytes.HasSuffix(before, []byte("<")) || bytes.HasSuffix(before, []byte("</")) {
			return before[at-1] == '<'
		}
	}
	return false
}
