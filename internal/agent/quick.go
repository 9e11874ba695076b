package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file answers with one search, one fetch of its first results, and one request to
// the model. The model may be that of a client, which answers between two calls of the
// tool: the same pages make the same request.

const (
	// quickPages is the number of results that are fetched, quickTokens what the model
	// reads of them, and dataTokens what it reads of their data for a schema.
	quickPages, quickTokens, dataTokens = 5, 6000, 3000
	// quickResults is the number of results of the search: some cannot be fetched.
	quickResults = 8
)

// quick finds pages, fetches them and has the model answer.
func (r *run) quick(ctx context.Context) error {
	urls := r.q.URLs
	for _, word := range strings.Fields(r.q.Question) { // a question can name its pages
		word = strings.Trim(word, `.,;:!?()[]<>{}"'“”‘’`+"`")
		if strings.Contains(word, "://") && len(urls) < mostURLs && !slices.Contains(urls, word) {
			urls = append(urls, word)
		}
	}
	var failed error
	if len(urls) == 0 {
		failed = r.make(ctx, "web_search", map[string]any{"query": searchWords(r.q.Question), "max_results": quickResults})
		urls = r.found[:min(len(r.found), quickPages)]
	}
	if len(urls) > 0 {
		room := min(quickTokens, max((r.left()-r.q.MaxTokens)/2, 500))
		args := map[string]any{"urls": urls, "query": r.q.Question, "max_tokens": room}
		if len(urls) == 1 { // its error is that of the call
			args["url"] = urls[0]
			delete(args, "urls")
		}
		if r.form != nil {
			// Values can be anywhere on a page, and in what it says as data.
			delete(args, "query")
			if err := r.make(ctx, "web_fetch", map[string]any{"urls": urls, "mode": "data", "max_tokens": min(dataTokens, room)}); err != nil {
				failed = err
			}
		}
		if err := r.make(ctx, "web_fetch", args); err != nil {
			failed = err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.sources) == 0 {
		if failed != nil {
			return failed
		}
		return tool.NewError(tool.NoContent, fmt.Sprintf("none of %s could be fetched", text.Count(len(urls), "page")), "ask with other words, or name a page; web_fetch says what is wrong with one")
	}
	r.history = append(r.history, llm.Message{Results: []llm.CallResult{{Text: r.material()}}})
	return r.last(ctx)
}

// make makes a call as the model would.
func (r *run) make(ctx context.Context, name string, args map[string]any) error {
	data, err := json.Marshal(args)
	if err != nil {
		return err
	}
	_, err = r.catalog.Call(ctx, name, data, tool.Options{})
	return err
}

// searchWords makes a query of a question: search services take at most 400 characters
// and a question mark means nothing to them.
func searchWords(question string) string {
	const most = 400
	return shortenTo(strings.TrimRight(question, "? "), most)
}

// material is what was read, in the form in which the model is given it: outlines of pages
// without a match only where no page has one.
func (r *run) material() string {
	var b strings.Builder
	matched := slices.ContainsFunc(r.sources, func(s *source) bool { return len(s.quoted) > 0 })
	for _, s := range r.sources {
		shown := s.shown
		if matched {
			shown = s.quoted
		}
		fmt.Fprintf(&b, "Page [%d] is %s\n", s.N, s.URL)
		if s.Title != "" {
			b.WriteString(fence("Title: "+s.Title+"\n\n"+strings.Join(shown, "\n\n")) + "\n\n")
		} else if len(shown) > 0 {
			b.WriteString(fence(strings.Join(shown, "\n\n")) + "\n\n")
		}
		if len(s.data) > 0 {
			b.WriteString("Its data:\n" + fence(strings.Join(s.data, "\n\n")) + "\n\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// clientModel is the model of a caller as the agent asks it: once, without tools.
type clientModel struct{ tool.Model }

// Name implements llm.Model.
func (clientModel) Name() string { return "the client's model" }

// Ask implements llm.Model.
func (m clientModel) Ask(ctx context.Context, q llm.Request) (*llm.Reply, error) {
	last := q.Messages[len(q.Messages)-1].Text
	s, err := m.Complete(ctx, tool.Question{System: q.System, Text: last, Schema: q.Schema, MaxTokens: q.MaxTokens})
	if err != nil {
		return nil, err
	}
	return &llm.Reply{Text: s, Stop: llm.StopEnd, Usage: llm.Usage{In: llm.EstimateTokens(q.Size()), Out: llm.EstimateTokens(len(s)), Estimated: true}}, nil
}
