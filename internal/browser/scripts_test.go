package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestScripts: each file of js is a script that is used, and each that is used is there.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, name := range names {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`script\("(\w+)"\)`).FindAllStringSubmatch(string(code), -1) {
			used[m[1]] = true
		}
	}
	files, err := scripts.ReadDir("js")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".js")
		code := script(name)
		if strings.Count(code, "{") != strings.Count(code, "}") {
			t.Errorf("%s has not as many { as }", f.Name())
		}
		text, _ := scripts.ReadFile("js/" + f.Name())
		for part := range strings.FieldsSeq(regexp.MustCompile(`(?m)^// prelude: (.*)|[\s\S]`).ReplaceAllString(string(text), "$1")) {
			used[part] = true
		}
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".js")
		if !used[name] {
			t.Errorf("%s is not used", f.Name())
		}
		delete(used, name)
	}
	for name := range used {
		t.Errorf("%s.js is missing", name)
	}
}
