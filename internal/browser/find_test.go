package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnwrapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "browser")
	for script, want := range map[string]string{
		"#!/bin/sh -e\n\n/usr/lib/b/shell \"$@\"":           "/usr/lib/b/shell",
		"#!/bin/sh\n# why\nexec /opt/b \"$@\"\n":            "/opt/b",
		"#!/bin/sh\n/opt/b --flag \"$@\"\n":                 path,
		"#!/bin/sh\nX=1\n/opt/b \"$@\"\n":                   path,
		"#!/bin/sh\n/opt/$B \"$@\"\n":                       path,
		"#!/bin/sh\n/opt/a \"$@\"\n/opt/b \"$@\"\n":         path,
		"#!/bin/sh\nb \"$@\"\n":                             path,
		"#!/bin/sh\n":                                       path,
		"#!/usr/bin/python3\n/opt/b \"$@\"\n":               path,
		"\x7fELF /opt/b \"$@\"":                             path,
		"#!/bin/sh\n/b \"$@\"\n" + strings.Repeat("#", 600): path,
		"": path,
	} {
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := unwrapped(path); got != want {
			t.Errorf("%q: %s, want %s", script, got, want)
		}
	}
	if got := unwrapped("/nowhere"); got != "/nowhere" {
		t.Error(got)
	}
}

func TestInstallLine(t *testing.T) {
	for release, want := range map[string]string{
		"ID=debian\n":                          "sudo apt-get install chromium-headless-shell",
		"NAME=x\nID=ubuntu\nID_LIKE=debian\n":  "sudo snap install chromium",
		"ID=mint\nID_LIKE=\"ubuntu debian\"\n": "sudo snap install chromium",
		"ID=fedora\n":                          "sudo dnf install chromium-headless",
		"ID=plan9\n":                           "the package chromium of your system",
	} {
		got := installLine("linux", func(string) ([]byte, error) { return []byte(release), nil })
		if got != want {
			t.Errorf("%q: %q, want %q", release, got, want)
		}
	}
	if got := installLine("darwin", nil); got != "brew install --cask chromium" {
		t.Error(got)
	}
}
