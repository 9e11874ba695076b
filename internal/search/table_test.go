package search

import (
	"slices"
	"strings"
	"testing"
)

// TestProviders holds the table to what its readers rely on: "auto" always
// finds a provider, names are unique and can stand in settings, and the
// providers that are asked only by name come last.
func TestProviders(t *testing.T) {
	var order []string
	for i, e := range providers {
		if e.name != strings.ToLower(e.name) || e.name == "" || strings.ContainsAny(e.name, " ,_-") {
			t.Errorf("%q cannot stand in a selection and in a setting", e.name)
		}
		if slices.Contains([]string{"auto", "none", "fuse"}, e.name) {
			t.Errorf("%q is a word of selections", e.name)
		}
		if slices.Contains(Names()[:i], e.name) {
			t.Errorf("%q stands twice", e.name)
		}
		if e.byName && e.needs != needsNothing {
			t.Errorf("%q is asked by name, but has to be configured", e.name)
		}
		if !e.byName {
			if len(order) != i {
				t.Errorf("%q belongs to auto and stands after a provider that does not", e.name)
			}
			order = append(order, e.name)
		}
	}
	last, _ := rowOf(providers[:], order[len(order)-1])
	if last.needs != needsNothing {
		t.Errorf("the last provider of auto, %q, has to be configured: auto can find none", last.name)
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.configuredOrder(); !slices.Equal(got, []string{last.name}) {
		t.Errorf("auto without configuration has %q, want only %q", got, last.name)
	}
}
