package e2e_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer is a client of HTTP whose requests have a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// tokens writes a file with named tokens, each with the token "token-of-NAME".
func (w *world) tokens(t *testing.T, mode os.FileMode, names ...string) string {
	t.Helper()
	file := w.tokensWith(t, 20, names...)
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// tokensWith is the file of tokens that make so many calls a minute.
func (w *world) tokensWith(t *testing.T, calls int, names ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names {
		sum := sha256.Sum256([]byte("token-of-" + name))
		fmt.Fprintf(&b, "[[token]]\nname = %q\nsha256 = %q\ncalls_per_minute = %d\n\n", name, hex.EncodeToString(sum[:]), calls)
	}
	file := filepath.Join(w.home, "tokens.toml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestOwners: callers with tokens of their own see nothing of each other, nor of the
// command on the same folder; a caller beyond its quota is told so.
func TestOwners(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{
		"notes.example.com": serves("text/html", article("Notes", "<p>The harbour notes of this week are for whoever has the link.</p>"+story(4))),
	})
	const page = "https://notes.example.com/week"
	if r := w.runAs("shared", "", "fetch", page); r.exit != 0 {
		t.Fatal(r)
	}
	url := w.httpServer(t, "shared", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann", "bob", "eve"), "WEB_SERVE_TOKEN=token-of-default")
	post := func(name, args string) (int, string) {
		t.Helper()
		r, err := http.NewRequest("POST", url+"/v1/tools/web_fetch", strings.NewReader(args))
		if err != nil {
			t.Fatal(err)
		}
		res, err := bearer("token-of-" + name).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	connect := func(name, era string) *mcp.ClientSession {
		t.Helper()
		s, err := w.connect(&mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearer("token-of-" + name)}}, era)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if status, body := post("nobody", `{"url":"`+page+`"}`); status != 401 {
		t.Errorf("a wrong token: %d %s", status, body)
	}
	// The page is cached for all, but nobody has a version to compare with yet.
	for _, name := range []string{"ann", "bob", "default"} {
		status, body := post(name, `{"url":"`+page+`","since":"last"}`)
		if status != 200 || !strings.Contains(body, "No earlier version of this page is stored") || !strings.Contains(body, `"cached":true`) && !strings.Contains(body, `"cached": true`) {
			t.Errorf("%s, first: %d %s", name, status, body)
		}
		if status, body := post(name, `{"url":"`+page+`","since":"last"}`); status != 200 || !strings.Contains(body, "not modified since version") {
			t.Errorf("%s, second: %d %s", name, status, body)
		}
	}
	ann, bob := connect("ann", withSession), connect("bob", withSession)
	version := versionOf(t, ann, page+"?own=ann")
	if _, uris := listed(t, ann); !slices.Equal(uris, []string{versionURI + version}) {
		t.Errorf("ann sees %q", uris)
	}
	if _, uris := listed(t, connect("eve", withoutSession)); len(uris) > 0 {
		t.Errorf("eve sees %q", uris)
	}
	other := versionOf(t, bob, "https://arrived.example.org/page")
	for who, c := range map[string]struct {
		s       *mcp.ClientSession
		version string
		found   bool
	}{
		"ann, her own":                  {ann, version, true},
		"ann, in another session":       {connect("ann", withSession), version, true},
		"bob, his own":                  {bob, other, true},
		"ann, what only bob has read":   {ann, other, false},
		"eve, what ann and bob read":    {connect("eve", withSession), version, false},
		"stateless eve, what bob read":  {connect("eve", withoutSession), other, false},
		"stateless bob, what bob read":  {connect("bob", withoutSession), other, true},
		"default, what only bob's read": {connect("default", withSession), other, false},
	} {
		_, err := c.s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: versionURI + c.version})
		if (err == nil) != c.found || err != nil && !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v", who, err)
		}
	}
	for range 30 {
		if status, body := post("eve", `{"url":"`+page+`"}`); status != 200 {
			if status != 429 || !strings.Contains(body, `"error_type":"Busy"`) || !strings.Contains(body, `"retry_possible":true`) {
				t.Errorf("%d %s", status, body)
			}
			break
		}
	}
	if status, body := post("eve", `{"url":"`+page+`"}`); status != 429 {
		t.Errorf("31 calls of a caller with 20 a minute: %d %s", status, body)
	}
	if status, body := post("default", `{"url":"`+page+`"}`); status != 200 {
		t.Errorf("another caller: %d %s", status, body)
	}
}

// TestTrusted: the start is refused, with the reason and the fix, where another user
// could have written the file or the folder.
func TestTrusted(t *testing.T) {
	w := newWorld(t, nil)
	foreign := filepath.Join(w.home, "shared")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, setting, want string
	}{
		{"a file of tokens that others read", "WEB_SERVE_TOKENS=" + w.tokens(t, 0o644, "ann"), "run chmod 600"},
		{"no file of tokens", "WEB_SERVE_TOKENS=" + w.home + "/none.toml", "WEB_SERVE_TOKENS cannot be used"},
		{"a folder that others write", "WEB_DATA_DIR=" + foreign, "other users can put files into it: run chmod 700"},
	} {
		command := w.command(context.Background(), "trusted", "serve", "--listen", "127.0.0.1:0")
		command.Env = append(command.Env, c.setting)
		out, err := command.CombinedOutput()
		if err == nil || command.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v %s", c.name, err, out)
		}
	}
	// Without a home folder nothing is kept, least of all where others can write.
	command := w.command(context.Background(), "homeless", "fetch", "https://arrived.example.org/page")
	command.Env = append(command.Env, "HOME=", "WEB_DATA_DIR=", "XDG_CACHE_HOME=", "TMPDIR="+foreign)
	if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "nothing is kept, because there is no home folder") {
		t.Errorf("%v %s", err, out)
	}
	if left, err := os.ReadDir(foreign); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}
