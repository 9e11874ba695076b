package toolset_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestBrowserTools goes through a page with the tools alone, as a model does.
func TestBrowserTools(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	client, url := browserClient(t, spyhop.Config{AuditLog: audit})
	call := func(name, args string) tool.Result {
		t.Helper()
		r, err := client.Call(t.Context(), name, json.RawMessage(strings.ReplaceAll(args, "URL", url)), tool.Options{Caller: "test", Given: true})
		if errors.As(err, new(*tool.Error)) && strings.Contains(err.Error(), "no browser is installed") {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return r
	}
	r := call("navigate_to_url", `{"url":"URL"}`)
	if !strings.Contains(r.Text, `title "Shop"; tab t1`) {
		t.Error(r.Text)
	}
	r = call("browser_snapshot", `{}`)
	if !regexp.MustCompile(`(?s)<untrusted text \d+>\n.*\[Amount=1\]\(t1\)\[Buy\]\(b1\)\n.*\n</\d+>`).MatchString(r.Text) {
		t.Error(r.Text)
	}
	data, err := json.Marshal(r.Data)
	if want := `"url":"` + url + `/","title":"Shop"`; err != nil || !strings.Contains(string(data), want) || !strings.Contains(string(data), `"content":"\u003cmain\u003e\n# Shop`) {
		t.Errorf("%s %v", data, err)
	}
	call("browser_type", `{"ref":"t1","text":"3"}`)
	if r = call("browser_click", `{"ref":"b1"}`); !strings.Contains(r.Text, "+ bought 3") {
		t.Error(r.Text)
	}
	if r = call("browser_find", `{"query":"bought"}`); !strings.Contains(r.Text, "found in 2 lines") {
		t.Error(r.Text)
	}
	r = call("extract_page_content", `{}`)
	if data, err = json.Marshal(r.Data); err != nil || !strings.Contains(string(data), `"extraction_method":"`) || !strings.Contains(string(data), "bought 3") {
		t.Errorf("%s %v", data, err)
	}
	if r = call("take_web_screenshot", `{"marks":"true"}`); len(r.Pictures) != 1 || r.Pictures[0].MediaType != "image/png" {
		t.Error(r.Text)
	}
	if r = call("browser_tabs", `{"action":"new","url":"URL/other"}`); !strings.Contains(r.Text, "* t2 ") {
		t.Error(r.Text)
	}
	if r = call("browser_snapshot", `{"tab":"t1"}`); !strings.Contains(r.Text, "bought 3") {
		t.Error(r.Text)
	}
	call("navigate_to_url", `{"url":"URL","context":"mine"}`)
	if r = call("browser_snapshot", `{}`); strings.Contains(r.Text, "bought 3") || !strings.Contains(r.Text, "context mine") {
		t.Error("a context sees the page of another", r.Text)
	}
	call("close_browser", `{}`)
	log, err := os.ReadFile(audit)
	if want := `"tool":"navigate_to_url","caller":"test","owner":"local","url":"` + url + `/","final_url":"` + url + `/","decision":"allow","status":200`; err != nil || !strings.Contains(string(log), want) {
		t.Errorf("want %s in the audit log:\n%s %v", want, log, err)
	}
}

// TestBrowserState: what one context is signed in by is saved under a name, and
// another is signed in by it; no value of it is in what anybody is shown.
func TestBrowserState(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	dir := t.TempDir()
	client, url := browserClient(t, spyhop.Config{AuditLog: audit, SessionKey: filepath.Join(dir, "key")})
	var shown strings.Builder
	call := func(name, args string) (string, *tool.Error) {
		t.Helper()
		r, err := client.Call(t.Context(), name, json.RawMessage(strings.ReplaceAll(args, "URL", url)), tool.Options{Caller: "test", Given: true})
		data, bad := json.Marshal(r.Data)
		if bad != nil {
			t.Fatal(bad)
		}
		fmt.Fprintln(&shown, r.Text, string(data), r.Notices, err)
		var te *tool.Error
		if errors.As(err, &te) && te.Type == tool.BrowserMissing {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		return r.Text, te
	}
	must := func(name, args, want string) {
		t.Helper()
		if text, err := call(name, args); err != nil || !strings.Contains(text, want) {
			t.Fatalf("%s %s: %v %s", name, args, err, text)
		}
	}
	must("navigate_to_url", `{"url":"URL/account"}`, "")
	must("browser_snapshot", `{}`, "please sign in; nothing stored")
	must("navigate_to_url", `{"url":"URL/login"}`, "")
	must("browser_state", `{"action":"save","name":"shop"}`, `state "shop" is saved`)
	must("close_browser", `{}`, "")
	must("browser_state", `{"action":"restore","name":"shop","context":"other"}`, `state "shop" is restored; pages that are open see it when they load again; context other`)
	must("navigate_to_url", `{"url":"URL/account","context":"other"}`, "")
	must("browser_snapshot", `{"context":"other"}`, "signed in; stored")
	must("browser_cookies", `{"context":"other"}`, "sid; 127.0.0.1/")
	must("navigate_to_url", `{"url":"URL/account","context":"third"}`, "")
	must("browser_snapshot", `{"context":"third"}`, "please sign in; nothing stored")
	for args, want := range map[string]string{
		`{"action":"restore","name":"none"}`:   `no state "none" is saved`,
		`{"action":"restore","name":"../key"}`: `"../key" cannot be the name of a state`,
		`{"action":"save","name":""}`:          "cannot be the name of a state",
		`{"action":"drop","name":"shop"}`:      "drop",
		`{"action":"save"}`:                    "name",
	} {
		if _, err := call("browser_state", args); err == nil || err.Type != tool.InvalidInput || err.Hint == "" || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte(strings.Repeat("k", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := call("browser_state", `{"action":"restore","name":"shop"}`); err == nil || err.Type != tool.InvalidInput || !strings.Contains(err.Message, "does not open with the present key") || !strings.Contains(err.Hint, "Config.SessionKey") {
		t.Errorf("another key: %v", err)
	}
	log, err := os.ReadFile(audit)
	if err != nil || !strings.Contains(string(log), `"tool":"browser_state"`) {
		t.Error(err)
	}
	if all := shown.String() + string(log); strings.Contains(all, "canary") {
		t.Errorf("a value is shown:\n%s", all)
	}
}

// TestBrowserMissing: without a browser its tools say how to get one, and what
// can be read without it is.
func TestBrowserMissing(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{Browser: filepath.Join(t.TempDir(), "none")})
	_, err := client.Call(t.Context(), "browser_snapshot", nil, tool.Options{})
	var te *tool.Error
	if !errors.As(err, &te) || te.Type != tool.BrowserMissing || te.Hint == "" {
		t.Errorf("%v", err)
	}
	r, err := client.Call(t.Context(), "extract_page_content", json.RawMessage(`{"url":"`+url+`"}`), tool.Options{Given: true})
	if err != nil || !strings.Contains(r.Text, "read by HTTP") || !strings.Contains(r.Text, "All that can be bought") {
		t.Error(r.Text, err)
	}
}

// TestInteractiveTools: what the operator does not allow is not there.
func TestInteractiveTools(t *testing.T) {
	for _, c := range []struct {
		config  spyhop.Config
		name    string
		offered bool
	}{
		{spyhop.Config{}, "browser_state", true}, {spyhop.Config{DenyInteractive: true}, "browser_state", false},
		{spyhop.Config{}, "browser_click", true}, {spyhop.Config{DenyInteractive: true}, "browser_click", false},
		{spyhop.Config{DenyInteractive: true}, "browser_snapshot", true},
		{spyhop.Config{}, "browser_evaluate", false}, {spyhop.Config{AllowScript: true}, "browser_evaluate", true},
		{spyhop.Config{AllowScript: true, DenyInteractive: true}, "browser_evaluate", false},
	} {
		client, err := spyhop.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := client.Catalog().Lookup(c.name); ok != c.offered {
			t.Errorf("%s: %v with %+v", c.name, ok, c.config)
		}
		_ = client.Close()
	}
}

func browserClient(t *testing.T, c spyhop.Config) (*spyhop.Client, string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "canary-sid", Path: "/", HttpOnly: true})
			fmt.Fprint(w, `<!doctype html><title>In</title><p>welcome<script>localStorage.setItem('token', 'canary-token')</script>`)
			return
		case "/controls":
			fmt.Fprint(w, `<!doctype html><title>Controls</title><label><input type=checkbox id=agree> Agree</label> <label>Name <input id=n></label>
				<select aria-label=One><option>one<option>two</select> <select aria-label=Many multiple id=many><option>a<option>b<option>c</select>
				<button onclick="o.textContent = 'answered ' + prompt('how?')">Ask</button><p id=o>-</p><script>console.log('said'); console.error('wrong')</script>`)
			return
		case "/delete":
			fmt.Fprint(w, `<!doctype html><title>Delete</title><p id=o>-</p><script>o.textContent = confirm('Delete all?') ? 'deleted' : 'kept'</script>`)
			return
		case "/account":
			state := "please sign in"
			if c, err := r.Cookie("sid"); err == nil && c.Value == "canary-sid" {
				state = "signed in"
			}
			fmt.Fprintf(w, `<!doctype html><title>Account</title><p id=o>%s</p><script>o.textContent += localStorage.getItem('token') === 'canary-token' ? '; stored' : '; nothing stored'</script>`, state)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Shop</title><main><h1>Shop</h1><p>All that can be bought here is sold by the piece, and it is sent within a day.</p>
			<input id=n aria-label=Amount value=1> <button onclick="o.textContent = 'bought ' + n.value">Buy</button><p id=o>-</p></main>`))
	}))
	t.Cleanup(s.Close)
	c.AllowPrivate, c.DataDir = []string{strings.TrimPrefix(s.URL, "http://")}, t.TempDir()
	client, err := spyhop.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client, s.URL
}

// TestAcceptIsInteractive: where acting on pages is not allowed, a question of a
// page can be dismissed and not accepted.
func TestAcceptIsInteractive(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{DenyInteractive: true})
	call := func(name, args string) (string, error) {
		r, err := client.Call(t.Context(), name, json.RawMessage(args), tool.Options{Given: true})
		return r.Text, err
	}
	if _, err := call("navigate_to_url", `{"url":"`+url+`/delete"}`); err != nil {
		if tool.AsError(err).Type == tool.BrowserMissing {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	var te *tool.Error
	if _, err := call("browser_dialog", `{"accept":true}`); !errors.As(err, &te) || te.Type != tool.Blocked || !strings.Contains(te.Hint, "accept=false") {
		t.Errorf("accepting: %v", err)
	}
	if _, err := call("browser_dialog", `{"accept":false}`); err != nil {
		t.Errorf("dismissing: %v", err)
	}
	if text, err := call("browser_snapshot", `{}`); err != nil || !strings.Contains(text, "kept") {
		t.Errorf("dismissed: %v %s", err, text)
	}
}
