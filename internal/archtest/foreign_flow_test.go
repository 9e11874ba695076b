package archtest_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// This file has the ways to a sink that are no assignment: what is written into a
// buffer or through a pointer, what a function hands to the body of a loop, what %v
// prints of a struct, and the calls that are sinks themselves.

// sinkCalls are functions whose arguments stand outside of the fence, with the first
// argument that counts.
var sinkCalls = func() map[string]int {
	calls := map[string]int{
		"net/http.Error": 1, "net/http.Redirect": 2, "net/http.Header.Set": 1, "net/http.Header.Add": 1,
		"log.Output": 1, "log.Logger.Output": 1, "log.Logger.SetPrefix": 0, "log.SetPrefix": 0, "log.New": 1,
		"log/slog.Log": 2, "log/slog.LogAttrs": 2, "log/slog.Logger.Log": 2, "log/slog.Logger.LogAttrs": 2,
		"log/slog.With": 0, "log/slog.Logger.With": 0, "log/slog.Logger.WithGroup": 0, "log/slog.NewRecord": 2, "log/slog.Record.Add": 0,
		"log/slog.StringValue": 0, "log/slog.AnyValue": 0,
	}
	for _, name := range []string{"Print", "Fatal", "Panic"} {
		for _, end := range []string{"", "f", "ln"} {
			calls["log."+name+end], calls["log.Logger."+name+end] = 0, 0
		}
	}
	for _, name := range []string{"Debug", "Info", "Warn", "Error"} {
		calls["log/slog."+name], calls["log/slog.Logger."+name] = 0, 0
		calls["log/slog."+name+"Context"], calls["log/slog.Logger."+name+"Context"] = 1, 1
	}
	for _, name := range []string{"String", "Any", "Group", "Bool", "Duration", "Float64", "Int", "Int64", "Time", "Uint64"} {
		calls["log/slog."+name] = 0
	}
	return calls
}()

// sinkCall notes the arguments of a call that is a sink. Attributes of a log are made by
// calls that are sinks themselves, and headers of requests are not read by models or people.
func (m *module) sinkCall(c *ast.CallExpr, fn *types.Func) {
	first, ok := sinkCalls[nameOf(fn)]
	if !ok || strings.HasPrefix(nameOf(fn), "net/http.Header.") && !m.answers(c) {
		return
	}
	for _, a := range c.Args[min(first, len(c.Args)):] {
		if n := namedOf(m.info.TypeOf(a)); n == nil || nameOf(n.Obj()) != "log/slog.Attr" {
			m.sunk = append(m.sunk, flow{expr: a, pos: a.Pos()})
		}
	}
}

// sinkTaken notes a sink that is used as a value: what it is called with later, the test
// cannot follow.
func (m *module) sinkTaken(fn *types.Func, pos token.Pos) {
	if _, ok := sinkCalls[nameOf(fn)]; ok {
		m.sunk = append(m.sunk, flow{expr: &ast.BadExpr{From: pos}, pos: pos})
	}
}

// surfaces are the packages that answer over HTTP, where a header is one of an answer; in
// others it is one of a request, which the site reads.
var surfaces = []string{"internal/serve", "internal/live"}

// answers reports whether a call on a header is one on that of an answer.
func (m *module) answers(c *ast.CallExpr) bool {
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		if header, ok := ast.Unparen(sel.X).(*ast.SelectorExpr); ok {
			if of := namedOf(m.info.TypeOf(header.X)); of != nil && nameOf(of.Obj()) == "net/http.Request" {
				return false
			}
		}
	}
	dir := path.Dir(m.fset.Position(c.Pos()).Filename)
	return slices.ContainsFunc(surfaces, func(p string) bool { return strings.HasSuffix(dir, p) || dir == "." })
}

// screenWriters make a foreign string safe for the command's own stdout and stderr, which a
// person reads on a terminal: several lines can be safe there.
var screenWriters = map[string]string{
	"cmd/spyhop.printable":       "one line without what steers a terminal",
	"cmd/spyhop.session.shown":   "the content of a page: a pipe gets it as it is",
	"internal/terminal.Markdown": "no controls but its own colours",
	"internal/text.VisibleJSON":  "JSON with escapes",
	"cmd/spyhop.roff":            "our own help",
}

// otherOutput are packages that write to the stdout of the process what no person reads.
var otherOutput = map[string]string{
	"internal/serve":      "the protocol of MCP",
	"internal/worker":     "frames between two processes",
	"scripts/tally":       "what tests print, for developers",
	"internal/reader/gen": "what go generate prints, for developers",
}

// shown is what a call writes, and where: the text, and the variable or field of the writer.
type shown struct {
	to   types.Object
	text flow
}

