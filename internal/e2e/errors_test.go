package e2e_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestErrors: each error of the reference designs on each surface, with its
// text, its type, and the exit status or the status of HTTP. What a command's
// own flags refuse is in the scripts of cmd/spyhop.
func TestErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	w := newWorld(t, map[string]http.HandlerFunc{
		"example.com":         serves("text/html", article("Fog", story(3))),
		"html.duckduckgo.com": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"lite.duckduckgo.com": nil,
	}, "WEB_DOMAIN_BLOCKLIST=malware.com,evil.org", "WEB_BROWSER="+missing)
	none := w.with(t, "WEB_SEARCH_PROVIDER=none")
	secure := w.with(t, "WEB_ALLOW_HTTP=false")
	for _, c := range []struct {
		name    string
		there   *world // nil: w
		request request
		kind    tool.ErrorType
		message string
		hint    string // empty: there is none
		retry   bool   // the same call can succeed later
		early   bool   // a plan with it is refused before it runs
		not     string // the surface that refuses it in its own words
	}{
		{name: "no address", request: fetching(""), kind: tool.InvalidURL, message: "Failed to fetch : invalid URL: the address is empty", hint: "give an absolute URL, for example https://example.com/page"},
		{name: "no colon", request: fetching("https//example.com/"), kind: tool.Blocked, message: "Failed to fetch https://https//example.com/: https is a single label, which only a local network completes", hint: "the colon after https is missing: write https://"},
		{name: "no host", request: fetching("https://"), kind: tool.InvalidURL, message: `Failed to fetch https://: invalid URL "https://": it has no host`, hint: "give an absolute URL, for example https://example.com/page"},
		{name: "a space in the host", request: fetching("https://exa mple.com/"), kind: tool.InvalidURL, message: `Failed to fetch https://exa%20mple.com/: invalid URL "https://exa mple.com/": the host holds ' '`, hint: "give an absolute URL, for example https://example.com/page"},
		{name: "a wrong port", request: fetching("https://example.com:x/"), kind: tool.InvalidURL, message: `Failed to fetch https://example.com:x/: invalid URL "https://example.com:x/": the port is not a number`, hint: "give an absolute URL, for example https://example.com/page"},
		{name: "a file", request: fetching("./page.html"), kind: tool.InvalidURL, message: `Failed to fetch ./page.html: invalid URL "./page.html": that is the path of a file`, hint: "give an absolute URL, for example https://example.com/page", not: byCommand},
		{name: "another scheme", request: fetching("ftp://example.com/"), kind: tool.Blocked, message: "Failed to fetch ftp://example.com/: the scheme ftp is not read", hint: "use http or https"},
		{name: "a file's scheme", request: fetching("file:///etc/passwd"), kind: tool.Blocked, message: "Failed to fetch file:///etc/passwd: the scheme file is not read", hint: "use http or https", not: byCommand},
		{name: "credentials", request: fetching("https://user:pw@example.com/"), kind: tool.Blocked, message: "Failed to fetch https://example.com/: the URL for example.com holds a user name or a password", hint: "remove what is before the @; credentials are given apart from the URL"},
		{name: "loopback", request: fetching("http://127.0.0.1/"), kind: tool.Blocked, message: "Failed to fetch http://127.0.0.1/: 127.0.0.1 is not a public address", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=127.0.0.1:80"},
		{name: "localhost", request: fetching("http://localhost:3000/"), kind: tool.Blocked, message: "Failed to fetch http://localhost:3000/: localhost is a name of this machine (RFC 6761)", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=localhost:3000"},
		{name: "metadata of a cloud", request: fetching("http://169.254.169.254/"), kind: tool.Blocked, message: "Failed to fetch http://169.254.169.254/: 169.254.169.254 is a cloud's metadata service", hint: "use another host; no setting allows this one"},
		{name: "a private address", request: fetching("https://192.168.1.1/"), kind: tool.Blocked, message: "Failed to fetch https://192.168.1.1/: 192.168.1.1 is not a public address", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=192.168.1.1:443"},
		{name: "a number for an address", request: fetching("http://0x7f.1/"), kind: tool.Blocked, message: "Failed to fetch http://127.0.0.1/: this is an obfuscated spelling of 127.0.0.1; URL parsers disagree about it", hint: "write the host plainly, without backslashes, control characters, percent signs or unusual numbers"},
		{name: "a name with a private address", request: fetching("https://private.example.com/"), kind: tool.Blocked, message: "Failed to fetch https://private.example.com/: private.example.com does not resolve to public addresses only", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=private.example.com:443"},
		{name: "a redirect inside", request: fetching("https://inside.example.com/"), kind: tool.Blocked, message: "Failed to fetch https://inside.example.com/: 192.168.1.1 is not a public address", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=192.168.1.1:80"},
		{name: "a reserved name", request: fetching("https://private-server.internal/docs"), kind: tool.Blocked, message: "Failed to fetch https://private-server.internal/docs: private-server.internal is a name for private networks, reserved by ICANN in 2024", hint: "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=private-server.internal:443"},
		{name: "a blocked domain", request: fetching("https://www.malware.com/"), kind: tool.Blocked, message: "Failed to fetch https://www.malware.com/: www.malware.com is on the block list", hint: "use another site; the operator's list is WEB_DOMAIN_BLOCKLIST"},
		{name: "plain http", there: secure, request: fetching("http://example.com/"), kind: tool.Blocked, message: "Failed to fetch http://example.com/: plain http to example.com is not allowed", hint: "use https"},
		{name: "404", request: fetching("https://gone.example.com/"), kind: tool.HTTPError, message: "Failed to fetch https://gone.example.com/: HTTP 404 Not Found", hint: "check the URL, or search for the page"},
		{name: "500", request: fetching("https://failing.example.com/"), kind: tool.HTTPError, message: "Failed to fetch https://failing.example.com/: HTTP 500 Internal Server Error", hint: "try again later", retry: true},
		{name: "no connection", request: fetching("https://closed.example.com/"), kind: tool.ConnectionError, message: "Failed to connect to https://closed.example.com/: 'the server closed the connection'", hint: "check the URL, or try again later", retry: true},
		{name: "no certificate", request: fetching("https://example.net/"), kind: tool.TLSError, message: "Failed to connect to https://example.net/: 'TLS certificate is not valid for the host'", hint: "check the URL, or look for the same content on another site"},
		{name: "redirects without end", request: fetching("https://circle.example.com/"), kind: tool.HTTPError, message: "Failed to fetch https://circle.example.com/: more than 10 redirects", hint: "try the address of the page itself"},
		{name: "nothing to read", request: fetching("https://empty.example.com/"), kind: tool.NoContent, message: "Failed to fetch https://empty.example.com/: no readable content", hint: "the page shows no text; mode=links lists its links, mode=raw shows what the server sent"},
		{name: "out of order", request: fetching("https://down.example.com/"), kind: tool.NoContent, message: `Failed to fetch https://down.example.com/: no readable content: the page does not exist, is empty or is out of order (dead); the page says "Down for maintenance"`, hint: "if the page was moved or removed, check the URL or search for the page; if the site is out of order, try again later"},
		{name: "only hidden text", request: fetching("https://hidden.example.com/"), kind: tool.NoContent, message: "Failed to fetch https://hidden.example.com/: no readable content: hidden text was removed (display: 1)", hint: "the page shows no text; mode=links lists its links, mode=raw shows what the server sent"},
		{name: "a film", request: fetching("https://film.example.com/"), kind: tool.UnsupportedContent, message: "Failed to fetch https://film.example.com/: unsupported content type video/mp4", hint: "look for the same content as a page or as text"},
		{name: "an unknown argument", request: fetching("https://example.com/", "mod", "links"), kind: tool.InvalidInput, message: `argument "mod" is unknown`, hint: `did you mean "mode"?`, not: byCommand, early: true},
		{name: "no argument", request: request{"web_fetch", map[string]any{}}, kind: tool.InvalidInput, message: `argument "url" is missing`, hint: "url takes an address, urls takes a list of them", not: byCommand},
		{name: "a wrong mode", request: fetching("https://example.com/", "mode", "link"), kind: tool.InvalidInput, message: `argument "mode": "link" is not allowed; did you mean "links"?`, hint: "mode takes one of markdown, text, html, raw, links, outline, json, data, csv", not: byCommand, early: true},
		{name: "a wrong length", request: fetching("https://example.com/", "max_length", "many"), kind: tool.InvalidInput, message: `argument "max_length": "many" is not a number`, hint: "max_length takes a whole number, 0 or more", not: byCommand, early: true},
		{name: "a header that is not allowed", request: fetching("https://example.com/", "headers", map[string]string{"Cookie": "a=b"}), kind: tool.InvalidInput, message: `header "Cookie" may not be set`, hint: "a call may set Accept, Accept-Language, If-None-Match, If-Modified-Since, Referer; the operator can add to these with WEB_HEADERS_ALLOWED", not: byCommand},
		{name: "no query", request: request{"web_search", map[string]any{"query": ""}}, kind: tool.InvalidInput, message: "the query is empty", hint: "say what to look for", not: byCommand},
		{name: "no provider", there: none, request: request{"web_search", map[string]any{"query": "x"}}, kind: tool.SearchError, message: "searching is switched off", hint: "set WEB_SEARCH_PROVIDER to auto, or to one of mcp, brave, tavily, exa, serper, serpapi, kagi, mojeek, marginalia, jina, you, linkup, firecrawl, searxng, duckduckgo, wikipedia, stackexchange, hackernews, github, arxiv, crossref"},
		{name: "a search that fails", request: request{"web_search", map[string]any{"query": "x"}}, kind: tool.SearchError, message: "search failed with duckduckgo: too many requests (HTTP 429)", hint: "wait a minute, or name another provider", retry: true},
		{name: "no browser", request: request{"navigate_to_url", map[string]any{"url": "https://example.com/"}}, kind: tool.BrowserMissing, message: "there is no browser at NONE", hint: "set WEB_BROWSER to the path of a Chromium, or leave it empty to have one found"},
		{name: "no browser for a picture", request: request{"take_web_screenshot", map[string]any{"url": "https://example.com/"}}, kind: tool.BrowserMissing, message: "there is no browser at NONE", hint: "set WEB_BROWSER to the path of a Chromium, or leave it empty to have one found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			there := c.there
			if there == nil {
				there = w
			}
			there.everywhere(t, c.request, func(t *testing.T, surface string, o outcome) {
				if surface == c.not {
					return
				}
				e := &tool.Error{Type: c.kind, Message: strings.ReplaceAll(c.message, "NONE", missing), Hint: c.hint, Retryable: c.retry}
				if surface == byGo { // its reader sets fields
					e.Hint = strings.NewReplacer("WEB_ALLOW_PRIVATE", "Config.AllowPrivate", "WEB_DOMAIN_BLOCKLIST", "Config.Blocklist", "WEB_HEADERS_ALLOWED", "Config.HeadersAllowed",
						"WEB_SEARCH_PROVIDER", "Config.SearchProvider", "WEB_BROWSER", "Config.Browser").Replace(e.Hint)
				}
				fails(t, surface, o, c.kind)
				if want := asShown(surface, e, c.early); o.text != want {
					t.Errorf("got  %q\nwant %q", o.text, want)
				}
				if surface == byCommand || surface == byCall || surface == byREST {
					if v := o.object; v["error"] != true || v["error_type"] != string(e.Type) || v["error_message"] != e.Message || v["retry_possible"] != e.Retryable || hintOf(v) != e.Hint {
						t.Errorf("%v", v)
					}
				}
			})
		})
	}
}

// asShown is an error as a surface writes it; early says that a plan was refused
// before it ran.
func asShown(surface string, e *tool.Error, early bool) string {
	hint := ""
	switch surface {
	case byCommand, byCall, byPlan:
		if e.Hint != "" {
			hint = "\nhint: " + e.Hint
		}
		if surface == byCommand { // its user gives flags
			hint = strings.ReplaceAll(hint, "mode=", "--mode ")
		}
		switch {
		case surface == byPlan && early:
			return "step s1: " + e.Message + "; " + e.Hint + "\n"
		case surface == byPlan:
			return "error: step s1: " + e.Message + hint
		}
		return "error: " + e.Message + hint
	case byAgent:
		text := string(e.Type) + ": " + e.Text()
		if e.Retryable {
			text += "\nThe same call can succeed later."
		}
		return text
	}
	return e.Text()
}

func hintOf(v map[string]any) string {
	s, _ := v["hint"].(string)
	return s
}
