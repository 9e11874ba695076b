package serve

//lint:file-ignore SA1019 sampling, roots and logging are deprecated since 2026-07-28 and work for a year more; there is nothing in their place

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// eras are a revision with sessions and the one without.
var eras = []string{"2025-11-25", stateless}

// probe is what the tools of these tests saw.
type probe struct {
	started chan struct{} // slow has begun
	ended   chan error    // slow's context ended
	let     chan struct{} // slow may end

	mu       sync.Mutex
	callers  []string
	sessions []string
}

func (p *probe) last() (caller, session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.callers[len(p.callers)-1], p.sessions[len(p.sessions)-1]
}

// fixture is a catalog with a tool for each kind of answer.
func fixture(t *testing.T) (Options, *probe) {
	t.Helper()
	p := &probe{started: make(chan struct{}, 16), ended: make(chan error, 16), let: make(chan struct{})}
	c := tool.NewCatalog()
	c.Around(func(ctx context.Context, _ string, o tool.Options, next func(context.Context) (tool.Result, error)) (tool.Result, error) {
		p.mu.Lock()
		p.callers, p.sessions = append(p.callers, o.Caller), append(p.sessions, o.Session)
		p.mu.Unlock()
		return next(ctx)
	})
	add := func(d tool.Declaration, handler tool.Handler) {
		d.Description, d.Level, d.Handler = "Test "+d.Name+".", tool.Read, handler
		if d.Profile == "" {
			d.Profile = tool.Core
		}
		if err := c.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	word := tool.Object(tool.String("word", "any").Require(), tool.Integer("count", "times").Clamp(1, 3).WithDefault(1), tool.Boolean("loud", "rare").Rarely())
	add(tool.Declaration{Name: "say_it", Input: word, Output: tool.Object(tool.String("said", "").Require()),
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true}},
		func(_ context.Context, c tool.Call) (tool.Result, error) {
			said := strings.Repeat(c.Args.String("word"), c.Args.Int("count"))
			return tool.Result{Text: "said " + said, Data: map[string]string{"said": said}}, nil
		})
	add(tool.Declaration{Name: "read", Output: tool.Object(tool.String("x", ""))},
		func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: fmt.Sprintf("# Title\n\nwithin %d of %d", c.AnswerChars, c.AnswerBytes), Data: map[string]string{"x": "y"},
				Pictures: []tool.Picture{{MediaType: "image/png", Data: []byte("png")}}}, nil
		})
	add(tool.Declaration{Name: "fail"}, func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{}, tool.NewError(tool.Timeout, "it took too long", "try again")
	})
	add(tool.Declaration{Name: "burst"}, func(context.Context, tool.Call) (tool.Result, error) { panic("secret-canary") })
	add(tool.Declaration{Name: "steps"}, func(_ context.Context, c tool.Call) (tool.Result, error) {
		for _, p := range []tool.Progress{{Message: "one", Done: 5, Total: 10}, {Message: "two", Done: 5, Total: 10}, {Message: "three", Done: 10, Total: 10}} {
			c.Report(p)
		}
		return tool.Result{Text: "done"}, nil
	})
	add(tool.Declaration{Name: "slow"}, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		p.started <- struct{}{}
		select {
		case <-ctx.Done():
		case <-p.let:
		}
		p.ended <- ctx.Err()
		return tool.Result{Text: "slept"}, ctx.Err()
	})
	add(tool.Declaration{Name: "ask"}, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		if c.Model == nil || c.Person == nil {
			return tool.Result{Text: "nobody to ask"}, nil
		}
		first, err := c.Model.Complete(ctx, tool.Question{System: "be short", Text: "first"})
		if err != nil {
			return tool.Result{}, err
		}
		second, err := c.Model.Complete(ctx, tool.Question{Text: "second after " + first})
		if err != nil {
			return tool.Result{}, err
		}
		yes, err := c.Person.Confirm(ctx, "read https://example.com/?")
		return tool.Result{Text: fmt.Sprint(first, " ", second, " ", yes)}, err
	})
	add(tool.Declaration{Name: "go_to", Kind: tool.Browser, Permission: tool.Interactive, Input: tool.Object(tool.String("url", "where to").Require()),
		Aliases: []string{"browser_navigate"}, Variants: []tool.Variant{{Name: "browser_navigate_back", Args: tool.Arguments{"url": "back"}}}},
		func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: "went " + c.Args.String("url")}, nil
		})
	add(tool.Declaration{Name: "also", Profile: tool.Classic, AlsoIn: []tool.Profile{tool.BrowserTools}}, func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Text: "also"}, nil })
	add(tool.Declaration{Name: "hidden", Profile: tool.Classic}, func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Text: "classic"}, nil })
	return Options{Catalog: c, Version: "1.2.3"}, p
}

