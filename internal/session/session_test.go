package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
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
	if all, err := k.Logins(); len(all) != 0 || err != nil {
		t.Errorf("%v %v", all, err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 0 || err != nil {
		t.Errorf("looking has made %v %v", entries, err)
	}
	i, err := k.SaveLogin("example.com", state())
	if err != nil || i.Cookies != 3 || i.Stores != 1 || !i.Ends.IsZero() || i.Site != "example.com" {
		t.Errorf("%+v %v", i, err)
	}
	for _, raw := range []string{"example.com", " https://www.Example.com/account?x ", "www.example.com"} {
		s, err := k.LoginState(raw)
		if err != nil || len(s.Cookies) != 4 || len(s.Origins) != 1 {
			t.Fatalf("%s: %v %v", raw, s, err)
		}
		l, err := k.Login(raw)
		if err != nil || l.Site() != "example.com" {
			t.Fatal(err)
		}
		u, err := weburl.Parse("https://mail.example.com/")
		if err != nil || !l.Covers(u) {
			t.Error(err)
		}
	}
	all, err := k.Logins()
	if err != nil || len(all) != 1 || all[0].Site != "example.com" || all[0].Cookies != 3 || all[0].Locked {
		t.Errorf("%+v %v", all, err)
	}
	if shown := fmt.Sprintf("%+v %v", all, i); strings.Contains(shown, "canary") {
		t.Error(shown)
	}
	if err := os.Remove(filepath.Join(dir, "session.key")); err != nil {
		t.Fatal(err)
	}
	_, err = k.Login("example.com")
	wants(t, err, tool.InvalidInput, "does not open with the present key", "WEB_SESSION_KEY")
	if all, err := k.Logins(); err != nil || len(all) != 1 || !all[0].Locked {
		t.Errorf("%+v %v", all, err)
	}
	if site, err := k.Forget("www.example.com"); err != nil || site != "example.com" {
		t.Error(site, err)
	}
	_, err = k.Forget("example.com")
	wants(t, err, tool.InvalidInput, "there is no login of example.com", "saved logins: none")
	_, err = k.Login("example.com")
	wants(t, err, tool.InvalidInput, "there is no login of example.com", "spyhop login example.com")
	_, err = k.SaveLogin("nothing.example", state())
	wants(t, err, tool.NoContent, "nothing.example has stored nothing", "spyhop login nothing.example")

	s := &browser.State{Cookies: state().Cookies[2:3]}
	if _, err := k.SaveLogin("example.com", s); err != nil {
		t.Fatal(err)
	}
	_, err = k.Login("example.com")
	wants(t, err, tool.InvalidInput, "the login of example.com has expired", "spyhop login example.com")
	for _, raw := range []string{"", "ftp://example.com/", "a b", "https://", "https://u:canary@example.com/"} {
		_, err := k.Login(raw)
		wants(t, err, tool.InvalidInput, "is not a site", "for example example.com")
	}
}

// TestState: names, keys and errors.
func TestState(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(t.TempDir(), "key")
	k := New(Options{Dir: dir, KeyFile: key})
	if err := k.SaveState("shop-1", state()); err != nil {
		t.Fatal(err)
	}
	s, err := k.State("shop-1")
	if err != nil || len(s.Cookies) != 6 || len(s.Origins) != 2 || s.Cookies[0].Value != "canary-1" {
		t.Errorf("%v %v", s, err)
	}
	_, err = k.State("shop")
	wants(t, err, tool.InvalidInput, `no state "shop" is saved`, "save a state under this name first")
	if strings.Contains(err.Error()+tool.AsError(err).Hint, "shop-1") {
		t.Errorf("the error names the state of another: %v", err)
	}
	// A login is none, nor the other way.
	if _, err := k.SaveLogin("example.com", state()); err != nil {
		t.Fatal(err)
	}
	_, err = k.State("example.com")
	wants(t, err, tool.InvalidInput, `no state "example.com" is saved`, "")
	for _, name := range []string{"", "a/b", "../up", "a b", "ü", strings.Repeat("x", 65), "a\x00"} {
		wants(t, k.SaveState(name, state()), tool.InvalidInput, "cannot be the name of a state", "letters")
		_, err := k.State(name)
		wants(t, err, tool.InvalidInput, "cannot be the name of a state", "letters")
	}
	wants(t, New(Options{}).SaveState("x", state()), tool.InvalidInput, "there is no folder", "WEB_DATA_DIR")
	_, err = New(Options{}).Login("example.com")
	wants(t, err, tool.InvalidInput, "there is no folder", "WEB_DATA_DIR")

	if runtime.GOOS != "windows" {
		if err := os.Chmod(key, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = k.State("shop-1")
		wants(t, err, tool.InvalidInput, "mode 0644", "WEB_SESSION_KEY")
		wants(t, k.SaveState("new", state()), tool.InvalidInput, "chmod 600", "")
	}
	if err := os.WriteFile(key, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(key, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = k.State("shop-1")
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
