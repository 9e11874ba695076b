package serve

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/tool"
)

// The description of the plain interface as OpenAPI 3.1, made from the catalog:
// its schemas are JSON Schema already, so that nothing is translated. What a
// client generator needs and no more is written.

type (
	object  = map[string]any // encoding/json sorts the names
	openAPI struct {
		Version    string          `json:"openapi"`
		Info       object          `json:"info"`
		Servers    []object        `json:"servers"`
		Security   []object        `json:"security"`
		Tags       []object        `json:"tags"`
		Paths      map[string]item `json:"paths"`
		Components object          `json:"components"`
	}
	item      map[string]operation
	operation struct {
		ID          string   `json:"operationId"`
		Tags        []string `json:"tags"`
		Summary     string   `json:"summary"`
		Description string   `json:"description,omitempty"`
		Parameters  []object `json:"parameters,omitempty"`
		Body        object   `json:"requestBody,omitempty"`
		Responses   object   `json:"responses"`
		Security    []object `json:"security,omitempty"`
	}
)

// openapi answers with the description.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request) {
	described := s.described.open
	if s.quotas.tokens.Load().Len() > 0 {
		described = s.described.closed
	}
	body, err := described()
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	answer(w, "application/json", body)
}

// descriptions are made once, because each takes as long as ten calls for cached pages.
type descriptions struct {
	tools        func() ([]byte, error) // of /v1/tools
	open, closed func() ([]byte, error) // of /openapi.json: without tokens, and with them
}

func newDescriptions(s *Server) descriptions {
	once := func(tokens bool) func() ([]byte, error) {
		return sync.OnceValues(func() ([]byte, error) { return encode(s.describe(tokens)) })
	}
	return descriptions{open: once(false), closed: once(true), tools: sync.OnceValues(func() ([]byte, error) {
		tools, err := tool.JSON(s.tools)
		return fmt.Appendf(nil, "{\"tools\":%s}\n", bytes.TrimSpace(tools)), err
	})}
}

func (s *Server) describe(tokens bool) openAPI {
	d := openAPI{
		Version: "3.1.0",
		Info: object{
			"title":       "Spyhop",
			"version":     s.o.Version,
			"summary":     "The web for language-model agents.",
			"description": "Each tool is a POST of its arguments as a JSON object. Tools that change nothing take a query as well. With `Accept: text/markdown` the answer is text. The paths of Firecrawl's API below /v2 are described in /docs/firecrawl.",
			"license":     object{"name": "Apache License 2.0", "identifier": "Apache-2.0"},
		},
		Servers:  []object{{"url": "/"}},
		Security: []object{{"token": []string{}}, {}},
		Tags:     []object{{"name": "tools", "description": "What agents call."}, {"name": "server", "description": "About the server."}},
		Paths:    map[string]item{readPath + "{address}": {"get": readOperation()}},
		Components: object{
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer",
				"description": "Asked for where the server has a token (WEB_SERVE_TOKEN, WEB_SERVE_TOKENS)."}},
			"schemas":   object{"Problem": problemSchema()},
			"responses": object{"Problem": object{"description": "An error.", "content": object{"application/problem+json": object{"schema": reference("schemas/Problem")}}}},
		},
	}
	if tokens {
		d.Security = d.Security[:1]
	}
	for _, t := range s.tools {
		d.Paths[toolsPath+"/"+t.Name] = operations(t)
	}
	tags := map[string]bool{}
	for _, r := range s.routes() {
		for method, e := range r.methods() {
			if e.ID == "" {
				continue
			}
			if d.Paths[r.path] == nil {
				d.Paths[r.path] = item{}
			}
			d.Paths[r.path][strings.ToLower(method)] = e.operation
			tags[e.Tags[0]] = true
		}
	}
	if tags["jobs"] {
		d.Tags = append(d.Tags, object{"name": "jobs", "description": "What the server reads in the background."})
	}
	return d
}

// operations are what a tool's path answers.
func operations(t tool.Declaration) item {
	body := t.Input
	if t.TakesAccess {
		body.Properties = slices.Concat(body.Properties, accessFields())
	}
	post := operation{
		ID: t.Name, Tags: []string{"tools"}, Summary: t.Summary(), Description: t.Description,
		Body:      object{"required": true, "content": jsonBody(body)},
		Responses: responses("What the tool came to.", jsonBody(answerForm(t))),
	}
	all := item{"post": post}
	if gettable(t) {
		get := post
		get.ID, get.Body = t.Name+"_by_query", nil
		for _, p := range t.Input.Properties {
			if plain(p.Schema) {
				description := p.Description
				p.Description = ""
				get.Parameters = append(get.Parameters, object{"name": p.Name, "in": "query", "required": p.Required,
					"description": description, "schema": p.Schema})
			}
		}
		all["get"] = get
	}
	return all
}

