package browser_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// accounts is a site that knows a person by a cookie that scripts cannot read,
// and by what its script has stored. The stored text has half a character.
func accounts(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/login" {
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "canary-sid", Path: "/", HttpOnly: true, MaxAge: 3600})
			http.SetCookie(w, &http.Cookie{Name: "theme", Value: "a b", Path: "/"})
			fmt.Fprint(w, `<title>In</title><script>localStorage.setItem('token', 'canary-token \ud800'); localStorage.setItem('length', '7')</script>`)
			return
		}
		c, err := r.Cookie("sid")
		fmt.Fprintf(w, `<title>Account</title><p>%s</p><p id=o></p><script>o.textContent = localStorage.getItem('token') === 'canary-token \ud800' && localStorage.getItem('length') === '7' ? 'stored' : 'not stored'</script>`,
			map[bool]string{true: "signed in", false: "please sign in"}[err == nil && c.Value == "canary-sid"])
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestState: what one context is signed in by, another is after a restore, and
// no other.
func TestState(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := accounts(t)
	other := site(t, map[string]string{"/": "<title>Other</title><script>localStorage.setItem('k', 'v')</script>"})
	ctx := t.Context()
	at := func(name string) browser.Place { return browser.Place{Context: name} }
	open := func(context, url string) string {
		t.Helper()
		if _, err := b.Navigate(ctx, at(context), browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		c, err := b.Content(ctx, at(context))
		if err != nil {
			t.Fatal(err)
		}
		return c.HTML
	}
	open("one", other)
	open("one", url+"/login")
	s, _, err := b.State(ctx, at("one"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cookies) != 2 || len(s.Origins) != 2 {
		t.Errorf("%d cookies, %d origins", len(s.Cookies), len(s.Origins))
	}
	for _, printed := range []string{fmt.Sprint(s), fmt.Sprintf("%+v %#v", s, s)} {
		if strings.Contains(printed, "canary") {
			t.Errorf("it shows its secrets: %s", printed)
		}
	}
	tabs, _, err := b.Tabs(ctx, at("one"), "list", browser.Navigation{})
	if err != nil || len(tabs) != 1 {
		t.Errorf("tabs are left: %+v %v", tabs, err)
	}
	// As it comes from the disk.
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	s = new(browser.State)
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	open("two", url)
	if _, err := b.Restore(ctx, at("two"), s); err != nil {
		t.Fatal(err)
	}
	for context, want := range map[string][2]string{"one": {"signed in", ">stored"}, "two": {"signed in", ">stored"}, "three": {"please sign in", ">not stored"}} {
		if html := open(context, url); !strings.Contains(html, want[0]) || !strings.Contains(html, want[1]) {
			t.Errorf("context %s: want %q in %s", context, want, html)
		}
	}
	again, _, err := b.State(ctx, at("two"))
	if err != nil || len(again.Origins) != 2 || !slices.Equal(again.Cookies, s.Cookies) {
		t.Errorf("%v: %d cookies, %d origins", err, len(again.Cookies), len(again.Origins))
	}
	// The cookies that were there are gone.
	if _, err := b.Restore(ctx, at("two"), new(browser.State)); err != nil {
		t.Fatal(err)
	}
	if html := open("two", url); !strings.Contains(html, "please sign in") {
		t.Error("cookies have outlived a restore")
	}
}

// TestStateCookies: every kind of cookie comes back as it was.
func TestStateCookies(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	ctx := t.Context()
	at := browser.Place{Context: "cookies"}
	ends := time.Now().Add(48 * time.Hour).Truncate(time.Second).UTC()
	s := &browser.State{Cookies: []browser.StateCookie{
		{Name: "host", Value: "1", Domain: "www.example.com", Path: "/", FromTLS: true, Port: 443},
		{Name: "domain", Value: "2", Domain: ".example.com", Path: "/a", Expires: ends, FromTLS: true, Port: 443, Secure: true, SameSite: "Strict"},
		{Name: "__Host-id", Value: "3", Domain: "www.example.com", Path: "/", Secure: true, HTTPOnly: true, FromTLS: true, Port: 443, SameSite: "Lax"},
		{Name: "plain", Value: "4", Domain: "127.0.0.1", Path: "/", Port: 8080},
		{Name: "six", Value: "5", Domain: "[::1]", Path: "/", Port: 8080},
		{Name: "parted", Value: "6", Domain: "chat.example.net", Path: "/", Secure: true, FromTLS: true, Port: 443, SameSite: "None", TopSite: "https://example.com", Nested: true},
	}}
	if _, err := b.Restore(ctx, at, s); err != nil {
		t.Fatal(err)
	}
	got, _, err := b.State(ctx, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Cookies {
		if !slices.Contains(got.Cookies, c) {
			t.Errorf("%s is not as it was: %+v", c.Name, got.Cookies)
		}
	}
	for site, want := range map[string]int{"example.com": 3, "example.net": 1, "127.0.0.1": 1, "::1": 1, "com": 0, "www.example.com": 0, "": 0} {
		if n := len(got.Of(site).Cookies); n != want {
			t.Errorf("%d cookies of %q, want %d", n, site, want)
		}
	}
	// An error does not show a value.
	_, err = b.Restore(ctx, at, &browser.State{Cookies: []browser.StateCookie{{Name: "bad", Value: "canary\x00", Domain: "", Path: "/"}}})
	var te *tool.Error
	if !errors.As(err, &te) || te.Type != tool.BrowserError || strings.Contains(fmt.Sprint(err), "canary") {
		t.Errorf("%v", err)
	}
}

// TestStateTooLarge: what a site stores beyond the bound is no end of the
// browser.
func TestStateTooLarge(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<title>Full</title><script>localStorage.setItem('k', '\\0'.repeat(4e6))</script>", "/small": "<title>Small</title><script>localStorage.clear()</script>"})
	ctx := t.Context()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.State(ctx, browser.Place{})
	var te *tool.Error
	if !errors.As(err, &te) || te.Type != tool.TooLarge || te.Hint == "" {
		t.Errorf("%v", err)
	}
	if p, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url + "/small"}); err != nil || p.Tab != "t1" {
		t.Errorf("%+v %v", p, err)
	}
	if s, _, err := b.State(ctx, browser.Place{}); err != nil || !s.Empty() {
		t.Errorf("%v %v", s, err)
	}
}

// TestStateOfTabs: the sessionStorage of a tab and the databases of an origin are in a state, with
// values that JSON has no form for.
func TestStateOfTabs(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	const db = `const db = f => { const q = indexedDB.open('keys', 3); q.onupgradeneeded = () => q.result.createObjectStore('k', {keyPath: 'id'}).createIndex('by', 'n'); q.onsuccess = () => f(q.result) };`
	url := site(t, map[string]string{
		"/in": `<title>In</title><p id=o>-</p><script>` + db + `sessionStorage.setItem('s', 'canary-session');
			db(d => { const t = d.transaction('k', 'readwrite'); t.objectStore('k').put({id: 1, n: 2, when: new Date(5), raw: new Uint8Array([1, 200]), m: new Map([['a', undefined]])}); t.oncomplete = () => { o.textContent = 'kept' } })</script>`,
		"/out": `<title>Out</title><p id=o>-</p><script>` + db + `db(d => { const q = d.transaction('k').objectStore('k').index('by').get(2); q.onsuccess = () => { const v = q.result; o.textContent = [sessionStorage.getItem('s'), v && v.when instanceof Date && +v.when, v && v.raw instanceof Uint8Array && v.raw[1], v && v.m.has('a'), d.version].join() } })</script>`,
	})
	open := func(at browser.Place, path, want string) {
		t.Helper()
		if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url + path}); err != nil {
			t.Fatal(err)
		}
		if c, err := b.WaitFor(t.Context(), at, browser.Waiting{Text: want}); err != nil {
			s, _ := b.Snapshot(t.Context(), at, browser.SnapshotRequest{})
			t.Fatalf("%s: %v %+v %s", path, err, c, s.Text)
		}
	}
	open(browser.Place{Context: "a"}, "/in", "kept")
	s, _, err := b.State(t.Context(), browser.Place{Context: "a"})
	if err != nil || len(s.Origins) != 1 || s.Origins[0].Items != "" {
		t.Fatalf("%v %v", s, err)
	}
	if _, err := b.Restore(t.Context(), browser.Place{Context: "b"}, s); err != nil {
		t.Fatal(err)
	}
	open(browser.Place{Context: "b"}, "/out", "canary-session,5,200,true,3")
	if _, _, err := b.Tabs(t.Context(), browser.Place{Context: "b"}, "new", browser.Navigation{URL: url + "/out"}); err != nil {
		t.Fatal(err)
	}
	open(browser.Place{Context: "b"}, "/out", "canary-session,5,200,true,3")
}
