package reader

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

const shell = `<!doctype html><title>Ferries</title><div id="root"></div><script src="/app.js"></script>`

// half is a page with some content, and the signs that more is to come.
const half = `<!doctype html><title>Ferries</title><main><h1>Ferries that run today</h1><p>Each line with the time at which it leaves the quay.</p><div aria-busy="true"></div></main><script src="/app.js"></script>`

// TestRender: a browser is asked where nothing is there without it, or where the
// caller wants it, and only then.
func TestRender(t *testing.T) {
	missing := tool.NewError(tool.BrowserMissing, "no browser was found", "install one")
	for _, c := range []struct {
		name, page, render string
		q                  Request
		err                error  // of the browser
		ends               string // where the browser ends; empty: where it was sent
		status             int
		asked, rendered    bool
		login              string // that the browser was given
		fails              tool.ErrorType
		redirect           string
		gives              string // by the browser; empty: testPage
		note               string // a part of it
	}{
		{name: "a shell", page: shell, asked: true, rendered: true, note: "in a browser, since the page is empty without its scripts"},
		{name: "half a page", page: half, asked: true, rendered: true, note: "in a browser, since the page has placeholders for content"},
		{name: "half a page, no more", page: half, gives: half + "<p>Cookies?</p>", asked: true, note: "as the server sent it, although the page has placeholders for content without its scripts: rendering in a browser added nothing"},
		{name: "half a page, less", page: half, gives: shell, asked: true, note: "rendering in a browser added nothing"},
		{name: "half a page, elsewhere", page: half, ends: "https://other.example.org/", asked: true, note: "rendering in a browser added nothing"},
		{name: "half a page, no browser", page: half, err: missing, asked: true, note: "no browser was found; spyhop doctor"},
		{name: "half a page, it fails", page: half, err: tool.NewError(tool.Timeout, "the page took too long", ""), asked: true, note: "the browser failed (the page took too long)"},
		{name: "half a page, its links", page: half + `<a href="/x">x</a>`, q: Request{Mode: Links}},
		{name: "a shell without links, its links", page: shell, q: Request{Mode: Links}, asked: true, rendered: true, note: "in a browser, since the page is empty without its scripts"},
		{name: "a shell with a link, its links", page: shell + `<a href="/x">x</a>`, q: Request{Mode: Links}},
		{name: "a shell without links, its links, no browser", page: shell, q: Request{Mode: Links}, err: missing, asked: true, note: "no browser was found"},
		{name: "half a page, a part that is missing", page: half, q: Request{Selector: "h2"}, asked: true, rendered: true, note: "in a browser"},
		{name: "a shell, a header that a site may know somebody by", page: shell, q: Request{Header: map[string]string{"X-Key": "x"}}, fails: tool.NoContent},
		{name: "a shell in both", page: shell, gives: shell, asked: true, fails: tool.NoContent, note: "rendering in a browser added nothing"},
		{name: "a page", page: testPage},
		{name: "a page, always", page: testPage, render: "always", asked: true, rendered: true},
		{name: "a shell, never", page: shell, render: "never", fails: tool.NoContent},
		{name: "a shell, raw", page: shell, q: Request{Mode: Raw}},
		{name: "a shell with credentials", page: shell, q: Request{Auth: &fetch.Auth{Bearer: "x"}}, fails: tool.NoContent},
		{name: "always with credentials", page: shell, render: "always", q: Request{Auth: &fetch.Auth{Bearer: "x"}}, fails: tool.InvalidInput},
		{name: "a shell with a login", page: shell, q: Request{Login: "example.com"}, asked: true, rendered: true, login: "example.com", note: "in a browser"},
		{name: "always with a login", page: shell, render: "always", q: Request{Login: "example.com"}, asked: true, rendered: true, login: "example.com"},
		{name: "a login of another site", page: shell, q: Request{Login: "example.org"}, fails: tool.InvalidInput},
		{name: "a login that is not there", page: shell, q: Request{Login: "unknown"}, fails: tool.InvalidInput},
		{name: "a login and credentials", page: shell, q: Request{Login: "example.com", Auth: &fetch.Auth{Bearer: "x"}}, fails: tool.InvalidInput},
		{name: "no browser", page: shell, err: missing, asked: true, fails: tool.NoContent, note: "no browser was found"},
		{name: "busy", page: shell, err: tool.NewError(tool.Busy, "the browser is busy; try again in 5 s", ""), asked: true, fails: tool.Busy},
		{name: "half a page, busy", page: half, err: tool.NewError(tool.Busy, "the browser is busy; try again in 5 s", ""), asked: true, note: "the browser failed (the browser is busy; try again in 5 s)"},
		{name: "no browser, always", page: shell, render: "always", err: missing, asked: true, fails: tool.BrowserMissing},
		{name: "to another host", page: shell, render: "always", ends: "https://other.example.org/", asked: true, rendered: true, redirect: "https://other.example.org/"},
		{name: "to another host, followed", page: shell, render: "always", q: Request{Follow: true}, ends: "https://other.example.org/", asked: true, rendered: true},
		{name: "not found", page: shell, render: "always", status: 404, asked: true, fails: tool.HTTPError},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, asked := serve(t, "text/html", c.page, nil), false
			login := ""
			r.o.Login = func(_ context.Context, site string, _ weburl.URL) (*fetch.Login, error) {
				if site == "unknown" {
					return nil, tool.NewError(tool.InvalidInput, "there is no login of unknown", "spyhop login unknown")
				}
				return fetch.NewLogin(site, nil), nil
			}
			r.o.Render = func(_ context.Context, request RenderRequest) (*Rendered, error) {
				u, l := request.URL, request.Login
				asked, login = true, l
				if c.err != nil {
					return nil, c.err
				}
				if c.ends != "" {
					u = mustURL(t, c.ends)
				}
				return &Rendered{URL: u, Status: c.status, HTML: []byte(cmp.Or(c.gives, testPage))}, nil
			}
			c.q.URL, c.q.Render = mustURL(t, "https://example.com/a"), c.render
			a, err := r.Read(t.Context(), c.q)
			if asked != c.asked || login != c.login {
				t.Errorf("the browser was asked: %v, with login %q", asked, login)
			}
			if c.fails != "" {
				var e *tool.Error
				if !errors.As(err, &e) || e.Type != c.fails || !strings.Contains(e.Hint, c.note) {
					t.Errorf("%v, want %s and %q", err, c.fails, c.note)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if a.Metadata.Rendered != c.rendered || a.RedirectURL != c.redirect {
				t.Errorf("rendered %v, redirect %q", a.Metadata.Rendered, a.RedirectURL)
			}
			if n := a.Metadata.RenderNote; !strings.Contains(n, c.note) || c.note == "" && n != "" || n != "" && !strings.Contains(a.ForModel("web_fetch", 0), "\nRead "+n+".") {
				t.Errorf("note %q in\n%s", n, a.ForModel("web_fetch", 0))
			}
			// A page that waits for its scripts is thin, until a browser has shown that they bring nothing.
			waits := c.page == half && !c.rendered && !strings.Contains(c.note, "added nothing")
			if said := strings.Contains(strings.Join(a.Notices, "\n"), "Verdict thin: the page's scripts bring content."); said != waits || waits != (a.Verdict == page.Thin && c.q.Mode == "") {
				t.Errorf("verdict %s, %q", a.Verdict, a.Notices)
			}
			if c.rendered && c.redirect == "" && c.q.Selector == "" && c.q.Mode == "" && !strings.Contains(a.Markdown, "The ferry left the quay") {
				t.Errorf("%q", a.Markdown)
			}
		})
	}
}

