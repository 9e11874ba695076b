package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

func state() *browser.State {
	return &browser.State{
		Cookies: []browser.StateCookie{
			{Name: "sid", Value: "canary-1", Domain: ".example.com", Path: "/", FromTLS: true, Port: 443},
			{Name: "host", Value: "canary-2", Domain: "www.example.com", Path: "/", Port: 80, Expires: time.Now().Add(time.Hour)},
			{Name: "over", Value: "canary-3", Domain: ".example.com", Path: "/", Expires: time.Now().Add(-time.Hour)},
			{Name: "parted", Value: "canary-4", Domain: ".example.com", Path: "/", TopSite: "https://other.example", Nested: true},
			{Name: "foreign", Value: "canary-5", Domain: ".tracker.example", Path: "/"},
			{Name: "near", Value: "canary-6", Domain: "badexample.com", Path: "/"},
		},
		Origins: []browser.OriginStorage{{Origin: "https://app.example.com", Items: `[["t","canary-7"]]`}, {Origin: "https://tracker.example", Items: `[["t","canary-8"]]`}},
	}
}

// TestLogin: what is kept is the site's and opens with its key alone.
func TestLogin(t *testing.T) {
	dir := t.TempDir()
	k := New(Options{Dir: dir})
	if all, err := k.Logins(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%v %v", all, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 0 || err != nil {
		t.Errorf("looking has made %v %v", entries, err)
	}
	i, err := k.SaveLogin(t.Context(), "example.com", state())
	if err != nil || i.Cookies != 3 || i.Stores != 1 || !i.Ends.IsZero() || i.Site != "example.com" {
		t.Errorf("%+v %v", i, err)
	}
	for _, raw := range []string{"example.com", " https://www.Example.com/account?x ", "www.example.com"} {
		s, err := k.LoginState(t.Context(), raw)
		if err != nil || len(s.Cookies) != 4 || len(s.Origins) != 1 {
			t.Fatalf("%s: %v %v", raw, s, err)
		}
		l, err := k.Login(t.Context(), raw, weburl.URL{})
		if err != nil || l.Site() != "example.com" {
			t.Fatal(err)
		}
		u, err := weburl.Parse("https://mail.example.com/")
		if err != nil || !l.Covers(u) {
			t.Error(err)
		}
	}
	all, err := k.Logins(t.Context())
	if err != nil || len(all) != 1 || all[0].Site != "example.com" || all[0].Cookies != 3 || all[0].Locked {
		t.Errorf("%+v %v", all, err)
	}
	if shown := fmt.Sprintf("%+v %v", all, i); strings.Contains(shown, "canary") {
		t.Error(shown)
	}
	if err := os.Remove(filepath.Join(dir, "session.key")); err != nil {
		t.Fatal(err)
	}
	_, err = k.Login(t.Context(), "example.com", weburl.URL{})
	wants(t, err, tool.InvalidInput, "does not open with the present key", "WEB_SESSION_KEY")
	if all, err := k.Logins(t.Context()); err != nil || len(all) != 1 || !all[0].Locked {
		t.Errorf("%+v %v", all, err)
	}
	if site, err := k.Forget(t.Context(), "www.example.com"); err != nil || site != "example.com" {
		t.Error(site, err)
	}
	_, err = k.Forget(t.Context(), "example.com")
	wants(t, err, tool.InvalidInput, "there is no login of example.com", "saved logins: none")
	_, err = k.Login(t.Context(), "example.com", weburl.URL{})
	wants(t, err, tool.InvalidInput, "there is no login of example.com", "spyhop login example.com")
	_, err = k.SaveLogin(t.Context(), "nothing.example", state())
	wants(t, err, tool.NoContent, "nothing.example has stored nothing", "spyhop login nothing.example")

	s := &browser.State{Cookies: state().Cookies[2:3]}
	if _, err := k.SaveLogin(t.Context(), "example.com", s); err != nil {
		t.Fatal(err)
	}
	_, err = k.Login(t.Context(), "example.com", weburl.URL{})
	wants(t, err, tool.InvalidInput, "the login of example.com has expired", "spyhop login example.com")
	for _, raw := range []string{"", "ftp://example.com/", "a b", "https://", "https://u:canary@example.com/"} {
		_, err := k.Login(t.Context(), raw, weburl.URL{})
		wants(t, err, tool.InvalidInput, "is not a site", "for example example.com")
	}
}