// showCall notes what a call writes.
func (m *module) showCall(c *ast.CallExpr, fn *types.Func) {
	to, args := ast.Expr(nil), c.Args
	sel, isSel := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	isMethod := isSel && m.info.Selections[sel] != nil
	switch name := fn.FullName(); {
	case strings.HasPrefix(name, "fmt.Print"):
		m.shown = append(m.shown, shownAll(fn.Pkg().Scope().Lookup("Print"), args)...)
		return
	case strings.HasPrefix(name, "fmt.Fprint"), name == "io.WriteString", strings.HasPrefix(name, "io.Copy"):
		to, args = c.Args[0], c.Args[1:]
	case isMethod && strings.HasPrefix(fn.Name(), "Write"):
		to = sel.X
	case name == "(*text/template.Template).Execute", name == "(*bytes.Buffer).WriteTo": // html/template is for browsers
		to, args = c.Args[0], append([]ast.Expr{sel.X}, c.Args[1:]...)
	case isMethod && fn.Name() == "Encode" && !m.isOwn(fn): // of what json.NewEncoder made
		to = sel.X
	}
	if to != nil {
		m.shown = append(m.shown, shownAll(m.writerOf(to), args)...)
	}
}

func shownAll(to types.Object, args []ast.Expr) (out []shown) {
	for _, a := range args {
		out = append(out, shown{to, flow{expr: a, pos: a.Pos(), whole: true}})
	}
	return out
}

// writerOf is the variable or field of a writer, also of one that a call or a struct wraps.
func (m *module) writerOf(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			return m.writerOf(e.Args[0])
		}
	case *ast.UnaryExpr:
		return m.writerOf(e.X)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if write, _, _ := types.LookupFieldOrMethod(m.info.TypeOf(x), true, nil, "Write"); write != nil {
				return m.writerOf(x)
			}
		}
		return nil
	}
	return m.base(e)
}

// onTerminal returns the foreign strings that the command prints without its writers.
func (m *module) onTerminal() []string {
	w := m.newWalk(nil)
	w.screen = true
	isScreen := map[types.Object]bool{}
	for _, s := range m.shown {
		dir := path.Dir(m.fset.Position(s.text.pos).Filename)
		if m.isScreen(s.to, isScreen) && !slices.ContainsFunc(slices.Collect(maps.Keys(otherOutput)), func(p string) bool { return strings.HasSuffix(dir, p) }) {
			w.owe(s.text)
		}
	}
	return w.walk()
}

// isScreen reports whether a writer can be the command's stdout or stderr.
func (m *module) isScreen(to types.Object, known map[types.Object]bool) bool {
	if to == nil || to.Pkg() == nil {
		return false
	}
	if is, ok := known[to]; ok {
		return is
	}
	name := shortPath(to.Pkg().Path()) + "." + to.Name()
	known[to] = slices.Contains([]string{"cmd/spyhop.stdout", "cmd/spyhop.stderr", "os.Stdout", "os.Stderr", "fmt.Print"}, name)
	for _, f := range m.into[to] {
		from := f.from
		if f.expr != nil {
			from = m.writerOf(f.expr)
		}
		if m.isScreen(from, known) {
			known[to] = true
		}
	}
	return known[to]
}

// isHolder reports whether a type of another module gives back the text that it was made
// of.
func isHolder(t types.Type) bool {
	n := namedOf(t)
	return n != nil && slices.Contains([]string{"strings.Replacer", "strings.Reader", "bytes.Reader"}, nameOf(n.Obj()))
}

// isWriter reports whether text can be written into a value: a buffer, or an interface
// that may be one.
func isWriter(t types.Type) bool {
	if t == nil {
		return false
	}
	if isBuffer(t) {
		return true
	}
	if !types.IsInterface(t) {
		return false
	}
	write, _, _ := types.LookupFieldOrMethod(t, true, nil, "Write")
	_, ok := write.(*types.Func)
	return ok
}

// writer is the variable or field that text goes to which is written into an expression:
// a buffer, one that its struct embeds, or an interface that may be one.
func (m *module) writer(e ast.Expr) types.Object {
	t := m.info.TypeOf(e)
	if isWriter(t) {
		return m.base(e)
	}
	if f := embeddedBuffer(t); f != nil {
		return f
	}
	return nil
}

// embeddedBuffer is the field by which a struct is a buffer; nil if it has none.
func embeddedBuffer(t types.Type) *types.Var {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if t == nil {
		return nil
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Embedded() && isBuffer(f.Type()) {
			return f.Origin()
		}
	}
	return nil
}

