package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHostileStringsOfParts: what TestHostileStrings looks for, from parts that a user has
// chosen and strangers can reach: a server that searches, an archive, a receiver of
// webhooks, the heads of requests.
func TestHostileStringsOfParts(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{"hooks.example.com": hostileStrings(t)["/status"], "strings.example.com": hostileStrings(t)["/page"]})

	t.Run("a server that searches", func(t *testing.T) {
		for name, answer := range map[string]*mcp.CallToolResult{
			"text":   {Content: []mcp.Content{&mcp.TextContent{Text: "Title: Whales" + steers + "\nURL: https://whales.example.org/?q=" + inPath + "\nContent: They sing." + steers}}},
			"error":  {Content: []mcp.Content{&mcp.TextContent{Text: "No" + steers}}, IsError: true},
			"object": {StructuredContent: map[string]any{"results": []any{map[string]any{"title": "W" + steers, "url": "https://whales.example.org/" + inPath, "snippet": steers, "published": steers, steers: steers}}}},
		} {
			server := mcp.NewServer(&mcp.Implementation{Name: "test" + inHeader, Version: steers}, nil)
			server.AddTool(&mcp.Tool{Name: "find", Title: steers, Description: "Search the web" + steers, InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)},
				func(_ context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answer, nil })
			srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
			defer srv.Close()
			c := w.command(t.Context(), "searches "+name, "search", "whales")
			c.Env = append(c.Env, "WEB_SEARCH_MCP="+srv.URL+"/mcp")
			out, _ := c.CombinedOutput()
			plainly(t, "search, "+name, string(out), false)
			c = w.command(t.Context(), "searches "+name, "call", "web_search", `{"query":"sharks"}`)
			c.Env = append(c.Env, "WEB_SEARCH_MCP="+srv.URL+"/mcp")
			out, _ = c.CombinedOutput()
			plainly(t, "web_search, "+name, withoutFences(string(out)), false)
			plainly(t, "web_search, "+name, string(out), true)
			plainLog(t, filepath.Join(w.data("searches "+name), "audit.jsonl"))
		}
		script := filepath.Join(w.home, "s.sh")
		if err := os.WriteFile(script, []byte("#!/bin/sh\ncat <<'X' >&2\n"+strings.ReplaceAll(steers, "\x00", "")+"\nX\ncat <<'X'\n"+strings.ReplaceAll(steers, "\x00", "")+"\nX\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		c := w.command(t.Context(), "searches", "search", "whales")
		c.Env = append(c.Env, "WEB_SEARCH_MCP="+script)
		out, _ := c.CombinedOutput()
		plainly(t, "a search with a broken server", string(out), false)
	})

	t.Run("an archive", func(t *testing.T) {
		record := func(kind, uri, block string) string {
			return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:11111111-1111-1111-1111-111111111111>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: %s\r\nX-A: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, inHeader, len(block), block)
		}
		block := "HTTP/1.1 200 O" + inHeader + "\r\nContent-Type: text/html" + inHeader + "\r\nX-" + inHeader + ": " + inHeader + "\r\n\r\n<title>T" + steers + "</title><p>" + steers
		for name, text := range map[string]string{
			"whole": record("response", "https://strings.example.com/page", block), "kind": record("re"+inHeader, "https://strings.example.com/page", block),
			"address": record("response", "https://strings.example.com/"+inHeader, block), "status": record("response", "https://strings.example.com/page", steers),
			"broken": "WARC/1.1\r\n" + steers + "\r\n\r\n", "length": "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: " + inHeader + "\r\n\r\n", "no archive": steers,
		} {
			file := filepath.Join(w.home, "a.warc")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r := w.runAs("archive", "", "fetch", "--replay", file, "https://strings.example.com/page")
			plainly(t, "replay, "+name, r.stdout, true)
			plainly(t, "replay, "+name, r.stderr, false)
		}
	})

	t.Run("heads of requests", func(t *testing.T) {
		c := w.command(t.Context(), "heads", "serve", "--listen", "127.0.0.1:0", "--ready-file", filepath.Join(w.home, "ready"))
		c.Env = append(c.Env, "WEB_ACCESS_LOG=text")
		var log lockedBuffer
		c.Stderr = &log
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var at string
		wait(t, "the server", func() bool {
			b, err := os.ReadFile(filepath.Join(w.home, "ready"))
			at = strings.TrimPrefix(strings.TrimSpace(string(b)), "http://")
			return err == nil && at != ""
		})
		body := `{"jsonrpc":"2.0","id":` + quotedJSON(steers) + `,"method":` + quotedJSON(steers) + `,"params":{"name":` + quotedJSON(steers) + `,"_meta":{"progressToken":` + quotedJSON(steers) + `}}}`
		hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":` + quotedJSON(steers) + `,"capabilities":{},"clientInfo":{"name":` + quotedJSON(steers) + `,"version":` + quotedJSON(steers) + `}}}`
		post := func(path, fields, body string) string {
			return "POST " + path + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + fields + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		}
		for _, q := range []string{
			"GET / HTTP/1.1\r\nHost: " + inHeader + "\r\n\r\n", "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\nOrigin: https://" + inHeader + "\r\n\r\n",
			"GET /%0a" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "EVIL" + inHeader + " / HTTP/1.1\r\nHost: " + at + "\r\n\r\n", "M-" + strings.Repeat("X", 9000) + " / HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /" + inHeader + " HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
			steers + "\r\n\r\n", post("/mcp", "", body), post("/mcp", "", hello), post("/mcp", "Mcp-Session-Id: "+inHeader+"\r\n", body), post("/mcp", "Mcp-Protocol-Version: "+inHeader+"\r\n", hello), post("/mcp", "Authorization: Bearer "+inHeader+"\r\n", hello), post("/mcp", "Mcp-Method: "+inHeader+"\r\nMcp-Name: "+inHeader+"\r\n", hello),
			post("/mcp", "Last-Event-ID: "+inHeader+"\r\n", steers), post("/v1/tools/web_fetch", "Content-Encoding: "+inHeader+"\r\n", "{}"), post("/v1/tools/web_fetch?"+url.QueryEscape(steers)+"="+inPath, "", "{}"),
			"GET /v1/tools?" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\nSec-Fetch-Site: " + inHeader + "\r\n\r\n", "GET /search?q=" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /?url=" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n",
			"GET /?url=https://strings.example.com/page HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /recall?q=" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /activity HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /versions?url=" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n",
			"GET /metrics HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /v1/files/" + inPath + " HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\nRange: " + inHeader + "\r\n\r\n",
		} {
			conn, err := net.Dial("tcp", at)
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.WriteString(conn, q) }() // the server may answer before it has read all
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Errorf("%s: %v", shortly(q), err)
				conn.Close()
				continue
			}
			answer, _ := io.ReadAll(res.Body)
			conn.Close()
			for k, all := range res.Header {
				plainly(t, shortly(q)+" field "+k, k+strings.Join(all, ""), false)
			}
			isPage := strings.HasPrefix(res.Header.Get("Content-Type"), "text/html")
			plainly(t, shortly(q), string(answer), isPage)
			if isPage && strings.Contains(string(answer), "<img src=x") {
				t.Errorf("%s: markup of a stranger: %.300s", shortly(q), answer)
			}
		}
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		plainly(t, "stderr of serve", log.String(), false)
		for line := range strings.Lines(log.String()) {
			if len(line) > 1500 || !strings.HasPrefix(line, "time=") && !strings.HasPrefix(line, "serving at ") && !strings.HasPrefix(line, "ending when ") && !strings.HasPrefix(line, "note: ") {
				t.Errorf("a line that is no event of ours, or is long: %.300q", line)
			}
		}
		plainLog(t, filepath.Join(w.data("heads"), "audit.jsonl"))
	})

	t.Run("webhooks", func(t *testing.T) {
		s := w.jobServer(t, "hooks", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann"))
		code, job, _ := s.call("ann", "POST", "/v1/crawls", `{"url":"https://strings.example.com/page","max_pages":1,"webhook":{"url":"https://hooks.example.com/h`+inPath+`"}}`)
		if code != http.StatusAccepted {
			t.Fatal(code, job)
		}
		s.until("ann", "/v1/crawls/"+job.Job, over)
		for _, path := range []string{"/v1/crawls/" + job.Job, "/v1/crawls", "/v1/crawls/" + job.Job + "/pages"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer token-of-ann")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(res.Body)
			res.Body.Close()
			plainJSON(t, path, b)
		}
		for _, name := range []string{"a\nb", "a\x1b[31m", "\u202ea", "a\"b", strings.Repeat("n", 500)} {
			c := w.command(t.Context(), "names", "serve", "--new-token", name)
			out, err := c.CombinedOutput()
			if err == nil {
				t.Errorf("a token can have the name %q", name)
			}
			plainly(t, "the name of a token", string(out), false)
		}
	})
}

func quotedJSON(s string) string { b, _ := json.Marshal(s); return string(b) }
