package passage

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/tools/txtar"
)

// TestQuestions asks pages for what they say, within few tokens. A line of page.html that
// begins with @ and a number stands there so many times, with its number for each #. In
// questions, + is what the passages have to contain, - what they must not.
func TestQuestions(t *testing.T) {
	files, err := filepath.Glob("testdata/questions/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	asked := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		body := []byte(repeated(string(ar.Files[0].Data)))
		o := extract.Options{URL: "https://harbour.example/page"}
		main, err := extract.HTML(body, o)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		whole := Whole(main, body, "text/html", o)
		tokens, query, chosen := 0, "", ""
		for line := range strings.Lines(string(ar.Files[1].Data)) {
			kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if plain, err := strconv.Unquote(rest); err == nil {
				rest = plain
			}
			switch kind {
			case "tokens":
				tokens, err = strconv.Atoi(rest)
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			case "?":
				query, chosen = rest, Of(whole, main, rest).Choose(0, tokens).Text
				asked++
				if n := text.Tokens(chosen); n > tokens {
					t.Errorf("%s: %s: %d tokens", file, query, n)
				}
			case "+", "-":
				if strings.Contains(chosen, rest) != (kind == "+") {
					t.Errorf("%s: %s: %s %q in\n%s", file, query, kind, rest, chosen)
				}
			case "":
			default:
				t.Fatalf("%s: %q is not known", file, line)
			}
		}
	}
	if asked < 15 {
		t.Errorf("%d questions", asked)
	}
}

// repeated writes the lines that begin with @.
func repeated(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		n := 0
		if _, err := fmt.Sscanf(line, "@%d ", &n); err != nil {
			b.WriteString(line)
			continue
		}
		_, line, _ = strings.Cut(line, " ")
		for i := range n {
			b.WriteString(strings.ReplaceAll(line, "#", strconv.Itoa(i+1)))
		}
	}
	return b.String()
}
