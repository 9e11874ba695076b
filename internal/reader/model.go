package reader

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// ForModel is the answer as text for a model: what it is, then the content in
// a fence that no page can forge, then notices and the next step. The window is made small
// enough for the text to stay below a number of bytes; 0 means no bound.
func (a *Answer) ForModel(toolName string, bytes int) string {
	limit := a.limit()
	return briefly(bytes, func(brief bool) (string, int) {
		if a.brief = brief; brief {
			a.cut(limit, 0)
		}
		s := within(bytes, limit, func(limit int) { a.cut(limit, 0) }, func() string { return a.forModel(toolName, "") })
		return s, len(a.Body())
	})
}

// forModel is the text of all answers, in their order.
func (all *Answers) forModel(toolName string) string {
	texts := make([]string, len(all.answers))
	for i, a := range all.answers {
		if a.Error != nil {
			texts[i] = a.Error.Text()
			if !strings.Contains(a.Error.Message, text.URL(a.URL)) {
				texts[i] = text.URL(a.URL) + ": " + texts[i]
			}
			continue
		}
		if all.joint != nil && a.RedirectURL == "" {
			texts[i] = "Read " + text.URL(a.FinalURL) + ": " + strings.Join(a.facts(), "; ")
			for _, n := range a.Notices {
				texts[i] += "\n" + n
			}
			continue
		}
		which := " with the same url and"
		if text.IsWholeURL(a.FinalURL) {
			which = " with url=" + text.URL(a.FinalURL) + " and"
		}
		texts[i] = a.forModel(toolName, which)
	}
	if all.joint != nil {
		texts = append(texts, "Answered by "+all.AnsweredBy+":\n\n"+all.joint.fenced())
	}
	return strings.Join(append(texts, all.noted...), "\n\n")
}

// ForModel is the text of all answers, in fewer than so many bytes; 0 means no bound.
func (all *Answers) ForModel(toolName string, bytes int) string {
	return briefly(bytes, func(brief bool) (string, int) {
		content := len(all.Content)
		for _, a := range all.answers {
			a.brief = brief
		}
		if brief {
			all.cut(all.limit)
		}
		s := within(bytes, all.limit, all.cut, func() string { return all.forModel(toolName) })
		for _, a := range all.answers {
			content += len(a.Body())
		}
		return s, content
	})
}

// briefly leaves facts out where the text has too many bytes with them, or where they take
// more room than the content that they cut. 0 bytes are no bound.
func briefly(bytes int, text func(brief bool) (s string, content int)) string {
	s, content := text(false)
	if bytes > 0 && (len(s) >= bytes || content < bytes/2 && len(s) >= bytes*3/4) {
		s, _ = text(true)
	}
	return s
}

// within cuts smaller windows until the text fits. What stands around the
// content, and characters of several bytes, are not known before.
func within(bytes, limit int, cut func(limit int), text func() string) string {
	s := text()
	for bytes > 0 && limit != 1 {
		over := len(s) - bytes + 1
		if over <= 0 {
			break
		}
		if limit == 0 || limit > bytes {
			limit = bytes
		}
		// At least as many characters as bytes are too many, at four a
		// character; at once by the share where it is much.
		limit = max(1, min(limit-(over+3)/4, limit*bytes/len(s)))
		cut(limit)
		s = text()
	}
	return s
}

// forModel is the text of an answer; which names the URL where there are several.
func (a *Answer) forModel(toolName, which string) string {
	if a.RedirectURL != "" {
		return redirected(a.RedirectURL, toolName)
	}
	var b strings.Builder
	b.WriteString("Contents of " + text.URL(a.FinalURL) + ":\n")
	b.WriteString(strings.Join(a.facts(), "; ") + "\n\n")
	b.WriteString(a.fenced())
	if a.NextStartIndex != nil {
		if which == "" {
			which = " with"
		}
		fmt.Fprintf(&b, "\nCall %s again%s start_index=%d to read on.", toolName, which, *a.NextStartIndex)
	}
	return b.String()
}

