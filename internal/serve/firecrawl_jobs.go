package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/lru"
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

// maxJobErrors bounds the errors of one answer.
const maxJobErrors = 10_000

// firecrawl is the path of a kind of jobs.
func (k jobKind) firecrawl() string {
	if k.kind == kindBatch {
		return firecrawlBatches
	}
	return firecrawlCrawls
}

func crawlOptions() options {
	word := tool.Schema{Type: tool.TypeString}
	return options{supported: append([]tool.Property{
		tool.String("url", "a page of the site").Require(),
		tool.Array("includePaths", "regular expressions for the paths of pages; only text, .*, ^ and $ are supported", word),
		tool.Array("excludePaths", "the same for what is left out; wins", word),
		tool.Integer("maxDiscoveryDepth", "links from the start").AtLeast(1),
		tool.Integer("limit", "how many pages are read").Clamp(1, maxJobPages).WithDefault(10_000),
		tool.Boolean("crawlEntireDomain", "false: only paths below that of url").WithDefault(false),
		tool.Boolean("allowSubdomains", "adds the other hosts of the domain").WithDefault(false),
		tool.Integer("maxConcurrency", "requests at a time to the site; the operator sets the most").AtLeast(1),
		firecrawlWebhook(),
	}, who()...), scraping: new(jobPageOptions()), fixed: fixedEverywhere()}.with(map[string]fixed{
		"prompt":                 {[]string{`""`}, "give the options themselves; POST /v1/crawls takes a query"},
		"sitemap":                {[]string{`"include"`}, "a crawl begins with the map of the site"},
		"ignoreQueryParameters":  {[]string{"false"}, "use excludePaths"},
		"deduplicateSimilarURLs": {[]string{"true"}, "near-duplicates are always left out"},
		"allowExternalLinks":     {[]string{"false"}, "a crawl never leaves the site"},
		"ignoreRobotsTxt":        {[]string{"false"}, "robots.txt is always obeyed"},
		"robotsUserAgent":        {nil, "the operator chooses the user agent"},
		"delay":                  {nil, "the operator and the site's robots.txt set the pace"},
		"regexOnFullURL":         {[]string{"false"}, "paths are compared"},
	})
}

func batchOptions() options {
	o := jobPageOptions()
	o.supported = append([]tool.Property{
		tool.Array("urls", "the addresses, at most 10,000", tool.Schema{Type: tool.TypeString}).Require(),
		tool.Boolean("ignoreInvalidURLs", "lists invalid addresses in invalidURLs in place of refusing the batch").WithDefault(true),
		tool.Integer("maxConcurrency", fmt.Sprintf("a batch asks at most %d sites at a time, each for one page", batchSites)).AtLeast(batchSites),
		firecrawlWebhook(),
	}, o.supported...)
	return o.with(map[string]fixed{
		"appendToId": {nil, "start another batch"},
	})
}

type started struct {
	Success bool     `json:"success"`
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	Invalid []string `json:"invalidURLs,omitempty"`
	Warning string   `json:"warning,omitempty"`
	// WebhookSecret is not Firecrawl's: a receiver checks X-Firecrawl-Signature with it.
	WebhookSecret string `json:"webhookSecret,omitempty"`
}

// crawlSite answers POST /v2/crawl.
func (s *Server) crawlSite(w http.ResponseWriter, r *http.Request) {
	s.firecrawl(w, r, crawlOptions(), func(ctx context.Context, o given) (any, error) {
		q := result.CrawlRequest{URLs: []string{o.args.String("url")}, MaxPages: o.args.Int("limit"), MaxDepth: o.args.Int("maxDiscoveryDepth"), Subdomains: o.args.Bool("allowSubdomains"), Concurrency: o.args.Int("maxConcurrency")}
		var e *tool.Error
		if q.Include, e = globs("includePaths", o.args.Strings("includePaths")); e != nil {
			return nil, e
		}
		if q.Exclude, e = globs("excludePaths", o.args.Strings("excludePaths")); e != nil {
			return nil, e
		}
		q.EntireSite = o.args.Bool("crawlEntireDomain")
		if e = o.scraping.jobScrape(s, &q); e != nil {
			return nil, e
		}
		return s.startFirecrawl(ctx, r, crawlKind, q, nil, o)
	})
}

// scrapeAll answers POST /v2/batch/scrape.
func (s *Server) scrapeAll(w http.ResponseWriter, r *http.Request) {
	s.firecrawl(w, r, batchOptions(), func(ctx context.Context, o given) (any, error) {
		q := result.CrawlRequest{URLs: o.args.Strings("urls"), Batch: true}
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
		if e := o.jobScrape(s, &q); e != nil {
			return nil, e
		}
		return s.startFirecrawl(ctx, r, batchKind, q, invalid, o)
	})
}

