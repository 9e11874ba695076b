package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Crawls and batches as Firecrawl has them: the jobs of jobs.go. The pages that were read
// are in the state, from the first one or behind a cursor; those that could not be read
// are at /errors.

// batchSites is how many sites a job asks at a time (crawl.RunOptions.Sites).
const batchSites = 8

// firecrawl is the path of a kind of jobs.
func (k jobKind) firecrawl() string {
	if k.kind == kindBatch {
		return firecrawlBatches
	}
	return firecrawlCrawls
}

func crawlOptions() options {
	word := tool.Schema{Type: tool.TypeString}
	return takes(
		tool.String("url", "a page of the site").Require(),
		tool.String("prompt", "what the crawl is for: a model makes options of it, for those that are not given"),
		tool.Array("includePaths", "regular expressions (RE2) for the paths of pages and their queries", word),
		tool.Array("excludePaths", "the same for what is left out; wins", word),
		tool.Boolean("regexOnFullURL", "compares them with the URL").WithDefault(false),
		tool.Integer("maxDiscoveryDepth", "links from the start").AtLeast(1),
		tool.String("sitemap", "skip follows links alone, only reads what the sitemaps name").OneOf("include", "skip", "only").WithDefault("include"),
		tool.Boolean("ignoreQueryParameters", "omits the query of the URLs that are found").WithDefault(false),
		tool.Integer("limit", "how many pages are read").Clamp(1, maxJobPages).WithDefault(10_000),
		tool.Boolean("crawlEntireDomain", "false: only paths below that of url").WithDefault(false),
		tool.Boolean("allowSubdomains", "adds the other hosts of the domain").WithDefault(false),
		tool.Boolean("allowExternalLinks", "follows links to other sites").WithDefault(false),
		tool.Boolean("deduplicateSimilarURLs", "false keeps pages that are nearly another one").WithDefault(true),
		tool.Number("delay", "seconds between two requests to a site, which are then sent one at a time").Clamp(0, 30),
		tool.Integer("maxConcurrency", "requests at a time to the site; the operator sets the most").AtLeast(1),
		firecrawlWebhook(),
	).holding(scrapeMember, jobPageOptions()).with(map[string]fixed{
		"ignoreRobotsTxt": {[]string{"false"}, "robots.txt is always obeyed"},
		"robotsUserAgent": {nil, "the operator chooses the user agent"},
	})
}

// crawlRequest is what options of a crawl say.
func (o given) crawlRequest() result.CrawlRequest {
	a := o.args
	q := result.CrawlRequest{URLs: []string{a.String("url")}, MaxPages: a.Int("limit"), MaxDepth: a.Int("maxDiscoveryDepth"), Subdomains: a.Bool("allowSubdomains"), Concurrency: a.Int("maxConcurrency"),
		Match: a.Strings("includePaths"), Omit: a.Strings("excludePaths"), FullURL: a.Bool("regexOnFullURL"), DropQuery: a.Bool("ignoreQueryParameters"), EntireSite: a.Bool("crawlEntireDomain"), External: a.Bool("allowExternalLinks"), Duplicates: !a.Bool("deduplicateSimilarURLs")}
	if q.Map = a.String("sitemap"); q.Map == "include" {
		q.Map = ""
	}
	if seconds := a.Float("delay"); seconds > 0 {
		q.Delay, q.Concurrency = time.Duration(seconds*float64(time.Second)), 1
	}
	return q
}

// crawlPlan is the form of the options that a model makes of a prompt.
func crawlPlan() tool.Schema {
	return tool.Object(crawlOptions().only("includePaths", "excludePaths", "maxDiscoveryDepth", "limit", "crawlEntireDomain", "allowSubdomains", "sitemap").supported...)
}

// planned has a model make options of a crawl of what it is for. It sees the start page.
func (s *Server) planned(ctx context.Context, url, prompt string) (map[string]any, error) {
	page, err := typed[result.Fetch](ctx, s, "web_fetch", map[string]any{"url": url, "schema": crawlPlan(),
		"prompt": "A crawl begins at this page. Choose its options, and leave out those that the purpose does not ask for. includePaths and excludePaths are regular expressions for paths of URLs. The purpose: " + prompt})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if json.Unmarshal([]byte(page.Content), &out) != nil {
		return nil, tool.NewError(tool.ModelError, "the answer of the model is not an object of options", "give the options themselves, or choose another model in WEB_MODEL")
	}
	for name, v := range out {
		if list, isList := v.([]any); v == nil || v == "" || isList && len(list) == 0 {
			delete(out, name)
		}
	}
	return out, nil
}

