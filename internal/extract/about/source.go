package about

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sources collects the data in the scripts and attributes of a shell.
type sources struct {
	state  []value
	budget budget
	stream strings.Builder // of React's server components
}

// stateOf returns the data from which the scripts of a page would make elements.
func stateOf(doc *html.Node) *sources {
	s := &sources{budget: budget{maxScriptBytes, maxScriptNodes}}
	for n := range dom.Below(doc) {
		if n.Type != html.ElementNode || len(s.state) > maxScripts {
			continue
		}
		if n.DataAtom == atom.Script {
			if n.FirstChild != nil && len(n.FirstChild.Data) >= minState {
				s.script(strings.ToLower(dom.Attr(n, "type")), n.FirstChild.Data)
			}
			continue
		}
		for i := range n.Attr {
			if v := n.Attr[i].Val; len(v) >= minState && (v[0] == '{' || v[0] == '[') && strings.HasPrefix(n.Attr[i].Key, "data-") {
				s.add(v)
			}
		}
	}
	s.rows(s.stream.String())
	return s
}

func (s *sources) script(kind, text string) {
	switch {
	case dom.IsJSONLD(kind):
	case strings.Contains(kind, "json"):
		s.add(text)
	case kind == "" || kind == "module" || strings.Contains(kind, "javascript"):
		s.literals(text)
	}
}

func (s *sources) add(text string) int {
	v, n, ok := s.budget.parse(text)
	if (v.kind == listKind || v.kind == objectKind) && (ok || n == len(text)) {
		s.state = append(s.state, unfold(v))
	}
	return n
}

// literals finds the literals to which a script gives a name, or that it passes to a
// function: __NUXT__ = {…}, JSON.parse("…"), kit.start(app, element, {…}).
func (s *sources) literals(text string) {
	for tries := 0; tries < maxTries && s.budget.bytes > 0; {
		i := strings.IndexAny(text, "=(")
		if i < 0 {
			return
		}
		call, before := text[i] == '(', text[:i]
		text = text[i+1:]
		after := strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasSuffix(before, "__next_f.push"):
			v, n, _ := s.budget.parse(after)
			if len(v.list) == 2 && s.stream.Len() < maxScriptBytes {
				s.stream.WriteString(v.list[1].str)
			}
			text = after[n:]
			continue
		case strings.HasSuffix(before, "ontroller.enqueue"): // of React Router
			v, n, _ := s.budget.parse(after)
			s.add(v.str)
			text = after[n:]
			continue
		case call:
			after = strings.TrimLeft(after, argumentNames)
		}
		if strings.HasPrefix(after, "{") || strings.HasPrefix(after, "[") || strings.HasPrefix(after, "JSON.parse(") {
			tries++
			v, n, ok := s.budget.parse(after)
			if ok && n >= minState && (v.kind == objectKind || v.kind == listKind) {
				s.state = append(s.state, unfold(v))
				text = after[n:]
			}
		}
	}
}

// argumentNames are the characters of the arguments of a call before one that is a literal.
const argumentNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$., \t\r\n"

// rows parses the stream of React's server components: lines of ID:JSON, and
// texts as ID:Tlength,text. A text replaces the references to it.
func (s *sources) rows(stream string) {
	var rows []value
	texts := map[string]string{}
	for stream != "" {
		line, next, _ := strings.Cut(stream, "\n")
		id, row, _ := strings.Cut(line, ":")
		size, _, isText := strings.Cut(strings.TrimPrefix(row, "T"), ",")
		n, err := strconv.ParseUint(size, 16, 32)
		switch {
		case isText && err == nil && row[0] == 'T':
			text := stream[len(id)+len(size)+len(":T,"):]
			next = text[min(int(n), len(text)):]
			texts["$"+id] = text[:len(text)-len(next)]
		case strings.HasPrefix(row, "["), strings.HasPrefix(row, "{"):
			v, _, _ := s.budget.parse(row)
			rows = append(rows, v)
		}
		stream = next
	}
	for i := range rows {
		rows[i].fill(texts)
	}
	s.state = append(s.state, rows...)
}

// fill replaces references by texts, and makes objects of elements:
// ["$", type, key, props].
func (v *value) fill(texts map[string]string) {
	if t, ok := texts[v.str]; ok && v.kind == stringKind {
		v.str = t
	}
	for i := range v.list {
		v.list[i].fill(texts)
	}
	if n := len(v.list); v.kind == listKind && n > 2 && v.list[0].str == "$" && v.list[n-1].kind == objectKind {
		props := v.list[n-1]
		*v = value{kind: objectKind, keys: append([]string{"type"}, props.keys...), list: append([]value{v.list[1]}, props.list...)}
	}
}

// flat is a list in which values name each other by index, as devalue (Nuxt,
// SvelteKit) and turbo-stream (React Router) write it. Each list and object is
// unfolded once, so that circles end and nothing grows.
type flat struct {
	list []value
	done []bool
}

// unfold returns the value that such a list encodes, and other values unchanged.
func unfold(v value) value {
	if v.kind != listKind || len(v.list) < 4 {
		return v
	}
	first := &v.list[0]
	for i := range first.list {
		if n := first.list[i].index(len(v.list)); n < 0 && (first.kind == objectKind || i > 0) {
			return v
		}
	}
	if len(first.list) == 0 || first.kind == listKind && first.list[0].kind != stringKind {
		return v
	}
	f := flat{v.list, make([]bool, len(v.list))}
	return f.at(0, 0)
}

// index is the number of a value as an index of a list of n, or -1.
func (v *value) index(n int) int {
	if i, err := strconv.Atoi(v.str); err == nil && v.kind == numberKind && i < n {
		return i
	}
	return -1
}

func (f *flat) at(i, depth int) value {
	v := &f.list[i]
	if v.kind != listKind && v.kind != objectKind {
		return *v
	}
	if f.done[i] || depth > maxDepth {
		return value{}
	}
	f.done[i] = true
	out := value{kind: v.kind}
	for k := range v.list {
		m := v.list[k]
		if v.kind == objectKind {
			key := v.keys[k]
			if n, err := strconv.Atoi(strings.TrimPrefix(key, "_")); err == nil && key[0] == '_' && n >= 0 && n < len(f.list) {
				key = f.list[n].str
			}
			out.keys = append(out.keys, key)
		} else if m.kind == stringKind && k == 0 {
			continue // the name of a type: ["Reactive", 3], ["Date", "…"]
		}
		if j := m.index(len(f.list)); j >= 0 {
			m = f.at(j, depth+1)
		}
		out.list = append(out.list, m)
	}
	if v.kind == listKind && len(out.list) == 1 && v.list[0].kind == stringKind {
		return out.list[0]
	}
	return out
}
