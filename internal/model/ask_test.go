package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

const key = "sk-a-key-that-nobody-may-see"

// ask returns a client of an endpoint on loopback, through the guard's door for
// configured endpoints. Waits between tries are noted and not waited for.
func ask(t *testing.T, model string, handle http.HandlerFunc) (*Client, *[]time.Duration) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A server notices that its client went away when it has read all.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handle(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	u, err := weburl.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := egress.New(egress.Policy{Endpoints: []weburl.URL{u}})
	if err != nil {
		t.Fatal(err)
	}
	rt, err := guard.Endpoint(u)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{Model: model, URL: u, Key: key, RoundTripper: rt, UserAgent: "spyhop test"})
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	c.wait = func(ctx context.Context, d time.Duration) error { waits = append(waits, d); return ctx.Err() }
	return c, &waits
}

// conversation has all that a request can say.
func conversation() llm.Request {
	schema := json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}}}`)
	return llm.Request{
		System: "Be brief.",
		Messages: []llm.Message{
			{Text: "What is a spyhop?"},
			{FromModel: true, Text: "I look.", Calls: []llm.Call{{ID: "c1", Name: "web_fetch", Args: `{"url":"https://example.com/"}`, State: `{"google":{"thought_signature":"c2ln"}}`}, {ID: "c2", Name: "web_fetch", Args: `{"url":`}}},
			{Results: []llm.CallResult{{ID: "c1", Name: "web_fetch", Text: "A whale looks."}, {ID: "c2", Name: "web_fetch", Text: "the arguments are no JSON", Failed: true}}},
			{Text: "Now answer."},
		},
		Tools:     []llm.Tool{{Name: "web_fetch", Description: "Reads a page.", Schema: schema}},
		MaxTokens: 100,
	}
}

// TestRequests compares what is sent with testdata/request.json, wire by wire.
func TestRequests(t *testing.T) {
	got := map[string]any{}
	for _, model := range []string{"openai/gpt-x", "ollama/qwen3:8b", "anthropic/claude-x", "gemini/gemini-x"} {
		for what, q := range map[string]llm.Request{"tools": conversation(), "schema": {Messages: []llm.Message{{Text: "List."}}, Schema: json.RawMessage(`{"type":"array"}`)}} {
			var sent map[string]any
			c, _ := ask(t, model, func(w http.ResponseWriter, r *http.Request) {
				var body any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				headers := map[string]string{}
				for _, name := range []string{"Authorization", "X-Api-Key", "Anthropic-Version", "Content-Type", "User-Agent"} {
					if v := r.Header.Get(name); v != "" {
						headers[name] = v
					}
				}
				sent = map[string]any{"path": r.URL.String(), "headers": headers, "body": body}
				w.WriteHeader(http.StatusTeapot)
			})
			if _, err := c.Ask(t.Context(), q); err == nil {
				t.Error("a teapot should be an error")
			}
			got[model+" "+what] = sent
		}
	}
	data, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := os.WriteFile("testdata/request.json", data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/request.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("sent:\n%s", data)
	}
}

const goodReply = `{"model":"m","choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`

// TestRetries: a request is sent again when the server asked for it or may have
// stumbled, and not otherwise.
func TestRetries(t *testing.T) {
	for name, c := range map[string]struct {
		status []int // then a good answer
		header string
		waits  []time.Duration
		code   reason // empty: an answer
	}{
		"no need":                       {nil, "", nil, ""},
		"a wait that was asked for":     {[]int{429, 429}, "7", []time.Duration{7 * time.Second, 7 * time.Second}, ""},
		"asked for too often":           {[]int{429, 429, 429, 429}, "7", []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}, rateLimited},
		"nobody asked":                  {[]int{429}, "", []time.Duration{time.Second}, ""},
		"nobody asked twice":            {[]int{503, 503}, "", []time.Duration{time.Second}, overloaded},
		"a stumble":                     {[]int{500}, "", []time.Duration{time.Second}, ""},
		"longer than the call has time": {[]int{429}, "3600", nil, rateLimited},
		"not our fault to repeat":       {[]int{400}, "1", nil, badRequest},
		"a bad key":                     {[]int{401}, "1", nil, badKey},
		"no such model":                 {[]int{404}, "", nil, badRequest},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			client, waits := ask(t, "vllm/m", func(w http.ResponseWriter, r *http.Request) {
				i := int(n.Add(1)) - 1
				if i >= len(c.status) {
					io.WriteString(w, goodReply)
					return
				}
				if c.header != "" {
					w.Header().Set("Retry-After", c.header)
				}
				w.WriteHeader(c.status[i])
			})
			r, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}})
			if c.code == "" && (err != nil || r.Text != "yes") {
				t.Errorf("%v", err)
			}
			if c.code != "" {
				checkCode(t, err, c.code)
			}
			if got := *waits; len(got) != len(c.waits) {
				t.Errorf("waited %v, want %v", got, c.waits)
			} else {
				for i := range got {
					if got[i] != c.waits[i] {
						t.Errorf("waited %v, want %v", got, c.waits)
					}
				}
			}
		})
	}
}

