// Package toolset provides the built-in tools: for each a declaration, a
// description in Markdown and a short handler.
//
//	catalog := tool.NewCatalog()
//	err := toolset.Register(catalog, toolset.Options{Reader: r})
//
// A handler turns arguments into one call of an engine and the answer into the
// tool's form. It owns no client and makes no decision of its own; what two
// tools need stands in the engine. To add a tool, add a .go and a .md file and
// name it in [Register].
//
// # Guarantees
//
// Register adds the tools in the order in which they are shown. Handlers are
// safe for concurrent use and return before their context ends.
//
// # Limits
//
// Only what works is declared: arguments of later versions are unknown names,
// and are answered so.
package toolset

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/tool"
)

// Reader is what the tools need of package reader.
type Reader interface {
	Read(context.Context, reader.Request) (*reader.Answer, error)
	ReadAll(context.Context, []string, reader.Request) *reader.Answers
}

// Searcher is what the tools need of package search.
type Searcher interface {
	Search(context.Context, search.Query) (*search.Answer, error)
}

// Options are what the tools work with.
type Options struct {
	// Reader answers requests. Required.
	Reader Reader
	// Searcher answers queries. Required.
	Searcher Searcher
	// HeadersAllowed names request headers that a model may set beside
	// Accept, Accept-Language, If-None-Match, If-Modified-Since and Referer.
	HeadersAllowed []string
	// Follow follows redirects to other hosts in web_fetch too.
	Follow bool
}

// Register adds the built-in tools to a catalog.
func Register(c *tool.Catalog, o Options) error {
	for _, d := range []tool.Declaration{webSearch(o), webFetch(o), webBrowse(o), googleSearch(o)} {
		if err := c.Register(d); err != nil {
			return err
		}
	}
	return nil
}
