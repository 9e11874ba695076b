package serve

import (
	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/tool"
)

// firecrawlOperations describes the paths of Firecrawl that are served.
func (s *Server) firecrawlOperations() map[string]item {
	all := map[string]item{}
	open := tool.Schema{Type: tool.TypeObject, Open: true}
	for _, r := range s.firecrawlRoutes() {
		switch r.path {
		case scrapePath:
			all[r.path] = firecrawlPost("firecrawl_scrape", "Reads a page", scrapeOptions(), tool.Member("data", "the page in the forms that were wanted, and its metadata", open).Require())
		case firecrawlMapPath:
			all[r.path] = firecrawlPost("firecrawl_map", "Lists the pages of a site", mapOptions(), tool.Array("links", "", tool.Object(tool.String("url", "").Require(), tool.String("title", ""))).Require())
		case searchPath:
			all[r.path] = firecrawlPost("firecrawl_search", "Searches the web, and reads the results with scrapeOptions", searchOptions(),
				tool.Member("data", "", tool.Object(tool.Array("web", "", open).Require())).Require())
		case firecrawlCrawls:
			all[r.path] = firecrawlPost("firecrawl_crawl", "Starts a crawl", crawlOptions(), jobStarted()...)
		case firecrawlBatches:
			all[r.path] = firecrawlPost("firecrawl_batch", "Starts a batch", batchOptions(), append(jobStarted(), tool.Array("invalidURLs", "", tool.Text()))...)
		case agentPath:
			all[r.path] = firecrawlPost("firecrawl_agent", "Starts a question to the web", agentOptions(), tool.String("id", "").Require())
		case extractPath:
			all[r.path] = firecrawlPost("firecrawl_extract", "Starts to extract data from pages", extractOptions(), tool.String("id", "").Require())
		case agentPath + "/{id}", extractPath + "/{id}":
			kind := "agent"
			if r.path != agentPath+"/{id}" {
				kind = "extract"
			}
			get := firecrawlOperation("firecrawl_"+kind+"_status", "The state of a run, and what it came to", tool.String("status", "").OneOf("processing", "completed", "failed", "cancelled").Require(), tool.Member("data", "", tool.Schema{}))
			get.Parameters = []object{jobID}
			all[r.path] = item{"get": get}
			if kind == "agent" {
				stop := firecrawlOperation("firecrawl_cancel_agent", "Ends a run")
				stop.Parameters = []object{jobID}
				all[r.path]["delete"] = stop
			}
		case activePath:
			all[r.path] = item{"get": firecrawlOperation("firecrawl_active", "The crawls of the caller that have not ended", tool.Array("crawls", "", open).Require())}
		}
	}
	if s.servesJobs() {
		status := []tool.Property{
			tool.String("status", "").OneOf(firecrawl.Scraping, firecrawl.Completed, firecrawl.Failed, firecrawl.Cancelled).Require(),
			tool.Integer("completed", "pages that were read").Require(),
			tool.Integer("total", "pages that were read, failed or are queued").Require(),
			tool.Integer("creditsUsed", "0").Require(),
			tool.String("next", "the address of further pages; left out while there are none"),
			tool.Array("data", "pages, in the order in which they were read", open).Require(),
		}
		failures := []tool.Property{
			tool.Array("errors", "", tool.Object(tool.String("id", "").Require(), tool.String("timestamp", ""), tool.String("url", "").Require(), tool.String("code", ""), tool.String("error", "").Require())).Require(),
			tool.Array("robotsBlocked", "the first 100 addresses that robots.txt refuses, once the job has ended; warning has the number of all that were refused", tool.Text()).Require(),
		}
		for _, k := range []jobKind{crawlKind, batchKind} {
			get := firecrawlOperation("firecrawl_"+k.kind+"_status", "The state of a job with a part of its pages", status...)
			get.Parameters = []object{jobID, inQuery("cursor", "integer", "as next has it"), inQuery("limit", "integer", "from 1 to 1000; 100 if left out")}
			stop := firecrawlOperation("firecrawl_cancel_"+k.kind, "Stops a job; what it has read stays", tool.String("status", "").OneOf(firecrawl.Cancelled).Require())
			stop.Parameters = []object{jobID}
			failed := firecrawlOperation("firecrawl_"+k.kind+"_errors", "The pages of a job that could not be read", failures...)
			failed.Parameters = []object{jobID}
			all[k.firecrawl()+"/{id}"] = item{"get": get, "delete": stop}
			all[k.firecrawl()+"/{id}/errors"] = item{"get": failed}
		}
	}
	return all
}

func jobStarted() []tool.Property {
	return []tool.Property{tool.String("id", "").Require(), tool.String("url", "of the state").Require(), tool.String("webhookSecret", "with webhook: what its receiver checks "+firecrawl.SignatureHeader+" with")}
}

func firecrawlPost(id, summary string, o options, answer ...tool.Property) item {
	op := firecrawlOperation(id, summary, answer...)
	op.Body = object{"required": true, "content": jsonBody(o.schema())}
	return item{"post": op}
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
