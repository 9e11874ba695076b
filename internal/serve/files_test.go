package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestFiles is the table of what is served of the folder, and what is not.
func TestFiles(t *testing.T) {
	own, others := "-"+principal.Caller{Name: "default"}.Mark(), "-"+principal.Caller{Name: "other"}.Mark()
	parent := t.TempDir()
	dir := filepath.Join(parent, "captures")
	if err := os.MkdirAll(filepath.Join(dir, "folder"+own+".png"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{
		"captures/20260101-000000-abc" + own + ".png": time.Hour, "captures/a" + own + ".jpg": 0, "captures/a" + own + ".webp": 0, "captures/a" + own + ".pdf": 0,
		"captures/old" + own + ".png": 25 * time.Hour, "captures/a" + own + ".html": 0, "captures/.hidden" + own + ".png": 0, "captures/UP" + own + ".png": 0, "secret.png": 0,
		"captures/b" + others + ".png": 0, "captures/c.png": 0, "captures/" + own[1:] + ".png": 0,
	} {
		file := filepath.Join(parent, name)
		if err := os.WriteFile(file, []byte("bytes of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(parent, "secret.png"), filepath.Join(dir, "link"+own+".png")); err != nil {
		t.Log("no links here:", err)
	}
	s := newServer(t, Options{Files: dir, Tokens: tokensOf(t, "sesame")})
	for path, want := range map[string]string{
		"/v1/files/20260101-000000-abc" + own + ".png": "image/png", "/v1/files/a" + own + ".jpg": "image/jpeg", "/v1/files/a" + own + ".webp": "image/webp", "/v1/files/a" + own + ".pdf": "application/pdf",
		"/v1/files/old" + own + ".png": "", "/v1/files/a" + own + ".html": "", "/v1/files/.hidden" + own + ".png": "", "/v1/files/UP" + own + ".png": "", "/v1/files/folder" + own + ".png": "", "/v1/files/link" + own + ".png": "",
		"/v1/files/b" + others + ".png": "", "/v1/files/c.png": "", "/v1/files/" + own[1:] + ".png": "",
		"/v1/files/..%2fsecret.png": "", "/v1/files/%2e%2e%2fsecret.png": "", "/v1/files/..%5csecret.png": "", "/v1/files/none.png": "", "/v1/files/": "",
		"/v1/files/a.png%00": "", "/v1/files/a.png%0d%0aX:%20y.png": "", "/v1/files/" + strings.Repeat("a", 5000) + ".png": "", "/v1/files/captures/a" + own + ".jpg": "",
	} {
		w := do(s, "GET", path, "", "Authorization", "Bearer sesame")
		h := w.Header()
		if want == "" {
			if w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "bytes of") || strings.Contains(w.Body.String(), parent) {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
			problemOf(t, w)
			continue
		}
		name := filepath.Base(path)
		if w.Code != 200 || w.Body.String() != "bytes of captures/"+name || h.Get("Content-Type") != want || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Content-Disposition") != `attachment; filename="`+name+`"` || h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %d %s %v", path, w.Code, w.Body, h)
		}
		if w := do(s, "GET", path, ""); w.Code != http.StatusUnauthorized {
			t.Errorf("%s without the token: %d", path, w.Code)
		}
	}
	if w := do(s, "HEAD", "/v1/files/a"+own+".jpg", "", "Authorization", "Bearer sesame"); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "32" {
		t.Errorf("HEAD: %d %s", w.Code, w.Body)
	}
	if w := do(s, "DELETE", "/v1/files/a.jpg", "", "Authorization", "Bearer sesame"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", w.Code)
	}
	if w := do(newServer(t, Options{}), "GET", "/v1/files/a.jpg", ""); w.Code != http.StatusNotFound {
		t.Errorf("without a folder: %d", w.Code)
	}
}

// TestFileURL: an answer says where its file can be had, if it can.
func TestFileURL(t *testing.T) {
	dir := t.TempDir()
	c := tool.NewCatalog()
	data := map[string]any{"path": "x"}
	err := c.Register(tool.Declaration{Name: "shoot", Title: "Shoot", Description: "Shoots.", Level: tool.Capture, Profile: tool.Core,
		Input: tool.Object(tool.String("path", "").Require()),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Data: data, File: c.Args.String("path")}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]any{filepath.Join(dir, "a.png"): "/v1/files/a.png", filepath.Join(dir, "in", "a.png"): nil, "": nil} {
		args, err := json.Marshal(map[string]string{"path": file})
		if err != nil {
			t.Fatal(err)
		}
		w := do(newServer(t, Options{Catalog: c, Files: dir + string(filepath.Separator)}), "POST", "/v1/tools/shoot", string(args))
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got["file_url"] != want || got["path"] != "x" {
			t.Errorf("%q: %s %v", file, w.Body, err)
		}
	}
	if len(data) != 1 {
		t.Errorf("the tool's own answer was changed: %v", data)
	}
}

// TestFilesKeep: a file is served as long as the setting says.
func TestFilesKeep(t *testing.T) {
	dir := t.TempDir()
	name := "20260102-030405-abcdefghijklmnopqrst-" + (principal.Caller{Name: principal.Anonymous}).Mark() + ".png"
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("png"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if w := do(newServer(t, Options{Files: dir, FilesKeep: 3 * time.Hour}), "GET", "/v1/files/"+name, ""); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(newServer(t, Options{Files: dir, FilesKeep: time.Hour}), "GET", "/v1/files/"+name, ""); w.Code != 404 || !strings.Contains(w.Body.String(), "files are kept for 1h0m0s") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
