package serve

import (
	"net/http"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/tool"
)

// firecrawlRoutes are the paths of Firecrawl whose tools are served.
func (s *Server) firecrawlRoutes() (all []route) {
	open := tool.Schema{Type: tool.TypeObject, Open: true}
	serves := func(name string) bool { _, e := s.find(name); return e == nil }
	if serves("web_fetch") {
		all = append(all, firecrawlPost(scrapePath, s.scrape, "firecrawl_scrape", "Reads a page", scrapeOptions(), tool.Member("data", "the page in the forms that were wanted, and its metadata", open).Require()))
	}
	if serves("web_map") {
		all = append(all, firecrawlPost(firecrawlMapPath, s.mapSite, "firecrawl_map", "Lists the pages of a site", mapOptions(),
			tool.Array("links", "", tool.Object(tool.String("url", "").Require(), tool.String("title", ""))).Require()))
	}
	if serves("web_search") {
		all = append(all, firecrawlPost(searchPath, s.searchWeb, "firecrawl_search", "Searches the web, and reads the results with scrapeOptions", searchOptions(),
			tool.Member("data", "", tool.Object(tool.Array("web", "", open).Require())).Require()))
	}
	if s.answers() {
		all = append(all, s.firecrawlAnswerRoutes()...)
	}
	if s.servesJobs() {
		all = append(all,
			firecrawlPost(firecrawlCrawls, s.crawlSite, "firecrawl_crawl", "Starts a crawl", crawlOptions(), jobStarted()...),
			firecrawlPost(firecrawlBatches, s.scrapeAll, "firecrawl_batch", "Starts a batch", batchOptions(), append(jobStarted(), tool.Array("invalidURLs", "", tool.Text()))...),
			route{path: activePath, get: endpoint{s.activeCrawls, firecrawlOperation("firecrawl_active", "The crawls of the caller that have not ended", tool.Array("crawls", "", open).Require())}})
		for _, k := range []jobKind{crawlKind, batchKind} {
			all = append(all, s.firecrawlJobRoutes(k)...)
		}
	}
	return all
}

// firecrawlAnswerRoutes are the paths of /v2/agent and /v2/extract.
func (s *Server) firecrawlAnswerRoutes() (all []route) {
	for _, x := range []struct {
		path, kind, summary string
		form                options
	}{{agentPath, "agent", "Starts a question to the web", agentOptions()}, {extractPath, "extract", "Starts to extract data from pages", extractOptions()}} {
		state := func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, x.kind) }
		one := route{path: x.path + "/{id}", get: withID(state, firecrawlOperation("firecrawl_"+x.kind+"_status", "The state of a run, and what it came to",
			tool.String("status", "").OneOf("processing", "completed", "failed", "cancelled").Require(), tool.Member("data", "", tool.Schema{})))}
		if x.kind == "agent" {
			one.deletes = withID(state, firecrawlOperation("firecrawl_cancel_agent", "Ends a run"))
		}
		start := func(w http.ResponseWriter, r *http.Request) { s.startAnswer(w, r, x.kind, x.form) }
		all = append(all, firecrawlPost(x.path, start, "firecrawl_"+x.kind, x.summary, x.form, tool.String("id", "").Require()), one)
	}
	return all
}

// firecrawlJobRoutes are the paths of a job that was started.
func (s *Server) firecrawlJobRoutes(k jobKind) []route {
	open := tool.Schema{Type: tool.TypeObject, Open: true}
	status := firecrawlOperation("firecrawl_"+k.kind+"_status", "The state of a job with a part of its pages",
		tool.String("status", "").OneOf(firecrawl.Scraping, firecrawl.Completed, firecrawl.Failed, firecrawl.Cancelled).Require(),
		tool.Integer("completed", "pages that were read").Require(),
		tool.Integer("total", "pages that were read, failed or are queued").Require(),
		tool.Integer("creditsUsed", "0").Require(),
		tool.String("next", "the address of further pages; left out while there are none"),
		tool.Array("data", "pages, in the order in which they were read", open).Require())
	failures := firecrawlOperation("firecrawl_"+k.kind+"_errors", "The pages of a job that could not be read",
		tool.Array("errors", "", tool.Object(tool.String("id", "").Require(), tool.String("timestamp", ""), tool.String("url", "").Require(), tool.String("code", ""), tool.String("error", "").Require())).Require(),
		tool.Array("robotsBlocked", "the first 100 addresses that robots.txt refuses, once the job has ended; warning has the number of all that were refused", tool.Text()).Require())
	return []route{
		{path: k.firecrawl() + "/{id}",
			get:     withID(k.of(s.firecrawlStatus), status, inQuery("cursor", "integer", "as next has it"), inQuery("limit", "integer", "from 1 to 1000; 100 if left out")),
			deletes: withID(k.of(s.cancelJob), firecrawlOperation("firecrawl_cancel_"+k.kind, "Stops a job; what it has read stays", tool.String("status", "").OneOf(firecrawl.Cancelled).Require()))},
		{path: k.firecrawl() + "/{id}/errors", get: withID(k.of(s.jobErrors), failures)},
	}
}

// withID is an operation on what the path names.
func withID(do http.HandlerFunc, o operation, more ...object) endpoint {
	o.Parameters = append([]object{jobID}, more...)
	return endpoint{do, o}
}

func jobStarted() []tool.Property {
	return []tool.Property{tool.String("id", "").Require(), tool.String("url", "of the state").Require(), tool.String("webhookSecret", "with webhook: what its receiver checks "+firecrawl.SignatureHeader+" with")}
}

func firecrawlPost(path string, do http.HandlerFunc, id, summary string, o options, answer ...tool.Property) route {
	op := firecrawlOperation(id, summary, answer...)
	op.Body = object{"required": true, "content": jsonBody(o.schema())}
	return route{path: path, post: endpoint{do, op}}
}

func firecrawlOperation(id, summary string, answer ...tool.Property) operation {
	body := tool.Object(append([]tool.Property{tool.Boolean("success", "true").Require()}, answer...)...)
	body.Properties = append(body.Properties, tool.String("warning", "what was done in another way than asked"))
	body.Open = true
	failed := tool.Object(
		tool.Boolean("success", "false").Require(),
		tool.String("error", "what happened, and what to do next").Require(),
		tool.String("code", "as Firecrawl has it"),
		tool.String("error_type", "the type of the error, as in Problem").Require(),
		tool.Boolean("retry_possible", "whether the same call can succeed later").Require(),
		tool.String("hint", "what to do next"))
	wrong := object{"description": "An error.", "content": jsonBody(failed)}
	return operation{ID: id, Tags: []string{"firecrawl"}, Summary: summary, Responses: object{
		"200": object{"description": "The answer.", "content": jsonBody(body)}, "4XX": wrong, "5XX": wrong}}
}
