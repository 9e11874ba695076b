package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HasScript reports whether a tree has a script that runs, or loads one early: data blocks
// and templates in script elements change nothing on the page.
func HasScript(root *html.Node) bool {
	for n := range Below(root) {
		switch n.DataAtom {
		case atom.Script:
			if runs(Attr(n, "type")) {
				return true
			}
		case atom.Link:
			if rel := Attr(n, "rel"); rel == "modulepreload" || rel == "preload" && Attr(n, "as") == "script" {
				return true
			}
		}
	}
	return false
}

// runs reports whether a script element of a type is executed (HTML, section
// 4.12.1), if only by another script: optimizers and transpilers put a prefix
// before the name of the language.
func runs(scriptType string) bool {
	t := strings.ToLower(strings.TrimSpace(scriptType))
	return t == "" || t == "module" || t == "text/babel" || strings.Contains(t, "javascript") || strings.Contains(t, "ecmascript")
}