// plan adds the options that a model makes of the prompt, where there is one.
func (s *Server) plan(ctx context.Context, o *given) (made map[string]any, err error) {
	prompt := o.args.String("prompt")
	if prompt == "" {
		return nil, nil
	}
	if made, err = s.planned(ctx, o.args.String("url"), prompt); err != nil {
		return nil, err
	}
	members := map[string]any{"url": o.args.String("url")}
	for name := range made {
		if o.members[name] != nil {
			delete(made, name)
			continue
		}
		members[name] = made[name]
	}
	body, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	more, e := crawlOptions().read(body)
	if e != nil {
		return nil, tool.NewError(tool.ModelError, "the model has made options that are not valid: "+e.Message, "give the options themselves")
	}
	for name := range made {
		o.args[name] = more.args[name]
	}
	return made, nil
}

func previewOptions() options {
	return takes(tool.String("url", "where the crawl begins").Require(), tool.String("prompt", "what it is for").Require())
}

// previewCrawl answers POST /v2/crawl/params-preview.
func (s *Server) previewCrawl(ctx context.Context, r *http.Request, o given) (any, error) {
	made, err := s.planned(ctx, o.args.String("url"), o.args.String("prompt"))
	if err != nil {
		return nil, err
	}
	made["url"] = o.args.String("url")
	return map[string]any{"success": true, "data": made}, nil
}

func batchOptions() options {
	o := jobPageOptions()
	o.supported = append([]tool.Property{
		tool.Array("urls", "the addresses, at most 10,000", tool.Schema{Type: tool.TypeString}).Require(),
		tool.String("appendToId", "adds the URLs to this batch, whose options hold for them"),
		tool.Boolean("ignoreInvalidURLs", "lists invalid addresses in invalidURLs in place of refusing the batch").WithDefault(true),
		tool.Integer("maxConcurrency", fmt.Sprintf("requests at a time; a batch asks at most %d sites at a time", batchSites)).AtLeast(1),
		firecrawlWebhook(),
	}, o.supported...)
	return o
}

type started struct {
	Success bool     `json:"success"`
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	Invalid []string `json:"invalidURLs,omitempty"`
	Warning string   `json:"warning,omitempty"`
	// Made are the options that a model has made of the prompt.
	Made map[string]any `json:"promptGeneratedOptions,omitempty"`
	// WebhookSecret is not Firecrawl's: a receiver checks X-Firecrawl-Signature with it.
	WebhookSecret string `json:"webhookSecret,omitempty"`
}

// crawlSite answers POST /v2/crawl.
func (s *Server) crawlSite(ctx context.Context, r *http.Request, o given) (any, error) {
	made, err := s.plan(ctx, &o)
	if err != nil {
		return nil, err
	}
	q := o.crawlRequest()
	if page, ok := o.inner[scrapeMember]; ok {
		if e := page.jobScrape(s, &q); e != nil {
			return nil, e
		}
	}
	return s.startFirecrawl(ctx, r, crawlKind, q, started{Made: made}, o)
}

// scrapeAll answers POST /v2/batch/scrape.
func (s *Server) scrapeAll(ctx context.Context, r *http.Request, o given) (any, error) {
	q := result.CrawlRequest{URLs: o.args.Strings("urls"), Batch: true, Job: o.args.String("appendToId")}
	var invalid []string
	if o.args.Bool("ignoreInvalidURLs") {
		q.URLs = slices.DeleteFunc(q.URLs, func(address string) bool {
			_, err := weburl.ParseLenient(address)
			if err != nil {
				invalid = append(invalid, address)
			}
			return err != nil
		})
	}
	switch {
	case len(q.URLs) == 0:
		return nil, tool.NewError(tool.InvalidInput, "urls has no valid address", "give addresses like https://example.com/page")
	case len(q.URLs) > maxJobBatch:
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("urls has %d URLs, and a batch takes at most %d", len(q.URLs), maxJobBatch), "use several")
	}
	if n := o.args.Int("maxConcurrency"); n > 0 && n < batchSites {
		q.Sites, q.Concurrency = n, 1
	}
	if q.Job != "" {
		if e := o.appends(); e != nil {
			return nil, e
		}
		if _, err := s.stateOf(ctx, batchKind, q.Job); err != nil {
			return nil, err
		}
	} else if e := o.jobScrape(s, &q); e != nil {
		return nil, e
	}
	return s.startFirecrawl(ctx, r, batchKind, q, started{Invalid: invalid}, o)
}

