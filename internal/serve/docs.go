package serve

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/docs"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The documents for people, without scripts, fonts or pictures from anywhere: the pages of
// the manual, and the list of the tools that this server has.

//go:embed docs.css
var docsStyle string

//go:embed docs.html
var docsMarkup string

var docsTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("docs").Parse(docsMarkup)) })

// docPage is a page for the template: one of the manual, what a search for Query finds, or
// the first page, which has the tools of this server and the errors that problem documents
// link to.
type docPage struct {
	Title, Name string // Name is that of a page of the manual
	Manual      template.HTML
	Query       string
	Found       string
	Hits        []docs.Hit
	Version     string
	Tools       []tool.Declaration
}

// docs answers with the first page, or with what a search in the manual finds.
func (s *Server) docs(w http.ResponseWriter, r *http.Request) {
	d := docPage{Title: "HTTP API", Version: s.o.Version, Tools: s.tools, Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	if d.Query != "" {
		d.Title, d.Hits = "Search", docs.Search(d.Query)
		d.Found = text.Count(len(d.Hits), "result")
	}
	s.showDoc(w, r, d)
}

// docsPage answers with a page of the manual; the name of a tool leads to its part.
func (s *Server) docsPage(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if manual, ok := docs.Find(name); ok {
		s.showDoc(w, r, docPage{Title: manual.Title, Name: name, Manual: template.HTML(manual.HTML)}) // of this program
	} else if d, e := s.find(name); e == nil {
		http.Redirect(w, r, "/docs/tools#"+d.Name, http.StatusFound)
	} else {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is no document "+quoted(name), "GET /docs lists them"))
	}
}

// showDoc answers with a page. Its policy lets the page load nothing: its style is allowed
// by its hash.
func (s *Server) showDoc(w http.ResponseWriter, r *http.Request, d docPage) {
	var page bytes.Buffer
	if err := docsTemplate().Execute(&page, d); err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	hash := sha256.Sum256([]byte(docsStyle))
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+
		"'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	w.Header().Set("Referrer-Policy", "same-origin")
	answer(w, "text/html; charset=utf-8", page.Bytes())
}

// Style is the style sheet.
func (docPage) Style() template.CSS { return template.CSS(docsStyle) }

// Sections are those of the manual.
func (docPage) Sections() []docs.Section { return docs.Sections() }

// In reports whether the page is in a section.
func (d docPage) In(s docs.Section) bool {
	return slices.ContainsFunc(s.Pages, func(p docs.Page) bool { return p.Name == d.Name })
}

// Errors are the types of errors.
func (docPage) Errors() []tool.ErrorType { return tool.ErrorTypes() }
