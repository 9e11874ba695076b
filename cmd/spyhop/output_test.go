package main

import (
	"testing"
	"time"
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

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{"5": 5 * time.Second, "1.5": 1500 * time.Millisecond, "90s": 90 * time.Second, "2m30s": 150 * time.Second, "7d": 7 * 24 * time.Hour} {
		if got, err := parseDuration(in); err != nil || got != want {
			t.Errorf("parseDuration(%q) = %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", "five", "5x", "NaN", "Inf", "1e300", "d"} {
		if got, err := parseDuration(in); err == nil {
			t.Errorf("parseDuration(%q) = %s", in, got)
		}
	}
}
