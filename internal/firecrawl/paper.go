package firecrawl

import (
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Paper is one of the papers that a search finds. Abstract is what the provider of the search
// says of its page.
type Paper struct {
	PaperID   string              `json:"paperId"`
	PrimaryID string              `json:"primaryId"`
	IDs       map[string][]string `json:"ids"`
	Title     string              `json:"title"`
	Abstract  string              `json:"abstract"`
	Authors   string              `json:"authors,omitempty"`
	Created   string              `json:"createdDate,omitempty"`
	Score     float64             `json:"score,omitempty"`
}

// PaperSites are the sites with papers at URLs with their ids: a name of ids, the host, what
// comes before the id in a path, and what makes the URL of the text of one where that is not
// its page. The first site of a name has the page.
func PaperSites() [][4]string {
	return [][4]string{
		{"arxiv", "arxiv.org", "/abs/", "/pdf/"}, {"arxiv", "arxiv.org", "/pdf/"}, {"arxiv", "arxiv.org", "/html/"},
		{"pmid", "pubmed.ncbi.nlm.nih.gov", "/"}, {"pmcid", "pmc.ncbi.nlm.nih.gov", "/articles/"},
		{"doi", "doi.org", "/"}, {"doi", "biorxiv.org", "/content/"}, {"doi", "medrxiv.org", "/content/"},
	}
}

// PaperAt returns the id of the paper at a URL, for example "arxiv:2301.00001"; "" for none.
func PaperAt(raw string) string {
	u, err := weburl.Parse(raw)
	if err != nil {
		return ""
	}
	for _, s := range PaperSites() {
		id, ok := strings.CutPrefix(u.Path(), s[2])
		id = strings.TrimSuffix(strings.TrimSuffix(id, "/"), ".pdf")
		isDOI := strings.HasPrefix(id, "10.") && strings.Contains(id, "/")
		if ok && id != "" && strings.TrimPrefix(u.Host(), "www.") == s[1] && isDOI == (s[0] == "doi") && (isDOI || !strings.Contains(id, "/") || s[0] == "arxiv") {
			return s[0] + ":" + id
		}
	}
	return ""
}

// NewPaper returns the paper of an id, and the URLs of its page and of its text; both are ""
// where the id has no known form.
func NewPaper(id string) (p Paper, page, text string) {
	name, value, _ := strings.Cut(id, ":")
	p = Paper{PaperID: id, PrimaryID: id, IDs: map[string][]string{name: {value}}}
	for _, s := range PaperSites() {
		if s[0] == name && value != "" && page == "" {
			head := "https://" + s[1]
			page = head + s[2] + (&url.URL{Path: value}).EscapedPath()
			if text = page; s[3] != "" {
				text = head + s[3] + (&url.URL{Path: value}).EscapedPath()
			}
		}
	}
	return p, page, text
}
