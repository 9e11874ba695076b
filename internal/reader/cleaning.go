package reader

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file has what a caller chooses to leave out of a page: elements by CSS selectors
// (exclude), kinds of content by name (remove), the URLs of links (links).

// The values of Request.Links.
const (
	inlineLinks    = "inline"
	referenceLinks = "references"
)

// Removals returns the values of Request.Remove.
func Removals() []string { return []string{"consent", "overlays", "comments", "links", "images"} }

// mostExclude bounds the selectors of a request.
const mostExclude = 50

// consentNames are how sites and consent managers name their boxes: in id or class. Words
// that content has too, as cookie and consent alone, are not among them.
var consentNames = []string{"cookie-banner", "cookie-consent", "cookie-notice", "cookie-bar", "cookie-law", "cookie-popup", "cookie_banner", "cookie_notice", "cookiebanner", "cookieconsent",
	"consent-banner", "consent-manager", "consent-popup", "gdpr-", "onetrust-", "didomi-", "qc-cmp", "sp_message", "CybotCookie", "usercentrics", "fc-consent", "osano-cm", "cmplz-cookie"}

// removed returns the selectors of a removal of elements; none for the others.
func removed(name string) (out []string) {
	switch name {
	case "overlays":
		return []string{`dialog,[role="dialog"],[role="alertdialog"],[aria-modal="true"]`}
	case "consent":
		for _, s := range consentNames {
			out = append(out, `[id*="`+s+`"]`, `[class*="`+s+`"]`)
		}
	}
	return out
}

// compileCleaning reads exclude, remove and links.
func (c *compiled) compileCleaning() error {
	if len(c.Exclude) > mostExclude {
		return badRequest("exclude has too many selectors", "join them with commas")
	}
	parts := slices.Clone(c.Exclude)
	for _, name := range c.Remove {
		if !slices.Contains(Removals(), name) {
			return badRequest("remove "+text.Quoted(name)+" is unknown", "it is one of "+strings.Join(Removals(), ", "))
		}
		parts = append(parts, removed(name)...)
		if name == "comments" {
			c.comments = extract.CommentsNever
		}
	}
	for _, s := range parts {
		if _, err := extract.CompileSelector(s); err != nil {
			return badRequest("exclude "+text.Quoted(s)+": "+text.Cause(err), "give CSS selectors, for example nav or .ad")
		}
	}
	if c.excluded = strings.Join(parts, ","); c.excluded != "" {
		var err error
		if c.exclude, err = extract.CompileSelector(c.excluded); err != nil {
			return badRequest("the selectors of exclude are too long together", "give fewer")
		}
	}
	if c.Links != "" && c.Links != inlineLinks && c.Links != referenceLinks {
		return badRequest("links "+text.Quoted(c.Links)+" is unknown", "it is one of "+inlineLinks+", "+referenceLinks)
	}
	return nil
}

// markdown returns how Markdown is written for a request.
func (c *compiled) markdown() markdown.Options {
	return markdown.Options{Images: c.Images, Titles: c.Titles, NoLinks: slices.Contains(c.Remove, "links"), NoImages: slices.Contains(c.Remove, "images"), References: c.Links == referenceLinks}
}
