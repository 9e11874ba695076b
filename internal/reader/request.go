package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/jq"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/schema"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Mode is what is made of a page.
type Mode string

// The modes. The zero value is Markdown.
const (
	Markdown Mode = "markdown"
	Text     Mode = "text"
	HTML     Mode = "html"
	Raw      Mode = "raw"
	Links    Mode = "links"
	Outline  Mode = "outline"
	JSON     Mode = "json" // the content as in Markdown; the surface prints the whole answer
	Data     Mode = "data" // what the page says as data, and its tables, as JSON
	CSV      Mode = "csv"  // its tables
)

// NoLimit is the number that means no limit in MaxLength, MaxTokens and MaxAge.
const NoLimit = -1

//go:generate go run ./gen

// Request is one URL and one purpose. A field with the tag arg is an argument of a fetch, and
// is declared here only: go generate makes of it the argument of web_fetch, the flags of the
// commands that read, and the field of the library's FetchRequest with its checks. The
// comments of these fields are those of FetchRequest. The tags:
//
//   - arg, flag, flagalias: the names of the argument and of its flag; the flag is the
//     argument with hyphens where none is given
//   - doc, help, placeholder: what it does, for a model, and in the help of the flag
//   - enum, default, min, max, unit: its values; a number of units is a time.Duration
//   - alias, synonyms: other names, and other spellings of a value, that the tool takes
//   - zero: what the argument 0 means, where a field that is 0 means its default
//   - library: the comment of the field, where FetchRequest has the opposite of it
//   - is: network (not for a file), rare (a model is not shown it), stored (it uses something
//     secret that is stored for the caller), clamped (a number that is too large is replaced
//     by the largest), length (it sets the length of the answer), whole (the value of a
//     flag is not split at commas), nolimit (a field takes NoLimit)
type Request struct {
	URL weburl.URL

	// Mode is the form of the content; "" means ModeMarkdown.
	Mode Mode `arg:"mode" doc:"what to return" enum:"markdown,text,html,raw,links,outline,json,data,csv" default:"markdown" alias:"extractMode,format" synonyms:"readability=markdown" flagalias:"format"`
	// Query asks for the passages that answer it best, in page order, within MaxTokens and
	// MaxLength. Links become their text.
	Query string `arg:"query" doc:"return the passages that match this best, in page order" help:"Print only the passages that match this best, in page order." placeholder:"TEXT"`
	// Prompt is a question that the configured model answers from the page. Each quotation in
	// the answer is looked up in the page. Without a model it is treated as a Query, and the
	// answer says so.
	Prompt string `arg:"prompt" doc:"a question about the page for a language model" help:"Have the model of WEB_MODEL answer this from the page; several URLs are answered once." placeholder:"TEXT" is:"network"`
	// Schema is a JSON Schema for the answer to Prompt; nil means text. Where each of its
	// values has an "x-selector" (a CSS selector, "@" and an attribute, or both), they are
	// read from the page without a model and without a Prompt.
	Schema json.RawMessage `arg:"schema" doc:"JSON Schema of the answer to prompt, or with x-selectors" help:"File with a JSON Schema for the answer to --prompt, or with an x-selector for each value; - reads stdin." placeholder:"FILE"`
	// JQ is a filter of jq; its results over the JSON that the URL serves, or over the data of
	// a page (ModeData), are the content, one a line. It needs [RunWorker].
	JQ string `arg:"jq" doc:"jq filter over the JSON that the URL serves, or over mode=data of a page" help:"Print the results of this jq filter over the JSON that the URL serves, or over the data of a page." placeholder:"FILTER" is:"network,rare"`
	// Sections are IDs of sections, as ModeOutline lists them, or anchors of the page; the
	// answer has only these. Nil means the whole page, from the section on that the fragment
	// of URL names.
	Sections []string `arg:"section" doc:"read only these sections: IDs from mode=outline" help:"Read only this section: an ID of --mode outline, or an anchor; can be repeated." placeholder:"ID"`
	// Selector is a CSS selector; only elements that match are read.
	Selector string `arg:"selector" doc:"CSS selector: read only what matches" help:"Read only what matches this CSS selector." placeholder:"CSS"`
	// MustContain asks whether the page has this text, and where. The answer says so instead
	// of giving the content.
	MustContain string `arg:"must_contain" doc:"return whether this text is on the page, and where" help:"Say whether this text is on the page, and where, instead of printing the page." placeholder:"TEXT"`
	// Since is "last" or a version of the page (Metadata.Version); the answer is what has
	// changed after it. It needs the cache, which Config.CacheTTL can switch off.
	Since string `arg:"since" doc:"last, or a version: answer with what has changed after it" help:"Print what has changed after this version of the page; last means the newest stored version." placeholder:"VERSION" is:"network"`
	// MaxLength bounds the content, in characters; 0 means Config.MaxContentChars, NoLimit all
	// of it.
	MaxLength int `arg:"max_length" doc:"characters; 0 for all" min:"0" zero:"NoLimit" help:"Print at most this many characters of content; 0 prints all. Default: WEB_MAX_CONTENT_CHARS; for a file, all." placeholder:"N" is:"length,nolimit"`
	// MaxTokens bounds the content, in estimated tokens (a token for four bytes, one for each
	// Chinese, Japanese or Korean character); 0 and NoLimit mean no bound.
	MaxTokens int `arg:"max_tokens" doc:"tokens, by estimate" min:"1" help:"Print at most this many tokens of content (an estimate)." placeholder:"N" is:"length,nolimit"`
	// StartIndex is the character of the whole content at which the answer begins;
	// FetchResult.NextStartIndex has the next one.
	StartIndex int `arg:"start_index" doc:"character to start at" min:"0" default:"0" help:"Begin at this character of the content, to read on." alias:"offset" placeholder:"N"`
	// Exclude are CSS selectors of elements that are left out.
	Exclude []string `arg:"exclude" doc:"CSS selectors: leave out what matches" help:"Leave out what matches this CSS selector; can be repeated." placeholder:"CSS" is:"rare,whole"`
	// Remove names kinds of content that are left out: "consent", "overlays", "comments",
	// "links" (their text stays), "images".
	Remove []string `arg:"remove" doc:"leave out these: consent, overlays, comments, links, images" placeholder:"KIND" is:"rare"`
	// Links is "inline", or "references": numbers in the text, and the URLs at its end. ""
	// means "inline".
	Links string `arg:"links" doc:"references: numbers in the text, and the URLs at its end" enum:"inline,references" default:"inline" help:"Links in Markdown: ${enum}. references writes numbers in the text and the URLs at its end." is:"rare"`
	// Comments says what happens to readers' comments; "" means CommentsAuto.
	Comments string `arg:"comments" doc:"readers' comments; auto leaves them out on articles" enum:"auto,always,never" default:"auto" help:"Readers' comments: ${enum}. auto leaves them out on articles." is:"rare"`
	// Images keeps pictures as ![alt](src) instead of [image: alt].
	Images bool `arg:"images" flag:"no-images" doc:"keep the URLs of pictures" default:"false" help:"Write [image: alt] instead of URLs of pictures." library:"NoImages writes [image: alt] instead of ![alt](src)." is:"rare"`
	// Whole reads the whole body instead of the main content.
	Whole bool `arg:"whole" doc:"read the whole body instead of the main content" is:"rare"`
	// Render says whether a browser runs the page's scripts; "" means RenderAuto.
	Render string `arg:"render" doc:"run scripts in a browser; auto where content seems to be missing" enum:"auto,never,always" default:"auto" help:"Run the page's scripts in a browser: ${enum}. auto does where content seems to be missing without them." is:"network"`
	// WaitFor is a text, or a CSS selector (one with ".", "#", "[", ":" or ">"), that has to be
	// on the page before it is read. A browser runs the page's scripts.
	WaitFor string `arg:"wait_for" flag:"wait-for" doc:"text or CSS selector to wait for; runs scripts" help:"Run the page's scripts and wait for this text or CSS selector." placeholder:"TEXT" is:"network"`
	// Scroll runs the page's scripts in a browser and scrolls until nothing new comes, at most
	// 30 screens and 2,000 records: for lists that grow, and for virtual lists.
	Scroll bool `arg:"scroll" doc:"scroll to the end of the page in a browser, at most 30 screens, for lists that grow" default:"false" help:"Run the page's scripts and scroll until nothing new comes, at most 30 screens." is:"network,rare"`
	// Login names a site that a person has signed in to with [Client.Login], or a saved browser
	// state; the page is read with that login. It cannot be combined with credentials.
	Login string `arg:"login" doc:"site of a saved login, or name of a saved browser_state, to read with" help:"Read with the login of this site, which spyhop login has saved, or with the browser state of this name; only for URLs of its sites." placeholder:"SITE" is:"network,stored"`
	// Timeout bounds the call; 0 means Config.Timeout, more than MaxTimeout means MaxTimeout.
	Timeout time.Duration `arg:"timeout_ms" flag:"timeout" doc:"give up after this many milliseconds; 0 is the default" unit:"1ms" min:"1" max:"120000" help:"Give up after this time, for example 10s; at most 2m." placeholder:"DURATION" is:"network,rare,clamped"`
	// MaxAge is how old a cached answer may be that is returned without asking the site; 0
	// means Config.CacheTTL, NoLimit any age.
	MaxAge time.Duration `arg:"max_age" doc:"accept a stored copy of at most this many seconds" unit:"1s" min:"0" zero:"Revalidate" help:"Accept a stored copy of at most this age, for example 1h; 0 asks the site for changes. Default: WEB_CACHE_TTL." placeholder:"DURATION" is:"network,rare,nolimit"`
	// Fresh ignores the cached answer and reads the page again.
	Fresh bool `arg:"fresh" doc:"request the page again" default:"false" is:"network"`
	// Stored takes the cached answer alone, of MaxAge or of any age: no site is asked.
	Stored bool `arg:"stored" doc:"take a stored copy alone, without a request" default:"false" help:"Take a stored copy, of any age or of --max-age, and ask no site." is:"network,rare"`
	// Header holds further request headers. It must not hold credentials: these belong into
	// the fields above, which bind them to the origin of URL.
	Header map[string]string `arg:"headers" flag:"header" doc:"Accept, Accept-Language, If-None-Match, If-Modified-Since or Referer" help:"Further request header; can be repeated." placeholder:"NAME:VALUE" is:"network,rare,whole"`

	// Revalidate asks the site whether the cached answer is still current, whatever its age;
	// MaxAge is then ignored.
	Revalidate bool
	// Asked says that the caller chooses the arguments: where the time was too short, the hint
	// says that more helps, and a Query without a length is answered in a few passages.
	Asked bool
	// Window is the window of the caller's surface in characters where MaxLength is 0; 0: the
	// reader's.
	Window int
	// Model is the caller's own: it answers Prompt where none is configured.
	Model tool.Model
	// Titles keeps the titles of links and pictures.
	Titles bool
	// NoFragment reads from the top whatever the fragment says.
	NoFragment bool
	// Follow follows redirects to other hosts instead of reporting them.
	Follow bool
	Auth   *fetch.Auth
	// Jar contains the cookies that servers have set in earlier calls of one crawl; nil: this
	// call has its own. NoCookies sends back none.
	Jar       *fetch.Jar
	NoCookies bool
	// Notices are what the surface has to say about the request, for example a
	// number that was clamped. They come first in the answer's.
	Notices []string
}

