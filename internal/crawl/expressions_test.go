package crawl

import (
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// TestExpressions: regular expressions say which pages a job reads, beside the start; what
// RE2 does not have is refused.
func TestExpressions(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"kept":         {Options{Match: []string{"^/a/[0-9]+$"}}, "/ /a/1 /a/2"},
		"dropped":      {Options{Omit: []string{"/a/", "q="}}, "/ /b"},
		"the URL":      {Options{Match: []string{`^http://site\.org/b`}, FullURL: true}, "/ /b /b?q=1"},
		"no query":     {Options{DropQuery: true, Omit: []string{"/a/"}}, "/ /b"},
		"no link":      {Options{Map: MapOnly}, "/"},
		"other sites":  {Options{External: true, Match: []string{"^/$", "^/x"}}, "/ http://else.org/x"},
		"links alone":  {Options{Map: MapSkip, Omit: []string{"^/a/", "[?]"}}, "/ /b"},
		"both and one": {Options{Match: []string{"^/a/", "^/b"}, Omit: []string{"2$"}}, "/ /a/1 /b /b?q=1"},
	} {
		s := &fakeSite{pages: map[string]string{"http://site.org/": html("Start", "A start", "/a/1", "/a/2", "/b", "/b?q=1", "http://else.org/x")}, make: func(u weburl.URL) string {
			return html(u.String(), strings.Repeat("Words of "+u.String()+" alone. ", 5))
		}}
		b := newBench(t, s)
		c.o.URLs = []string{"http://site.org/"}
		b.run(t.Context(), b.create(c.o))
		var read []string
		for _, u := range s.reads {
			read = append(read, strings.TrimPrefix(u, "http://site.org"))
		}
		slices.Sort(read)
		if got := strings.Join(slices.Compact(read), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	b := newBench(t, &fakeSite{})
	for _, x := range []string{"(?=a)", "(", strings.Repeat("a", maxExpressions+1)} {
		if _, err := b.Create(t.Context(), "local", Options{URLs: []string{"http://site.org/"}, Match: []string{x}}); err == nil || !strings.Contains(err.Error(), "regular expression") {
			t.Errorf("%.20s: %v", x, err)
		}
	}
}

// TestDuplicates: a page that is nearly another one is left out, unless the options keep it.
func TestDuplicates(t *testing.T) {
	for keep, want := range map[bool]int64{false: 2, true: 3} {
		twin := html("Twin", strings.Repeat("One text about the whales of the north. ", 9))
		b := newBench(t, &fakeSite{pages: map[string]string{home: html("Start", "A start", "/a", "/b"), home + "a": twin, home + "b": twin}})
		if out := b.run(t.Context(), b.create(Options{URLs: []string{home}, Duplicates: keep})); out.Read != want {
			t.Errorf("Duplicates=%v: %d pages, want %d", keep, out.Read, want)
		}
	}
}

// TestExtend: a batch that has ended reads URLs that are added to it; a crawl takes none.
func TestExtend(t *testing.T) {
	s := &fakeSite{make: func(u weburl.URL) string { return html(u.String(), "Words of "+u.String()) }}
	b := newBench(t, s)
	id := b.create(Options{Batch: true, URLs: []string{"http://site.org/1"}})
	if out := b.run(t.Context(), id); out.Read != 1 {
		t.Fatalf("%+v", out)
	}
	j, err := b.Prepare(t.Context(), "local", Call{Job: id, Options: Options{Batch: true, URLs: []string{"http://site.org/2", "http://other.org/3"}}})
	if err != nil || j.ID != id || j.Limits.Pages != 3 {
		t.Fatalf("%+v %v", j, err)
	}
	if out := b.run(t.Context(), id); out.Read != 3 {
		t.Errorf("%+v", out)
	}
	if _, err := b.Prepare(t.Context(), "other", Call{Job: id, Options: Options{Batch: true, URLs: []string{"http://site.org/4"}}}); err == nil {
		t.Error("another's batch was extended")
	}
	crawl := b.create(Options{URLs: []string{"http://site.org/"}})
	if _, err := b.Prepare(t.Context(), "local", Call{Job: crawl, Options: Options{Batch: true, URLs: []string{"http://site.org/4"}}}); err == nil {
		t.Error("a crawl was extended")
	}
}
