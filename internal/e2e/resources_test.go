package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/result"
)

// server is an MCP server on the data folder of a part, with its own settings.
func (w *world) server(t *testing.T, surface, part string, settings ...string) *mcp.ClientSession {
	t.Helper()
	var by mcp.Transport
	era := withSession
	if surface == byStdio {
		c := w.command(context.Background(), part, "mcp")
		c.Env = append(c.Env, settings...)
		by = &mcp.CommandTransport{Command: c, TerminateDuration: 20 * time.Second}
	} else {
		by = &mcp.StreamableClientTransport{Endpoint: w.httpServer(t, part, settings...) + "/mcp"}
	}
	if surface == bySingle {
		era = withoutSession
	}
	s, err := w.connect(by, era)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) httpServer(t *testing.T, part string, settings ...string) string {
	t.Helper()
	c := w.command(context.Background(), part, "serve", "--listen", "127.0.0.1:0", "--tools", "all")
	c.Env = append(c.Env, settings...)
	url, err := start(t, c)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// versionOf has a session read a page and returns its version.
func versionOf(t *testing.T, s *mcp.ClientSession, url string) string {
	t.Helper()
	o, err := calledOver(s, nil, request{"web_fetch", map[string]any{"url": url, "mode": "json"}})
	if err != nil || o.failure != nil {
		t.Fatal(url, err, o.failure)
	}
	_, version, ok := strings.Cut(o.text, `"version": "`)
	if !ok || len(version) < 12 {
		t.Fatalf("no version in %s", o.text)
	}
	return version[:12]
}

// listed are the names and URIs of a session's resources.
func listed(t *testing.T, s *mcp.ClientSession) (names, uris []string) {
	t.Helper()
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Resources {
		names, uris = append(names, r.Name), append(uris, r.URI)
	}
	return names, uris
}

// auditOf are the events of a part's audit log.
func (w *world) auditOf(t *testing.T, part string) (events []result.Event) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.data(part), "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var e result.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

const versionURI = "spyhop://version/"

// TestResources: versions of pages as resources do not bypass the policy, and
// a principal does not see the pages that another principal has read. Each case is
// a sentence of the review that found the opposite.
func TestResources(t *testing.T) {
	const token = "c4n4ry-t0ken"
	w := newWorld(t, map[string]http.HandlerFunc{
		"notes.example.com": serves("text/html", article("Notes", "<p>The harbour notes of this week are for whoever has the link.</p>"+story(4))),
		"short.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://notes.example.com/by-redirect", http.StatusFound)
		},
		"long.example.com": serves("text/html", article("Long", story(200))),
	}, "WEB_REDIRECTS=follow")
	const page = "https://notes.example.com/week?access_token=" + token + "&page=2"

	for _, surface := range []string{byStdio, bySession, bySingle} {
		part := "of " + surface
		t.Run(surface, func(t *testing.T) {
			if r := w.runAs(part, "", "fetch", page); r.exit != 0 {
				t.Fatal(r)
			}
			s := w.server(t, surface, part)
			if names, uris := listed(t, s); len(names) > 0 {
				t.Errorf("a new server lists what the command has read: %q %q", names, uris)
			}

			version := versionOf(t, s, page)
			names, uris := listed(t, s)
			if !slices.Equal(names, []string{"https://notes.example.com/week?…"}) || !slices.Equal(uris, []string{versionURI + version}) {
				t.Errorf("after one read: %q %q", names, uris)
			}
			before := len(w.auditOf(t, part))
			read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: versionURI + version})
			if err != nil {
				t.Fatal(err)
			}
			if text := read.Contents[0].Text; !strings.Contains(text, "whoever has the link") || strings.Contains(text, token) || len(text) >= 10_000 {
				t.Errorf("%s", text)
			}
			if lines := w.auditOf(t, part)[before:]; len(lines) != 1 || lines[0].Kind != "call" || lines[0].Tool != "page_version" || lines[0].Decision != "allow" ||
				!strings.HasPrefix(lines[0].URL, "https://notes.example.com/week") || !strings.HasPrefix(lines[0].Caller, "mcp") || strings.Contains(lines[0].URL, token) {
				t.Errorf("the audit log has of the read: %+v", lines)
			}

			byRedirect := versionOf(t, s, "https://short.example.com/x")
			long := versionOf(t, s, "https://long.example.com/")
			read, err = s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: versionURI + long})
			if err != nil || len(read.Contents[0].Text) >= 10_000 || !strings.Contains(read.Contents[0].Text, "are left out") {
				t.Errorf("a long page: %v, %d bytes", err, len(read.Contents[0].Text))
			}
			_ = s.Close()

			for _, c := range []struct{ blocked, version string }{
				{"notes.example.com", version},
				{"=short.example.com", byRedirect}, // on the way
			} {
				s := w.server(t, surface, part, "WEB_DOMAIN_BLOCKLIST="+c.blocked)
				before := len(w.auditOf(t, part))
				read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: versionURI + c.version})
				if err == nil || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "example.com") || !strings.Contains(err.Error(), "the policy does not allow") {
					t.Errorf("%s is blocked, and its page was read: %v, %v", c.blocked, err, read)
				}
				lines := w.auditOf(t, part)[before:]
				lines = slices.DeleteFunc(lines, func(e result.Event) bool { return e.Kind != "call" })
				if len(lines) != 1 || lines[0].Tool != "page_version" || lines[0].Decision != "block" || lines[0].Error != "Blocked" || lines[0].Rule == "" {
					t.Errorf("the audit log has of the refusal: %+v", lines)
				}
			}

			// Another scope of the policy: a process that may reach less.
			s = w.server(t, surface, part, "WEB_ALLOW_PRIVATE=private.example.com")
			if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: versionURI + version}); err == nil || !strings.Contains(err.Error(), "not found") {
				t.Errorf("a version of another scope: %v", err)
			}
		})
	}

	t.Run("callers", func(t *testing.T) {
		url := w.httpServer(t, "callers")
		connect := func(era string) *mcp.ClientSession {
			s, err := w.connect(&mcp.StreamableClientTransport{Endpoint: url + "/mcp"}, era)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		res, err := http.Post(url+"/v1/tools/web_fetch", "application/json", strings.NewReader(`{"url":"https://long.example.com/"}`))
		if err != nil || res.StatusCode != 200 {
			t.Fatal(err, res)
		}
		_ = res.Body.Close()
		one, other, single := connect(withSession), connect(withSession), connect(withoutSession)
		versionOf(t, one, page)
		for who, c := range map[string]struct {
			s    *mcp.ClientSession
			want []string
		}{
			"the session that read":    {one, []string{"https://notes.example.com/week?…"}},
			"another session":          {other, nil},
			"a caller without session": {single, []string{"https://long.example.com/"}}, // as REST: one principal
		} {
			if names, _ := listed(t, c.s); !slices.Equal(names, c.want) {
				t.Errorf("%s sees %q, want %q", who, names, c.want)
			}
		}
	})
}
