package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file reads robots.txt (RFC 9309). The request for it passes the policy,
// the rate limits and the table of requests in flight like any other.

const (
	maxRobotsRedirects = 5 // section 2.3.1.2
	robotsFresh        = time.Hour
	robotsRetry        = time.Minute    // after a failure
	robotsStale        = 24 * time.Hour // section 2.4
	maxRobotsFiles     = 128            // with 500 KiB at the worst

	ruleRobots = "robots"
)

type robots struct {
	mu    sync.Mutex
	files *lru.Map[string, robotsFile] // by origin
}

// robotsFile is the robots.txt of an origin.
type robotsFile struct {
	Robots
	read  time.Time // when the rules came
	until time.Time // it is not requested again before
}

func newRobots() *robots { return &robots{files: lru.New[string, robotsFile](maxRobotsFiles)} }

// askRobots returns an error when robots.txt refuses an address, or could not be
// read.
func (g *call) askRobots(u weburl.URL) error {
	f, err := g.client.robotsOf(g.ctx, u)
	if err != nil {
		return err
	}
	if f.Status != 0 {
		return &Error{Code: Blocked, URL: u.String(), Rule: ruleRobots,
			cause: fmt.Sprintf("robots.txt of %s could not be read (HTTP %d), which refuses everything", u.Host(), f.Status),
			Hint:  "try again later, or look for another source"}
	}
	if r := judgeRobots(f.rules, robotsPath(u)); r != nil {
		pattern := text.URL(r.pattern[:min(len(r.pattern), 100)]) // of ASCII characters only
		return &Error{Code: Blocked, URL: u.String(), Rule: ruleRobots,
			cause: fmt.Sprintf("robots.txt of %s refuses it in line %d, Disallow: %s", u.Host(), r.line, pattern),
			Hint:  "look for another source"}
	}
	return nil
}

// robotsPath is what the rules are compared with.
func robotsPath(u weburl.URL) string {
	if q := u.RawQuery(); q != "" {
		return u.Path() + "?" + q
	}
	return u.Path()
}

// Robots is the robots.txt of an origin, for callers that request many of its pages.
type Robots struct {
	// Status is the HTTP status of a server error because of which the file could
	// not be read; then everything is refused (RFC 9309 section 2.3.1.4). 0 in other
	// cases, also where the site has no such file.
	Status int
	// CrawlDelay is the time that the site wants between two requests; 0: none.
	CrawlDelay time.Duration
	// Signals is what Content-Signal says of uses, for example "ai-input": false;
	// nil: nothing.
	Signals map[string]bool
	// Sitemaps are the addresses of the Sitemap lines, as they are written: at most
	// 200, not checked.
	Sitemaps []string

	rules []robotsRule
}

// Refuses reports whether the file refuses an address of its origin.
func (r Robots) Refuses(u weburl.URL) bool {
	return r.Status != 0 || judgeRobots(r.rules, robotsPath(u)) != nil
}

// Robots returns the robots.txt of the origin of an address, which the client
// remembers for an hour. The error means that the origin could not be reached or
// that the policy refuses it.
func (c *Client) Robots(ctx context.Context, u weburl.URL) (Robots, error) {
	f, err := c.robotsOf(ctx, u)
	return f.Robots, err
}

// robotsOf returns the robots.txt of the origin of an address. The error means
// that the origin could not be reached.
func (c *Client) robotsOf(ctx context.Context, u weburl.URL) (robotsFile, error) {
	origin := u.Origin()
	c.robots.mu.Lock()
	f, known := c.robots.files.Get(origin)
	c.robots.mu.Unlock()
	now := time.Now()
	if known && now.Before(f.until) {
		return f, nil
	}
	at, err := u.WithoutUserinfo().Resolve("/robots.txt")
	if err != nil {
		return robotsFile{}, &Error{Code: InvalidURL, URL: u.String(), Cause: err, cause: "robots.txt has no URL"}
	}
	res, err := c.remembered(ctx, Request{
		URL: at, Redirects: Follow, MaxBytes: maxRobotsBytes, maxRedirects: maxRobotsRedirects, origin: ourOwn,
	})
	next := robotsFile{read: now, until: now.Add(robotsFresh)}
	var e *Error
	switch errors.As(err, &e); {
	case err == nil && res.Truncated && res.DecodedBytes < maxRobotsBytes:
		// The rest could have refused.
		return robotsFile{}, &Error{Code: ConnectionError, URL: at.String(), cause: "robots.txt came incompletely: " + res.TruncatedWhy}
	case err == nil:
		if res.MediaType != typeHTML { // some sites send a page instead of the file
			next.Robots = ParseRobots(whole(res))
		}
	case e.Code == HTTPError && e.Status >= 500:
		next.Status, next.until = e.Status, now.Add(robotsRetry)
		if known && f.Status == 0 && now.Sub(f.read) < robotsStale {
			f.until = next.until
			next = f
		}
	case e.Code == HTTPError, e.Code == TooManyRedirects:
		// Unavailable (section 2.3.1.3): no rules.
	default:
		return robotsFile{}, err
	}
	c.robots.mu.Lock()
	c.robots.files.Put(origin, next)
	c.robots.mu.Unlock()
	return next, nil
}

// whole returns the body without a last line that was cut: the pattern of a cut
// line matches more than the author wrote.
func whole(res *Response) []byte {
	if !res.Truncated {
		return res.Body
	}
	i := strings.LastIndexAny(string(res.Body), "\r\n")
	return res.Body[:i+1]
}