// serveHTTP returns the address of MCP behind all checks.
func serveHTTP(t *testing.T, o Options) (string, *Server) {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.mcp.close()
		site.CloseClientConnections()
		site.Close()
	})
	return site.URL + "/mcp", s
}

// each runs f for both ways in and both eras.
func each(t *testing.T, o Options, client *mcp.ClientOptions, f func(*testing.T, *mcp.ClientSession)) {
	t.Helper()
	for _, way := range []string{"stdio", "http"} {
		for _, era := range eras {
			t.Run(way+" "+era, func(t *testing.T) {
				c := mcp.NewClient(&mcp.Implementation{Name: "test client", Version: "1"}, client)
				var transport mcp.Transport
				if way == "http" {
					url, _ := serveHTTP(t, o)
					transport = &mcp.StreamableClientTransport{Endpoint: url}
				} else {
					transport = serveStdio(t, o)
				}
				session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
				if err != nil {
					t.Fatal(err)
				}
				if got := session.InitializeResult().ProtocolVersion; got != era {
					t.Fatalf("negotiated %s", got)
				}
				defer session.Close()
				f(t, session)
			})
		}
	}
}

// serveStdio returns a client's end of a server on pipes, which has ended when
// the test has.
func serveStdio(t *testing.T, o Options) mcp.Transport {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Stdio(context.WithoutCancel(t.Context()), in, out, o)
		out.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		// A client that closes may leave an answer unread.
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &mcp.IOTransport{Reader: fromServer, Writer: toServer}
}

func textOf(t *testing.T, r *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) == 0 {
		t.Fatalf("no content in %+v", r)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

func TestMCPTools(t *testing.T) {
	o, _ := fixture(t)
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range list.Tools {
			names = append(names, d.Name)
			ours, _ := o.Catalog.Lookup(d.Name)
			same(t, d.Name+" input", d.InputSchema, ours.Input.Common())
			if d.OutputSchema != nil {
				t.Errorf("%s: output schema %v", d.Name, d.OutputSchema)
			}
			permission := ""
			if ours.Permission == tool.Interactive {
				permission = `,"permission":"interactive"`
			}
			same(t, d.Name+" _meta", d.Meta, json.RawMessage(fmt.Sprintf(`{"dev.spyhop/tool":{"kind":%q,"level":%d%s}}`, ours.Kind, ours.Level, permission)))
			if (d.Annotations.OpenWorldHint == nil) != ours.Annotations.OpenWorld {
				t.Errorf("%s: %+v", d.Name, d.Annotations)
			}
			if d.Annotations.ReadOnlyHint != ours.Annotations.ReadOnly || (d.Annotations.DestructiveHint == nil) != ours.Annotations.ReadOnly {
				t.Errorf("%s: %+v", d.Name, d.Annotations)
			}
		}
		if !slices.IsSorted(names) || slices.Contains(names, "hidden") || len(names) != 9 {
			t.Errorf("listed %v", names)
		}
	})
}

