package search

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// ownProvider is a provider of a program.
type ownProvider struct {
	name string
	hits []Result
	err  error
}

func (p ownProvider) Name() string                                    { return p.name }
func (p ownProvider) Search(context.Context, Terms) ([]Result, error) { return p.hits, p.err }

// TestOwn: providers of the program come first and can be named; their results are cleaned
// and filtered as those of others, and their errors have their name.
func TestOwn(t *testing.T) {
	hits := []Result{{Title: "One", URL: "https://one.example/?utm_source=x"}, {Title: "Two", URL: "javascript:x"}, {Title: "Three", URL: "https://three.example/", Published: "2001-02-03"}}
	notes := ownProvider{name: "notes", hits: hits}
	broken := ownProvider{name: "broken", err: errors.New("the index is locked")}
	for _, c := range []struct {
		own       []searchProvider
		selection string
		query     Query
		want      string // provider and URLs, or the error
	}{
		{[]searchProvider{notes}, "", Query{Text: "x"}, "notes https://one.example/ https://three.example/"},
		{[]searchProvider{broken, notes}, "notes", Query{Text: "x", Blocked: []string{"one.example"}, EndDate: "2002-01-01"}, "notes https://three.example/"},
		{[]searchProvider{broken, notes}, "broken,notes", Query{Text: "x", Site: "one.example"}, "notes https://one.example/"},
		{[]searchProvider{broken}, "", Query{Text: "x"}, `search failed with broken: no answer: "the index is locked"`},
		{[]searchProvider{notes}, "", Query{Text: "x", Provider: "note"}, `search provider "note" is unknown`},
		{[]searchProvider{ownProvider{name: "brave"}}, "", Query{Text: "x"}, `search provider "brave" cannot have this name`},
		{[]searchProvider{notes, notes}, "", Query{Text: "x"}, `search provider "notes" cannot have this name`},
		{[]searchProvider{ownProvider{name: "Two words"}}, "", Query{Text: "x"}, "cannot have this name"},
		{[]searchProvider{ownProvider{name: "auto"}}, "", Query{Text: "x"}, "cannot have this name"},
	} {
		s, err := New(Options{Own: c.own, Selection: c.selection})
		var a *Answer
		if err == nil {
			a, err = s.Search(t.Context(), c.query)
		}
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			continue
		}
		got := a.Provider
		for _, r := range a.Results {
			got += " " + r.URL
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
