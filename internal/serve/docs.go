package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/docs"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The documents for people, without scripts, fonts or pictures from anywhere: the list of
// the tools, a page for each tool, made from the catalog at each request, and the pages of
// the manual. playground.go has the forms.

//go:embed docs.css
var docsStyle string

// docs answers with the first page, or with what a search in the manual finds. Its policy
// lets the page load nothing: its style is allowed by its hash.
func (s *Server) docs(w http.ResponseWriter, r *http.Request) {
	page := s.page("http://" + r.Host)
	if q := strings.TrimSpace(r.URL.Query().Get("q")); q != "" {
		page = found(q)
	}
	docsHeader(w)
	answer(w, "text/html; charset=utf-8", []byte(page))
}

// docsPage answers with a tool or a page of the manual; a POST is a form of a tool.
func (s *Server) docsPage(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		s.try(w, r)
		return
	}
	name := r.PathValue("name")
	page := new(writer)
	if manual, ok := docs.Find(name); ok {
		page.head(manual.Title + " – Spyhop")
		page.manual(name, "")
		page.WriteString("<main class=\"manual\">\n" + manual.HTML + "</main>\n</body>\n</html>\n")
	} else if d, e := s.find(name); e != nil {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is no document "+quoted(name), "GET /docs lists them"))
		return
	} else {
		page.head(d.Name + " – Spyhop over HTTP")
		page.manual("", "")
		page.WriteString("<main>\n")
		page.languages()
		describeTool(page, d, "http://"+r.Host)
		page.WriteString("</main>\n</body>\n</html>\n")
	}
	docsHeader(w)
	answer(w, "text/html; charset=utf-8", []byte(page.String()))
}