// same compares a value with what it has to be in JSON.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	var values [2]any
	for i, v := range []any{got, want} {
		data, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(data, &values[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if g, w := fmt.Sprint(values[0]), fmt.Sprint(values[1]); g != w {
		t.Errorf("%s: %s, want %s", what, g, w)
	}
}

func TestMCPCalls(t *testing.T) {
	o, p := fixture(t)
	var trouble []string
	o.OnError = func(err error) { trouble = append(trouble, err.Error()) }
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		for _, c := range []struct {
			tool, args string
			text       string // begins so
			failed     bool
		}{
			{"say_it", `{"word":"ho","count":2}`, "said hoho", false},
			{"say_it", `{"word":"ho","count":"9"}`, "said hohoho\nNote: count=9 is out of bounds; 3 was used", false},
			{"say-it", `{"word":"ho"}`, "said ho", false},
			{"SayIt", `{"word":"ho"}`, "said ho", false},
			{"read", `{}`, "# Title\n\nwithin 9500 of 10000", false},
			{"ask", `{}`, "nobody to ask", false},
			{"say_it", `{"wrd":"ho"}`, "argument \"wrd\" is unknown\ndid you mean \"word\"?", true},
			{"say_it", `{}`, "argument \"word\" is missing", true},
			{"say_it", `[1]`, "the arguments are not a JSON object", true},
			{"say_its", `{}`, "tool \"say_its\" is unknown\ndid you mean \"say_it\"?", true},
			{"also", `{}`, "also", false},
			{"go_to", `{"url":"u"}`, "went u", false},
			{"browser_navigate", `{"url":"u"}`, "went u", false},
			{"browser_navigate_back", `{}`, "went back", false},
			{"browser_navigate", `{}`, "argument \"url\" is missing", true},
			{"hidden", `{}`, "tool \"hidden\" is not served here", true},
			{"fail", `{}`, "it took too long\ntry again", true},
			{"burst", `{}`, "internal error ", true},
		} {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.args)})
			if text := textOf(t, r, err); !strings.HasPrefix(text, c.text) || r.IsError != c.failed || strings.Contains(text, "canary") {
				t.Errorf("%s(%s): %v %q", c.tool, c.args, r.IsError, text)
			}
		}
		caller, session := p.last()
		if caller != "mcp:test-client" {
			t.Errorf("caller %q", caller)
		}
		switch {
		case strings.HasSuffix(t.Name(), "/http_"+stateless):
			if session != tool.Stateless {
				t.Errorf("session %q", session)
			}
		case strings.Contains(t.Name(), "/http_"):
			if !strings.HasPrefix(session, "mcp-") || len(session) != 20 || strings.Contains(session, s.ID()) {
				t.Errorf("session %q of %q", session, s.ID())
			}
		case session != "":
			t.Errorf("session %q on stdio", session)
		}
		if !slices.ContainsFunc(trouble, func(s string) bool { return strings.Contains(s, "secret-canary") }) {
			t.Errorf("nobody heard of the panic: %q", trouble)
		}
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "say_it", Arguments: map[string]any{"word": "ho", "loud": true}})
		if said := textOf(t, r, err); said != "said ho" || r.IsError || r.StructuredContent != nil {
			t.Errorf("%q, structured %v", said, r.StructuredContent)
		}
		r, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "read"})
		textOf(t, r, err)
		if image, ok := r.Content[1].(*mcp.ImageContent); r.StructuredContent != nil || !ok || string(image.Data) != "png" || image.MIMEType != "image/png" {
			t.Errorf("%+v", r)
		}
	})
}

// The server declares what it has.
func TestMCPDeclared(t *testing.T) {
	o, _ := fixture(t)
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		c := s.InitializeResult().Capabilities
		if c.Tools == nil || c.Tools.ListChanged || c.Prompts != nil || c.Resources != nil || c.Completions != nil || c.Logging != nil {
			t.Errorf("%+v", c)
		}
	})
}

// What the client said that it can do, tools can use, in a session and without.
func TestMCPQuestions(t *testing.T) {
	o, _ := fixture(t)
	client := &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			question := r.Params.Messages[0].Content.(*mcp.TextContent).Text
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: "[" + question + "]"}}, nil
		},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if r.Params.Message != "read https://example.com/?" {
				return nil, errors.New("another question")
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	}
	each(t, o, client, func(t *testing.T, s *mcp.ClientSession) {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
		if text := textOf(t, r, err); text != "[first] [second after [first]] true" {
			t.Errorf("%q", text)
		}
	})
}