// redirected says where another host's address is. The next call needs the whole
// of it: what does not fit outside of the fence stands inside.
func redirected(to, toolName string) string {
	const most = 4000 // bytes: more has no room in an answer
	s := "The URL redirected to: " + text.URL(to) + "\nPlease make a new " + toolName + " request with this URL."
	switch {
	case text.IsWholeURL(to):
		return s
	case len(to) <= most:
		return s + fmt.Sprintf("\nIt is not shown completely here. The complete URL, %d bytes, is in the fence; copy it as it is.\n", len(to)) + tool.Fence(to)
	}
	return s + fmt.Sprintf("\nIt is cut here: the complete URL has %d bytes, too many to show. Search for the page, or for another URL of it.", len(to))
}

// fenced is the content between marks that no page can forge, and the notices
// behind it.
func (a *Answer) fenced() string {
	var b strings.Builder
	if a.content.mode == JSON {
		object, _ := indented(a) // every field is plain data
		b.WriteString(tool.Fence(object))
	} else {
		b.WriteString(tool.Fence(a.factsLine() + a.Part()))
	}
	notice := a.cutNotice()
	b.WriteString(notice)
	for i, n := range a.Notices {
		if i == 0 && notice == "" {
			b.WriteByte('\n')
		}
		b.WriteString("\n" + n)
	}
	return b.String()
}

// mostFact bounds what is outside of the fence and comes from the page, in characters.
const mostFact = 120

// facts are what a model has to know before it reads.
func (a *Answer) facts() []string {
	var facts []string
	for _, f := range []struct{ name, text string }{{"title", a.Title}, {"byline", a.Byline}, {"published", a.Published}, {"excerpt", a.Excerpt}} {
		if a.brief && f.name != "title" {
			continue
		}
		if t := pageText(f.text, mostFact); t != "" {
			facts = append(facts, f.name+" "+text.Quoted(t))
		}
	}
	facts = append(facts, a.more...)
	facts = append(facts, "verdict "+string(a.Verdict), a.part())
	if a.AnsweredBy != "" {
		facts = append(facts, "answered by "+a.AnsweredBy)
	}
	if a.NextStartIndex != nil { // early, where no client cuts
		facts = append(facts, fmt.Sprintf("next start_index=%d", *a.NextStartIndex))
	}
	if c := a.Metadata.Since; c != nil {
		facts = append(facts, c.String()+" since "+c.Version)
	}
	as := a.ReadAs()
	for _, f := range []struct {
		is   bool
		text string
	}{{a.Metadata.Cached, "cached"}, {a.Metadata.Rendered, "rendered"}, {as != "", "read as " + as}, {a.Metadata.Unfiltered, "unfiltered"}} {
		if f.is {
			facts = append(facts, f.text)
		}
	}
	return facts
}

// part says what part of the whole the window is.
func (a *Answer) part() string {
	w := a.Metadata.Window
	switch {
	case a.content.mode == promptMode || w == nil:
		return "read for a prompt"
	case a.content.passages != nil:
		return fmt.Sprintf("tokens ~%d of ~%d in %s", w.LastToken, a.Metadata.Tokens, text.Count(w.Passages, "passage"))
	}
	s := fmt.Sprintf("tokens ~%d-%d of ~%d", w.FirstToken, w.LastToken, a.Metadata.Tokens)
	switch len(w.Sections) {
	case 0:
		return s
	case 1:
		s += ", section "
	default:
		s += ", sections "
	}
	return s + ranges(w.Sections) + " of " + strconv.Itoa(w.SectionCount)
}

// ranges writes rising numbers as 1-3, 5.
func ranges(n []int) string {
	var b strings.Builder
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n[i]))
		if j > i {
			b.WriteString("-" + strconv.Itoa(n[j]))
		}
		i = j + 1
	}
	return b.String()
}

// pageText makes one cleaned line of what a page says, of at most n characters.
func pageText(s string, n int) string { return text.Cut(text.Line(s), n) }
