package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// options are those of a request: supported are read, fixed are known and have only some
// values, everything else is unknown. All that is refused is refused by its name.
type options struct {
	supported []tool.Property
	fixed     map[string]fixed
	// scraping are those of the member scrapeOptions; nil: there is none.
	scraping *options
}

// fixed is an option that has only these values, written as compact JSON: those that ask
// for what is done anyway.
type fixed struct {
	values []string
	why    string // a sentence without a capital and a full stop
}

// given are the options of a request as they were read.
type given struct {
	args    tool.Arguments
	notices []string
	// named are the members of the body, and body is its hash.
	named map[string]bool
	body  [sha256.Size]byte
	// scraping are those of scrapeOptions; nil: it was not given.
	scraping *given
}

const scrapeMember = "scrapeOptions"

// read reads the body of a request.
func (o options) read(body []byte) (out given, e *tool.Error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return out, tool.NewError(tool.InvalidInput, "the body is not a JSON object", `for example {"url":"https://example.com/"}`)
	}
	out.named, out.body = map[string]bool{}, sha256.Sum256(body)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out.named[name] = string(members[name]) != "null"
		f, ok := o.fixed[name]
		if !ok {
			continue
		}
		var value bytes.Buffer
		if err := json.Compact(&value, members[name]); err != nil || value.String() != "null" && !slices.Contains(f.values, value.String()) {
			return out, notSupported(name, f)
		}
		delete(members, name)
	}
	if raw, ok := members[scrapeMember]; ok && o.scraping != nil {
		delete(members, scrapeMember)
		if string(raw) != "null" {
			inner, e := o.scraping.read(raw)
			if e != nil {
				e.Message = scrapeMember + ": " + e.Message
				return out, e
			}
			out.scraping = &inner
		}
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return out, tool.AsError(err)
	}
	schema := tool.Object(o.supported...)
	out.args, out.notices, e = schema.Read(rest)
	if e == nil && out.scraping != nil {
		out.notices = append(out.notices, out.scraping.notices...)
	}
	return out, e
}

// notSupported is the error of an option that is known and refused.
func notSupported(name string, f fixed) *tool.Error {
	hint := "leave it out"
	if len(f.values) > 0 {
		hint = "leave it out, or give " + strings.Join(f.values, " or ")
	}
	return tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" is unsupported: "+f.why, hint)
}

// with returns the options with further fixed ones.
func (o options) with(more map[string]fixed) options {
	o.fixed = maps.Clone(o.fixed)
	maps.Copy(o.fixed, more)
	return o
}

// without returns the options without some that are supported.
func (o options) without(names ...string) options {
	o.supported = slices.DeleteFunc(slices.Clone(o.supported), func(p tool.Property) bool { return slices.Contains(names, p.Name) })
	return o
}

// who are members that say which program asks. They change nothing.
func who() []tool.Property {
	return []tool.Property{tool.String("origin", "which program asks; changes nothing").Unlist(), tool.String("integration", "the same").Unlist()}
}

// The options of all requests that are unsupported.
func fixedEverywhere() map[string]fixed {
	const notHere = "this server does not have it"
	return map[string]fixed{
		"zeroDataRetention": {[]string{"false"}, "pages are stored until their time is over"},
		"threatProtection":  {nil, notHere},
		"auditMetadata":     {nil, "the audit log has the name of the token"},
		"alexandria":        {nil, notHere},
		"requestId":         {nil, notHere},
		"domainTools":       {[]string{"false"}, notHere},
		"toolDetail":        {nil, notHere},
		"ignoreCache":       {[]string{"false"}, notHere},
	}
}

