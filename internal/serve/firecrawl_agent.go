package serve

import (
	"context"
	"encoding/json"
	"net/http"
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
		"webhook":   {nil, "poll the state"},
		"model":     {nil, "the operator chooses the model"},
		"threadId":  {nil, "each run is independent; put earlier results into the prompt"},
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
	).with(map[string]fixed{
		"mode": {[]string{`"extract"`}, "a run gives data"},
	})
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
	if kind == "extract" && (len(urls) == 0 || o.args.String("prompt") == "" && args["schema"] == nil) {
		return nil, tool.NewError(tool.InvalidInput, "extract needs urls, and a prompt or a schema", "use /v2/agent where the pages are not known")
	}
	if o.args.Bool("strictConstrainToURLs") {
		hosts := hostsOf(urls)
		if len(hosts) == 0 {
			return nil, tool.NewError(tool.InvalidInput, "strictConstrainToURLs needs urls", "give them with https://")
		}
		args["domains"] = hosts
	}
	return args, nil
}

func hostsOf(urls []string) (hosts []string) {
	for _, raw := range urls {
		if u, err := weburl.ParseLenient(raw); err == nil && u.Host() != "" {
			hosts = append(hosts, u.Host())
		}
	}
	return hosts
}

// startAnswer answers the POST of both.
func (s *Server) startAnswer(w http.ResponseWriter, r *http.Request, kind string, form options) {
	s.firecrawl(w, r, form, func(_ context.Context, o given) (any, error) {
		args, e := answerArguments(kind, o)
		if e != nil {
			return nil, e
		}
		sources := o.args.Bool("showSources")
		t, e := s.begin(r, kind, func(ctx context.Context, t *task) error {
			a, err := typed[result.Answer](ctx, s, answerTool, args)
			if err != nil {
				return err
			}
			data := a.Data
			if data == nil {
				data, _ = json.Marshal(map[string]string{"answer": a.Text}) // it has only text
			}
			out := map[string]any{"data": data, "evidence": a.Evidence, "citations": a.Citations}
			if sources {
				out["sources"] = a.Read
			}
			t.mu.Lock()
			defer t.mu.Unlock()
			t.value = out
			return nil
		})
		if e != nil {
			return nil, e
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.asked = o.args
		return map[string]any{"success": true, "id": t.id}, nil
	})
}

// listAnswers answers GET /v2/agent: the runs of the caller that are kept, the latest first.
func (s *Server) listAnswers(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(context.Context) (any, error) {
		before, e := number(r, "before", 1<<62, 0, 1<<62)
		if e != nil {
			return nil, e
		}
		list := []map[string]any{}
		for _, t := range s.tasks.of(principalOf(r), "agent") {
			t.mu.Lock()
			if t.began.UnixMilli() < before {
				list = append(list, map[string]any{"id": t.id, "createdAt": t.began.UTC().Format(time.RFC3339), "targetHint": text.Cut(t.asked.String("prompt"), 100), "origin": "api", "status": t.firecrawlState(),
					"settings": map[string]any{"hidden": false, "starred": false}, "options": map[string]any{"prompt": t.asked.String("prompt"), "urls": t.asked.Strings("urls"), "effort": t.asked.String("effort")}})
			}
			t.mu.Unlock()
		}
		return map[string]any{"success": true, "agents": list}, nil
	})
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
	if members, ok := t.value.(map[string]any); ok {
		for name, value := range members {
			out[name] = value
		}
	}
	if t.err != nil {
		out["success"], out["error"] = false, t.err.Text()
	}
	s.answerJSON(w, r, http.StatusOK, out)
}
