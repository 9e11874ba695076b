// Package testweb provides small pages of every kind that applications in the
// browser are made of, for tests: rendered by script, streamed, with shadow
// roots and frames, and with controls in all the ways that people build them.
//
//	site := httptest.NewServer(testweb.Handler(""))
//	// site.URL + "/shadow.html", …
//
// A page lists what can be done with it in data-goals of its first element,
// and calls hit with one of these words when it was done; window.hits counts.
// Tests alone read both: what acts on a page has only what anybody sees.
//
// # Guarantees
//
// The pages need nothing from elsewhere and have no chance in them.
//
// # Limits
//
// They are ours, and show that a way of building works, not how often it is
// met.
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

// Handler serves the pages. OTHER in them stands for other, the address of
// the same pages on another site; empty: none.
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
		// What follows "<!-- later -->" is sent apart, as servers stream.
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
