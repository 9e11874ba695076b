package dom

import (
	"reflect"

	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Links carry no tracking parameters, so that one page is one link. Addresses of
// pictures stay as they are.
func TestLinksWithoutTracking(t *testing.T) {
	doc, err := Parse([]byte(`<p><a href="/a?utm_source=x&id=1">One</a> <a href="/a?id=1&fbclid=2#top">again</a> <a href="https://example.org/?ref=here">Two</a>`), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := NewResolver("https://example.com/", "", doc)
	want := []page.Link{{URL: "https://example.com/a?id=1", Text: "One", Count: 2}, {URL: "https://example.org/", Text: "Two", Count: 1}}
	if got := ReadLinks(doc, r); !reflect.DeepEqual(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	const ref = "/a?utm_source=x&id=1"
	link, _ := r.Linkable(ref)
	picture, _ := r.Picture(ref)
	if link != "https://example.com/a?id=1" || picture != "https://example.com/a?utm_source=x&id=1" {
		t.Errorf("link %s, picture %s", link, picture)
	}
}

// TestRelative: without an address of the document, relative references stay as they are
// and are counted; what could become something else when a program resolves it is dropped.
func TestRelative(t *testing.T) {
	doc, err := Parse([]byte("<p>x"), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := NewResolver("", "", doc)
	for ref, want := range map[string]string{"/b.html?x=1": "/b.html?x=1", "#top": "#top", "https://example.org/": "https://example.org/",
		"//example.org/": "", "javascript:go()": "", "/a b": "", "\\\\host": "", "/\tx": ""} {
		if got, _ := r.Linkable(ref); got != want {
			t.Errorf("%q is %q, want %q", ref, got, want)
		}
	}
	if n := r.Relative(); n != 2 {
		t.Errorf("%d are counted, want 2", n)
	}
}

// The first <base> with an href counts, wherever it is, and the query of a link is in the
// encoding of its page.
func TestLinkBase(t *testing.T) {
	for markup, want := range map[string]string{
		`<a href="x?q=ä">`: "https://example.com/dir/x?q=%E4",
		`<base target=_top><base href="/b/"><base href="/c/"><a href=x>`: "https://example.com/b/x",
		`<base href=""><base href="/b/"><a href=x>`:                      "https://example.com/b/x",
		`<body><p>text<base href="/b/"><a href=x>`:                       "https://example.com/b/x",
		`<base href="data:x"><base href="/b/"><a href=x>`:                "https://example.com/dir/x",
	} {
		doc, err := Parse([]byte(markup+"a</a>"), &page.Page{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ReadLinks(doc, NewResolver("https://example.com/dir/", "windows-1252", doc))
		if len(got) != 1 || got[0].URL != want {
			t.Errorf("%s: %v, want %s", markup, got, want)
		}
	}
}
