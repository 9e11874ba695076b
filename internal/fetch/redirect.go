package fetch

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A redirect is judged before it is requested: judge asks the policy, as for every hop of a
// call, enter ends circles and long chains, judgeNext asks for the source of the address. A
// refresh of a page (refresh.go) is treated in the same way.

// location returns the target of a redirect, or the zero URL for another
// response.
func location(base weburl.URL, resp *http.Response) (weburl.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return weburl.URL{}, nil
	}
	ref := strings.Trim(resp.Header.Get("Location"), " \t")
	if ref == "" {
		return weburl.URL{}, nil
	}
	if len(ref) > maxLocationBytes {
		return weburl.URL{}, &Error{Code: InvalidURL, URL: base.String(),
			cause: fmt.Sprintf("redirects to an address of more than %d bytes", maxLocationBytes)}
	}
	next, err := base.Resolve(percentEncodeHigh(ref))
	if err != nil {
		return weburl.URL{}, &Error{Code: InvalidURL, URL: base.String(), Cause: err,
			cause: "redirects to an address that is not valid"}
	}
	// RFC 9110 section 10.2.2: the fragment goes along.
	if next.Fragment() == "" && base.Fragment() != "" {
		if with, err := next.Resolve("#" + base.Fragment()); err == nil {
			next = with
		}
	}
	return next, nil
}

// percentEncodeHigh encodes bytes outside ASCII. In a header they can be in any
// encoding; percent encoding keeps them.
func percentEncodeHigh(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

// refreshed is where a page sends its reader at once, or the zero URL. A page that sends
// the reader to itself reloads, which matters only where it has just set a cookie. A page
// whose target the policy refuses is a response, with its text: nothing is requested there.
func (g *call) refreshed(h hop, res *Response) weburl.URL {
	if g.req.maxRedirects == 0 || res.Status >= 300 {
		return weburl.URL{}
	}
	next := refreshed(res)
	if next.IsZero() {
		return next
	}
	u, same := h.url.WithoutFragment(), next.WithoutFragment().String() == h.url.WithoutFragment().String()
	if same && g.jar.line(u, nil) == g.sent[len(g.sent)-1] {
		return weburl.URL{}
	}
	if _, err := g.judge(next); err != nil || g.judgeNext(h.url, next) != nil {
		return weburl.URL{}
	}
	return next
}

// judgeNext checks the target of a redirect. Within a domain it is allowed: the
// server learns nothing from an address that it made. From a known address every
// target is allowed, and becomes known. From another address, the target has to
// be one that could be read by itself.
func (g *call) judgeNext(from, next weburl.URL) error {
	l := g.client.options.Provenance
	switch {
	case g.req.origin == known:
		l.Give(g.ctx, next)
	case g.req.origin == related && !weburl.SameSite(from, next):
		if err := l.Judge(g.ctx, next); err != nil {
			return Refused(next.WithoutUserinfo().String(), err)
		}
	}
	return nil
}

// enter counts a hop, and ends a call whose redirects form a circle.
func (g *call) enter(h hop) error {
	u := h.url.WithoutFragment()
	cookies := g.jar.line(u, nil)
	for i, seen := range g.hops {
		// A site may set a cookie and redirect to the same URL for it.
		if seen.String() != u.String() || g.sent[i] != cookies {
			continue
		}
		if h.upgraded {
			// https sends back to http, and the policy sends to https again.
			return &Error{Code: ConnectionError, URL: u.String(), Hint: hintPlainHTTP, cause: "https redirects back to http"}
		}
		return &Error{
			Code: TooManyRedirects, URL: u.String(), cause: "the site redirects in a circle",
			Hint: "the site may want scripts or a login: render=always opens it in a browser",
		}
	}
	if limit := g.req.maxRedirects; len(g.hops) > limit {
		return &Error{
			Code: TooManyRedirects, URL: u.String(), cause: fmt.Sprintf("more than %d redirects", limit),
			Hint: "try the address of the page itself",
		}
	}
	if len(g.hops) == 0 {
		g.origin = u.Origin()
	}
	g.hops, g.sent = append(g.hops, u), append(g.sent, cookies)
	return nil
}
