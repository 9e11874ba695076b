package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// members is a site with a page that requires a login. The script of its login page
// signs in without a person, and tells the server when it is done.
func members(t *testing.T) (host string, done <-chan struct{}, cookies func() map[string]string) {
	t.Helper()
	signedIn := make(chan struct{})
	var once sync.Once
	var mu sync.Mutex
	seen := make(map[string]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Host+r.URL.Path] = r.Header.Get("Cookie")
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		c, err := r.Cookie("sid")
		in := err == nil && c.Value == "canary-sid"
		switch r.URL.Path {
		case "/":
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "canary-sid", Path: "/", HttpOnly: true, MaxAge: 3600})
			fmt.Fprint(w, `<!doctype html><title>Sign in</title><script>localStorage.setItem('token', 'canary-token'); fetch('/done')</script>`)
		case "/done":
			if in {
				once.Do(func() { close(signedIn) })
			}
		case "/script.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, `const text = localStorage.getItem('token') === 'canary-token' ? %q : 'The page does not know you.'; root.innerHTML = '<main><h1>App</h1><p>' + text + '</p></main>'`, welcome)
		case "/app":
			fmt.Fprint(w, `<!doctype html><title>App</title><body><div id="root"></div><script src="/script.js"></script>`)
		case "/away":
			http.Redirect(w, r, "http://localhost"+r.Host[strings.IndexByte(r.Host, ':'):]+"/other", http.StatusFound)
		default:
			text := "This page is for members: sign in first, please, and come back to read what the others have written about the tides."
			if in {
				text = welcome
			}
			fmt.Fprintf(w, `<!doctype html><title>Members</title><main><h1>Members</h1><p>%s</p></main>`, text)
		}
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), signedIn, func() map[string]string {
		mu.Lock()
		defer mu.Unlock()
		out := make(map[string]string)
		for k, v := range seen {
			out[k] = v
		}
		clear(seen)
		return out
	}
}

const welcome = "Welcome back: the tide tables of the members are here, with what each of them has seen from the quay this week."

// TestLogin: after one login in a browser, pages of that site are read with its
// cookies, with and without rendering, and no other site receives them.
func TestLogin(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	ctx := context.Background()
	host, done, cookies := members(t)
	dir := t.TempDir()
	port := host[strings.IndexByte(host, ':'):]
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{host, "localhost" + port}, DataDir: dir, HostRate: -1, AuditLog: filepath.Join(dir, "audit.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()

	info, err := client.Login(ctx, "http://"+host+"/", done)
	if err != nil {
		t.Fatal(err)
	}
	if info.Site != "127.0.0.1" || info.Cookies != 1 || info.Stores != 1 || info.Ends.IsZero() {
		t.Errorf("%+v", info)
	}
	cookies()
	fetch := func(path string, q spyhop.FetchRequest) (string, *spyhop.FetchResult, error) {
		q.URL = "http://" + host + path
		r, err := client.Fetch(ctx, q)
		if err != nil {
			return "", nil, err
		}
		_, err = client.CacheStats(ctx) // it waits until what was read is stored
		return r.Markdown, r, err
	}
	login := spyhop.FetchRequest{Login: "127.0.0.1"}
	for _, c := range []struct {
		name, path, want string
		q                spyhop.FetchRequest
		rendered, cached bool
	}{
		{"without", "/page", "for members: sign in first", spyhop.FetchRequest{}, false, false},
		{"with", "/page", "Welcome back", login, false, false},
		{"from the cache", "/page", "Welcome back", login, false, true},
		{"without, from the cache", "/page", "for members: sign in first", spyhop.FetchRequest{}, false, true},
		{"a page that needs its scripts", "/app", "Welcome back", login, true, false},
		{"that page without", "/app", "does not know you", spyhop.FetchRequest{Render: "always"}, true, false},
		{"a site as people write it", "/page", "Welcome back", spyhop.FetchRequest{Login: "http://" + host + "/x"}, false, true},
	} {
		md, r, err := fetch(c.path, c.q)
		if err != nil || !strings.Contains(md, c.want) || r.Metadata.Rendered != c.rendered || r.Metadata.Cached != c.cached {
			t.Errorf("%s: %v %q %+v", c.name, err, md, r)
		}
	}
	got := cookies()
	if got[host+"/page"] != "sid=canary-sid" {
		t.Errorf("%v", got)
	}
	// A redirect to another site takes nothing along.
	if _, _, err := fetch("/away", login); err != nil {
		t.Fatal(err)
	}
	if got := cookies(); got[host+"/away"] != "sid=canary-sid" || got["localhost"+port+"/other"] != "" || len(got) != 2 {
		t.Errorf("%v", got)
	}
	for name, q := range map[string]spyhop.FetchRequest{
		"there is no login of example.com": {URL: "http://" + host + "/page", Login: "example.com"},
		"is not for http://localhost":      {URL: "http://localhost" + port + "/page", Login: "127.0.0.1"},
		"does not go with other":           {URL: "http://" + host + "/page", Login: "127.0.0.1", Bearer: "x"},
	} {
		_, err := client.Fetch(ctx, q)
		var e *tool.Error
		if !errors.As(err, &e) || e.Type != tool.InvalidInput || !strings.Contains(e.Message, name) || e.Hint == "" {
			t.Errorf("%v, want %q", err, name)
		}
	}
	if got := cookies(); len(got) != 0 {
		t.Errorf("asked all the same: %v", got)
	}
	if all, err := client.Logins(); err != nil || len(all) != 1 || all[0] != info {
		t.Errorf("%+v %v", all, err)
	}
	crawled, err := client.Crawl(ctx, spyhop.CrawlRequest{URLs: []string{"http://" + host + "/tides"}, Login: "127.0.0.1", MaxPages: 2})
	if err != nil {
		t.Fatal(err)
	}
	if pages, err := client.CrawlPages(ctx, crawled.Job, 0, 10, true); err != nil || len(pages.Pages) != 1 || !strings.Contains(pages.Pages[0].Markdown, "Welcome back") {
		t.Errorf("a crawl with the login: %v, %+v", err, pages)
	}
	if _, err := client.StartCrawl(ctx, spyhop.CrawlRequest{URLs: []string{"http://" + host + "/tides"}, Login: "127.0.0.1"}); err == nil || !strings.Contains(err.Error(), "reads with no login") {
		t.Errorf("a job in the background: %v", err)
	}
	if site, err := client.Forget("127.0.0.1"); err != nil || site != "127.0.0.1" {
		t.Error(site, err)
	}
	if _, _, err := fetch("/page", login); err == nil {
		t.Error("a login that was removed is used")
	}
	// Nothing on disk holds a value, answers apart.
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "canary") {
			t.Errorf("%s shows a value", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLoginWithoutDisplay: without a display, the command opens no window.
func TestLoginWithoutDisplay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is always a display")
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	client, err := spyhop.New(spyhop.Config{BrowserHeaded: true, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Login(t.Context(), "example.com", nil)
	var e *tool.Error
	if !errors.As(err, &e) || e.Type != tool.BrowserError || e.Retryable || !strings.Contains(e.Message, "no display") || e.Hint == "" {
		t.Errorf("%v", err)
	}
}
