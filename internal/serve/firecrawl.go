package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The paths of Firecrawl's API, version 2, as a subset: clients that take a base URL
// work unchanged. docs/firecrawl.md has the table of what is supported. An option that is
// not supported is refused by its name: a client never gets another answer than the one that
// it asked for. firecrawl_options.go reads options, firecrawl_document.go makes documents,
// firecrawl_jobs.go has crawls and batches.
//
// All of it is done by what /v1 has: the tools, and the jobs.

const (
	firecrawlPath = "/v2/"

	scrapePath       = firecrawlPath + "scrape"
	firecrawlMapPath = firecrawlPath + "map"
	searchPath       = firecrawlPath + "search"
	firecrawlCrawls  = firecrawlPath + "crawl"
	firecrawlBatches = firecrawlPath + "batch/scrape"
	activePath       = firecrawlCrawls + "/active"
	// mostResults bounds the results of a search, and scrapedBytes the text that they have together.
	mostResults, scrapedBytes = 50, 16 << 20
	// documentsAtOnce is how many pages are read at a time for one answer.
	documentsAtOnce = 4
)

// firecrawlError is the form of errors. Error is what clients show; the members behind it
// are those of /v1.
type firecrawlError struct {
	Success   bool           `json:"success"`
	Code      string         `json:"code,omitempty"`
	Error     string         `json:"error"`
	ErrorType tool.ErrorType `json:"error_type"`
	Retryable bool           `json:"retry_possible"`
	Hint      string         `json:"hint,omitempty"`
}

// firecrawlCode is the code of Firecrawl that says the same as a type of error; "" where
// there is none.
func firecrawlCode(t tool.ErrorType) string {
	switch t {
	case tool.InvalidInput, tool.InvalidURL:
		return "BAD_REQUEST"
	case tool.Timeout:
		return "SCRAPE_TIMEOUT"
	case tool.TLSError:
		return "SCRAPE_SSL_ERROR"
	case tool.HTTPError:
		return "SCRAPE_SITE_ERROR"
	case tool.UnsupportedContent:
		return "SCRAPE_UNSUPPORTED_FILE_ERROR"
	}
	return ""
}

// refuseFirecrawl is refuse for these paths. The clients repeat a request that is answered
// with 502, which would ask a site three times that has failed.
func refuseFirecrawl(w http.ResponseWriter, status int, e *tool.Error) {
	switch status {
	case http.StatusBadGateway:
		status = http.StatusInternalServerError
	case http.StatusGatewayTimeout:
		status = http.StatusRequestTimeout
	}
	message := e.Message
	if e.Hint != "" {
		message += "; " + e.Hint
	}
	body, _ := encode(firecrawlError{Code: firecrawlCode(e.Type), Error: message, ErrorType: e.Type, Retryable: e.Retryable, Hint: e.Hint}) // strings and booleans
	send(w, status, formJSON, body)
}

// takes answers a POST with options of a form.
func (s *Server) takes(form options, do func(context.Context, *http.Request, given) (any, error)) http.HandlerFunc {
	return s.replies(func(ctx context.Context, r *http.Request) (any, error) {
		if starts := strings.HasSuffix(r.URL.Path, "/crawl") || strings.HasSuffix(r.URL.Path, "/batch/scrape"); r.Header.Get(idempotencyHeader) != "" && !starts {
			return nil, tool.NewError(tool.InvalidInput, "the header x-idempotency-key is unsupported here: only crawls and batches have it", "leave it out; each request is done once")
		}
		options, err := readOptions(r, form)
		if err != nil {
			return nil, err
		}
		if ms := options.args.Int("timeout"); ms > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, time.Duration(min(ms, maxTimeoutMS))*time.Millisecond)
			defer stop()
		}
		return do(options.by(ctx), r, options)
	})
}

// readOptions reads the body of a request.
func readOptions(r *http.Request, form options) (given, error) {
	body, err := io.ReadAll(r.Body) // bounded by the guard
	if err != nil {
		return given{}, err
	}
	o, e := form.read(body)
	if e != nil {
		return o, e
	}
	return o, nil
}

