package toolset

import (
	"slices"
	"testing"
)

func TestRepeatsInLog(t *testing.T) {
	lines := []string{
		"page: http://a.test/",
		"exception: Uncaught TypeError: f is not a function at http://a.test/a.js:9:68133 at g",
		"exception: Uncaught TypeError: f is not a function at http://a.test/a.js:9:70000 at h",
		"exception: Uncaught TypeError: f is not a function at http://a.test/a.js:9:80000 at i",
		"log: ready",
		"log: ready",
		"error: gone",
	}
	want := []string{
		"page: http://a.test/",
		"exception: Uncaught TypeError: f is not a function at http://a.test/a.js:9:80000 at i (3 times)",
		"log: ready (2 times)",
		"error: gone",
	}
	if got := foldRepeats(lines); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
