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
	}
	if _, e := s.find("web_map"); e == nil {
		post(firecrawlMapPath, s.mapSite)
	}
	if _, e := s.find("web_search"); e == nil {
		post(searchPath, s.searchWeb)
	}
	if s.answers() {
		post(agentPath, func(w http.ResponseWriter, r *http.Request) { s.startAnswer(w, r, "agent", agentOptions()) })
		post(extractPath, func(w http.ResponseWriter, r *http.Request) { s.startAnswer(w, r, "extract", extractOptions()) })
		agent := endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, "agent") }}
		extract := endpoint{handler: func(w http.ResponseWriter, r *http.Request) { s.firecrawlAnswer(w, r, "extract") }}
		all = append(all, route{path: agentPath + "/{id}", get: agent, deletes: agent}, route{path: extractPath + "/{id}", get: extract})
	}
	if s.servesJobs() {
		post(firecrawlCrawls, s.crawlSite)
		post(firecrawlBatches, s.scrapeAll)
		all = append(all, route{path: activePath, get: endpoint{handler: s.activeCrawls}})
		for _, k := range []jobKind{crawlKind, batchKind} {
			all = append(all,
				route{path: k.firecrawl() + "/{id}", get: endpoint{handler: k.of(s.firecrawlStatus)}, deletes: endpoint{handler: k.of(s.cancelJob)}},
				route{path: k.firecrawl() + "/{id}/errors", get: endpoint{handler: k.of(s.jobErrors)}})
		}
	}
	return all
}