// maxTimeoutMS is the longest time that a request can ask for.
const maxTimeoutMS = 120_000

// typed calls a tool with arguments and returns its data.
func typed[T any](ctx context.Context, s *Server, name string, args map[string]any) (*T, error) {
	body, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	got, err := s.callTool(ctx, name, body, tool.Options{Given: true})
	if err != nil {
		return nil, err
	}
	data, ok := got.Data.(*T)
	if !ok {
		return nil, fmt.Errorf("%s answers with %T", name, got.Data)
	}
	return data, nil
}

// scrape answers POST /v2/scrape.
func (s *Server) scrape(ctx context.Context, r *http.Request, o given) (any, error) {
	q, err := o.scrape()
	if err != nil {
		return nil, err
	}
	q.base = baseURL(r)
	d, err := s.document(ctx, o.args.String("url"), true, q)
	if err != nil {
		return nil, err
	}
	d.Metadata.ScrapeID = rand.Text()
	s.v2.scrapes.put(d.Metadata.ScrapeID, scrapedBefore{principalOf(r), o.args.String("url"), q})
	return map[string]any{"success": true, "data": d}, nil
}

// mapSite answers POST /v2/map.
func (s *Server) mapSite(ctx context.Context, r *http.Request, o given) (any, error) {
	args := map[string]any{"url": o.args.String("url"), "subdomains": o.args.Bool("includeSubdomains")}
	if q := o.args.String("search"); q != "" {
		args["query"] = q
	}
	switch o.args.String("sitemap") {
	case "only":
		args["sources"] = []string{"sitemap"}
	case "skip":
		args["sources"] = []string{"feed", "llms.txt", "links"}
	}
	m, err := typed[result.SiteMap](ctx, s, "web_map", args)
	if err != nil {
		return nil, err
	}
	out := mapOf(m, o)
	if strings.HasPrefix(r.URL.Path, firecrawlV1) {
		return out.v1(), nil
	}
	return out, nil
}

type mapped struct {
	Success bool         `json:"success"`
	Links   []mappedLink `json:"links"`
	Warning string       `json:"warning,omitempty"`
}

type mappedLink struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// v1 is the answer of version 1, which has URLs alone.
func (m mapped) v1() any {
	links := make([]string, len(m.Links))
	for i, l := range m.Links {
		links[i] = l.URL
	}
	return map[string]any{"success": true, "links": links, "warning": m.Warning}
}

func mapOf(m *result.SiteMap, o given) mapped {
	out := mapped{Success: true, Links: []mappedLink{}}
	notices := append(o.notices, m.Notices...)
	queries, limit := 0, o.args.Int("limit")
	for _, l := range m.Links {
		switch {
		case o.args.Bool("ignoreQueryParameters") && strings.Contains(l.URL, "?"):
			queries++
		case len(out.Links) < limit:
			out.Links = append(out.Links, mappedLink{l.URL, l.Title})
		}
	}
	if queries > 0 {
		notices = append(notices, "Left out: "+text.Count(queries, "address")+" with a query; ignoreQueryParameters=false keeps them.")
	}
	out.Warning = strings.Join(notices, " ")
	return out
}

