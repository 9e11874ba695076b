package main

import (
	"os"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/config"
)

// written are the pages of docs/ that are written from declarations, by their file.
func written() map[string]string {
	return map[string]string{
		"settings.md": settingsPage(),
	}
}

func settingsPage() string {
	return `# Settings

Settings come from a file, the environment and flags. The environment wins over the file, and flags win over both.

` + "```sh" + `
spyhop config init                  # writes a settings file in which every setting is explained
spyhop config                       # prints every setting, its value and its source
WEB_HTTP=allow spyhop config        # a variable of the environment
spyhop config --web-http allow      # the same as a flag; every command takes it
` + "```" + `

The file is ` + "`--config FILE`, else `$XDG_CONFIG_HOME/spyhop/config.toml` (`~/.config/spyhop/config.toml`)" + `. Its keys are the names
below in lower case. A value that is not allowed stops the start with the name of the setting and the allowed form.

This page is written from the table in ` + "`internal/config/table.go`, by `go test ./cmd/spyhop -run TestDocuments -update`" + `.

` + config.Markdown()
}

// TestDocuments: the generated pages of docs/ are what the declarations give; -update
// writes them.
func TestDocuments(t *testing.T) {
	for name, want := range written() {
		file := "../../docs/" + name
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/%s is not current: run go test ./cmd/spyhop -run TestDocuments -update (%v)", name, err)
		}
	}
}
