package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// person answers questions, and keeps them.
type person struct {
	yes   bool
	err   error
	asked []string
}

func (p *person) Confirm(_ context.Context, question string) (bool, error) {
	p.asked = append(p.asked, question)
	return p.yes, p.err
}

// TestConsent: what was saved for the caller is used only when a person agrees, where
// the client can ask one.
func TestConsent(t *testing.T) {
	var used atomic.Int32 // several addresses are read at a time
	r := reader.New(reader.Options{
		Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/plain", Body: []byte("for members")}, nil
		},
		Login: func(_ context.Context, site string, _ weburl.URL) (*fetch.Login, error) {
			used.Add(1)
			return fetch.NewLogin(site, nil), nil
		},
	})
	guard, err := egress.New(egress.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := browser.New(browser.Options{Guard: guard, Path: "/nowhere/chromium"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c := tool.NewCatalog()
	if err := Register(c, Options{Reader: r, Browser: b, Sessions: session.New(session.Options{Dir: t.TempDir()})}); err != nil {
		t.Fatal(err)
	}
	const restore = `{"action":"restore","name":"shop"}`
	for _, c2 := range []struct {
		name, tool, args string
		person           *person
		asked            string // part of the question; "" means that none is asked
		used             int32
		err              string // of the error; "" means success
	}{
		{"login, agreed", "web_fetch", `{"url":"https://example.com/a","login":"example.com"}`, &person{yes: true}, "read https://example.com/a with the saved login of example.com?", 1, ""},
		{"login, refused", "web_fetch", `{"url":"https://example.com/a","login":"example.com"}`, &person{}, "the saved login", 0, "did not agree"},
		{"login, no answer", "web_fetch", `{"url":"https://example.com/a","login":"example.com"}`, &person{err: errors.New("gone")}, "the saved login", 0, "internal error"},
		{"logins of several", "web_fetch", `{"urls":["https://example.com/a","https://example.com/b"],"login":"example.com"}`, &person{yes: true}, "https://example.com/a and 1 more", 2, ""},
		{"login, nobody to ask", "web_fetch", `{"url":"https://example.com/a","login":"example.com"}`, nil, "", 1, ""},
		{"no login", "web_fetch", `{"url":"https://example.com/a"}`, &person{}, "", 0, ""},
		{"restore, refused", "browser_state", restore, &person{}, `restore the browser state "shop"`, 0, "did not agree"},
		{"restore, agreed", "browser_state", restore, &person{yes: true}, `restore the browser state "shop"`, 0, `no state "shop" is saved`},
		{"restore, nobody to ask", "browser_state", restore, nil, "", 0, `no state "shop" is saved`},
		{"save", "browser_state", `{"action":"save","name":"shop"}`, &person{}, "", 0, "browser"},
	} {
		used.Store(0)
		o := tool.Options{}
		if c2.person != nil {
			o.Person = c2.person
		}
		_, err := c.Call(t.Context(), c2.tool, json.RawMessage(c2.args), o)
		var asked []string
		if c2.person != nil {
			asked = c2.person.asked
		}
		switch {
		case (err == nil) != (c2.err == "") || err != nil && !strings.Contains(strings.ToLower(err.Error()), c2.err):
			t.Errorf("%s: %v", c2.name, err)
		case (len(asked) == 1) != (c2.asked != "") || len(asked) > 1 || len(asked) == 1 && !strings.Contains(asked[0], c2.asked):
			t.Errorf("%s: asked %q", c2.name, asked)
		case used.Load() != c2.used:
			t.Errorf("%s: the login was used %d times", c2.name, used.Load())
		}
	}
}
