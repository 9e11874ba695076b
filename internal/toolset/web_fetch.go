package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/tool"
	"github.com/spyhop-dev/spyhop/internal/weburl"
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
			tool.String("url", "the address to read; https:// is added where there is no scheme").Require().Alias("target"),
			tool.String("mode", "what to return").OneOf(modes...).WithDefault(string(reader.Markdown)).
				Alias("extractMode", "format").Synonym("readability", string(reader.Markdown)),
			tool.Integer("max_length", "most characters to return; 0 for all").AtLeast(0),
			tool.Integer("max_tokens", "most tokens to return, by estimate").AtLeast(1),
			tool.Integer("start_index", "character to start at, to read on").AtLeast(0).WithDefault(0).Alias("offset"),
			tool.String("comments", "readers' comments; auto leaves them out on articles").OneOf("auto", "always", "never").WithDefault("auto"),
			tool.Boolean("images", "keep the addresses of pictures").WithDefault(false),
			tool.Integer("timeout_ms", "give up after this many milliseconds").Clamp(1, 120_000),
			tool.Integer("max_age", "accept a stored copy of at most this many seconds").AtLeast(0),
			tool.Boolean("fresh", "ask the site anew").WithDefault(false),
			tool.Map("headers", "Accept, Accept-Language, If-None-Match, If-Modified-Since or Referer"),
		),
		Level:       tool.Read,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"main content of any kind of page", "links and outline", "windows over long pages"},
		Aliases:     []string{"webfetch"},
		TakesAccess: true,
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return fetchPage(ctx, o, c)
		},
	}
}

func fetchPage(ctx context.Context, o Options, c tool.Call) (tool.Result, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(c.Args.String("url")))
	if err != nil {
		return tool.Result{}, reader.URLError(c.Args.String("url"), err)
	}
	header, err := o.headers(c.Args["headers"])
	if err != nil {
		return tool.Result{}, err
	}
	access := c.Access
	if access == nil {
		access = new(tool.Access)
	}
	if access.UserAgent != "" {
		header["User-Agent"] = access.UserAgent
	}
	auth, err := reader.Auth(access.Username, access.Password, access.Bearer, access.Cookie)
	if err != nil {
		return tool.Result{}, err
	}
	u, _ = u.Clean()
	window := c.Args.IntPointer("max_length")
	ours := window == nil && c.AnswerChars > 0
	if ours {
		window = &c.AnswerChars
	}
	a, err := o.Reader.Read(ctx, reader.Request{
		URL:        u,
		Mode:       reader.Mode(c.Args.String("mode")),
		MaxLength:  window,
		MaxTokens:  c.Args.Int("max_tokens"),
		StartIndex: c.Args.Int("start_index"),
		Comments:   c.Args.String("comments"),
		Images:     c.Args.Bool("images"),
		Timeout:    time.Duration(c.Args.Int("timeout_ms")) * time.Millisecond,
		Header:     header,
		Auth:       auth,
		Follow:     o.Follow,
		MaxAge:     seconds(c.Args.IntPointer("max_age")),
		Fresh:      c.Args.Bool("fresh"),
	})
	if err != nil {
		return tool.Result{}, err
	}
	if ours {
		return tool.Result{Text: a.ForModelWithin(c.Tool, c.AnswerChars+tool.AnswerFrame), Data: a}, nil
	}
	return tool.Result{Text: a.ForModel(c.Tool), Data: a}, nil
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
