package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxDecisionLines and maxArchitectureLines keep the documents short enough to
// be read.
const (
	maxArchitectureLines = 150
	maxDecisionLines     = 40
)

// TestArchitectureNamesEveryPackage fails for a package without a paragraph in
// ARCHITECTURE.md, and for a paragraph without its package.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text := readDocument(t, "ARCHITECTURE.md", "the diagram, what to change for what, a paragraph for each package, the invariants, the life of one request")
	if n := strings.Count(text, "\n"); n > maxArchitectureLines {
		t.Errorf("ARCHITECTURE.md has %d lines, at most %d: say less, or move a part to docs/", n, maxArchitectureLines)
	}
	named := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\*\\*`([^`]+)`\\*\\*").FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
	}
	for _, pkg := range packages(t) {
		name := pkg
		if pkg == "." {
			name = "spyhop"
		} else if strings.HasPrefix(pkg, "scripts/") {
			continue
		}
		if !named[name] {
			t.Errorf("ARCHITECTURE.md has no paragraph that begins with **`%s`**: say what the package provides and where to start reading", name)
		}
		delete(named, name)
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if strings.HasPrefix(name, "internal/") || strings.HasPrefix(name, "cmd/") {
			t.Errorf("ARCHITECTURE.md has a paragraph about %s, which is not a package", name)
		}
	}
}

// TestPackageDocs wants one package doc in each package, which begins with
// what Go's own tools expect.
func TestPackageDocs(t *testing.T) {
	docs := make(map[string][]string)
	names := make(map[string]string)
	eachGoFile(t, ".", parser.PackageClauseOnly|parser.ParseComments, func(pkg string, _ *token.FileSet, file *ast.File) {
		names[pkg] = file.Name.Name
		if file.Doc != nil {
			docs[pkg] = append(docs[pkg], file.Doc.Text())
		}
	})
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		want := []string{"Package " + names[pkg] + " provides"}
		if names[pkg] == "main" {
			want = []string{"Command ", "Spyhop "}
		}
		switch {
		case len(docs[pkg]) == 0:
			t.Errorf("%s has no package doc: begin one with %q", pkg, want[0])
		case len(docs[pkg]) > 1:
			t.Errorf("%s has %d package docs: keep one", pkg, len(docs[pkg]))
		case !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(docs[pkg][0], w) }):
			first, _, _ := strings.Cut(docs[pkg][0], "\n")
			t.Errorf("the doc of %s begins with %q, want %q", pkg, first, want)
		}
	}
}

// TestDecisions holds docs/decisions to their form: short, numbered without a
// gap, titled, with the five parts in their order.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("docs/decisions is empty: each choice that would be asked about has its page there")
	}
	for i, file := range files {
		base := filepath.Base(file)
		text := readDocument(t, file, "")
		if n := strings.Count(text, "\n"); n > maxDecisionLines {
			t.Errorf("%s has %d lines, at most %d", file, n, maxDecisionLines)
		}
		m := regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`).FindStringSubmatch(base)
		if m == nil {
			t.Errorf("%s: name it NNNN-title.md", file)
			continue
		}
		number := strings.TrimLeft(m[1], "0")
		if want := i + 1; number != strconv.Itoa(want) {
			t.Errorf("%s: its number should be %04d: numbers have neither gaps nor repeats", file, want)
		}
		if !strings.HasPrefix(text, "# "+number+". ") {
			t.Errorf("%s: begin with the title, %q", file, "# "+number+". …")
		}
		at := 0
		for _, part := range []string{"**Context.**", "**Choice.**", "**Alternatives.**", "**Cost.**", "**What would change it.**"} {
			if i := strings.Index(text, "\n"+part); i < at {
				t.Errorf("%s: no part %s in its place", file, part)
			} else {
				at = i
			}
		}
	}
}