// searchWeb answers POST /v2/search.
func (s *Server) searchWeb(ctx context.Context, r *http.Request, o given) (any, error) {
	var q scrapeRequest
	if page, ok := o.inner[scrapeMember]; ok {
		var err error
		if q, err = page.scrape(); err != nil {
			return nil, err
		}
		q.base = baseURL(r)
	}
	args, e := o.searchArguments()
	if e != nil {
		return nil, e
	}
	sources, e := o.sources()
	if e != nil {
		return nil, e
	}
	out := searched{Success: true, Data: map[string][]searchHit{}}
	for _, source := range sources {
		if delete(args, "topic"); source != "web" {
			args["topic"] = source
		}
		found, err := typed[result.Search](ctx, s, "web_search", args)
		if err != nil {
			return nil, err
		}
		hits := make([]searchHit, len(found.Results))
		for i, hit := range found.Results {
			hits[i] = searchHit{Title: hit.Title, URL: hit.URL, Position: i + 1}
			switch one := &hits[i]; source {
			case "web":
				one.Description = hit.Snippet
			case "news":
				one.Snippet, one.Date, one.ImageURL = hit.Snippet, hit.Published, hit.Image
			default:
				one.ImageURL, one.Width, one.Height = hit.Image, hit.ImageWidth, hit.ImageHeight
			}
		}
		if out.Data[source] = hits; source == "web" {
			out.Warning = s.readHits(ctx, o, hits, found.Notices, q)
		}
	}
	if strings.HasPrefix(r.URL.Path, firecrawlV1) {
		return map[string]any{"success": true, "data": out.Data["web"], "warning": out.Warning}, nil
	}
	return out, nil
}

type searched struct {
	Success bool                   `json:"success"`
	Data    map[string][]searchHit `json:"data"` // by the source
	Warning string                 `json:"warning,omitempty"`
}

// searchHit is a result, and where it was read the document of it. Each source has some of
// the members.
type searchHit struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Snippet     string `json:"snippet,omitempty"`
	URL         string `json:"url"`
	Date        string `json:"date,omitempty"`
	ImageURL    string `json:"imageUrl,omitempty"`
	Width       int    `json:"imageWidth,omitempty"`
	Height      int    `json:"imageHeight,omitempty"`
	Position    int    `json:"position"`
	*firecrawl.Document
}