// manual writes the search and the list of the pages, of which one is the current one.
func (w *writer) manual(current, query string) {
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
func found(query string) string {
	w := new(writer)
	w.head("Search – Spyhop")
	w.manual("", query)
	hits := docs.Search(query)
	w.f("<main>\n<h1>Search</h1>\n<p>%s</p>\n<dl class=\"hits\">\n", text.Count(len(hits), "result")+" for “"+query+"”")
	for _, h := range hits {
		title := h.Page.Title
		if h.Heading != "" && h.Heading != title {
			title += " › " + h.Heading
		}
		w.f("<div><dt><a href=\"/docs/%s#%s\">%s</a></dt><dd>%s</dd></div>\n", h.Page.Name, h.ID, title, h.Text)
	}
	w.WriteString("</dl>\n</main>\n</body>\n</html>\n")
	return w.String()
}

// docsHeader sets the header fields of the page, and of the answers to its forms.
func docsHeader(w http.ResponseWriter) {
	hash := sha256.Sum256([]byte(docsStyle))
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+
		"'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	// Forms of a page without a referrer have the Origin "null".
	w.Header().Set("Referrer-Policy", "same-origin")
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

// head writes the page up to its body.
func (w *writer) head(title string) {
	w.WriteString(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
`)
	w.f("<title>%s</title>\n", title)
	w.WriteString(`<link rel="icon" href="data:,">
<style>` + docsStyle + `</style>
</head>
<body>
`)
}

func (s *Server) page(origin string) string {
	w := new(writer)
	w.head("Spyhop over HTTP")
	w.f("<header>\n<h1>Spyhop over HTTP <small>%s</small></h1>\n", s.o.Version)
	w.WriteString("<p>The web for language-model agents: search it, fetch it, browse it. Each tool is one POST of JSON.</p>\n</header>\n")
	w.manual("", "")
	w.WriteString("<main>\n")
	s.calling(w, origin)
	w.WriteString("<section id=\"tools\">\n<h2><a href=\"#tools\">Tools</a></h2>\n<dl>\n")
	for _, t := range s.tools {
		w.f("<div id=\"%s\"><dt><a href=\"/docs/%s\"><code>%s</code></a></dt><dd>%s</dd></div>\n", t.Name, t.Name, t.Name, t.Summary())
	}
	w.WriteString("</dl>\n</section>\n")
	describeErrors(w)
	s.paths(w)
	w.WriteString("</main>\n<footer>Made from the tools of this server. It loads nothing from other sites and runs no scripts. Its forms call this server.</footer>\n</body>\n</html>\n")
	return w.String()
}

func (s *Server) calling(w *writer, origin string) {
	w.WriteString("<section id=\"calling\">\n<h2><a href=\"#calling\">Calling a tool</a></h2>\n")
	w.WriteString("<p>Send the arguments as a JSON object; the tool’s object comes back.</p>\n")
	w.languages()
	if len(s.tools) > 0 {
		w.examples(s.tools[0], origin, s.quotas.tokens.Load().Len() > 0)
	}
	w.WriteString("<ul>\n<li>Arguments are read leniently if their meaning is clear: <code>\"5\"</code> for <code>5</code>, <code>maxResults</code> for <code>max_results</code>. A wrong name is answered with the nearest right one.</li>\n")
	w.WriteString("<li>A tool that changes nothing takes a query too: <code>GET</code> with the arguments as parameters.</li>\n")
	w.WriteString("<li>With <code>Accept: text/markdown</code> the answer is text: of a page its Markdown, of other tools what a model is given. <code>GET /read/https://example.com/page</code> is the short form for pages.</li>\n")
	w.WriteString("<li><code>Spyhop-Notice</code> headers say which arguments were changed, for example clamped.</li>\n")
	w.WriteString("<li>Closing the connection ends the call.</li>\n")
	if s.quotas.tokens.Load().Len() > 0 {
		w.WriteString("<li>This server asks for a token: <code>Authorization: Bearer TOKEN</code>.</li>\n")
	}
	w.WriteString("</ul>\n</section>\n")
}

// languages writes the choice of the language of the examples below it.
func (w *writer) languages() {
	w.WriteString("<fieldset class=\"languages\"><legend>Examples in</legend>")
	for i, l := range languages() {
		checked := ""
		if i == 0 {
			checked = " checked"
		}
		w.f("<label><input type=\"radio\" name=\"language\" id=\"in-%s\""+checked+">%s</label>", l.id, l.name)
	}
	w.WriteString("</fieldset>\n")
}

func describeTool(w *writer, t tool.Declaration, origin string) {
	w.f("<section id=\"%s\">\n<h2><a href=\"#%s\"><code>%s</code></a></h2>\n", t.Name, t.Name, t.Name)
	_, more, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
	w.f("<p class=\"summary\">%s</p>\n", t.Summary())
	methods := "POST"
	if gettable(t) {
		methods = "POST or GET"
	}
	w.f("<p class=\"facts\">%s <code>/v1/tools/%s</code></p>\n", methods, t.Name)
	w.prose(more)
	w.examples(t, origin, false)
	w.try(t, nil)
	if len(t.Input.Properties) > 0 {
		w.WriteString("<h3>Arguments</h3>\n")
		w.properties("", t.Input)
	}
	if t.TakesAccess {
		w.WriteString("<h3>Fields beside the arguments</h3>\n<p>What the site may be shown of you. A model cannot give these.</p>\n")
		w.properties("", tool.Object(accessFields()...))
	}
	w.f("<h3>Answer</h3>\n<pre tabindex=\"0\">%s</pre>\n</section>\n", shape(answerForm(t), ""))
}

// shape is an answer as one reads JSON, with types for values.
func shape(s tool.Schema, indent string) string {
	switch {
	case s.Type == tool.TypeArray && s.Items != nil:
		return "[" + shape(*s.Items, indent) + ", …]"
	case s.Type == "":
		return "any"
	case s.Type != tool.TypeObject || len(s.Properties) == 0:
		return string(s.Type)
	}
	var b strings.Builder
	b.WriteString("{\n")
	for i, p := range s.Properties {
		b.WriteString(indent + "  " + strconv.Quote(p.Name))
		if !p.Required {
			b.WriteString("?")
		}
		b.WriteString(": " + shape(p.Schema, indent+"  "))
		if i < len(s.Properties)-1 {
			b.WriteString(",")
		}
		if p.Description != "" {
			b.WriteString("  // " + p.Description)
		}
		b.WriteString("\n")
	}
	return b.String() + indent + "}"
}

// properties lists the members of an object, and those of objects within.
func (w *writer) properties(path string, s tool.Schema) {
	if path == "" {
		w.WriteString("<dl>\n")
		defer w.WriteString("</dl>\n")
	}
	for _, p := range s.Properties {
		w.f("<div><dt><code>%s%s</code>", path, p.Name)
		kind := string(p.Type)
		if kind == "" {
			kind = "any"
		}
		if p.Type == tool.TypeArray && p.Items != nil && p.Items.Type != "" {
			kind = "list of " + string(p.Items.Type)
		}
		w.f("<small>%s", kind)
		if p.Required {
			w.WriteString(" <span class=\"must\">required</span>")
		}
		w.f("</small></dt><dd>%s", p.Description)
		var notes []string
		if p.Enum != nil {
			notes = append(notes, "one of "+strings.Join(p.Enum, ", "))
		}
		if p.Minimum != nil {
			notes = append(notes, fmt.Sprintf("from %v", *p.Minimum))
		}
		if p.Maximum != nil {
			notes = append(notes, fmt.Sprintf("up to %v", *p.Maximum))
		}
		if p.Default != nil {
			value, _ := json.Marshal(p.Default)
			notes = append(notes, "default "+string(value))
		}
		if notes != nil {
			w.f("<small>%s</small>", strings.Join(notes, "; "))
		}
		w.WriteString("</dd></div>\n")
		switch {
		case p.Type == tool.TypeObject:
			w.properties(path+p.Name+".", p.Schema)
		case p.Items != nil && p.Items.Type == tool.TypeObject:
			w.properties(path+p.Name+"[].", *p.Items)
		}
	}
}

// prose writes the little Markdown that descriptions have: paragraphs, lists
// and code.
func (w *writer) prose(words string) {
	open := ""
	change := func(tag string) {
		if open != "" {
			w.WriteString("</" + open + ">\n")
		}
		if open = tag; tag != "" {
			w.WriteString("<" + tag + ">")
		}
	}
	inList := false
	list := func(now bool) {
		if inList != now {
			w.WriteString(map[bool]string{true: "<ul>\n", false: "</ul>\n"}[now])
			inList = now
		}
	}
	for line := range strings.Lines(words) {
		trimmed := strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(trimmed, "- ")
		switch {
		case trimmed == "":
			change("")
			continue
		case isItem:
			change("")
			list(true)
			change("li")
			trimmed = item
		case open == "":
			list(false)
			change("p")
		default:
			w.WriteString("\n")
		}
		w.inline(trimmed)
	}
	change("")
	list(false)
}

// inline writes a line with its code.
func (w *writer) inline(line string) {
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			w.f("<code>%s</code>", part)
		} else {
			w.f("%s", part)
		}
	}
}

// language is a language of examples.
type language struct {
	id, name string
	call     func(url string, args []argument, token bool) string
}

// argument is a named value of an example.
type argument struct {
	name  string
	value any
}

func languages() []language {
	return []language{{"curl", "curl", curl}, {"python", "Python", python}, {"js", "JavaScript", javascript}}
}

// examples writes a call in each language; the choice at the top of the page shows one.
func (w *writer) examples(t tool.Declaration, origin string, token bool) {
	var args []argument
	for _, p := range t.Input.Properties {
		if p.Required || p.Name == "url" {
			args = append(args, argument{p.Name, example(p)})
		}
	}
	for _, l := range languages() {
		w.f("<pre class=\"in-%s\" tabindex=\"0\">%s</pre>\n", l.id, l.call(origin+"/v1/tools/"+t.Name, args, token))
	}
}

// curl is a call as one types it.
func curl(url string, args []argument, token bool) string {
	command := "curl " + url
	if token {
		command += " \\\n  -H 'Authorization: Bearer TOKEN'"
	}
	return command + " \\\n  -d '" + literal(args, ":", ",", "true", "false") + "'"
}

// python is a call with Python's own library.
func python(url string, args []argument, token bool) string {
	header := ""
	if token {
		header = ",\n    {\"Authorization\": \"Bearer TOKEN\"}"
	}
	return "import json, urllib.request\n\nrequest = urllib.request.Request(\n    \"" + url + "\",\n    json.dumps(" +
		literal(args, ": ", ", ", "True", "False") + ").encode()" + header + ")\nprint(json.load(urllib.request.urlopen(request)))"
}

// javascript is a call of a program on Node, Deno or Bun; pages of other sites may not
// call the server.
func javascript(url string, args []argument, token bool) string {
	header := ""
	if token {
		header = "\n  headers: { Authorization: \"Bearer TOKEN\" },"
	}
	return "const response = await fetch(\"" + url + "\", {\n  method: \"POST\"," + header + "\n  body: JSON.stringify(" +
		literal(args, ": ", ", ", "true", "false") + "),\n})\nconsole.log(await response.json())"
}

// literal writes arguments as an object, which is the same in the three languages but
// for spaces and booleans.
func literal(args []argument, colon, comma, yes, no string) string {
	var members []string
	for _, a := range args {
		value, _ := encode(a.value)
		v := strings.TrimSpace(string(value))
		switch v {
		case "true":
			v = yes
		case "false":
			v = no
		}
		members = append(members, strconv.Quote(a.name)+colon+v)
	}
	return "{" + strings.Join(members, comma) + "}"
}

// example is a value that makes sense to a reader.
func example(p tool.Property) any {
	switch {
	case p.Name == "url":
		return "https://example.com/"
	case p.Name == "query":
		return "how whales sleep"
	case len(p.Enum) > 0:
		return p.Enum[0]
	case p.Type == tool.TypeInteger || p.Type == tool.TypeNumber:
		return 1
	case p.Type == tool.TypeBoolean:
		return true
	case p.Type == tool.TypeArray:
		return []any{}
	case p.Type == tool.TypeObject:
		return map[string]any{}
	}
	return "…"
}

func describeErrors(w *writer) {
	w.WriteString(`<section id="errors">
<h2><a href="#errors">Errors</a></h2>
<p>An error is a problem document (RFC 9457) with <code>error_type</code>, <code>error_message</code>, <code>retry_possible</code>
and, where there is one, a <code>hint</code>: the next step. <code>Retry-After</code> says how long to wait, where somebody has said so.</p>
<div class="scroll"><table>
<thead><tr><th>Status</th><th>Type</th><th>What it means</th></tr></thead>
<tbody>
`)
	for _, t := range tool.ErrorTypes() {
		w.f("<tr id=\"%s\"><td>%v</td><td><code>%s</code></td><td>%s</td></tr>\n", t, t.HTTPStatus(), t, t.Meaning())
	}
	w.WriteString(`</tbody>
</table></div>
<p>Beside these: 401 without a token, 429 beyond the quota of a token, 404 for a tool that does not exist, 405 for another method, and 403 for a
Host or an Origin that is not this server’s.</p>
</section>
`)
}

func (s *Server) paths(w *writer) {
	w.WriteString("<section id=\"paths\">\n<h2><a href=\"#paths\">Other paths</a></h2>\n<dl>\n")
	row := func(path, what string) {
		w.f("<div><dt><a href=\"%s\"><code>%s</code></a></dt><dd>%s</dd></div>\n", path, path, what)
	}
	row("/v1/tools", "the declarations of the tools")
	w.WriteString("<div><dt><code>/read/{address}</code></dt><dd>a page as Markdown, by <code>GET</code>; never with a login</dd></div>\n")
	row("/openapi.json", "this reference for programs, as OpenAPI 3.1")
	row("/healthz", "ok, and no token asked for")
	row("/metrics", "counters for Prometheus")
	w.WriteString("<div><dt><code>/v1/files/{id}</code></dt><dd>a file that a tool has written, for one day; the answer of the tool names it as <code>file_url</code></dd></div>\n")
	if s.servesJobs() {
		w.WriteString("<div><dt><code>/v1/crawls</code>, <code>/v1/batches</code></dt><dd>jobs in the background: <code>POST</code> starts one; <code>/{id}</code> is its state, <code>/{id}/pages</code> what it has read, <code>/{id}/events</code> what happens; <code>DELETE</code> stops it</dd></div>\n")
	}
	w.WriteString("<div><dt><code>/mcp</code></dt><dd>the Model Context Protocol</dd></div>\n")
	w.WriteString("</dl>\n</section>\n")
}
