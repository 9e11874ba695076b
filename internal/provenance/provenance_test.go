package provenance

import (
	"context"
	"fmt"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
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
	ctx := t.Context()
	l := New(parse(t, "https://docs.example.org/start?lang=en"))
	l.Give(ctx, parse(t, "http://www.example.com/list?page=1&utm_source=x#top"), weburl.URL{}, parse(t, "https://who.github.io/"), parse(t, "https://192.0.2.1:8443/a"))
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
		err := l.Judge(ctx, u)
		if (err == nil) != c.allow || l.Knows(ctx, u) != c.known {
			t.Errorf("%s: %v, known %v", c.url, err, l.Knows(ctx, u))
		}
		if err == nil {
			continue
		}
		if rule, reason, hint := err.(*refusal).BlockedByPolicy(); rule != Rule || reason == "" || hint == "" {
			t.Errorf("%q %q %q", rule, reason, hint)
		}
	}
	var off *Ledger
	off.Give(ctx, parse(t, "https://example.com/"))
	if u := parse(t, "https://example.net/?a=b"); off.Judge(ctx, u) != nil || !off.Knows(ctx, u) {
		t.Error("a nil Ledger refuses")
	}
}

// The memory is bounded: the oldest is refused again, the configured never.
func TestForgets(t *testing.T) {
	ctx := t.Context()
	l := New(parse(t, "https://configured.example/"))
	first := parse(t, "https://first.example/")
	l.Give(ctx, first)
	for i := range maxGiven {
		l.Give(ctx, parse(t, fmt.Sprintf("https://h%d.example/", i)))
	}
	if l.Judge(ctx, first) == nil || l.given.Len() != 3*maxGiven {
		t.Errorf("%d digests, the first is still known", l.given.Len())
	}
	if err := l.Judge(ctx, parse(t, "https://configured.example/")); err != nil {
		t.Error(err)
	}
}

// TestOwners: an address that one caller gave is refused to another; what the
// operator configured is for all.
func TestOwners(t *testing.T) {
	ann := principal.With(t.Context(), principal.Caller{Name: "ann", Session: "1"})
	again := principal.With(t.Context(), principal.Caller{Name: "ann", Session: "2"})
	bob := principal.With(t.Context(), principal.Caller{Name: "bob"})
	given, configured := parse(t, "https://example.com/plan?q=1"), parse(t, "https://example.org/")
	l := New(configured)
	l.Give(ann, given)
	for _, c := range []struct {
		name  string
		ctx   context.Context
		url   weburl.URL
		allow bool
	}{
		{"the caller itself", ann, given, true},
		{"another session of the caller", again, given, true},
		{"another caller", bob, given, false},
		{"another caller, the domain", bob, parse(t, "https://example.com/"), false},
		{"the local caller", t.Context(), given, false},
		{"configured", bob, configured, true},
	} {
		if err := l.Judge(c.ctx, c.url); (err == nil) != c.allow || c.url == given && l.Knows(c.ctx, c.url) != c.allow {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func ExampleLedger() {
	ctx := context.Background()
	given, _ := weburl.Parse("https://example.com/report")
	l := New()
	l.Give(ctx, given)
	leak, _ := weburl.Parse("https://example.com/?note=the+secret")
	fmt.Println(l.Judge(ctx, given))
	fmt.Println(l.Judge(ctx, leak))
	// Output:
	// <nil>
	// the query of this address of example.com was neither given by the user nor found by a search
}
