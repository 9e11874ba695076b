package spyhop_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The public packages: what go doc shows of them is all that a program needs to
// know.
var publicPackages = []string{"", "/tool", "/llm", "/result"}

const module = "github.com/spyhop-dev/spyhop"

// loadPublic returns the public packages as the compiler exports them.
func loadPublic(t *testing.T) []*types.Package {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, p := range publicPackages {
		args = append(args, module+p)
	}
	c := exec.Command("go", args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	var all []*types.Package
	for _, p := range publicPackages {
		pkg, err := imp.Import(module + p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pkg)
	}
	return all
}

// TestPublicTypes: go doc shows every field and method of everything that the
// public packages export. An alias of a type below internal/ hides all of them,
// and so does such a type in a field or a signature.
func TestPublicTypes(t *testing.T) {
	exported := 0
	for _, pkg := range loadPublic(t) {
		for _, name := range pkg.Scope().Names() {
			if !ast.IsExported(name) {
				continue
			}
			exported++
			for _, problem := range hidden(pkg.Scope().Lookup(name)) {
				t.Errorf("%s.%s: %s", pkg.Name(), name, problem)
			}
		}
	}
	if exported < 100 {
		t.Errorf("only %d names are exported: the test looks at the wrong packages", exported)
	}
}

// TestHidden shows what TestPublicTypes finds.
func TestHidden(t *testing.T) {
	inner := types.NewPackage(module+"/internal/inner", "inner")
	secret := types.NewNamed(types.NewTypeName(token.NoPos, inner, "Secret", nil), types.NewStruct(nil, nil), nil)
	pkg := types.NewPackage(module, "spyhop")
	field := func(name string, typ types.Type, embedded bool) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, name, typ, embedded)}, nil)
	}
	named := func(under types.Type) types.Object {
		o := types.NewTypeName(token.NoPos, pkg, "T", nil)
		types.NewNamed(o, under, nil)
		return o
	}
	alias := types.NewTypeName(token.NoPos, pkg, "A", nil)
	types.NewAlias(alias, secret)
	private := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "private", nil), types.NewStruct(nil, nil), nil)
	list := types.NewMap(types.Typ[types.String], types.NewSlice(types.NewPointer(secret)))
	returns := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, pkg, "", secret)), false)
	method := named(field("inner", secret, false))
	method.Type().(*types.Named).AddMethod(types.NewFunc(token.NoPos, pkg, "Get", types.NewSignatureType(
		types.NewVar(token.NoPos, pkg, "t", method.Type()), nil, nil, nil, returns.Results(), false)))
	for name, c := range map[string]struct {
		object types.Object
		want   int
	}{
		"alias":            {alias, 1},
		"field":            {named(field("X", list, false)), 1},
		"unexported field": {named(field("x", list, false)), 0},
		"embedded":         {named(field("Secret", secret, true)), 1},
		"embedded private": {named(field("private", private, true)), 1},
		"method":           {method, 1},
		"function":         {types.NewFunc(token.NoPos, pkg, "F", returns), 1},
		"plain":            {named(field("X", types.Typ[types.Int], false)), 0},
	} {
		if got := hidden(c.object); len(got) != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// hidden returns what a reader of go doc cannot see of an exported object.
func hidden(o types.Object) []string {
	var problems []string
	use := func(where string, typ types.Type) {
		for _, path := range internals(typ, nil) {
			problems = append(problems, where+" is "+path)
		}
	}
	if o, ok := o.(*types.TypeName); ok {
		if o.IsAlias() {
			use("the alias", o.Type())
			return problems // an alias of a public type is documented there
		}
		named, ok := o.Type().(*types.Named)
		if !ok {
			return problems
		}
		for m := range named.Methods() {
			if m.Exported() {
				use("method "+m.Name(), m.Type())
			}
		}
		switch u := named.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				switch {
				case f.Embedded() && !f.Exported():
					problems = append(problems, "the embedded "+f.Name()+" promotes what nobody sees")
				case f.Exported():
					use("field "+f.Name(), f.Type())
				}
			}
		default:
			use("the type", u)
		}
		return problems
	}
	use("the type", o.Type())
	return problems
}

// internals returns the types below internal/ that a type is made of.
func internals(typ types.Type, seen []types.Type) []string {
	if slices.Contains(seen, typ) {
		return nil
	}
	seen = append(seen, typ)
	each := func(parts ...types.Type) (all []string) {
		for _, p := range parts {
			all = append(all, internals(p, seen)...)
		}
		return all
	}
	switch typ := typ.(type) {
	case *types.Alias:
		return each(types.Unalias(typ))
	case *types.Named:
		if pkg := typ.Obj().Pkg(); pkg != nil && strings.Contains(pkg.Path()+"/", "/internal/") {
			return []string{pkg.Path() + "." + typ.Obj().Name()}
		}
	case *types.Pointer:
		return each(typ.Elem())
	case *types.Slice:
		return each(typ.Elem())
	case *types.Array:
		return each(typ.Elem())
	case *types.Chan:
		return each(typ.Elem())
	case *types.Map:
		return each(typ.Key(), typ.Elem())
	case *types.Signature:
		return append(each(typ.Params()), each(typ.Results())...)
	case *types.Tuple:
		var all []string
		for v := range typ.Variables() {
			all = append(all, each(v.Type())...)
		}
		return all
	case *types.Struct:
		var all []string
		for f := range typ.Fields() {
			if f.Exported() {
				all = append(all, each(f.Type())...)
			}
		}
		return all
	case *types.Interface:
		var all []string
		for m := range typ.Methods() {
			all = append(all, each(m.Type())...)
		}
		return all
	}
	return nil
}

// TestExamples: each function and each method that the root exports has an
// example.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Example") {
				examples[d.Name.Name] = true
			}
		}
	}
	root := loadPublic(t)[0]
	wanted := 0
	want := func(name, what string) {
		wanted++
		if !examples[name] {
			t.Errorf("%s has no %s", what, name)
		}
	}
	for _, name := range root.Scope().Names() {
		o := root.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Func:
			want("Example"+name, name)
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !ok || o.IsAlias() {
				continue
			}
			for m := range named.Methods() {
				if m.Exported() {
					want("Example"+name+"_"+m.Name(), name+"."+m.Name())
				}
			}
		}
	}
	if wanted < 20 {
		t.Errorf("only %d functions and methods were found", wanted)
	}
}

// TestStranger builds and runs testdata/stranger, a program that was written from
// go doc only, in a fresh module: what it needs for a page, a tool of its own and
// a language model of its own is exported by public packages.
func TestStranger(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join("testdata", "stranger", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	// Our requirements are listed, as "go mod tidy" lists them: otherwise go looks up go.mod
	// files of modules that nothing is built from.
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	for name, content := range map[string][]byte{
		"go.mod": []byte("module example.com/stranger\n" + requirements + "\nrequire github.com/spyhop-dev/spyhop v0.0.0\n\n" +
			"replace github.com/spyhop-dev/spyhop => " + here + "\n"),
		"go.sum":  sums,
		"main.go": program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What the module needs was downloaded to build this test.
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := c.CombinedOutput()
	want := "Fog complete 200\nAHOY Boats \"wait for the fog to lift\" [1]. true Fog\ntrue\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
