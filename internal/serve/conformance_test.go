package serve

//lint:file-ignore SA1019 sampling, roots and logging are deprecated since 2026-07-28 and work for a year more; there is nothing in their place

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// The protocol's conformance suite calls tools, prompts and resources of fixed
// names, which no product has. Here they are, behind everything that stands
// before the product's own: guard, router, limits.

// TestConformance runs the suite for both eras at one address. SPYHOP_NPM is a
// folder with node_modules; "make conformance" makes one.
func TestConformance(t *testing.T) {
	npm := os.Getenv("SPYHOP_NPM")
	if npm == "" {
		t.Skip("SPYHOP_NPM is not set; make conformance sets it")
	}
	server, err := New(Options{Catalog: tool.NewCatalog()})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{}
	o.fill()
	server.mcp = newMCPHandler(conformanceServer(t), o, new(refusals))
	server.handler = server.guarded(server.mux())
	site := httptest.NewServer(server.Handler())
	defer site.Close()
	defer server.mcp.close()
	for _, revision := range eras {
		t.Run(revision, func(t *testing.T) {
			cmd := exec.Command("node", filepath.Join(npm, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", site.URL+"/mcp", "--requirements", revision)
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

const (
	tinyPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	tinyWAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

// sameAnswers are the tools whose result never changes.
var sameAnswers = map[string]string{
	"test_simple_text":           `[{"type":"text","text":"simple text"}]`,
	"test_image_content":         `[{"type":"image","mimeType":"image/png","data":"` + tinyPNG + `"}]`,
	"test_audio_content":         `[{"type":"audio","mimeType":"audio/wav","data":"` + tinyWAV + `"}]`,
	"test_embedded_resource":     `[{"type":"resource","resource":{"uri":"test://embedded","mimeType":"text/plain","text":"embedded"}}]`,
	"test_streaming_elicitation": `[{"type":"text","text":"nothing was asked"}]`,
	"test_multiple_content_types": `[{"type":"text","text":"several"},{"type":"image","mimeType":"image/png","data":"` + tinyPNG +
		`"},{"type":"resource","resource":{"uri":"test://several","mimeType":"text/plain","text":"embedded"}}]`,
}

// conformanceServer has what the suite calls.
func conformanceServer(t *testing.T) *mcp.Server {
	capabilities := &mcp.ServerCapabilities{
		Tools: &mcp.ToolCapabilities{ListChanged: true}, Prompts: &mcp.PromptCapabilities{ListChanged: true},
		Resources: &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true},
		Logging:   &mcp.LoggingCapabilities{}, Completions: &mcp.CompletionCapabilities{},
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1"}, &mcp.ServerOptions{
		Capabilities: capabilities,
		SetCacheable: cacheable,
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	for name, content := range sameAnswers {
		addFixture(s, name, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := new(mcp.CallToolResult)
			return r, json.Unmarshal([]byte(`{"content":`+content+`}`), r)
		})
	}
	addNotifying(s)
	addAsking(s)
	addRounds(s)
	addSchemas(s)
	addPrompts(s)
	addFixtureResources(s)
	return s
}

const noArguments = `{"type":"object"}`

func addFixture(s *mcp.Server, name string, h mcp.ToolHandler) {
	addFixtureWith(s, name, noArguments, h)
}

func addFixtureWith(s *mcp.Server, name, schema string, h mcp.ToolHandler) {
	s.AddTool(&mcp.Tool{Name: name, Description: "Fixture " + name, InputSchema: json.RawMessage(schema)}, h)
}

func say(format string, args ...any) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}, nil
}

// addNotifying adds tools that send something beside their answer.
func addNotifying(s *mcp.Server) {
	logs := func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, step := range []string{"started", "processing", "completed"} {
			_ = r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: step})
		}
		return say("logged")
	}
	addFixture(s, "test_tool_with_logging", logs)
	addFixture(s, "test_logging_tool", logs)
	addFixture(s, "test_tool_with_progress", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		report, stop := progress(ctx, r)
		defer stop()
		for _, n := range []int64{0, 50, 100} {
			if report != nil {
				report(tool.Progress{Message: fmt.Sprint("step ", n), Done: n, Total: 100})
			}
		}
		return say("%v", r.Params.GetProgressToken())
	})
	addFixture(s, "test_error_handling", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return failure(tool.NewError(tool.ConnectionError, "this tool always fails", ""), nil), nil
	})
	addFixture(s, "test_reconnection", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("the stream was never closed")
	})
	addFixture(s, "test_trigger_tool_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		addFixture(s, "test_added_later", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("later") })
		return say("changed")
	})
	addFixture(s, "test_trigger_prompt_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddPrompt(&mcp.Prompt{Name: "test_added_later", Description: "later"}, prompt("later"))
		return say("changed")
	})
	addFixture(s, "test_missing_capability", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
			return say("it can")
		}
		data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
		if err != nil {
			return nil, err
		}
		return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "it cannot sample", Data: data}
	})
}