func (s *Server) startFirecrawl(ctx context.Context, r *http.Request, k jobKind, q result.CrawlRequest, invalid []string, o given) (any, error) {
	if e := o.webhook(&q); e != nil {
		return nil, e
	}
	state, err := s.o.Jobs.Start(ctx, q)
	if err != nil {
		return nil, err
	}
	return started{true, state.Job, baseURL(r) + k.firecrawl() + "/" + url.PathEscape(state.Job), invalid, strings.Join(append(o.notices, state.Notices...), " "), state.WebhookSecret}, nil
}

// maxJobScrape bounds what is stored of the options of a job's pages, in bytes.
const maxJobScrape = 64 << 10

// jobScrape reads the options of a job's pages into its request. A job stores the main
// content of pages as Markdown; what else is wanted is made when its pages are requested.
func (o *given) jobScrape(s *Server, q *result.CrawlRequest) *tool.Error {
	if o == nil {
		return nil
	}
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
	args := map[string]any{}
	for _, name := range []string{"formats", "onlyMainContent", "includeTags", "excludeTags", "actions", "mobile", "location", "waitFor"} {
		if v, ok := o.args[name]; ok {
			args[name] = v
		}
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

// The documents of a job that are not its Markdown are made in this number at a time, and
// this many for one answer; so many are kept, up to a size, for a client that asks again.
const (
	documentsAtOnce, documentsEach = 4, 10
	documentsKept, documentBytes   = 400, 128 << 10
	// documentAge is the oldest copy of a page that is used, in seconds: what the job has read.
	documentAge = 30 * 24 * 60 * 60
)

// made are documents of jobs. It is safe for concurrent use.
type made struct {
	mu  sync.Mutex
	all *lru.Map[string, *firecrawl.Document]
}

func (m *made) get(key string) *firecrawl.Document {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		return nil
	}
	d, _ := m.all.Get(key)
	return d
}

func (m *made) put(key string, d *firecrawl.Document) {
	if data, err := json.Marshal(d); err != nil || len(data) > documentBytes {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = lru.New[string, *firecrawl.Document](documentsKept)
	}
	m.all.Put(key, d)
}

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
	atOnce(len(pages), documentsAtOnce, func(i int) {
		p := pages[i]
		key := principal.Of(ctx).Name + "\x00" + job.Job + "\x00" + strconv.FormatInt(p.Cursor, 10)
		d := s.made.get(key)
		if d == nil {
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
			} else {
				s.made.put(key, d)
			}
		}
		out[i] = *d
	})
	return out, ctx.Err()
}

// globs makes globs of regular expressions for paths.
func globs(option string, expressions []string) (out []string, e *tool.Error) {
	for _, x := range expressions {
		glob, ok := globOf(x)
		if !ok {
			return nil, tool.NewError(tool.InvalidInput, option+" "+quoted(x)+" is unsupported", "of regular expressions, only text, .*, ^ at the beginning and $ behind .* or text with .* are; for example ^/docs/.*")
		}
		out = append(out, glob)
	}
	return out, nil
}

// globOf makes a glob of a regular expression that has only text, ".*" and anchors. A
// point stands for itself, since in paths nothing else is meant.
func globOf(x string) (string, bool) {
	parsed, err := syntax.Parse(x, syntax.Perl)
	if err != nil {
		return "", false
	}
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	glob := "*"
	if parts[0].Op == syntax.OpBeginText {
		glob, parts = "", parts[1:]
	}
	for i, p := range parts {
		last := i == len(parts)-1
		switch {
		case p.Op == syntax.OpEmptyMatch:
		case p.Op == syntax.OpLiteral && p.Flags&syntax.FoldCase == 0 && !slices.Contains(p.Rune, '*'):
			glob += string(p.Rune)
		case p.Op == syntax.OpAnyCharNotNL:
			glob += "."
		case isAnything(p, last):
			glob = strings.TrimSuffix(glob, "*") + "*"
		case p.Op == syntax.OpEndText && last && strings.Contains(glob, "*"): // a glob without a star also holds what is below it
			return glob, true
		default:
			return "", false
		}
	}
	return strings.TrimSuffix(glob, "*") + "*", true
}

