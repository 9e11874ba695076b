package serve

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Papers: GET /v2/search/research/papers finds papers with the search provider, on the sites
// that have a paper at a URL with its id; GET …/papers/{id} reads the page of one, or the
// passages of its text that answer a query. Spyhop has no index of papers.

const papersPath = searchPath + "/research/papers"

// paperSite is a site with papers at URLs with their ids.
type paperSite struct {
	namespace, host string
	// paths are what comes before the id, page makes the URL of the page of a paper, full
	// that of its text; nil: that of the page.
	paths      []string
	page, full func(id string) string
}

func paperSites() []paperSite {
	below := func(head string) func(string) string {
		return func(id string) string { return head + (&url.URL{Path: id}).EscapedPath() }
	}
	return []paperSite{
		{"arxiv", "arxiv.org", []string{"/abs/", "/pdf/", "/html/"}, below("https://arxiv.org/abs/"), below("https://arxiv.org/pdf/")},
		{"pmid", "pubmed.ncbi.nlm.nih.gov", []string{"/"}, below("https://pubmed.ncbi.nlm.nih.gov/"), nil},
		{"pmcid", "pmc.ncbi.nlm.nih.gov", []string{"/articles/"}, below("https://pmc.ncbi.nlm.nih.gov/articles/"), nil},
		{"doi", "biorxiv.org", []string{"/content/"}, below("https://doi.org/"), nil},
		{"doi", "medrxiv.org", []string{"/content/"}, below("https://doi.org/"), nil},
		{"doi", "doi.org", []string{"/"}, below("https://doi.org/"), nil},
	}
}

// paperID is the id of the paper at a URL, for example "arxiv:2301.00001"; "" for none.
func paperID(raw string) string {
	u, err := weburl.ParseLenient(raw)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(u.Host(), "www.")
	for _, s := range paperSites() {
		if s.host != host {
			continue
		}
		for _, head := range s.paths {
			id, ok := strings.CutPrefix(u.Path(), head)
			id = strings.TrimSuffix(strings.TrimSuffix(id, "/"), ".pdf")
			isDOI := strings.HasPrefix(id, "10.") && strings.Contains(id, "/")
			if ok && id != "" && isDOI == (s.namespace == "doi") && (isDOI || !strings.Contains(id, "/") || s.namespace == "arxiv") {
				return s.namespace + ":" + id
			}
		}
	}
	return ""
}

// paper is one as Firecrawl's clients know it. The abstract of a search is what the provider
// says of the page.
type paper struct {
	PaperID   string              `json:"paperId"`
	PrimaryID string              `json:"primaryId"`
	IDs       map[string][]string `json:"ids"`
	Title     string              `json:"title"`
	Abstract  string              `json:"abstract"`
	Authors   string              `json:"authors,omitempty"`
	Created   string              `json:"createdDate,omitempty"`
	Score     float64             `json:"score,omitempty"`
}

func newPaper(id string) paper {
	namespace, value, _ := strings.Cut(id, ":")
	return paper{PaperID: id, PrimaryID: id, IDs: map[string][]string{namespace: {value}}}
}

// parameters refuses parameters of the query that are not among some.
func parameters(r *http.Request, supported ...string) *tool.Error {
	for name := range r.URL.Query() {
		if name != "origin" && !slices.Contains(supported, name) {
			return tool.NewError(tool.InvalidInput, "option "+quoted(name)+" is unsupported: this server has no index of papers", "leave it out, or put it into the query")
		}
	}
	return nil
}

// searchPapers answers GET /v2/search/research/papers.
func (s *Server) searchPapers(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		if e := parameters(r, "query", "k"); e != nil {
			return nil, e
		}
		k, e := number(r, "k", 10, 1, mostResults)
		if e != nil {
			return nil, e
		}
		var hosts []string
		for _, site := range paperSites() {
			if !slices.Contains(hosts, site.host) {
				hosts = append(hosts, site.host)
			}
		}
		found, err := typed[result.Search](ctx, s, "web_search", map[string]any{"query": r.URL.Query().Get("query"), "max_results": mostResults, "allowed_domains": hosts})
		if err != nil {
			return nil, err
		}
		papers := []paper{}
		for i, hit := range found.Results {
			id := paperID(hit.URL)
			if id == "" || len(papers) >= int(k) || slices.ContainsFunc(papers, func(p paper) bool { return p.PaperID == id }) {
				continue
			}
			p := newPaper(id)
			p.Title, p.Abstract, p.Score = hit.Title, hit.Snippet, 1/float64(i+1)
			papers = append(papers, p)
		}
		return map[string]any{"success": true, "results": papers}, nil
	})
}

// getPaper answers GET /v2/search/research/papers/{id}.
func (s *Server) getPaper(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		if e := parameters(r, "query", "k"); e != nil {
			return nil, e
		}
		k, e := number(r, "k", 5, 1, mostResults)
		if e != nil {
			return nil, e
		}
		id := r.PathValue("id")
		namespace, value, _ := strings.Cut(id, ":")
		i := slices.IndexFunc(paperSites(), func(p paperSite) bool { return p.namespace == namespace })
		if i < 0 || value == "" {
			return nil, tool.NewError(tool.InvalidInput, "the paper "+quoted(id)+" has no id that is supported", "use arxiv:, pmid:, pmcid: or doi: and the number, for example arxiv:2301.00001")
		}
		site := paperSites()[i]
		page, err := typed[result.Fetch](ctx, s, "web_fetch", map[string]any{"url": site.page(value), "max_tokens": 1500})
		if err != nil {
			return nil, err
		}
		p := newPaper(id)
		p.Title, p.Authors, p.Created, p.Abstract = page.Title, page.Byline, page.Published, page.Excerpt
		if p.Abstract == "" {
			p.Abstract = page.Body()
		}
		query := r.URL.Query().Get("query")
		if query == "" {
			return map[string]any{"success": true, "paper": p}, nil
		}
		text := site.page(value)
		if site.full != nil {
			text = site.full(value)
		}
		passages, err := typed[result.Fetch](ctx, s, "web_fetch", map[string]any{"url": text, "query": query, "max_tokens": 300 * k})
		if err != nil {
			return nil, err
		}
		type passage struct {
			Text  string  `json:"text"`
			Score float64 `json:"score"`
		}
		list := []passage{}
		for part := range strings.SplitSeq(passages.Body(), "\n\n[…]\n\n") {
			if part = strings.TrimSpace(part); part != "" && len(list) < int(k) {
				list = append(list, passage{part, 1 / float64(len(list)+1)})
			}
		}
		return map[string]any{"success": true, "paper": p, "paperId": id, "query": query, "passages": list}, nil
	})
}
