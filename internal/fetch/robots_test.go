package fetch

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What a file means for a path, by RFC 9309; refused is the line of the rule,
// 0 for allowed.
func TestRobotsRules(t *testing.T) {
	for _, c := range []struct {
		name, file, path string
		refused          int
	}{
		{"empty", "", "/", 0},
		{"all", "User-agent: *\nDisallow: /", "/a", 2},
		{"no pattern", "User-agent: *\nDisallow:", "/a", 0},
		{"rule before any group", "Disallow: /", "/a", 0},
		{"prefix", "User-agent: *\nDisallow: /a", "/ab?c", 2},
		{"prefix, another case", "User-agent: *\nDisallow: /A", "/ab", 0},
		{"robots.txt itself", "User-agent: *\nDisallow: /", "/robots.txt", 0},
		{"our group wins over all", "User-agent: *\nDisallow: /\n\nUser-agent: Spyhop\nDisallow: /x", "/a", 0},
		{"our group, first", "User-agent: spyhop\nDisallow: /x\n\nUser-agent: *\nAllow: /", "/x", 2},
		{"our group, empty", "User-agent: *\nDisallow: /\nUser-agent: spyhop\n", "/a", 0},
		{"our group with version", "User-agent: SPYHOP/2.0 (x)\nDisallow: /", "/a", 2},
		{"a longer name", "User-agent: spyhopper\nDisallow: /", "/a", 0},
		{"a name within", "User-agent: not spyhop\nDisallow: /", "/a", 0},
		{"groups are merged", "User-agent: spyhop\nDisallow: /a\n\nUser-agent: other\nDisallow: /\n\nUser-agent: spyhop\nDisallow: /b", "/b", 8},
		{"several names", "User-agent: other\nUser-agent: spyhop\nUser-agent: third\nDisallow: /a", "/a", 4},
		{"a sitemap between", "User-agent: spyhop\nSitemap: https://e.com/\nUser-agent: other\nDisallow: /a", "/a", 4},
		{"a new group after a rule", "User-agent: spyhop\nDisallow: /a\nUser-agent: other\nDisallow: /b", "/b", 0},
		{"star and us at once", "User-agent: *\nUser-agent: spyhop\nDisallow: /a", "/a", 3},
		{"longest wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", 0},
		{"longest wins, turned", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", 3},
		{"equally long", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", 0},
		{"equally long, turned", "User-agent: *\nAllow: /a\nDisallow: /a", "/a", 0},
		{"star", "User-agent: *\nDisallow: /*.gif", "/a/b.gif?c", 2},
		{"star, not there", "User-agent: *\nDisallow: /*.gif", "/a/b.png", 0},
		{"end", "User-agent: *\nDisallow: /*.gif$", "/a.gif", 2},
		{"end, not there", "User-agent: *\nDisallow: /*.gif$", "/a.gif?b", 0},
		{"end twice", "User-agent: *\nDisallow: /*.gif$", "/a.gif/b.gif", 2},
		{"end without star", "User-agent: *\nDisallow: /a$", "/a", 2},
		{"end without star, longer", "User-agent: *\nDisallow: /a$", "/ab", 0},
		{"dollar within", "User-agent: *\nDisallow: /a$b", "/a$b", 0},
		{"dollar escaped", "User-agent: *\nDisallow: /a%24b", "/a$b", 2},
		{"star escaped", "User-agent: *\nDisallow: /a%2Ab", "/a*b", 2},
		{"star escaped is none", "User-agent: *\nDisallow: /a%2Ab", "/axb", 0},
		{"stars", "User-agent: *\nDisallow: /**a***b*$", "/xaxbx", 2},
		{"order of parts", "User-agent: *\nDisallow: /*a*b", "/ba", 0},
		{"parts do not overlap", "User-agent: *\nDisallow: /*ab*ba$", "/aba", 0},
		{"query", "User-agent: *\nDisallow: /*?q=", "/s?q=1", 2},
		{"escapes in another case", "User-agent: *\nDisallow: /%e3%83%84", "/%E3%83%84", 2},
		{"not escaped", "User-agent: *\nDisallow: /ツ", "/%E3%83%84", 2},
		{"escaped without need", "User-agent: *\nDisallow: /%62%7Ec", "/b~c", 2},
		{"escaped slash is none", "User-agent: *\nDisallow: /a%2Fb", "/a/b", 0},
		{"no slash", "User-agent: *\nDisallow: a", "/a", 0},
		{"comments", "# x\nUser-agent: * # y\nDisallow: /a#b", "/a", 3},
		{"spaces", " User-agent :\t* \n\tDISALLOW : /a \n", "/a", 2},
		{"CR", "User-agent: *\rDisallow: /a\rAllow: /a/b", "/a", 2},
		{"CRLF", "User-agent: *\r\n\r\nDisallow: /a\r\n", "/a", 3},
		{"byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /a", "/a", 2},
		{"other records", "User-agent: *\nCrawl-delay: 10\nHost: e.com\nnonsense\nDisallow: /a", "/a", 5},
		{"binary", "User-agent: *\n\x00\xff\nDisallow: /a", "/a", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := 0
			if r := judgeRobots(ParseRobots([]byte(c.file)).rules, c.path); r != nil {
				line = r.line
			}
			if line != c.refused {
				t.Errorf("line %d, want %d", line, c.refused)
			}
		})
	}
}

// The parser takes anything, and a normal form is its own normal form.
func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /%7e"), "/axb?c")
	f.Add([]byte("user-agent:spyhop\r\rallow:*"), "/%2a%24*$")
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		rules := ParseRobots(file).rules
		judgeRobots(rules, path)
		for _, r := range rules {
			if r.line < 2 || r.pattern == "" || normalRobots(r.pattern, true) != r.pattern {
				t.Errorf("%+v", r)
			}
			// A pattern without stars matches itself and what begins with it.
			if !strings.ContainsAny(r.pattern, "*$") && !r.matches(r.pattern+path) {
				t.Errorf("%q does not match itself", r.pattern)
			}
		}
	})
}

