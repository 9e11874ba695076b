package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// POST /v2/agent and /v2/extract start a question with web_answer in the background:
// agent with the depth deep, extract over the given URLs. A schema gives data of its
// form; without one, data has the member answer.

const (
	agentPath   = firecrawlPath + "agent"
	extractPath = firecrawlPath + "extract"
)

func answerOptions(more ...tool.Property) options {
	return takes(append(more, tool.Array("urls", "pages to begin with, at most 12", tool.Text()), tool.Map("schema", "a JSON Schema for data"))...).with(map[string]fixed{
		"model":     {nil, "the operator chooses the model"},
		"exchange":  {nil, "this server does not have it"},
		"redactPII": {[]string{"false"}, "this server does not have it"},
	})
}

func agentOptions() options {
	return answerOptions(
		tool.String("prompt", "what to find out").Require(),
		tool.Integer("maxCredits", "a run costs none; POST /v1/answer bounds money").AtLeast(1),
		tool.Boolean("strictConstrainToURLs", "true: only the hosts of urls").WithDefault(false),
		tool.String("effort", "low makes one search; medium and high search and fetch in turns").OneOf("low", "medium", "high").WithDefault("medium"),
		tool.String("mode", "chat answers in text, as message; extract gives data").OneOf("extract", "chat").WithDefault("extract"),
		tool.String("threadId", "an earlier run, with which this one goes on"),
		tool.Member("webhook", "an address, or an object with url, events and metadata, that is told how the run goes", tool.Schema{}),
	).audited()
}

func extractOptions() options {
	return answerOptions(
		tool.String("prompt", "what to find on the pages"),
		tool.String("systemPrompt", "comes before the prompt"),
		tool.Boolean("enableWebSearch", "true searches the web beside urls").WithDefault(false),
		tool.Boolean("showSources", "adds the pages that were read").WithDefault(false),
		tool.Boolean("ignoreInvalidURLs", "invalid URLs are always reported by the pages").WithDefault(true),
	).with(map[string]fixed{
		"allowExternalLinks": {[]string{"false"}, "no links are followed"},
		"scrapeOptions":      {[]string{"{}"}, "pages are read as /v2/scrape reads them without options"},
		"agent":              {nil, "use /v2/agent"},
	})
}

// answerArguments are those of web_answer.
func answerArguments(kind string, o given) (map[string]any, *tool.Error) {
	urls := o.args.Strings("urls")
	args := map[string]any{"question": o.args.String("prompt"), "depth": "quick"}
	if system := o.args.String("systemPrompt"); system != "" {
		args["question"] = strings.TrimSpace(system + "\n\n" + o.args.String("prompt"))
	}
	if args["question"] == "" {
		args["question"] = "Extract the values of the schema from these pages."
	}
	if schema, ok := o.args["schema"].(map[string]any); ok {
		args["schema"] = schema
	}
	if len(urls) > 0 {
		args["urls"] = urls
	}
	if kind == "agent" && o.args.String("effort") != "low" || o.args.Bool("enableWebSearch") {
		args["depth"] = "deep"
	}
	if i := slices.IndexFunc(urls, func(u string) bool { return strings.Contains(u, "*") }); i >= 0 {
		return nil, tool.NewError(tool.InvalidInput, "the URL "+quoted(urls[i])+" is a pattern, which is unsupported here", "name the pages, or use POST /v1/extracts, which takes patterns")
	}
	if kind == "extract" && (len(urls) == 0 || o.args.String("prompt") == "" && args["schema"] == nil) {
		return nil, tool.NewError(tool.InvalidInput, "extract needs urls, and a prompt or a schema", "use /v2/agent where the pages are not known")
	}
	if o.args.Bool("strictConstrainToURLs") {
		var hosts []string
		for _, raw := range urls {
			if u, err := weburl.ParseLenient(raw); err == nil && u.Host() != "" {
				hosts = append(hosts, u.Host())
			}
		}
		if len(hosts) == 0 {
			return nil, tool.NewError(tool.InvalidInput, "strictConstrainToURLs needs urls", "give them with https://")
		}
		args["domains"] = hosts
	}
	return args, nil
}

// agentEvents are those of the webhook of a run.
var agentEvents = []string{"started", "completed", "failed", "cancelled"}

// mostThread bounds what a run is told of earlier ones, in bytes: a question has at most 8,000.
const mostThread = 5000

// before is what earlier runs of a thread were asked and have said, the latest ones.
func before(thread []*task) (said string) {
	for _, t := range slices.Backward(thread) {
		t.mu.Lock()
		one := fmt.Sprintf("Earlier question: %s\nIts answer: %s\n\n", t.asked.String("prompt"), t.said)
		t.mu.Unlock()
		if len(said)+len(one) > mostThread {
			break
		}
		said = one + said
	}
	return said
}

// thread are the runs of a thread, the first one first; none for "".
func (s *tasks) thread(owner, id string) []*task {
	all := s.those(owner, func(t *task) bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.kind == "agent" && id != "" && t.thread == id
	})
	slices.Reverse(all)
	return all
}

