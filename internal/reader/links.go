package reader

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// ownLinks are the links to the page's own site, most frequent first.
func ownLinks(p *page.Page) []result.Link {
	base, err := weburl.Parse(p.URL)
	if err != nil {
		return nil
	}
	var own []page.Link
	for _, l := range p.Links {
		if u, err := weburl.Parse(l.URL); err == nil && weburl.SameSite(base, u) {
			own = append(own, l)
		}
	}
	sort.SliceStable(own, func(i, j int) bool { return own[i].Count > own[j].Count })
	out := make([]result.Link, len(own))
	for i, l := range own {
		out[i] = result.Link{Text: l.Text, URL: l.URL}
	}
	return out
}

// linkList prints links, a line each.
func linkList(u string, links []result.Link) string {
	if len(links) == 0 {
		return noLinks(u)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "All %d links found on %s\n", len(links), u)
	for _, l := range links {
		b.WriteString("\n- " + l.Text + ": " + l.URL)
	}
	return b.String()
}

func noLinks(u string) string {
	return "No links found on " + u + " - it may require JavaScript or authentication."
}
