package budget

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

func keeper(t *testing.T, session, uses string) *Keeper {
	t.Helper()
	l, err := Parse(session, uses)
	if err != nil {
		t.Fatal(err)
	}
	return New(l)
}

// reads is a call that requests pages of 400 bytes and gives 40 tokens of text.
func reads(pages int) func(context.Context) (tool.Result, error) {
	return func(ctx context.Context) (tool.Result, error) {
		for range pages {
			if err := Page(ctx); err != nil {
				return tool.Result{}, err
			}
			Bytes(ctx, 400)
		}
		return tool.Result{Text: strings.Repeat("word ", 32)}, nil
	}
}

func TestParse(t *testing.T) {
	for _, s := range []string{"calls", "calls=0", "calls=-1", "calls=x", "calls=1,calls=2", "steps=1", "bytes=5TB", "calls=5MB", "tokens=99999999999999"} {
		if _, err := Parse(s, ""); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
	l, err := Parse(" calls=200, pages=50,tokens=100000,bytes=50MB", "web_search=3")
	if err != nil || l.most != [resources]int64{200, 50, 100_000, 50_000_000} || l.uses["web_search"] != 3 {
		t.Errorf("%+v %v", l, err)
	}
	if New(Limits{}) != nil {
		t.Error("no limits should need no keeper")
	}
}

// TestSession: a session may use what its budget has, and no more; each result says what is
// left; another session has its own.
func TestSession(t *testing.T) {
	k := keeper(t, "calls=3,pages=4", "web_search=1")
	r, err := k.Call(t.Context(), "web_search", "a", reads(0))
	if err != nil || !strings.Contains(strings.Join(r.Notices, ""), "2 of 3 calls, 4 of 4 pages, 0 of 1 uses of web_search left") {
		t.Errorf("%v %q", err, r.Notices)
	}
	if _, err = k.Call(t.Context(), "web_search", "a", reads(0)); err == nil || !strings.Contains(err.Error(), "all 1 calls of web_search") {
		t.Errorf("a second search: %v", err)
	}
	r, err = k.Call(t.Context(), "web_fetch", "a", func(ctx context.Context) (tool.Result, error) {
		if n, ok := PagesLeft(ctx); n != 4 || !ok {
			t.Errorf("%d pages left", n)
		}
		r, err := k.Call(ctx, "web_search", "a", reads(3)) // a call within the call
		r.Noted = true
		return r, err
	})
	if err != nil || !strings.Contains(r.Text, "Note: The budget of this session has 1 of 3 calls, 1 of 4 pages left.") {
		t.Errorf("%v %q", err, r.Text)
	}
	_, err = k.Call(t.Context(), "web_fetch", "a", reads(2))
	if e := tool.AsError(err); e == nil || e.Type != tool.Blocked || e.Retryable || !strings.Contains(e.Message, "3 of 3 calls, 4 of 4 pages") || !strings.Contains(e.Hint, "WEB_SESSION_BUDGET") {
		t.Errorf("a page too many: %+v", e)
	}
	if _, err = k.Call(t.Context(), "web_fetch", "a", reads(0)); err == nil {
		t.Error("a call too many")
	}
	if _, err = k.Call(t.Context(), "web_fetch", "b", reads(1)); err != nil {
		t.Errorf("another session: %v", err)
	}
	k.End("a")
	if _, err = k.Call(t.Context(), "web_fetch", "a", reads(1)); err != nil {
		t.Errorf("a session that began again: %v", err)
	}
}

// TestUsed: tokens and bytes end a budget after the call that used them up. Callers without
// a session begin again after a day.
func TestUsed(t *testing.T) {
	for budget, want := range map[string]int{"tokens=50": 2, "bytes=1kB": 3} {
		k := keeper(t, budget, "")
		now := time.Now()
		k.now = func() time.Time { return now }
		n := 0
		for range 5 {
			if _, err := k.Call(t.Context(), "web_fetch", tool.Stateless, reads(1)); err == nil {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d calls", budget, n)
		}
		now = now.Add(day)
		if _, err := k.Call(t.Context(), "web_fetch", tool.Stateless, reads(1)); err != nil {
			t.Errorf("%s: a day later: %v", budget, err)
		}
	}
	var none *Keeper
	if r, err := none.Call(t.Context(), "web_fetch", "", reads(9)); err != nil || len(r.Notices) > 0 {
		t.Errorf("without a budget: %v %q", err, r.Notices)
	}
}
