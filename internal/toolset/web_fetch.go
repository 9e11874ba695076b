package toolset

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed web_fetch.md
var webFetchText string

func webFetch(o Options) tool.Declaration {
	modes := make([]string, len(reader.Modes))
	for i, m := range reader.Modes {
		modes[i] = string(m)
	}
	return tool.Declaration{
		Name:        "web_fetch",
		Title:       "Fetch",
		Description: webFetchText,
		Input: tool.Object(
			tool.String("url", "address to read; https:// is added where there is no scheme").Alias("target").ListTo("urls"),
			tool.Array("urls", "up to 12 addresses that share one budget, instead of url", tool.Text()),
			tool.String("mode", "what to return").OneOf(modes...).WithDefault(string(reader.Markdown)).
				Alias("extractMode", "format").Synonym("readability", string(reader.Markdown)),
			tool.String("query", "what is looked for: answer with the passages that match it best, in page order"),
			tool.String("prompt", "a question for a language model: it answers from the page, with checked quotations"),
			tool.Map("schema", "JSON Schema of the answer to prompt"),
			tool.Array("section", "IDs of sections, from mode=outline: read these alone", tool.Text()),
			tool.String("selector", "CSS selector: read what it fits alone"),
			tool.String("must_contain", "a text: answer whether it is on the page, and where, without the page"),
			tool.String("since", "last, or a version: answer with what has changed after it"),
			tool.Integer("max_length", "most characters to return; 0 for all").AtLeast(0).SetsLength(),
			tool.Integer("max_tokens", "most tokens to return, by estimate").AtLeast(1).SetsLength(),
			tool.Integer("start_index", "character to start at, to read on").AtLeast(0).WithDefault(0).Alias("offset"),
			tool.String("comments", "readers' comments; auto leaves them out on articles").OneOf("auto", "always", "never").WithDefault("auto"),
			tool.Boolean("images", "keep the addresses of pictures").WithDefault(false),
			tool.String("render", "run scripts in a browser; auto where content seems to be missing").OneOf("auto", "never", "always").WithDefault("auto"),
			tool.String("login", "site of a saved login to read with"),
			tool.Integer("timeout_ms", "give up after this many milliseconds").Clamp(1, 120_000),
			tool.Integer("max_age", "accept a stored copy of at most this many seconds").AtLeast(0),
			tool.Boolean("fresh", "ask the site anew").WithDefault(false),
			tool.Map("headers", "Accept, Accept-Language, If-None-Match, If-Modified-Since or Referer"),
		),
		Data:        fetchForm(),
		Level:       tool.Read,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"main content of any kind of page", "passages for a query", "links and outline", "windows over long pages"},
		Aliases:     []string{"webfetch"},
		TakesAccess: true,
		AsksModel:   []string{"prompt", "schema"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return fetchPage(ctx, o, c)
		},
	}
}

// maxURLs bounds the addresses of one call.
const maxURLs = 12

