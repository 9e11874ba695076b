package main

import (
	"bytes"
	"os"
	"testing"
)

// TestCurrent: the generated files are those of the tags as they are.
func TestCurrent(t *testing.T) {
	t.Chdir("..")
	files, err := generate("request.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not current: run go generate ./internal/reader (%v)", name, err)
		}
	}
}
