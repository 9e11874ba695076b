package firecrawl

import "testing"

func TestPapers(t *testing.T) {
	for address, want := range map[string]string{
		"https://arxiv.org/abs/2301.00001": "arxiv:2301.00001", "https://arxiv.org/pdf/hep-th/9901001": "arxiv:hep-th/9901001", "https://arxiv.org/list/cs": "", "https://pubmed.ncbi.nlm.nih.gov/123/": "pmid:123",
		"https://pmc.ncbi.nlm.nih.gov/articles/PMC7/": "pmcid:PMC7", "https://www.biorxiv.org/content/10.1101/2020.01.01": "doi:10.1101/2020.01.01", "https://doi.org/10.1/x": "doi:10.1/x", "https://doi.org/": "", "https://example.com/10.1/x": "",
	} {
		if got := PaperAt(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	for id, want := range map[string][2]string{
		"arxiv:1": {"https://arxiv.org/abs/1", "https://arxiv.org/pdf/1"}, "pmid:2": {"https://pubmed.ncbi.nlm.nih.gov/2", "https://pubmed.ncbi.nlm.nih.gov/2"}, "doi:10.1/x": {"https://doi.org/10.1/x", "https://doi.org/10.1/x"},
		"pmcid:PMC7": {"https://pmc.ncbi.nlm.nih.gov/articles/PMC7", "https://pmc.ncbi.nlm.nih.gov/articles/PMC7"}, "isbn:1": {}, "arxiv:": {}, "": {},
	} {
		if _, page, text := NewPaper(id); page != want[0] || text != want[1] {
			t.Errorf("%s: %q %q", id, page, text)
		}
	}
}