// appends refuses options of a request that adds URLs to a batch: it has its own.
func (o given) appends() *tool.Error {
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		if !slices.Contains([]string{"urls", "appendToId", "ignoreInvalidURLs", "origin", "integration"}, name) {
			return tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" does not go with appendToId: the batch keeps the options that it was started with", "leave it out, or start another batch")
		}
	}
	return nil
}

// startFirecrawl starts a job, or for a request that repeats an idempotency key answers as
// for the first one.
func (s *Server) startFirecrawl(ctx context.Context, r *http.Request, k jobKind, q result.CrawlRequest, out started, o given) (any, error) {
	var e *tool.Error
	if q.Webhook, q.WebhookFirecrawl, e = o.webhook(firecrawl.Events()); e != nil {
		return nil, e
	}
	start := func() (started, error) {
		state, err := s.o.Jobs.StartCrawl(ctx, q)
		if err != nil {
			return out, err
		}
		out.Success, out.ID, out.URL, out.WebhookSecret = true, state.Job, baseURL(r)+k.firecrawl()+"/"+url.PathEscape(state.Job), state.WebhookSecret
		out.Warning = strings.Join(append(o.notices, state.Notices...), " ")
		return out, nil
	}
	key := r.Header.Get(idempotencyHeader)
	if key == "" {
		return start()
	}
	return s.v2.repeats.do(principal.Of(ctx).Name+"\x00"+k.kind+"\x00"+key, o.body, start)
}

const idempotencyHeader = "X-Idempotency-Key"

// repeats are the answers to requests with an idempotency key. It is safe for concurrent
// use; the zero value is ready.
type repeats struct {
	starting sync.Mutex
	kept[repeat]
}

type repeat struct {
	body [sha256.Size]byte
	out  started
}

// do returns what start has returned for this key, or calls it.
func (p *repeats) do(key string, body [sha256.Size]byte, start func() (started, error)) (any, error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if had, ok := p.get(key); ok {
		if had.body != body {
			return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusConflict, Message: "the idempotency key was used for another request", Hint: "use another key"}
		}
		return had.out, nil
	}
	out, err := start()
	if err != nil {
		return nil, err
	}
	p.put(key, repeat{body, out})
	return out, nil
}

// maxJobScrape bounds what is stored of the options of a job's pages, in bytes.
const maxJobScrape = 64 << 10

// jobScrape reads the options of a job's pages into its request. A job stores the main
// content of pages as Markdown; what else is wanted is made when its pages are requested.
func (o given) jobScrape(s *Server, q *result.CrawlRequest) *tool.Error {
	if o.args.Int("waitFor") > 0 {
		q.Render = "always"
	}
	wanted, err := o.scrape()
	if err != nil {
		return tool.AsError(err)
	}
	if e := wanted.check(); e != nil {
		return e
	}
	args := map[string]json.RawMessage{}
	for _, name := range []string{"formats", "onlyMainContent", "includeTags", "excludeTags", "actions", "mobile", "profile", "location", "waitFor"} {
		if v, ok := o.members[name]; ok {
			args[name] = v
		}
	}
	if wanted.args["render"] == "never" {
		q.Render = "never"
	}
	delete(wanted.args, "max_length")
	delete(wanted.args, "render") // the job does it
	if !wanted.needsBrowser() && len(wanted.args) == 0 && !slices.ContainsFunc(wanted.formats, func(f format) bool { return f.kind != formatMarkdown }) {
		return nil
	}
	if slices.ContainsFunc(wanted.formats, func(f format) bool { return f.kind == formatChanges }) {
		q.Changes = true
	}
	if _, e := s.find("web_fetch"); e != nil {
		return e
	}
	if q.Scrape, err = json.Marshal(args); err != nil || len(q.Scrape) > maxJobScrape {
		return tool.NewError(tool.TooLarge, fmt.Sprintf("the options of the pages have more than %d bytes", maxJobScrape), "use a shorter schema")
	}
	return nil
}

