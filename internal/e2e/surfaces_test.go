package e2e_test

import (
	"bytes"
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

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/tool"
)

// request is a call of a tool, whichever surface takes it.
type request struct {
	tool string
	args map[string]any
}

func fetching(url string, more ...any) request {
	args := map[string]any{"url": url}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return request{"web_fetch", args}
}

func browsing(url string) request { return request{"web_browse", map[string]any{"url": url}} }

func (q request) json() string {
	data, _ := json.Marshal(q.args) // texts, numbers and booleans
	return string(data)
}

// outcome is the answer of a surface to a call.
type outcome struct {
	text    string         // what its reader reads: the answer, or the error
	object  map[string]any // the object for programs; nil where the surface has none
	failure *tool.Error    // nil on success; its Type is empty on surfaces of text only
	exit    int            // exit status; -1 for a surface without a process
	status  int            // of HTTP; 0 where there is none
}

// The surfaces, in the order of the table of SPEC section 8.
const (
	byCommand = "command"
	byCall    = "call"
	byStdio   = "mcp stdio"
	bySession = "mcp session"
	bySingle  = "mcp stateless"
	byREST    = "rest"
	byGo      = "go"
	byAgent   = "agent"
	byPlan    = "plan"
)

var surfaces = []string{byCommand, byCall, byStdio, bySession, bySingle, byREST, byGo, byAgent, byPlan}

// forModels are the surfaces whose reader is a language model.
func forModels(surface string) bool {
	switch surface {
	case byStdio, bySession, bySingle, byAgent:
		return true
	}
	return false
}

// on makes a call on one surface.
func (w *world) on(surface string, q request) (outcome, error) {
	switch surface {
	case byCommand:
		args, ok := commandLine(q)
		if !ok {
			return outcome{}, fmt.Errorf("there is no command for %s", q.tool)
		}
		return w.process(surface, "", args)
	case byCall:
		return w.process(surface, "", []string{"call", q.tool, q.json()})
	case byPlan:
		return w.planned(q)
	case byStdio:
		s, err := w.onStdio()
		return calledOver(s, err, q)
	case bySession:
		s, err := w.overHTTP(withSession)
		return calledOver(s, err, q)
	case bySingle:
		s, err := w.overHTTP(withoutSession)
		return calledOver(s, err, q)
	case byREST:
		return w.posted(q)
	case byGo:
		return w.inGo(q)
	case byAgent:
		return w.asked(q)
	}
	return outcome{}, errors.New("there is no such surface")
}

// answers is what each surface said of a call.
type answers struct {
	outcomes []outcome
	errs     []error // errNone: this surface does not have the call
}

// everySurface makes a call on all surfaces that have it, at the same time.
func (w *world) everySurface(q request) answers {
	a := answers{make([]outcome, len(surfaces)), make([]error, len(surfaces))}
	var all sync.WaitGroup
	for i, s := range surfaces {
		if _, ok := commandLine(q); s == byCommand && !ok {
			a.errs[i] = errNone
			continue
		}
		all.Go(func() { a.outcomes[i], a.errs[i] = w.on(s, q) })
	}
	all.Wait()
	return a
}

// check runs look on each answer in order, in a subtest.
func (a answers) check(t *testing.T, look func(t *testing.T, surface string, o outcome)) {
	t.Helper()
	for i, s := range surfaces {
		if errors.Is(a.errs[i], errNone) {
			continue
		}
		t.Run(s, func(t *testing.T) {
			if a.errs[i] != nil {
				t.Fatal(a.errs[i])
			}
			look(t, s, a.outcomes[i])
		})
	}
}

// everywhere makes a call on all surfaces and looks at each answer.
func (w *world) everywhere(t *testing.T, q request, look func(t *testing.T, surface string, o outcome)) {
	t.Helper()
	w.everySurface(q).check(t, look)
}

var errNone = errors.New("this surface does not have it")

