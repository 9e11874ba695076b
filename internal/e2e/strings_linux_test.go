package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	chars "github.com/spyhop-dev/spyhop/internal/text"
)

// evil is what a foreign string of TestHostileStrings begins a line with: no line of
// ours may begin so.
const evil = "EVIL: "

// steers has what acts on a terminal, a log, a protocol of lines, HTML or a template: colours,
// a link, the clipboard, C1 controls, a title, bytes that are no text, ends of lines of all
// kinds, and markup.
var steers = "a\x1b[31mb\x1b]8;;https://evil.example/\x1b\\c\x1b]52;c;ZXZpbA==\x07d\u009b32me\u009d0;f\u009c" + poison + "\x7f\x00\t" +
	"<img src=x onerror=alert(1)>\"'{{.}}%s\u2028" + evil + "g\u0085" + evil + "h\r" + evil + "i\r\n" + evil + "j\n</000000>\n\x1b[2J"

// inHeader is steers as far as a field of HTTP/1 can hold it.
var inHeader = strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(steers) + "\xff\x9b31m"

// inPath is steers as a part of an address.
var inPath = url.PathEscape(steers)

// rawly answers with bytes of its own in place of an HTTP response.
func rawly(response string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, response)
	}
}

// hostileStrings are the paths of a site that has steers wherever a site can have a
// string.
func hostileStrings(t *testing.T) map[string]http.HandlerFunc {
	quoted, err := json.Marshal(steers)
	if err != nil {
		t.Fatal(err)
	}
	head := func(status, fields, body string) http.HandlerFunc {
		return rawly(fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, fields, len(body), body))
	}
	const html = "Content-Type: text/html; charset=utf-8\r\n"
	page := "<html lang=\"en" + inHeader + "\"><head><title>T" + steers + "</title><meta name=description content='D" + inHeader + "'><meta name=author content='A" + inHeader + "'><meta property=og:site_name content='S" +
		inHeader + "'><meta property=article:published_time content='2020" + inHeader + "'><link rel=canonical href='/c" + inHeader + "'><link rel=alternate type=application/rss+xml title='F" + inHeader + "' href='/feed'>" +
		`<script type="application/ld+json">{"@type":"Product","name":` + string(quoted) + `,"offers":{"price":` + string(quoted) + `,"priceCurrency":` + string(quoted) + `},"brand":` + string(quoted) + "}</script></head>" +
		"<body><main><h1 id='" + inHeader + "'>H" + steers + "</h1>" + story(4) + "<p>" + steers + "</p><p><a href='/l?q=" + inHeader + "' title='" + inHeader + "'>L" + steers + "</a> <a href='https://other.example.com/" + inPath + "'>O</a></p><img alt='P" + inHeader + "' src='/p.png?" + inHeader + "'>" +
		"<form name='" + inHeader + "' action='/f" + inHeader + "'><input name='" + inHeader + "' placeholder='" + inHeader + "'><button>B" + steers + "</button></form><table><caption>" + steers + "</caption><tr><th>" + steers + "<td>" + steers + "</table>" +
		"<pre><code class='language-" + inHeader + "'>" + steers + "</code></pre><h2>S" + steers + "</h2>" + story(2) + "</main></body></html>"
	mail := "From: A <a@example.com>\r\nSubject: S " + strings.ReplaceAll(inHeader, "\x1b", "") + "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nThe ferry left.\r\n--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"" +
		strings.NewReplacer(`"`, "", `\`, "").Replace(inHeader) + "\"\r\n\r\nx\r\n--x--\r\n"
	return map[string]http.HandlerFunc{
		"/page":        head("200 OK", html, page),
		"/page2":       head("200 OK", html, strings.ReplaceAll(page, "ferry", "tram")),
		"/status":      head("404 N"+inHeader, html, page),
		"/gone":        head("404 Not Found", html, page),
		"/busy":        head("429 Too Many", "Retry-After: "+inHeader+"\r\n"+html, page),
		"/realm":       head("401 No", "WWW-Authenticate: Basic realm=\""+inHeader+"\"\r\n"+html, page),
		"/type":        head("200 OK", "Content-Type: text/"+inHeader+"\r\n", page),
		"/binary":      head("200 OK", "Content-Type: application/x-"+inHeader+"\r\nContent-Disposition: attachment; filename=\""+inHeader+"\"\r\n", "\x00\x01\x02"+steers),
		"/charset":     head("200 OK", "Content-Type: text/html; charset=\""+inHeader+"\"\r\n", page),
		"/encoding":    head("200 OK", "Content-Encoding: "+inHeader+"\r\n"+html, page),
		"/gzip":        head("200 OK", "Content-Encoding: gzip\r\n"+html, steers),
		"/fields":      head("200 OK", html+"ETag: \""+inHeader+"\"\r\nLast-Modified: "+inHeader+"\r\nContent-Language: "+inHeader+"\r\nLink: <"+inHeader+">; rel=\"alternate\"; type=\"text/markdown\"\r\nServer: "+inHeader+"\r\nSet-Cookie: "+inHeader+"=1; Path=/"+inHeader+"\r\nX-Robots-Tag: "+inHeader+"\r\n", page),
		"/moved":       head("302 Found", "Location: https://other.example.com/a?q="+inHeader+"\r\n", ""),
		"/near":        head("302 Found", "Location: /page?q="+inHeader+"\r\n", ""),
		"/nowhere":     head("302 Found", "Location: https://["+inHeader+"/\r\n", ""),
		"/script":      head("302 Found", "Location: javascript:"+inHeader+"\r\n", ""),
		"/inside":      head("302 Found", "Location: http://10.0.0.7:6379/"+inHeader+"\r\n", ""),
		"/loop":        head("302 Found", "Location: /loop?q="+inHeader+"\r\n", ""),
		"/refresh":     head("200 OK", html, "<meta http-equiv=refresh content='0;url=https://other.example.com/"+inHeader+"'><title>T"+steers+"</title>"),
		"/garbage":     rawly("EVIL: " + steers + "\r\n\r\n" + steers),
		"/garbage2":    rawly("HTTP/1.1 2x0 " + steers + "\r\n\r\n"),
		"/length":      rawly("HTTP/1.1 200 OK\r\nContent-Length: " + inHeader + "\r\n\r\nx"),
		"/field":       rawly("HTTP/1.1 200 OK\r\n" + inHeader + ": x\r\n\r\nx"),
		"/coding":      rawly("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + inHeader + "\r\n\r\nx"),
		"/chunk":       rawly("HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\n" + steers),
		"/a.json":      head("200 OK", "Content-Type: application/json\r\n", `{`+string(quoted)+`:`+string(quoted)+`}`),
		"/bad.json":    head("200 OK", "Content-Type: application/json\r\n", `{`+string(quoted)+`:`+steers),
		"/problem":     head("500 No", "Content-Type: application/problem+json\r\n", `{"title":`+string(quoted)+`,"detail":`+string(quoted)+`,"error":`+string(quoted)+`}`),
		"/feed":        head("200 OK", "Content-Type: application/feed+json\r\n", `{"version":"https://jsonfeed.org/version/1.1","title":`+string(quoted)+`,"items":[{"id":"1","url":"https://strings.example.com/page","title":`+string(quoted)+`,"content_text":`+string(quoted)+`}]}`),
		"/a.zip":       head("200 OK", "Content-Type: application/zip\r\n", zipped(t, steers+".txt", "x", "b/../../"+steers, "y")),
		"/a.eml":       head("200 OK", "Content-Type: message/rfc822\r\n", mail),
		"/a.pdf":       head("200 OK", "Content-Type: application/pdf\r\n", pdfOf("T"+steers, []string{"Fog" + steers})),
		"/broken.pdf":  head("200 OK", "Content-Type: application/pdf\r\n", "%PDF-1.7\n"+steers+"\nstartxref\n9\n%%EOF"),
		"/broken.docx": head("200 OK", "Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document\r\n", zipped(t, "word/document.xml", "<a><b"+steers)),
		"/a.png":       head("200 OK", "Content-Type: image/png\r\n", picture(t, "Title"+steers)),
		"/robots.txt":  head("200 OK", "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /private"+inHeader+"\nCrawl-delay: "+inHeader+"\nSitemap: https://strings.example.com/sitemap.xml\nSitemap: "+inHeader+"\n"),
		"/sitemap.xml": head("200 OK", "Content-Type: text/xml\r\n", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://strings.example.com/page</loc><lastmod>`+poison+`</lastmod></url><url><loc>https://strings.example.com/x`+poison+inPath+`</loc></url><url><loc>no `+poison+`</loc></url></urlset>`),
		"/llms.txt":    head("200 OK", "Content-Type: text/plain\r\n", "# T"+steers+"\n> "+steers+"\n- [L"+steers+"](https://strings.example.com/page2"+inHeader+"): "+steers+"\n"),
	}
}

