package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Papers and programs: GET /v2/search/research/papers finds papers with the search provider, on
// sites that have a paper at a URL with its id; GET …/papers/{id} reads the page of one, or the
// passages of its text that answer a query, and …/similar searches for its title. POST
// /v2/search/developer searches the sites of programmers. Spyhop has no index of either.

const (
	papersPath    = searchPath + "/research/papers"
	developerPath = searchPath + "/developer"
)

// parameters refuses parameters of the query that are not among some, and reads k.
func parameters(r *http.Request, k int64, supported ...string) (int, *tool.Error) {
	for name := range r.URL.Query() {
		if name != "origin" && name != "k" && !slices.Contains(supported, name) {
			return 0, tool.NewError(tool.InvalidInput, "option "+quoted(name)+" is unsupported: this server has no index of papers", "leave it out, or put it into the query")
		}
	}
	n, e := number(r, "k", k, 1, mostResults)
	return int(n), e
}

// papers are those that a search finds, each once.
func (s *Server) papers(ctx context.Context, k int, query string, dates url.Values) ([]firecrawl.Paper, error) {
	var hosts []string
	for _, site := range firecrawl.PaperSites() {
		hosts = append(hosts, site[1])
	}
	args := map[string]any{"query": query, "max_results": mostResults, "allowed_domains": slices.Compact(hosts)}
	for name, to := range map[string]string{"from": "start_date", "to": "end_date"} {
		if dates.Has(name) {
			args[to] = dates.Get(name)
		}
	}
	found, err := typed[result.Search](ctx, s, "web_search", args)
	if err != nil {
		return nil, err
	}
	papers := []firecrawl.Paper{}
	for i, hit := range found.Results {
		id := firecrawl.PaperAt(hit.URL)
		if id == "" || len(papers) == k || slices.ContainsFunc(papers, func(p firecrawl.Paper) bool { return p.PaperID == id }) {
			continue
		}
		p, _, _ := firecrawl.NewPaper(id)
		p.Title, p.Abstract, p.Score = hit.Title, hit.Snippet, 1/float64(i+1)
		papers = append(papers, p)
	}
	return papers, nil
}

// passages are those of a page that answer a query, at most k.
func (s *Server) passages(ctx context.Context, url, query string, k int) (out []string, err error) {
	page, err := typed[result.Fetch](ctx, s, "web_fetch", map[string]any{"url": url, "query": query, "max_tokens": 300 * k})
	if err != nil || page.NoMatch {
		return nil, err
	}
	for part := range strings.SplitSeq(page.Body(), "\n\n[…]\n\n") {
		if part = strings.TrimSpace(part); part != "" && len(out) < k {
			out = append(out, part)
		}
	}
	return out, nil
}

// searchPapers answers GET /v2/search/research/papers.
func (s *Server) searchPapers(ctx context.Context, r *http.Request) (any, error) {
	k, e := parameters(r, 10, "query", "from", "to")
	if e != nil {
		return nil, e
	}
	papers, err := s.papers(ctx, k, r.URL.Query().Get("query"), r.URL.Query())
	return map[string]any{"success": true, "results": papers}, err
}

// paper reads the page of a paper, and returns the URL of its text.
func (s *Server) paper(ctx context.Context, id string) (p firecrawl.Paper, full string, err error) {
	p, at, full := firecrawl.NewPaper(id)
	if at == "" {
		return p, "", tool.NewError(tool.InvalidInput, "the paper "+quoted(id)+" has no id that is supported", "use arxiv:, pmid:, pmcid: or doi: and the number, for example arxiv:2301.00001")
	}
	page, err := typed[result.Fetch](ctx, s, "web_fetch", map[string]any{"url": at, "max_tokens": 1500})
	if err != nil {
		return p, "", err
	}
	p.Title, p.Authors, p.Created, p.Abstract = page.Title, page.Byline, page.Published, cmp.Or(page.Excerpt, page.Body())
	return p, full, nil
}

// getPaper answers GET /v2/search/research/papers/{id}.
func (s *Server) getPaper(ctx context.Context, r *http.Request) (any, error) {
	k, e := parameters(r, 5, "query")
	if e != nil {
		return nil, e
	}
	p, full, err := s.paper(ctx, r.PathValue("id"))
	query := r.URL.Query().Get("query")
	if err != nil || query == "" {
		return map[string]any{"success": true, "paper": p}, err
	}
	list := []passage{}
	texts, err := s.passages(ctx, full, query, k)
	for i, one := range texts {
		list = append(list, passage{Text: one, Score: 1 / float64(i+1)})
	}
	return map[string]any{"success": true, "paper": p, "paperId": p.PaperID, "query": query, "passages": list}, err
}

