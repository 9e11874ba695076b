package toolset

import (
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// Two of the names under which web_fetch can be called come from designs that
// describe the answer too. Called by such a name, the answer has the members of
// that design beside its own.

// named is the answer in the form that belongs to the name of the call.
func named(name string, a *result.Fetch) any {
	switch name {
	case "WebFetch":
		return proposed(a)
	case "web-fetch":
		// Its markdown is the content in each of its modes.
		return struct {
			*result.Fetch
			Markdown string `json:"markdown"`
		}{a, a.Body()}
	}
	return a
}

// proposal is the answer of the design "WebFetch".
type proposal struct {
	*result.Fetch
	Content     string           `json:"content,omitempty"`
	Markdown    string           `json:"markdown,omitempty"` // content has the place
	RedirectURL string           `json:"redirectUrl,omitempty"`
	Metadata    proposalMetadata `json:"metadata"`
}

type proposalMetadata struct {
	result.Metadata
	Title         string    `json:"title"`
	ContentLength int64     `json:"contentLength"`
	ContentType   string    `json:"contentType"`
	FetchedAt     time.Time `json:"fetchedAt"`
}

func proposed(a *result.Fetch) proposal {
	m := a.Metadata
	return proposal{Fetch: a, Content: a.Body(), RedirectURL: a.RedirectURL,
		Metadata: proposalMetadata{Metadata: m, Title: a.Title, ContentLength: m.ContentLength, ContentType: m.ContentType, FetchedAt: m.FetchedAt}}
}
