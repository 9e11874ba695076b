package archtest_test

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// budgets is the table of sizes. SPYHOP_UPDATE=1 writes the sizes of today into it; a change
// that makes a number larger says why in its commit.
const budgets = "internal/archtest/testdata/size.txt"

// size is what is counted of the source of a package, without tests and generated files.
type size struct {
	lines, functions, complex, worst, constants, exported, literals int
}

func (s *size) add(o size) {
	s.lines += o.lines
	s.functions += o.functions
	s.complex += o.complex
	s.worst = max(s.worst, o.worst)
	s.constants += o.constants
	s.exported += o.exported
	s.literals += o.literals
}

// room is to what multiple of lines a budget is rounded up.
const room = 50

// complexEnough is the cyclomatic complexity from which on a function counts as complex.
const complexEnough = 16

// TestSize: no package grows beyond its budget unnoticed, and neither do the share of complex
// functions, the most complex one, and the numbers that decide outside of declarations.
func TestSize(t *testing.T) {
	sizes, all := measure(t)
	now := map[string]int{
		"complex functions, per thousand": 1000 * all.complex / all.functions,
		"complexity of the worst":         all.worst,
		"constants, per 1,000 lines":      1000 * all.constants / all.lines,
		"exported identifiers":            all.exported,
		"literals, per 1,000 lines":       1000 * all.literals / all.lines,
	}
	for name, s := range sizes {
		now[name] = s.lines
	}
	now["lines in all"] = all.lines
	if os.Getenv("SPYHOP_UPDATE") != "" {
		writeBudgets(t, now)
		return
	}
	most := readBudgets(t)
	for name, n := range now {
		switch budget, ok := most[name]; {
		case !ok:
			t.Errorf("%s: %d, and no budget in %s", name, n, budgets)
		case n > budget:
			t.Errorf("%s: %d, and the budget is %d: delete something, or change %s and say why", name, n, budget, budgets)
		}
	}
	for name := range most {
		if _, ok := now[name]; !ok {
			t.Errorf("%s has a budget in %s and is not there", name, budgets)
		}
	}
}

func writeBudgets(t *testing.T, now map[string]int) {
	var b strings.Builder
	b.WriteString("# Budgets: lines of Go without tests and generated files by package, and what is counted over all of them.\n# SPYHOP_UPDATE=1 go test -count=1 -run TestSize ./internal/archtest writes this file.\n")
	names := make([]string, 0, len(now))
	for name := range now {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		n := now[name]
		if !strings.Contains(name, " ") { // a package has room for small changes
			n = (n + room - 1) / room * room
		}
		if name == "lines in all" {
			n = (n + 10*room - 1) / (10 * room) * 10 * room
		}
		fmt.Fprintf(&b, "%7d %s\n", n, name)
	}
	if err := os.WriteFile(budgets, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readBudgets(t *testing.T) map[string]int {
	f, err := os.Open(budgets)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	most := map[string]int{}
	for in := bufio.NewScanner(f); in.Scan(); {
		number, name, ok := strings.Cut(strings.TrimSpace(in.Text()), " ")
		if strings.HasPrefix(number, "#") || !ok {
			continue
		}
		if most[name], err = strconv.Atoi(number); err != nil {
			t.Fatal(err)
		}
	}
	return most
}

// measure counts the packages of the product: bench and packaging are modules of their own.
func measure(t *testing.T) (map[string]size, size) {
	sizes, all := map[string]size{}, size{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path == "bench" || path == "packaging" || path == "bin" || path != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		one := sizeOf(t, path)
		dir := filepath.ToSlash(filepath.Dir(path))
		s := sizes[dir]
		s.add(one)
		sizes[dir] = s
		all.add(one)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sizes, all
}

func sizeOf(t *testing.T, path string) size {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if ast.IsGenerated(file) { // what it is made from is counted
		return size{}
	}
	s := size{lines: strings.Count(string(src), "\n")}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						s.count(name.Name)
						if d.Tok == token.CONST {
							s.constants++
						}
					}
				case *ast.TypeSpec:
					s.count(spec.Name.Name)
				}
			}
		case *ast.FuncDecl:
			s.count(d.Name.Name)
			s.functions++
			n, literals := weigh(d)
			s.literals += literals
			s.worst = max(s.worst, n)
			if n >= complexEnough {
				s.complex++
			}
		}
	}
	return s
}

func (s *size) count(name string) {
	if ast.IsExported(name) {
		s.exported++
	}
}

// weigh returns the cyclomatic complexity of a function, and how many numbers other than
// -1, 0, 1 and 2 it compares or calculates with.
func weigh(f *ast.FuncDecl) (complexity, literals int) {
	complexity = 1
	decides := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && (l.Kind == token.INT || l.Kind == token.FLOAT) && l.Value != "0" && l.Value != "1" && l.Value != "2" {
			literals++
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			complexity++
		case *ast.CaseClause:
			if n.List != nil {
				complexity++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				complexity++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				complexity++
			}
			decides(n.X)
			decides(n.Y)
		}
		return true
	})
	return complexity, literals
}

// TestWeigh: what counts in a function.
func TestWeigh(t *testing.T) {
	for src, want := range map[string][2]int{
		`func f() {}`: {1, 0},
		`func f(a, b bool) { if a && b { for range 3 {} } }`:             {4, 0},
		`func f(n int) { switch n { case 1: case 2, 3: default: } }`:     {3, 0},
		`func f(n int) bool { return n > 2 && n < 40 || n*1.5 > .3 }`:    {3, 3},
		`func f(c chan int) { select { case <-c: default: } }`:           {2, 0},
		`func f() { g := func(a bool) { if a { return } }; g(1+1 == 2)}`: {2, 0},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if c, l := weigh(file.Decls[0].(*ast.FuncDecl)); [2]int{c, l} != want {
			t.Errorf("%s: complexity %d and %d literals, want %v", src, c, l, want)
		}
	}
}
