package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The forms of the reference page: each tool can be called from it, without a script.
// A form is a POST of /docs/{name}, and its answer is a page with the tool's object.

// maxShown bounds the bytes of an answer that the page shows.
const maxShown = 200_000

// try answers a form.
func (s *Server) try(w http.ResponseWriter, r *http.Request) {
	d, e := s.find(r.PathValue("name"))
	if e != nil {
		refuse(w, r, http.StatusNotFound, e)
		return
	}
	if !ownForm(r) {
		refuse(w, r, http.StatusForbidden, tool.NewError(tool.Blocked, "a form of this server is needed", "programs POST to /v1/tools/"+d.Name))
		return
	}
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, tool.NewError(tool.InvalidInput, "the form cannot be read", "send it again"))
		return
	}
	ctx, start := r.Context(), time.Now()
	args, err := formArguments(d, r.PostForm)
	var got tool.Result
	if err == nil {
		got, err = s.called(ctx, w, d.Name, args, tool.Options{Given: true})
	}
	var body []byte
	if err == nil {
		body, err = got.Object()
	}
	page, status := new(writer), http.StatusOK
	page.head(d.Name + " – Spyhop over HTTP")
	page.f("<header>\n<h1><code>%s</code> <small>%v ms</small></h1>\n<p><a href=\"/docs/%s\">Back to the tool</a></p>\n</header>\n<main>\n<section>\n", d.Name, time.Since(start).Milliseconds(), d.Name)
	if err != nil {
		e := tool.AsError(err)
		status = e.HTTPStatus()
		page.f("<h2>%s</h2>\n<p>%s</p>\n", e.Type, e.Message)
		if e.Hint != "" {
			page.f("<p>Next: %s</p>\n", e.Hint)
		}
	} else {
		page.answer(s.withFile(body, got.File), got.Notices)
	}
	page.WriteString("</section>\n<section>\n<h2>Call it again</h2>\n")
	page.form(d, r.PostForm)
	page.WriteString("</section>\n</main>\n</body>\n</html>\n")
	docsHeader(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.WriteHeader(status)
	_, _ = w.Write([]byte(page.String()))
}

// answer writes the object of a tool, and a link to the file that it names.
func (w *writer) answer(body []byte, notices []string) {
	w.WriteString("<h2>Answer</h2>\n")
	for _, n := range notices {
		w.f("<p>%s</p>\n", n)
	}
	var file struct {
		URL string `json:"file_url"`
	}
	if json.Unmarshal(body, &file) == nil && strings.HasPrefix(file.URL, filesPath) {
		w.f("<p><a href=\"%s\" download>Download the file</a></p>\n", file.URL)
	}
	shown := indented(body)
	w.f("<pre tabindex=\"0\">%s</pre>\n", text.CutBytes(shown, maxShown))
	if len(shown) > maxShown {
		w.f("<p>This is the beginning: the answer has %d bytes.</p>\n", len(shown))
	}
}

// ownForm reports whether a page of this server sent a request: browsers say so. The
// guard has refused what names another origin.
func ownForm(r *http.Request) bool {
	return r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

// indented writes JSON on lines. Long and deeply nested JSON stays as it is:
// indentation multiplies its size by its depth.
func indented(body []byte) string {
	const deepest = 100
	depth, deep := 0, 0
	for _, c := range body {
		switch c {
		case '{', '[':
			depth++
			deep = max(deep, depth)
		case '}', ']':
			depth--
		}
	}
	var b bytes.Buffer
	if len(body) > maxShown || deep > deepest || json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// restField is the field of a form for arguments that have none of their own.
const restField = "more arguments"

// formArguments makes a JSON object of the fields of a form. Empty fields are left out.
func formArguments(d tool.Declaration, form url.Values) (json.RawMessage, error) {
	args := make(map[string]any)
	if rest := strings.TrimSpace(form.Get(restField)); rest != "" {
		if err := json.Unmarshal([]byte(rest), &args); err != nil || args == nil {
			return nil, tool.NewError(tool.InvalidInput, "the field of further arguments is not a JSON object", `for example {"max_age": 0}`)
		}
	}
	for _, p := range fields(d) {
		value := strings.TrimSpace(form.Get(p.Name))
		switch {
		case value == "":
		case p.Type == tool.TypeArray && !strings.HasPrefix(value, "["):
			args[p.Name] = strings.Fields(value)
		case p.Type == tool.TypeArray, p.Type == tool.TypeObject, p.Type == "":
			if !json.Valid([]byte(value)) {
				return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("the field %q is not JSON", p.Name), "see the arguments of the tool")
			}
			args[p.Name] = json.RawMessage(value)
		default:
			args[p.Name] = value // the catalog reads numbers and booleans from text
		}
	}
	return json.Marshal(args)
}

// fields are the arguments that a form has fields for.
func fields(d tool.Declaration) (out []tool.Property) {
	for _, p := range d.Input.Properties {
		if !p.Unlisted && !p.Rare {
			out = append(out, p)
		}
	}
	return out
}

// try writes the form of a tool, closed.
func (w *writer) try(t tool.Declaration, values url.Values) {
	w.WriteString("<details class=\"try\"><summary>Try it here</summary>\n")
	w.form(t, values)
	w.WriteString("</details>\n")
}

// form writes the form of a tool.
func (w *writer) form(t tool.Declaration, values url.Values) {
	w.f("<form method=\"post\" action=\"/docs/%s\">\n", t.Name)
	for _, p := range fields(t) {
		w.field(p, values.Get(p.Name))
	}
	w.f("<label><span>%s</span><textarea name=\"%s\" rows=\"2\" placeholder=\"JSON object\">%s</textarea></label>\n", restField, restField, values.Get(restField))
	w.f("<button>Call %s</button>\n</form>\n", t.Name)
}

// field writes the field of an argument.
func (w *writer) field(p tool.Property, value string) {
	attributes, standard := "", ""
	if p.Required {
		attributes = " required"
	}
	if p.Default != nil {
		standard = fmt.Sprintf("%v (default)", p.Default)
	}
	choices := p.Enum
	if p.Type == tool.TypeBoolean {
		choices = []string{"true", "false"}
	}
	w.f("<label><span>%s</span>", p.Name)
	switch {
	case len(choices) > 0 && p.Type != tool.TypeArray:
		w.f("<select name=\"%s\""+attributes+"><option value=\"\">%s</option>", p.Name, standard)
		for _, c := range choices {
			chosen := ""
			if c == value {
				chosen = " selected"
			}
			w.f("<option"+chosen+">%s</option>", c)
		}
		w.WriteString("</select>")
	case p.Type == tool.TypeArray, p.Type == tool.TypeObject, p.Type == "":
		form := "JSON"
		if p.Type == tool.TypeArray && p.Items != nil && p.Items.Type == tool.TypeString {
			form = "one a line"
		}
		w.f("<textarea name=\"%s\" rows=\"2\" placeholder=\"%s\""+attributes+">%s</textarea>", p.Name, form, value)
	default:
		if p.Name == "url" || p.Name == "query" {
			standard = fmt.Sprint(example(p))
		}
		w.f("<input name=\"%s\" placeholder=\"%s\" value=\"%s\" autocomplete=\"off\" spellcheck=\"false\""+attributes+">", p.Name, standard, value)
	}
	w.WriteString("</label>\n")
}