// pageOptions say how a page is read.
func pageOptions() options {
	word := tool.Schema{Type: tool.TypeString}
	const notHere = "this server does not have it"
	return options{
		supported: append([]tool.Property{
			tool.Array("formats", "markdown, html, rawHtml, links, images, summary, screenshot, changeTracking, and as objects with a type json (prompt, schema), question (question), highlights (query), attributes (selectors), screenshot (fullPage)", tool.Schema{}),
			tool.Boolean("onlyMainContent", "false reads the whole body").WithDefault(true),
			tool.Array("includeTags", "CSS selectors: only what matches is read", word),
			tool.Array("excludeTags", "CSS selectors: what matches is left out", word),
			tool.Array("actions", "steps in a browser before the page is read: wait, click, write, press, scroll, screenshot, scrape, pdf, executeJavascript", tool.Schema{}),
			tool.Boolean("mobile", "reads the page as a phone shows it").WithDefault(false),
			tool.Map("location", "languages: sent as Accept-Language"),
			tool.Integer("maxAge", "milliseconds: accepts a stored copy of at most this age").AtLeast(0),
			tool.Boolean("fastMode", "reads without a browser").WithDefault(false),
			tool.Map("profile", "name and saveChanges: the browser state that the page is opened with"),
			tool.Integer("waitFor", "more than 0 runs the page's scripts and waits until it does not change any more").AtLeast(0),
			tool.Integer("timeout", "milliseconds, at most 120000").Clamp(1, maxTimeoutMS),
			tool.Map("headers", "Accept, Accept-Language, If-None-Match, If-Modified-Since, Referer, and what the operator allows"),
		}, who()...),
		fixed: fixedEverywhere(),
	}.with(map[string]fixed{
		"skipTlsVerification": {[]string{"false"}, "certificates are always checked"},
		"parsers":             {[]string{`["pdf"]`, `[{"type":"pdf"}]`, `[{"type":"pdf","mode":"auto"}]`, `["image"]`, `[{"type":"image"}]`, `["pdf","image"]`}, "documents and pictures are always read, and as a whole"},
		"removeBase64Images":  {[]string{"true"}, "they are always removed"},
		"useMock":             {nil, notHere},
		"blockAds":            {[]string{"true"}, "advertisements are not content"},
		"proxy":               {[]string{`"basic"`, `"auto"`}, "the operator chooses the proxy"},
		"minAge":              {nil, "use maxAge"},
		"storeInCache":        {[]string{"true"}, "what a site lets be stored is stored"},
		"lockdown":            {[]string{"false"}, notHere},
		"redactPII":           {[]string{"false"}, notHere},
	})
}

func scrapeOptions() options {
	o := pageOptions()
	o.supported = append([]tool.Property{tool.String("url", "the page").Require()}, o.supported...)
	return o
}

// jobPageOptions are those of the pages of a job.
func jobPageOptions() options {
	return pageOptions().without("maxAge", "timeout", "headers").with(map[string]fixed{
		"headers": {[]string{"{}"}, "a job sends the headers of this server"},
		"maxAge":  {nil, "a job accepts what the cache of this server holds"},
		"timeout": {nil, "the operator bounds the time of a page"},
	})
}

func mapOptions() options {
	return options{supported: append([]tool.Property{
		tool.String("url", "a page of the site").Require(),
		tool.String("search", "words: ranks the pages, and leaves out those that have none of them"),
		tool.String("sitemap", "").OneOf("include", "skip", "only").WithDefault("include"),
		tool.Boolean("includeSubdomains", "adds the other hosts of the domain").WithDefault(true),
		tool.Boolean("ignoreQueryParameters", "leaves out addresses with a query").WithDefault(true),
		tool.Integer("limit", "").Clamp(1, maxJobPages).WithDefault(5000),
		tool.Integer("timeout", "milliseconds, at most 120000").Clamp(1, maxTimeoutMS),
	}, who()...), fixed: fixedEverywhere()}
}

func searchOptions() options {
	word := tool.Schema{Type: tool.TypeString}
	return options{supported: append([]tool.Property{
		tool.String("query", "").Require(),
		tool.Integer("limit", "").Clamp(1, mostResults).WithDefault(5),
		tool.String("tbs", "qdr:d, qdr:w, qdr:m, qdr:y, or cdr:1,cd_min:1/31/2026,cd_max:2/28/2026"),
		tool.String("country", "two letters"),
		tool.Array("sources", "web, news, images", tool.Schema{}),
		tool.Array("categories", "github, research, developer, pdf", tool.Schema{}),
		tool.Boolean("highlights", "true: descriptions are the passages of the pages that match the query").WithDefault(false),
		tool.Array("includeDomains", "only these", word),
		tool.Array("excludeDomains", "none of these", word),
		tool.Integer("timeout", "milliseconds, at most 120000").Clamp(1, maxTimeoutMS),
		tool.Boolean("ignoreInvalidURLs", "results with an invalid address are always left out"),
	}, who()...), scraping: new(pageOptions()), fixed: fixedEverywhere()}.with(map[string]fixed{
		"enterprise":    {[]string{"[]", `["default"]`}, "this server does not have it"},
		"asyncScraping": {[]string{"false"}, "use /v2/batch/scrape"},
	})
}

// scrapeRequest is what is wanted of a page.
type scrapeRequest struct {
	formats []format
	args    map[string]any // of web_fetch, without url and mode
	notices []string
	actions []tool.Arguments
	mobile  bool
	profile profile
	base    string // the URL of this server as the client knows it
}