// TestLoginLeaves: what a redirect has led away from the site is rendered
// without the login.
func TestLoginLeaves(t *testing.T) {
	r := serve(t, "text/html", shell, nil)
	given := "not asked"
	r.o.Login = func(_ context.Context, site string, _ weburl.URL) (*fetch.Login, error) {
		return fetch.NewLogin(site, nil), nil
	}
	r.o.Render = func(_ context.Context, request RenderRequest) (*Rendered, error) {
		u, l := request.URL, request.Login
		given = l
		return &Rendered{URL: u, HTML: []byte(testPage)}, nil
	}
	get := r.o.Fetch
	r.o.Fetch = func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		res, err := get(ctx, q)
		res.URL = mustURL(t, "https://other.example.org/")
		return res, err
	}
	if _, err := r.Read(t.Context(), Request{URL: mustURL(t, "https://example.com/a"), Login: "example.com", Follow: true}); err != nil || given != "" {
		t.Errorf("%v, with login %q", err, given)
	}
}

// TestRenderedInPart: what the browser had not seen to its end is partial, with the reason
// and the next step, also for a page that is the same otherwise.
func TestRenderedInPart(t *testing.T) {
	r := serve(t, "text/html", shell, nil)
	var gives Rendered
	r.o.Render = func(_ context.Context, q RenderRequest) (*Rendered, error) {
		out := gives
		out.URL, out.HTML = q.URL, []byte(testPage)
		return &out, nil
	}
	for _, c := range []struct {
		gives  Rendered
		scroll bool
		want   string
	}{
		{Rendered{}, false, ""}, {Rendered{Screens: 3}, true, ""},
		{Rendered{Loading: true}, false, "Verdict partial: the page had not loaded when its time was over. Next: timeout_ms gives the page more time."},
		{Rendered{Grows: true, Screens: 10}, false, "Verdict partial: the page still brought more after 10 screens of scrolling. Next: scroll=true scrolls further."},
		{Rendered{Grows: true, Screens: 30}, true, "Next: navigate_to_url and browser_scroll go further in a browser."},
		{Rendered{}, false, ""},
	} {
		gives = c.gives
		a, err := r.Read(t.Context(), Request{URL: mustURL(t, "https://example.com/a"), Render: RenderAlways, Scroll: c.scroll})
		if err != nil || (a.Verdict == page.Partial) != (c.want != "") || !strings.Contains(strings.Join(a.Notices, "\n"), c.want) {
			t.Errorf("%+v: %s %q %v", c.gives, a.Verdict, a.Notices, err)
		}
	}
}
