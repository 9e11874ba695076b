package sites

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file is the table of sites with an API variant. [Find] reads it; [Declared]
// handles pages that name their variant.

// site is one row of the table.
type site struct {
	// hosts are the names of the site, in lower case.
	hosts []string
	// match reports whether another host belongs to the site too; nil: none does.
	match func(host string) bool
	// find returns the variant of a page of the site, or nil.
	find func(u weburl.URL) *Variant
}

// table holds all sites; the first row that has a host decides. Nothing changes
// it.
var table = [...]site{
	{hosts: []string{"github.com", "www.github.com"}, find: github},
	{hosts: []string{"gist.github.com"}, find: gist},
	{hosts: []string{"news.ycombinator.com"}, find: hackerNews},
	{hosts: []string{"reddit.com", "www.reddit.com", "old.reddit.com", "new.reddit.com"}, find: reddit},
	{hosts: []string{"arxiv.org", "www.arxiv.org"}, find: arxiv},
	{hosts: []string{"www.npmjs.com", "npmjs.com"}, find: npm},
	{hosts: []string{"pypi.org", "www.pypi.org"}, find: pypi},
	{hosts: []string{"crates.io"}, find: crates},
	{hosts: []string{"hub.docker.com"}, find: dockerHub},
	{hosts: []string{"www.mediawiki.org", "meta.wikimedia.org"}, match: isWikimedia, find: mediaWiki},
	{match: func(host string) bool { return stackSite(host) != "" }, find: stackExchange},
	{hosts: []string{"bsky.app", "www.bsky.app"}, find: bluesky},
	{hosts: []string{"x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"}, find: xPost},
	{match: func(host string) bool { return strings.HasSuffix(host, ".substack.com") }, find: substack},
	{hosts: []string{"medium.com", "www.medium.com"}, match: func(host string) bool { return strings.HasSuffix(host, ".medium.com") }, find: medium},
	// GitLab and Mastodon run on any host; their paths identify them.
	{match: func(string) bool { return true }, find: func(u weburl.URL) *Variant {
		if v := mastodon(u); v != nil {
			return v
		}
		return gitLab(u)
	}},
}

// siteOf returns the row that decides about a host. The last row takes every
// host.
func siteOf(host string) *site {
	i := slices.IndexFunc(table[:], func(s site) bool {
		return slices.Contains(s.hosts, host) || s.match != nil && s.match(host)
	})
	return &table[i]
}
