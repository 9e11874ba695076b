package reader

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// web is what addresses give: a body with its type before the first line end;
// or a status alone, "-> " and where it leads, or "hang".
type web struct {
	pages  map[string]string
	header http.Header
	asked  []string
}

func (w *web) reader() *Reader {
	return New(Options{Fetch: w.get, Render: func(_ context.Context, q RenderRequest) (*Rendered, error) {
		u := q.URL
		return &Rendered{URL: u, Status: 200, HTML: []byte(testPage)}, nil
	}})
}

func (w *web) get(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
	u := q.URL.WithoutFragment().String()
	w.asked = append(w.asked, u)
	head, body, _ := strings.Cut(w.pages[u], "\n")
	to, leads := strings.CutPrefix(head, "-> ")
	switch {
	case leads:
		next, err := weburl.Parse(to)
		if err != nil {
			return nil, err
		}
		if q.Redirects != fetch.Follow {
			return &fetch.Response{URL: q.URL, Redirect: next}, nil
		}
		q.URL = next
		return w.get(ctx, q)
	case head == "hang":
		<-ctx.Done()
		return nil, &fetch.Error{Code: fetch.Timeout, URL: u, Cause: ctx.Err()}
	case head == "":
		head = "404"
	}
	switch head {
	case "404", "429", "403":
		status := map[string]int{"404": 404, "429": 429, "403": 403}[head]
		return nil, &fetch.Error{Code: fetch.HTTPError, URL: u, Status: status, Response: &fetch.Response{Status: status, Header: w.header}}
	}
	return &fetch.Response{URL: q.URL, Status: 200, MediaType: head, Charset: "utf-8", Body: []byte(body), DecodedBytes: int64(len(body)), Header: w.header, FetchedAt: time.Unix(0, 0)}, nil
}

const (
	issuePage = "https://github.com/harbour/buoy/issues/7"
	issueAPI  = "https://api.github.com/repos/harbour/buoy/issues/7"
	issueJSON = `application/json
{"number":7,"title":"The buoy hums","state":"open","user":{"login":"ann"},"created_at":"2025-03-01T08:00:00Z","comments":1,"body":"# When\n\nAt night."}`
	commentsJSON = `application/json
[{"id":71,"user":{"login":"bob"},"created_at":"2025-03-02T08:00:00Z","body":"Is the panel connected?"}]`
)

func issueWeb() *web {
	return &web{pages: map[string]string{issuePage: "text/html\n" + testPage, issueAPI: issueJSON, issueAPI + "/comments?per_page=100": commentsJSON}}
}

// A page that its site gives to machines is read so, and the answer says so. Its
// address stays that of the page.
func TestForms(t *testing.T) {
	w := issueWeb()
	a, err := w.reader().Read(t.Context(), Request{URL: mustURL(t, issuePage+"#issuecomment-71")})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{issueAPI, issueAPI + "/comments?per_page=100"}; !slices.Equal(w.asked, want) {
		t.Errorf("asked for %q", w.asked)
	}
	if a.URL != issuePage+"#issuecomment-71" || a.FinalURL != a.URL || a.Metadata.ReadAs != "GitHub API" || a.Metadata.ReadFrom != issueAPI || a.PageType != page.Forum || a.Metadata.Status != 200 {
		t.Errorf("%+v", a)
	}
	if want := int64(len(issueJSON) + len(commentsJSON) - 2*len("application/json\n")); a.Metadata.ContentLength != want {
		t.Errorf("%d bytes, want %d", a.Metadata.ContentLength, want)
	}
	if !strings.HasPrefix(a.Markdown, "### bob · 2025-03-02\n\nIs the panel connected?") {
		t.Errorf("the fragment leads to\n%s", a.Markdown)
	}
	if text := a.ForModel("web_fetch", 0); !strings.HasPrefix(text, "Contents of "+a.FinalURL+":\n") || !strings.Contains(text, "; read as GitHub API from api.github.com\n") {
		t.Error(text)
	}
}

