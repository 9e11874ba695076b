package pagestate

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// stateSources is the data that a page carries in scripts and attributes.
type stateSources struct {
	ld, state []Value
	budget    stateBudget
	stream    strings.Builder // of React's server components
}

const (
	minStateBytes   = 100 // shorter data holds no content
	maxStateTries   = 256 // assignments of a script that are tried
	maxStateSources = 256
)

// readSources collects the data of a page; ldOnly leaves all but JSON-LD out.
func readSources(doc *html.Node, ldOnly bool) *stateSources {
	s := &stateSources{budget: stateBudget{maxStateBudget, maxStateNodes}}
	for n := range dom.Below(doc) {
		if n.Type != html.ElementNode || len(s.ld)+len(s.state) > maxStateSources {
			continue
		}
		if n.DataAtom == atom.Script {
			if n.FirstChild != nil {
				s.script(strings.ToLower(dom.Attr(n, "type")), n.FirstChild.Data, ldOnly)
			}
			continue
		}
		if ldOnly {
			continue
		}
		for i := range n.Attr {
			if v := n.Attr[i].Val; len(v) >= 2*minStateBytes && (v[0] == '{' || v[0] == '[') && strings.HasPrefix(n.Attr[i].Key, "data-") {
				s.add(v)
			}
		}
	}
	if s.stream.Len() > 0 {
		s.rows(s.stream.String())
	}
	return s
}

func (s *stateSources) script(kind, text string, ldOnly bool) {
	switch {
	case dom.IsJSONLD(kind):
		text = strings.TrimSpace(text)
		for _, w := range [...]string{"<!--", "//<![CDATA[", "<![CDATA["} {
			text = strings.TrimSpace(strings.TrimPrefix(text, w))
		}
		v, _, _ := readJS(text, &s.budget)
		s.ld = append(s.ld, v)
	case ldOnly || len(text) < minStateBytes:
	case strings.Contains(kind, "json"):
		text = strings.TrimSpace(text)
		if strings.Contains(text[:min(len(text), 400)], "{&q;") {
			// Angular's way to keep quotes out of a script.
			text = strings.NewReplacer("&q;", `"`, "&a;", "&", "&s;", "'", "&l;", "<", "&g;", ">").Replace(text)
		}
		s.add(text)
	case kind == "" || kind == "module" || strings.Contains(kind, "javascript"):
		s.assignments(text)
	}
}

func (s *stateSources) add(text string) {
	v, _, _ := readJS(text, &s.budget)
	if v.kind == jsList || v.kind == jsObject {
		s.state = append(s.state, unfold(v))
	}
}

// assignments finds literals that a script gives a name, or to a stream.
func (s *stateSources) assignments(text string) {
	for tries := 0; tries < maxStateTries && s.budget.bytes > 0; tries++ {
		i := strings.IndexAny(text, "=(")
		if i < 0 {
			return
		}
		before, after := text[max(0, i-40):i], strings.TrimLeft(text[i+1:], " \t\r\n")
		text = text[i+1:]
		if after == "" || i == 0 {
			continue
		}
		if text[0] == '=' {
			text = text[1:] // a comparison
			tries--
			continue
		}
		switch c := after[0]; {
		case strings.HasSuffix(before, "__next_f.push"):
			v, n, _ := readJS(after, &s.budget)
			if len(v.list) == 2 && v.list[1].kind == jsString && s.stream.Len() < maxStateBudget {
				s.stream.WriteString(v.list[1].str)
			}
			text = after[n:]
			tries = 0
		case strings.HasSuffix(before, "ontroller.enqueue"):
			v, n, _ := readJS(after, &s.budget)
			if v.kind == jsString {
				s.add(v.str)
			}
			text = after[n:]
		case text == "" || before == "" || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "!"):
		case c == '{' || c == '[' || strings.HasPrefix(after, "JSON.parse("):
			v, n, ok := readJS(after, &s.budget)
			if ok && n >= minStateBytes && (v.kind == jsObject || v.kind == jsList) {
				s.state = append(s.state, unfold(v))
				text = after[n:]
			}
		case strings.HasPrefix(after, "(function("), strings.HasPrefix(after, "function("):
			s.wrapper(after)
		default:
			tries-- // not an attempt
		}
	}
}

// wrapper reads (function(a,b){return {…}}(1,2)): what Nuxt 2 makes of data in
// which values repeat. The parameters are names for the arguments.
func (s *stateSources) wrapper(text string) {
	text = strings.TrimPrefix(text, "(")
	text = strings.TrimPrefix(text, "function(")
	text = text[:min(len(text), maxStateValue)]
	names, rest, ok := strings.Cut(text, ")")
	if !ok || len(names) > 1<<16 {
		return
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "{return ")
	if !ok {
		return
	}
	// Once to find the end, and with it the arguments; once with their values.
	r := jsReader{s: rest, budget: &s.budget}
	r.value(0)
	s.budget.bytes -= r.i
	args := strings.TrimLeft(rest[r.i:], "; })")
	if r.failed || !strings.HasPrefix(args, "(") || s.budget.bytes <= 0 {
		return
	}
	a := jsReader{s: args, budget: &s.budget}
	list := a.array(0, ')').list
	vars := make(map[string]Value, len(list))
	for i, name := range strings.Split(names, ",") {
		if i < len(list) && list[i].kind <= jsString {
			vars[strings.TrimSpace(name)] = list[i]
		}
	}
	r = jsReader{s: rest, budget: &s.budget, vars: vars}
	s.state = append(s.state, r.value(0))
	s.budget.bytes -= r.i + a.i
}

// rows reads the stream of React's server components: lines of ID:JSON, and
// texts as ID:Tlength,text. A text takes the place of what names it.
func (s *stateSources) rows(stream string) {
	var rows []Value
	texts := map[string]string{}
	for stream != "" {
		id, rest, ok := strings.Cut(stream, ":")
		if !ok || len(id) > 16 {
			_, stream, _ = strings.Cut(stream, "\n")
			continue
		}
		if after, ok := strings.CutPrefix(rest, "T"); ok {
			if size, text, ok := strings.Cut(after, ","); ok && len(size) < 8 {
				if n, err := strconv.ParseUint(size, 16, 32); err == nil {
					n := min(int(n), len(text))
					texts["$"+id] = text[:n]
					stream = text[n:]
					continue
				}
			}
		}
		line, next, _ := strings.Cut(rest, "\n")
		stream = next
		if i := strings.IndexAny(line[:min(len(line), 4)], "{["); i >= 0 && !strings.HasPrefix(line, "I") {
			v, _, _ := readJS(line[i:], &s.budget)
			rows = append(rows, v)
		}
	}
	for i := range rows {
		rows[i].fill(texts)
		s.state = append(s.state, rows[i])
	}
}

// fill puts texts in the place of their names, and makes objects of elements:
// ["$", type, key, props].
func (v *Value) fill(texts map[string]string) {
	if v.kind == jsString {
		if t, ok := texts[v.str]; ok {
			v.str = t
		}
		return
	}
	for i := range v.list {
		v.list[i].fill(texts)
	}
	if v.kind == jsList && len(v.list) == 4 && v.list[0].kind == jsString && v.list[0].str == "$" && v.list[3].kind == jsObject {
		*v = Value{kind: jsObject, keys: append([]string{"type"}, v.list[3].keys...), list: append([]Value{v.list[1]}, v.list[3].list...)}
	}
}