// similarPapers answers GET /v2/search/research/papers/{id}/similar.
func (s *Server) similarPapers(ctx context.Context, r *http.Request) (any, error) {
	q := r.URL.Query()
	k, e := parameters(r, 40, "intent", "mode")
	if mode := q.Get("mode"); e == nil && mode != "" && mode != "similar" {
		e = tool.NewError(tool.InvalidInput, "mode "+quoted(mode)+" is unsupported: this server has no graph of citations", "use similar")
	}
	if e != nil {
		return nil, e
	}
	p, _, err := s.paper(ctx, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	papers, err := s.papers(ctx, mostResults, p.Title+" "+q.Get("intent"), nil)
	papers = slices.DeleteFunc(papers, func(other firecrawl.Paper) bool { return other.PaperID == p.PaperID })
	return map[string]any{"success": true, "results": papers[:min(k, len(papers))], "poolSize": len(papers), "truncated": len(papers) > k, "note": "a search for the title and the intent"}, err
}

// developerOptions are those of POST /v2/search/developer.
func developerOptions() options {
	const why = "the search provider does not tell"
	o := takes(
		tool.String("query", "").Require(),
		tool.Integer("k", "most results").Clamp(1, mostResults).WithDefault(10),
		tool.Integer("passages", "of each result").Clamp(0, mostResults).WithDefault(3),
		tool.Array("repos", "owner/name on GitHub: only these", tool.Text()),
		tool.Array("types", "", tool.Schema{Type: tool.TypeString, Enum: []string{"doc", "issue", "pull_request", "readme"}}),
	)
	for _, name := range []string{"sources", "language", "topic", "license", "min_stars", "max_stars", "archived", "fork", "skills"} {
		o.fixed[name] = fixed{nil, why}
	}
	return o
}

// developerType is the type of a page: on GitHub by its path, else a doc.
func developerType(raw string) string {
	u, err := weburl.Parse(raw)
	if err != nil || u.Host() != "github.com" {
		return "doc"
	}
	switch parts := strings.Split(strings.Trim(u.Path(), "/"), "/"); {
	case len(parts) == 2:
		return "readme"
	case len(parts) > 2 && parts[2] == "issues":
		return "issue"
	case len(parts) > 2 && parts[2] == "pull":
		return "pull_request"
	}
	return "doc"
}

type developerResult struct {
	ID       string    `json:"id"`
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	Passages []passage `json:"passages"`
}

// passage is a part of a text, with its URL or its rank.
type passage struct {
	Text  string  `json:"text"`
	URL   string  `json:"citation_url,omitempty"`
	Score float64 `json:"score,omitempty"`
}

// searchDeveloper answers POST /v2/search/developer.
func (s *Server) searchDeveloper(ctx context.Context, r *http.Request, o given) (any, error) {
	query, types, k := o.args.String("query"), o.args.Strings("types"), o.args.Int("passages")
	results := []developerResult{}
	sites := o.args.Strings("repos")
	if len(sites) > maxJobStarts {
		return nil, tool.NewError(tool.InvalidInput, "repos has too many", fmt.Sprintf("give at most %d", maxJobStarts))
	}
	for i := range max(len(sites), 1) {
		args := map[string]any{"query": query, "max_results": mostResults, "allowed_domains": developerSites}
		if len(sites) > 0 {
			args["site"] = "github.com/" + sites[i]
		}
		found, err := typed[result.Search](ctx, s, "web_search", args)
		if err != nil {
			return nil, err
		}
		for _, hit := range found.Results {
			if len(results) < o.args.Int("k") && (len(types) == 0 || slices.Contains(types, developerType(hit.URL))) {
				results = append(results, developerResult{hit.URL, hit.URL, hit.Title, []passage{{Text: hit.Snippet, URL: hit.URL}}[:min(k, 1)]})
			}
		}
	}
	atOnce(len(results), func(i int) {
		if k == 0 {
			return
		}
		texts, _ := s.passages(ctx, results[i].URL, query, k) // of what cannot be read, the description stays
		for j, part := range texts {
			results[i].Passages = append(results[i].Passages[:j], passage{Text: part, URL: results[i].URL})
		}
	})
	return map[string]any{"success": true, "results": results}, nil
}
