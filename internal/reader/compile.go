package reader

import (
	"context"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/jq"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// maxSought bounds the text that is looked for in a page, in bytes.
const maxSought = 2000

// compiled is a request that was checked: everything behind [Reader.compile]
// takes what was made of its arguments there.
type compiled struct {
	Request
	comments extract.Comments
	selector *extract.Selector // nil: none
	exclude  *extract.Selector // of Exclude and Remove; nil: none
	excluded string            // its text
	terms    *queryTerms       // of Query, or of a Prompt that no model answers; nil without a query
	asked    string            // the argument that terms come from
	sought   string            // MustContain, normalized
	schema   *schema
	embed    func(context.Context, []string) ([]meaning.Vector, error) // for Query; nil: words alone
	filter   func(context.Context, ...[]byte) ([]byte, error)          // runs JQ
	fields   *extract.Field                                            // of Schema, where selectors fill it; nil: a model does
	model    tool.Model                                                // that answers Prompt; nil: none does
	by       string                                                    // that of Answer.AnsweredBy
	orPrompt string                                                    // the end of a hint: "" where no prompt can be given
	// unanswered says that no model answers Prompt, and what does.
	unanswered string
}

// compile refuses what does not go together, before anything is asked for. The
// error is a *tool.Error.
func (r *Reader) compile(q Request) (compiled, error) {
	c := compiled{Request: q}
	if c.Mode == "" {
		c.Mode = Markdown
	}
	if r.o.Fetch != nil {
		c.orPrompt = ", or give a prompt too"
	}
	for _, step := range []func() error{c.compilePrompt, c.compileOptions, c.compileQuery, c.compileSought, c.compileJQ, c.checkTogether} {
		if err := step(); err != nil {
			return c, err
		}
	}
	if c.JQ != "" && r.o.Documents == nil {
		return c, badRequest("jq needs processes of its own, and this program has none", "call spyhop.RunWorker first in main, or set Config.Worker")
	}
	c.filter = r.o.Documents
	if c.Query != "" {
		c.embed = r.o.Embed
	}
	if c.Since != "" && r.o.Versions == nil {
		return c, badRequest("since has nothing to compare with: no versions are kept", "set WEB_DATA_DIR, or leave since out")
	}
	switch {
	case c.fields != nil:
		c.by = result.AnsweredBySelectors
	case c.Prompt != "":
		r.chooseModel(&c)
	}
	if c.schema != nil && c.fields == nil && c.model == nil {
		return c, badRequest("the schema needs a language model, and none is configured", "name a model in "+r.o.Setting("WEB_MODEL")+", or give each value of the schema an x-selector, for example {\"type\":\"string\",\"x-selector\":\"h1\"}")
	}
	return c, nil
}

func badRequest(message, hint string) error { return tool.NewError(tool.InvalidInput, message, hint) }

func (c *compiled) compileOptions() error {
	var ok bool
	if c.comments, ok = extract.ParseComments(c.Comments); !ok {
		return badRequest("comments "+text.Quoted(c.Comments)+" is unknown", "it is one of auto, always, never")
	}
	if c.Selector != "" {
		var err error
		if c.selector, err = extract.CompileSelector(c.Selector); err != nil {
			return badRequest("selector "+text.Quoted(c.Selector)+": "+text.Cause(err), "give a CSS selector, for example main or table.infobox")
		}
	}
	return c.compileCleaning()
}

func (c *compiled) compileQuery() error {
	if c.Query == "" {
		return nil
	}
	if c.terms, c.asked = newTerms(c.Query), "query"; c.terms.n == 0 {
		return badRequest("query "+text.Quoted(c.Query)+" has no word to look for", "name what is looked for")
	}
	return nil
}

func (c *compiled) compileSought() error {
	if c.MustContain == "" {
		return nil
	}
	if n := len(c.MustContain); n > maxSought {
		return badRequest(fmt.Sprintf("must_contain has %d bytes", n), fmt.Sprintf("give at most %d: a sentence is enough", maxSought))
	}
	if c.sought = normalizeQuote(c.MustContain, true, false); c.sought == "" {
		return badRequest("must_contain has nothing to look for", "give some words of the page")
	}
	return nil
}

func (c *compiled) compileJQ() error {
	if c.JQ == "" {
		return nil
	}
	if err := jq.Check(c.JQ); err != nil {
		return badRequest("the filter jq cannot be used: "+text.Cause(err), "give a filter of jq, for example .items[] | .name")
	}
	if c.Prompt != "" || c.Query != "" || c.Schema != nil || c.MustContain != "" || c.Since != "" || c.Selector != "" || len(c.Sections) > 0 || c.Mode != Markdown && c.Mode != JSON && c.Mode != Data {
		return badRequest("jq filters all of the JSON", "leave prompt, query, schema, must_contain, since, selector and section out, and use mode=json")
	}
	return nil
}

func (c *compiled) checkTogether() error {
	if c.Since != "" && (c.Query != "" || c.MustContain != "" || len(c.Sections) > 0 || c.Selector != "" || c.Whole || c.excluded != "" || c.Mode != Markdown) {
		return badRequest("since compares the main content of a page", "leave query, must_contain, section, selector, exclude, remove and mode out")
	}
	for _, x := range []struct {
		name  string
		given bool
	}{{"section", len(c.Sections) > 0}, {"selector", c.Selector != ""}, {"must_contain", c.MustContain != ""}, {"query", c.Query != ""}} {
		if x.given && (c.Mode == Raw || c.Mode == Links || (c.Mode == Data || c.Mode == CSV) && x.name != "selector" && x.name != "section" || x.name == "query" && c.Mode != Markdown && c.Mode != JSON) {
			return badRequest(x.name+" does not go with mode="+text.Name(string(c.Mode)), "leave one of them out")
		}
	}
	return nil
}
