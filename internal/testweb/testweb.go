// Package testweb provides small web pages for tests of the browser: pages
// rendered by script, streamed pages, shadow roots, frames, and controls built
// in all the ways that are common in web applications.
//
//	site := httptest.NewServer(testweb.Handler(""))
//	// site.URL + "/shadow.html", …
//
// The attribute data-goals of a page's first element lists the goals of the
// page, one word each. The page calls hit with the word when the goal is
// reached, and counts it in window.hits. Only tests read the goals and hits; an
// agent that acts on the page sees only what a user sees.
//
// # Guarantees
//
// The pages load nothing from other sites and are deterministic.
//
// # Limits
//
// The pages were written for these tests. They show that a technique is
// supported, not how common it is.
package testweb

import (
	"embed"
	"io"
	"net/http"
	"path"
	"strings"
)

//go:embed pages
var files embed.FS

// Names returns the names of the pages, in order.
func Names() []string {
	entries, err := files.ReadDir("pages")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".html") {
			out = append(out, e.Name())
		}
	}
	return out
}

// Handler serves the pages. It replaces OTHER in them by other, the address of
// the same pages on another site. With other "" the pages name no other site.
func Handler(other string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) {
		data, err := files.ReadFile("pages/" + path.Base(r.PathValue("name")))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasSuffix(r.PathValue("name"), ".js") {
			w.Header().Set("Content-Type", "text/javascript")
		}
		// The part after "<!-- later -->" is sent in a separate write, like a streamed page.
		for _, part := range strings.SplitAfter(strings.ReplaceAll(string(data), "OTHER", other), "<!-- later -->") {
			_, _ = io.WriteString(w, part)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
	})
	mux.HandleFunc("GET /api/cities", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var found []string
		for _, c := range []string{"Paris", "Parma", "Perth", "Prague", "Porto"} {
			if q := strings.ToLower(r.URL.Query().Get("q")); q != "" && strings.HasPrefix(strings.ToLower(c), q) {
				found = append(found, `"`+c+`"`)
			}
		}
		_, _ = io.WriteString(w, "["+strings.Join(found, ",")+"]")
	})
	mux.HandleFunc("GET /api/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		_, _ = io.WriteString(w, "a,b\n1,2\n")
	})
	return mux
}