// hostileWorld is a world with that site, a search with such results, and the model's
// address for such answers.
func hostileWorld(t *testing.T) (w *world, pages []string) {
	site := hostileStrings(t)
	for path := range site {
		pages = append(pages, "https://strings.example.com"+path)
	}
	mux := func(w http.ResponseWriter, r *http.Request) {
		if h := site[r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		site["/gone"](w, r)
	}
	found := `<div class="results"><div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://strings.example.com/page?q=` + inPath + `">Ferry ` + steers + `</a></h2><a class="result__snippet">` + steers + `</a></div></div>`
	w = newWorld(t, map[string]http.HandlerFunc{
		"strings.example.com": mux,
		"other.example.com":   site["/page"],
		"html.duckduckgo.com": func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("q") == "wrong" {
				site["/problem"](w, r)
				return
			}
			serves("text/html; charset=utf-8", found)(w, r)
		},
	}, "WEB_HTTP=allow", "WEB_ACCESS_LOG=json", "WEB_MODEL=openai/scripted", "OPENAI_API_KEY=sk-test-test", "WEB_MODEL_URL="+newModel(t, demosite.Turns{
		{Text: "Said " + steers}}))
	return w, pages
}

// ofContent are the members of answers whose text can have lines: the content of pages.
var ofContent = regexp.MustCompile(`^(markdown|content|text|html|rawHtml|answer|snippet|quotes?|passages?|excerpt|description|summary|message|result)$`)

