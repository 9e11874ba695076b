package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/readargs"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed web_fetch.md
var webFetchText string

func webFetch(o Options) tool.Declaration {
	return tool.Declaration{
		Name:        "web_fetch",
		Title:       "Fetch",
		Description: webFetchText,
		Input:       tool.Object(readargs.Properties()...),
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
	if q.Login != "" {
		where := text.URL(urls[0])
		if len(urls) > 1 {
			where += fmt.Sprintf(" and %d more", len(urls)-1)
		}
		if err := confirmed(ctx, c, fmt.Sprintf("May the agent read %s with the saved login of %s?", where, text.Name(q.Login))); err != nil {
			return tool.Result{}, err
		}
	}
	most := c.AnswerLimit()
	if several {
		all := o.Reader.ReadAll(ctx, urls, q)
		if all.Error != nil {
			return tool.Result{}, all.Error
		}
		answer := all.ForModelWithin(c.Tool, most) // before Data, which has the same window
		return tool.Result{Text: answer, Data: &all.FetchAll, Noted: true}, nil
	}
	if q.URL, err = reader.Address(urls[0]); err != nil {
		return tool.Result{}, err
	}
	a, err := o.Reader.Read(ctx, q)
	if err != nil {
		return tool.Result{}, err
	}
	answer := a.ForModelWithin(c.Tool, most) // before Data, which has the same window
	r := tool.Result{Text: answer, Data: named(c.Name, &a.Fetch), Noted: true}
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
	values := maps.Clone(c.Args)
	values["headers"] = header
	q, err := requestOf(c, values)
	if err != nil {
		return q, err
	}
	q.Model, q.Follow = c.Model, o.Follow
	q.NoCookies = c.Name == "WebFetch" // as that design asks
	q.Auth, err = reader.Auth(access.Username, access.Password, access.Bearer, access.Cookie)
	return q, err
}

// requestOf makes a request of a call's arguments, with its notices and further
// ones. Where the caller sets no length and the surface has a bound, the bound
// counts.
func requestOf(c tool.Call, values tool.Arguments, notices ...string) (reader.Request, error) {
	q, err := readargs.Request(values)
	q.Notices = slices.Concat(c.Notices, notices)
	if c.AnswerLimit() > 0 {
		q.MaxLength = &c.AnswerChars
	}
	return q, err
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
			return nil, tool.NewError(tool.InvalidInput, "header "+text.Quoted(name)+" may not be set",
				"a call may set "+strings.Join(allowed, ", ")+"; the operator can add to these with WEB_HEADERS_ALLOWED")
		}
		out[allowed[i]] = s
	}
	return out, nil
}
