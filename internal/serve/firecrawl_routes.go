package serve

import "net/http"

// firecrawlRoutes are the paths of Firecrawl whose tools are served. They are described in
// docs/firecrawl.md, and not in /openapi.json: their clients have their own description.
func (s *Server) firecrawlRoutes() (all []route) {
	post := func(path string, do http.HandlerFunc) {
		all = append(all, route{path: path, post: endpoint{handler: do}})
	}
	if s.servesFetch() {
		post(scrapePath, s.scrape)
		all = append(all, s.sessionRoutes()...)
	}
	if s.o.Parse != nil {
		post(parsePath, s.parse)
	}
	if _, e := s.find("web_map"); e == nil {
		post(firecrawlMapPath, s.mapSite)
	}
	if _, e := s.find("web_search"); e == nil {
		post(searchPath, s.searchWeb)
		all = append(all, route{path: papersPath, get: endpoint{handler: s.searchPapers}})
		if s.servesFetch() {
			post(developerPath, s.searchDeveloper)
			all = append(all, route{path: papersPath + "/{id}", get: endpoint{handler: s.getPaper}}, route{path: papersPath + "/{id}/similar", get: endpoint{handler: s.similarPapers}})
		}
	}
	if s.answers() {
		post(extractPath, func(w http.ResponseWriter, r *http.Request) { s.startAnswer(w, r, "extract", extractOptions()) })
		all = append(all, route{path: agentPath, get: endpoint{handler: s.listAnswers}, post: endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.startAnswer(w, r, "agent", agentOptions()) }}})
		agent := endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, "agent") }}
		extract := endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, "extract") }}
		all = append(all, route{path: agentPath + "/{id}", get: agent, deletes: agent}, route{path: extractPath + "/{id}", get: extract})
	}
	if s.servesJobs() {
		post(firecrawlCrawls, s.crawlSite)
		post(firecrawlCrawls+"/params-preview", s.previewCrawl)
		post(firecrawlBatches, s.scrapeAll)
		all = append(all, route{path: activePath, get: endpoint{handler: s.activeCrawls}})
		for _, k := range []jobKind{crawlKind, batchKind} {
			all = append(all,
				route{path: k.firecrawl() + "/{id}", get: endpoint{handler: k.of(s.firecrawlStatus)}, deletes: endpoint{handler: k.of(s.cancelJob)}},
				route{path: k.firecrawl() + "/{id}/errors", get: endpoint{handler: k.of(s.jobErrors)}})
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