// commandLine is the command for a call, where there is one.
func commandLine(q request) ([]string, bool) {
	words := map[string]string{"web_fetch": "fetch", "web_browse": "browse", "web_search": "search", "take_web_screenshot": "screenshot", "save_page_as_pdf": "pdf"}
	name, ok := words[q.tool]
	if !ok {
		return nil, false
	}
	args := []string{name}
	for _, key := range []string{"url", "query"} {
		if v, given := q.args[key]; given && (key == "url" || q.tool == "web_search") {
			args = append(args, fmt.Sprint(v))
		}
	}
	for key, v := range q.args {
		switch {
		case key == "url", key == "query" && q.tool == "web_search":
		case key == "images": // the command's is their absence
			if v == false {
				args = append(args, "--no-images")
			}
		case key == "timeout_ms":
			args = append(args, "--timeout", fmt.Sprint(v)+"ms")
		case v == true:
			args = append(args, "--"+strings.ReplaceAll(key, "_", "-"))
		default:
			args = append(args, "--"+strings.ReplaceAll(key, "_", "-")+"="+fmt.Sprint(v))
		}
	}
	return args, true
}

// runTwice runs the program as a person reads it and with --json, at the same
// time.
func (w *world) runTwice(part, stdin string, args ...string) (plain, structured ran) {
	var both sync.WaitGroup
	both.Go(func() { plain = w.runAs(part, stdin, args...) })
	both.Go(func() { structured = w.runAs(part, stdin, append(slices.Clone(args), "--json")...) })
	both.Wait()
	return plain, structured
}

// process runs a command; part names its data folder.
func (w *world) process(part, stdin string, args []string) (outcome, error) {
	plain, structured := w.runTwice(part, stdin, args...)
	o := outcome{text: plain.stdout, exit: plain.exit}
	if structured.exit != plain.exit {
		return o, fmt.Errorf("exit status %d, and %d with --json\n%s%s", plain.exit, structured.exit, plain.stderr, structured.stderr)
	}
	if err := json.Unmarshal([]byte(structured.stdout), &o.object); err != nil {
		return o, fmt.Errorf("--json: %w in %q; stderr %q", err, structured.stdout, structured.stderr)
	}
	if o.object["error"] == true {
		o.failure = new(tool.Error)
		if err := json.Unmarshal([]byte(structured.stdout), o.failure); err != nil {
			return o, err
		}
		o.text = strings.TrimSuffix(plain.stderr, "\n")
		if plain.stdout != "" {
			return o, fmt.Errorf("stdout of a failure: %q", plain.stdout)
		}
	}
	return o, nil
}

// planned runs a plan of one step.
func (w *world) planned(q request) (outcome, error) {
	data, err := json.Marshal(map[string]any{"steps": []any{map[string]any{"id": "s1", "tool": q.tool, "args": q.args}}})
	if err != nil {
		return outcome{}, err
	}
	plain, structured := w.runTwice(byPlan, string(data), "plan", "run", "-")
	o := outcome{text: plain.stdout, exit: plain.exit}
	if structured.exit != plain.exit {
		return o, fmt.Errorf("exit status %d, and %d with --json", plain.exit, structured.exit)
	}
	var refused struct {
		Problems []struct{ Message, Hint string }
	}
	if json.Unmarshal([]byte(structured.stdout), &refused) == nil && len(refused.Problems) > 0 { // before it ran
		o.failure = tool.NewError(tool.InvalidInput, refused.Problems[0].Message, refused.Problems[0].Hint)
		return o, nil
	}
	var all struct {
		Steps []struct {
			Result any
			Error  *tool.Error
		}
	}
	if err := json.Unmarshal([]byte(structured.stdout), &all); err != nil || len(all.Steps) != 1 {
		return o, fmt.Errorf("--json: %v in %q; stderr %q", err, structured.stdout, structured.stderr)
	}
	switch r := all.Steps[0].Result.(type) {
	case map[string]any:
		o.object = r
	case string:
		o.object = map[string]any{"result": r}
	}
	if o.failure = all.Steps[0].Error; o.failure != nil {
		o.text = strings.TrimSuffix(plain.stderr, "\n")
		o.failure.Message = strings.TrimPrefix(o.failure.Message, "step s1: ")
	}
	return o, nil
}

func calledOver(s *mcp.ClientSession, err error, q request) (outcome, error) {
	if err != nil {
		return outcome{}, err
	}
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: q.tool, Arguments: q.args})
	if err != nil {
		return outcome{}, err
	}
	o := outcome{exit: -1}
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			o.text += text.Text
		}
	}
	if r.IsError {
		o.failure = textError(o.text)
	}
	return o, nil
}

