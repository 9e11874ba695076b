package serve

import (
	"context"
	"net/http"
)

// firecrawlRoutes are the paths of Firecrawl whose tools are served. They are described in
// docs/firecrawl.md, and not in /openapi.json: their clients have their own description.
func (s *Server) firecrawlRoutes() (all []route) {
	post := func(path string, form options, do func(context.Context, *http.Request, given) (any, error)) {
		all = append(all, route{path: path, post: endpoint{handler: s.takes(form, do)}})
	}
	get := func(path string, do maker) {
		all = append(all, route{path: path, get: endpoint{handler: s.replies(do)}})
	}
	if s.servesFetch() {
		post(scrapePath, scrapeOptions(), s.scrape)
		all = append(all, s.sessionRoutes()...)
	}
	if s.o.Parse != nil {
		all = append(all, route{path: parsePath, post: endpoint{handler: s.replies(s.parse)}})
	}
	if _, e := s.find("web_map"); e == nil {
		post(firecrawlMapPath, mapOptions(), s.mapSite)
	}
	if _, e := s.find("web_search"); e == nil {
		post(searchPath, searchOptions(), s.searchWeb)
		get(papersPath, s.searchPapers)
		if s.servesFetch() {
			post(developerPath, developerOptions(), s.searchDeveloper)
			get(papersPath+"/{id}", s.getPaper)
			get(papersPath+"/{id}/similar", s.similarPapers)
		}
	}
	if s.answers() {
		all = append(all, s.answerRoutes()...)
	}
	if s.servesJobs() {
		post(firecrawlCrawls, crawlOptions(), s.crawlSite)
		post(firecrawlCrawls+"/params-preview", previewOptions(), s.previewCrawl)
		post(firecrawlBatches, batchOptions(), s.scrapeAll)
		get(activePath, s.activeCrawls)
		for _, k := range []jobKind{crawlKind, batchKind} {
			all = append(all, route{path: k.firecrawl() + "/{id}", get: endpoint{handler: s.firecrawlStatus(k)}, deletes: endpoint{handler: s.replies(k.of(s.cancelJob))}})
			get(k.firecrawl()+"/{id}/errors", k.of(s.jobErrors))
		}
	}
	if s.o.Monitors != nil && s.servesJobs() {
		all = append(all, s.firecrawlMonitorRoutes()...)
	}
	if len(all) == 0 {
		return nil
	}
	all = append(append(all, s.teamRoutes()...), unsupportedPaths()...)
	return append(all, v1Routes(all)...)
}