func TestMCPProgress(t *testing.T) {
	o, _ := fixture(t)
	heard := make(chan *mcp.ProgressNotificationParams, 16)
	client := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { heard <- r.Params }}
	each(t, o, client, func(t *testing.T, s *mcp.ClientSession) {
		params := &mcp.CallToolParams{Name: "steps"}
		params.SetProgressToken("token")
		r, err := s.CallTool(t.Context(), params)
		textOf(t, r, err)
		for _, want := range []mcp.ProgressNotificationParams{{Message: "one", Progress: 5, Total: 10}, {Message: "two", Progress: 6, Total: 10}, {Message: "three", Progress: 10, Total: 10}} {
			got := <-heard
			if got.Message != want.Message || got.Progress != want.Progress || got.Total != want.Total || got.ProgressToken != "token" {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	})
}

// A client that gives up, or goes away, ends its call.
func TestMCPCancel(t *testing.T) {
	o, p := fixture(t)
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-p.started
			cancel()
		}()
		if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := <-p.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
	})
}

// In a session too, a connection that breaks ends the call that came over it.
func TestMCPClientGone(t *testing.T) {
	o, p := fixture(t)
	url, _ := serveHTTP(t, o)
	session := initialize(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	r := request(t, ctx, url, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"slow"}}`, sessionHeader, session, versionHeader, eras[0])
	gone := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(r)
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		gone <- err
	}()
	<-p.started
	cancel()
	if err := <-gone; err == nil {
		t.Error("the client had an answer")
	}
	if err := <-p.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
}

// request is a POST as clients send it; header has names and values.
func request(t *testing.T, ctx context.Context, url, body string, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// post returns status, header and body.
func post(t *testing.T, url, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	res, err := http.DefaultClient.Do(request(t, t.Context(), url, body, header...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(data)
}

const initializeBody = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// initialize opens a session and returns its id.
func initialize(t *testing.T, url string) string {
	t.Helper()
	status, header, body := post(t, url, initializeBody)
	if status != 200 || header.Get(sessionHeader) == "" {
		t.Fatalf("%d %s", status, body)
	}
	return header.Get(sessionHeader)
}

func TestMCPBadInput(t *testing.T) {
	o, _ := fixture(t)
	url, _ := serveHTTP(t, o)
	session := initialize(t, url)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + meta + `}}`
	long := strings.Repeat("x", tool.MaxArgumentBytes)
	for _, c := range []struct {
		name, body string
		header     []string
		status     int
		want       string
	}{
		{"no JSON", `{`, nil, 400, `"code":-32700`},
		{"no JSON in a session", `{`, []string{sessionHeader, session}, 400, `"code":-32700`},
		{"no request", `{"a":1}`, nil, 400, `"code":-32600`},
		{"a batch in a session", `[]`, []string{sessionHeader, session, versionHeader, eras[0]}, 400, ""},
		{"neither session nor version", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, nil, 400, `"id":7,"error":{"code":-32600,"message":"neither a session nor a version`},
		{"a session that is none", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, []string{sessionHeader, "x"}, 404, "session not found"},
		{"an old version that never was", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, []string{versionHeader, "2025-01-01"}, 400, `"code":-32022`},
		{"a later version", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{versionHeader, "2099-01-01", "Mcp-Method", "tools/list"}, 400, `"code":-32022`},
		{"a version in the body alone", list, nil, 400, `"code":-32020`},
		{"a version in the header alone", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, []string{versionHeader, stateless, "Mcp-Method", "tools/list"}, 400, `"code":-32602`},
		{"two versions", list, []string{versionHeader, "2026-07-29", "Mcp-Method", "tools/list"}, 400, `"code":-32020`},
		{"another method in the header", list, []string{versionHeader, stateless, "Mcp-Method", "tools/call"}, 400, `"code":-32020`},
		{"a session beside the later version", list, []string{versionHeader, stateless, "Mcp-Method", "tools/list", sessionHeader, "x"}, 200, `"name":"say_it"`},
		{"initialize in the later era", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{` + meta + `}}`, []string{versionHeader, stateless, "Mcp-Method", "initialize"}, 404, `"code":-32601`},
		{"a method that is none", `{"jsonrpc":"2.0","id":7,"method":"tools/burn","params":{` + meta + `}}`, []string{versionHeader, stateless, "Mcp-Method", "tools/burn"}, 404, `"code":-32601`},
		{"an unknown tool in the later era", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say_its",` + meta + `}}`,
			[]string{versionHeader, stateless, "Mcp-Method", "tools/call", "Mcp-Name", "say_its"}, 200, `"resultType":"complete"`},
		{"a body of another type", `x=y`, []string{sessionHeader, session, "Content-Type", "text/plain"}, 400, ""},
		{"arguments of 1 MB", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say_it","arguments":{"word":"` + long + `"}}}`,
			[]string{sessionHeader, session}, 200, "the arguments are longer than 1048576 bytes"},
		{"a body of 2 MB", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say_it","arguments":{"word":"` + long + long + `"}}}`,
			[]string{sessionHeader, session}, 413, ""},
		{"a page of another site", list, []string{"Origin", "https://evil.example"}, 403, ""},
		{"a name bound to this machine", list, []string{"Host", "evil.example"}, 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, t.Context(), url, c.body, c.header...)
			r.Host = r.Header.Get("Host")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != c.status || !strings.Contains(string(body), c.want) {
				t.Errorf("%d %.300s, want %d with %s", res.StatusCode, body, c.status, c.want)
			}
		})
	}
	if status, _, body := post(t, url, `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, sessionHeader, session); status != 200 || !strings.Contains(body, "say_it") {
		t.Errorf("the session does not go on: %d %s", status, body)
	}
}

// Sessions have a bound, end when they are idle, and when they are told to.
func TestMCPSessions(t *testing.T) {
	o, _ := fixture(t)
	o.MaxSessions = 2
	url, server := serveHTTP(t, o)
	first := initialize(t, url)
	initialize(t, url)
	status, header, body := post(t, url, initializeBody)
	if status != 503 || header.Get("Retry-After") == "" || !strings.Contains(body, "too many sessions") {
		t.Errorf("a third: %d %s", status, body)
	}
	r := request(t, t.Context(), url, "", sessionHeader, first)
	r.Method = http.MethodDelete
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if status, _, _ := post(t, url, `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, sessionHeader, first); res.StatusCode != 204 || status != 404 {
		t.Errorf("deleted with %d, then %d", res.StatusCode, status)
	}
	initialize(t, url)
	server.SetLimits(Options{MaxSessions: 3})
	initialize(t, url)
	if status, _, body := post(t, url, initializeBody); status != 503 {
		t.Errorf("a fourth: %d %s", status, body)
	}
	server.mcp.close()
	if n := server.mcp.count(); n != 0 {
		t.Errorf("%d sessions after the end", n)
	}

	o.SessionIdle = time.Millisecond
	url, server = serveHTTP(t, o)
	initialize(t, url)
	for s := range server.mcp.server.Sessions() {
		_ = s.Wait() // hangs where idle sessions do not end
	}
	if n := server.mcp.count(); n != 0 {
		t.Errorf("%d idle sessions", n)
	}
}

