package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// ownRules are the files, or folders of files, outside internal/text that may
// name invisible characters, and why.
var ownRules = map[string]string{
	"internal/fetch":                "makes text of bytes: a byte order mark names the encoding",
	"internal/extract/pdf/glyph.go": "0xad is a place in the encoding of a font",
	"tool/arguments.go":             "imports nothing of ours: what a caller sent is repeated by Go's tables",
	"internal/browser/input.go":     "asks which characters a keyboard types",
}

// TestInvisible fails when a package other than internal/text decides for itself
// which characters are invisible: it names one of them in a literal, or asks
// package unicode for a class that holds them.
func TestInvisible(t *testing.T) {
	used := map[string]bool{}
	eachGoFile(t, ".", parser.SkipObjectResolution, func(pkg string, fset *token.FileSet, file *ast.File) {
		if pkg == "internal/text" {
			return
		}
		for _, found := range invisibleRules(file) {
			at := fset.Position(found.pos)
			if name := at.Filename; ownRules[name] != "" || ownRules[path.Dir(name)] != "" {
				used[name], used[path.Dir(name)] = true, true
				continue
			}
			t.Errorf("%s: %s: internal/text has the rules for invisible characters", at, found.what)
		}
	})
	for name := range ownRules {
		if !used[name] {
			t.Errorf("%s needs no exception", name)
		}
	}
}

type invisibleRule struct {
	pos  token.Pos
	what string
}

// invisibleRules finds the rules of a file.
func invisibleRules(file *ast.File) []invisibleRule {
	var out []invisibleRule
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if r, ok := invisibleIn(n); ok {
				out = append(out, invisibleRule{n.Pos(), fmt.Sprintf("U+%04X", r)})
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "unicode" && slices.Contains(unicodeRules, n.Sel.Name) {
				out = append(out, invisibleRule{n.Pos(), "unicode." + n.Sel.Name})
			}
		}
		return true
	})
	return out
}

// unicodeRules are the names of package unicode that tell invisible characters
// from others.
var unicodeRules = []string{"C", "Cc", "Cf", "Cs", "Other", "IsControl", "IsPrint", "IsGraphic", "PrintRanges", "GraphicRanges",
	"Other_Default_Ignorable_Code_Point", "Variation_Selector", "Bidi_Control", "Join_Control", "Noncharacter_Code_Point"}

// invisibleIn returns an invisible character beyond ASCII that a literal names:
// a number in hexadecimal, as tables write them, a character or a string.
// Noncharacters and C1 controls in numbers are masks and bounds of bytes.
func invisibleIn(l *ast.BasicLit) (rune, bool) {
	switch l.Kind {
	case token.INT:
		if !strings.HasPrefix(l.Value, "0x") {
			return 0, false
		}
		n, err := strconv.ParseInt(l.Value, 0, 32)
		c := text.ClassOf(rune(n))
		return rune(n), err == nil && n > 0x9f && c.Invisible() && c != text.Noncharacter
	case token.CHAR, token.STRING:
		s, err := strconv.Unquote(l.Value)
		if err != nil {
			return 0, false
		}
		for i, r := range s {
			if r > 0x9f && text.ClassOf(r).Invisible() && !text.Keeps([]byte(s[:i]), r, s[i+len(string(r)):]) {
				return r, true
			}
		}
	}
	return 0, false
}

// TestInvisibleCatches shows the test at work on rules as they were written.
func TestInvisibleCatches(t *testing.T) {
	for source, want := range map[string]int{
		"r >= 0x200b && r <= 0x200f":               2,
		"r >= 0x202A || r == 0xad":                 2,
		"r >= 0xe0000 && r <= 0xe0fff":             2,
		"r >= 0xFE00 && r <= 0xfe0f":               2,
		"r == '\\u200b' || r == '\\U000e0041'":     2,
		"f(\"\\u200b\", \"\\ufeff\", \"\\u00ad\")": 3,
		"unicode.Is(unicode.Cf, r)":                1,
		"unicode.IsPrint(r)":                       1,
		"unicode.In(r, unicode.Cc, unicode.Mn)":    1,
		"map[rune]bool{0x115f: true}":              1,
		"r >= 0x600 && r <= 0x7ff || r == 0xa0":    0,
		"x & 0xffff == 8203 || x == 0x7f":          0,
		"f(\"❤\\ufe0f\", \"é\")":                   0,
		"unicode.IsSpace(r)":                       0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar _ = "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := invisibleRules(file); len(got) != want {
			t.Errorf("%s: %v, want %d", source, got, want)
		}
	}
}
