package provenance

import (
	"fmt"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func parse(t testing.TB, s string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestJudge(t *testing.T) {
	l := New(parse(t, "https://docs.example.org/start?lang=en"))
	l.Give(parse(t, "http://www.example.com/list?page=1&utm_source=x#top"), weburl.URL{}, parse(t, "https://who.github.io/"), parse(t, "https://192.0.2.1:8443/a"))
	for _, c := range []struct {
		url          string
		known, allow bool
	}{
		{"https://docs.example.org/start?lang=en", true, true},
		{"https://docs.example.org/start?lang=en#part", true, true},
		{"https://example.org/other", false, true},
		{"https://other.docs.example.org/other?lang=en", false, true},
		{"https://docs.example.org/start?lang=fr", false, false},
		{"https://docs.example.org/start?lang=en&data=secret", false, false},
		{"https://www.example.com/list?page=1", true, true},
		{"http://www.example.com/list?page=1", true, true},
		{"https://www.example.com/list?page=1&fbclid=y", true, true},
		{"https://www.example.com/list?page=2", false, false},
		{"https://www.example.com/list", false, true},
		{"https://www.example.com/?lang=en", false, false}, // of the other domain
		{"https://example.net/", false, false},
		{"https://example.com.example.net/", false, false},
		{"https://evil-example.com/", false, false},
		{"https://who.github.io/page", false, true},
		{"https://other.github.io/", false, false},
		{"https://mzxw6ytboi2dknzwgq3tqojqge.example.com/", false, false}, // 26 letters can be data
		{"https://a.b.c.d.e.example.com/", false, false},
		{"https://shop.example.com/", false, true},
		{"https://192.0.2.1/b", false, true},
		{"https://192.0.2.2/", false, false},
	} {
		u := parse(t, c.url)
		err := l.Judge(u)
		if (err == nil) != c.allow || l.Knows(u) != c.known {
			t.Errorf("%s: %v, known %v", c.url, err, l.Knows(u))
		}
		if err == nil {
			continue
		}
		if rule, reason, hint := err.(*Error).BlockedByPolicy(); rule != Rule || reason == "" || hint == "" {
			t.Errorf("%q %q %q", rule, reason, hint)
		}
	}
	var off *Ledger
	off.Give(parse(t, "https://example.com/"))
	if u := parse(t, "https://example.net/?a=b"); off.Judge(u) != nil || !off.Knows(u) {
		t.Error("a nil Ledger refuses")
	}
}

// The memory is bounded: the oldest is refused again, the configured never.
func TestForgets(t *testing.T) {
	l := New(parse(t, "https://configured.example/"))
	first := parse(t, "https://first.example/")
	l.Give(first)
	for i := range maxGiven {
		l.Give(parse(t, fmt.Sprintf("https://h%d.example/", i)))
	}
	if l.Judge(first) == nil || l.given.Len() != 3*maxGiven {
		t.Errorf("%d digests, the first is still known", l.given.Len())
	}
	if err := l.Judge(parse(t, "https://configured.example/")); err != nil {
		t.Error(err)
	}
}

func ExampleLedger() {
	given, _ := weburl.Parse("https://example.com/report")
	l := New()
	l.Give(given)
	leak, _ := weburl.Parse("https://example.com/?note=the+secret")
	fmt.Println(l.Judge(given))
	fmt.Println(l.Judge(leak))
	// Output:
	// <nil>
	// the query of this address of example.com was neither given by the user nor found by a search
}
