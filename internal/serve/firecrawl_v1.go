package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

// The first version of Firecrawl's API, which its clients still have (app.v1 in JavaScript):
// requests become those of version 2, and are answered by its handlers.

const firecrawlV1 = "/v1/"

// v1Paths are the paths of version 1, each with that of version 2.
var v1Paths = []string{"scrape", "map", "search", "crawl", "batch/scrape", "extract", "team/credit-usage", "team/token-usage", "team/queue-status"}

// isFirecrawl reports whether errors of a path have the form of Firecrawl.
func isFirecrawl(path string) bool {
	if strings.HasPrefix(path, firecrawlPath) {
		return !strings.HasPrefix(path, searchPath+"/research/") // these are problems (RFC 9457)
	}
	rest, ok := strings.CutPrefix(path, firecrawlV1)
	return ok && slices.ContainsFunc(v1Paths, func(p string) bool { return rest == p || strings.HasPrefix(rest, p+"/") })
}

// v1Routes are the routes of version 2 that version 1 has too, under its paths.
func v1Routes(v2 []route) (all []route) {
	for _, r := range v2 {
		path := firecrawlV1 + strings.TrimPrefix(r.path, firecrawlPath)
		if !isFirecrawl(path) || strings.HasSuffix(path, "/interact") || strings.Contains(path, "/search/") {
			continue
		}
		r.path = path
		if do := r.post.handler; do != nil {
			r.post.handler = func(w http.ResponseWriter, q *http.Request) {
				body, err := io.ReadAll(q.Body) // bounded by the guard
				if err == nil {
					q.Body = io.NopCloser(bytes.NewReader(v1Body(body)))
				}
				do(w, q)
			}
		}
		all = append(all, r)
	}
	return all
}

// v1Body makes the options of version 2 of those of version 1. What it does not know it
// leaves as it is, and the options then refuse it by its name.
func v1Body(body []byte) []byte {
	var o map[string]any
	if json.Unmarshal(body, &o) != nil || o == nil {
		return body
	}
	v1Page(o)
	if inner, ok := o[scrapeMember].(map[string]any); ok {
		if v1Page(inner); len(inner) == 0 {
			delete(o, scrapeMember)
		}
	}
	if skip, ok := o["ignoreSitemap"].(bool); ok {
		delete(o, "ignoreSitemap")
		o["sitemap"] = map[bool]string{true: "skip", false: "include"}[skip]
	}
	if only, ok := o["sitemapOnly"].(bool); ok {
		if delete(o, "sitemapOnly"); only {
			o["sitemap"] = "only"
		}
	}
	if back, ok := o["allowBackwardLinks"]; ok {
		delete(o, "allowBackwardLinks")
		o["crawlEntireDomain"] = back
	}
	if o["lang"] == "en" {
		delete(o, "lang") // the client adds it
	}
	out, err := json.Marshal(o)
	if err != nil {
		return body
	}
	return out
}

// v1Page makes the options of a page: formats have their own members in version 2.
func v1Page(o map[string]any) {
	list, _ := o["formats"].([]any)
	for i, f := range list {
		member := map[any]string{"json": "jsonOptions", "extract": "extract", "changeTracking": "changeTrackingOptions"}[f]
		if member == "" {
			continue
		}
		object := map[string]any{}
		if given, ok := o[member].(map[string]any); ok {
			object = given
		}
		if object["type"] = f; f == "extract" {
			object["type"] = "json"
		}
		list[i] = object
		delete(o, member)
	}
	if list != nil && len(list) == 0 {
		delete(o, "formats")
	}
}