// isAnything reports whether a part of an expression is ".*", or at its end any number of a
// character, behind which there may be anything.
func isAnything(p *syntax.Regexp, last bool) bool {
	return p.Op == syntax.OpStar && (p.Sub[0].Op == syntax.OpAnyCharNotNL || last && p.Sub[0].Op == syntax.OpLiteral)
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
func (s *Server) firecrawlStatus(w http.ResponseWriter, r *http.Request, k jobKind) {
	s.replyPages(w, r, func(ctx context.Context) (any, error) {
		for name := range r.URL.Query() {
			if name != "cursor" && name != "limit" {
				return nil, tool.NewError(tool.InvalidInput, "parameter "+quoted(name)+" is unsupported", "follow next, which leads to further pages; limit bounds the pages of one answer")
			}
		}
		after, limit, e := partOf(r)
		if e != nil {
			return nil, e
		}
		out, next, err := s.statusPages(ctx, baseURL(r), k, r.PathValue("id"), after, limit)
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
	})
}

// statusPages is the state of a job with the pages behind a cursor, and the cursor of
// further ones; 0 while there are none. A client follows next at once, so that it must not
// lead to pages that are yet to be read.
func (s *Server) statusPages(ctx context.Context, base string, k jobKind, id string, after int64, limit int) (out jobStatus, next int64, err error) {
	state, err := s.stateOf(ctx, k, id) // before the pages: of a job that has ended, all are there
	if err != nil {
		return out, 0, err
	}
	if state.Scrape != nil {
		limit = min(limit, documentsEach)
	}
	pages, err := s.o.Jobs.Pages(ctx, id, after, limit, state.Scrape == nil)
	if err != nil {
		return out, 0, err
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
			return out, 0, err
		}
	} else {
		for _, p := range read {
			out.Data = append(out.Data, firecrawl.Of(p))
		}
	}
	if pages.Next == after {
		return out, 0, nil
	}
	further, err := s.o.Jobs.Pages(ctx, id, pages.Next, 1, false)
	if err == nil && len(further.Pages) > 0 {
		next = pages.Next
	}
	return out, next, err
}

// cancelJob answers DELETE. What was read stays.
func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request, k jobKind) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		state, err := s.stateOf(ctx, k, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		if !unfinished(state) {
			return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusConflict, Message: "the " + k.kind + " has ended already", Hint: "GET the same path for its pages"}
		}
		return map[string]any{"success": true, "status": firecrawl.Cancelled}, s.o.Jobs.Stop(ctx, r.PathValue("id"))
	})
}

type jobError struct {
	ID        string    `json:"id"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	URL       string    `json:"url"`
	Code      string    `json:"code,omitempty"`
	Error     string    `json:"error"`
}

type jobFailures struct {
	Success bool       `json:"success"`
	Errors  []jobError `json:"errors"`
	// RobotsBlocked are the first of them, once the job has ended. Warning has the count.
	RobotsBlocked []string `json:"robotsBlocked"`
	Warning       string   `json:"warning,omitempty"`
}

// jobErrors answers with the pages that could not be read.
func (s *Server) jobErrors(w http.ResponseWriter, r *http.Request, k jobKind) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		out := jobFailures{Success: true, Errors: []jobError{}, RobotsBlocked: []string{}}
		id := r.PathValue("id")
		state, err := s.stateOf(ctx, k, id)
		if err != nil {
			return nil, err
		}
		if state.RobotsRefused != nil {
			out.RobotsBlocked = state.RobotsRefused
		}
		if state.Refused > 0 {
			out.Warning = "Refused by robots.txt, Content-Signal or the policy of this server: " + text.Count(int(state.Refused), "address") + "."
		}
		for after, more := int64(0), state.Failures > 0; more && len(out.Errors) < maxJobErrors; {
			pages, err := s.o.Jobs.Pages(ctx, id, after, maxJobAnswer, false)
			if err != nil {
				return nil, err
			}
			for _, p := range pages.Pages {
				if p.Error != "" && len(out.Errors) < maxJobErrors {
					code := ""
					if p.Status >= 400 {
						code = firecrawlCode(tool.HTTPError)
					}
					out.Errors = append(out.Errors, jobError{strconv.FormatInt(p.Cursor, 10), p.FetchedAt, p.URL, code, p.Error})
				}
			}
			more = pages.Next > after && int64(len(out.Errors)) < state.Failures
			after = pages.Next
		}
		return out, nil
	})
}

type activeCrawl struct {
	ID      string     `json:"id"`
	URL     string     `json:"url"`
	Created *time.Time `json:"created_at,omitempty"`
}

// activeCrawls answers with the crawls of the caller that have not ended.
func (s *Server) activeCrawls(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		list := []activeCrawl{}
		all, err := s.o.Jobs.List(ctx)
		for _, j := range all {
			if j.Kind == kindCrawl && unfinished(j) && len(list) < maxJobsListed {
				one := activeCrawl{ID: j.Job, Created: &j.Created}
				if len(j.URLs) > 0 {
					one.URL = j.URLs[0]
				}
				list = append(list, one)
			}
		}
		return map[string]any{"success": true, "crawls": list}, err
	})
}
