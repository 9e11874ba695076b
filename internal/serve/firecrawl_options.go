package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// options are those of a request: supported are read, fixed are known and have only some
// values, everything else is unknown. All that is refused is refused by its name.
type options struct {
	supported []tool.Property
	fixed     map[string]fixed
	// inner are those of members that are objects.
	inner map[string]options
}

// takes returns the options of a request that supports these, and the two that name the client.
func takes(supported ...tool.Property) options {
	return options{supported: append(supported, tool.String("origin", "which program asks; changes nothing").Unlist(), tool.String("integration", "the same").Unlist()), fixed: fixedEverywhere()}
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
	// members are those of the body that are not null, and body is its hash.
	members map[string]json.RawMessage
	body    [sha256.Size]byte
	// inner are the options of members that are objects, of those that were given.
	inner map[string]given
}

const scrapeMember = "scrapeOptions"

// read reads the body of a request.
func (o options) read(body []byte) (out given, e *tool.Error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return out, tool.NewError(tool.InvalidInput, "it is not a JSON object", `for example {"url":"https://example.com/"}`)
	}
	maps.DeleteFunc(members, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	out.members, out.body, out.inner = maps.Clone(members), sha256.Sum256(body), map[string]given{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		f, isFixed := o.fixed[name]
		object, isObject := o.inner[name]
		if !isFixed && !isObject {
			continue
		}
		var value bytes.Buffer
		if err := json.Compact(&value, members[name]); isFixed && (err != nil || !slices.Contains(f.values, value.String())) {
			return out, notSupported(name, f)
		}
		if isObject {
			inner, e := object.read(members[name])
			if e != nil {
				e.Message = text.Name(name) + ": " + e.Message
				return out, e
			}
			out.inner[name] = inner
			out.notices = append(out.notices, inner.notices...)
		}
		delete(members, name)
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return out, tool.AsError(err)
	}
	schema := tool.Object(o.supported...)
	args, notices, e := schema.Read(rest)
	out.args, out.notices = args, append(notices, out.notices...)
	return out, e
}

// element reads an element of a list: an object whose type names its form. what says which
// element it is.
func element(what string, v any, forms map[string]options) (kind string, out given, e *tool.Error) {
	object, _ := v.(map[string]any)
	kind, _ = object["type"].(string)
	form, ok := forms[kind]
	raw, err := json.Marshal(v)
	if !ok || err != nil {
		return kind, out, tool.NewError(tool.InvalidInput, what+" "+quoted(string(raw))+" is unsupported", "the types are "+strings.Join(slices.Sorted(maps.Keys(forms)), ", "))
	}
	form.supported = append(slices.Clone(form.supported), tool.String("type", ""))
	if out, e = form.read(raw); e != nil {
		e.Message = what + " " + text.Name(kind) + ": " + e.Message
	}
	return kind, out, e
}

// only returns the options with some of those that are supported.
func (o options) only(names ...string) options {
	o.supported = slices.DeleteFunc(slices.Clone(o.supported), func(p tool.Property) bool { return !slices.Contains(names, p.Name) })
	return o
}

// notSupported is the error of an option that is known and refused.
func notSupported(name string, f fixed) *tool.Error {
	hint := "leave it out"
	if len(f.values) > 0 {
		hint = "leave it out, or give " + strings.Join(f.values, " or ")
	}
	return tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" is unsupported: "+f.why, hint)
}

// with returns the options with further fixed ones, which take the place of others of their
// names.
func (o options) with(more map[string]fixed) options {
	isFixed := func(name string) bool { _, is := more[name]; return is }
	o.supported = slices.DeleteFunc(slices.Clone(o.supported), func(p tool.Property) bool { return isFixed(p.Name) })
	inner, all := map[string]options{}, map[string]fixed{}
	maps.Copy(inner, o.inner)
	maps.Copy(all, o.fixed)
	maps.DeleteFunc(inner, func(name string, _ options) bool { return isFixed(name) })
	maps.Copy(all, more)
	o.inner, o.fixed = inner, all
	return o
}

// holding returns the options with a member that is an object.
func (o options) holding(name string, inner options) options {
	o = o.with(nil)
	delete(o.fixed, name)
	o.inner[name] = inner
	return o
}

