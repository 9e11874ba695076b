package crawl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// MapView says which part of a map a model is shown.
type MapView struct {
	// Query shows the pages that match it, best first; empty: a tree.
	Query string
	// Lines bounds the list, Tokens the text; Start is the first line.
	Lines, Tokens, Start int
	// Bytes bounds the whole text; 0 means no bound.
	Bytes int
}

// MapText is a map as text for a model: one line of facts, the list inside the
// fence, the next step. m.Links are ranked already where there is a query.
func MapText(m *result.SiteMap, v MapView) string {
	var lines []string
	if v.Query != "" {
		for _, l := range m.Links {
			lines = append(lines, linkLine(l))
		}
	} else {
		for _, p := range Tree(m.Links, max(v.Lines+v.Start, 1)) {
			lines = append(lines, p.line())
		}
	}
	start := min(v.Start, len(lines))
	end, cost := start, 0
	for end < len(lines) && end-start < v.Lines {
		cost += text.Tokens(lines[end]) + 1
		if end > start && v.Tokens > 0 && cost > v.Tokens {
			break
		}
		end++
	}
	for ; ; end-- {
		s := mapText(m, v, lines, start, end)
		if v.Bytes == 0 || len(s) < v.Bytes || end <= start+1 {
			return s
		}
	}
}

func mapText(m *result.SiteMap, v MapView, lines []string, start, end int) string {
	var b strings.Builder
	b.WriteString(MapFacts(m) + "\n\n")
	switch {
	case len(lines) == 0:
		b.WriteString("No page matches the query by its URL or title; leave query out, or read on with web_crawl and a query.")
	case start == end:
		fmt.Fprintf(&b, "start_index=%d is behind the last line: the list has %s.", v.Start, text.Count(len(lines), "line"))
	default:
		b.WriteString(tool.Fence(strings.Join(lines[start:end], "\n")))
	}
	for _, n := range m.Notices {
		b.WriteString("\nNote: " + n)
	}
	switch {
	case end < len(lines):
		fmt.Fprintf(&b, "\nCall web_map again with start_index=%d for more.", end)
	case v.Query == "" && m.Total > 0:
		b.WriteString("\nCall web_map with a query for the pages that match it.")
	}
	return b.String()
}

// MapFacts is the line of facts of a map: how many pages, from which sources, the
// newest change, and what could not be read.
func MapFacts(m *result.SiteMap) string {
	u, _ := weburl.Parse(m.URL)
	host := strings.TrimPrefix(u.Origin(), u.Scheme()+"://")
	facts := []string{text.Count(m.Total, "page") + " of " + text.Name(host)}
	var sources []string
	for _, s := range Sources() {
		if n := m.BySource[s]; n > 0 {
			sources = append(sources, fmt.Sprintf("%s %d", s, n))
		}
	}
	if m.RedirectsTo != "" {
		facts = append(facts, "the start redirects to "+text.URL(m.RedirectsTo))
	}
	facts = append(facts, "by source: "+strings.Join(sources, ", "))
	if !m.Newest.IsZero() {
		facts = append(facts, "newest change "+m.Newest.Format("2006-01-02"))
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{m.Disallowed, "that robots.txt refuses to a crawl"}, {m.Refused, "refused by the policy"}, {m.OutOfScope, "left out by include and exclude"},
		{m.OffSite, "of other hosts left out"}, {m.Undated, "without a date left out"},
	} {
		if c.n > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	unreadable := map[string]int{}
	for _, f := range m.Files {
		switch {
		case f.Error != "":
			unreadable[f.Error]++
		case f.Incomplete != "":
			unreadable["incomplete: "+f.Incomplete]++
		}
	}
	const most = 3
	for i, reason := range slices.Sorted(maps.Keys(unreadable)) {
		if i == most {
			facts = append(facts, "and more files that could not be read")
			break
		}
		facts = append(facts, fmt.Sprintf("%d unreadable or incomplete: %s", unreadable[reason], reason))
	}
	if m.Truncated {
		facts = append(facts, "the site names more than was read")
	}
	return strings.Join(facts, "; ")
}

// linkLine is "- title — url (date)".
func linkLine(l result.MapLink) string {
	s := "- "
	if t := text.Cut(text.Line(l.Title), 120); t != "" {
		s += t + " — "
	}
	s += text.URL(l.URL)
	if !l.Modified.IsZero() {
		s += " (" + l.Modified.Format("2006-01-02") + ")"
	}
	if l.Disallowed {
		s += " (robots.txt refuses it)"
	}
	return s
}

// line is [Prefix.String] within bounds.
func (p Prefix) line() string {
	const most = 100 // bytes of a path
	p.Path = text.CutBytes(text.URL(p.Path), most)
	examples := make([]string, len(p.Examples))
	for i, e := range p.Examples {
		examples[i] = text.CutBytes(text.URL(e), most)
	}
	p.Examples = examples
	return p.String()
}
