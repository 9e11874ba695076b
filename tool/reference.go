package tool

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// reference is "${step.name[0].name}".
type reference struct {
	source string
	step   string
	path   []selector
}

// String is the source text of the reference, shortened.
func (r *reference) String() string { return shorten(r.source) }

// selector is a field, or an element where name is empty.
type selector struct {
	name  string
	index int
}

func (s selector) String() string {
	if s.name != "" {
		return "." + shorten(s.name)
	}
	return "[" + strconv.Itoa(s.index) + "]"
}

// part is a piece of a string: literal text, or a reference.
type part struct {
	text string
	ref  *reference
}

// parseTemplate splits a string into literal text and references. problem is ""
// on success.
func parseTemplate(s string) (parts []part, problem string) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, part{text: text.String()})
			text.Reset()
		}
	}
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			text.WriteString(s)
			flush()
			return parts, ""
		}
		if i > 0 && s[i-1] == '$' { // "$${"
			text.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		text.WriteString(s[:i])
		flush()
		end := strings.IndexByte(s[i:], '}')
		if end < 0 {
			return nil, fmt.Sprintf("%s has no closing }", shorten(s[i:]))
		}
		r, problem := parseReference(s[i : i+end+1])
		if problem != "" {
			return nil, problem
		}
		parts = append(parts, part{ref: r})
		s = s[i+end+1:]
	}
}

// parseReference reads "${…}".
func parseReference(source string) (*reference, string) {
	r := &reference{source: source}
	rest := source[2 : len(source)-1]
	n := nameLength(rest)
	r.step, rest = rest[:n], rest[n:]
	if !isID(r.step) {
		return nil, fmt.Sprintf("%s does not name a step", r)
	}
	for rest != "" {
		if len(r.path) == maxPlanDepth {
			return nil, fmt.Sprintf("%s is longer than %d names", r, maxPlanDepth)
		}
		switch rest[0] {
		case '.':
			n := nameLength(rest[1:])
			if n == 0 {
				return nil, fmt.Sprintf("%s has a dot without a name", r)
			}
			r.path, rest = append(r.path, selector{name: rest[1 : 1+n]}), rest[1+n:]
		case '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, fmt.Sprintf("%s has no closing ]", r)
			}
			index, err := strconv.ParseUint(rest[1:end], 10, 31)
			if err != nil {
				return nil, fmt.Sprintf("%s has [%s], which is not an index", r, shorten(rest[1:end]))
			}
			r.path, rest = append(r.path, selector{index: int(index)}), rest[end+1:]
		default:
			return nil, fmt.Sprintf("%s has an error at %q", r, shorten(rest))
		}
	}
	return r, ""
}

// nameLength is how many bytes of s can be part of a name.
func nameLength(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return i
		}
	}
	return len(s)
}

// wholeReference returns the reference when the value is a string that consists
// of one, else nil.
func wholeReference(v any) *reference {
	s, ok := v.(string)
	if !ok {
		return nil
	}
	if parts, problem := parseTemplate(s); problem == "" && len(parts) == 1 {
		return parts[0].ref
	}
	return nil
}

// hasTemplate reports whether a string within the value has a reference or an
// escaped "$${".
func hasTemplate(v any) bool {
	found := false
	eachString(v, maxPlanDepth, func(s string) { found = found || strings.Contains(s, "${") })
	return found
}

// eachString calls f with every string within a value, except keys of objects.
// It skips values that are nested deeper than depth, and reports whether there
// were any.
func eachString(v any, depth int, f func(string)) (deeper bool) {
	if depth == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, e := range v {
			deeper = eachString(e, depth-1, f) || deeper
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // for messages in a stable order
			deeper = eachString(v[k], depth-1, f) || deeper
		}
	}
	return deeper
}