const (
	// documentsEach is how many documents of a job that are not its Markdown are made for one
	// answer, documentBytes the size up to which one is kept for a client that asks again.
	documentsEach, documentBytes = 10, 64 << 10
	// documentAge is the oldest copy of a page that is used, in seconds: what the job has read.
	documentAge = 30 * 24 * 60 * 60
)

// jobDocuments makes the documents of pages as the job's options want them.
func (s *Server) jobDocuments(ctx context.Context, base string, job *result.Crawl, pages []result.CrawlPage) ([]firecrawl.Document, error) {
	options, e := pageOptions().read(job.Scrape)
	if e != nil {
		return nil, e
	}
	q, err := options.scrape()
	if err != nil {
		return nil, err
	}
	q.base, q.args["max_age"] = base, documentAge
	var changes []format
	q.formats = slices.DeleteFunc(q.formats, func(f format) bool {
		if f.kind == formatChanges {
			changes = append(changes, f)
		}
		return f.kind == formatChanges
	})
	out := make([]firecrawl.Document, len(pages))
	atOnce(len(pages), func(i int) {
		p := pages[i]
		key := principal.Of(ctx).Name + "\x00" + job.Job + "\x00" + strconv.FormatInt(p.Cursor, 10)
		d, ok := s.v2.made.get(key)
		if !ok {
			var err error
			d, err = s.document(ctx, p.URL, true, q)
			for _, f := range changes { // with what the job has found, not with the last version
				if err == nil {
					args := map[string]any{"url": p.URL, "max_age": documentAge}
					d.Changes, err = s.changes(ctx, f, args, p.Version, p.Previous, p.PreviousSeen)
				}
			}
			if err != nil {
				d = failedDocument(p.URL, tool.AsError(err))
			} else if sizeOf(d) < documentBytes {
				s.v2.made.put(key, d)
			}
		}
		out[i] = *d
	})
	return out, ctx.Err()
}

// jobStatus is the state of a job with a part of its pages.
type jobStatus struct {
	Success   bool   `json:"success"`
	Status    string `json:"status"`
	Completed int64  `json:"completed"`
	Total     int64  `json:"total"`
	// CreditsUsed is 0: nothing is charged.
	CreditsUsed int64                `json:"creditsUsed"`
	Next        string               `json:"next,omitempty"`
	Data        []firecrawl.Document `json:"data"`
	Error       string               `json:"error,omitempty"`
	// Failed is not Firecrawl's: the first pages that could not be read, with their reasons.
	Failed  []result.CrawlFailure `json:"failed"`
	Warning string                `json:"warning,omitempty"`
}

// firecrawlStatus answers GET /v2/crawl/{id} and that of a batch.
func (s *Server) firecrawlStatus(k jobKind) http.HandlerFunc {
	part := s.repliesPages(k.of(s.jobPart))
	return func(w http.ResponseWriter, r *http.Request) {
		if upgrades(r) {
			s.watch(w, r, k)
			return
		}
		part(w, r)
	}
}

// jobPart is the state of a job with the pages that the query names.
func (s *Server) jobPart(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	for name := range r.URL.Query() {
		if name != "cursor" && name != "limit" {
			return nil, tool.NewError(tool.InvalidInput, "parameter "+quoted(name)+" is unsupported", "follow next, which leads to further pages; limit bounds the pages of one answer")
		}
	}
	after, limit, e := partOf(r)
	if e != nil {
		return nil, e
	}
	out, next, _, err := s.statusPages(ctx, baseURL(r), k, r.PathValue("id"), after, limit)
	if err != nil {
		return nil, err
	}
	if next > 0 {
		query := url.Values{"cursor": {strconv.FormatInt(next, 10)}}
		if l := r.URL.Query().Get("limit"); l != "" {
			query.Set("limit", l)
		}
		out.Next = baseURL(r) + r.URL.EscapedPath() + "?" + query.Encode()
	}
	return out, nil
}

