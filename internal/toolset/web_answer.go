package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// answerer is what web_answer needs of package agent.
type answerer interface {
	Ask(context.Context, agent.Request) (*result.Answer, error)
}

// answerTools are those that a model may call for an answer of this tool: the caller may
// have no others.
func answerTools() []string { return []string{"web_search", "web_fetch"} }

func webAnswer(o Options) tool.Declaration {
	word := tool.Schema{Type: tool.TypeString}
	return tool.Declaration{
		Name:  "web_answer",
		Title: "Answer",
		Input: tool.Object(
			tool.String("question", "").Require(),
			tool.Map("schema", "a JSON Schema for the answer"),
			tool.Array("domains", "only pages of these hosts", word),
			tool.Array("urls", "pages to begin with", word).Rarely(),
			tool.String("depth", "").OneOf(string(result.Quick), string(result.Deep)).WithDefault(string(result.Quick)),
			tool.Integer("max_tokens", "most tokens of the answer").Clamp(1, agent.MostAnswer).WithDefault(agent.DefaultAnswer),
			tool.Member("budget", "bounds calls, tokens and usd", tool.Object(
				tool.Integer("calls", "of tools").AtLeast(1), tool.Integer("tokens", "that the model reads and writes").AtLeast(1),
				tool.Member("usd", "", tool.Schema{Type: tool.TypeNumber}))).Rarely(),
		),
		Data: tool.Object(
			tool.String("answer", "with [n] behind each statement").Require(),
			tool.Member("data", "the answer, where a schema was given", tool.Schema{}),
			tool.Array("evidence", "for each value of data", tool.Object(tool.String("field", "a JSON pointer").Require(),
				tool.String("confidence", "").OneOf(string(result.Quoted), string(result.FromData), string(result.Unverified)).Require(), tool.Integer("citation", "its number"))),
			tool.Array("citations", "", tool.Object(tool.Integer("n", "").Require(), tool.String("url", "").Require(), tool.String("title", ""), tool.String("version", ""),
				tool.Integer("start", "characters of the version").Require(), tool.Integer("end", "").Require(), tool.String("quote", "").Require(), tool.String("link", ""))).Require(),
			tool.Integer("statements", "").Require(), tool.Integer("unverified", "").Require(),
			tool.Array("notices", "", tool.Text()),
		),
		Level:       tool.Read,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, OpenWorld: true},
		Strengths:   []string{"answers with quotations from several pages", "data by a schema, with evidence"},
		Aliases:     []string{"answer"},
		NeedsModel:  true,
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			q := agent.Request{Question: c.Args.String("question"), Depth: result.Depth(c.Args.String("depth")), URLs: c.Args.Strings("urls"), Domains: c.Args.Strings("domains"),
				Tools: answerTools(), MaxTokens: c.Args.Int("max_tokens"), Model: c.Model, Call: c.Options}
			if schema, ok := c.Args["schema"].(map[string]any); ok {
				var err error
				if q.Schema, err = json.Marshal(schema); err != nil {
					return tool.Result{}, err
				}
			}
			if b, ok := c.Args["budget"].(map[string]any); ok {
				budget := tool.Arguments(b)
				q.Budget = result.Budget{Calls: budget.Int("calls"), Tokens: budget.Int("tokens")}
				q.Budget.USD = budget.Float("usd")
			}
			q.Observe = func(s result.Step) {
				if p := (tool.Progress{Message: text.Name(s.Title) + ": " + text.Path(s.Subject), Done: int64(s.N)}); s.Done {
					p.Step = s
					c.Report(p)
				} else {
					c.Report(p)
				}
			}
			a, err := o.Answerer.Ask(ctx, q)
			if err != nil {
				return tool.Result{}, err
			}
			a.Notices = slices.Concat(c.Notices, a.Notices)
			return tool.Result{Text: answerText(a), Data: a, Notices: a.Notices, Noted: true}, nil
		},
	}
}

// answerText is an answer as a model reads it. The words of pages are in it, so that it
// is inside the fence.
func answerText(a *result.Answer) string {
	var b strings.Builder
	if a.Data != nil {
		b.Write(a.Data)
		b.WriteString("\n\n")
		for _, e := range a.Evidence {
			fmt.Fprintf(&b, "%s: %s", e.Field, e.Confidence)
			if e.Citation > 0 {
				fmt.Fprintf(&b, " [%d]", e.Citation)
			}
			b.WriteByte('\n')
		}
	} else {
		b.WriteString(a.Text + "\n")
	}
	for i, c := range a.Citations {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.String() + "\n")
	}
	s := "Answered by " + text.Name(a.Model) + " from " + text.Count(len(a.Read), "page") + ":\n\n" + tool.Fence(strings.TrimRight(b.String(), "\n"))
	notes := a.Notices
	if a.Unverified > 0 {
		notes = append(slices.Clip(notes), fmt.Sprintf("%d of %d statements are unverified: no quotation of a page supports them", a.Unverified, a.Statements))
	}
	if a.Stopped != "" {
		notes = append(slices.Clip(notes), "the run was ended by its "+string(a.Stopped)+" limit; the answer uses only what was read before that")
	}
	return withNotes(s, notes)
}
