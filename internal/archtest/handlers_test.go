package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestHandlers holds the handlers of the built-in tools to 50 lines.
func TestHandlers(t *testing.T) {
	eachGoFile(t, "internal/toolset", parser.SkipObjectResolution, func(_ string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			var body *ast.BlockStmt
			switch f := node.(type) {
			case *ast.FuncLit:
				body = f.Body
			case *ast.FuncDecl:
				// A declaration is a table, with its handler within.
				if f.Type.Results == nil || len(f.Type.Results.List) != 1 || fmt.Sprint(f.Type.Results.List[0].Type) != "&{tool Declaration}" {
					body = f.Body
				}
			}
			if body != nil {
				if lines := fset.Position(body.End()).Line - fset.Position(body.Pos()).Line; lines > 50 {
					t.Errorf("%s: %d lines", fset.Position(body.Pos()), lines)
				}
			}
			return true
		})
	})
}
