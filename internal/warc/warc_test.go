package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func get(t *testing.T, rt http.RoundTripper, url string, header http.Header) (string, *http.Response, error) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		q.Header = header
	}
	a, err := rt.RoundTrip(q)
	if err != nil {
		return "", nil, err
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	return string(b), a, err
}

// TestRoundTrip records, kills the writer in the middle of a record, goes on, and
// replays.
func TestRoundTrip(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "hush=1")
		w.Header().Set("X-Kept", "yes")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/a", http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, "body of ", r.URL.RequestURI())
			w.(http.Flusher).Flush() // chunked
			fmt.Fprint(w, " and its end")
		}
	}))
	defer site.Close()
	made := time.Now()
	for _, name := range []string{"x.warc", "x.warc.gz"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			open := func() (*Writer, http.RoundTripper) {
				w, err := Create(file, "spyhop/test")
				if err != nil {
					t.Fatal(err)
				}
				return w, w.Transport(http.DefaultTransport)
			}
			w, rt := open()
			for _, path := range []string{"/a", "/a?q=1", "/moved", "/missing"} {
				if _, _, err := get(t, rt, site.URL+path, nil); err != nil {
					t.Fatal(err)
				}
			}
			for _, h := range []http.Header{{"Authorization": {"Bearer hush"}}, {"Cookie": {"hush=2"}}, {"Proxy-Authorization": {"hush"}}} {
				if _, _, err := get(t, rt, site.URL+"/private", h); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			whole, _ := os.ReadFile(file)
			f.Write(whole[:100]) // a record that a kill has torn
			f.Close()
			w, rt = open()
			if _, _, err := get(t, rt, site.URL+"/later", nil); err != nil {
				t.Fatal(err)
			}
			if err := w.Conversion(site.URL+"/later", "text/markdown", []byte("# Later"), made); err != nil {
				t.Fatal(err)
			}
			w.Close()
			// The same page again, by a crawl that goes on, and another reading of it.
			w, _ = open()
			for range 2 {
				for _, date := range []time.Time{made, made.Add(time.Second)} {
					if err := w.Conversion(site.URL+"/later", "text/markdown", []byte("# Later"), date); err != nil {
						t.Fatal(err)
					}
				}
				w.Close()
				w, _ = open()
			}
			w.Close()
			conversions := 0
			if f, err = os.Open(file); err != nil {
				t.Fatal(err)
			}
			if _, err := scan(f, func(e entry) error {
				if e.kind == conversion {
					conversions++
				}
				return nil
			}); err != nil || conversions != 2 {
				t.Errorf("%d conversions, want 2; %v", conversions, err)
			}
			f.Close()

			a, err := Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if a.Len() != 5 {
				t.Errorf("%d addresses, want 5", a.Len())
			}
			for _, c := range []struct {
				path, want string
				status     int
			}{{"/a", "body of /a and its end", 200}, {"/a?q=1", "body of /a?q=1 and its end", 200}, {"/later#part", "body of /later and its end", 200}, {"/missing", "404 page not found\n", 404}, {"/moved", "", 302}} {
				got, r, err := get(t, a.Transport(), site.URL+c.path, nil)
				if err != nil || r.StatusCode != c.status || c.want != "" && got != c.want || r.Header.Get("X-Kept") != "yes" || r.Header.Get("Set-Cookie") != "" {
					t.Errorf("%s: %q, %+v, %v", c.path, got, r, err)
				}
			}
			for _, path := range []string{"/private", "/nothing", "/a?q=2"} {
				var not *notHeld
				if _, _, err := get(t, a.Transport(), site.URL+path, nil); !errors.As(err, &not) {
					t.Errorf("%s: %v", path, err)
				}
			}
			if _, _, err := get(t, a.Transport(), site.URL+"/a", http.Header{"Cookie": {"x=1"}}); err == nil {
				t.Error("a request with a cookie is answered")
			}
			if dir := os.Getenv("SPYHOP_WARC"); dir != "" { // make archives reads it with another program
				content, _ := os.ReadFile(file)
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			info, _ := os.Stat(file)
			if info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", info.Mode())
			}
			if content := unpack(t, file); strings.Contains(content, "hush") || !strings.Contains(content, "# Later") {
				t.Error("the archive holds a secret, or not what was written")
			}
		})
	}
}

