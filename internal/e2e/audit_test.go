package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Every call is heard of once, by its own name and that of its caller; what it
// must not tell it does not tell.
func TestAudit(t *testing.T) {
	const canary = "c4n4ry-s3cr3t"
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	client, url := site(t, spyhop.Config{AuditLog: path, Secrets: []string{canary}, NegativeTTL: spyhop.Off, CacheTTL: spyhop.Off})
	feed, end := client.Audit().Subscribe(100)
	ctx := context.Background()

	_, _ = client.Fetch(ctx, spyhop.FetchRequest{URL: url + "/page?api_key=" + canary, Bearer: canary, Cookie: "a=" + canary, Header: map[string]string{"X-Key": canary}})
	_, _ = client.Fetch(ctx, spyhop.FetchRequest{URL: url + "/inside"})
	_, _ = client.Fetch(ctx, spyhop.FetchRequest{URL: "https://user:" + canary + "@example.com/"})
	_, _ = client.Fetch(ctx, spyhop.FetchRequest{URL: "%" + canary})
	client.Browse(ctx, url+"/missing")
	_, _ = client.Call(ctx, "web_fetch", json.RawMessage(`{"url":"`+url+`/page"}`), spyhop.CallOptions{Caller: "mcp"})
	_, _ = client.Catalog().Call(ctx, "web_fetch", json.RawMessage(`{}`), tool.Options{Caller: "rest"})
	client.Close()
	end()

	type line struct{ tool, caller, decision, rule, err string }
	want := []line{
		{"fetch", "library", "allow", "", ""},
		{"fetch", "library", "block", "metadata", "Blocked"},
		{"fetch", "library", "block", "userinfo", "Blocked"},
		{"fetch", "library", "", "", "InvalidURL"},
		{"web_browse", "library", "allow", "", "HTTPError"},
		{"web_fetch", "mcp", "allow", "", ""},
		{"web_fetch", "rest", "", "", "InvalidInput"},
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []line
	for text := range strings.Lines(string(b)) {
		var e result.Event
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		got = append(got, line{e.Tool, e.Caller, e.Decision, e.Rule, e.Error})
		if e.Time.IsZero() || e.Milliseconds < 0 {
			t.Errorf("%s", text)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines:\n%s", len(got), b)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	seen, verdicts := string(b), 0
	for e := range feed {
		j, _ := json.Marshal(e)
		seen += string(j)
		if e.Kind == "verdict" {
			verdicts++
		}
	}
	if strings.Contains(seen, canary) {
		t.Errorf("the canary is in\n%s", seen)
	}
	var calls uint64
	for _, h := range client.Audit().Metrics().Seconds {
		calls += h.Count
	}
	// Four pages and a redirect were allowed; two addresses refused.
	if m := client.Audit().Metrics(); m.Allowed != 4 || m.Blocked != 2 || m.Rules["metadata"] != 1 || verdicts != 6 || m.Calls["fetch"] != 4 || m.Errors["Blocked"] != 2 || calls != 7 {
		t.Errorf("%d verdicts in the feed, %+v", verdicts, m)
	}
}

// Strict provenance: addresses from the library's caller count as given by a
// person. Addresses from a model do not, unless the surface says so.
func TestStrictProvenance(t *testing.T) {
	client, url := site(t, spyhop.Config{Provenance: "strict", Given: []string{"https://given.example.com/"}})
	ask := func(path string, given bool) *spyhop.Error {
		_, err := client.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"`+url+path+`"}`), spyhop.CallOptions{Given: given})
		var e *spyhop.Error
		errors.As(err, &e)
		return e
	}
	if e := ask("/page", false); e == nil || e.Type != tool.Blocked || !strings.Contains(e.Hint, "Config.Given") {
		t.Errorf("%+v", e)
	}
	if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/page"}); err != nil {
		t.Error(err)
	}
	if e := ask("/page", false); e != nil {
		t.Errorf("%+v", e)
	}
	// A page that was read leads to other sites, letter by letter: no.
	for _, elsewhere := range []string{"https://collect.example.net/s", "https://mzxw6ytboi2dknzwgq3tqojqge.collect.example.com/"} {
		_, err := client.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"`+elsewhere+`"}`), spyhop.CallOptions{})
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != tool.Blocked || !strings.Contains(e.Hint, "Config.Given") {
			t.Errorf("%s: %v", elsewhere, err)
		}
	}
	if e := ask("/headers?leak=1", false); e == nil || e.Type != tool.Blocked {
		t.Errorf("%+v", e)
	}
	if e := ask("/headers?leak=1", true); e != nil {
		t.Errorf("%+v", e)
	}
	// The results of a search may be read, also addresses with a query.
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"results":[{"title":"t","content":"c","url":"%s/headers?found=1"}]}`, url)
	}))
	defer engine.Close()
	searching, url := site(t, spyhop.Config{Provenance: "strict", SearchProvider: "searxng", SearxngURL: engine.URL})
	read := func() error {
		_, err := searching.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"`+url+`/headers?found=1"}`), spyhop.CallOptions{})
		return err
	}
	if err := read(); err == nil {
		t.Error("read before it was found")
	}
	if _, err := searching.Call(context.Background(), "web_search", json.RawMessage(`{"query":"q"}`), spyhop.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Error(err)
	}
	for _, c := range []spyhop.Config{{Provenance: "maybe"}, {Provenance: "strict", Given: []string{"::"}}, {AuditLog: os.DevNull}} {
		if _, err := spyhop.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}
