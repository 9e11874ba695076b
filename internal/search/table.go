package search

import "slices"

// This file is the table of search providers. Everything that depends on which
// providers exist reads it: names and messages, the order of "auto", the
// settings for API keys, and the definitions.

// row describes one provider in the table.
type row struct {
	// name stands in selections, settings and answers, in lower case.
	name string
	// needs is what the operator must configure before the provider can be asked.
	needs requirement
	// byName: "auto" and "fuse" leave the provider out; only a selection that
	// names it asks it.
	byName bool
	// define returns what the provider does; see [definition].
	define func() definition
	own    searchProvider // that the program brings; nil for those of the table
}

// requirement is what a provider needs of the configuration.
type requirement uint8

const (
	needsNothing  requirement = iota
	needsKey                  // an API key: Options.Keys[name]
	needsInstance             // the address of an instance: Options.Searxng
	needsServer               // an MCP server: Options.MCP
)

// providers is the table. "auto" asks the first provider that is configured, in
// this order; the last of them needs nothing, so that there always is one.
// Nothing changes the table.
var providers = [...]row{
	{name: "mcp", needs: needsServer, define: mcpDefinition},
	{name: "brave", needs: needsKey, define: brave},
	{name: "tavily", needs: needsKey, define: tavily},
	{name: "exa", needs: needsKey, define: exa},
	{name: "serper", needs: needsKey, define: serper},
	{name: "serpapi", needs: needsKey, define: serpAPI},
	{name: "kagi", needs: needsKey, define: kagi},
	{name: "mojeek", needs: needsKey, define: mojeek},
	{name: "marginalia", needs: needsKey, define: marginalia},
	{name: "jina", needs: needsKey, define: jina},
	{name: "you", needs: needsKey, define: you},
	{name: "linkup", needs: needsKey, define: linkup},
	{name: "firecrawl", needs: needsKey, define: firecrawl},
	{name: "searxng", needs: needsInstance, define: searxng},
	{name: "duckduckgo", define: duckDuckGo},

	{name: "wikipedia", byName: true, define: wikipedia},
	{name: "stackexchange", byName: true, define: stackExchange},
	{name: "hackernews", byName: true, define: hackerNews},
	{name: "github", byName: true, define: gitHub},
	{name: "arxiv", byName: true, define: arxiv},
	{name: "crossref", byName: true, define: crossref},
}

// Names returns the names of all providers: those of "auto" in its order, then
// those that are asked only by name.
func Names() []string { return namesOf(providers[:], func(row) bool { return true }) }

// KeyNames returns the names of the providers that need an API key, in the order
// of "auto".
func KeyNames() []string {
	return namesOf(providers[:], func(r row) bool { return r.needs == needsKey })
}

// ownRows are the rows of the providers that a program brings. What a query excludes by host
// or date is filtered out of their results afterwards.
func ownRows(own []searchProvider) (rows []row) {
	for _, p := range own {
		rows = append(rows, row{name: p.Name(), own: p, define: func() definition { return definition{takes: sites | country | language} }})
	}
	return rows
}

func namesOf(rows []row, keep func(row) bool) []string {
	var names []string
	for _, r := range rows {
		if keep(r) {
			names = append(names, r.name)
		}
	}
	return names
}

// rowOf returns the row of a provider; ok is false if none exists.
func rowOf(rows []row, name string) (r row, ok bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
	if i < 0 {
		return row{}, false
	}
	return rows[i], true
}