// queryTokens bounds the passages for a query of a call that sets no length.
const queryTokens = 1500

// maxSought bounds the text that is looked for in a page, in bytes.
const maxSought = 2000

// maxAge is the age of a stored answer that is taken without a request; nil: the cache's own.
func (q *Request) maxAge() *time.Duration {
	switch {
	case q.Revalidate:
		return new(time.Duration(0))
	case q.MaxAge == NoLimit || q.Stored && q.MaxAge == 0:
		return new(time.Duration(math.MaxInt64))
	case q.MaxAge == 0:
		return nil
	}
	return &q.MaxAge
}

// address is the URL as messages show it.
func (q *Request) address() string { return q.URL.WithoutUserinfo().String() }

// compiled is a request that was checked: everything behind [Reader.compile]
// takes what was made of its arguments there.
type compiled struct {
	Request
	brief    bool // the passages end where they very likely hold the answer
	comments extract.Comments
	selector *extract.Selector // nil: none
	exclude  *extract.Selector // of Exclude and Remove; nil: none
	excluded string            // its text
	terms    *passage.Query    // of Query, or of a Prompt that no model answers; nil without a query
	asked    string            // the argument that terms come from
	sought   passage.Sought    // MustContain
	schema   *schema.Form
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
	c := compiled{Request: q, filter: r.o.Documents}
	c.setDefaults()
	if r.o.Fetch != nil {
		c.orPrompt = ", or give a prompt too"
	}
	for _, step := range []func() error{c.compileSchema, c.compileOptions, c.checkTogether, c.compilePrompt, c.compileSearch} {
		if err := step(); err != nil {
			return c, err
		}
	}
	switch {
	case c.JQ != "" && r.o.Documents == nil:
		return c, badRequest("jq needs processes of its own, and this program has none", "call spyhop.RunWorker first in main, or set Config.Worker")
	case c.Since != "" && r.o.Versions == nil:
		return c, badRequest("since has nothing to compare with: no versions are kept", "set WEB_DATA_DIR, or leave since out")
	case c.Query != "":
		c.embed = r.o.Embed
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

// setDefaults replaces the values that stand for others.
func (c *compiled) setDefaults() {
	c.Mode, c.MaxTokens = cmp.Or(c.Mode, Markdown), max(c.MaxTokens, 0)
	if c.brief = c.Asked && c.Query != "" && c.MustContain == "" && c.MaxLength == 0 && c.MaxTokens == 0; c.brief {
		c.MaxTokens = queryTokens
	}
}

// asksData reports whether the data of a page is asked for, and not its text.
func (c *compiled) asksData() bool {
	return c.Mode == Data || c.Mode == CSV || c.fields != nil || c.JQ != ""
}

func (c *compiled) compileSchema() (err error) {
	if c.Schema == nil {
		return nil
	}
	if c.schema, err = schema.New(c.Schema); err != nil {
		return err
	}
	if c.fields, err = c.schema.Fields(); err != nil {
		return err
	}
	if c.Prompt == "" && c.fields == nil {
		return badRequest("schema says what form the answer to a prompt has, and names no selectors", "give each of its values an x-selector, for example {\"type\":\"string\",\"x-selector\":\"h1\"}"+c.orPrompt)
	}
	return nil
}

// checkTogether refuses arguments and modes that an argument does not go with.
func (c *compiled) checkTogether() error {
	given := map[string]bool{"prompt": c.Prompt != "", "query": c.Query != "", "schema": c.Schema != nil, "must_contain": c.MustContain != "", "since": c.Since != "",
		"selector": c.Selector != "", "section": len(c.Sections) > 0, "start_index": c.StartIndex > 0, "whole": c.Whole, "exclude": c.excluded != "", "jq": c.JQ != "", "fields": c.fields != nil,
		"since_of_text": c.Since != "" && c.Schema == nil}
	mode := string(c.Mode)
	const oneOf = "leave one of them out"
	for _, rule := range []struct {
		of, without, modes string // the modes that it goes with
		message, hint      string
	}{
		{"fields", "prompt query must_contain since selector section start_index", "markdown json data",
			"the selectors of the schema read the whole page, without a model", "leave prompt, query, must_contain, since, selector, section, start_index and mode out"},
		{"prompt", "query must_contain since_of_text start_index", mode, "a prompt reads the whole page", "leave query, must_contain and start_index out; since needs a schema, and compares its fields"},
		{"prompt", "", "markdown json", "prompt does not go with mode=" + text.Name(mode), oneOf},
		{"jq", "prompt query schema must_contain since selector section", "markdown json data",
			"jq filters all of the JSON", "leave prompt, query, schema, must_contain, since, selector and section out, and use mode=json"},
		{"since", "query must_contain section selector whole exclude", "markdown",
			"since compares the main content of a page", "leave query, must_contain, section, selector, exclude, remove and mode out"},
		{"section", "", "markdown text html outline json data csv", "section does not go with mode=" + text.Name(mode), oneOf},
		{"selector", "", "markdown text html outline json data csv", "selector does not go with mode=" + text.Name(mode), oneOf},
		{"must_contain", "", "markdown text html outline json", "must_contain does not go with mode=" + text.Name(mode), oneOf},
		{"query", "", "markdown json", "query does not go with mode=" + text.Name(mode), oneOf},
	} {
		other := slices.ContainsFunc(strings.Fields(rule.without), func(name string) bool { return given[name] })
		if given[rule.of] && (other || !slices.Contains(strings.Fields(rule.modes), mode)) {
			return badRequest(rule.message, rule.hint)
		}
	}
	return nil
}

func (c *compiled) compilePrompt() error {
	switch {
	case c.Prompt == "":
		return nil
	case len(c.Prompt) > maxPrompt:
		return badRequest(fmt.Sprintf("the prompt has %d bytes, at most %d are taken", len(c.Prompt), maxPrompt), "ask in fewer words")
	case strings.TrimSpace(c.Prompt) == "":
		return badRequest("the prompt is empty", "say what is to be found on the page")
	}
	return nil
}

// compileSearch reads query, must_contain and jq.
func (c *compiled) compileSearch() error {
	if c.Query != "" {
		if c.terms, c.asked = passage.NewQuery(c.Query), "query"; c.terms == nil {
			return badRequest("query "+text.Quoted(c.Query)+" has no word to look for", "name what is looked for")
		}
	}
	if n := len(c.MustContain); n > maxSought {
		return badRequest(fmt.Sprintf("must_contain has %d bytes", n), fmt.Sprintf("give at most %d: a sentence is enough", maxSought))
	}
	if c.sought = passage.Seek(c.MustContain); c.MustContain != "" && c.sought == "" {
		return badRequest("must_contain has nothing to look for", "give some words of the page")
	}
	if c.JQ == "" {
		return nil
	}
	if err := jq.Check(c.JQ); err != nil {
		return badRequest("the filter jq cannot be used: "+text.Cause(err), "give a filter of jq, for example .items[] | .name")
	}
	return nil
}

// compileOptions reads what is chosen of a page, and what is left out.
func (c *compiled) compileOptions() (err error) {
	var ok bool
	if c.comments, ok = extract.ParseComments(c.Comments); !ok {
		return badRequest("comments "+text.Quoted(c.Comments)+" is unknown", "it is one of auto, always, never")
	}
	if c.Selector != "" {
		if c.selector, err = extract.CompileSelector(c.Selector); err != nil {
			return badRequest("selector "+text.Quoted(c.Selector)+": "+text.Cause(err), "give a CSS selector, for example main or table.infobox")
		}
	}
	if len(c.Exclude) > mostExclude {
		return badRequest("exclude has too many selectors", "join them with commas")
	}
	parts := slices.Clone(c.Exclude)
	for _, name := range c.Remove {
		if !slices.Contains(removals(), name) {
			return badRequest("remove "+text.Quoted(name)+" is unknown", "it is one of "+strings.Join(removals(), ", "))
		}
		parts = append(parts, removed(name)...)
		if name == "comments" {
			c.comments = extract.CommentsNever
		}
	}
	for _, s := range parts {
		if _, err := extract.CompileSelector(s); err != nil {
			return badRequest("exclude "+text.Quoted(s)+": "+text.Cause(err), "give CSS selectors, for example nav or .ad")
		}
	}
	if c.excluded = strings.Join(parts, ","); c.excluded != "" {
		if c.exclude, err = extract.CompileSelector(c.excluded); err != nil {
			return badRequest("the selectors of exclude are too long together", "give fewer")
		}
	}
	if c.Links != "" && c.Links != "inline" && c.Links != "references" {
		return badRequest("links "+text.Quoted(c.Links)+" is unknown", "it is one of inline, references")
	}
	return nil
}

// chooseModel decides who answers a prompt: the configured model, else the
// caller's own; where there is neither, the passages that match it best.
func (r *Reader) chooseModel(c *compiled) {
	switch {
	case r.o.Model != nil:
		c.model, c.by = r.o.Model, strings.TrimSpace("model "+r.o.ModelName)
		return
	case c.Model != nil:
		c.model, c.by = c.Model, result.AnsweredByClient
		return
	}
	c.unanswered = "No language model is configured, so the prompt was not answered: "
	if t := passage.NewQuery(c.Prompt); t != nil {
		c.terms, c.asked, c.by = t, "prompt", result.AnsweredByPassages
		c.unanswered += "these are the passages that match it best."
	} else {
		c.by = result.AnsweredByPage
		c.unanswered += "this is the beginning of the page."
	}
	c.unanswered += " " + r.o.Setting("WEB_MODEL") + " names a model."
}

// removals returns the values of Request.Remove.
func removals() []string { return []string{"consent", "overlays", "comments", "links", "images"} }

// mostExclude bounds the selectors of a request.
const mostExclude = 50

// consentNames are how sites and consent managers name their boxes: in id or class. Words
// that content has too, as cookie and consent alone, are not among them.
var consentNames = []string{"cookie-banner", "cookie-consent", "cookie-notice", "cookie-bar", "cookie-law", "cookie-popup", "cookie_banner", "cookie_notice", "cookiebanner", "cookieconsent",
	"consent-banner", "consent-manager", "consent-popup", "gdpr-", "onetrust-", "didomi-", "qc-cmp", "sp_message", "CybotCookie", "usercentrics", "fc-consent", "osano-cm", "cmplz-cookie"}

// removed returns the selectors of a removal of elements; none for the others.
func removed(name string) (out []string) {
	switch name {
	case "overlays":
		return []string{`dialog,[role="dialog"],[role="alertdialog"],[aria-modal="true"]`}
	case "consent":
		for _, s := range consentNames {
			out = append(out, `[id*="`+s+`"]`, `[class*="`+s+`"]`)
		}
	}
	return out
}

// markdown returns how Markdown is written for a request.
func (c *compiled) markdown() markdown.Options {
	return markdown.Options{Images: c.Images, Titles: c.Titles, NoLinks: slices.Contains(c.Remove, "links"), NoImages: slices.Contains(c.Remove, "images"), References: c.Links == "references"}
}
