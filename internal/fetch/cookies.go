package fetch

import (
	"crypto/rand"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The limits of a [Jar]. RFC 6265 section 6.1 asks for at least 4096 bytes a cookie and
// 50 cookies a domain; common servers refuse request headers of more than 8 kB.
const (
	maxCookieBytes = 4096
	maxCookies     = 100
	maxCookieLine  = 8000
)

// Jar contains the cookies that servers set within one call, or within one crawl of one
// site ([Request.Jar]). They go where RFC 6265 and the public suffix list send them. A jar
// is never stored, and no text shows its cookies. It is safe for concurrent use; further
// cookies are ignored after the first 100.
type Jar struct {
	id string // requests with different jars are different requests

	mu    sync.Mutex
	jar   *cookiejar.Jar // nil until a server has set a cookie
	names map[string]bool
}

// NewJar returns an empty jar.
func NewJar() *Jar { return &Jar{id: rand.Text()} }

// String hides the cookies.
func (j *Jar) String() string { return "cookies" }

// GoString hides the cookies.
func (j *Jar) GoString() string { return "fetch.Jar{…}" }

// set takes the cookies of a response. A nil jar takes none.
func (j *Jar) set(u weburl.URL, h http.Header) {
	if j == nil || len(h["Set-Cookie"]) == 0 {
		return
	}
	lines := h["Set-Cookie"][:min(len(h["Set-Cookie"]), maxCookies)]
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.jar == nil {
		// New fails only with options that it does not know.
		j.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
		j.names = make(map[string]bool)
	}
	for _, line := range lines {
		c, err := http.ParseSetCookie(line)
		if err != nil || len(line) > maxCookieBytes {
			continue
		}
		name := strings.Join([]string{u.Host(), c.Domain, c.Path, c.Name}, "\n")
		if len(j.names) == maxCookies && !j.names[name] {
			continue
		}
		j.names[name] = true
		j.jar.SetCookies(u.NetURL(), []*http.Cookie{c})
	}
}

// line is the Cookie header for a URL, which adds the jar's cookies to those that the
// caller gives. A cookie of the jar replaces the given one of its name, because the server
// has set it later.
func (j *Jar) line(u weburl.URL, given []string) string {
	line := strings.Join(given, "; ")
	if j == nil {
		return line
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.jar == nil {
		return line
	}
	set := map[string]bool{}
	var pairs []string
	size := len(line)
	for _, c := range j.jar.Cookies(u.NetURL()) {
		if size += len(c.Name) + len(c.Value) + len("=; "); size > maxCookieLine {
			break
		}
		pair := (&http.Cookie{Name: c.Name, Value: c.Value, Quoted: c.Quoted}).String()
		set[c.Name], pairs = true, append(pairs, pair)
	}
	var kept []string
	for pair := range strings.SplitSeq(line, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if name != "" && !set[name] {
			kept = append(kept, strings.TrimSpace(pair))
		}
	}
	return strings.Join(append(kept, pairs...), "; ")
}