// elicitations are what the asking tools show to a person.
var elicitations = map[string]string{
	"test_elicitation_sep1034_defaults": `{"type":"object","properties":{
		"name":{"type":"string","default":"John Doe"}, "age":{"type":"integer","default":30}, "score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"}, "verified":{"type":"boolean","default":true}}}`,
	"test_elicitation_sep1330_enums": `{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["One","Two","Three"]},
		"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","anyOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]}}}}`,
	"test_elicitation": `{"type":"object","properties":{"username":{"type":"string"}},"required":["username"]}`,
}

// addAsking adds tools that ask the client in the middle of a session's call.
func addAsking(s *mcp.Server) {
	addFixtureWith(s, "test_sampling", `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ Prompt string }
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
				return nil, err
			}
			var o tool.Options
			if abilities(r, &o); o.Model == nil {
				return failure(tool.NewError(tool.ModelError, "the client cannot sample", ""), nil), nil
			}
			text, err := o.Model.Complete(ctx, tool.Question{Text: in.Prompt, MaxTokens: 100})
			if err != nil {
				return failure(tool.AsError(err), nil), nil
			}
			return say("LLM response: %s", text)
		})
	for name, schema := range elicitations {
		addFixture(s, name, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			e, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Please tell", RequestedSchema: json.RawMessage(schema)})
			if err != nil {
				return failure(tool.AsError(err), nil), nil
			}
			content, err := json.Marshal(e.Content)
			if err != nil {
				return nil, err
			}
			return say("action=%s, content=%s", e.Action, content)
		})
	}
}

// form is a question with one field.
func form(message, field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(
		fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, field, kind, field))}
}

// field is what a person put into a form; nil: there is no accepted answer.
func field(p *mcp.CallToolParamsRaw, key, name string) any {
	if r, ok := p.InputResponses[key].(*mcp.ElicitResult); ok && r.Action == "accept" {
		return r.Content[name]
	}
	return nil
}

// sign and checked keep a state from being changed by the client.
func sign(state string) string {
	mac := hmac.New(sha256.New, []byte("test"))
	mac.Write([]byte(state))
	return state + "." + hex.EncodeToString(mac.Sum(nil))
}

func checked(signed string) (string, error) {
	if i := strings.LastIndexByte(signed, '.'); i >= 0 && sign(signed[:i]) == signed {
		return signed[:i], nil
	}
	return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state was changed"}
}

// addRounds adds tools that are asked again with the client's answers.
func addRounds(s *mcp.Server) {
	add := func(name string, h func(*mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		addFixture(s, "test_input_required_result_"+name, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(r) })
	}
	want := func(state string, q mcp.InputRequestMap) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: q, RequestState: state}, nil
	}
	sample := &mcp.CreateMessageParams{MaxTokens: 50, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "What is the capital of France?"}}}}
	name := form("What is your name?", "name", "string")
	roots := &mcp.ListRootsParams{}

	add("elicitation", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n, ok := field(r.Params, "user_name", "name").(string); ok && n != "" {
			return say("Hello, %s!", n)
		}
		return want("", mcp.InputRequestMap{"user_name": name})
	})
	add("sampling", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if a := r.Params.InputResponses["capital_question"]; a != nil {
			return say("Sampling response: %s", replyOf(a).Text)
		}
		return want("", mcp.InputRequestMap{"capital_question": sample})
	})
	add("list_roots", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if a, ok := r.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
			return say("%d roots", len(a.Roots))
		}
		return want("", mcp.InputRequestMap{"client_roots": roots})
	})
	confirm := func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState != "" {
			if _, err := checked(r.Params.RequestState); err != nil {
				return nil, err
			}
			if field(r.Params, "confirm", "ok") != nil {
				return say("state-ok")
			}
		}
		return want(sign("asked"), mcp.InputRequestMap{"confirm": form("Please confirm", "ok", "boolean")})
	}
	add("request_state", confirm)
	add("tampered_state", confirm)
	add("multiple_inputs", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		n, a := field(r.Params, "user_name", "name"), r.Params.InputResponses["greeting"]
		if n != nil && a != nil && r.Params.InputResponses["client_roots"] != nil {
			return say("%s %s", replyOf(a).Text, n)
		}
		return want("several", mcp.InputRequestMap{"user_name": name, "greeting": sample, "client_roots": roots})
	})
	add("multi_round", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState == "" {
			return want(sign("1"), mcp.InputRequestMap{"step1": name})
		}
		state, err := checked(r.Params.RequestState)
		if err != nil {
			return nil, err
		}
		if state == "1" {
			return want(sign(fmt.Sprint("2 ", field(r.Params, "step1", "name"))), mcp.InputRequestMap{"step2": form("What is your favorite color?", "color", "string")})
		}
		return say("%s likes %s", strings.TrimPrefix(state, "2 "), field(r.Params, "step2", "color"))
	})
	add("capabilities", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := r.ClientCapabilities()
		if len(r.Params.InputResponses) > 0 || c == nil {
			return say("all is answered")
		}
		q := mcp.InputRequestMap{}
		if c.Elicitation != nil {
			q["user_name"] = name
		}
		if c.Sampling != nil {
			q["greeting"] = sample
		}
		if c.RootsV2 != nil {
			q["client_roots"] = roots
		}
		return want("", q)
	})
}

// addSchemas adds tools whose schema is what is looked at.
func addSchemas(s *mcp.Server) {
	echo := func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("called with %s", r.Params.Arguments)
	}
	addFixtureWith(s, "json_schema_2020_12_tool", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
		"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
		"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
		"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
		"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
		"additionalProperties":false}`, echo)
	addFixtureWith(s, "test_x_mcp_header", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`, echo)
}

func prompt(text string, more ...mcp.Content) mcp.PromptHandler {
	return func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		for name, value := range r.Params.Arguments {
			text += fmt.Sprintf(" %s='%s'", name, value)
		}
		out := &mcp.GetPromptResult{}
		for _, c := range append([]mcp.Content{&mcp.TextContent{Text: text}}, more...) {
			out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return out, nil
	}
}

func addPrompts(s *mcp.Server) {
	image := new(mcp.CallToolResult)
	if err := json.Unmarshal([]byte(`{"content":`+sameAnswers["test_image_content"]+`}`), image); err != nil {
		panic(err)
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "without arguments"}, prompt("simple"))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "with a picture"}, prompt("look", image.Content...))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "with arguments",
		Arguments: []*mcp.PromptArgument{{Name: "arg1", Required: true}, {Name: "arg2", Required: true}}}, prompt("given"))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "with a resource", Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Required: true}}},
		func(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return prompt("read", &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: r.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "embedded"}})(ctx, r)
		})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "asks first"},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if a, ok := r.Params.InputResponses["user_context"].(*mcp.ElicitResult); ok && a.Action == "accept" {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprint(a.Content["context"])}}}}, nil
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": form("What is it about?", "context", "string")}}, nil
		})
}

func addFixtureResources(s *mcp.Server) {
	read := func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := &mcp.ResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: "text"}
		switch {
		case strings.HasSuffix(r.Params.URI, "binary"):
			c.MIMEType, c.Text, c.Blob = "image/png", "", []byte("png")
		case strings.Contains(r.Params.URI, "template"):
			id := strings.Split(r.Params.URI, "/")[3]
			c.MIMEType, c.Text = "application/json", fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
	for _, name := range []string{"static-text", "static-binary", "watched-resource"} {
		s.AddResource(&mcp.Resource{Name: name, Description: "Fixture", URI: "test://" + name, MIMEType: "text/plain"}, read)
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", Description: "Fixture", URITemplate: "test://template/{id}/data", MIMEType: "application/json"}, read)
}

// The fixtures have to build where the suite is not at hand.
func TestConformanceServer(t *testing.T) {
	a, b := mcp.NewInMemoryTransports()
	if _, err := conformanceServer(t).Connect(t.Context(), a, nil); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "x", Version: "1"}, nil).Connect(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) < 25 {
		t.Error(errors.Join(err, fmt.Errorf("%d tools", len(list.Tools))))
	}
}
