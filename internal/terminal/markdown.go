package terminal

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Style is how Markdown is drawn. The zero value has no colours and breaks no lines.
type Style struct {
	// Width is the number of columns; 0 breaks no lines.
	Width  int
	Colour bool
}

const (
	reset     = "\x1b[0m"
	bold      = "\x1b[1m"
	faint     = "\x1b[2m"
	italic    = "\x1b[3m"
	underline = "\x1b[4m"
	cyan      = "\x1b[36m"
)

func (s Style) paint(code, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return code + text + reset
}

// Markdown draws Markdown for a person: headings stand out, links show their text,
// lines and tables fit into the width. Code keeps its lines.
func Markdown(markdown string, s Style) string {
	if s.Width > 0 {
		s.Width = min(max(s.Width, leastWidth), mostWidth)
	}
	var b strings.Builder
	fence := ""
	var rows []string // of the table that is open
	endTable := func() {
		if rows != nil {
			b.WriteString(s.table(rows))
			rows = nil
		}
	}
	for line := range strings.Lines(text.WithoutControls(markdown)) {
		line = strings.TrimRight(line, "\n")
		bare := strings.TrimLeft(line, " ")
		if fence == "" && strings.HasPrefix(bare, "|") {
			rows = append(rows, bare)
			continue
		}
		endTable()
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
				continue
			}
			b.WriteString("    " + s.paint(cyan, line))
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			continue
		default:
			b.WriteString(s.line(line))
		}
		b.WriteByte('\n')
	}
	endTable()
	return b.String()
}

// line draws a heading, an item of a list, a quotation or a part of a paragraph.
func (s Style) line(line string) string {
	bare := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(bare)]
	if level := len(bare) - len(strings.TrimLeft(bare, "#")); level > 0 && level <= 6 && strings.HasPrefix(bare[level:], " ") {
		return s.wrapped("", s.paint(bold, s.inline(bare[level+1:])), "")
	}
	if bare == "---" || bare == "***" {
		return s.paint(faint, strings.Repeat("─", max(leastWidth, min(s.Width, 40))))
	}
	for _, mark := range []string{"> ", "- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(bare, mark); ok {
			drawn := map[bool]string{true: "│ ", false: "• "}[mark == "> "]
			hang := indent + "  "
			if mark == "> " {
				hang = indent + drawn
			}
			return s.wrapped(indent+s.paint(faint, drawn), s.inline(rest), hang)
		}
	}
	if number, rest, ok := strings.Cut(bare, ". "); ok && number != "" && strings.Trim(number, "0123456789") == "" {
		return s.wrapped(indent+number+". ", s.inline(rest), indent+strings.Repeat(" ", len(number)+2))
	}
	return s.wrapped(indent, s.inline(bare), indent)
}

func (s Style) wrapped(first, text, hang string) string {
	if s.Width == 0 {
		return first + text
	}
	return Wrap(first+text, s.Width, hang)
}

// row draws a row of a table as it is; the row below the head becomes a line.
func (s Style) row(line string) string {
	if isRule(line) {
		return s.paint(faint, strings.ReplaceAll(line, "-", "─"))
	}
	return s.inline(line)
}

// inline draws links, emphasis and code within a line. What is not closed stays as it
// is written.
func (s Style) inline(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|<>~$", rest[1]) >= 0:
			b.WriteByte(rest[1])
			i += 2
			continue
		case strings.HasPrefix(rest, "<br>"):
			b.WriteString(" / ")
			i += len("<br>")
			continue
		case strings.HasPrefix(rest, "<su"):
			if raised, n := script(rest); n > 0 {
				b.WriteString(raised)
				i += n
				continue
			}
		case rest[0] == '`':
			if end := strings.IndexByte(rest[1:], '`'); end > 0 {
				b.WriteString(s.paint(cyan, rest[1:1+end]))
				i += end + 2
				continue
			}
		case strings.HasPrefix(rest, "**"):
			if end := strings.Index(rest[2:], "**"); end > 0 {
				b.WriteString(s.paint(bold, s.inline(rest[2:2+end])))
				i += end + 4
				continue
			}
		case rest[0] == '*' && len(rest) > 1 && rest[1] != ' ':
			if end := strings.IndexByte(rest[1:], '*'); end > 0 {
				b.WriteString(s.paint(italic, s.inline(rest[1:1+end])))
				i += end + 2
				continue
			}
		case rest[0] == '[' || strings.HasPrefix(rest, "!["):
			if words, address, n := link(rest); n > 0 {
				b.WriteString(s.paint(underline, s.inline(words)))
				if address != "" {
					b.WriteString(s.paint(faint, " <"+address+">"))
				}
				i += n
				continue
			}
		}
		b.WriteByte(rest[0])
		i++
	}
	return b.String()
}

// script reads <sup>x</sup> or <sub>x</sub> at the beginning of s, as people write it: 2⁴⁸, H₂O,
// and x^(ab) where there are no such characters. n is its length, or 0.
func script(s string) (drawn string, n int) {
	raised := strings.HasPrefix(s, "<sup>")
	if !raised && !strings.HasPrefix(s, "<sub>") {
		return "", 0
	}
	end := strings.Index(s, map[bool]string{true: "</sup>", false: "</sub>"}[raised])
	if end < 0 {
		return "", 0
	}
	inner, n := s[len("<sup>"):end], end+len("</sup>")
	from, to := "0123456789+-=()n", []rune("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ")
	if raised {
		to = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
	}
	var b strings.Builder
	for _, r := range inner {
		i := strings.IndexRune(from, r)
		if i < 0 || r > 0x7f {
			mark := map[bool]string{true: "^", false: "_"}[raised]
			if len([]rune(inner)) == 1 {
				return mark + inner, n
			}
			return mark + "(" + inner + ")", n
		}
		b.WriteRune(to[i])
	}
	return b.String(), n
}

// link reads [words](address "title") or ![words](address) at the begin of s; n is its
// length, or 0. Brackets within the words are counted.
func link(s string) (words, address string, n int) {
	start := strings.IndexByte(s, '[') + 1
	depth := 1
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		if i >= len(s) || !strings.HasPrefix(s[i:], "](") {
			return "", "", 0
		}
		inner, _, ok := strings.Cut(s[i+2:], ")")
		if !ok {
			return "", "", 0
		}
		address, _, _ = strings.Cut(inner, " ")
		return s[start:i], strings.Trim(address, "<>"), i + 2 + len(inner) + 1
	}
	return "", "", 0
}
