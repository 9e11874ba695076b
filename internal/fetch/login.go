package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sort"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Login holds the cookies of a browser in which a person has signed in to a site.
// Each hop of a call gets the cookies that a browser would send there, until the
// call leaves the site. Make one with [NewLogin]; it is immutable.
type Login struct {
	site    string
	cookies []LoginCookie
	sum     [sha256.Size]byte
}

// LoginCookie is a cookie in the form in which RFC 6265 section 5.3 stores it.
type LoginCookie struct {
	Name, Value string
	// Domain is a canonical host; HostOnly excludes its subdomains.
	Domain   string
	HostOnly bool
	Path     string // begins with a slash; else it is /
	// Secure cookies are sent over https only.
	Secure bool
	// Expires is zero for a cookie that does not end.
	Expires time.Time
}

// NewLogin returns the login of a site, which is a registrable domain or an
// address. Cookies of other sites, and cookies that a header cannot contain, are
// left out.
func NewLogin(site string, cookies []LoginCookie) *Login {
	l := &Login{site: site}
	d := digest{sha256.New()}
	d.text(site)
	for _, c := range cookies {
		c.Domain = strings.Trim(c.Domain, "[].")
		if !strings.HasPrefix(c.Path, "/") {
			c.Path = "/"
		}
		if !belongs(c.Domain, site) || !httpguts.ValidHeaderFieldValue(c.Name+c.Value) || strings.ContainsAny(c.Name, "=;") || strings.Contains(c.Value, ";") {
			continue
		}
		l.cookies = append(l.cookies, c)
		d.text(c.Name, c.Value, c.Domain, c.Path)
	}
	// Section 5.4: longer paths first.
	sort.SliceStable(l.cookies, func(i, j int) bool { return len(l.cookies[i].Path) > len(l.cookies[j].Path) })
	d.Sum(l.sum[:0])
	return l
}

// belongs reports whether a cookie's domain is the site or one below it.
func belongs(domain, site string) bool {
	return domain == site || strings.HasSuffix(domain, "."+site)
}

// Site is the registrable domain or the address that the login is for.
func (l *Login) Site() string { return l.site }

// Covers reports whether an address belongs to the site.
func (l *Login) Covers(u weburl.URL) bool { return l.site != "" && u.RegistrableDomain() == l.site }

// Fingerprint returns a hash of the cookies, by which logins can be compared.
func (l *Login) Fingerprint() string { return hex.EncodeToString(l.sum[:]) }

// String hides the cookies.
func (l *Login) String() string { return "login of " + l.site }

// GoString hides the cookies.
func (l *Login) GoString() string { return "fetch.Login{…}" }

// apply adds the cookies for an address of the site.
func (l *Login) apply(header http.Header, u weburl.URL, now time.Time) {
	var pairs []string
	if given := header.Get("Cookie"); given != "" {
		pairs = append(pairs, given)
	}
	for _, c := range l.cookies {
		if c.matches(u, now) {
			pairs = append(pairs, c.Name+"="+c.Value)
		}
	}
	if len(pairs) > 0 {
		header["Cookie"] = []string{strings.Join(pairs, "; ")}
	}
}

// matches is section 5.4 of RFC 6265.
func (c *LoginCookie) matches(u weburl.URL, now time.Time) bool {
	host, path := u.Host(), u.Path()
	switch {
	case c.Secure && u.Scheme() != "https":
	case !c.Expires.IsZero() && !now.Before(c.Expires):
	case host != c.Domain && (c.HostOnly || !strings.HasSuffix(host, "."+c.Domain)):
	case path == c.Path:
		return true
	case strings.HasPrefix(path, c.Path): // section 5.1.4
		return strings.HasSuffix(c.Path, "/") || path[len(c.Path)] == '/'
	}
	return false
}
