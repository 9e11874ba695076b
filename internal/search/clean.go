package search

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"html"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The most characters of a cleaned text.
const (
	maxTitle     = 200
	maxSnippet   = 500
	maxPublished = 40
	// maxProvided bounds the content that a provider has of a page.
	maxProvided = 8000
)

// clean converts the hits of a service to results: valid addresses, texts of one
// line, each page once, without the hits that the query excludes. undated
// reports whether the date of some results could not be checked against the
// query's bounds.
func (t *Terms) clean(raw []Result, name string, d definition) (out []Result, undated bool) {
	seen := make(map[string]bool)
	out = make([]Result, 0, min(len(raw), t.MaxResults))
	for _, r := range raw {
		if len(out) == t.MaxResults {
			break
		}
		u, ok := address(r.URL)
		if !ok || !t.admits(u) {
			continue
		}
		key := identity(u.String())
		if seen[key] {
			continue
		}
		published, when := date(r.Published)
		if t.dated() && d.takes&dates == 0 && !(d.takes&ranges != 0 && t.TimeRange != "") {
			switch {
			case when.IsZero():
				undated = true
			case when.Before(t.start) || !t.end.IsZero() && when.After(t.end.Add(24*time.Hour-1)):
				continue
			}
		}
		seen[key] = true
		title := line(r.Title, d.markup, maxTitle)
		if title == "" {
			title = u.Host() + u.Path()
		}
		hit := Result{Title: title, URL: u.String(), Snippet: line(r.Snippet, d.markup, maxSnippet), Published: published, Source: name, Score: r.Score}
		if t.IncludeContent {
			hit.Content = text.Cut(text.Clean(r.Content[:min(len(r.Content), 8*maxProvided)], text.Verbatim, nil), maxProvided)
		}
		if image, ok := address(r.Image); ok {
			hit.Image, hit.ImageWidth, hit.ImageHeight = image.String(), max(r.ImageWidth, 0), max(r.ImageHeight, 0)
		}
		out = append(out, hit)
	}
	return out, undated
}

// admits reports whether the query's site and host lists allow an address.
func (t *Terms) admits(u weburl.URL) bool {
	host := u.Host()
	if t.siteHost != "" {
		below := t.sitePath == "" && strings.HasSuffix(host, "."+t.siteHost)
		same := host == t.siteHost || "www."+host == t.siteHost
		if !same && !below || t.sitePath != "" && u.Path() != t.sitePath && !strings.HasPrefix(u.Path(), t.sitePath+"/") {
			return false
		}
	}
	return lists{t.allowed, t.blocked}.admit(host) && (t.readable == nil || t.readable(host))
}

// maxWraps bounds the redirect addresses of search engines that are nested in
// one address.
const maxWraps = 3

// address returns the cleaned address of a result. When it is a search engine's
// redirect address, the target is taken from its parameters, without a request.
func address(raw string) (weburl.URL, bool) {
	raw = strings.TrimSpace(raw)
	if strings.HasPrefix(raw, "//") {
		raw = "https:" + raw
	}
	for range maxWraps + 1 {
		u, err := weburl.Parse(raw)
		if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.Host() == "" {
			return u, false
		}
		inner, wrapped := unwrap(u)
		if !wrapped {
			u, _ = u.WithoutUserinfo().Clean()
			return u, true
		}
		raw = inner
	}
	return weburl.URL{}, false
}

// unwrap returns the target of a search engine's redirect address. The redirect
// address of an advertisement has no target: inner is "".
func unwrap(u weburl.URL) (inner string, wrapped bool) {
	site, path := u.RegistrableDomain(), u.Path()
	label, _, _ := strings.Cut(site, ".")
	switch {
	case site == "duckduckgo.com" && strings.HasPrefix(path, "/l/"):
		return parameter(u, "uddg"), true
	case site == "duckduckgo.com" && path == "/y.js": // advertisement
		return "", true
	case label == "google" && path == "/url":
		if to := parameter(u, "q"); to != "" {
			return to, true
		}
		return parameter(u, "url"), true
	case site == "bing.com" && strings.HasPrefix(path, "/ck/a"):
		// "a1" and the address in base64.
		to, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(parameter(u, "u"), "a1"))
		if err != nil {
			return "", true
		}
		return string(to), true
	}
	return "", false
}

