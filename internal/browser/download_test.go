package browser_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/principal"
)

// TestDownloads: what a page downloads is in the captures, under a name of ours, and
// the answer says what it is; what is too large, or comes from a page that nobody
// looks at, is not kept.
func TestDownloads(t *testing.T) {
	t.Parallel()
	captures := filepath.Join(t.TempDir(), "captures")
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = captures })
	mux := http.NewServeMux()
	file := func(name string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			_, _ = w.Write([]byte("a,b\n1,2\n"))
		}
	}
	mux.HandleFunc("/report", file("report.csv"))
	mux.HandleFunc("/up", file(`../../etc/x.s h`))
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="large.iso"`)
		w.Header().Set("Content-Length", "900000000")
		block := make([]byte, 1<<16)
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<a href=/report>Report</a> <a href=/up>Up</a> <a href=/large>Large</a> <a download="notes.txt" href="data:text/plain,hello">Notes</a>
			<button onclick="const f=document.createElement('iframe');f.src='/report';document.body.append(f)">Frame</button>
			<button onclick="const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['x,y']));a.download='blob.csv';a.click()">Blob</button>`))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	a := &actor{t: t, b: b, url: s.URL}
	a.open("/")
	saved := regexp.MustCompile(`the page downloaded "([^"]*)" \((\d+) bytes, "?([a-z/-]+)"?\), which is in "?([^"\s]+)`)
	for _, tt := range []struct{ click, name, size, kind, ending, holds string }{
		{"Report", "report.csv", "8", "text/plain", ".csv", "a,b\n1,2\n"},
		{"Notes", "notes.txt", "5", "text/plain", ".txt", "hello"},
		{"Blob", "blob.csv", "3", "text/plain", ".csv", "x,y"},
		{"Frame", "report.csv", "8", "text/plain", ".csv", "a,b\n1,2\n"},
		{"Up", "", "8", "text/plain", ".bin", "a,b\n1,2\n"},
	} {
		c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref(tt.click)})
		if err != nil {
			t.Fatal(tt.click, err)
		}
		m := saved.FindStringSubmatch(strings.Join(c.Notices, "\n"))
		if m == nil || tt.name != "" && m[1] != tt.name || m[2] != tt.size || m[3] != tt.kind || filepath.Dir(m[4]) != captures || filepath.Ext(m[4]) != tt.ending {
			t.Errorf("%s: %q", tt.click, c.Notices)
			continue
		}
		data, err := os.ReadFile(m[4])
		info, failed := os.Stat(m[4])
		if err != nil || failed != nil || string(data) != tt.holds || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %q %v %v", tt.click, data, err, info)
		}
	}
	before, _ := os.ReadDir(captures)
	c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Large")})
	if err != nil || !strings.Contains(strings.Join(c.Notices, "\n"), `"large.iso" was refused: it is larger than 32 MiB`) {
		t.Errorf("too large: %v %+v", err, c)
	}
	if _, err := b.Render(t.Context(), browser.Navigation{URL: s.URL + "/report"}); err == nil {
		t.Error("a page to render is a download")
	}
	if after, _ := os.ReadDir(captures); len(after) != len(before) {
		t.Errorf("%d captures, %d before", len(after), len(before))
	}
}

// TestCapturesHaveOwners: a picture, a PDF and a download have the mark of the caller that they
// are for in their names, by which a server gives them to nobody else.
func TestCapturesHaveOwners(t *testing.T) {
	t.Parallel()
	captures := t.TempDir()
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = captures })
	url := site(t, map[string]string{"/a": `<title>A</title><a download=a.csv href="data:text/csv,x,y">Get</a>`})
	for _, name := range []string{"ann", "bob"} {
		caller := principal.Caller{Name: name, Session: "s-" + name}
		ctx := principal.With(t.Context(), caller)
		at := browser.Place{Owner: caller.Session}
		_, err := b.Navigate(ctx, at, browser.Navigation{URL: url + "/a"})
		if err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadDir(captures)
		if _, err := b.Screenshot(ctx, at, browser.Shot{}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Click(ctx, at, browser.Pointer{Ref: `link "Get"`}); err != nil {
			t.Fatal(err)
		}
		after, _ := os.ReadDir(captures)
		if len(after) != len(before)+2 {
			t.Errorf("%s: %d captures, %d before", name, len(after), len(before))
		}
		own := 0
		for _, e := range after {
			if strings.HasSuffix(strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), "-"+caller.Mark()) {
				own++
			}
		}
		if own != 2 {
			t.Errorf("%s owns %d of %q", name, own, after)
		}
	}
}

// TestDownloadElsewhere: a download that a link opens in a new window is told in the answer to
// the click, and no empty window stays; one that stalls is told by its name, and is given up.
func TestDownloadElsewhere(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = t.TempDir() })
	mux := http.NewServeMux()
	mux.HandleFunc("/report", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		_, _ = w.Write([]byte("a,b\n1,2\n"))
	})
	mux.HandleFunc("/stall", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="slow.zip"`)
		w.Header().Set("Content-Length", "5000")
		_, _ = w.Write(make([]byte, 2000))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<a href=/report target=_blank>Report</a> <a href=/stall>Slow</a> <button onclick="window.open('/report')">Script</button> <button onclick="this.textContent = 'Other'">One</button>`))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	a := &actor{t: t, b: b, url: s.URL}
	a.open("/")
	for _, name := range []string{"Report", "Script"} {
		c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref(name)})
		if err != nil {
			t.Fatal(name, err)
		}
		if all := strings.Join(c.Notices, "\n"); !strings.Contains(all, `the page downloaded "report.csv" (8 bytes`) || strings.Contains(all, "opened tab") {
			t.Errorf("%s: %q", name, c.Notices)
		}
		if tabs, _, err := b.Tabs(t.Context(), a.at, "list", browser.Navigation{}); err != nil || len(tabs) != 1 {
			t.Errorf("%s: %+v %v", name, tabs, err)
		}
	}
	c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Slow")})
	if err != nil || !strings.Contains(strings.Join(c.Notices, "\n"), `the download of "slow.zip" goes on: 2000 of 5000 bytes`) {
		t.Fatalf("%+v %v", c, err)
	}
	begun := time.Now()
	c, err = b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("One")})
	if err != nil || time.Since(begun) > 3*time.Second || !strings.Contains(c.Text, "Other") {
		t.Errorf("beside it, after %s: %+v %v", time.Since(begun), c, err)
	}
	p, err := b.Navigate(t.Context(), a.at, browser.Navigation{URL: s.URL})
	if err != nil || !strings.Contains(strings.Join(p.Notices, "\n"), `"slow.zip" was refused: its page was left`) {
		t.Errorf("%+v %v", p, err)
	}
}
