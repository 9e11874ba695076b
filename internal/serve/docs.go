package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/docs"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The documents for people, without scripts, fonts or pictures from anywhere: the pages of
// the manual, and the list of the tools that this server has.

//go:embed docs.css
var docsStyle string

// docs answers with the first page, or with what a search in the manual finds.
func (s *Server) docs(w http.ResponseWriter, r *http.Request) {
	page := new(writer)
	if q := strings.TrimSpace(r.URL.Query().Get("q")); q != "" {
		page.found(q)
	} else {
		s.overview(page)
	}
	page.send(w)
}

// docsPage answers with a page of the manual; the name of a tool leads to its part.
func (s *Server) docsPage(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	page := new(writer)
	if manual, ok := docs.Find(name); ok {
		page.head(manual.Title, name, "")
		page.WriteString("<main class=\"manual\">\n" + manual.HTML)
		page.send(w)
	} else if d, e := s.find(name); e == nil {
		http.Redirect(w, r, "/docs/tools#"+d.Name, http.StatusFound)
	} else {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is no document "+quoted(name), "GET /docs lists them"))
	}
}

// writer makes HTML. Its methods escape everything that is not markup.
type writer struct{ strings.Builder }

// f writes markup with escaped arguments.
func (w *writer) f(format string, args ...any) {
	for i, a := range args {
		args[i] = html.EscapeString(fmt.Sprint(a))
	}
	fmt.Fprintf(w, format, args...)
}

// send answers with the page. Its policy lets the page load nothing: its style is allowed
// by its hash.
func (w *writer) send(to http.ResponseWriter) {
	hash := sha256.Sum256([]byte(docsStyle))
	to.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+
		"'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	to.Header().Set("Referrer-Policy", "same-origin")
	w.WriteString("</main>\n</body>\n</html>\n")
	answer(to, "text/html; charset=utf-8", []byte(w.String()))
}

// head writes a page up to its content: the search, and the list of the pages, of which one
// is the current one.
func (w *writer) head(title, current, query string) {
	w.WriteString(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
`)
	w.f("<title>%s – Spyhop</title>\n", title)
	w.WriteString(`<link rel="icon" href="data:,">
<style>` + docsStyle + `</style>
</head>
<body>
`)
	w.f("<form class=\"find\" method=\"get\" action=\"/docs\" role=\"search\"><label for=\"q\">Search the documentation</label><input id=\"q\" name=\"q\" type=\"search\" value=\"%s\"><button>Search</button></form>\n", query)
	w.WriteString("<nav class=\"manual\" aria-label=\"Documentation\">\n<p><a href=\"/\">Live page</a> · <a href=\"/docs\">HTTP API of this server</a></p>\n")
	for _, s := range docs.Sections() {
		open := ""
		if slices.ContainsFunc(s.Pages, func(p docs.Page) bool { return p.Name == current }) {
			open = " open"
		}
		w.f("<details"+open+"><summary>%s</summary><ul>\n", s.Title)
		for _, p := range s.Pages {
			here := ""
			if p.Name == current {
				here = " aria-current=\"page\""
			}
			w.f("<li><a href=\"/docs/%s\""+here+">%s</a></li>\n", p.Name, p.Title)
		}
		w.WriteString("</ul></details>\n")
	}
	w.WriteString("</nav>\n")
}

// found is the page of a search.
func (w *writer) found(query string) {
	w.head("Search", "", query)
	hits := docs.Search(query)
	w.f("<main>\n<h1>Search</h1>\n<p>%s</p>\n<dl class=\"hits\">\n", text.Count(len(hits), "result")+" for “"+query+"”")
	for _, h := range hits {
		title := h.Page.Title
		if h.Heading != "" && h.Heading != title {
			title += " › " + h.Heading
		}
		w.f("<div><dt><a href=\"/docs/%s#%s\">%s</a></dt><dd>%s</dd></div>\n", h.Page.Name, h.ID, title, h.Text)
	}
	w.WriteString("</dl>\n")
}

// overview is the first page: the tools of this server, and the errors, which problem
// documents link to.
func (s *Server) overview(w *writer) {
	w.head("HTTP API", "", "")
	w.f("<main>\n<h1>HTTP API <small>%s</small></h1>\n", s.o.Version)
	w.WriteString(`<p>Each tool is one <code>POST</code> of JSON to <code>/v1/tools/{name}</code>. <a href="/docs/http">HTTP API</a> describes the other
paths, <a href="/openapi.json">/openapi.json</a> all of them for programs.</p>
<h2>Tools</h2>
<dl>
`)
	for _, t := range s.tools {
		w.f("<div id=\"%s\"><dt><a href=\"/docs/tools#%s\"><code>%s</code></a></dt><dd>%s</dd></div>\n", t.Name, t.Name, t.Name, t.Summary())
	}
	w.WriteString(`</dl>
<h2>Errors</h2>
<div class="scroll"><table>
<thead><tr><th>Status</th><th>Type</th><th>What it means</th></tr></thead>
<tbody>
`)
	for _, t := range tool.ErrorTypes() {
		w.f("<tr id=\"%s\"><td>%v</td><td><code>%s</code></td><td>%s</td></tr>\n", t, t.HTTPStatus(), t, t.Meaning())
	}
	w.WriteString("</tbody>\n</table></div>\n")
}
