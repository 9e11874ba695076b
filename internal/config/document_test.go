package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRows: each setting has all that its documents print, and the settings of a
// topic are neighbours.
func TestRows(t *testing.T) {
	var topics []string
	for _, v := range Variables() {
		if v.Doc == "" || v.Form == "" || v.Topic == "" || v.Example == "" {
			t.Errorf("%s has no Doc, Form, Topic or Example", v.Name)
		}
		if strings.HasSuffix(v.Doc, ".") {
			t.Errorf("the Doc of %s ends with a period", v.Name)
		}
		if len(topics) == 0 || topics[len(topics)-1] != v.Topic {
			if slices.Contains(topics, v.Topic) {
				t.Errorf("%s is not beside the other settings of %q", v.Name, v.Topic)
			}
			topics = append(topics, v.Topic)
		}
		if err := v.set(new(Values), v.Example); err != nil {
			t.Errorf("the example of %s is not allowed: %v", v.Name, err)
		}
		for name, document := range map[string]string{"help": Help(88), "file": Template(), "page": Markdown()} {
			if !strings.Contains(document, v.Name) && !strings.Contains(document, v.key()) {
				t.Errorf("the %s does not have %s", name, v.Name)
			}
		}
	}
}

// TestFile: the file of spyhop config init changes nothing, and each of its lines works
// when its # is removed.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config.toml")
	read := func(text string) *Settings {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(Sources{File: name, Environment: environment(map[string]string{"HOME": t.TempDir()})})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, set := range read(Template()).All {
		if set.Origin != Default {
			t.Errorf("%s is set as it comes", set.Name)
		}
	}
	used := regexp.MustCompile(`(?m)^#(\w+ = )`).ReplaceAllString(Template(), "$1")
	for _, set := range read(used).All {
		if set.Origin != fromFile || set.Value != set.Example {
			t.Errorf("%s is %q from %s, want its example %q", set.Name, set.Value, set.Origin, set.Example)
		}
	}
}

// TestHelpWidth: help fits into its width.
func TestHelpWidth(t *testing.T) {
	for line := range strings.Lines(Help(60)) {
		if words := strings.Fields(line); len(line) > 61 && len(words) > 1 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}