// TestSecurityTable: each test that SECURITY.md names for an attack is in the folder that
// it names.
func TestSecurityTable(t *testing.T) {
	text := readDocument(t, "SECURITY.md", "attackers, protections, what is not promised, and a test for each attack that once worked")
	_, table, _ := strings.Cut(text, "\n## Attacks that once worked")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| attack") {
			continue
		}
		rows++
		named := regexp.MustCompile("((?:`Test\\w+`(?:, | and )?)+) in `([\\w/]+)`").FindAllStringSubmatch(line, -1)
		if len(named) == 0 {
			t.Errorf("no test for %s", line)
		}
		for _, m := range named {
			for _, test := range regexp.MustCompile(`Test\w+`).FindAllString(m[1], -1) {
				files, _ := filepath.Glob(filepath.Join(m[2], "*_test.go"))
				if !slices.ContainsFunc(files, func(f string) bool {
					b, err := os.ReadFile(f)
					return err == nil && strings.Contains(string(b), "\nfunc "+test+"(")
				}) {
					t.Errorf("%s has no %s", m[2], test)
				}
			}
		}
		if n := strings.Count(line, "`Test"); n != len(regexp.MustCompile(`Test\w+`).FindAllString(joined(named), -1)) {
			t.Errorf("a test without its folder: %s", line)
		}
	}
	if rows < 18 {
		t.Errorf("%d rows: the test looks in the wrong place", rows)
	}
}

func joined(matches [][]string) (out string) {
	for _, m := range matches {
		out += m[1]
	}
	return out
}

// TestDependenciesAreExplained wants a line in docs/dependencies.md for each
// requirement of go.mod that something here imports, with its exact version.
func TestDependenciesAreExplained(t *testing.T) {
	text := readDocument(t, "docs/dependencies.md", "a table: what for, module and exact version, what would replace it")
	mod := readDocument(t, "go.mod", "")
	imported := make(map[string]bool)
	for _, imports := range importsOf(t, ".") {
		for imp := range imports {
			imported[imp] = true
		}
	}
	tests, err := testImports()
	if err != nil {
		t.Fatal(err)
	}
	for _, imp := range tests {
		imported[imp] = true
	}
	required := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) (v\S+)`).FindAllStringSubmatch(mod, -1) {
		path, version := m[1], m[2]
		required[path] = true
		used := false
		for imp := range imported {
			used = used || imp == path || strings.HasPrefix(imp, path+"/")
		}
		if !used {
			continue // a dependency of a dependency
		}
		if !regexp.MustCompile(regexp.QuoteMeta("`"+path+"`") + `[^\n]*\b` + regexp.QuoteMeta(version) + `( |\|)`).MatchString(text) {
			t.Errorf("docs/dependencies.md has no line with `%s` and %s: say what it is for and what would replace it", path, version)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\|[^|]*\\| `([^`]+)`").FindAllStringSubmatch(text, -1) {
		if !required[m[1]] {
			t.Errorf("docs/dependencies.md speaks of %s, which go.mod does not require", m[1])
		}
	}
}

// testImports returns what the test files of this module import.
func testImports() ([]string, error) {
	var out []string
	fset := token.NewFileSet()
	for _, pattern := range []string{"*_test.go", "*/*_test.go", "*/*/*_test.go", "*/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			file, err := parser.ParseFile(fset, f, nil, parser.ImportsOnly)
			if err != nil {
				return nil, err
			}
			for _, spec := range file.Imports {
				out = append(out, strings.Trim(spec.Path.Value, "`\""))
			}
		}
	}
	return out, nil
}

// packages lists the packages of this module as the layer table names them.
func packages(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(importsOf(t, ".")))
}

// readDocument reads a document, or fails with what belongs there.
func readDocument(t *testing.T, file, content string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%s is missing: it holds %s", file, content)
	}
	return string(b)
}

// maxRootTests bounds the test files of the root package: the API, its examples, its
// behaviour and what it watches. Tests of the whole program are in internal/e2e, rules
// of the tree are here.
const maxRootTests = 4

func TestRootTests(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) > maxRootTests {
		t.Errorf("%d test files at the root, at most %d: %q", len(files), maxRootTests, files)
	}
}