func fetchPage(ctx context.Context, o Options, c tool.Call) (tool.Result, error) {
	urls, several, err := addresses(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	q, err := o.request(c)
	if err != nil {
		return tool.Result{}, err
	}
	most := c.AnswerLimit()
	if several {
		all := o.Reader.ReadAll(ctx, urls, q)
		if all.Error != nil {
			return tool.Result{}, all.Error
		}
		text := all.ForModelWithin(c.Tool, most) // before Data, which has the same window
		return tool.Result{Text: text, Data: &all.FetchAll, Noted: true}, nil
	}
	if q.URL, err = reader.Address(urls[0]); err != nil {
		return tool.Result{}, err
	}
	a, err := o.Reader.Read(ctx, q)
	if err != nil {
		return tool.Result{}, err
	}
	text := a.ForModelWithin(c.Tool, most) // before Data, which has the same window
	r := tool.Result{Text: text, Data: named(c.Name, &a.Fetch), Noted: true}
	if mediaType, data := a.Picture(); data != nil {
		r.Pictures = []tool.Picture{{MediaType: mediaType, Data: data}}
	}
	return r, nil
}

// addresses reads url and urls; several says that the answer is a list.
func addresses(args tool.Arguments) (urls []string, several bool, err error) {
	urls = args.Strings("urls")
	u, named := args["url"].(string)
	if u != "" && !slices.Contains(urls, u) || named && len(urls) == 0 {
		urls = append([]string{u}, urls...)
	}
	switch {
	case len(urls) == 0:
		err = tool.NewError(tool.InvalidInput, `argument "url" is missing`, "url takes an address, urls takes a list of them")
	case len(urls) > maxURLs:
		err = tool.NewError(tool.InvalidInput, fmt.Sprintf("%d addresses are too many", len(urls)),
			fmt.Sprintf("give at most %d in one call", maxURLs))
	}
	return urls, len(urls) > 1 || u == "" && !named, err
}

// request makes a request of the arguments, without an address.
func (o Options) request(c tool.Call) (reader.Request, error) {
	header, err := o.headers(c.Args["headers"])
	if err != nil {
		return reader.Request{}, err
	}
	access := c.Access
	if access == nil {
		access = new(tool.Access)
	}
	if access.UserAgent != "" {
		header["User-Agent"] = access.UserAgent
	}
	var schema json.RawMessage
	if v, ok := c.Args["schema"]; ok {
		if schema, err = json.Marshal(v); err != nil {
			return reader.Request{}, err
		}
	}
	w := windowOf(c)
	auth, err := reader.Auth(access.Username, access.Password, access.Bearer, access.Cookie)
	return reader.Request{
		Mode:        reader.Mode(c.Args.String("mode")),
		Query:       c.Args.String("query"),
		Prompt:      c.Args.String("prompt"),
		Schema:      schema,
		Model:       c.Model,
		Sections:    c.Args.Strings("section"),
		Selector:    c.Args.String("selector"),
		MustContain: c.Args.String("must_contain"),
		Since:       c.Args.String("since"),
		MaxLength:   w.MaxLength,
		MaxTokens:   w.MaxTokens,
		StartIndex:  w.StartIndex,
		Comments:    c.Args.String("comments"),
		Render:      c.Args.String("render"),
		Images:      c.Args.Bool("images"),
		Timeout:     time.Duration(c.Args.Int("timeout_ms")) * time.Millisecond,
		Header:      header,
		Auth:        auth,
		Login:       c.Args.String("login"),
		Follow:      o.Follow,
		MaxAge:      seconds(c.Args.IntPointer("max_age")),
		Fresh:       c.Args.Bool("fresh"),
		Notices:     w.Notices,

		CallerSetsTimeout: true,
	}, err
}

// windowOf is a request with the window of a call, and further notices. Where
// the caller names no window and the surface has a bound, that one counts.
func windowOf(c tool.Call, notices ...string) reader.Request {
	q := reader.Request{MaxLength: c.Args.IntPointer("max_length"), MaxTokens: c.Args.Int("max_tokens"),
		StartIndex: c.Args.Int("start_index"), Notices: slices.Concat(c.Notices, notices)}
	if c.AnswerLimit() > 0 {
		q.MaxLength = &c.AnswerChars
	}
	return q
}

func seconds(n *int) *time.Duration {
	if n == nil {
		return nil
	}
	d := time.Duration(min(*n, 1<<30)) * time.Second
	return &d
}

// headers takes the request headers that a model may set.
func (o Options) headers(v any) (map[string]string, error) {
	given, _ := v.(map[string]any)
	allowed := append([]string{"Accept", "Accept-Language", "If-None-Match", "If-Modified-Since", "Referer"}, o.HeadersAllowed...)
	out := make(map[string]string, len(given))
	for name, value := range given {
		i := slices.IndexFunc(allowed, func(a string) bool { return strings.EqualFold(a, name) })
		s, ok := value.(string)
		if i < 0 || !ok || strings.ContainsAny(s, "\r\n\x00") {
			return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("header %q may not be set", name),
				"a call may set "+strings.Join(allowed, ", ")+"; the operator can add to these with WEB_HEADERS_ALLOWED")
		}
		out[allowed[i]] = s
	}
	return out, nil
}