// The options of all requests that are unsupported.
func fixedEverywhere() map[string]fixed {
	const notHere = "this server does not have it"
	return map[string]fixed{
		"zeroDataRetention": {[]string{"false"}, "pages are stored until their time is over"},
		"threatProtection":  {nil, notHere},
		"auditMetadata":     {nil, "only calls that read or search have it in the audit log"},
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
	return takes(
		tool.Array("formats", "markdown, html, rawHtml, links, images, summary, screenshot, changeTracking, and as objects with a type json (prompt, schema), question (question), highlights (query), attributes (selectors), screenshot (fullPage)", tool.Schema{}),
		tool.Boolean("onlyMainContent", "false reads the whole body").WithDefault(true),
		tool.Array("includeTags", "CSS selectors: only what matches is read", word),
		tool.Array("excludeTags", "CSS selectors: what matches is left out", word),
		tool.Array("actions", "steps in a browser before the page is read: wait, click, write, press, scroll, screenshot, scrape, pdf, executeJavascript", tool.Schema{}),
		tool.Boolean("mobile", "reads the page as a phone shows it").WithDefault(false),
		tool.Integer("maxAge", "milliseconds: accepts a stored copy of at most this age").AtLeast(0),
		tool.Boolean("lockdown", "takes a stored copy alone").WithDefault(false),
		tool.Integer("minAge", "the same, of at least so many milliseconds").AtLeast(0),
		tool.Boolean("fastMode", "reads without a browser").WithDefault(false),
		tool.Integer("waitFor", "more than 0 runs the page's scripts and waits until it does not change any more").AtLeast(0),
		tool.Integer("timeout", "milliseconds, at most 120000").Clamp(1, maxTimeoutMS),
		tool.Map("headers", "Accept, Accept-Language, If-None-Match, If-Modified-Since, Referer, and what the operator allows"),
	).holding("profile", profileOptions()).holding("location", options{
		supported: []tool.Property{tool.Array("languages", "sent as Accept-Language", word)},
		fixed:     map[string]fixed{"country": {nil, "requests leave from where this server is"}},
	}).with(map[string]fixed{
		"skipTlsVerification": {[]string{"false"}, "certificates are always checked"},
		"parsers":             {[]string{`["pdf"]`, `[{"type":"pdf"}]`, `[{"type":"pdf","mode":"auto"}]`, `["image"]`, `[{"type":"image"}]`, `["pdf","image"]`}, "documents and pictures are always read, and as a whole"},
		"removeBase64Images":  {[]string{"true"}, "they are always removed"},
		"useMock":             {nil, notHere},
		"blockAds":            {[]string{"true"}, "advertisements are not content"},
		"proxy":               {[]string{`"basic"`, `"auto"`}, "the operator chooses the proxy"},
		"storeInCache":        {[]string{"true"}, "what a site lets be stored is stored"},
		"redactPII":           {[]string{"false"}, notHere},
	})
}

func scrapeOptions() options {
	o := pageOptions().audited()
	o.supported = append([]tool.Property{tool.String("url", "the page").Require()}, o.supported...)
	return o
}

// jobPageOptions are those of the pages of a job.
func jobPageOptions() options {
	return pageOptions().with(map[string]fixed{
		"minAge":   {nil, "a job asks the site for what is not stored"},
		"lockdown": {[]string{"false"}, "a job asks the site for what is not stored"},
		"headers":  {[]string{"{}"}, "a job sends the headers of this server"},
		"maxAge":   {nil, "a job accepts what the cache of this server holds"},
		"timeout":  {nil, "the operator bounds the time of a page"},
	})
}

func mapOptions() options {
	return takes(
		tool.String("url", "a page of the site").Require(),
		tool.String("search", "words: ranks the pages, and leaves out those that have none of them"),
		tool.String("sitemap", "").OneOf("include", "skip", "only").WithDefault("include"),
		tool.Boolean("includeSubdomains", "adds the other hosts of the domain").WithDefault(true),
		tool.Boolean("ignoreQueryParameters", "leaves out addresses with a query").WithDefault(true),
		tool.Integer("limit", "").Clamp(1, maxJobPages).WithDefault(5000),
		tool.Integer("timeout", "milliseconds, at most 120000").Clamp(1, maxTimeoutMS),
	).with(map[string]fixed{"location": {nil, "requests leave from where this server is"}}).audited()
}

func searchOptions() options {
	word := tool.Schema{Type: tool.TypeString}
	return takes(
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
	).holding(scrapeMember, pageOptions()).with(map[string]fixed{
		"location":      {nil, "the search provider takes a country: use that"},
		"enterprise":    {[]string{"[]", `["default"]`}, "this server does not have it"},
		"asyncScraping": {[]string{"false"}, "use /v2/batch/scrape"},
	})
}

// audited returns options that name the person behind a request, for the audit log.
func (o options) audited() options {
	return o.holding("auditMetadata", options{supported: []tool.Property{tool.String("username", "the person behind the request").Require()}})
}

// by returns the context of the calls of a request, with the person behind it.
func (o given) by(ctx context.Context) context.Context {
	if name := o.inner["auditMetadata"].args.String("username"); name != "" {
		surface, _ := principal.SurfaceOf(ctx)
		surface.User = text.Cut(text.Line(name), text.MaxQuoted)
		ctx = principal.WithSurface(ctx, surface)
	}
	return ctx
}

// scrapeRequest is what is wanted of a page.
type scrapeRequest struct {
	formats []format
	args    map[string]any // of web_fetch, without url and mode
	notices []string
	actions []tool.Arguments
	mobile  bool
	profile profile
	minAge  time.Duration
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
	if q.minAge = time.Duration(o.args.Int("minAge")) * time.Millisecond; o.args.Bool("lockdown") || o.args.Has("minAge") {
		q.args["stored"] = true
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
	q.profile = o.profile()
	if o.args.Bool("fastMode") {
		if q.needsBrowser() || q.args["render"] != nil {
			return q, tool.NewError(tool.InvalidInput, "fastMode reads without a browser, and another option needs one", "leave fastMode, or the others, out")
		}
		q.args["render"] = "never"
	}
	headers, _ := o.args["headers"].(map[string]any)
	if languages := o.inner["location"].args.Strings("languages"); len(languages) > 0 {
		headers = maps.Clone(headers)
		if headers == nil {
			headers = map[string]any{}
		}
		headers["Accept-Language"] = strings.Join(languages, ", ")
	}
	if len(headers) > 0 {
		q.args["headers"] = headers
	}
	return q, nil
}

// firecrawlWebhook is an address, or an object with one.
func firecrawlWebhook() tool.Property {
	return tool.Member("webhook", "an address, or an object with url, events ("+strings.Join(firecrawl.Events(), ", ")+") and metadata, that is told what happens; the answer has webhookSecret, with which the receiver checks "+firecrawl.SignatureHeader, tool.Schema{})
}

// hookOptions are those of a webhook. Where it is stored, secrets in it would be.
func hookOptions(events []string) options {
	return options{
		supported: []tool.Property{tool.String("url", "where the messages go").Require(), tool.Array("events", "", tool.Schema{Type: tool.TypeString, Enum: events}), tool.Map("metadata", "strings that each message has")},
		fixed:     map[string]fixed{"headers": {[]string{"{}"}, "it is stored with the job, and secrets in it would be; check " + firecrawl.SignatureHeader}},
	}
}

// webhook reads the option of the same name; "" where there is none.
func (o given) webhook(events []string) (url string, h *result.FirecrawlWebhook, e *tool.Error) {
	raw := o.members["webhook"]
	if raw == nil {
		return "", nil, nil
	}
	if address, ok := o.args["webhook"].(string); ok {
		raw, _ = json.Marshal(map[string]string{"url": address})
	}
	hook, e := hookOptions(events).read(raw)
	if e != nil {
		e.Message = "webhook: " + e.Message
		return "", nil, e
	}
	metadata, ok := textsByName(hook.args["metadata"])
	if url = hook.args.String("url"); url == "" || !ok {
		return "", nil, tool.NewError(tool.InvalidInput, "the webhook has no url, or metadata that are not strings", `give an address, or for example {"url":"https://example.com/hook","events":["completed"]}`)
	}
	return url, &result.FirecrawlWebhook{Events: hook.args.Strings("events"), Metadata: metadata}, nil
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