// pages is tool.Versions.
type pages []tool.Version

func (p pages) Recent(_ context.Context, n int) []tool.Version { return p[:min(n, len(p))] }

func (p pages) Version(_ context.Context, hash string, _ tool.Options) (tool.Version, error) {
	i := slices.IndexFunc(p, func(v tool.Version) bool { return v.Hash == hash })
	switch {
	case hash == "refused":
		return tool.Version{}, tool.NewError(tool.Blocked, "the policy does not allow it", "")
	case i < 0:
		return tool.Version{}, tool.NewError(tool.NoContent, "not stored", "")
	}
	return p[i], nil
}

func TestMCPResources(t *testing.T) {
	o, _ := fixture(t)
	o.Versions = pages{{Hash: "ab12", URL: "https://example.com/a", Seen: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Text: "# A"}}
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		list, err := s.ListResources(t.Context(), nil)
		if err != nil || len(list.Resources) != 1 {
			t.Fatalf("%v %+v", err, list)
		}
		r := list.Resources[0]
		if r.URI != "spyhop://version/ab12" || r.Name != "https://example.com/a" || r.Annotations.LastModified != "2026-01-02T03:04:05Z" {
			t.Errorf("%+v", r)
		}
		read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		text := read.Contents[0].Text
		begin := "Contents of https://example.com/a as of 2026-01-02T03:04:05Z:\n\n<untrusted text "
		if boundary, rest, ok := strings.Cut(strings.TrimPrefix(text, begin), ">\n"); !strings.HasPrefix(text, begin) || !ok || len(boundary) < 6 ||
			rest != "# A\n</"+boundary+">" {
			t.Errorf("%s", text)
		}
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://version/none"}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%v", err)
		}
		if t, err := s.ListResourceTemplates(t.Context(), nil); err != nil || len(t.ResourceTemplates) != 1 {
			panic(fmt.Sprint(t, err))
		}
	})
}