// The windows of a form add up, and a section of it can be asked for.
func TestFormParts(t *testing.T) {
	w := issueWeb()
	r := w.reader()
	most := 40
	a, err := r.Read(t.Context(), Request{URL: mustURL(t, issuePage), MaxLength: most})
	if err != nil || a.NextStartIndex == nil {
		t.Fatalf("%v, %+v", err, a)
	}
	b, err := r.Read(t.Context(), Request{URL: mustURL(t, issuePage), StartIndex: *a.NextStartIndex})
	if err != nil || strings.Contains(b.Markdown, "# The buoy") || !strings.Contains(b.Markdown, "panel connected") {
		t.Errorf("%v, %q, %q", err, a.Markdown, b.Body())
	}
	a, err = r.Read(t.Context(), Request{URL: mustURL(t, issuePage), Sections: []string{"when"}})
	if err != nil || a.Markdown != "## When\n\nAt night." {
		t.Errorf("%v, %+v", err, a)
	}
	if a, err = r.Read(t.Context(), Request{URL: mustURL(t, issuePage), Query: "is the panel connected"}); err != nil || !strings.Contains(a.Markdown, "panel connected") {
		t.Errorf("%v, %+v", err, a)
	}
	// What is not in the form is not there: the page is not asked as well.
	w.asked = nil
	var e *tool.Error
	if _, err = r.Read(t.Context(), Request{URL: mustURL(t, issuePage), Sections: []string{"nowhere"}}); !errors.As(err, &e) || e.Type != tool.InvalidInput || slices.Contains(w.asked, issuePage) {
		t.Errorf("%v after %q", err, w.asked)
	}
}

// Who asks for the page itself, as somebody, or through a browser, gets that.
func TestNoForm(t *testing.T) {
	for name, q := range map[string]Request{
		"raw": {Mode: Raw}, "html": {Mode: HTML}, "links": {Mode: Links}, "a selector": {Selector: "main"}, "the whole body": {Whole: true},
		"credentials": {Auth: &fetch.Auth{Bearer: "x"}}, "a header": {Header: map[string]string{"Accept-Language": "de"}}, "rendered": {Render: RenderAlways},
	} {
		t.Run(name, func(t *testing.T) {
			w := issueWeb()
			q.URL = mustURL(t, issuePage)
			a, err := w.reader().Read(t.Context(), q)
			if err != nil || a.Metadata.ReadAs != "" || a.ReadAs() != "" {
				t.Errorf("%v, %+v", err, a)
			}
			if q.Render != RenderAlways && !slices.Equal(w.asked, []string{issuePage}) {
				t.Errorf("asked for %q", w.asked)
			}
		})
	}
}

// Whatever goes wrong with a form, the page is read.
func TestFormFails(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		form                bool
		asked               int
	}{
		{"not found", "404", "", false, 2},
		{"too many requests", "429", "", false, 2},
		{"elsewhere", "-> https://other.example.org/x", "", false, 2},
		{"not JSON", "text/html\n<p>Sorry", "", false, 3},
		{"another shape", "application/json\n[]", "", false, 3},
		{"half of it", "application/json\n{\"number\":7,", "", false, 3},
		{"no comments", issueJSON, "403", true, 2}, // they are left out, and that is said
	} {
		t.Run(c.name, func(t *testing.T) {
			w := issueWeb()
			w.pages[issueAPI], w.pages[issueAPI+"/comments?per_page=100"] = c.first, c.second
			a, err := w.reader().Read(t.Context(), Request{URL: mustURL(t, issuePage)})
			if err != nil {
				t.Fatal(err)
			}
			if c.form != (a.Metadata.ReadAs != "") || c.form == strings.Contains(a.Markdown, "The ferry left") || len(w.asked) > c.asked {
				t.Errorf("asked for %q: %q", w.asked, a.Markdown)
			}
			if c.form && (a.Verdict != page.Partial || !strings.Contains(a.Markdown, "1 comment is left out.")) {
				t.Errorf("verdict %s: %q", a.Verdict, a.Markdown)
			}
		})
	}
	t.Run("the page fails too", func(t *testing.T) {
		w := &web{}
		var e *tool.Error
		if _, err := w.reader().Read(t.Context(), Request{URL: mustURL(t, issuePage)}); !errors.As(err, &e) || e.Status != 404 || !strings.Contains(e.Message, issuePage) {
			t.Error(err)
		}
	})
}