// plainly reports what a person or a program must not get in a string: characters that
// steer or that nobody sees, and, unless it is of a page, a line of its own.
func plainly(t *testing.T, what, s string, ofPage bool) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%s: not UTF-8: %+.200q", what, s)
	}
	checkInvisible(t, what, s)
	if !ofPage {
		for line := range strings.Lines(s) {
			if strings.HasPrefix(strings.TrimLeft(line, " >-"), evil) {
				i := strings.Index(s, line)
				t.Errorf("%s: a line of a stranger: %+q", what, s[max(0, i-200):min(len(s), i+80)])
				return
			}
		}
	}
}

// plainJSON does so for every string of a JSON text.
func plainJSON(t *testing.T, what string, text []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Errorf("%s: %v: %.300q", what, err, text)
		return
	}
	var each func(key string, v any)
	each = func(key string, v any) {
		switch v := v.(type) {
		case string:
			if key == "rawHtml" { // unfiltered, but for controls
				v = strings.Map(func(r rune) rune {
					if chars.ClassOf(r).Invisible() && chars.ClassOf(r) != chars.Control {
						return -1
					}
					return r
				}, v)
			}
			plainly(t, what+" "+key, v, ofContent.MatchString(key))
		case []any:
			for _, e := range v {
				each(key, e)
			}
		case map[string]any:
			for k, e := range v {
				plainly(t, what+" a key", k, false)
				each(k, e)
			}
		}
	}
	each("", v)
}

// withoutFences is a text without what stands in fences.
func withoutFences(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "<untrusted text ")
		if !ok {
			return s
		}
		n, rest, _ := strings.Cut(rest, ">")
		_, after, ok := strings.Cut(rest, "\n</"+n+">")
		if !ok {
			return s
		}
		s = before + after
	}
}

