package fetch

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func TestMetaRefresh(t *testing.T) {
	const tag = `<meta http-equiv="refresh" content="0; url=/new">`
	for _, c := range []struct{ page, want string }{
		{"<!DOCTYPE html><title>Moved</title>" + tag, "/new"},
		{"<META HTTP-EQUIV=Refresh CONTENT='0;URL=/new'>", "/new"},
		{`<meta content="1,/new" http-equiv=refresh>`, "/new"},
		{`<meta http-equiv=refresh content="0; url='/new' and more">`, "/new"},
		{`<meta http-equiv=refresh content="0.5 url = /new">`, "/new"},
		{`<meta http-equiv=refresh content=".9;/new">`, "/new"},
		{`<meta http-equiv=refresh content="3;/new">`, "/new"},
		{`<meta http-equiv=refresh content="4;/new">`, "/new"},
		{`<meta http-equiv=refresh content="10;/new"><p>This page has moved.`, "/new"},
		{`<meta http-equiv=refresh content="11;/new">`, ""},
		{`<meta http-equiv=refresh content="4;/new"><script>` + strings.Repeat("x", 1000) + `</script><p style="` + strings.Repeat("x", 1000) + `">Moved`, "/new"},
		{`<meta http-equiv=refresh content="4;/new"><p>` + strings.Repeat("word ", 200), ""},
		{`<meta http-equiv=refresh content="3;/new"><p>` + strings.Repeat("word ", 200), "/new"},
		{`<meta http-equiv=refresh content="0;/new?a=1&amp;b=2">`, "/new?a=1&b=2"},
		{`<meta http-equiv=refresh content="0&#59;url&equals;/new">`, "/new"},
		{`<base href="/deep/"><base href="/other/">` + `<meta http-equiv=refresh content="0;url=new">`, "/deep/new"},
		{`<base target=_top><base href="deep/">` + `<meta http-equiv=refresh content="0;url=new">`, "/deep/new"},
		{`<meta http-equiv=refresh content="0;url=new">` + `<base href="/deep/">`, "/new"},
		{`<base href="data:x">` + `<meta http-equiv=refresh content="0;url=new">`, "/new"},
		{`<meta http-equiv=refresh content="99999999999999999999;/new">`, ""},
		{`<meta http-equiv=refresh content="0">`, "/"},
		{`<meta http-equiv=refresh content="0;url=">`, "/"},
		{`<meta http-equiv=refresh content="url=/new">`, ""},
		{`<meta http-equiv=refresh content="0/new">`, ""},
		{"<!-- " + tag + " -->", ""},
		{"<title>" + tag + "</title>", ""},
		{"<script>'" + tag + "'</script>", ""},
		{"<noscript>" + tag + "</noscript>", ""},
		{"<noscript>" + tag, ""},
		{"<noscript></p></noscript>" + tag, "/new"},
		{"<body><p>Moved</p>" + tag, "/new"},
		{"<textarea>" + tag + "</textarea>", ""},
		{"<meta name=refresh content='0;/new'>", ""},
		{strings.Repeat("<", 100), ""},
	} {
		res := &Response{URL: parse(t, "http://example.com/"), MediaType: typeHTML, Body: []byte(c.page)}
		got := ""
		if next := refreshed(res); !next.IsZero() {
			got = strings.TrimPrefix(next.String(), "http://example.com")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// The header counts before the markup, on a page, or where there is nothing else.
func TestRefreshHeader(t *testing.T) {
	for _, c := range []struct{ header, mediaType, body, want string }{
		{"0; url=/new", typeHTML, "<p>moving", "http://example.com/new"},
		{"0; url=/new", typeHTML, `<meta http-equiv=refresh content="0;/other">`, "http://example.com/new"},
		{"5;URL='/neu/\xe4'", typeHTML, "", "http://example.com/neu/%E4"},
		{"5; url=/new", typeHTML, "<p>" + strings.Repeat("word ", 200), ""},
		{"0; url=/new", "text/plain", "", "http://example.com/new"},
		{"0; url=/new", "text/plain", "a text", ""},
		{"0", typeHTML, "<p>text", "http://example.com/"},
		{"0; url=javascript:alert(1)", typeHTML, "", ""},
	} {
		res := &Response{URL: parse(t, "http://example.com/"), MediaType: c.mediaType, Body: []byte(c.body), Header: http.Header{"Refresh": {c.header}}}
		if next := refreshed(res); next.String() != c.want {
			t.Errorf("%q: %s, want %q", c.header, next, c.want)
		}
	}
}

func FuzzMetaRefresh(f *testing.F) {
	f.Add("<meta http-equiv=refresh content='0; url=/x'>")
	f.Add("<noscript></nos</noscript><meta content=.;u")
	f.Fuzz(func(_ *testing.T, page string) { metaRefresh([]byte(page)) })
}

// A refresh at once is a redirect: it is judged, counted, and not followed to another
// host for a model. A page whose target is refused, or is the page, is the answer.
func TestRefreshIsRedirect(t *testing.T) {
	var judged []string
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to, ok := strings.CutPrefix(r.URL.RequestURI(), "/to?"); ok {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<meta http-equiv=refresh content="0;url=`+to+`">`)
			return
		}
		redirector(w, r)
	}), Options{Judge: func(u weburl.URL) (weburl.URL, error) {
		judged = append(judged, u.Host())
		if u.Host() == "bad.example" {
			return u, fmt.Errorf("wrapped: %w", refusal{u.Host()})
		}
		return u, nil
	}, MaxRedirects: 2})
	for _, c2 := range []struct {
		to, final, redirect string
		mode                RedirectMode
		code                Code
	}{
		{to: "/a", final: "http://example.com/a"},
		{to: "http://other.example/a", final: "http://example.com/to?http://other.example/a", redirect: "http://other.example/a"},
		{to: "http://other.example/a", mode: Follow, final: "http://other.example/a"},
		{to: "http://bad.example/a", mode: Follow, final: "http://example.com/to?http://bad.example/a"},
		{to: "ftp://other.example/a", final: "http://example.com/to?ftp://other.example/a"},
		{to: "#part", final: "http://example.com/to?#part"},
		{to: "/to?/to?/to?/a", code: TooManyRedirects},
	} {
		judged = nil
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/to?"+c2.to), Redirects: c2.mode})
		if c2.code != "" {
			failure(t, err, c2.code)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c2.to, err)
			continue
		}
		if res.URL.String() != c2.final || res.Redirect.String() != c2.redirect || (len(res.Body) == 0) != (c2.redirect != "") {
			t.Errorf("%s: %q at %s, redirect %q", c2.to, res.Body, res.URL, res.Redirect)
		}
		if strings.HasPrefix(c2.to, "http:") && !slices.Contains(judged, parse(t, c2.to).Host()) {
			t.Errorf("%s: judged %v", c2.to, judged)
		}
	}
}
