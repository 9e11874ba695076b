package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// format is a form in which a page is wanted.
type format struct {
	kind   string
	prompt string          // of json and question
	schema json.RawMessage // of json
	query  string          // of highlights
	// attributes are those of the format of that name, shot the members of screenshot.
	attributes []firecrawl.Attributes
	shot       tool.Arguments
	// gitDiff and jsonDiff are the modes of changeTracking; the second needs a schema.
	gitDiff, jsonDiff bool
}

// The kinds of formats that are more than a row of the table.
const (
	formatMarkdown   = "markdown"
	formatRawHTML    = "rawHtml"
	formatScreenshot = "screenshot"
	formatChanges    = "changeTracking"
)

// formatKind is what a kind of formats takes, and how it is made.
type formatKind struct {
	options                // its members, beside the type
	prompt  string         // unless a member has another one
	args    map[string]any // of web_fetch; nil takes one away
	// browser says that a page with actions has it too.
	browser bool
}

func formatKinds() map[string]formatKind {
	takes := func(members ...tool.Property) options { return options{supported: members} }
	schema, prompt := tool.Map("schema", "a JSON Schema"), tool.String("prompt", "what is wanted")
	return map[string]formatKind{
		formatMarkdown:   {browser: true},
		"html":           {browser: true, args: map[string]any{"mode": "html"}},
		formatRawHTML:    {browser: true, args: map[string]any{"mode": "raw", "selector": nil, "whole": nil}},
		"links":          {browser: true, args: map[string]any{"mode": "links"}},
		"images":         {browser: true, args: map[string]any{"mode": "html", "whole": true, "selector": nil}},
		formatScreenshot: {browser: true, options: takes(shotOptions()...)},
		formatChanges: {options: takes(schema, prompt, tool.Array("modes", "", tool.Schema{Type: tool.TypeString, Enum: []string{"git-diff", "json"}})).with(map[string]fixed{
			"tag": {nil, "each token has versions of its own; use another one"}}), args: map[string]any{"since": "last", "selector": nil, "whole": nil, "exclude": nil}},
		"product":    {args: statedArgs()},
		"menu":       {args: statedArgs()},
		"branding":   {args: statedArgs()},
		"video":      {args: statedArgs()},
		"audio":      {args: statedArgs()},
		"summary":    {prompt: "Summarize this page in at most 150 words."},
		"question":   {options: takes(tool.String("question", "").Require())},
		"highlights": {options: takes(tool.String("query", "").Require())},
		"json":       {options: takes(schema, prompt).with(map[string]fixed{"checkPromptInjection": {[]string{"false"}, "nothing finds all of them; a model that reads a page has no tools"}})},
		"attributes": {options: takes(tool.Array("selectors", "", tool.Object(tool.String("selector", "").Require(), tool.String("attribute", "").Require())).Require())},
	}
}

// statedArgs reads what a page states as data.
func statedArgs() map[string]any {
	return map[string]any{"mode": "data", "selector": nil, "whole": nil, "exclude": nil}
}

// ask adds the arguments that make a form.
func (f *format) ask(args map[string]any) {
	for name, value := range formatKinds()[f.kind].args {
		if args[name] = value; value == nil {
			delete(args, name)
		}
	}
	if f.kind == formatChanges {
		return // the fields are compared once it is known that the page has changed
	}
	for name, value := range map[string]string{"query": f.query, "prompt": f.prompt} {
		if value != "" {
			args[name] = value
		}
	}
	if f.schema != nil {
		args["schema"] = f.schema
	}
}