// TestState: names, keys and errors.
func TestState(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(t.TempDir(), "key")
	k := New(Options{Dir: dir, KeyFile: key})
	if err := k.SaveState(t.Context(), "shop-1", state()); err != nil {
		t.Fatal(err)
	}
	s, err := k.State(t.Context(), "shop-1")
	if err != nil || len(s.Cookies) != 6 || len(s.Origins) != 2 || s.Cookies[0].Value != "canary-1" {
		t.Errorf("%v %v", s, err)
	}
	_, err = k.State(t.Context(), "shop")
	wants(t, err, tool.InvalidInput, `no state "shop" is saved`, "save a state under this name first")
	if strings.Contains(err.Error()+tool.AsError(err).Hint, "shop-1") {
		t.Errorf("the error names the state of another: %v", err)
	}
	// A login is none, nor the other way.
	if _, err := k.SaveLogin(t.Context(), "example.com", state()); err != nil {
		t.Fatal(err)
	}
	_, err = k.State(t.Context(), "example.com")
	wants(t, err, tool.InvalidInput, `no state "example.com" is saved`, "")
	for _, name := range []string{"", "a/b", "../up", "a b", "ü", strings.Repeat("x", 65), "a\x00"} {
		wants(t, k.SaveState(t.Context(), name, state()), tool.InvalidInput, "cannot be the name of a state", "letters")
		_, err := k.State(t.Context(), name)
		wants(t, err, tool.InvalidInput, "cannot be the name of a state", "letters")
	}
	wants(t, New(Options{}).SaveState(t.Context(), "x", state()), tool.InvalidInput, "there is no folder", "WEB_DATA_DIR")
	_, err = New(Options{}).Login(t.Context(), "example.com", weburl.URL{})
	wants(t, err, tool.InvalidInput, "there is no folder", "WEB_DATA_DIR")

	if runtime.GOOS != "windows" {
		if err := os.Chmod(key, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = k.State(t.Context(), "shop-1")
		wants(t, err, tool.InvalidInput, "mode 0644", "WEB_SESSION_KEY")
		wants(t, k.SaveState(t.Context(), "new", state()), tool.InvalidInput, "chmod 600", "")
	}
	if err := os.WriteFile(key, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(key, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = k.State(t.Context(), "shop-1")
	wants(t, err, tool.InvalidInput, "does not contain a key of 32 bytes", "")
}

func wants(t *testing.T, err error, want tool.ErrorType, message, hint string) {
	t.Helper()
	var e *tool.Error
	if !errors.As(err, &e) || e.Type != want || !strings.Contains(e.Message, message) || !strings.Contains(e.Hint, hint) || e.Hint == "" {
		t.Errorf("%v, want %s with %q and %q", err, want, message, hint)
	}
	if strings.Contains(fmt.Sprintf("%+v", e), "canary") {
		t.Errorf("it shows a secret: %+v", e)
	}
}

// TestOwners: logins and states belong to a principal; nobody else learns that they
// exist, and a file that is copied to another one's folder does not open.
func TestOwners(t *testing.T) {
	dir := t.TempDir()
	k := New(Options{Dir: dir})
	as := func(name string) context.Context {
		return principal.With(t.Context(), principal.Caller{Name: name, Session: "any"})
	}
	for _, name := range []string{"", "ann"} {
		if err := k.SaveState(as(name), "shop", state()); err != nil {
			t.Fatal(err)
		}
		if _, err := k.SaveLogin(as(name), "example.com", state()); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, command string
		there         bool
	}{
		{"", "", true}, {principal.Local, "", true}, {"ann", "", true},
		{"bob", "spyhop login --for bob example.com", false},
		{principal.Anonymous, "spyhop login --for anonymous example.com", false},
	} {
		_, stateErr := k.State(as(c.name), "shop")
		_, loginErr := k.Login(as(c.name), "example.com", weburl.URL{})
		all, err := k.Logins(as(c.name))
		if (stateErr == nil) != c.there || (loginErr == nil) != c.there || len(all) > 0 != c.there || err != nil {
			t.Errorf("%q: %v, %v, %v %v", c.name, stateErr, loginErr, all, err)
		}
		if !c.there {
			wants(t, stateErr, tool.InvalidInput, "no state \"shop\" is saved", "save a state")
			wants(t, loginErr, tool.InvalidInput, "there is no login of example.com", c.command)
		}
	}
	// A name that is not there is answered alike, whoever has it.
	_, foreign := k.State(as("bob"), "shop")
	_, missing := k.State(as("bob"), "none")
	if f, m := foreign.Error(), missing.Error(); strings.ReplaceAll(f, "shop", "none") != m {
		t.Errorf("%q and %q", f, m)
	}
	for _, kind := range []string{"logins", "states"} {
		if err := os.CopyFS(filepath.Join(dir, kind+"@bob"), os.DirFS(filepath.Join(dir, kind+"@ann"))); err != nil {
			t.Fatal(err)
		}
	}
	_, err := k.State(as("bob"), "shop")
	wants(t, err, tool.InvalidInput, "does not open with the present key", "")
	if _, err := k.Login(as("bob"), "example.com", weburl.URL{}); err == nil {
		t.Error("a copied login opens")
	}
	if _, err := k.Forget(as("ann"), "example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Login(as(""), "example.com", weburl.URL{}); err != nil {
		t.Errorf("another one's login was forgotten: %v", err)
	}
}

// TestLoginOfState: the name of a saved state is a login of each site that it is signed in to.
func TestLoginOfState(t *testing.T) {
	k := New(Options{Dir: t.TempDir()})
	if err := k.SaveState(t.Context(), "work", state()); err != nil {
		t.Fatal(err)
	}
	page := func(raw string) weburl.URL {
		u, err := weburl.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	l, err := k.Login(t.Context(), "work", page("https://app.example.com/a"))
	if err != nil || l.Site() != "example.com" || !l.Covers(page("https://app.example.com/a")) || l.Covers(page("https://other.example/")) {
		t.Errorf("%v %v", l, err)
	}
	if l, err := k.Login(t.Context(), "work", page("https://none.test/")); err == nil && l.Covers(page("https://none.test/")) {
		t.Error("a login of a site that the state has nothing of")
	}
	if s, err := k.LoginState(t.Context(), "work"); err != nil || s.Empty() {
		t.Errorf("%v %v", s, err)
	}
}
