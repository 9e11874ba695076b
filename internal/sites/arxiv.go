package sites

import (
	"encoding/xml"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// arxiv returns the variant of an abstract's page: an Atom entry of the API
// (info.arxiv.org/help/api/user-manual.html). It has links to the paper as PDF and
// as HTML, which have no variant.
func arxiv(u weburl.URL) *Variant {
	id, ok := strings.CutPrefix(u.Path(), "/abs/")
	if !ok || id == "" || len(id) > 40 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/") != "" {
		return nil
	}
	return variant("arXiv API", ask{"https://export.arxiv.org/api/query?id_list=" + id, "application/atom+xml"}, func(b *builder, have []Response) error {
		var feed struct {
			XMLName xml.Name
			Entries []struct {
				ID        string `xml:"id"`
				Title     string `xml:"title"`
				Summary   string `xml:"summary"`
				Published string `xml:"published"`
				Updated   string `xml:"updated"`
				Comment   string `xml:"comment"`
				Journal   string `xml:"journal_ref"`
				DOI       string `xml:"doi"`
				Authors   []struct {
					Name string `xml:"name"`
				} `xml:"author"`
				Categories []struct {
					Term string `xml:"term,attr"`
				} `xml:"category"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal(have[0].Body, &feed); err != nil {
			return err
		}
		if feed.XMLName.Local != "feed" || len(feed.Entries) != 1 || strings.TrimSpace(feed.Entries[0].Summary) == "" || strings.Contains(feed.Entries[0].ID, "/api/errors") {
			return errShape
		}
		e := &feed.Entries[0]
		var authors, categories []string
		for _, a := range e.Authors {
			authors = append(authors, clean(a.Name))
		}
		for _, c := range e.Categories {
			categories = append(categories, c.Term)
		}
		b.Type, b.Meta.SiteName, b.Meta.Byline = page.Article, "arXiv", clean(strings.Join(authors, ", "))
		b.Meta.Published, b.Meta.Modified = moment(strings.TrimSpace(e.Published)), moment(strings.TrimSpace(e.Updated))
		b.title(e.Title)
		b.facts(strings.Join(authors, ", "))
		b.facts("arXiv:"+id, fact("submitted", day(b.Meta.Published)), fact("updated", day(b.Meta.Modified)), fact("categories", strings.Join(categories, ", ")),
			e.Comment, fact("journal", e.Journal))
		b.heading(2, "Abstract", "")
		b.paragraph(withFormulas(clean(e.Summary)))
		b.link("Paper:", "https://arxiv.org/pdf/"+id, "PDF")
		b.link("Paper:", "https://arxiv.org/html/"+id, "HTML, if available")
		if doi := strings.TrimSpace(e.DOI); doi != "" {
			b.link("DOI:", "https://doi.org/"+doi, doi)
		}
		return nil
	})
}

// withFormulas converts text between dollar signs to formulas, like arXiv.
func withFormulas(s string) []page.Inline {
	var out []page.Inline
	for s != "" {
		from := strings.IndexByte(s, '$')
		to := -1
		if from >= 0 {
			to = strings.IndexByte(s[from+1:], '$')
		}
		if to < 1 {
			return append(out, plain(s)...)
		}
		if from > 0 {
			out = append(out, plain(s[:from])...)
		}
		out = append(out, page.Inline{Kind: page.MathInline, Text: s[from+1 : from+1+to]})
		s = s[from+to+2:]
	}
	return out
}