// robotsSite answers as a server with a robots.txt, and counts who asks for it.
type robotsSite struct {
	status int
	file   string
	header []string
	err    error
	asked  int
}

func (s *robotsSite) network(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/robots.txt" {
		s.asked++
		if s.err != nil {
			return nil, s.err
		}
		return answer(s.status, s.file, s.header...), nil
	}
	if to, ok := strings.CutPrefix(r.URL.Path, "/to/"); ok {
		return answer(302, "", "Location", "https://"+to), nil
	}
	return answer(200, "x"), nil
}

// Asking: cached and joined, per origin and hop, and what each answer means.
func TestRobots(t *testing.T) {
	const refusing = "User-agent: *\nDisallow: /private\n"
	for _, c := range []struct {
		name    string
		site    robotsSite
		path    string
		code    Code
		message string
	}{
		{"allowed", robotsSite{status: 200, file: refusing}, "a", "", ""},
		{"refused", robotsSite{status: 200, file: refusing}, "private/x", Blocked, "robots.txt of example.com refuses it in line 2, Disallow: /private"},
		{"refused after a redirect", robotsSite{status: 200, file: refusing}, "to/example.com/private", Blocked, "robots.txt of example.com refuses it in line 2, Disallow: /private"},
		{"not there", robotsSite{status: 404, file: refusing}, "private", "", ""},
		{"not for us", robotsSite{status: 403, file: refusing}, "private", "", ""},
		{"server error", robotsSite{status: 500, file: refusing}, "a", Blocked, "robots.txt of example.com could not be read (HTTP 500), which refuses everything"},
		{"circle", robotsSite{status: 302, header: []string{"Location", "/robots.txt"}}, "private", "", ""},
		{"a page", robotsSite{status: 200, file: "<!DOCTYPE html><html><body>\n" + refusing, header: []string{"Content-Type", "text/html"}}, "private", "", ""},
		{"a page that says it is text", robotsSite{status: 200, file: "<!DOCTYPE html><html><body>\nnot found"}, "private", "", ""},
		{"cannot be reached", robotsSite{err: errConnRefused()}, "a", ConnectionError, "connection refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := bubble(t, Options{Robots: true}, c.site.network)
				for range 3 {
					_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/"+c.path)})
					if c.code == "" {
						if err != nil {
							t.Fatal(err)
						}
						continue
					}
					if e := failure(t, err, c.code); e.Error() != c.message || c.code == Blocked && (e.Rule != ruleRobots || e.Hint == "") {
						t.Errorf("%+v", e)
					}
				}
				if c.site.asked != 1 && c.site.err == nil {
					t.Errorf("asked %d times", c.site.asked)
				}
				before := c.site.asked
				_, _ = client.Get(t.Context(), Request{URL: parse(t, "https://example.com:8443/"+c.path)})
				if c.site.asked == before {
					t.Error("another port is another origin")
				}
			})
		})
	}
	// Who does not ask is not refused.
	quiet := robotsSite{status: 200, file: "User-agent: *\nDisallow: /"}
	c := bubble(t, Options{}, quiet.network)
	if _, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/a")}); err != nil || quiet.asked != 0 {
		t.Errorf("%v, asked %d times", err, quiet.asked)
	}
	_, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/a"), Robots: true})
	failure(t, err, Blocked)
}

// The file is asked for anew after an hour; when it cannot be had then, what
// it said holds for a day.
func TestRobotsAges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := robotsSite{status: 200, file: "User-agent: *\nDisallow: /private\n"}
		c := bubble(t, Options{Robots: true}, s.network)
		get := func(path string) error {
			_, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/"+path)})
			return err
		}
		if get("a") != nil || get("private") == nil || s.asked != 1 {
			t.Fatalf("asked %d times", s.asked)
		}
		s.status = 500
		time.Sleep(robotsFresh)
		if get("a") != nil || get("private") == nil || s.asked != 2 {
			t.Errorf("asked %d times", s.asked)
		}
		time.Sleep(robotsStale - robotsFresh)
		failure(t, get("a"), Blocked)
		s.status, s.file = 200, ""
		time.Sleep(robotsRetry)
		if err := get("private"); err != nil {
			t.Error(err)
		}
	})
}

