package toolset

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

func webFetch(o Options) tool.Declaration {
	return tool.Declaration{
		Name:        "web_fetch",
		Title:       "Fetch",
		Input:       tool.Object(append(urlArguments(), reader.Properties()...)...),
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

// urlArguments are the arguments of web_fetch that say which pages it reads.
func urlArguments() []tool.Property {
	url := tool.String("url", "URL to fetch; https:// is added if the scheme is missing")
	url.Aliases, url.Plural = []string{"target"}, "urls"
	return []tool.Property{url, tool.Array("urls", fmt.Sprintf("up to %d URLs that share one budget, instead of url", maxURLs), tool.Text())}
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
		answer := all.ForModel(c.Tool, most) // before Data, which has the same window
		return tool.Result{Text: answer, Data: &all.FetchAll, Noted: true}, nil
	}
	if q.URL, err = reader.Address(urls[0]); err != nil {
		return tool.Result{}, err
	}
	a, err := o.Reader.Read(ctx, q)
	if err != nil {
		return tool.Result{}, err
	}
	answer := a.ForModel(c.Tool, most) // before Data, which has the same window
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
	q := requestOf(c)
	q.Header, q.Model, q.Follow = header, c.Model, o.Follow
	q.NoCookies = c.Name == "WebFetch" // as that design asks
	q.Auth, err = reader.Auth(access.Username, access.Password, access.Bearer, access.Cookie)
	return q, err
}

// requestOf makes a request of a call's arguments, with its notices and further
// ones. Where the caller sets no length and the surface has a bound, the bound
// counts.
func requestOf(c tool.Call, notices ...string) reader.Request {
	q := reader.FromCall(c.Args)
	q.Notices = slices.Concat(c.Notices, notices)
	if c.AnswerLimit() > 0 {
		q.Window = c.AnswerChars
	}
	return q
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

// Two of the names under which web_fetch can be called come from designs that
// describe the answer too. Called by such a name, the answer has the members of
// that design beside its own.

// named is the answer in the form that belongs to the name of the call.
func named(name string, a *result.Fetch) any {
	switch name {
	case "WebFetch":
		return proposed(a)
	case "web-fetch":
		// Its markdown is the content in each of its modes.
		return struct {
			*result.Fetch
			Markdown string `json:"markdown"`
		}{a, a.Body()}
	}
	return a
}

// proposal is the answer of the design "WebFetch".
type proposal struct {
	*result.Fetch
	Content     string           `json:"content,omitempty"`
	Markdown    string           `json:"markdown,omitempty"` // content has the place
	RedirectURL string           `json:"redirectUrl,omitempty"`
	Metadata    proposalMetadata `json:"metadata"`
}

type proposalMetadata struct {
	result.Metadata
	Title         string    `json:"title"`
	ContentLength int64     `json:"contentLength"`
	ContentType   string    `json:"contentType"`
	FetchedAt     time.Time `json:"fetchedAt"`
}

func proposed(a *result.Fetch) proposal {
	m := a.Metadata
	return proposal{Fetch: a, Content: a.Body(), RedirectURL: a.RedirectURL,
		Metadata: proposalMetadata{Metadata: m, Title: a.Title, ContentLength: m.ContentLength, ContentType: m.ContentType, FetchedAt: m.FetchedAt}}
}

// pageForm is the answer of web_fetch as programs and plans read it: the JSON
// form of result.Fetch. Clients are given text alone.
func pageForm() tool.Schema {
	link := tool.Object(tool.String("text", ""), tool.String("url", ""))
	section := tool.Object(
		tool.String("id", "what section takes"),
		tool.String("anchor", "its anchor in the page"),
		tool.String("title", ""),
		tool.Integer("level", "1 to 6"),
		tool.Integer("tokens", "with its subsections"),
		tool.Integer("start", "characters of the content"),
		tool.Integer("end", ""),
	)
	return tool.Object(
		tool.Boolean("success", "whether the content is what was asked for"),
		tool.String("url", "the address that was asked for"),
		tool.String("final_url", "the address of the content, after redirects"),
		tool.String("redirect_url", "where it redirects to, when that is another host"),
		tool.String("title", ""),
		tool.String("byline", "who wrote it"),
		tool.String("published", "when, as the page says"),
		tool.String("excerpt", "what the page says of itself"),
		tool.String("language", "a code, as en"),
		tool.String("site_name", ""),
		tool.String("page_type", "article, documentation, forum, product and so on"),
		tool.String("verdict", "complete, partial or thin"),
		tool.String("markdown", "the content in mode markdown"),
		tool.String("content", "the content in other modes, or the answer to prompt"),
		tool.Map("facts", "what the page's data says of its subject: type, and values with name, value and from_data (not shown on the page)"),
		quotesForm(),
		tool.Array("links", "in mode links", link),
		tool.Array("outline", "in mode outline", section),
		tool.Integer("next_start_index", "where to read on"),
		tool.Boolean("truncated", "whether the content is less than the whole: a window, or passages chosen from more"),
		tool.Array("notices", "what has to be known about the content, a sentence or two each", tool.Text()),
		tool.String("answered_by", "who answered prompt: model provider/name, client model, passages or page (no model answered), or selectors"),
		tool.Map("omitted", "words and blocks of text that the page shows outside of its main content, navigation left aside"),
		tool.Map("hidden_removed", "what a person does not see, counted by kind"),
		tool.Boolean("no_match", "true where no passage matches query; content is then the outline"),
		tool.Integer("upstream_status", "the HTTP status that the site answered with; 0 where none did"),
		tool.Map("error", "why there is no content"),
		tool.Map("metadata", "content_type, content_length, status, fetched_at, cached, rendered, read_as and read_from where it is another form of the page, version, tokens, window, since, unfiltered, hidden_check, timings"),
	)
}

// fetchForm is pageForm, or what several addresses give: result.FetchAll.
func fetchForm() tool.Schema {
	form := pageForm()
	form.Properties = append(form.Properties,
		tool.Array("results", "with urls: the answer for each, in their order; prompt is answered once, in content and quotes beside it", pageForm()))
	return form
}

func quotesForm() tool.Property {
	return tool.Array("quotes", "the quotations in an answer to prompt", tool.Object(
		tool.String("text", ""),
		tool.Boolean("verified", "whether the page says it, word for word"),
		tool.String("url", "of the page that says it"),
		tool.String("version", "of the page"),
		tool.String("section", "its id"),
		tool.Integer("start", "characters of the version's Markdown"),
		tool.Integer("end", ""),
		tool.String("link", "the address with a text fragment, which leads to the place"),
	))
}