// A host that has had enough is left alone for a while.
func TestTiredHost(t *testing.T) {
	for _, c := range []struct {
		name, status, remaining string
		again                   bool
	}{
		{"429", "429", "", false},
		{"no requests left", "403", "0", false},
		{"another refusal", "403", "31", true},
		{"not there", "404", "0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := issueWeb()
				w.header = http.Header{"X-Ratelimit-Remaining": {c.remaining}}
				w.pages[issueAPI] = c.status
				r := w.reader()
				read := func() []string {
					w.asked = nil
					if _, err := r.Read(t.Context(), Request{URL: mustURL(t, issuePage)}); err != nil {
						t.Fatal(err)
					}
					return w.asked
				}
				read()
				if again := slices.Contains(read(), issueAPI); again != c.again {
					t.Errorf("asked again: %v", again)
				}
				time.Sleep(siteRest + time.Second)
				if !slices.Contains(read(), issueAPI) {
					t.Error("never asked again")
				}
			})
		})
	}
}

// A form that does not come leaves the page two thirds of the time.
func TestFormHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := issueWeb()
		w.pages[issueAPI] = "hang"
		start := time.Now()
		a, err := w.reader().Read(t.Context(), Request{URL: mustURL(t, issuePage), Timeout: 3 * time.Second})
		if err != nil || a.Metadata.ReadAs != "" {
			t.Fatalf("%v, %+v", err, a)
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("waited for %s", d)
		}
	})
}

// What a page names itself is read after it; so is a form of where a redirect
// ends.
func TestNamedForm(t *testing.T) {
	const docs = "https://docs.example.org/fog"
	named := strings.Replace(testPage, "<head>", `<head><link rel="alternate" type="text/markdown" href="/fog.md">`, 1)
	for _, c := range []struct {
		name  string
		pages map[string]string
		q     Request
		as    string
		want  string
	}{
		{"Markdown", map[string]string{docs: "text/html\n" + named, docs + ".md": "text/markdown\n# Fog\n\nAs Markdown."}, Request{}, "Markdown that the page names", "# Fog\n\nAs Markdown."},
		{"Markdown that is not there", map[string]string{docs: "text/html\n" + named}, Request{}, "", "The ferry left"},
		{"Markdown that is a page", map[string]string{docs: "text/html\n" + named, docs + ".md": "text/html\n<p>Sign in"}, Request{}, "", "The ferry left"},
		{"the page as Markdown already", map[string]string{docs: "text/markdown\n# Fog\n\nNegotiated. <link rel=alternate type=text/markdown href=/fog.md>"}, Request{}, "", "Negotiated."},
		{"raw", map[string]string{docs: "text/html\n" + named, docs + ".md": "text/markdown\n# Fog"}, Request{Mode: Raw}, "", "<link"},
		{"a short link", map[string]string{docs: "-> " + issuePage, issuePage: "text/html\n" + testPage, issueAPI: issueJSON, issueAPI + "/comments?per_page=100": commentsJSON},
			Request{Follow: true}, "GitHub API", "# The buoy hums"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &web{pages: c.pages}
			c.q.URL = mustURL(t, docs)
			a, err := w.reader().Read(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			if a.Metadata.ReadAs != c.as || !strings.Contains(a.Body(), c.want) || a.URL != docs {
				t.Errorf("read as %q from %q:\n%s", a.Metadata.ReadAs, a.Metadata.ReadFrom, a.Body())
			}
			if c.name == "a short link" && a.FinalURL != issuePage {
				t.Errorf("ends at %s", a.FinalURL)
			}
		})
	}
}

// A form is compared with what was read in that form, not with the page.
func TestFormSince(t *testing.T) {
	w := issueWeb()
	r := w.reader()
	r.o.Versions = &shelf{}
	if _, err := r.Read(t.Context(), Request{URL: mustURL(t, issuePage)}); err != nil {
		t.Fatal(err)
	}
	w.pages[issueAPI] = strings.Replace(issueJSON, "At night.", "At noon.", 1)
	a, err := r.Read(t.Context(), Request{URL: mustURL(t, issuePage), Since: last})
	if err != nil || !strings.Contains(a.Body(), "At noon.") || strings.Contains(a.Body(), "panel") {
		t.Errorf("%v, %q", err, a.Body())
	}
	w.pages[issueAPI] = "404"
	if a, err = r.Read(t.Context(), Request{URL: mustURL(t, issuePage), Since: last}); err != nil || !strings.HasPrefix(strings.Join(a.Notices, ""), "No earlier version") {
		t.Errorf("%v, %q, %q", err, a.Notices, a.Body())
	}
}