// fill puts what was read into the document.
func (f *format) fill(d *firecrawl.Document, page *result.Fetch) *tool.Error {
	switch f.kind {
	case formatMarkdown:
		d.Markdown = page.Body()
	case "html":
		d.HTML = page.Body()
	case formatRawHTML:
		d.RawHTML = page.Body()
	case "question":
		d.Answer = page.Body()
	case "highlights":
		d.Highlights = page.Body()
	case "summary":
		d.Summary = page.Body()
	case "images":
		d.Images = attributesOf(page.Body(), "<img src=\"")
	case "links":
		d.Links = make([]string, len(page.Links))
		for i, l := range page.Links {
			d.Links[i] = l.URL
		}
	case "attributes":
		return f.values(d, page)
	case "product", "menu", "branding", "video", "audio":
		if !d.State(f.kind, page.Stated, page.FinalURL) {
			return tool.NewError(tool.NoContent, "the page states no "+text.Name(f.kind)+" as data (JSON-LD, microdata, RDFa, Open Graph)", "use the format json with a schema, which a model or selectors fill")
		}
	case "json":
		if !json.Valid([]byte(page.Content)) {
			return tool.NewError(tool.ModelError, "the answer is not JSON", "the format json needs a model (WEB_MODEL), or a schema whose values each have an x-selector")
		}
		d.JSON = json.RawMessage(page.Content)
	}
	return nil
}

// values reads the values of attributes.
func (f *format) values(d *firecrawl.Document, page *result.Fetch) *tool.Error {
	var values map[string][]string
	if err := json.Unmarshal([]byte(page.Content), &values); err != nil {
		return tool.AsError(err)
	}
	for i, a := range f.attributes {
		a.Values = append([]string{}, values[fmt.Sprint("a", i)]...)
		d.Attributes = append(d.Attributes, a)
	}
	return nil
}

// formatOf reads an element of formats: a name, or an object with a type.
func formatOf(v any) (f format, e *tool.Error) {
	forms := map[string]options{}
	for name, kind := range formatKinds() {
		forms[name] = kind.options
	}
	kind, o, e := element("format", formatObject(v), forms)
	if e != nil {
		return f, e
	}
	a := o.args
	f = format{kind: kind, query: a.String("query"), schema: o.members["schema"], shot: a,
		prompt: cmp.Or(a.String("prompt"), a.String("question"), formatKinds()[kind].prompt)}
	modes := a.Strings("modes")
	f.gitDiff, f.jsonDiff = slices.Contains(modes, "git-diff"), slices.Contains(modes, "json")
	if selectors, _ := a["selectors"].([]any); selectors != nil {
		f.choose(selectors)
	}
	e = f.complete()
	return f, e
}

// formatObject is an element of formats as an object. "query" was the type of two kinds.
func formatObject(v any) any {
	if name, isName := v.(string); isName {
		if name == "screenshot@fullPage" {
			return map[string]any{"type": formatScreenshot, "fullPage": true}
		}
		v = map[string]any{"type": name}
	}
	if object, _ := v.(map[string]any); object["type"] == "query" {
		switch object["mode"] {
		case "directQuote":
			return map[string]any{"type": "highlights", "query": object["prompt"]}
		case nil, "freeform":
			return map[string]any{"type": "question", "question": object["prompt"]}
		}
	}
	return v
}

// complete gives a format that a model fills what the request leaves out.
func (f *format) complete() *tool.Error {
	if !f.jsonDiff && f.kind != "json" {
		return nil
	}
	switch bySelectors := bytes.Contains(f.schema, []byte(`"x-selector"`)); {
	case f.jsonDiff && (f.schema == nil || bySelectors):
		return tool.NewError(tool.InvalidInput, "the mode json of changeTracking has no schema for a model", "give the fields to compare as a JSON Schema without x-selector: versions are Markdown")
	case f.schema != nil && !bySelectors:
		f.prompt = cmp.Or(f.prompt, "Extract the values of the schema from this page.")
	case f.schema == nil && f.prompt == "":
		return tool.NewError(tool.InvalidInput, "the format json says nothing of what is wanted", "give it prompt or schema")
	case f.schema == nil:
		f.schema = json.RawMessage(`{"type":"object"}`)
	}
	return nil
}

// choose makes a schema of the selectors of the format attributes.
func (f *format) choose(selectors []any) {
	properties := map[string]any{}
	for i, one := range selectors {
		object, _ := one.(map[string]any)
		a := tool.Arguments(object)
		f.attributes = append(f.attributes, firecrawl.Attributes{Selector: a.String("selector"), Attribute: a.String("attribute")})
		properties[fmt.Sprint("a", i)] = map[string]any{"type": "array", "x-selector": a.String("selector"), "items": map[string]any{"type": "string", "x-selector": "@" + a.String("attribute")}}
	}
	f.schema, _ = json.Marshal(map[string]any{"type": "object", "properties": properties})
}