// robots.txt of hostile servers (T21).
func TestRobotsHostile(t *testing.T) {
	longest := "User-agent: *\nDisallow: /private\n" + strings.Repeat("Disallow: /*a*a*a*a*a*a*b\n", maxRobotsBytes/26) + "Disallow: /"
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		path  string
		code  Code
	}{
		{"a gigabyte", forever(ok+"Content-Length: 1073741824\r\n\r\nUser-agent: *\nDisallow: /private\n", strings.Repeat("# nothing\n", 1000)), "a", ""},
		{"endless, refusing", forever(ok+"\r\nUser-agent: *\nDisallow: /private\n", strings.Repeat("# nothing\n", 1000)), "private", Blocked},
		{"endless line", forever(ok+"\r\nUser-agent: *\nDisallow: /", strings.Repeat("a", 1000)), "a", ""},
		{"cut within a line", say(ok + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(longest)+100, longest)), "a", ""},
		{"breaks off", say(ok + "Content-Length: 1000\r\n\r\nUser-agent: *\n"), "a", ConnectionError},
		{"many slow patterns", say(ok + "\r\n" + longest), strings.Repeat("a", 8000), ""},
		{"bomb", say(ok + "Content-Encoding: gzip\r\n\r\n" + string(pack(t, "gzip", []byte(strings.Repeat("User-agent: *\nDisallow: /\n", 1<<20))))), "a", Blocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := true
			client := raw(t, func(conn net.Conn) {
				if first {
					first = false
					c.serve(conn)
					return
				}
				_, _ = io.WriteString(conn, ok+"Connection: close\r\n\r\nx")
			}, Options{Robots: true, Timeout: 20 * time.Second})
			_, err := client.Get(t.Context(), Request{URL: parse(t, "http://example.com/"+c.path)})
			if c.code != "" {
				failure(t, err, c.code)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func BenchmarkRobots(b *testing.B) {
	file := []byte("User-agent: *\n" + strings.Repeat("Disallow: /*a*a*a*a*a*a*b\n", maxRobotsBytes/26))
	path := "/" + strings.Repeat("a", 8000)
	rules := ParseRobots(file).rules
	b.Run("parse 500 KiB", func(b *testing.B) {
		for b.Loop() {
			ParseRobots(file)
		}
	})
	b.Run("judge, worst", func(b *testing.B) {
		for b.Loop() {
			judgeRobots(rules, path)
		}
	})
}

// Besides the rules: what a crawl needs to know.
func TestRobotsText(t *testing.T) {
	got := ParseRobots([]byte("\ufeffSitemap: https://a.org/1.xml\nUser-agent: *\nCrawl-delay: 7\nSitemap: /2.xml\nDisallow: /x\nContent-Signal: search=yes, ai-input=no, odd=maybe\n" +
		"User-agent: other\nCrawl-delay: 90\n"))
	if got.CrawlDelay != 7*time.Second || len(got.rules) != 1 || fmt.Sprint(got.Signals) != "map[ai-input:false search:true]" || fmt.Sprint(got.Sitemaps) != "[https://a.org/1.xml /2.xml]" {
		t.Errorf("for everybody: %+v", got)
	}
	// A group that names us replaces that for all, with all that it says.
	got = ParseRobots([]byte("User-agent: *\nCrawl-delay: 7\nContent-Signal: ai-input=no\nUser-agent: Spyhop\nContent-Signal: ai-input=yes\nContent-Signal: ai-input=no\nCrawl-delay: 0.5\nCrawl-delay: 2\n"))
	if got.CrawlDelay != 2*time.Second || fmt.Sprint(got.Signals) != "map[ai-input:false]" {
		t.Errorf("for us: %+v", got)
	}
	for _, delay := range []string{"-1", "NaN", "Inf", "soon", "1e300", ""} {
		if got := ParseRobots([]byte("User-agent: *\nCrawl-delay: " + delay)); got.CrawlDelay < 0 || got.CrawlDelay > 24*time.Hour {
			t.Errorf("Crawl-delay %q gives %v", delay, got.CrawlDelay)
		}
	}
	many := strings.Repeat("Sitemap: /s\n", 1000) + "User-agent: *\n"
	for i := range 1000 {
		many += fmt.Sprintf("Content-Signal: u%d=no\n", i)
	}
	if got := ParseRobots([]byte(many)); len(got.Sitemaps) != maxSitemaps || len(got.Signals) != maxSignals {
		t.Errorf("%d sitemaps, %d signals", len(got.Sitemaps), len(got.Signals))
	}
}
