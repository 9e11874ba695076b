package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ofTheCode are the requirements that no run of the program can show.
var ofTheCode = map[string]string{
	"handlers below 50 lines": "the length of functions",
}

// TestReferenceDesigns checks docs/reference-designs.md: each row names tests, each
// of them exists, and at least one of them runs the built program. A test is a
// function, or a subtest of the design's own function in internal/e2e: the name
// that t.Run or a row of a table gives it.
func TestReferenceDesigns(t *testing.T) {
	text := readDocument(t, "docs/reference-designs.md", "a table for each reference design: requirement, test, decision")
	all, e2e := testSource(t, "."), testSource(t, "internal/e2e")
	sections := regexp.MustCompile("(?m)^## .*: `(\\w+)`$").FindAllStringSubmatchIndex(text, -1)
	if len(sections) != 5 {
		t.Fatalf("%d designs, want 5", len(sections))
	}
	for i, at := range sections {
		name, end := text[at[2]:at[3]], len(text)
		if i+1 < len(sections) {
			end = sections[i+1][0]
		}
		_, body, ok := strings.Cut(e2e, "\nfunc "+name+"(")
		body, _, _ = strings.Cut(body, "\n}\n")
		if !ok {
			t.Errorf("%s is missing in internal/e2e", name)
		}
		for row := range strings.Lines(text[at[1]:end]) {
			cells := strings.Split(row, "|")
			if len(cells) != 5 || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[1]) == "requirement" {
				continue
			}
			tests := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1)
			if len(tests) == 0 {
				t.Errorf("%s: the row %q names no test", name, strings.TrimSpace(cells[1]))
			}
			runs := ofTheCode[strings.TrimSpace(cells[1])] != ""
			for _, m := range tests {
				top := strings.HasPrefix(m[1], "Test") && strings.Contains(all, "\nfunc "+m[1]+"(")
				named := regexp.MustCompile(`(?m)(t\.Run\(|^\t+\{|^\t+)"` + regexp.QuoteMeta(m[1]) + `"[,:]`)
				switch {
				case named.MatchString(body):
					runs = true
				case !top:
					t.Errorf("%s: there is no test %q", name, m[1])
				default:
					runs = runs || strings.Contains(e2e, "\nfunc "+m[1]+"(")
				}
			}
			if len(tests) > 0 && !runs {
				t.Errorf("%s: no test of the row %q runs the program: name one of internal/e2e", name, strings.TrimSpace(cells[1]))
			}
		}
	}
}

// testSource is the text of all test files below a folder.
func testSource(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		b.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
