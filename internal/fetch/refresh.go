package fetch

import (
	"bytes"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const (
	// maxRefreshDelay is the longest delay of a refresh that is a redirect, in seconds.
	// A longer one gives a person time to read the page.
	maxRefreshDelay = 3
	maxRefreshHead  = 64 << 10 // bytes in which the refresh is looked for
)

// refreshed returns the address to which an HTML page sends its reader at once with
// <meta http-equiv=refresh> in its head, or the zero URL: a page that sends the reader
// to itself reloads, and one in <noscript> is for readers who cannot show the page.
func refreshed(res *Response) weburl.URL {
	if res.MediaType != "text/html" && res.MediaType != "application/xhtml+xml" {
		return weburl.URL{}
	}
	ref := metaRefresh(res.Body[:min(len(res.Body), maxRefreshHead)])
	if ref == "" || len(ref) > maxLocationBytes {
		return weburl.URL{}
	}
	next, err := res.URL.Resolve(ref)
	if err != nil || next.Scheme() != "http" && next.Scheme() != "https" ||
		next.WithoutFragment().String() == res.URL.WithoutFragment().String() {
		return weburl.URL{}
	}
	return next
}

// metaRefresh returns the address of the first refresh in the head of a page, or "".
func metaRefresh(b []byte) (to string) {
	walkTags(b, func(b []byte) (rest []byte, done bool) {
		switch {
		case isTag(b, "meta"):
			equiv, content, rest := metaPragma(b[len("<meta"):])
			if strings.EqualFold(equiv, "refresh") {
				to = refreshAddress(content)
				return rest, true
			}
			return rest, false
		case hidesTags(b):
			return afterElement(b), false
		}
		return b, isTag(b, "body")
	})
	return to
}

// hidesTags reports whether b begins with an element whose tags do not count.
func hidesTags(b []byte) bool {
	return isTag(b, "noscript") || isTag(b, "script") || isTag(b, "style") || isTag(b, "title") || isTag(b, "template")
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

// metaPragma reads the attributes of a meta element, and returns what follows it.
func metaPragma(b []byte) (equiv, content string, rest []byte) {
	for {
		name, value, rest, more := attribute(b)
		b = rest
		switch {
		case !more:
			return equiv, content, b
		case name == "http-equiv" && equiv == "":
			equiv = strings.TrimSpace(value)
		case name == "content" && content == "":
			content = value
		}
	}
}

// refreshAddress reads the content of a refresh (HTML standard, "shared declarative
// refresh steps"): a delay in seconds, and the address, or "" for one that is not near.
func refreshAddress(s string) string {
	s = strings.TrimLeft(s, " \t\r\n\f")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 && !strings.HasPrefix(s, ".") {
		return ""
	}
	delay := 0
	for _, d := range s[:digits] {
		delay = min(10*delay+int(d-'0'), maxRefreshDelay+1)
	}
	rest := strings.TrimLeft(s[digits:], "0123456789.")
	if delay > maxRefreshDelay || rest == "" || !strings.ContainsAny(rest[:1], ";, \t\r\n\f") {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t\r\n\f")
	if rest != "" && (rest[0] == ';' || rest[0] == ',') {
		rest = strings.TrimLeft(rest[1:], " \t\r\n\f")
	}
	return withoutName(rest)
}

// withoutName removes "url=" and quotation marks around an address.
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