// teller returns what tells the webhook of a run about an event, in a goroutine that ends with
// the server or after the last event (without a run, none comes); the secret is that of the signatures.
func (s *Server) teller(ctx context.Context, o given) (tell func(t *task, event string), secret string, err error) {
	url, hook, e := o.webhook(agentEvents)
	switch {
	case e != nil:
		return nil, "", e
	case url == "":
		return func(*task, string) {}, "", nil
	case s.o.Tell == nil:
		return nil, "", tool.NewError(tool.InvalidInput, "this server sends no webhooks of answers", "poll the state")
	}
	if secret, err = s.o.Tell(ctx, url, "", nil); err != nil {
		return nil, "", err
	}
	events := make(chan map[string]any, len(agentEvents))
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(s.leaving, stop)
	s.running.Go(func() {
		defer stop()
		for body := range events {
			_, _ = s.o.Tell(ctx, url, fmt.Sprint(body["webhookId"]), body) // it is tried for 85 minutes
		}
	})
	return func(t *task, event string) {
		if t != nil && (len(hook.Events) == 0 || slices.Contains(hook.Events, event)) {
			body := map[string]any{"success": t.err == nil, "type": "agent." + event, "id": t.id, "webhookId": t.id + "-" + event, "data": []any{}, "metadata": hook.Metadata, "timestamp": time.Now().UTC()}
			if t.answer != nil {
				body["data"] = []any{t.answer}
			}
			if t.err != nil {
				body["error"] = t.err.Text()
			}
			events <- body
		}
		if event != "started" {
			close(events)
		}
	}, secret, nil
}

// startAnswer answers the POST of both.
func (s *Server) startAnswer(ctx context.Context, r *http.Request, o given, kind string) (any, error) {
	args, e := answerArguments(kind, o)
	if e != nil {
		return nil, e
	}
	thread := s.tasks.thread(principalOf(r), o.args.String("threadId"))
	if len(thread) == 0 && o.args.String("threadId") != "" {
		return nil, tool.NewError(tool.InvalidInput, "the thread "+quoted(o.args.String("threadId"))+" is not known", "runs are forgotten an hour after their end")
	}
	args["question"] = before(thread) + args["question"].(string)
	tell, secret, err := s.teller(ctx, o)
	if err != nil {
		return nil, err
	}
	t, e := s.begin(r, kind, func(ctx context.Context, t *task) error {
		tell(t, "started")
		t.atEnd = func() { tell(t, t.state()) }
		a, err := typed[result.Answer](o.by(ctx), s, answerTool, args)
		if err != nil {
			return err
		}
		value := map[string]any{"evidence": a.Evidence, "citations": a.Citations}
		switch {
		case a.Data != nil:
			value["data"] = a.Data
		case o.args.String("mode") == "chat":
			value["message"] = a.Text
		default:
			raw, err := json.Marshal(map[string]string{"answer": a.Text}) // it has only text
			if value["data"] = json.RawMessage(raw); err != nil {
				return err
			}
		}
		if o.args.Bool("showSources") {
			value["sources"] = a.Read
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.answer, t.said = value, cmp.Or(string(a.Data), a.Text)
		return nil
	})
	if e != nil {
		tell(nil, "")
		return nil, e
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked, t.thread, t.turn = o.args, t.id, len(thread)+1
	if len(thread) > 0 {
		t.thread = thread[0].thread
	}
	return map[string]any{"success": true, "id": t.id, "threadId": t.thread, "threadTurn": t.turn, "webhookSecret": secret}, nil
}

// listAnswers answers GET /v2/agent: the runs of the caller that are kept, the latest first.
func (s *Server) listAnswers(_ context.Context, r *http.Request) (any, error) {
	before, e := number(r, "before", 1<<62, 0, 1<<62)
	if e != nil {
		return nil, e
	}
	list := []map[string]any{}
	for _, t := range s.tasks.those(principalOf(r), func(t *task) bool { return t.kind == "agent" }) {
		t.mu.Lock()
		if t.began.UnixMilli() < before {
			list = append(list, map[string]any{"id": t.id, "createdAt": t.began.UTC().Format(time.RFC3339), "targetHint": text.Cut(t.asked.String("prompt"), 100), "origin": "api", "status": t.firecrawlState(),
				"settings": map[string]any{"hidden": false, "starred": false}, "options": map[string]any{"prompt": t.asked.String("prompt"), "urls": t.asked.Strings("urls"), "effort": t.asked.String("effort")}})
		}
		t.mu.Unlock()
	}
	return map[string]any{"success": true, "agents": list}, nil
}

// firecrawlState is the state of a run as Firecrawl has it. t.mu is held.
func (t *task) firecrawlState() string {
	if state := t.state(); state != "running" {
		return state
	}
	return "processing"
}

// firecrawlAnswer answers with the state of a run, or ends it.
func (s *Server) firecrawlAnswer(w http.ResponseWriter, r *http.Request, kind string) {
	t, e := s.tasks.find(r, kind)
	if e != nil {
		refuse(w, r, http.StatusNotFound, e)
		return
	}
	if r.Method == http.MethodDelete {
		t.stop()
		s.answerJSON(w, r, http.StatusOK, map[string]any{"success": true})
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]any{"success": true, "status": t.firecrawlState(), "creditsUsed": 0, "expiresAt": t.began.Add(taskTime + taskKept).UTC().Format(time.RFC3339)}
	if kind == "agent" {
		out["threadId"], out["threadTurn"], out["mode"] = t.thread, t.turn, t.asked.String("mode")
	}
	maps.Copy(out, t.answer)
	if t.err != nil {
		out["success"], out["error"] = false, t.err.Text()
	}
	s.answerJSON(w, r, http.StatusOK, out)
}

// answerRoutes are the paths of both.
func (s *Server) answerRoutes() []route {
	start := func(kind string, form options) endpoint {
		return endpoint{handler: s.takes(form, func(ctx context.Context, r *http.Request, o given) (any, error) {
			return s.startAnswer(ctx, r, o, kind)
		})}
	}
	one := func(kind string) endpoint {
		return endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, kind) }}
	}
	return []route{
		{path: extractPath, post: start("extract", extractOptions())},
		{path: extractPath + "/{id}", get: one("extract")},
		{path: agentPath, get: endpoint{handler: s.replies(s.listAnswers)}, post: start("agent", agentOptions())},
		{path: agentPath + "/{id}", get: one("agent"), deletes: one("agent")},
	}
}
