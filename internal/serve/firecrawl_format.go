package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	members []string       // beside the type
	needs   bool           // one of them
	prompt  string         // unless a member has another one
	args    map[string]any // of web_fetch; nil takes one away
	// browser says that a page with actions has it too.
	browser bool
}

func formatKinds() map[string]formatKind {
	return map[string]formatKind{
		formatMarkdown:   {browser: true},
		"html":           {browser: true, args: map[string]any{"mode": "html"}},
		formatRawHTML:    {browser: true, args: map[string]any{"mode": "raw", "selector": nil, "whole": nil}},
		"links":          {browser: true, args: map[string]any{"mode": "links"}},
		"images":         {browser: true, args: map[string]any{"mode": "html", "whole": true, "selector": nil}},
		formatScreenshot: {browser: true, members: shotMembers},
		formatChanges:    {members: []string{"modes", "schema", "prompt"}, args: map[string]any{"since": "last", "selector": nil, "whole": nil, "exclude": nil}},
		"product":        {args: statedArgs()},
		"menu":           {args: statedArgs()},
		"branding":       {args: statedArgs()},
		"video":          {args: statedArgs()},
		"audio":          {args: statedArgs()},
		"summary":        {prompt: "Summarize this page in at most 150 words."},
		"question":       {members: []string{"question"}, needs: true},
		"highlights":     {members: []string{"query"}, needs: true},
		"json":           {members: []string{"prompt", "schema"}, needs: true},
		"attributes":     {members: []string{"selectors"}, needs: true},
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
	wrong := func(message, hint string) (format, *tool.Error) {
		return f, tool.NewError(tool.InvalidInput, message, hint)
	}
	object, _ := v.(map[string]any)
	if name, isName := v.(string); isName {
		object = map[string]any{"type": name}
	}
	if f.kind, _ = object["type"].(string); f.kind == "screenshot@fullPage" {
		f.kind, object = formatScreenshot, map[string]any{"fullPage": true}
	}
	if f.kind == "query" { // its name before there were two
		f.kind, object = "question", map[string]any{"question": object["prompt"], "mode": object["mode"]}
		if object["mode"] == "directQuote" {
			f.kind, object = "highlights", map[string]any{"query": object["question"]}
		} else if object["mode"] == nil || object["mode"] == "freeform" {
			delete(object, "mode")
		}
	}
	kind, ok := formatKinds()[f.kind]
	if !ok {
		shown, _ := json.Marshal(v)
		return wrong("format "+quoted(string(shown))+" is unsupported", "the formats are markdown, html, rawHtml, links, images, summary, screenshot, changeTracking, product, menu, branding, video, audio, and as objects json, question, highlights, attributes")
	}
	f.prompt = kind.prompt
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		if name == "type" || value == nil {
			continue
		}
		if !slices.Contains(kind.members, name) {
			return wrong(f.member(name)+" is unsupported", "leave it out")
		}
		if e := f.set(name, value); e != nil {
			return f, e
		}
	}
	if f.jsonDiff {
		if f.schema == nil || bytes.Contains(f.schema, []byte(`"x-selector"`)) {
			return wrong("the mode json of changeTracking has no schema for a model", "give the fields to compare as a JSON Schema without x-selector: versions are Markdown")
		}
		f.prompt = cmp.Or(f.prompt, "Extract the values of the schema from this page.")
	}
	if kind.needs && f.prompt == "" && f.query == "" && f.schema == nil {
		return wrong("the format "+text.Name(f.kind)+" says nothing of what is wanted", "give it "+strings.Join(kind.members, " or "))
	}
	return f, nil
}

func (f *format) member(name string) string {
	return "member " + quoted(name) + " of the format " + text.Name(f.kind)
}

// set reads a member that the format takes.
func (f *format) set(name string, value any) *tool.Error {
	ok := true
	switch name {
	case "fullPage", "viewport", "quality":
		if f.shot == nil {
			f.shot = tool.Arguments{}
		}
		_, isObject := value.(map[string]any)
		f.shot[name], ok = value, isObject == (name == "viewport")
	case "modes":
		modes, isList := texts(value)
		f.gitDiff, f.jsonDiff = slices.Contains(modes, "git-diff"), slices.Contains(modes, "json")
		if !isList || slices.ContainsFunc(modes, func(m string) bool { return m != "git-diff" && m != "json" }) {
			return tool.NewError(tool.InvalidInput, "a mode of changeTracking is unsupported", "use git-diff and json")
		}
	case "selectors":
		return f.readSelectors(value)
	case "schema":
		if _, ok = value.(map[string]any); ok {
			f.schema, _ = json.Marshal(value)
		}
	case "query":
		f.query, ok = value.(string)
	default:
		f.prompt, ok = value.(string)
	}
	if !ok {
		return tool.NewError(tool.InvalidInput, f.member(name)+" has a wrong type", "a schema is an object, the others are strings")
	}
	return nil
}

// readSelectors reads the member of the same name of the format attributes, and makes a
// schema of it.
func (f *format) readSelectors(v any) *tool.Error {
	list, _ := v.([]any)
	properties := map[string]any{}
	for i, one := range list {
		object, ok := textsByName(one)
		if !ok || object["selector"] == "" || object["attribute"] == "" || len(object) != 2 {
			return tool.NewError(tool.InvalidInput, "an element of selectors has not a selector and an attribute", `for example {"selector":"a.item","attribute":"href"}`)
		}
		f.attributes = append(f.attributes, firecrawl.Attributes{Selector: object["selector"], Attribute: object["attribute"]})
		properties[fmt.Sprint("a", i)] = map[string]any{"type": "array", "x-selector": object["selector"], "items": map[string]any{"type": "string", "x-selector": "@" + object["attribute"]}}
	}
	f.schema, _ = json.Marshal(map[string]any{"type": "object", "properties": properties})
	if len(list) == 0 {
		f.schema = nil
	}
	return nil
}
