package fetch

import (
	"bytes"
	"html"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The refreshes that are redirects. One after a longer time gives a person time to read the
// page, unless the page has little more to read than that it has moved.
const (
	maxRefreshDelay = 3        // in seconds
	maxMovedDelay   = 10       // of a page with little text
	maxMovedText    = 400      // bytes of that text, without spaces
	maxRefreshHead  = 64 << 10 // bytes of a page in which a refresh is looked for
)

// refresh is an instruction of a page to go to another URL after a time.
type refresh struct {
	delay int    // in seconds
	url   string // as it is written; "" for the page itself
	base  string // the href of the <base> before it; "" for none
}

// refreshed returns the URL to which a page sends its reader at once, by a Refresh header
// or <meta http-equiv=refresh>, or the zero URL. One in <noscript> is for readers who cannot
// show the page.
func refreshed(res *Response) weburl.URL {
	if res.MediaType != typeHTML && res.MediaType != "application/xhtml+xml" && (len(res.Body) > 0 || res.Header.Get("Refresh") == "") {
		return weburl.URL{}
	}
	body := res.Body[:min(len(res.Body), maxRefreshHead)]
	r, ok := parseRefresh(percentEncodeHigh(res.Header.Get("Refresh")))
	if !ok {
		r, ok = metaRefresh(body)
	}
	if !ok || len(r.url) > maxLocationBytes || r.delay > maxMovedDelay || r.delay > maxRefreshDelay && !littleText(body) {
		return weburl.URL{}
	}
	base, err := res.URL.Resolve(r.base)
	if err != nil || !isWeb(base) {
		base = res.URL
	}
	next, err := base.ResolveIn(r.url, res.Charset)
	if err != nil || !isWeb(next) {
		return weburl.URL{}
	}
	return next
}

func isWeb(u weburl.URL) bool { return u.Scheme() == "http" || u.Scheme() == "https" }

// metaRefresh returns the first refresh of a page; ok is false where there is none.
func metaRefresh(b []byte) (r refresh, ok bool) {
	base := ""
	walkTags(b, func(b []byte) (rest []byte, done bool) {
		switch {
		case isTag(b, "meta"):
			a, rest := attributes(b[len("<meta"):])
			if strings.EqualFold(strings.TrimSpace(a["http-equiv"]), "refresh") {
				r, ok = parseRefresh(a["content"])
				r.base = base
			}
			return rest, ok
		case isTag(b, "base") && base == "":
			a, rest := attributes(b[len("<base"):])
			base = strings.TrimSpace(a["href"])
			return rest, false
		case hidesTags(b):
			return afterElement(b), false
		}
		return b, false
	})
	return r, ok
}

// littleText reports whether the text of a page is too short for a person to be given time
// to read it.
func littleText(b []byte) bool {
	n := 0
	for len(b) > 0 && n <= maxMovedText {
		text, _, _ := bytes.Cut(b, []byte("<"))
		n += len(bytes.Join(bytes.Fields(text), nil))
		b = b[len(text):]
		switch {
		case hidesTags(b):
			b = afterElement(b)
		case len(b) > 1 && (isLetter(b[1]) || b[1] == '/' || b[1] == '!'):
			b = after(b, ">")
		case len(b) > 0:
			b = b[1:]
		}
	}
	return n <= maxMovedText
}

// hidesTags reports whether b begins with an element whose tags do not count.
func hidesTags(b []byte) bool {
	return isTag(b, "noscript") || isTag(b, "script") || isTag(b, "style") || isTag(b, "title") || isTag(b, "template") || isTag(b, "textarea")
}

// isTag reports whether b begins with the start tag of an element.
func isTag(b []byte, name string) bool {
	n := 1 + len(name)
	return hasPrefixFold(b, "<"+name) && len(b) > n && (isSpace(b[n]) || b[n] == '/' || b[n] == '>')
}

// afterElement returns what follows the element whose start tag b begins with.
func afterElement(b []byte) []byte {
	end := 1
	for end < len(b) && isLetter(b[end]) {
		end++
	}
	name := "</" + string(b[1:end])
	for b = b[end:]; ; b = b[2:] {
		i := bytes.Index(b, []byte("</"))
		if i < 0 {
			return nil
		}
		if b = b[i:]; hasPrefixFold(b, name) {
			return b
		}
	}
}

// attributes returns the attributes of a tag, the first of each name, with the character
// references in them decoded, and what follows the tag.
func attributes(b []byte) (map[string]string, []byte) {
	all := map[string]string{}
	for {
		name, value, rest, more := attribute(b)
		if b = rest; !more {
			return all, b
		}
		if _, twice := all[name]; !twice {
			all[name] = html.UnescapeString(value)
		}
	}
}

// parseRefresh reads the value of a refresh (HTML standard, "shared declarative refresh
// steps"); ok is false where it is none.
func parseRefresh(s string) (r refresh, ok bool) {
	s = strings.TrimLeft(s, " \t\r\n\f")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 && !strings.HasPrefix(s, ".") {
		return r, false
	}
	for _, d := range s[:digits] {
		r.delay = min(10*r.delay+int(d-'0'), maxMovedDelay+1)
	}
	rest := strings.TrimLeft(s[digits:], "0123456789.")
	if rest == "" {
		return r, true
	}
	if !strings.ContainsAny(rest[:1], ";, \t\r\n\f") {
		return r, false
	}
	rest = strings.TrimLeft(rest, " \t\r\n\f")
	if rest != "" && (rest[0] == ';' || rest[0] == ',') {
		rest = strings.TrimLeft(rest[1:], " \t\r\n\f")
	}
	r.url = withoutName(rest)
	return r, true
}

// withoutName removes "url=" and quotation marks around a URL.
func withoutName(s string) string {
	if len(s) > 3 && strings.EqualFold(s[:3], "url") {
		if after := strings.TrimLeft(s[3:], " \t\r\n\f"); strings.HasPrefix(after, "=") {
			s = strings.TrimLeft(after[1:], " \t\r\n\f")
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return strings.TrimSpace(s)
}
