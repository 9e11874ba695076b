package main

import (
	"testing"
)

func TestFileName(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct {
		name, mode string
		json       bool
		want       string
	}{
		{"https://example.com/Fog?at=sea", "", false, "example.com-Fog-at-sea.md"},
		{"https://example.com/fog?at=sea", "markdown", false, "example.com-fog-at-sea-2.md"},
		{"example.com", "text", false, "example.com.txt"},
		{"../../etc/passwd", "", false, "etc-passwd.md"},
		{"https://example.com/", "html", true, "example.com.json"},
		{"файл", "", false, "page.md"},
		{"C:\\page.html", "", false, "C--page.html.md"},
	} {
		if got := fileName(c.name, c.mode, c.json, taken); got != c.want {
			t.Errorf("fileName(%q, %q) = %q, want %q", c.name, c.mode, got, c.want)
		}
	}
}
