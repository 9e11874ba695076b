package search

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The most characters of a cleaned text.
const (
	maxTitle     = 200
	maxSnippet   = 500
	maxPublished = 40
)

// clean makes results of what a service wrote: addresses that can be asked
// for, one line of text, each page once, what the query excludes gone. undated
// tells whether bounds on the date could not be checked for some.
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
		out = append(out, Result{Title: title, URL: u.String(), Snippet: line(r.Snippet, d.markup, maxSnippet), Published: published, Source: name})
	}
	return out, undated
}

// admits reports whether the query's site and lists let an address through.
func (t *Terms) admits(u weburl.URL) bool {
	host := u.Host()
	if t.siteHost != "" {
		below := t.sitePath == "" && strings.HasSuffix(host, "."+t.siteHost)
		same := host == t.siteHost || "www."+host == t.siteHost
		if !same && !below || t.sitePath != "" && u.Path() != t.sitePath && !strings.HasPrefix(u.Path(), t.sitePath+"/") {
			return false
		}
	}
	return lists{t.allowed, t.blocked}.admit(host) && t.readable.admit(host)
}

// maxWraps is how many redirect wrappers are taken off one address.
const maxWraps = 3

// address is the cleaned address of a result; wrappers of search engines are
// taken off without asking them.
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

// unwrap returns the address within a search engine's own one. An
// advertisement is wrapped and has no address.
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

// identity is the same for addresses that mean one page: scheme, "www.",
// fragment and a trailing slash make no difference.
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

// line is text as one line of at most n characters, without what cannot be
// seen. Markup is parsed where the service writes it; elsewhere only marks of
// highlighting go, since "<div>" can be what a title is about.
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

// unhighlighted drops characters for private use, with which some services mark the
// words of the query, and what another program could not decode.
func unhighlighted(r rune) rune {
	if unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar {
		return -1
	}
	return r
}

// textOf takes markup out.
func textOf(s string, markup bool) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	skip := 0 // within script or style
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if skip == 0 && markup {
				b.WriteString(z.Token().Data)
			} else if skip == 0 {
				b.Write(z.Raw())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw := string(z.Raw())
			name, _ := z.TagName()
			switch string(name) {
			case "b", "strong", "em", "i", "mark", "span", "wbr", "sub", "sup", "u", "a":
			case "script", "style":
				if kind == html.StartTagToken {
					skip++
				} else if skip > 0 {
					skip--
				}
			case "br":
				b.WriteByte(' ')
			default:
				if markup {
					b.WriteByte(' ') // what is no mark within a line begins another
				} else {
					b.WriteString(raw)
				}
			}
		default: // comments and doctypes
			if !markup && kind != html.CommentToken {
				b.Write(z.Raw())
			}
		}
	}
}

// date reads a date of publication: as it is shown, and as a day; zero where
// it cannot be read.
func date(s string) (shown string, when time.Time) {
	s = line(s, false, maxPublished)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006",
		"Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "02.01.2006", "2006/01/02", time.RFC1123, time.RFC1123Z,
	} {
		if d, err := time.Parse(layout, s); err == nil && d.Year() > 1000 {
			if len(s) < len(time.DateOnly) && layout[0] == '2' {
				return s, d // a year or a month is no day
			}
			return d.Format(time.DateOnly), d
		}
	}
	return s, time.Time{}
}

// shortfalls says what of the query a provider could not do.
func (t *Terms) shortfalls(name string, d definition, undated bool) []string {
	var out []string
	say := func(what, then string) {
		out = append(out, fmt.Sprintf("%s cannot limit by %s: %s", name, what, then))
	}
	if t.Country != "" && d.takes&country == 0 {
		say("country", "not applied")
	}
	if t.Language != "" && d.takes&language == 0 {
		say("language", "not applied")
	}
	if undated {
		say("date", "results without a known date stayed")
	}
	if t.filtered() && d.takes&sites == 0 {
		say("site", "its results were filtered, so that there may be few")
	}
	return out
}