func checkCode(t *testing.T, err error, want reason) *tool.Error {
	t.Helper()
	var te *tool.Error
	var e *replyError
	if !errors.As(err, &te) || te.Type != tool.ModelError || !errors.As(err, &e) || e.Code != want {
		t.Fatalf("%v (%+v), want ModelError with %s", err, e, want)
	}
	return te
}

// TestRefusals: what endpoints say with a status, in their own forms; nothing of
// it holds the key, and each says whether to try again.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		model     string
		status    int
		body      string
		code      reason
		retryable bool
		says      string // in the message
	}{
		"openai's key":      {"openai/m", 401, `{"error":{"message":"Incorrect API key provided: ` + key + `","type":"invalid_request_error"}}`, badKey, false, "the key is not accepted"},
		"anthropic's key":   {"anthropic/m", 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, badKey, false, ""},
		"gemini's key":      {"gemini/m", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, badKey, false, ""},
		"a key in a cause":  {"openai/m", 404, `{"error":{"message":"no model for ` + key + `\u001b[2J"}}`, badRequest, false, "no model for [key][2J"},
		"too long, openai":  {"openai/m", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error"}}`, tooLong, false, ""},
		"too long, anthrop": {"anthropic/m", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, tooLong, false, ""},
		"anthropic is busy": {"anthropic/m", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, overloaded, true, "Overloaded"},
		"ollama":            {"ollama/m", 404, `{"error":"model 'm' not found"}`, badRequest, false, "model 'm' not found"},
		"a proxy's page":    {"openai/m", 502, `<html>bad gateway</html>`, overloaded, true, "HTTP 502"},
		"a redirect":        {"openai/m", 302, ``, garbage, false, ""},
		"nothing":           {"openai/m", 200, ``, cut, true, "the endpoint's answer ends before it is complete"},
		"a page":            {"openai/m", 200, `<html>`, garbage, false, "does not match the API"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := ask(t, c.model, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			_, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}})
			e := checkCode(t, err, c.code)
			if e.Retryable != c.retryable || !strings.Contains(e.Message, c.says) || e.Hint == "" {
				t.Errorf("%+v", e)
			}
			if strings.Contains(e.Message, "cannot be reached") {
				t.Errorf("it was reached: %s", e.Message)
			}
			if c.code == cut && !strings.Contains(e.Hint, "the endpoint at http://127.0.0.1:") {
				t.Errorf("the endpoint is not named: %s", e.Hint)
			}
			if strings.Contains(e.Text()+errors.Unwrap(e).Error(), key) {
				t.Errorf("the key shows: %s", e.Text())
			}
		})
	}
}

// TestBrokenAnswer: an endpoint that was reached and breaks off is not one that cannot be
// reached; one without a listener is.
func TestBrokenAnswer(t *testing.T) {
	client, _ := ask(t, "openai/m", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"choices":[{"message":{"content":"y`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	_, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}})
	if e := checkCode(t, err, cut); strings.Contains(e.Message, "cannot be reached") {
		t.Error(e.Message)
	}
	client, _ = ask(t, "openai/m", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err = client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}})
	checkCode(t, err, network)
}

// TestGeminiRetryInfo: Gemini writes the wait into the body.
func TestGeminiRetryInfo(t *testing.T) {
	client, waits := ask(t, "gemini/m", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(429)
		io.WriteString(w, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"quota","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}`)
	})
	_, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}})
	if e := checkCode(t, err, rateLimited); e.RetryAfter != 2500*time.Millisecond || len(*waits) != maxRetries {
		t.Errorf("%v, waits %v", e.RetryAfter, *waits)
	}
}

