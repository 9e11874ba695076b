package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/principal"
	keeper "github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// proveOwners stores a page version, a login and a state for one principal, in a
// folder of its own, and has another one ask for them. Its error says what was wrong.
func proveOwners(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "spyhop-owners-") // mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return tryOwners(ctx, dir, as(ctx, "other", "session-2"))
}

// tryOwners is proveOwners in a folder, with another caller. It fails also when the
// owner does not find its own things: then the check would say nothing.
func tryOwners(ctx context.Context, dir string, other context.Context) error {
	var trouble error
	s := store.New(store.Options{Dir: dir, OnError: func(err error) { trouble = err }})
	defer s.Close()
	k := keeper.New(keeper.Options{Dir: dir})
	one := as(ctx, "one", "session-1")
	state := &browser.State{Cookies: []browser.StateCookie{{Name: "id", Value: "1", Domain: "example.com", Path: "/"}}}

	s.PutVersion(one, store.Version{URL: "https://example.com/", Hash: "0123456789ab", Content: "text"})
	if err := k.SaveState(one, "shop", state); err != nil {
		return err
	}
	if _, err := k.SaveLogin(one, "example.com", state); err != nil {
		return err
	}
	sees := func(ctx context.Context) map[string]bool {
		_, version := s.Version(ctx, "", "0123456789ab")
		_, state := k.State(ctx, "shop")
		_, login := k.Login(ctx, "example.com", weburl.URL{})
		return map[string]bool{"page versions": version, "resource lists": len(s.Recent(ctx)) > 0, "states": state == nil, "logins": login == nil}
	}
	for what, seen := range sees(one) {
		if !seen {
			return errors.Join(errors.New("the owner does not find its own "+what), trouble)
		}
	}
	for what, seen := range sees(other) {
		if seen {
			return errors.New("one caller sees another one's " + what)
		}
	}
	if len(s.Recent(as(ctx, "one", "session-3"))) > 0 {
		return errors.New("one session sees another one's resource lists")
	}
	return nil
}

func as(ctx context.Context, name, session string) context.Context {
	return principal.With(ctx, principal.Caller{Name: name, Session: session})
}

func TestProveOwners(t *testing.T) {
	if err := proveOwners(t.Context()); err != nil {
		t.Error(err)
	}
	// A folder that cannot be used is not a proof.
	other := as(t.Context(), "other", "session-2")
	if err := tryOwners(t.Context(), "/dev/null/x", other); err == nil {
		t.Error("the check passes without a store")
	}
	// Whoever sees the things of another is found.
	same := as(t.Context(), "one", "session-1")
	if err := tryOwners(t.Context(), t.TempDir(), same); err == nil || !strings.Contains(err.Error(), "one caller sees another one's ") {
		t.Errorf("%v", err)
	}
}
