package browser_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestHostileServers opens pages whose server does not play by the rules: it
// asks for passwords, hands out files, or never ends. Each call answers within
// its deadline and says what came, nothing is written, and the next call works.
func TestHostileServers(t *testing.T) {
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder, o.Timeout, o.CaptureDir = folder, 20*time.Second, t.TempDir() })
	pixel := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	// endless writes until the client leaves.
	endless := func(w http.ResponseWriter, r *http.Request, kind, head, again string) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, head)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, again); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	html := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, s)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/good", html("<p>good"))
	mux.HandleFunc("/401", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="say it"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "<p>members only")
	})
	mux.HandleFunc("/407", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="say it"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		_, _ = io.WriteString(w, "<p>not your proxy")
	})
	mux.HandleFunc("/part401", html("<p>x<img src=/401><iframe src=/401></iframe>"))
	var downloads sync.WaitGroup // that somebody reads
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		downloads.Add(1)
		defer downloads.Done()
		w.Header().Set("Content-Disposition", `attachment; filename="evil.exe"`)
		endless(w, r, "application/octet-stream", "MZ", strings.Repeat("x", 1<<14))
	})
	mux.HandleFunc("/tofile", html("<p>x<a download href=/file>y</a><iframe src=/file></iframe><script>document.querySelector('a').click()</script>"))
	mux.HandleFunc("/pixel", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/gif")
		_, _ = io.WriteString(w, pixel)
	})
	mux.HandleFunc("/images", html("<p>x<img src=/drip><script>let n = 0; setInterval(() => new Image().src = '/pixel?' + n++, 5)</script>"))
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) { endless(w, r, "image/gif", pixel[:20], "\x00") })
	mux.HandleFunc("/events", html("<p>x<script>new EventSource('/stream'); fetch('/stream'); new XMLHttpRequest()</script>"))
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) { endless(w, r, "text/event-stream", "", "data: x\n\n") })
	mux.HandleFunc("/growing", func(w http.ResponseWriter, r *http.Request) { endless(w, r, "text/html", "<p>begun", "<p>and on") })
	mux.HandleFunc("/silent", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/waits", html("<p>x<script src=/silent></script><p>never"))
	mux.HandleFunc("/tall", html("<title>tall</title><div style='height: 1000000px; background: linear-gradient(red, blue)'>tall</div>"))
	mux.HandleFunc("/flat", html("<title>flat</title><body style='margin: 0; height: 0; overflow: hidden'><p id=p style='width: 0; height: 0; margin: 0; overflow: hidden'>flat"))
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	t.Cleanup(func() {
		ended := make(chan struct{})
		go func() { downloads.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("a download goes on")
		}
		_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && (strings.Contains(path, "evil") || strings.HasSuffix(path, ".crdownload")) {
				t.Errorf("written: %s", path)
			}
			return nil
		})
	})
	ctx := context.Background()
	for _, tt := range []struct {
		path   string
		status int    // of the page; 0: there is none
		text   string // a part of the snapshot
		fails  tool.ErrorType
	}{
		{"/401", 401, "members only", ""},
		{"/407", 0, "", tool.ConnectionError},
		{"/part401", 200, "x", ""},
		{"/file", 0, "", tool.UnsupportedContent},
		{"/tofile", 200, "x", ""},
		{"/images", 200, "x", ""},
		{"/events", 200, "x", ""},
		{"/growing", 200, "begun", ""},
		{"/silent", 0, "", tool.Timeout},
		{"/waits", 200, "x", ""},
	} {
		t.Run(tt.path[1:], func(t *testing.T) {
			t.Parallel()
			at := browser.Place{Context: tt.path[1:]}
			p, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + tt.path})
			switch {
			case tt.fails != "" && errorType(err) != tt.fails, tt.fails == "" && err != nil:
				t.Errorf("error %v, want %q", err, tt.fails)
			case tt.status != 0 && p.Status != tt.status:
				t.Errorf("status %d", p.Status)
			}
			if tt.text != "" {
				if s, err := b.Snapshot(ctx, at, browser.SnapshotRequest{}); err != nil || !strings.Contains(s.Text, tt.text) {
					t.Errorf("snapshot: %v, %+v", err, s)
				}
			}
			if p, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + "/good"}); err != nil || p.Status != 200 {
				t.Errorf("the next call: %+v, %v", p, err)
			}
		})
	}
	at := browser.Place{}
	for _, path := range []string{"/tall", "/flat"} {
		if _, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + path}); err != nil {
			t.Fatal(err)
		}
		shot, err := b.Screenshot(ctx, at, browser.Shot{FullPage: true})
		if err != nil || len(shot.Data) > 5<<20 || shot.Height > browser.MaxShotPixels || shot.Height < 1 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestManySessions: twenty contexts that begin at once are all served.
func TestManySessions(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<title>good</title><p>good"})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			at := browser.Place{Context: fmt.Sprint("c", i)}
			if p, err := b.Navigate(context.Background(), at, browser.Navigation{URL: url}); err != nil || p.Title != "good" {
				t.Errorf("context %d: %+v, %v", i, p, err)
			}
		})
	}
	all.Wait()
}