// TestEndless: a reply that does not end is given up.
func TestEndless(t *testing.T) {
	client, _ := ask(t, "vllm/m", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 64<<10)); err != nil {
				return
			}
		}
	})
	_, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}, MaxTokens: 100})
	checkCode(t, err, endless)
}

// TestDeadline: the caller's time and the client's own hold.
func TestDeadline(t *testing.T) {
	hold := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	client, _ := ask(t, "vllm/m", hold)
	client.o.Timeout = 20 * time.Millisecond
	var e *tool.Error
	if _, err := client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "?"}}}); !errors.As(err, &e) || e.Type != tool.Timeout {
		t.Errorf("%v, want a time-out", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	client, _ = ask(t, "vllm/m", func(w http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if _, err := client.Ask(ctx, llm.Request{Messages: []llm.Message{{Text: "?"}}}); !errors.As(err, &e) || e.Type != tool.Cancelled {
		t.Errorf("%v, want cancelled", err)
	}
}

// TestAnswerOfAnthropic: the answer to a schema is taken from the tool call, also if
// the answer is not an object.
func TestAnswerOfAnthropic(t *testing.T) {
	for schema, input := range map[string]string{`{"type":"object"}`: `{"a":1}`, `{"type":"array"}`: `{"answer":[1,2]}`} {
		r, err := read(messages{}, []byte(`{"type":"message","content":[{"type":"tool_use","id":"t","name":"answer","input":`+input+`}],"stop_reason":"tool_use"}`), &llm.Request{Schema: json.RawMessage(schema)})
		want := strings.TrimSuffix(strings.TrimPrefix(input, `{"answer":`), "}")
		if strings.HasPrefix(input, `{"a"`) {
			want = input
		}
		if err != nil || r.Text != want || len(r.Calls) > 0 || r.Stop != llm.StopEnd {
			t.Errorf("%s: %+v, %v", schema, r, err)
		}
	}
}

// TestNames: what names a model, and where it is asked.
func TestNames(t *testing.T) {
	for _, c := range []struct{ model, url, base, bad string }{
		{"openai/gpt-x", "", "https://api.openai.com/v1", ""},
		{"anthropic/claude-x", "", "https://api.anthropic.com/v1", ""},
		{"gemini/gemini-x", "http://127.0.0.1:1/", "http://127.0.0.1:1/v1beta/openai", ""},
		{"openrouter/meta-llama/llama-4:free", "", "https://openrouter.ai/api/v1", ""},
		{"ollama/qwen3:8b", "", "http://127.0.0.1:11434/v1", ""},
		{"ollama/qwen3", "http://box:11434", "http://box:11434/v1", ""},
		{"vllm/x", "http://box/proxy/v1/", "http://box/proxy/v1", ""},
		{"mine/x", "https://llm.example.com/v1/chat/completions", "https://llm.example.com/v1/chat/completions", ""},
		{"mine/x", "", "", "is not one of openai"},
		{"openai", "", "", "PROVIDER/openai"},
		{"/x", "", "", "provider/name"},
		{"gemini/a b", "", "", "letters"},
		{"gemini/a?b", "", "", "letters"},
		{"openai/x", "https://user:pass@example.com/v1", "", "without user name"},
		{"openai/x", "ftp://example.com/v1", "", "http or https"},
	} {
		var u weburl.URL
		if c.url != "" {
			var err error
			if u, err = weburl.Parse(c.url); err != nil {
				t.Fatal(err)
			}
		}
		client, err := New(Options{Model: c.model, URL: u})
		switch {
		case c.bad == "" && err != nil:
			t.Errorf("%s: %v", c.model, err)
		case c.bad == "" && client.base != c.base:
			t.Errorf("%s: asked at %s, want %s", c.model, client.base, c.base)
		case c.bad != "" && (err == nil || !strings.Contains(err.Error(), c.bad)):
			t.Errorf("%s: %v, want %q", c.model, err, c.bad)
		}
	}
}
