package recall

import (
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// View bounds the text of an answer; 0 means no bound.
type View struct{ Tokens, Bytes int }

// Facts is one line about an answer.
func Facts(r *result.Recall) string {
	s := fmt.Sprintf("best matches: %d of %s read", len(r.Pages), text.Count(r.Searched, "page"))
	if r.Refused > 0 {
		s += fmt.Sprintf("; the policy refuses %d more today", r.Refused)
	}
	return s
}

// Text is an answer as text for a model: the facts, quotations inside the fence, the
// next step. Passages that find no room are left out, those of the last pages first.
func Text(r *result.Recall, v View) string {
	for n := len(r.Pages); ; n-- {
		for most := maxPassages; most > 0; most-- {
			var b strings.Builder
			for i, p := range r.Pages[:n] {
				if i > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(strings.Join(Lines(p, most), "\n"))
			}
			s := strings.Join(append([]string{Facts(r)}, r.Notices...), "\n") + "\n\n" + tool.Fence(b.String()) + "\nCall web_fetch with an address above to read on."
			if n < len(r.Pages) {
				s += " A larger max_tokens shows " + text.Count(len(r.Pages)-n, "more page") + "."
			}
			if n == 1 && most == 1 || (v.Tokens <= 0 || text.Tokens(s) <= v.Tokens) && (v.Bytes <= 0 || len(s) < v.Bytes) {
				return s
			}
		}
	}
}

// Lines are a page as text, with at most so many of its best passages: its title,
// address and version, then each passage with its place and the text fragment that
// leads to it.
func Lines(p result.RecalledPage, most int) []string {
	head := "- "
	if t := text.Cut(text.Line(p.Title), 120); t != "" {
		head += t + " — "
	}
	head += fmt.Sprintf("%s (version %s, read %s", text.URL(p.URL), text.Name(p.Version), p.Seen.Format("2006-01-02"))
	if p.Login {
		head += ", with a login"
	}
	out := []string{head + ")"}
	for _, q := range best(p.Passages, most) {
		place := fmt.Sprintf("%d-%d", q.Start, q.End)
		if s := text.Cut(text.Line(q.Section), 80); s != "" {
			place = s + ", " + place
		}
		_, fragment, _ := strings.Cut(q.Link, "#")
		out = append(out, fmt.Sprintf(`  "%s" (%s, #%s)`, text.Cut(text.Line(q.Text), maxQuotation), place, text.URL(fragment)))
	}
	return out
}

// maxQuotation bounds a passage in a text, in characters.
const maxQuotation = 600

// best are the n passages with the highest scores, in their order.
func best(all []result.Passage, n int) []result.Passage {
	out := append([]result.Passage(nil), all...)
	for len(out) > n {
		worst := 0
		for i := range out {
			if out[i].Score <= out[worst].Score {
				worst = i
			}
		}
		out = append(out[:worst], out[worst+1:]...)
	}
	return out
}
