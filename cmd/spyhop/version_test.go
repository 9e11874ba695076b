package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuild(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, " (go"},
		{[]debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}, " (commit 0123456789ab, go"},
		{[]debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}, " (commit 0123456789ab modified, go"},
	} {
		b := build{Version: "1.2.3", Go: "go1.26.8", OS: "linux", Arch: "arm64"}
		b.fill(c.settings)
		if got := b.String(); !strings.HasPrefix(got, "spyhop 1.2.3"+c.want) || !strings.HasSuffix(got, ", linux/arm64)") {
			t.Errorf("%v: %q, want %q", c.settings, got, c.want)
		}
	}
}
