package search

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// Names returns the providers: those of "auto" in its order, then the open
// sources, which are asked only by name.
func Names() []string {
	return append(autoOrder(), "wikipedia", "stackexchange", "hackernews", "github", "arxiv", "crossref")
}

// autoOrder is the order in which "auto" looks for a provider that is
// configured. The last needs nothing.
func autoOrder() []string {
	return []string{"mcp", "brave", "tavily", "exa", "serper", "serpapi", "kagi", "mojeek", "marginalia",
		"jina", "you", "linkup", "firecrawl", "searxng", "duckduckgo"}
}

func definitionOf(name string) (definition, bool) {
	switch name {
	case "mcp":
		return definition{markup: true}, true // the rest is its tool's to say
	case "brave":
		return brave(), true
	case "tavily":
		return tavily(), true
	case "exa":
		return exa(), true
	case "serper":
		return serper(), true
	case "serpapi":
		return serpAPI(), true
	case "kagi":
		return kagi(), true
	case "mojeek":
		return mojeek(), true
	case "marginalia":
		return marginalia(), true
	case "jina":
		return jina(), true
	case "you":
		return you(), true
	case "linkup":
		return linkup(), true
	case "firecrawl":
		return firecrawl(), true
	case "searxng":
		return searxng(), true
	case "duckduckgo":
		return duckDuckGo(), true
	case "wikipedia":
		return wikipedia(), true
	case "stackexchange":
		return stackExchange(), true
	case "hackernews":
		return hackerNews(), true
	case "github":
		return gitHub(), true
	case "arxiv":
		return arxiv(), true
	case "crossref":
		return crossref(), true
	}
	return definition{}, false
}

// selection splits a selection into names; fuse is taken out of them.
func selection(s string) (names []string, fuse bool) {
	for part := range strings.SplitSeq(strings.ToLower(s), ",") {
		switch part = strings.TrimSpace(part); {
		case part == "" || slices.Contains(names, part):
		case part == "fuse":
			fuse = true
		default:
			names = append(names, part)
		}
	}
	return names, fuse
}

// CheckSelection fails with a *tool.Error for a selection that names what is
// unknown. Valid are "" and "auto", "none", "fuse", names, and lists of names;
// "fuse" within a list merges what the others find.
func CheckSelection(s string) error {
	names, fuse := selection(s)
	for _, n := range names {
		_, known := definitionOf(n)
		alone := (n == "auto" || n == "none") && len(names) == 1 && !fuse
		if !known && !alone {
			e := invalid("use auto, none, fuse, or a list of "+strings.Join(Names(), ", "), "search provider %q is unknown", short(n))
			if n == "auto" || n == "none" {
				e.Message = "search provider " + n + " stands alone, not in a list"
			}
			if near := tool.Nearest(n, Names()); near != "" {
				e.Hint = "did you mean " + near + "?"
			}
			return e
		}
	}
	return nil
}

// pick returns the providers of a selection, in the order in which they are
// asked.
func (s *Searcher) pick(text string) (names []string, fuse bool, err error) {
	if err := CheckSelection(text); err != nil {
		return nil, false, err
	}
	names, fuse = selection(text)
	switch {
	case fuse && len(names) > 0:
		return names, true, nil
	case fuse:
		return slices.DeleteFunc(autoOrder(), func(n string) bool { return !s.configured(n) }), true, nil
	case len(names) == 0, names[0] == "auto":
		order := autoOrder()
		return order[slices.IndexFunc(order, s.configured):][:1], false, nil
	case names[0] == "none":
		return nil, false, tool.NewError(tool.SearchError, "searching is switched off",
			"set WEB_SEARCH_PROVIDER to auto, or to one of "+strings.Join(Names(), ", "))
	}
	return names, false, nil
}

// off reports whether the operator has switched searching off: no query can name
// a provider then.
func (s *Searcher) off() bool {
	names, _ := selection(s.o.Selection)
	return len(names) > 0 && names[0] == "none"
}

// configured reports whether a provider of the auto order can be asked.
func (s *Searcher) configured(name string) bool {
	switch name {
	case "mcp":
		return s.bridge != nil
	case "searxng":
		return !s.o.Searxng.IsZero()
	}
	d, ok := definitionOf(name)
	return ok && (!d.key || s.o.Keys[name] != "")
}

// provider makes a provider ready to be asked.
func (s *Searcher) provider(name string) (Provider, definition, error) {
	d, ok := definitionOf(name)
	switch {
	case !ok:
		return nil, d, &Error{Provider: name, Code: Unsupported, Cause: "there is no such provider"}
	case name == "mcp" && s.bridge == nil:
		return nil, d, &Error{Provider: name, Code: Unsupported, Cause: "no server is configured", Hint: "set WEB_SEARCH_MCP"}
	case name == "mcp":
		return s.bridge, d, nil
	case name == "searxng" && s.o.Searxng.IsZero():
		return nil, d, &Error{Provider: name, Code: Unsupported, Cause: "no instance is configured", Hint: "set SEARXNG_URL"}
	case d.key && s.o.Keys[name] == "":
		return nil, d, &Error{Provider: name, Code: BadKey, Cause: "none is configured", Hint: "set " + keyName(name) + ", or name another provider"}
	}
	p := &service{definition: d, name: name, transport: s.o.RoundTripper, userAgent: s.o.UserAgent,
		account: account{key: s.o.Keys[name], now: s.o.Now()}}
	if name == "searxng" {
		p.transport = s.o.SearxngRoundTripper
		p.account.base = s.o.Searxng.Origin() + strings.TrimSuffix(s.o.Searxng.Path(), "/")
	}
	return p, d, nil
}
