package warc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDiskFull: what cannot be written is said at once and at the end, and what comes later
// is written whole.
func TestDiskFull(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.warc")
	w, err := Create(name, "test")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	w.OnError = func(error) { said++ }
	put := func(uri string) error { return w.Conversion(uri, "text/markdown", []byte(uri), time.Time{}) }
	if err := put("https://a.example/1"); err != nil {
		t.Fatal(err)
	}
	good := w.f
	if w.f, err = os.Open(name); err != nil { // which cannot be written to
		t.Fatal(err)
	}
	if put("https://a.example/2") == nil || put("https://a.example/3") == nil || said != 1 {
		t.Errorf("the failures are said %d times", said)
	}
	w.f.Close()
	w.f = good
	if err := put("https://a.example/4"); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "lacks 2 records") {
		t.Errorf("closed with %v", err)
	}
	got, err := os.ReadFile(name)
	if err != nil || strings.Count(string(got), "WARC-Type: conversion") != 2 || !strings.Contains(string(got), "example/4") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Create(name, "test"); err != nil {
		t.Error(err)
	}
}
