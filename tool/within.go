package tool

import (
	"cmp"
	"fmt"
	"strings"
)

// How long the text of an answer is where the surface has a bound: tools cut
// what they say at a place that makes sense, and what is still too long is cut
// here.

// AnswerLimit is the number of bytes that the text of an answer and its notices
// stay below; 0 means no limit.
func (o Options) AnswerLimit() int {
	if o.AnswerChars == 0 {
		return 0
	}
	return cmp.Or(o.AnswerBytes, o.AnswerChars+AnswerFrame)
}

// length returns the arguments that say how long the answer may be; asked
// reports whether one of them has another value than its default.
func (s *Schema) length(args Arguments) (names []string, asked bool) {
	for _, p := range s.Properties {
		if p.Length {
			v, ok := args[p.Name]
			names, asked = append(names, p.Name), asked || ok && !equal(v, p.Default)
		}
	}
	return names, asked
}

// within cuts the text so that it stays below so many bytes with the notices
// that a surface adds to it; 0 means no limit. length are the arguments that
// ask for more.
func (r *Result) within(limit int, length []string) {
	if limit <= 0 {
		return
	}
	room := limit
	if !r.Noted {
		for _, n := range r.Notices {
			room -= len("\nNote: " + n)
		}
	}
	hint := ""
	if len(length) > 0 {
		hint = "; " + strings.Join(length, " or ") + " asks for more"
	}
	r.Text = within(r.Text, max(room, limit/2), hint)
}

// Within is the text of an answer with fewer than so many bytes. The lines that
// mark text from the web as untrusted stay; what stands between them is cut at
// the end of a line where a line has room, and a note outside of them says how
// much is left out.
func Within(text string, limit int) string { return within(text, limit, "") }

// within is Within with the next step of the note.
func within(text string, limit int, hint string) string {
	if len(text) < limit {
		return text
	}
	note := "\nNote: the last %d bytes of this are left out, since the answer was too long" + hint
	parts := split(text)
	over := len(text) + len(note) + 20 - limit + 1
	for range parts {
		longest := &parts[0]
		for i := range parts {
			if len(parts[i].text) > len(longest.text) {
				longest = &parts[i]
			}
		}
		before := len(longest.text)
		longest.cut(max(before-over, 0))
		left := before - len(longest.text)
		longest.after = fmt.Sprintf(note, left) + longest.after
		if over -= left; over <= 0 {
			break
		}
		over += len(note) + 20
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.before + p.text + p.mark + p.after)
	}
	return b.String()
}

// piece is text of an answer: before and mark are the marks around it where it
// comes from the web, after is a note.
type piece struct{ before, text, mark, after string }

// cut shortens the text to at most so many bytes.
func (p *piece) cut(n int) {
	s := p.text[:n]
	if end := strings.LastIndexByte(s, '\n'); end > n/2 {
		s = s[:end]
	}
	p.text = strings.ToValidUTF8(s, "")
}

// split separates what stands between marks from what stands around them.
func split(text string) (parts []piece) {
	for from := 0; ; {
		open := openingMark(text, from)
		if open < 0 {
			return append(parts, piece{text: text})
		}
		const mostDigits = 20
		rest := text[open+len(fenceOpen):]
		n, _, ok := strings.Cut(rest[:min(len(rest), mostDigits)], fenceEnd+"\n")
		if !ok || n == "" || strings.Trim(n, "0123456789") != "" {
			from = open + len(fenceOpen) // not a mark of Fence
			continue
		}
		start, mark := open+len(fenceOpen+n+fenceEnd+"\n"), "\n"+fenceClose+n+fenceEnd
		length := strings.Index(text[start:], mark)
		if length < 0 {
			return append(parts, piece{text: text})
		}
		parts = append(parts, piece{text: text[:open]}, piece{before: text[open:start], text: text[start : start+length], mark: mark})
		text, from = text[start+length+len(mark):], 0
	}
}

// openingMark returns where a line begins with the opening mark of Fence, at or
// after an offset; -1 when none does.
func openingMark(text string, from int) int {
	if from == 0 && strings.HasPrefix(text, fenceOpen) {
		return 0
	}
	if i := strings.Index(text[from:], "\n"+fenceOpen); i >= 0 {
		return from + i + 1
	}
	return -1
}