// scrape reads the options of a page.
func (o given) scrape() (q scrapeRequest, err error) {
	q.notices = o.notices
	list, named := o.args["formats"].([]any)
	if !named {
		list = []any{formatMarkdown}
	}
	for _, f := range list {
		one, e := formatOf(f)
		if e != nil {
			return q, e
		}
		q.formats = append(q.formats, one)
	}
	q.args = map[string]any{"max_length": 0}
	if tags := o.args.Strings("includeTags"); len(tags) > 0 {
		q.args["selector"] = strings.Join(tags, ", ")
	} else if !o.args.Bool("onlyMainContent") {
		q.args["whole"] = true
	}
	if ms, ok := o.args["maxAge"].(int); ok {
		q.args["max_age"] = ms / 1000
	}
	if o.args.Int("waitFor") > 0 {
		q.args["render"] = "always"
	}
	if ms := o.args.Int("timeout"); ms > 0 {
		q.args["timeout_ms"] = ms
	}
	if tags := o.args.Strings("excludeTags"); len(tags) > 0 {
		q.args["exclude"] = tags
	}
	q.mobile = o.args.Bool("mobile")
	var e *tool.Error
	if q.actions, e = actionsOf(o.args["actions"]); e != nil {
		return q, e
	}
	if q.profile, e = profileOf(o.args["profile"]); e != nil {
		return q, e
	}
	if o.args.Bool("fastMode") {
		if q.needsBrowser() || q.args["render"] != nil {
			return q, tool.NewError(tool.InvalidInput, "fastMode reads without a browser, and another option needs one", "leave fastMode, or the others, out")
		}
		q.args["render"] = "never"
	}
	headers, e := o.headers()
	if len(headers) > 0 {
		q.args["headers"] = headers
	}
	if e != nil {
		return q, e
	}
	return q, nil
}

// headers are those of the option of the same name, with the languages of location.
func (o given) headers() (map[string]any, *tool.Error) {
	given, _ := o.args["headers"].(map[string]any)
	languages, e := o.languages()
	if languages == "" {
		return given, e
	}
	out := map[string]any{"Accept-Language": languages}
	for name, value := range given {
		if name != "Accept-Language" {
			out[name] = value
		}
	}
	return out, e
}

// languages returns the option location as the value of Accept-Language.
func (o given) languages() (string, *tool.Error) {
	l, _ := o.args["location"].(map[string]any)
	for name := range l {
		if name != "languages" {
			return "", tool.NewError(tool.InvalidInput, "member "+quoted(name)+" of location is unsupported: requests leave from where this server is", "give languages alone")
		}
	}
	languages, ok := texts(l["languages"])
	if !ok {
		return "", tool.NewError(tool.InvalidInput, "location.languages is not a list of strings", `for example ["de","en"]`)
	}
	return strings.Join(languages, ", "), nil
}

// firecrawlWebhook is an address, or an object with one.
func firecrawlWebhook() tool.Property {
	return tool.Member("webhook", "an address, or an object with url, events ("+strings.Join(firecrawl.Events(), ", ")+") and metadata, that is told what happens; the answer has webhookSecret, with which the receiver checks "+firecrawl.SignatureHeader, tool.Schema{})
}

// webhook reads the option of the same name.
func (o given) webhook(q *result.CrawlRequest) *tool.Error {
	wrong := func(what string) *tool.Error {
		return tool.NewError(tool.InvalidInput, what, `give an address, or for example {"url":"https://example.com/hook","events":["completed"]}`)
	}
	var hook result.FirecrawlWebhook
	switch v := o.args["webhook"].(type) {
	case nil:
		return nil
	case string:
		q.Webhook = v
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			ok := true
			switch value := v[name]; name {
			case "url":
				q.Webhook, ok = value.(string)
			case "events":
				hook.Events, ok = texts(value)
			case "metadata":
				hook.Metadata, ok = textsByName(value)
			case "headers":
				if given, isObject := value.(map[string]any); value != nil && (!isObject || len(given) > 0) {
					return tool.NewError(tool.InvalidInput, "option headers of the webhook is unsupported: a job is stored, and secrets in it would be", "leave it out, and check "+firecrawl.SignatureHeader)
				}
			default:
				return wrong("option " + text.Name(name) + " of the webhook does not exist")
			}
			if !ok {
				return wrong("option " + text.Name(name) + " of the webhook has a wrong type")
			}
		}
	default:
		return wrong("the webhook is neither an address nor an object")
	}
	if q.Webhook == "" {
		return wrong("the webhook has no url")
	}
	q.WebhookFirecrawl = &hook
	return nil
}

// texts is a list of strings; nothing for null.
func texts(v any) (out []string, ok bool) {
	list, isList := v.([]any)
	for _, one := range list {
		s, isText := one.(string)
		if !isText {
			return nil, false
		}
		out = append(out, s)
	}
	return out, isList || v == nil
}

// textsByName is an object of strings; nothing for null.
func textsByName(v any) (map[string]string, bool) {
	object, isObject := v.(map[string]any)
	out := make(map[string]string, len(object))
	for name, one := range object {
		s, isText := one.(string)
		if !isText {
			return nil, false
		}
		out[name] = s
	}
	return out, isObject || v == nil
}