// textError is an error of which only the text is known.
func textError(text string) *tool.Error {
	message, hint, _ := strings.Cut(text, "\n")
	return &tool.Error{Message: message, Hint: hint}
}

// posted calls a tool over plain HTTP.
func (w *world) posted(q request) (outcome, error) {
	url, err := w.url()
	if err != nil {
		return outcome{}, err
	}
	r, err := http.Post(url+"/v1/tools/"+q.tool, "application/json", strings.NewReader(q.json()))
	if err != nil {
		return outcome{}, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{exit: -1, status: r.StatusCode}
	if err := json.Unmarshal(body, &o.object); err != nil {
		return o, fmt.Errorf("%d %s: %w", r.StatusCode, body, err)
	}
	if o.object["error"] == true {
		if kind := r.Header.Get("Content-Type"); kind != "application/problem+json" {
			return o, fmt.Errorf("an error of type %s", kind)
		}
		o.failure = new(tool.Error)
		err = json.Unmarshal(body, o.failure)
		o.text = o.failure.Text()
		return o, err
	}
	for _, member := range []string{"markdown", "content", "result"} {
		if s, ok := o.object[member].(string); ok && s != "" {
			o.text = s
			break
		}
	}
	return o, nil
}

// inGo calls a tool through the library.
func (w *world) inGo(q request) (outcome, error) {
	client, err := w.library()
	if err != nil {
		return outcome{}, err
	}
	defer client.Close()
	o := outcome{exit: -1}
	r, err := client.Call(context.Background(), q.tool, json.RawMessage(q.json()), spyhop.CallOptions{})
	if err != nil {
		if !errors.As(err, &o.failure) {
			return o, fmt.Errorf("not an error of ours: %w", err)
		}
		o.text = o.failure.Text()
		return o, nil
	}
	o.text = r.Text
	if r.Data == nil {
		return o, nil
	}
	data, err := json.Marshal(r.Data)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(data, &o.object)
}

// asked has a scripted model make the call, and gives what that model reads.
func (w *world) asked(q request) (outcome, error) {
	o := outcome{}
	said, r, err := w.ask([]demosite.Turn{{Tool: q.tool, Args: q.json()}, {Text: "That is what the page says."}}, "--tools", q.tool, "--json", "What does the page say?")
	if err != nil {
		return o, err
	}
	o.exit = r.exit
	if err := json.Unmarshal([]byte(r.stdout), &o.object); err != nil {
		return o, fmt.Errorf("%w in %q; stderr %q", err, r.stdout, r.stderr)
	}
	if len(said) != 1 {
		return o, fmt.Errorf("the model read %d results", len(said))
	}
	o.text = said[0]
	if kind, text, ok := strings.Cut(o.text, ": "); ok && tool.ErrorType(kind).Valid() {
		o.failure = textError(text)
		o.failure.Type = tool.ErrorType(kind)
	}
	return o, nil
}

// ask runs spyhop ask with a model that says these turns. It returns what the
// model was given of its calls.
func (w *world) ask(turns demosite.Turns, args ...string) ([]string, ran, error) {
	var mu sync.Mutex
	var said []string
	var bad error
	model := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var q struct {
			Messages []struct {
				Role    string
				Content any
			}
		}
		if err == nil {
			err = json.Unmarshal(body, &q)
		}
		mu.Lock()
		said, bad = nil, err
		for _, m := range q.Messages {
			if m.Role == "tool" {
				said = append(said, fmt.Sprint(m.Content))
			}
		}
		mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		turns.ServeHTTP(rw, r)
	}))
	defer model.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	c := w.command(ctx, byAgent, append([]string{"ask"}, args...)...)
	c.Env = append(c.Env, "WEB_MODEL=openai/scripted", "OPENAI_API_KEY=sk-test-test", "WEB_MODEL_URL="+model.URL+"/v1")
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run() // the exit status says it
	mu.Lock()
	defer mu.Unlock()
	return said, ran{out.String(), errs.String(), c.ProcessState.ExitCode()}, bad
}

// newModel is a scripted model until the test ends; it returns its address.
func newModel(t testing.TB, turns demosite.Turns) string {
	t.Helper()
	s := httptest.NewServer(turns)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}