// TestMCPManyResources: the list has the newest versions that have room in an
// answer, and a long address is cut where it stands outside of the fence.
func TestMCPManyResources(t *testing.T) {
	o, _ := fixture(t)
	var many pages
	for i := range 60 {
		many = append(many, tool.Version{Hash: fmt.Sprint("ab", i), URL: "https://example.com/" + strings.Repeat("é/", 5000), Text: "# A"})
	}
	o.Versions = many
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		list, err := s.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(list)
		if n := len(list.Resources); err != nil || len(data) >= 10_000 || n < 15 || list.Resources[n-1].URI != fmt.Sprintf("spyhop://version/ab%d", n-1) {
			t.Errorf("%d versions in %d bytes, %v", n, len(data), err)
		}
		read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://version/ab7"})
		if err != nil || len(read.Contents[0].Text) > 600 || !utf8.ValidString(read.Contents[0].Text) {
			t.Errorf("%v %.700v", err, read)
		}
	})
}

// The whole text has 10,000 bytes where the operator's window is smaller, and
// more where it is larger.
func TestMCPAnswerBytes(t *testing.T) {
	for chars, want := range map[int]string{0: "within 9500 of 10000", 300: "within 300 of 10000", 50_000: "within 50000 of 50500"} {
		o, _ := fixture(t)
		o.AnswerChars = chars
		each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "read"})
			if got := textOf(t, r, err); !strings.Contains(got, want) {
				t.Errorf("%d: %q, want %q", chars, got, want)
			}
		})
	}
}

// A long message leaves room for the hint, and for what clients show.
func TestMCPLongError(t *testing.T) {
	r := failure(tool.NewError(tool.HTTPError, strings.Repeat("é", 20_000), "try another"), nil)
	text := r.Content[0].(*mcp.TextContent).Text
	if len(text) > 5_000 || !utf8.ValidString(text) || !strings.HasSuffix(text, "left out, since the answer was too long\ntry another") || !r.IsError {
		t.Errorf("%d bytes, %.40q", len(text), text)
	}
}

// TestMCPNotices: a page that contains the text of a notice does not suppress it.
func TestMCPNotices(t *testing.T) {
	const n = "max_results was 99; 50 is the most"
	for name, text := range map[string]string{"plain": "Note: " + n, "in the fence": tool.Fence("Note: " + n + "\nmore"), "before the end": "a\nNote: " + n + "\nb"} {
		if got := noted(text, []string{n}); got != text+"\nNote: "+n {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestMCPUnlisted: the default list has crawl and not google_search, which is accepted all
// the same; the error about a tool that is not served names its profile.
func TestMCPUnlisted(t *testing.T) {
	o := Options{Catalog: tool.NewCatalog()}
	for name, p := range map[string]tool.Profile{"web_search": tool.Core, "web_crawl": tool.Crawl, "web_browse": tool.Classic, "google_search": tool.Classic} {
		d := tool.Declaration{Name: name, Title: name, Description: "A tool.", Level: tool.Read, Profile: p, Input: tool.Object(),
			Handler: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Text: "from " + name}, nil }}
		if p == tool.Classic && name == "google_search" {
			d.AlsoIn = []tool.Profile{tool.BrowserTools}
		}
		if err := o.Catalog.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	each(t, o, nil, func(t *testing.T, s *mcp.ClientSession) {
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range list.Tools {
			names = append(names, d.Name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != "web_crawl web_search" {
			t.Errorf("listed %s", got)
		}
		for name, want := range map[string]string{"google_search": "from google_search", "web_crawl": "from web_crawl", "web_browse": "--tools classic"} {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
			if err != nil || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, want) {
				t.Errorf("%s: %+v %v", name, r, err)
			}
		}
	})
}