func unpack(t *testing.T, file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(file, ".gz") {
		return string(b)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// hostile are archives that somebody else has written.
func hostile() map[string][]byte {
	rec := func(head, block string) string {
		return "WARC/1.1\r\n" + head + "\r\n\r\n" + block + "\r\n\r\n"
	}
	response := "WARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\nContent-Type: application/http\r\nContent-Length: "
	pack := func(parts ...string) []byte {
		var b bytes.Buffer
		for _, p := range parts {
			z := gzip.NewWriter(&b)
			io.WriteString(z, p)
			z.Close()
		}
		return b.Bytes()
	}
	return map[string][]byte{
		"empty":              {},
		"not an archive":     []byte("hello"),
		"negative length":    []byte(rec(response+"-5", "x")),
		"huge length":        []byte(rec(response+"9223372036854775807", "x")),
		"no length":          []byte("WARC/1.1\r\nWARC-Type: response\r\n\r\n"),
		"endless header":     []byte("WARC/1.1\r\n" + strings.Repeat("x", 1<<20)),
		"many header lines":  []byte("WARC/1.1\r\n" + strings.Repeat("a: b\r\n", 1<<17)),
		"two in a member":    pack(rec(response+"2", "xy") + rec(response+"2", "xy")),
		"bomb":               pack(rec(response+"30000000", strings.Repeat("\x00", 30_000_000))),
		"bomb after bomb":    bytes.Repeat(pack(rec("WARC-Type: resource\r\nContent-Length: 30000000", strings.Repeat("\x00", 30_000_000))), 4),
		"torn gzip":          pack(rec(response+"2", "xy"))[:40],
		"only a request":     []byte(rec(strings.Replace(response, "response", "request", 1)+"2", "xy")),
		"an address of ours": []byte(rec(strings.Replace(response, "http://a.com/", "http://169.254.169.254/", 1)+"2", "xy")),
	}
}

// TestHostile wants an error or an archive of few answers, quickly and within
// bounds, and no panic.
func TestHostile(t *testing.T) {
	for name, content := range hostile() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.warc")
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := Open(file)
			if err != nil {
				return
			}
			defer a.Close()
			for u := range a.index {
				if _, _, err := get(t, a.Transport(), u, nil); err == nil {
					t.Errorf("%s is answered", u)
				}
			}
		})
	}
}

func FuzzOpen(f *testing.F) {
	for _, content := range hostile() {
		if len(content) < 1<<16 {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(file)
		if err != nil {
			return
		}
		defer a.Close()
		for u := range a.index {
			get(t, a.Transport(), u, nil)
		}
	})
}

// TestPages wants the addresses of pages in the order of the file, each once, as its last
// answer has it.
func TestPages(t *testing.T) {
	now := map[string]string{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, media, _ := strings.Cut(now[r.URL.Path], " ")
		n, _ := strconv.Atoi(status)
		w.Header()["Content-Type"] = []string{media}
		w.WriteHeader(n)
	}))
	defer site.Close()
	file := filepath.Join(t.TempDir(), "x.warc.gz")
	w, err := Create(file, "spyhop/test")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"/b 200 text/html; charset=utf-8", "/a 200 Text/HTML", "/robots.txt 200 text/plain", "/notes.txt 200 text/plain", "/sitemap.xml 200 application/xml", "/style 200 text/css",
		"/moved 301 text/html", "/gone 404 text/html", "/paper 200 application/pdf", "/sheet 200 application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "/picture 200 image/png",
		"/odd 200 ;;", "/was 200 text/html", "/b 200 text/html", "/was 410 text/html",
	} {
		path, answer, _ := strings.Cut(line, " ")
		now[path] = answer
		if _, _, err := get(t, w.Transport(http.DefaultTransport), site.URL+path, nil); err != nil && path != "/moved" {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got, want := strings.ReplaceAll(strings.Join(a.Pages(), " "), site.URL, ""), "/b /a /notes.txt /paper /sheet"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