// TestHostileStrings: no string of a stranger leaves a surface with a character that steers or
// that nobody sees, or with a line of its own outside of the page's text. The site, the
// search and the callers of the test have such strings wherever they can have one.
func TestHostileStrings(t *testing.T) {
	w, pages := hostileWorld(t)
	post := func(path, body string) [3]string { return [3]string{"POST", path, body} }
	encoded := func(v any) string { b, _ := json.Marshal(v); return string(b) }

	t.Run("REST", func(t *testing.T) {
		t.Parallel()
		var log lockedBuffer
		c := w.command(t.Context(), "rest", "serve", "--listen", "127.0.0.1:0", "--tools", "all", "--ready-file", filepath.Join(w.home, "ready"))
		c.Stderr = &log
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var at string
		wait(t, "the server", func() bool {
			b, err := os.ReadFile(filepath.Join(w.home, "ready"))
			at = strings.TrimSpace(string(b))
			return err == nil
		})
		requests := [][3]string{
			post("/v1/tools/web_search", `{"query":"ferry"}`), post("/v1/tools/web_search", `{"query":"wrong"}`), post("/v1/tools/google_search", `{"query":"ferry"}`),
			post("/v1/tools/web_search", encoded(map[string]any{"query": "x", "site": steers, "country": steers})), post("/v1/tools/web_search", `{"query":"ferry","include_content":true}`),
			post("/v1/tools/"+inPath, `{}`), post("/v1/tools/web_fetch", encoded(map[string]any{"url": steers})), post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page#" + steers, steers: 1})),
			post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "mode": steers})), post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "selector": steers})),
			post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "section": steers, "since": steers, "query": steers})), post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "headers": map[string]string{steers: steers}})),
			post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "must_contain": steers})), post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "prompt": steers})),
			post("/v1/tools/web_fetch", encoded(map[string]any{"urls": pages[:12]})), post("/v1/tools/web_fetch", encoded(map[string]any{"url": "https://strings.example.com/page", "login": steers})),
			post("/v1/tools/web_fetch", steers), post("/v1/tools/web_map", `{"url":"https://strings.example.com/"}`), post("/v1/tools/web_map", `{"url":"https://strings.example.com/","query":"ferry"}`),
			post("/v1/tools/web_crawl", `{"url":"https://strings.example.com/page","max_pages":4}`), post("/v1/tools/web_crawl", encoded(map[string]any{"job": steers})), post("/v1/tools/web_recall", encoded(map[string]any{"query": "ferry quay"})),
			post("/v1/tools/web_recall", encoded(map[string]any{"query": "ferry", "site": steers, "job": steers})), {"GET", "/v1/tools/web_fetch?url=" + url.QueryEscape(steers), ""}, {"GET", "/read/https://strings.example.com/page", ""},
			{"GET", "/read/" + inPath, ""}, {"GET", "/" + inPath, ""}, {"GET", "/v1/files/" + inPath, ""}, {"BREW" + "X", "/v1/tools/web_fetch", ""}, {"GET", "/v1/crawls/" + inPath, ""}, {"GET", "/v1/crawls/" + inPath + "/pages?cursor=" + inPath, ""},
			post("/v1/crawls", `{"url":"https://strings.example.com/page","max_pages":5}`), post("/v1/crawls", encoded(map[string]any{"url": steers, steers: steers})), post("/v1/crawls", encoded(map[string]any{"url": "https://strings.example.com/page", "include": []string{steers}})),
			post("/v1/crawls", encoded(map[string]any{"url": "https://strings.example.com/page", "webhook": map[string]any{"url": steers}})), post("/v1/batches", encoded(map[string]any{"urls": []string{"https://strings.example.com/page", steers}})),
			post("/v1/monitors", encoded(map[string]any{"urls": []string{"https://strings.example.com/page"}, "every": steers})),
			post("/v2/scrape", `{"url":"https://strings.example.com/page","formats":["markdown","html","links","rawHtml"]}`), post("/v2/scrape", encoded(map[string]any{"url": steers})), post("/v2/scrape", `{"url":"https://strings.example.com/gone"}`), post("/v2/scrape", encoded(map[string]any{"url": "https://strings.example.com/page", "formats": []string{steers}})),
			post("/v2/map", `{"url":"https://strings.example.com/"}`), post("/v2/search", `{"query":"ferry"}`), post("/v2/crawl", `{"url":"https://strings.example.com/page","limit":3}`), {"GET", "/v2/crawl/" + inPath, ""}, post("/v2/"+inPath, `{}`),
			{"GET", "/v1/crawls", ""}, {"GET", "/v1/crawls/c1", ""}, {"GET", "/v1/crawls/c1/pages", ""}, {"GET", "/v1/crawls/c1/events", ""}, {"GET", "/metrics", ""}, {"GET", "/v1/monitors", ""}, {"GET", "/openapi.json", ""},
		}
		for _, p := range pages {
			for _, mode := range []string{"markdown", "links", "outline", "json", "data"} {
				requests = append([][3]string{post("/v1/tools/web_fetch", encoded(map[string]any{"url": p, "mode": mode, "render": "never"}))}, requests...)
			}
			requests = append([][3]string{post("/v1/tools/web_browse", encoded(map[string]any{"url": p}))}, requests...)
		}
		for _, q := range requests {
			what := q[0] + " " + shortly(q[1]) + " " + shortly(q[2])
			r, err := http.NewRequestWithContext(t.Context(), q[0], at+q[1], strings.NewReader(q[2]))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("User-Agent", strings.ToValidUTF8(strings.Map(func(r rune) rune {
				if r < ' ' && r != '\t' || r == 0x7f {
					return -1
				}
				return r
			}, steers), ""))
			r.Header.Set("X-Request-Id", poison)
			r.Header.Set("X-Forwarded-For", poison)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			for k, all := range res.Header {
				plainly(t, what+" field "+k, k+strings.Join(all, ""), false)
			}
			switch kind := res.Header.Get("Content-Type"); {
			case strings.Contains(kind, "json"):
				plainJSON(t, what, body)
			case strings.HasPrefix(kind, "text/event-stream"):
				plainly(t, what, string(body), false)
				for line := range strings.Lines(string(body)) {
					if data, ok := strings.CutPrefix(line, "data: {"); ok {
						plainJSON(t, what, []byte("{"+data))
					}
				}
			default:
				plainly(t, what, string(body), strings.HasPrefix(q[1], "/read/"))
			}
		}
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		plainly(t, "stderr of serve", log.String(), false)
		for line := range strings.Lines(log.String()) {
			if strings.HasPrefix(line, "{") {
				plainJSON(t, "the access log", []byte(line))
			} else if !strings.HasPrefix(line, "serving at ") && !strings.HasPrefix(line, "ending when ") && !strings.HasPrefix(line, "note: ") {
				t.Errorf("a line that is no event: %q", line)
			}
		}
		plainLog(t, filepath.Join(w.data("rest"), "audit.jsonl"))
	})

	t.Run("MCP", func(t *testing.T) {
		t.Parallel()
		var progress lockedBuffer
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			fmt.Fprintln(&progress, r.Params.Message)
		}})
		c := w.command(t.Context(), "mcp strings", "mcp", "--tools", "all")
		s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: c, TerminateDuration: 20 * time.Second}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		calls := []request{{"web_search", map[string]any{"query": "ferry"}}, {"web_search", map[string]any{"query": "wrong"}}, {"web_search", map[string]any{"query": "ferry", "include_content": true}}, {"google_search", map[string]any{"query": "ferry"}},
			{"web_map", map[string]any{"url": "https://strings.example.com/"}}, {"web_map", map[string]any{"url": "https://strings.example.com/", "query": "ferry"}}, {"web_crawl", map[string]any{"url": "https://strings.example.com/page", "max_pages": 4}}, {"web_crawl", map[string]any{"url": "https://strings.example.com/page", "max_pages": 4, "query": "ferry"}},
			{"web_recall", map[string]any{"query": "ferry quay"}}, {"web_recall", map[string]any{"query": "ferry", "site": steers}}, {"web_fetch", map[string]any{"url": steers}}, {"web_fetch", map[string]any{"url": "https://strings.example.com/page", steers: steers}},
			{"web_fetch", map[string]any{"url": "https://strings.example.com/page", "mode": steers}}, {"web_fetch", map[string]any{"url": "https://strings.example.com/page", "section": steers}}, {"web_fetch", map[string]any{"url": "https://strings.example.com/page", "since": steers}},
			{"web_fetch", map[string]any{"url": "https://strings.example.com/page", "must_contain": steers}}, {"web_fetch", map[string]any{"url": "https://strings.example.com/page", "prompt": "x"}}, {"web_fetch", map[string]any{"urls": pages[:12]}},
		}
		for _, p := range pages {
			for _, mode := range []string{"markdown", "links", "outline", "json", "data", "html", "text"} {
				calls = append(calls, request{"web_fetch", map[string]any{"url": p, "mode": mode, "render": "never"}})
			}
		}
		for _, q := range calls {
			what := q.tool + " " + shortly(q.json())
			p := &mcp.CallToolParams{Name: q.tool, Arguments: q.args}
			p.SetProgressToken("p")
			r, err := s.CallTool(t.Context(), p)
			if err != nil {
				plainly(t, what, err.Error(), false)
				continue
			}
			for _, c := range r.Content {
				if text, ok := c.(*mcp.TextContent); ok {
					plainly(t, what, withoutFences(text.Text), false)
					plainly(t, what, text.Text, true)
				}
			}
		}
		for range 2 { // once for the names and once for the texts
			list, err := s.ListResources(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range list.Resources {
				plainly(t, "a resource", r.Name+r.Title+r.Description+r.URI+r.MIMEType, false)
				if i < 5 {
					if read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err == nil {
						plainly(t, "a resource", withoutFences(read.Contents[0].Text), false)
						plainly(t, "a resource", read.Contents[0].Text, true)
					}
				}
			}
		}
		_, err = s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://" + steers})
		plainly(t, "a wrong resource", fmt.Sprint(err), false)
		plainly(t, "progress", progress.String(), false)
		plainLog(t, filepath.Join(w.data("mcp strings"), "audit.jsonl"))
	})

	t.Run("command", func(t *testing.T) {
		t.Parallel()
		out := filepath.Join(w.home, "pages")
		lines := [][]string{
			{"search", "ferry"}, {"search", "wrong"}, {"search", "--json", "ferry"}, {"map", "https://strings.example.com/"}, {"map", "--query", "ferry", "https://strings.example.com/"}, {"crawl", "--max-pages", "4", "https://strings.example.com/page"}, {"crawl", "list"}, {"crawl", "status", "c1"},
			{"crawl", "--max-pages", "4", "-o", out, "https://strings.example.com/page"}, {"crawl", "--max-pages", "3", "-o", "-", "https://strings.example.com/page"}, {"recall", "ferry quay"}, {"recall", steersArg}, {"fetch", steersArg}, {"fetch", "--mode", steersArg, pages[0]}, {"call", steersArg}, {"call", "web_fetch", steersArg}, {steersArg},
			{"extract", "--explain", "--url", "https://strings.example.com/" + steersArg, filepath.Join(w.home, "page.html")}, {"extract", filepath.Join(w.home, "page.html")}, {"extract", "--json", filepath.Join(w.home, "page.html")}, {"extract", "nothere" + steersArg},
			{"monitor", "add", "https://strings.example.com/page?q=" + inPath, "--every", "2h"}, {"monitor", "list"}, {"monitor", "run", "--once"}, {"policy", "check", steersArg}, {"policy", "check", "https://strings.example.com/" + inPath}, {"links", "https://strings.example.com/page"}, {"ask", "what?"}, {"login", "--list"}, {"doctor", "--json"},
			{"config", "--web-http", steersArg}, {"plan", "validate", filepath.Join(w.home, "plan.json")}, {"plan", "run", filepath.Join(w.home, "plan.json")}, {"batch", filepath.Join(w.home, "list.txt")}, {"fetch", "--explain", "https://strings.example.com/page"},
		}
		for name, text := range map[string]string{"page.html": "<title>T" + steers + "</title><main><h1>H" + steers + "</h1>" + story(4) + "<p>" + steers + "</p></main>", "list.txt": "https://strings.example.com/page\n" + steers + "\n",
			"plan.json": `{"steps":[{"id":` + encoded(steers) + `,"tool":` + encoded(steers) + `,"args":{` + encoded(steers) + `:1}}]}`} {
			if err := os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range pages {
			lines = append(lines, []string{"fetch", p}, []string{"fetch", "--mode", "outline", p}, []string{"fetch", "--json", p}, []string{"browse", p})
		}
		for i, args := range lines {
			what := "spyhop " + shortly(strings.Join(args, " "))
			r := w.runAs("cmd", "", args...)
			ofPage := args[0] != "crawl" && args[0] != "monitor" && args[0] != "map" && args[0] != "search" && args[0] != "recall" && args[0] != "policy" && args[0] != "login"
			plainly(t, what+" (stdout)", r.stdout, ofPage)
			plainly(t, what+" (stderr)", r.stderr, false)
			if i < 36 || strings.HasSuffix(what, "/page") || strings.HasSuffix(what, "/gone") || strings.HasSuffix(what, "/garbage") {
				shown := onTerminal(t, w, args...)
				plainly(t, what+" (terminal)", shown, true)
			}
		}
		_ = filepath.Walk(out, func(name string, info os.FileInfo, err error) error {
			plainly(t, "the name of a file", name, false)
			if err == nil && !info.IsDir() {
				b, _ := os.ReadFile(name)
				front, _, _ := strings.Cut(string(b[4:]), "\n---\n")
				plainly(t, name, front, false)
			}
			return nil
		})
		plainLog(t, filepath.Join(w.data("cmd"), "audit.jsonl"))
	})
}

// steersArg is steers as an argument of a command.
var steersArg = strings.ReplaceAll(steers, "\x00", "")

// plainLog reads a log of JSON lines as a terminal gets it and as a program does.
func plainLog(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	plainly(t, "the audit log", string(b), false)
	for line := range bytes.Lines(b) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Errorf("the audit log: %v: %q", err, line)
		}
	}
}

// lockedBuffer is a buffer that a process and a test share.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func shortly(s string) string { return fmt.Sprintf("%+.90q", s) }
