package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestToolNames: a message that sends a model to a tool of the browser names one that exists.
func TestToolNames(t *testing.T) {
	exists := map[string]bool{"browser_tool": true} // a kind of tools
	descriptions, err := filepath.Glob("internal/toolset/browser_*.md")
	if err != nil || len(descriptions) < 10 {
		t.Fatal(descriptions, err)
	}
	for _, name := range descriptions {
		exists[filepath.Base(name[:len(name)-len(".md")])] = true
	}
	names := regexp.MustCompile(`\bbrowser_[a-z]+(_[a-z]+)*\b`)
	eachGoFile(t, ".", parser.SkipObjectResolution, func(pkg string, fset *token.FileSet, file *ast.File) {
		if pkg != "internal/browser" && pkg != "internal/browser/snapshot" && pkg != "internal/reader" { // toolset has names of other designs too
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil {
					for _, name := range names.FindAllString(s, -1) {
						if !exists[name] {
							t.Errorf("%s: there is no tool %s", fset.Position(l.Pos()), name)
						}
					}
				}
			}
			return true
		})
	})
}
