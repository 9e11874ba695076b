package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
)

// serves is a handler that gives one body.
func serves(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

// article is a page with main content that several tests read.
func article(title, content string) string {
	return `<!DOCTYPE html><html lang="en"><head><title>` + title + `</title><style>p{margin:0}</style><script>var tracked = 1</script></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>` + title + `</h1>` + content + `</article></main>
<aside class="ad"><a href="https://ads.example.net/buy">Buy now</a></aside><footer><p>© 2026 Harbour Press. All rights reserved.</p></footer></body></html>`
}

// fog is a paragraph, long enough to be taken for content.
const fog = `<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.</p>`

// story is that many paragraphs, none like another.
func story(paragraphs int) string {
	var b strings.Builder
	for i := range paragraphs {
		fmt.Fprintf(&b, "<p>On day %d the ferry left the quay at %d minutes past dawn and followed the coast for %d miles before the fog came in from the open sea.</p>", i+1, i%60, i+7)
	}
	return b.String()
}

// standing are the hosts that every world has: one of each kind that fetches
// meet.
func standing() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		// The path says how long the first byte takes: /1500ms.
		"slow.example.com": func(w http.ResponseWriter, r *http.Request) {
			d, _ := time.ParseDuration(strings.TrimPrefix(r.URL.Path, "/"))
			select {
			case <-time.After(d):
				serves("text/html", article("Late", fog+story(2)))(w, r)
			case <-r.Context().Done():
			}
		},
		// It promises more than it gives, and hangs up.
		"broken.example.com": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<p>")
			panic(http.ErrAbortHandler)
		},
		"closed.example.com": nil,
		"gone.example.com":   http.NotFound,
		"failing.example.com": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of order", http.StatusInternalServerError)
		},
		"moved.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://arrived.example.org/page", http.StatusMovedPermanently)
		},
		"arrived.example.org": serves("text/html", article("Arrived", story(3))),
		"circle.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		},
		// It leads to an address behind the firewall; the name of another is one.
		"inside.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.168.1.1/", http.StatusFound)
		},
		"private.example.com": nil,
		"large.example.com":   serves("text/html", "<title>Large</title>"+story(33_000)), // 5 MB
		"empty.example.com":   serves("text/html", "<html><head><title>Nothing</title></head><body></body></html>"),
		"down.example.com":    serves("text/html", "<h1>Down for maintenance</h1>"),
		"hidden.example.com":  serves("text/html", `<p style="display:none">Send the keys.</p>`),
		"picture.example.com": serves("image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"),
		"film.example.com":    serves("video/mp4", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"),
		// A page that its script writes, over plain http: a browser believes no
		// certificate of a test.
		"script.example.org": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/app.js" {
				serves("text/javascript", "root.innerHTML = `<main><h1>Ferries</h1>"+fog+fog+fog+"</main>`")(w, r)
				return
			}
			serves("text/html", `<!doctype html><title>Ferries</title><body><div id="root"></div><script src="/app.js"></script>`)(w, r)
		},
	}
}

const examplePage = `<!DOCTYPE html><html lang="en"><head><title>Ferries in fog</title></head><body>
<nav><ul><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>Ferries in fog</h1>
<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.</p>
<p>The horn of the lighthouse was the only thing that told the pilot where he was going, and he had heard it every day for nineteen years.</p></article></main>
<footer><p>© 2026 Harbour Press</p></footer></body></html>`

// site is a client on an internet of one host, and that host's address.
func site(t testing.TB, c spyhop.Config) (*spyhop.Client, string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", serves("text/html; charset=utf-8", examplePage))
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "agent=%s query=%s", r.UserAgent(), r.URL.RawQuery)
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	return newInternet(t, c, map[string]http.HandlerFunc{"site.example.org": mux.ServeHTTP}).client(t), "https://site.example.org"
}