// statusPages is the state of a job with the pages behind a cursor; next is the cursor of
// further ones, 0 while there are none, and seen that of the last one here. A client follows
// next at once, so that it must not lead to pages that are yet to be read.
func (s *Server) statusPages(ctx context.Context, base string, k jobKind, id string, after int64, limit int) (out jobStatus, next, seen int64, err error) {
	state, err := s.stateOf(ctx, k, id) // before the pages: of a job that has ended, all are there
	if err != nil {
		return out, 0, 0, err
	}
	if state.Scrape != nil {
		limit = min(limit, documentsEach)
	}
	pages, err := s.o.Jobs.CrawlPages(ctx, id, after, limit, state.Scrape == nil)
	if err != nil {
		return out, 0, 0, err
	}
	out = jobStatus{Success: true, Status: firecrawl.Status(state), Completed: state.Read, Total: state.Read + state.Failures, Failed: state.Failed, Data: []firecrawl.Document{}, Warning: strings.Join(state.Notices, " ")}
	if unfinished(state) {
		out.Total += state.Left
		if state.MaxPages > 0 {
			out.Total = min(out.Total, int64(state.MaxPages))
		}
	}
	if out.Status == firecrawl.Failed {
		out.Error = firecrawl.NothingRead(state)
	}
	read := slices.DeleteFunc(pages.Pages, func(p result.CrawlPage) bool { return p.Error != "" })
	if state.Scrape != nil {
		if out.Data, err = s.jobDocuments(ctx, base, state, read); err != nil {
			return out, 0, 0, err
		}
	} else {
		for _, p := range read {
			out.Data = append(out.Data, firecrawl.Of(p))
		}
	}
	if pages.Next == after {
		return out, 0, after, nil
	}
	further, err := s.o.Jobs.CrawlPages(ctx, id, pages.Next, 1, false)
	if err == nil && len(further.Pages) > 0 {
		next = pages.Next
	}
	return out, next, pages.Next, err
}

// cancelJob answers DELETE. What was read stays.
func (s *Server) cancelJob(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	state, err := s.stateOf(ctx, k, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if !unfinished(state) {
		return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusConflict, Message: "the " + k.kind + " has ended already", Hint: "GET the same path for its pages"}
	}
	return map[string]any{"success": true, "status": firecrawl.Cancelled}, s.o.Jobs.StopCrawl(ctx, r.PathValue("id"))
}

type jobError struct {
	ID        string    `json:"id"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	URL       string    `json:"url"`
	Code      string    `json:"code,omitempty"`
	Error     string    `json:"error"`
}

// jobErrors answers with the pages that could not be read.
func (s *Server) jobErrors(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	failures, warning := []jobError{}, ""
	id := r.PathValue("id")
	state, err := s.stateOf(ctx, k, id)
	if err != nil {
		return nil, err
	}
	if state.Refused > 0 {
		warning = "Refused by robots.txt, Content-Signal or the policy of this server: " + text.Count(int(state.Refused), "address") + "."
	}
	for after, more := int64(0), state.Failures > 0; more && len(failures) < maxJobBatch; {
		pages, err := s.o.Jobs.CrawlPages(ctx, id, after, maxJobAnswer, false)
		if err != nil {
			return nil, err
		}
		for _, p := range pages.Pages {
			if p.Error != "" && len(failures) < maxJobBatch {
				code := ""
				if p.Status >= 400 {
					code = firecrawlCode(tool.HTTPError)
				}
				failures = append(failures, jobError{strconv.FormatInt(p.Cursor, 10), p.FetchedAt, p.URL, code, p.Error})
			}
		}
		more = pages.Next > after && int64(len(failures)) < state.Failures
		after = pages.Next
	}
	return map[string]any{"success": true, "errors": failures, "robotsBlocked": append([]string{}, state.RobotsRefused...), "warning": warning}, nil
}

// activeCrawls answers with the crawls of the caller that have not ended.
func (s *Server) activeCrawls(ctx context.Context, r *http.Request) (any, error) {
	list := []map[string]any{}
	all, err := s.o.Jobs.CrawlJobs(ctx)
	for _, j := range all {
		if j.Kind == kindCrawl && unfinished(j) && len(list) < maxJobsListed {
			list = append(list, map[string]any{"id": j.Job, "url": strings.Join(j.URLs, " "), "created_at": j.Created})
		}
	}
	return map[string]any{"success": true, "crawls": list}, err
}
