package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// build compiles the program for a platform into a folder. -trimpath removes the paths
// of this machine; -buildvcs records the commit, which `spyhop version` prints.
func (r *release) build(t target, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	program := filepath.Join(dir, t.program())
	args := []string{"build", "-trimpath", "-buildvcs=auto", "-ldflags", "-s -w -buildid="}
	_, err := r.commandWith(append(hermetic(), "GOOS="+t.os, "GOARCH="+t.arch), "go", append(args, "-o", program, "./cmd/spyhop")...)
	return program, err
}

// hermetic is the environment of each build: what a developer has set for Go does not
// reach a release.
func hermetic() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=", "GOTOOLCHAIN=local", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off"}
}

// file is a file of a package.
type file struct {
	name string // in the package, with slashes
	mode os.FileMode
	data []byte
}

// sharedFiles reads the documents, and has the program print its man page and its
// completions.
func (r *release) sharedFiles(work string) error {
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return err
		}
		if filepath.Ext(name) == ".md" {
			data = r.absoluteLinks(data)
		}
		r.shared = append(r.shared, file{name, 0o644, data})
	}
	skill, err := os.ReadFile(filepath.Join(r.root, "packaging", "skill", "SKILL.md"))
	if err != nil {
		return err
	}
	r.shared = append(r.shared, file{"skill/SKILL.md", 0o644, skill})
	host := filepath.Join(work, "host")
	if _, err := r.commandWith(hermetic(), "go", "build", "-trimpath", "-o", host, "./cmd/spyhop"); err != nil {
		return err
	}
	for _, generated := range []struct {
		name string
		args []string
	}{
		{manPage, []string{"man"}},
		{"completions/spyhop.bash", []string{"completion", "bash"}},
		{"completions/_spyhop", []string{"completion", "zsh"}},
		{"completions/spyhop.fish", []string{"completion", "fish"}},
	} {
		data, err := r.command(host, generated.args...)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{generated.name, 0o644, data})
	}
	return nil
}

var relativeLink = regexp.MustCompile(`\]\(([A-Za-z][A-Za-z0-9_./-]*)`)

// absoluteLinks has links to files of the source lead to the web: a package does not have
// these files.
func (r *release) absoluteLinks(markdown []byte) []byte {
	at := "v" + r.version
	if strings.HasSuffix(r.version, "-dev") {
		at = "main" // it has no tag
	}
	return relativeLink.ReplaceAllFunc(markdown, func(link []byte) []byte {
		target := string(link[len("]("):])
		if _, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(target))); err != nil {
			return link // a scheme, or not a link
		}
		kind := "blob"
		if strings.HasSuffix(target, ".png") || strings.HasSuffix(target, ".svg") {
			kind = "raw"
		}
		return []byte("](" + homepage + "/" + kind + "/" + at + "/" + target)
	})
}

const manPage = "man/spyhop.1"

// part returns a shared file by its name.
func (r *release) part(name string) ([]byte, error) {
	for _, f := range r.shared {
		if f.name == name {
			return f.data, nil
		}
	}
	return nil, fmt.Errorf("the release has no file %s", name)
}
