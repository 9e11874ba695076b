package store

import (
	"context"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// TestVectors: vectors belong to a version of their principal, by a model, and go with it.
func TestVectors(t *testing.T) {
	s := New(Options{Dir: t.TempDir(), Words: func(v Version) Words { return Words{Body: v.Content, Hosts: []string{"example.com"}} }})
	t.Cleanup(func() { _ = s.Close() })
	ctx := t.Context()
	other := principal.With(ctx, principal.Caller{Name: "other"})
	list := func(ctx context.Context, model string, q Search) (bare, with int) {
		t.Helper()
		if err := s.Vectors(ctx, model, q, func(_ Hit, data []byte) {
			if data == nil {
				bare++
			} else {
				with++
			}
		}); err != nil {
			t.Fatal(err)
		}
		return bare, with
	}
	for _, c := range []context.Context{ctx, other} {
		s.PutVersion(c, Version{URL: "https://example.com/", Hash: "a", Content: "boats"})
	}
	s.PutVersion(ctx, Version{URL: "https://example.com/secret", Hash: "b", Content: "boats", Credentials: "x", Private: true})
	if bare, with := list(ctx, "m", Search{}); bare != 1 || with != 0 {
		t.Errorf("before: %d without, %d with", bare, with)
	}
	var mine Hit
	if err := s.Vectors(ctx, "m", Search{}, func(h Hit, _ []byte) { mine = h }); err != nil {
		t.Fatal(err)
	}
	for c, want := range map[context.Context]int{other: 0, ctx: 1} { // another one cannot write to it
		if err := s.PutVectors(c, mine, "m", []byte{1, 0, 7}); err != nil {
			t.Fatal(err)
		}
		if c == ctx {
			if _, with := list(ctx, "m", Search{}); with != want {
				t.Errorf("%d with vectors", with)
			}
		}
	}
	if bare, with := list(ctx, "m2", Search{}); bare != 1 || with != 0 {
		t.Errorf("another model: %d without, %d with", bare, with)
	}
	if bare, with := list(ctx, "m", Search{Site: "example.org"}); bare+with != 0 {
		t.Errorf("another site: %d", bare+with)
	}
	if bare, with := list(other, "m", Search{}); bare != 1 || with != 0 {
		t.Errorf("another principal: %d without, %d with", bare, with)
	}
	if _, err := s.ForgetVersions(ctx, ""); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := s.do(ctx, reading, func(db *database) error { return db.QueryRow(`SELECT count(*) FROM vector`).Scan(&n) }); err != nil || n != 0 {
		t.Errorf("forgotten: %d vectors, %v", n, err)
	}
}
