package serve

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestIdlest: the principal who has the most sessions gives one up, the one that has
// been idle for longest; those in use stay, and one's own as long as they are fresh.
func TestIdlest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h held
		open := map[string]*mcp.ServerSession{}
		add := func(id, owner string) {
			h.add(id, owner)
			open[id] = new(mcp.ServerSession)
			time.Sleep(time.Second)
		}
		want := func(owner, id string) {
			t.Helper()
			if got := h.idlest(open, owner); got != id {
				t.Errorf("%s replaces %q, not %q", owner, got, id)
			}
			delete(open, id)
		}
		add("b1", "bob")
		add("a1", "ann")
		add("a2", "ann")
		add("a3", "ann")
		add("a4", "ann")
		want("ann", "") // hers are the most, and fresh
		end := h.use("a1")
		want("eve", "a2")
		want("bob", "a3")
		delete(open, "a4") // ended by itself
		want("bob", "")    // as many as ann
		time.Sleep(restTime)
		want("bob", "b1")
		want("ann", "") // a1 is in use
		end()
		want("ann", "") // until now
		time.Sleep(restTime)
		want("ann", "a1")
		want("eve", "")
		if n := h.count(); n != 4 || len(h.all) != 0 {
			t.Errorf("%d replaced, %d known", n, len(h.all))
		}
	})
}

// TestSessionsAreShared: who holds all sessions loses one to another principal, and is
// told so; nobody takes one from who has fewer.
func TestSessionsAreShared(t *testing.T) {
	o, _ := fixture(t)
	o.MaxSessions, o.Tokens = 3, tokensOf(t, "ann=ann", "bob=bob")
	url, server := serveHTTP(t, o)
	as := func(name string) []string { return []string{"Authorization", "Bearer " + name} }
	var sessions []string
	for range 3 {
		status, header, body := post(t, url, initializeBody, as("ann")...)
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		sessions = append(sessions, header.Get(sessionHeader))
	}
	if status, _, body := post(t, url, initializeBody, as("ann")...); status != http.StatusServiceUnavailable {
		t.Errorf("a fourth of one principal: %d %s", status, body)
	}
	if status, _, body := post(t, url, initializeBody, as("bob")...); status != http.StatusOK {
		t.Errorf("the first of another: %d %s", status, body)
	}
	const list = `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`
	for i, want := range []int{http.StatusNotFound, http.StatusOK, http.StatusOK} {
		if status, _, body := post(t, url, list, append(as("ann"), sessionHeader, sessions[i])...); status != want {
			t.Errorf("session %d: %d %s", i, status, body)
		}
	}
	if status, _, body := post(t, url, initializeBody, as("ann")...); status != http.StatusServiceUnavailable {
		t.Errorf("a third, from who has fewer: %d %s", status, body)
	}
	if n := server.mcp.held.count(); n != 1 || server.mcp.count() != 3 {
		t.Errorf("%d replaced, %d open", n, server.mcp.count())
	}
}
