package reader

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// ForModel is the answer as text for a model: what it is, then the content in
// a fence that no page can forge, then notices and the next step.
func (a *Answer) ForModel(toolName string) string { return a.forModel(toolName, "") }

// ForModelWithin is ForModel with a window that is made small enough for the
// text to stay below a number of bytes; 0 means no bound.
func (a *Answer) ForModelWithin(toolName string, bytes int) string {
	return within(bytes, a.limit, func(limit int) { a.cut(limit, 0) }, func() string { return a.ForModel(toolName) })
}

// ForModel is the text of all answers, in their order.
func (all *Answers) ForModel(toolName string) string {
	texts := make([]string, len(all.Results))
	for i, a := range all.Results {
		if a.Error != nil {
			texts[i] = a.Error.Text()
			if !strings.Contains(a.Error.Message, a.URL) {
				texts[i] = a.URL + ": " + texts[i]
			}
			continue
		}
		if all.joint != nil && a.RedirectURL == "" {
			texts[i] = "Read " + a.FinalURL + ": " + strings.Join(a.facts(), "; ")
			continue
		}
		texts[i] = a.forModel(toolName, " with url="+a.FinalURL+" and")
	}
	if all.joint != nil {
		texts = append(texts, all.joint.fenced())
	}
	return strings.Join(append(texts, all.notices...), "\n\n")
}

// ForModelWithin is ForModel in fewer than so many bytes.
func (all *Answers) ForModelWithin(toolName string, bytes int) string {
	return within(bytes, all.limit, all.cut, func() string { return all.ForModel(toolName) })
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

// forModel is ForModel; which names the address where there are several.
func (a *Answer) forModel(toolName, which string) string {
	if a.RedirectURL != "" {
		return "The URL redirected to: " + a.RedirectURL + "\nPlease make a new " + toolName + " request with this URL."
	}
	var b strings.Builder
	b.WriteString("Contents of " + a.FinalURL + ":\n")
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

// fenced is the content between marks that no page can forge, and the notices
// behind it.
func (a *Answer) fenced() string {
	var b strings.Builder
	if a.content.mode == JSON {
		b.WriteString(tool.Fence(a.json()))
	} else {
		b.WriteString(tool.Fence(a.Part()))
	}
	notice := ""
	if a.Truncated {
		notice = "\n\n" + cutNotice(a.limit)
	}
	b.WriteString(notice)
	for i, n := range a.Notices() {
		if i == 0 && notice == "" {
			b.WriteByte('\n')
		}
		b.WriteString("\n" + n)
	}
	return b.String()
}

// json is the whole object.
func (a *Answer) json() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(a); err != nil {
		return "{}" // every field is plain data
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// facts are what a model has to know before it reads.
func (a *Answer) facts() []string {
	var facts []string
	if t := pageText(a.Title, 120); t != "" {
		facts = append(facts, "title "+strconv.Quote(t))
	}
	facts = append(facts, "verdict "+string(a.Verdict), a.part())
	if a.NextStartIndex != nil { // early, where no client cuts
		facts = append(facts, fmt.Sprintf("next start_index=%d", *a.NextStartIndex))
	}
	if a.since != "" {
		facts = append(facts, a.since)
	}
	if a.Metadata.Cached {
		facts = append(facts, "cached")
	}
	if a.Metadata.Rendered {
		facts = append(facts, "rendered")
	}
	if as := a.ReadAs(); as != "" {
		facts = append(facts, "read as "+as)
	}
	if a.content.mode == Raw || a.content.mode == HTML {
		facts = append(facts, "unfiltered")
	}
	return facts
}

// part says what part of the whole the window is.
func (a *Answer) part() string {
	c := &a.content
	if c.mode == promptMode {
		return "read for a prompt"
	}
	if c.passages != nil {
		noun := "passages"
		if c.chosen.Count == 1 {
			noun = "passage"
		}
		return fmt.Sprintf("tokens ~%d of ~%d in %d %s", markdown.Tokens(a.Body()), a.Metadata.Tokens, c.chosen.Count, noun)
	}
	whole := c.whole
	at := func(char int) int { // the offset of a character
		n := 0
		for i := range whole {
			if n == char {
				return i
			}
			n++
		}
		return len(whole)
	}
	from, to := at(a.start), at(a.end)
	// The parts of a whole add up to its tokens but for rounding.
	first := markdown.Tokens(whole[:from])
	last := min(first+markdown.Tokens(whole[from:to]), a.Metadata.Tokens)
	s := fmt.Sprintf("tokens ~%d-%d of ~%d", min(first+1, last), last, a.Metadata.Tokens)
	if c.count == 0 {
		return s
	}
	var places []int
	length := utf8.RuneCountInString(whole)
	for i, x := range c.sections {
		// A section is its heading and what stands before the next one.
		end := length
		if i+1 < len(c.sections) {
			end = c.sections[i+1].Start
		}
		if x.Start < a.end && end > a.start {
			place := i
			if c.places != nil {
				place = c.places[i]
			}
			places = append(places, place+1)
		}
	}
	if len(places) == 0 {
		return s
	}
	noun := ", sections "
	if len(places) == 1 {
		noun = ", section "
	}
	return s + noun + ranges(places) + " of " + strconv.Itoa(c.count)
}

// ranges writes rising numbers as 1-3, 5.
func ranges(n []int) string {
	n = slices.Compact(n)
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