// parameter returns the first value of a parameter of the query.
func parameter(u weburl.URL, name string) string {
	for pair := range strings.SplitSeq(u.RawQuery(), "&") {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			text, err := url.QueryUnescape(value)
			if err != nil {
				return ""
			}
			return text
		}
	}
	return ""
}

// identity returns a key that is equal for addresses of the same page. It
// ignores scheme, "www.", fragment and a trailing slash.
func identity(raw string) string {
	u, err := weburl.Parse(raw)
	if err != nil {
		return raw
	}
	s := strings.TrimPrefix(u.WithoutFragment().WithScheme("https").String(), "https://")
	s = strings.TrimPrefix(s, "www.")
	path, query, asked := strings.Cut(s, "?")
	if path = strings.TrimSuffix(path, "/"); asked {
		path += "?" + query
	}
	return path
}

// line returns s as one line of at most n characters, without invisible
// characters. When markup is set, s is HTML and its tags are removed; otherwise
// only highlighting tags are removed, since a title can be about "<div>".
func line(s string, markup bool, n int) string {
	const most = 64 << 10
	if len(s) > most {
		s = s[:most]
	}
	s = strings.ToValidUTF8(s, "")
	if strings.Contains(s, "<") || markup && strings.Contains(s, "&") {
		s = textOf(s, markup)
	}
	return text.Cut(text.Line(strings.Map(unhighlighted, s)), n)
}

// unhighlighted drops characters for private use, with which some services mark
// the words of the query, and replacement characters.
func unhighlighted(r rune) rune {
	if unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar {
		return -1
	}
	return r
}

// pattern is a regular expression that is compiled when it is first used: most processes
// search nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	highlighting = pattern(`(?i)</?(b|strong|em|i|mark|span|wbr|sub|sup|u|a)(\s[^<>]*)?/?>`)
	unseen       = pattern(`(?is)<!--.*?-->|<script\b.*?</script[^>]*>|<style\b.*?</style[^>]*>`)
	lineBreak    = pattern(`(?i)<br\s*/?>`)
	anyTag       = pattern(`(?i)</?[a-z][^<>]*>|<[!?][^<>]*>`)
)

// textOf removes tags: all when markup is set, else only highlighting tags.
func textOf(s string, markup bool) string {
	s = lineBreak().ReplaceAllString(highlighting().ReplaceAllString(unseen().ReplaceAllString(s, ""), ""), " ")
	if markup {
		s = html.UnescapeString(anyTag().ReplaceAllString(s, " ")) // a block element separates words
	}
	return s
}

// date parses a date of publication. It returns the text to show and the time,
// which is zero when the text cannot be parsed.
func date(s string) (shown string, when time.Time) {
	s = line(s, false, maxPublished)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006",
		"Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "02.01.2006", "2006/01/02", time.RFC1123, time.RFC1123Z,
	} {
		if d, err := time.Parse(layout, s); err == nil && d.Year() > 1000 {
			if len(s) < len(time.DateOnly) && layout[0] == '2' {
				return s, d // only a year or a month: do not show a day
			}
			return d.Format(time.DateOnly), d
		}
	}
	return s, time.Time{}
}

// shortfalls returns a notice for each part of the query that the provider could
// not filter by.
func (t *Terms) shortfalls(name string, d definition, undated bool) []string {
	var out []string
	say := func(what, then string) {
		out = append(out, fmt.Sprintf("%s cannot filter by %s: %s", name, what, then))
	}
	if t.Country != "" && d.takes&country == 0 {
		say("country", "the country was ignored")
	}
	if t.Language != "" && d.takes&language == 0 {
		say("language", "the language was ignored")
	}
	if undated {
		say("date", "results without a known date are included")
	}
	if t.filtered() && d.takes&sites == 0 {
		say("site", "its results were filtered afterwards, so there may be few")
	}
	return out
}
