package fetch

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/tags"
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
	if !ok || len(r.url) > maxLocationBytes || r.delay > maxMovedDelay || r.delay > maxRefreshDelay && tags.Text(body, maxMovedText) >= maxMovedText {
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
	tags.Each(b, false, func(name string, attrs map[string]string) bool {
		switch {
		case name == "meta" && strings.EqualFold(strings.TrimSpace(attrs["http-equiv"]), "refresh"):
			r, ok = parseRefresh(attrs["content"])
			r.base = base
		case name == "base" && base == "":
			base = strings.TrimSpace(attrs["href"])
		}
		return ok
	})
	return r, ok
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
