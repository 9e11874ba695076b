package browser

import (
	"embed"
	"strings"
)

// Our scripts run in a world of our own, where nothing that a page defines is found, with one
// exception: the fields of a form are members of it, in every world, and hide those that a form
// has by its type (HTML, section 4.10.3). A field named "parentNode" leads a loop over
// ancestors in a circle: members.js and up.js read the members of the types.

//go:embed js
var scripts embed.FS

// script returns js/NAME.js without the comment at its beginning. A line "// prelude: A B" there puts
// the files A and B at the beginning of the function that the file is.
func script(name string) string {
	code, err := scripts.ReadFile("js/" + name + ".js")
	if err != nil {
		panic(err) // TestScripts finds it
	}
	var prelude string
	rest := string(code)
	for strings.HasPrefix(rest, "//") {
		var comment string
		comment, rest, _ = strings.Cut(rest, "\n")
		if list, ok := strings.CutPrefix(comment, "// prelude: "); ok {
			prelude = list
		}
	}
	rest = strings.TrimSpace(rest)
	if prelude == "" {
		return rest
	}
	head, body, _ := strings.Cut(rest, "{")
	head += "{\n"
	for part := range strings.FieldsSeq(prelude) {
		head += script(part) + "\n"
	}
	return head + body
}
