package store

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// as is the context of a caller.
func as(t *testing.T, name, session string) context.Context {
	return principal.With(t.Context(), principal.Caller{Name: name, Session: session})
}

// TestOwners: a principal gets only its own versions, a session lists only what it
// has read, and a process gets nothing of another scope of the policy.
func TestOwners(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Dir: dir, Scope: "wide"})
	put := func(ctx context.Context, credentials, hash string) {
		s.PutVersion(ctx, Version{Credentials: credentials, URL: "https://example.com/" + hash, Hops: []string{"https://example.com/" + hash}, Hash: hash, Content: "text " + hash})
	}
	put(as(t, "ann", "s1"), "", "a1")
	put(as(t, "ann", "s2"), "", "a2")
	put(as(t, "ann", "s1"), "", "a3")
	put(as(t, "ann", "s1"), "", "a1") // again: it comes first
	put(as(t, "ann", ""), "", "a4")
	put(as(t, "bob", "s1"), "", "b1")
	put(as(t, "bob", "s1"), "", "a1") // the same page
	put(as(t, "bob", "s1"), "login", "b2")
	put(t.Context(), "", "l1")

	for _, c := range []struct{ name, session, want string }{
		{"ann", "s1", "a1 a3"},
		{"ann", "s2", "a2"},
		{"ann", "", "a4"},
		{"ann", "s3", ""},
		{"bob", "s1", "a1 b1"}, // not what was read with credentials
		{principal.Local, "", "l1"},
		{"", "", "l1"},
		{principal.Anonymous, "", ""},
	} {
		var got []string
		for _, v := range s.Recent(as(t, c.name, c.session)) {
			got = append(got, v.Hash)
			if v.Content != "" || v.LastSeen.IsZero() {
				t.Errorf("%+v", v)
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q in session %q lists %q, want %q", c.name, c.session, g, c.want)
		}
	}
	narrow := open(t, Options{Dir: dir, Scope: "narrow"})
	for _, c := range []struct {
		s                       *Store
		name, credentials, hash string
		want                    bool
	}{
		{s, "ann", "", "a1", true},
		{s, "ann", "", "a2", true}, // of another session of the same principal
		{s, "bob", "", "a1", true},
		{s, "bob", "", "a2", false},
		{s, "bob", "login", "b2", true},
		{s, "ann", "login", "b2", false},
		{s, "bob", "", "b2", false},
		{s, "", "", "l1", true},
		{s, principal.Anonymous, "", "l1", false},
		{narrow, "ann", "", "a1", false},
	} {
		v, ok := c.s.Version(as(t, c.name, "any"), c.credentials, c.hash)
		if ok != c.want || ok && (v.Content != "text "+c.hash || !slices.Equal(v.Hops, []string{"https://example.com/" + c.hash})) {
			t.Errorf("%s of %q for %q: %v %+v", c.hash, c.credentials, c.name, ok, v)
		}
		list := c.s.Versions(as(t, c.name, ""), c.credentials, "https://example.com/"+c.hash)
		if len(list) > 0 != c.want {
			t.Errorf("%s of %q for %q: %+v", c.hash, c.credentials, c.name, list)
		}
	}
	s.Forget(principal.Caller{Name: "ann", Session: "s1"})
	if got := s.Recent(as(t, "ann", "s1")); len(got) > 0 {
		t.Errorf("an ended session lists %+v", got)
	}
	if _, ok := s.Version(as(t, "ann", "s1"), "", "a1"); !ok {
		t.Error("a version ended with its session")
	}
}

// TestRecentBounds: lists are bounded, and a version that is read again within a
// moment is not written again.
func TestRecentBounds(t *testing.T) {
	s := open(t, Options{})
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return now }
	v := Version{URL: "https://example.com/", Hash: "h", Content: "one"}
	if c := principal.Of(t.Context()); !s.recent.note(c, Version{URL: v.URL, Hash: v.Hash, LastSeen: now}) ||
		s.recent.note(c, Version{URL: v.URL, Hash: v.Hash, LastSeen: now.Add(usedEvery - 1)}) ||
		!s.recent.note(c, Version{URL: v.URL, Hash: v.Hash, LastSeen: now.Add(usedEvery)}) {
		t.Error("a version is stored once within a minute")
	}
	for i := range maxRecent + 10 {
		v.Hash = string(rune('a' + i))
		s.PutVersion(t.Context(), v)
	}
	if n := len(s.Recent(t.Context())); n != maxRecent {
		t.Errorf("%d versions in a list", n)
	}
	v.URL += strings.Repeat("x", maxListedURL)
	s.PutVersion(as(t, "long", ""), v)
	if n := len(s.Recent(as(t, "long", ""))); n != 0 {
		t.Error("a list has an address without bound")
	}
	for i := range maxLists {
		s.recent.note(principal.Caller{Name: string(rune(i))}, v)
		s.recent.note(principal.Caller{Name: string(rune(i))}, Version{URL: "https://example.com/"})
	}
	if n := len(s.Recent(t.Context())); n != 0 {
		t.Errorf("%d lists and one more", maxLists)
	}
}
