package principal

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		ctx  context.Context
		want Caller
	}{
		{"no caller", t.Context(), Caller{Name: Local}},
		{"the zero caller", With(t.Context(), Caller{}), Caller{Name: Local}},
		{"a token in a session", With(t.Context(), Caller{Name: "research", Session: "s"}), Caller{Name: "research", Session: "s"}},
		{"the inner one", With(With(t.Context(), Caller{Name: "a"}), Caller{Name: "b"}), Caller{Name: "b"}},
		{"a context of it", context.WithoutCancel(With(t.Context(), Caller{Name: "a"})), Caller{Name: "a"}},
	} {
		if got := Of(c.ctx); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	hash := func(s string) [32]byte { return sha256.Sum256([]byte(s)) }
	one, two := Token{Name: "one", SHA256: hash("t1"), Quota: Quota{MaxCalls: 3}}, Token{Name: "two", SHA256: hash("t2")}
	tokens, err := NewTokens(one, two)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ token, want string }{{"t1", "one"}, {"t2", "two"}, {"t3", ""}, {"", ""}, {"T1", ""}, {"t1 ", ""}} {
		got, ok := tokens.Find(c.token)
		if ok != (c.want != "") || got.Name != c.want {
			t.Errorf("%q: %v %+v", c.token, ok, got)
		}
	}
	if tokens.Quota("one").MaxCalls != 3 || tokens.Quota("two") != (Quota{}) || tokens.Quota("three") != (Quota{}) || tokens.Len() != 2 {
		t.Error("quotas")
	}
	var none *Tokens
	if _, ok := none.Find("t1"); ok || none.Len() != 0 || none.Quota("one") != (Quota{}) {
		t.Error("no tokens")
	}
	for want, all := range map[string][]Token{
		"two tokens with the name": {one, {Name: "one", SHA256: hash("x")}},
		"have the same token":      {one, {Name: "other", SHA256: hash("t1")}},
		"reserved":                 {{Name: Local, SHA256: hash("x")}},
		"are reserved":             {{Name: Anonymous, SHA256: hash("x")}},
		"cannot be the name":       {{Name: "A b", SHA256: hash("x")}},
		`"" cannot be`:             {{SHA256: hash("x")}},
		"is empty":                 {{Name: "a", SHA256: hash("")}},
		`"b" is empty`:             {{Name: "b"}},
		"a negative quota":         {{Name: "a", SHA256: hash("x"), Quota: Quota{Weight: -1}}},
		"at most 1000 are allowed": make([]Token, maxTokens+1),
	} {
		if _, err := NewTokens(all...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestMeter(t *testing.T) {
	var m Meter
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	begin := func(name string, q Quota) (func(), error) { return m.Begin(name, q, now) }

	q := Quota{MaxCalls: 2}
	first, err := begin("a", q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin("a", q); err != nil {
		t.Error(err)
	}
	var e *Exceeded
	if _, err := begin("a", q); !errors.As(err, &e) || e.Reason != "2 calls at a time" || e.After <= 0 {
		t.Errorf("%v", err)
	}
	if _, err := begin("b", q); err != nil {
		t.Errorf("another caller: %v", err)
	}
	first()
	first() // has no effect
	if n := m.Running("a"); n != 1 {
		t.Errorf("%d running", n)
	}
	if _, err := begin("a", q); err != nil {
		t.Error(err)
	}
	if _, err := begin("a", q); err == nil {
		t.Error("a call that ended twice made room for two")
	}

	q = Quota{CallsPerMinute: 3}
	count := func() (n int) {
		for {
			if _, err := begin("r", q); err != nil {
				e = nil
				if !errors.As(err, &e) || e.Reason != "3 calls a minute" {
					t.Error(err)
				}
				return n
			}
			n++
		}
	}
	if n := count(); n != 3 || e.After != 20*time.Second {
		t.Errorf("%d at once, next after %v", n, e.After)
	}
	now = now.Add(19 * time.Second)
	if n := count(); n != 0 || e.After != time.Second {
		t.Errorf("%d, next after %v", n, e.After)
	}
	now = now.Add(time.Second)
	if n := count(); n != 1 {
		t.Errorf("%d after a third of a minute", n)
	}
	now = now.Add(time.Hour)
	if n := count(); n != 3 {
		t.Errorf("%d after an hour", n)
	}
	for range 100 {
		if _, err := begin("free", Quota{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A guest has the data of local, and the keys and files of nobody in particular.
func TestGuest(t *testing.T) {
	guest, local := Caller{Name: Local, Guest: true}, Caller{Name: Local}
	if guest.Principal() != Local || guest.Keys() != Anonymous || local.Keys() != Local || (Caller{Name: "ann"}).Keys() != "ann" {
		t.Errorf("%q %q", guest.Principal(), guest.Keys())
	}
	if guest.Mark() == local.Mark() || guest.Mark() != (Caller{Name: Anonymous}).Mark() {
		t.Errorf("marks %s %s", guest.Mark(), local.Mark())
	}
}
