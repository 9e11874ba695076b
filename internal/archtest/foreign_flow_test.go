package archtest_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// This file has the ways to a sink that are no assignment: what is written into a
// buffer or through a pointer, what a function hands to the body of a loop, what %v
// prints of a struct, and the calls that are sinks themselves.

// sinkCalls are functions whose arguments stand outside of the fence, with the first
// argument that counts.
var sinkCalls = map[string]int{
	"net/http.Error": 1,
	"log.Print":      0, "log.Printf": 0, "log.Println": 0, "log.Fatal": 0, "log.Fatalf": 0, "log.Fatalln": 0, "log.Panicf": 0,
	"log.Logger.Print": 0, "log.Logger.Printf": 0, "log.Logger.Println": 0, "log.Logger.Output": 1,
	"log/slog.Debug": 0, "log/slog.Info": 0, "log/slog.Warn": 0, "log/slog.Error": 0, "log/slog.Log": 2, "log/slog.LogAttrs": 2,
	"log/slog.Logger.Debug": 0, "log/slog.Logger.Info": 0, "log/slog.Logger.Warn": 0, "log/slog.Logger.Error": 0, "log/slog.Logger.Log": 2, "log/slog.Logger.LogAttrs": 2, "log/slog.Logger.With": 0,
	"log/slog.String": 0, "log/slog.Any": 0, "log/slog.StringValue": 0, "log/slog.AnyValue": 0, "log/slog.Group": 0,
}

// sinkCall notes the arguments of a call that is a sink. Attributes of a log are made by
// calls that are sinks themselves.
func (m *module) sinkCall(c *ast.CallExpr, fn *types.Func) {
	first, ok := sinkCalls[nameOf(fn)]
	if !ok {
		return
	}
	for _, a := range c.Args[min(first, len(c.Args)):] {
		if n := namedOf(m.info.TypeOf(a)); n == nil || nameOf(n.Obj()) != "log/slog.Attr" {
			m.sunk = append(m.sunk, flow{expr: a, pos: a.Pos()})
		}
	}
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

// pointee is the variable or field that can be changed through a value: &x, or a pointer
// to a buffer.
func (m *module) pointee(e ast.Expr) types.Object {
	if e == nil {
		return nil
	}
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		if _, isLiteral := ast.Unparen(u.X).(*ast.CompositeLit); isLiteral {
			return nil
		}
		if t := m.info.TypeOf(u.X); t != nil && (isBuffer(t) || carries(t)) {
			return m.base(u.X)
		}
		return nil
	}
	if t := m.info.TypeOf(e); t != nil && isWriter(t) {
		return m.base(e)
	}
	return nil
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

// converted notes that the fields of one struct type become those of another.
func (m *module) converted(c *ast.CallExpr) {
	to, ok1 := m.under(c).(*types.Struct)
	from, ok2 := m.under(c.Args[0]).(*types.Struct)
	if !ok1 || !ok2 {
		return
	}
	for i := range to.NumFields() {
		if a, b := to.Field(i).Origin(), from.Field(i).Origin(); a != b {
			m.into[a] = append(m.into[a], flow{from: b, pos: c.Pos()})
		}
	}
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