// sources reads the option of the same name.
func (o given) sources() (out []string, e *tool.Error) {
	list, ok := o.args["sources"].([]any)
	if !ok || len(list) == 0 {
		return []string{"web"}, nil
	}
	for _, v := range list {
		name := nameOf(v)
		if name != "web" && name != "news" && name != "images" {
			shown, _ := json.Marshal(v)
			return nil, tool.NewError(tool.InvalidInput, "source "+quoted(string(shown))+" is unsupported", "use web, news or images")
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// readHits reads the results of the web where that was asked for, and says what it left out.
func (s *Server) readHits(ctx context.Context, o given, hits []searchHit, notices []string, q scrapeRequest) string {
	notices = append(o.notices, notices...)
	var mu sync.Mutex
	bytes, left := 0, 0 // texts that were read, and pages that had no room beside them
	if o.args.Bool("highlights") {
		atOnce(len(hits), func(i int) {
			if parts, err := s.passages(ctx, hits[i].URL, o.args.String("query"), 1); err == nil && len(parts) > 0 {
				hits[i].Description = parts[0]
			}
		})
	}
	read := 0
	if len(q.formats) > 0 {
		read = len(hits)
	}
	atOnce(read, func(i int) {
		one := &hits[i]
		mu.Lock()
		full := bytes >= scrapedBytes
		mu.Unlock()
		size, d := 0, (*firecrawl.Document)(nil)
		if !full {
			var err error
			if d, err = s.document(ctx, one.URL, false, q); err != nil {
				d = failedDocument(one.URL, tool.AsError(err))
			}
			size = sizeOf(d)
		}
		mu.Lock()
		defer mu.Unlock()
		if full || bytes > 0 && bytes+size > scrapedBytes {
			left++
			return
		}
		one.Document = d
		bytes += size
	})
	if left > 0 {
		notices = append(notices, fmt.Sprintf("Without their text: %s, because an answer has at most %d MB of it. /v2/scrape reads them.", text.Count(left, "result"), scrapedBytes>>20))
	}
	return strings.Join(notices, " ")
}

// atOnce calls do for each number below n, some at a time.
func atOnce(n int, do func(i int)) {
	var running sync.WaitGroup
	places := make(chan struct{}, documentsAtOnce)
	for i := range n {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			do(i)
		})
	}
	running.Wait()
}

// searchArguments are those of web_search.
func (o given) searchArguments() (map[string]any, *tool.Error) {
	args := map[string]any{"query": o.args.String("query"), "max_results": o.args.Int("limit")}
	if v := o.args.String("country"); v != "" {
		args["country"] = v
	}
	for name, to := range map[string]string{"includeDomains": "allowed_domains", "excludeDomains": "blocked_domains"} {
		if list := o.args.Strings(name); len(list) > 0 {
			args[to] = list
		}
	}
	if e := o.categories(args); e != nil {
		return nil, e
	}
	return args, timeOf(o.args.String("tbs"), args)
}

// researchSites are the sites of the category research.
var researchSites = []string{"arxiv.org", "pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov", "nature.com", "science.org", "biorxiv.org", "medrxiv.org", "semanticscholar.org", "acm.org", "ieee.org", "springer.com", "plos.org"}

// developerSites are the sites of the category developer.
var developerSites = []string{"github.com", "gitlab.com", "stackoverflow.com", "readthedocs.io", "developer.mozilla.org", "learn.microsoft.com", "docs.python.org", "pkg.go.dev", "docs.rs", "npmjs.com", "pypi.org", "docs.oracle.com"}

// categories reads the option of the same name: a kind of site, or of file.
func (o given) categories(args map[string]any) *tool.Error {
	list, _ := o.args["categories"].([]any)
	domains, _ := args["allowed_domains"].([]string)
	for _, v := range list {
		switch name := nameOf(v); name {
		case "github":
			domains = append(domains, "github.com")
		case "research":
			domains = append(domains, researchSites...)
		case "developer":
			domains = append(domains, developerSites...)
		case "pdf":
			args["query"] = o.args.String("query") + " filetype:pdf"
		default:
			shown, _ := json.Marshal(v)
			return tool.NewError(tool.InvalidInput, "category "+quoted(string(shown))+" is unsupported", "use github, research, developer or pdf")
		}
	}
	if len(domains) > 0 {
		args["allowed_domains"] = domains
	}
	return nil
}

// nameOf is a name, or the type of an object.
func nameOf(v any) string {
	if m, isObject := v.(map[string]any); isObject {
		v = m["type"]
	}
	name, _ := v.(string)
	return name
}

// timeOf adds the limits of time that tbs states, in the form of a search engine's
// address.
func timeOf(tbs string, args map[string]any) *tool.Error {
	if tbs == "" {
		return nil
	}
	if span := map[string]string{"qdr:d": "day", "qdr:w": "week", "qdr:m": "month", "qdr:y": "year"}[tbs]; span != "" {
		args["time_range"] = span
		return nil
	}
	dates := 0
	if rest, ok := strings.CutPrefix(tbs, "cdr:1,"); ok {
		for part := range strings.SplitSeq(rest, ",") {
			name, value, _ := strings.Cut(part, ":")
			day, err := time.Parse("1/2/2006", value)
			to := map[string]string{"cd_min": "start_date", "cd_max": "end_date"}[name]
			if err != nil || to == "" {
				dates = 0
				break
			}
			args[to] = day.Format(time.DateOnly)
			dates++
		}
	}
	if dates == 0 {
		return tool.NewError(tool.InvalidInput, "tbs "+quoted(tbs)+" is unsupported", "use qdr:d, qdr:w, qdr:m, qdr:y, or cdr:1,cd_min:1/31/2026,cd_max:2/28/2026")
	}
	return nil
}

// baseURL is how the client reached this server, as far as it can be told: proxies say it
// in two headers. Only the client's own answer has it.
func baseURL(r *http.Request) string {
	scheme := "http"
	if r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	host := r.Host
	if forwarded := r.Header.Get("X-Forwarded-Host"); forwarded != "" && strings.Trim(forwarded, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]") == "" {
		host = forwarded
	}
	return scheme + "://" + cmp.Or(host, "localhost")
}
