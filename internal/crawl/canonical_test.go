package crawl

import (
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// canonicalPage is a page that names another one.
func canonicalPage(of, words string, links ...string) string {
	return strings.Replace(html("Title", words, links...), "<head>", `<head><link rel="canonical" href="`+of+`">`, 1)
}

// TestCanonical: a page that names another one counts as that one where their texts are
// nearly the same, in whatever order the two are found, and nowhere else.
func TestCanonical(t *testing.T) {
	const same, other = "one text about the whales of the north", "quite different words about ships and their cargo in harbours"
	for name, c := range map[string]struct {
		pages  map[string]string // by path
		robots string
		errors map[string]*tool.Error
		moved  map[string]string
		reads  []string // in their order
		pagesW []string // recorded
		near   int64
	}{
		"named after": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a?sort=up", "/b"), "a?sort=up": canonicalPage("/a", same), "a": canonicalPage("/a", same), "b": html("B", other)},
			reads:  []string{"", "a?sort=up", "a", "b", "a?sort=up"},
			pagesW: []string{"", "a", "b"}, near: 1,
		},
		"read before": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a", "/a?sort=up"), "a?sort=up": canonicalPage("/a", same), "a": canonicalPage("/a", same)},
			reads:  []string{"", "a", "a?sort=up"},
			pagesW: []string{"", "a"}, near: 1,
		},
		"the start names another page": {
			pages:  map[string]string{"": canonicalPage("/index", same), "index": canonicalPage("/index", same)},
			reads:  []string{"", "index", ""},
			pagesW: []string{"index"}, near: 1,
		},
		"a chain": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a"), "a": canonicalPage("/b", same), "b": canonicalPage("/c", same), "c": canonicalPage("/c", same)},
			reads:  []string{"", "a", "b", "c", "a", "b"},
			pagesW: []string{"", "c"}, near: 2,
		},
		"a loop": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a"), "a": canonicalPage("/b", same), "b": canonicalPage("/a", same)},
			reads:  []string{"", "a", "b", "a", "b"},
			pagesW: []string{"", "a"}, near: 1,
		},
		"a redirect that names the address it comes from": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a"), "b": canonicalPage("/a", same)},
			moved:  map[string]string{"a": "b"},
			reads:  []string{"", "a"},
			pagesW: []string{"", "b"},
		},
		"the named page leads back": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a"), "a": canonicalPage("/b", same)},
			moved:  map[string]string{"b": "a"},
			reads:  []string{"", "a", "b"},
			pagesW: []string{"", "a"},
		},
		"every page names the home page": {
			pages:  map[string]string{"": canonicalPage("/", "the home page of all", "/a", "/b"), "a": canonicalPage("/", same), "b": canonicalPage("/", other)},
			reads:  []string{"", "a", "b"},
			pagesW: []string{"", "a", "b"},
		},
		"a page of a list names the first": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/list?page=2"), "list?page=2": canonicalPage("/list", other), "list": canonicalPage("/list", same)},
			reads:  []string{"", "list?page=2", "list", "list?page=2"},
			pagesW: []string{"", "list", "list?page=2"},
		},
		"the named page is missing": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a", "/b"), "a": canonicalPage("/gone", same), "b": canonicalPage("/gone", other)},
			reads:  []string{"", "a", "gone", "b", "a"},
			pagesW: []string{"", "a", "b", "gone"},
		},
		"robots.txt refuses the named page": {
			pages:  map[string]string{"": html("Home", "the home page of all", "/a"), "a": canonicalPage("/private/a", same), "private/a": canonicalPage("/private/a", same)},
			robots: "User-agent: *\nDisallow: /private/\n",
			reads:  []string{"", "a"},
			pagesW: []string{"", "a"},
		},
		"other sites and nonsense": {
			pages: map[string]string{"": html("Home", "the home page of all", "/a", "/b", "/c", "/d"), "a": canonicalPage("https://other.example/a", "words of a"),
				"b": canonicalPage("javascript:alert(1)", "sentences that only b has"), "c": canonicalPage("https://site.example:8443/c", "text of the third page"), "d": canonicalPage("#part", "and the fourth one")},
			reads:  []string{"", "a", "b", "c", "d"},
			pagesW: []string{"", "a", "b", "c", "d"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &fakeSite{pages: map[string]string{}, moved: map[string]string{}, robots: fetch.ParseRobots([]byte(c.robots))}
			for path, html := range c.pages {
				s.pages[home+path] = html
			}
			for from, to := range c.moved {
				s.moved[home+from] = home + to
			}
			b := newBench(t, s)
			got := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
			if want := addressed(c.reads); !slices.Equal(firstAndAgain(s.reads), firstAndAgain(want)) {
				t.Errorf("read %q, want %q", s.reads, want)
			}
			var recorded []string
			for _, p := range got.Pages {
				recorded = append(recorded, p.URL)
			}
			slices.Sort(recorded)
			if want := addressed(c.pagesW); !slices.Equal(recorded, want) {
				t.Errorf("recorded %q, want %q", recorded, want)
			}
			if got.NearDuplicates != c.near || got.Left != 0 || got.Stopped != stopFinished {
				t.Errorf("%d near-duplicates, want %d: %+v", got.NearDuplicates, c.near, got)
			}
		})
	}
}

// firstAndAgain are the URLs in the order in which they are read first, then those that are read
// again: pages that wait for the same moment have no order.
func firstAndAgain(urls []string) []string {
	var first, again []string
	for _, u := range urls {
		if slices.Contains(first, u) {
			again = append(again, u)
		} else {
			first = append(first, u)
		}
	}
	slices.Sort(again)
	return append(first, again...)
}

func addressed(paths []string) (out []string) {
	for _, p := range paths {
		out = append(out, home+p)
	}
	return out
}

// TestCanonicalResumed: what waits when a run ends is read by the next one.
func TestCanonicalResumed(t *testing.T) {
	const same = "one text about the whales of the north"
	s := &fakeSite{pages: map[string]string{home: canonicalPage("/index", same), home + "index": canonicalPage("/index", same)}}
	b := newBench(t, s)
	id := b.create(Options{URLs: []string{home}, MaxPages: 1})
	c := b.run(t.Context(), id)
	if c.Read != 1 || c.Left != 1 || c.Pages[0].URL != home+"index" || c.Stopped != stopPageLimit {
		t.Fatalf("%+v", c)
	}
	c, err := b.Call(t.Context(), "local", Call{Job: id, Options: Options{MaxPages: 1}, Tokens: 100})
	if err != nil || c.Read != 1 || c.Left != 0 || c.NearDuplicates != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
