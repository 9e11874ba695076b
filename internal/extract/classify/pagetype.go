package classify

import (
	"math"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// statedTypes are what schema.org types and og:type say about the page, as
// log-odds. The forests cannot know: a third of the pages that they learned
// from were saved without structured data. What many pages state by default
// (WebPage, Organization, Product on a listing) counts little or nothing.
var statedTypes = map[string]blocks.TypeScores{
	"NewsArticle":            {0: 2},
	"BlogPosting":            {0: 2},
	"Article":                {0: 1},
	"Report":                 {0: 1},
	"Recipe":                 {0: 1},
	"HowTo":                  {0: .5, 1: .5},
	"TechArticle":            {1: 1.5},
	"APIReference":           {1: 2},
	"Service":                {2: 1},
	"SoftwareApplication":    {2: 1},
	"LocalBusiness":          {2: .7},
	"ProfessionalService":    {2: 1},
	"DiscussionForumPosting": {3: 3},
	"QAPage":                 {3: 2.5},
	"CollectionPage":         {4: 1, 5: .5},
	"OfferCatalog":           {4: 1},
	"ItemList":               {4: .5, 5: 1},
	"SearchResultsPage":      {5: 1.5},
	"JobPosting":             {5: .5},
	"Product":                {6: 1.5},
	"ProductGroup":           {6: 1.5},
}

// PageType chooses the type that the forests and the page's own statements speak for, and says
// how probable it is.
func PageType(s blocks.TypeScores, h about.Hints) (t page.Type, sure float64) {
	for _, t := range h.SchemaTypes {
		for k, v := range statedTypes[t] {
			s[k] += v
		}
	}
	switch {
	case strings.Contains(h.OGType, "product"):
		s[6] += 2
	case strings.Contains(h.OGType, "article"):
		s[0] += .7
	}
	best := 0
	for k := range s {
		if s[k] > s[best] {
			best = k
		}
	}
	sum := 0.
	for k := range s {
		sum += math.Exp(float64(s[k] - s[best]))
	}
	return blocks.PageTypes[best], 1 / sum
}