// pointees are the variables or fields that can be changed through a value: &x, a pointer
// to a buffer, and what a list, a map or a struct has of these.
func (m *module) pointees(e ast.Expr) (out []types.Object) {
	if e == nil {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return m.pointees(lit)
		}
		if t := m.info.TypeOf(e.X); e.Op == token.AND && t != nil && (isBuffer(t) || carries(t)) {
			if obj := m.base(e.X); obj != nil {
				out = append(out, obj)
			}
		}
		return out
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			out = append(out, m.pointees(x)...)
		}
		return out
	}
	if t := m.info.TypeOf(e); t != nil && (isWriter(t) || holdsPointers(t)) {
		if obj := m.base(e); obj != nil {
			out = append(out, obj)
		}
	}
	return out
}

// holdsPointers reports whether a value is a list or a map of pointers to text.
func holdsPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return carries(u)
	case *types.Slice:
		return holdsPointers(u.Elem())
	case *types.Array:
		return holdsPointers(u.Elem())
	case *types.Map:
		return holdsPointers(u.Elem())
	}
	return false
}

// written notes what a call writes into a buffer.
func (m *module) written(c *ast.CallExpr, fn *types.Func) {
	name := fn.FullName()
	into := func(obj types.Object, f flow) {
		if obj != nil {
			m.into[obj] = append(m.into[obj], f)
		}
	}
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && m.info.Selections[sel] != nil && !m.isOwn(fn) {
		if strings.HasPrefix(fn.Name(), "Write") || fn.Name() == "ReadFrom" {
			for _, a := range c.Args {
				into(m.writer(sel.X), flow{expr: a, pos: a.Pos()})
			}
		}
	}
	if strings.HasPrefix(name, "fmt.Fprint") || name == "io.WriteString" {
		into(m.writer(c.Args[0]), flow{call: c, pos: c.Pos()})
		return
	}
	if m.isOwn(fn) {
		return
	}
	for _, a := range c.Args { // a function of others can write anything into it
		if t := m.info.TypeOf(a); t != nil && (isBuffer(t) && isPointer(t) || embeddedBuffer(t) != nil && isPointer(t)) {
			if obj := m.writer(a); obj != nil {
				m.decoded[obj] = a.Pos()
			}
		}
	}
}

// converted notes that the fields of one struct type become those of another, by a
// conversion or by an assignment of a struct without a name.
func (m *module) converted(toType, fromType types.Type, pos token.Pos) {
	to, from := structOf(toType), structOf(fromType)
	if to == nil || from == nil || to == from || to.NumFields() != from.NumFields() {
		return
	}
	for i := range to.NumFields() {
		if a, b := to.Field(i).Origin(), from.Field(i).Origin(); a != b {
			m.into[a] = append(m.into[a], flow{from: b, pos: pos})
		}
	}
}

// structOf is the struct that a type is, or points to; nil if there is none.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// yielded follows what an iterator hands to the body of a loop: the arguments of the
// calls of its parameter.
func (w *walk) yielded(t types.Type, in *frame) {
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || !isFunc(s.Params().At(0).Type().Underlying()) {
		return
	}
	w.passed(s.Params().At(0).Origin(), in)
}

func (w *walk) passed(yield types.Object, in *frame) {
	key := [2]any{"yields", yield}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	for _, f := range w.yields[yield] {
		if f.from != nil { // another function calls it
			w.passed(f.from, in)
		} else {
			w.flow(f, in)
		}
	}
}

// printed follows what fmt writes of a value: of a struct, all its fields.
func (w *walk) printed(e ast.Expr, in *frame) {
	was := w.printing
	w.printing = true
	w.value(e, 0, in)
	w.printing = was
}

// holdsAny reports whether a value is one of a type that is not known here, or a list of
// such ones.
func holdsAny(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Slice:
		return holdsAny(u.Elem())
	case *types.Map:
		return holdsAny(u.Elem())
	}
	return false
}

// whole follows the fields of what is printed.
func (w *walk) whole(t types.Type, pos token.Pos, in *frame) {
	key := [3]any{"whole", t, in}
	if t == nil || w.seen[key] || speaks(t) != nil {
		return
	}
	w.seen[key] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		w.whole(u.Elem(), pos, in)
	case *types.Slice:
		w.whole(u.Elem(), pos, in)
	case *types.Array:
		w.whole(u.Elem(), pos, in)
	case *types.Map:
		w.whole(u.Key(), pos, in)
		w.whole(u.Elem(), pos, in)
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i).Origin(); carries(f.Type()) {
				w.variable(f, pos, nil)
			} else {
				w.whole(f.Type(), pos, in)
			}
		}
	}
}