// answerForm is the schema of a tool's answer over plain HTTP.
func answerForm(t tool.Declaration) tool.Schema {
	switch {
	case !t.Data.IsZero():
		data := t.Data
		data.Open = true // it names what plans may refer to, not all that there is
		return data
	case t.Output.IsZero():
		return tool.Schema{Type: tool.TypeObject, Open: true}
	case t.Output.Type != tool.TypeObject:
		return tool.Object(tool.Member("result", "what the tool answers", t.Output).Require())
	}
	return t.Output
}

// responses of an operation: one for success, one for every status of an error.
func responses(description string, content object) object {
	out := object{"200": object{"description": description, "content": content}}
	for _, status := range errorStatuses() {
		out[status] = reference("responses/Problem")
	}
	return out
}

// errorStatuses are those of tool.ErrorType, and those of this server.
func errorStatuses() []string {
	all := map[string]bool{"401": true, "404": true, "405": true, "429": true}
	for _, t := range tool.ErrorTypes() {
		all[strconv.Itoa(t.HTTPStatus())] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// responsesAs are responses with another status of success.
func responsesAs(status, description string, content object) object {
	out := responses(description, content)
	if content == nil {
		out["200"] = object{"description": description}
	}
	out[status] = out["200"]
	delete(out, "200")
	return out
}

// listOperation lists the tools.
func listOperation() operation {
	list := object{"type": "object", "required": []string{"tools"}, "properties": object{"tools": object{"type": "array", "items": object{"type": "object"}}}}
	return operation{ID: "list_tools", Tags: []string{"tools"}, Summary: "The declarations of the tools", Responses: responses("The tools.", jsonBody(list))}
}

func plainGet(id, summary, mediaType string) operation {
	schema := object{"type": "string"}
	if mediaType == "application/json" {
		schema["type"] = "object"
	}
	return operation{ID: id, Tags: []string{"server"}, Summary: summary, Responses: object{
		"200": object{"description": summary + ".", "content": object{mediaType: object{"schema": schema}}},
		"4XX": reference("responses/Problem"),
	}}
}

// readOperation answers with a page.
func readOperation() operation {
	text := object{"schema": object{"type": "string"}}
	return operation{ID: "read", Tags: []string{"server"}, Summary: "A page as Markdown",
		Description: "The URL comes after /read/ as it is, its query included. A page that is longer than the window has a Link header with rel=next. It never uses a login.",
		Parameters:  []object{{"name": "address", "in": "path", "required": true, "description": "for example https://example.com/page", "schema": object{"type": "string"}}},
		Responses:   responses("The page.", object{formMarkdown: text, formText: text, formJSON: object{"schema": object{"type": "object"}}})}
}

// fileOperation answers with what a tool has written.
func fileOperation() operation {
	content := object{}
	for _, ending := range []string{".png", ".jpg", ".webp", ".pdf"} {
		content[mediaTypeOf(ending)] = object{}
	}
	return operation{ID: "file", Tags: []string{"server"}, Summary: "A screenshot or PDF of the last day",
		Description: "Answers of tools that write a file name its path as `file_url`.",
		Parameters:  []object{{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}},
		Responses:   object{"200": object{"description": "The file.", "content": content}, "4XX": reference("responses/Problem")}}
}

func jsonBody(schema any) object { return object{"application/json": object{"schema": schema}} }

func reference(to string) object { return object{"$ref": "#/components/" + to} }

func problemSchema() tool.Schema {
	types := make([]string, 0, len(tool.ErrorTypes()))
	for _, t := range tool.ErrorTypes() {
		types = append(types, string(t))
	}
	s := tool.Object(
		tool.String("type", "where the reference of this server says more; about:blank where the status says all").Require(),
		tool.String("title", "what kind of error it is").Require(),
		tool.Integer("status", "the HTTP status").Require(),
		tool.String("detail", "what happened").Require(),
		tool.Boolean("error", "true").Require(),
		tool.String("error_type", "the type of the error, from a closed set").OneOf(types...).Require(),
		tool.String("error_message", "what happened").Require(),
		tool.Boolean("retry_possible", "whether the same call can succeed later").Require(),
		tool.String("hint", "what to do next"),
		tool.Integer("upstream_status", "the HTTP status that the site answered with; 0 where none did").Require(),
	)
	s.Open = true // RFC 9457 section 3.2
	return s
}
