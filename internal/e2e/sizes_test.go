package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxAnswer is how many bytes an answer over MCP may have where neither call nor
// operator asks for more: programs cut what is longer.
const maxAnswer = 10_000

// TestAnswerSizes: what each tool answers of a page of 5 MB stays within the
// bound, and what it answers of a small page is little more than the page. All of
// an answer counts that is text: its structured form too.
func TestAnswerSizes(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	controls := numbered(400, `<li><label>Buoy number %[1]d of the harbour <input name="n%[1]d"></label> <button>Sound the horn %[1]d</button> <a href="/buoy/%[1]d?of=the-harbour">The log of the buoy number %[1]d</a></li>`)
	found := numbered(30, `<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://found.example.org/%[1]d/`+strings.Repeat("of-the-harbour/", 30)+`">Result %[1]d `+strings.Repeat("of the harbour ", 40)+`</a></h2><a class="result__snippet">`+strings.Repeat("the ferry left the quay ", 100)+`</a></div>`)
	small := `<!doctype html><title>Tides</title><main><h1>Tides</h1>` + fog + `<form><label>Name <input name="name"></label><button>Go</button><select name="s" aria-label="Line"><option>Blue</option><option>Red</option></select></form><a href="/more">More</a></main>`
	// Few paragraphs, since a browser has to lay them out, and to print them.
	long := strings.Repeat("<p>"+strings.Repeat("On this day the ferry left the quay at dawn and followed the coast before the fog came in. ", 300)+"</p>", 15)
	large := `<!doctype html><title>` + strings.Repeat("Tides ", 5000) + `</title><main><h1>Tides</h1>` + long + `<form><ul>` + controls + `</ul></form></main>`
	w := newWorld(t, map[string]http.HandlerFunc{
		"small.example.org":   serves("text/html", small),
		"large.example.org":   serves("text/html", large),
		"html.duckduckgo.com": serves("text/html", `<html><body><div id="links" class="results">`+found+`</div></body></html>`),
		"long.example.org":    serves("text/html", `<!doctype html><title>Tides</title><main><h1>Tides</h1>`+numbered(900, `<p>On day %[1]d the ferry left the quay at dawn, followed the coast for an hour and met nobody.</p>`)+`</main>`),
		"noisy.example.org": func(w http.ResponseWriter, _ *http.Request) {
			for i := range 120 {
				w.Header().Add("Set-Cookie", fmt.Sprintf("of-the-harbour-%d-%s=1", i, strings.Repeat("x", 150)))
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<!doctype html><title>Tides</title><p>Tides<script>for (let i = 0; i < 100; i++) console.log("line " + i + " " + "fog ".repeat(2000)); alert("fog ".repeat(9000)); setTimeout(() => confirm("%s".repeat(9000)), 100)</script>`, "fog ")
		},
		"lost.example.org": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(404)
			_, _ = fmt.Fprint(w, large)
		},
		"errs.example.org": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://"+strings.Repeat("a", 60_000)+"/")
			w.WriteHeader(302)
		},
	}, "WEB_HTTP=allow", "WEB_ALLOW_SCRIPT=true", "WEB_UPLOAD_DIR="+t.TempDir())
	s, err := w.onStdio()
	if err != nil {
		t.Fatal(err)
	}
	// answer is the size of an answer, and its text.
	answer := func(t *testing.T, name string, args map[string]any) (int, string) {
		t.Helper()
		r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		size := len(text)
		if r.StructuredContent != nil {
			size += len(jsonOf(t, r.StructuredContent))
		}
		return size, text
	}
	called := map[string]bool{}
	within := func(t *testing.T, most int, name string, args map[string]any) string {
		t.Helper()
		called[name] = true
		begun := time.Now()
		size, text := answer(t, name, args)
		t.Logf("%s %.80s: %d bytes in %.1f s", name, jsonOf(t, args), size, time.Since(begun).Seconds())
		if size > most {
			t.Errorf("%s %s: %d bytes, more than %d: %.300q", name, jsonOf(t, args), size, most, text)
		}
		if size < 10 {
			t.Errorf("%s %s: %q", name, jsonOf(t, args), text)
		}
		return text
	}
	for _, page := range []struct {
		host string
		most int // of an answer
	}{{"small", 2_000}, {"large", maxAnswer}} {
		t.Run(page.host, func(t *testing.T) {
			url := "http://" + page.host + ".example.org/"
			for _, mode := range []string{"markdown", "text", "html", "raw", "links", "outline", "json"} {
				within(t, page.most, "web_fetch", map[string]any{"url": url, "mode": mode, "render": "never"})
			}
			for name, value := range map[string]any{"query": "fog", "prompt": "When did it leave?", "must_contain": "the", "selector": "p", "section": []string{"tides"}, "since": "last"} {
				within(t, page.most, "web_fetch", map[string]any{"url": url, name: value, "render": "never"})
			}
			within(t, max(page.most, 3*1500), "web_fetch", map[string]any{"urls": []string{url, url + "a", url + "b"}, "render": "never"})
			within(t, max(page.most, 10_200), "web_browse", map[string]any{"url": url}) // 10,000 characters, and its notice
			within(t, page.most, "extract_page_content", map[string]any{"url": url})
			within(t, page.most, "navigate_to_url", map[string]any{"url": url})
			look := within(t, page.most, "browser_snapshot", map[string]any{})
			field := refOf(t, within(t, page.most, "browser_find", map[string]any{"text": map[string]string{"small": "Name", "large": "Buoy number 7 "}[page.host]}), map[string]string{"small": "Name", "large": "Buoy number 7 "}[page.host])
			button := refOf(t, within(t, page.most, "browser_find", map[string]any{"regex": "Go|horn 7\\b"}), map[string]string{"small": "Go", "large": "Sound the horn 7"}[page.host])
			within(t, page.most, "browser_find", map[string]any{"text": "the"})
			for _, c := range []struct {
				name string
				args map[string]any
			}{
				{"browser_type", map[string]any{"ref": field, "text": strings.Repeat("Ada ", 2000)}},
				{"browser_fill_form", map[string]any{"fields": []any{map[string]any{"ref": field, "value": "Ada"}}}},
				{"browser_hover", map[string]any{"ref": button}},
				{"browser_press_key", map[string]any{"key": "Tab"}},
				{"browser_scroll", map[string]any{"direction": "down"}},
				{"browser_batch", map[string]any{"steps": []map[string]any{{"tool": "browser_scroll", "args": map[string]any{"direction": "up"}}}}},
				{"browser_route", map[string]any{"pattern": "*/none.png", "action": "block"}},
				{"browser_select_option", map[string]any{"ref": field, "values": []string{"Red"}}}, // the field is not a list: an error
				{"browser_drag", map[string]any{"from": button, "to": field}},
				{"browser_mouse", map[string]any{"ref": button, "path": []string{"1,1", "3,3"}}},
				{"browser_resize", map[string]any{"width": 1280, "height": 800}},
				{"browser_upload_file", map[string]any{"ref": field, "paths": []string{strings.Repeat("x", 9000)}}},
				{"browser_wait_for", map[string]any{"text": "Tides"}},
				{"browser_tabs", map[string]any{}},
				{"browser_dialog", map[string]any{"accept": false}},
				{"browser_cookies", map[string]any{}},
				{"browser_state", map[string]any{"action": "save", "name": "x"}},
				{"browser_log", map[string]any{"what": "network"}},
				{"browser_log", map[string]any{"request": 1}},
				{"browser_find", map[string]any{"ref": field}},
				{"browser_evaluate", map[string]any{"script": "document.documentElement.outerHTML"}},
				{"browser_click", map[string]any{"ref": button}},
				{"take_web_screenshot", map[string]any{}},
				{"save_page_as_pdf", map[string]any{}},
			} {
				within(t, page.most, c.name, c.args)
			}
			if page.host == "large" && !strings.Contains(look, "Tides") {
				t.Errorf("%.300q", look)
			}
			within(t, page.most, "close_browser", map[string]any{})
		})
	}
	t.Run("a noisy page", func(t *testing.T) {
		within(t, maxAnswer, "navigate_to_url", map[string]any{"url": "http://noisy.example.org/" + strings.Repeat("x", 5000)})
		log := within(t, maxAnswer, "browser_log", map[string]any{})
		if !strings.Contains(log, "line 99 fog") || strings.Contains(log, "line 10 fog") || !strings.Contains(log, "of 1") {
			t.Errorf("not the last lines: %.300q", log)
		}
		within(t, maxAnswer, "browser_wait_for", map[string]any{"time": 1})
		within(t, maxAnswer, "browser_dialog", map[string]any{"accept": true})
		cookies := within(t, maxAnswer, "browser_cookies", map[string]any{})
		if !strings.Contains(cookies, "120 cookies") || !strings.Contains(cookies, "left out") || !strings.Contains(cookies, "\n</") {
			t.Errorf("%.300q … %q", cookies, cookies[max(len(cookies)-300, 0):])
		}
		within(t, maxAnswer, "browser_tabs", map[string]any{})
		within(t, maxAnswer, "take_web_screenshot", map[string]any{})
		within(t, maxAnswer, "close_browser", map[string]any{})
	})
	t.Run("the window of extract_page_content", func(t *testing.T) {
		const url = "http://long.example.org/"
		next := regexp.MustCompile(`Call extract_page_content again with start_index=(\d+) to read on\.`)
		last := regexp.MustCompile(`On day (\d+) the`)
		first := within(t, maxAnswer, "extract_page_content", map[string]any{"url": url})
		m := next.FindStringSubmatch(first)
		if m == nil {
			t.Fatalf("%q", first)
		}
		days := last.FindAllStringSubmatch(first, -1)
		at, _ := strconv.Atoi(m[1])
		second := within(t, maxAnswer, "extract_page_content", map[string]any{"start_index": at})
		end, _ := strconv.Atoi(days[len(days)-1][1])
		if !strings.Contains(second, fmt.Sprintf("On day %d the", end+1)) || strings.Contains(second, fmt.Sprintf("On day %d the", end-1)) {
			t.Errorf("after day %d comes %.400q", end, second)
		}
		within(t, 3_000, "extract_page_content", map[string]any{"max_tokens": 500})
		if size, text := answer(t, "extract_page_content", map[string]any{"max_length": 15_000}); size < 15_000 || size > 16_000 || next.FindString(text) == "" {
			t.Errorf("%d bytes where 15,000 characters are asked for", size)
		}
		o := w.must(t, byREST, request{"extract_page_content", map[string]any{"url": url}})
		if n := len(fmt.Sprint(o.object["content"])); n < 19_000 || n > 20_200 || o.object["truncated"] != true || o.object["next_start_index"] == nil {
			t.Errorf("%d characters over REST", n)
		}
	})
	t.Run("searches", func(t *testing.T) {
		for _, q := range []string{"fog", strings.Repeat("fog ", 100)} {
			within(t, maxAnswer, "web_search", map[string]any{"query": q})
			text := within(t, maxAnswer, "google_search", map[string]any{"query": q})
			if !strings.Contains(text, "of 10 results are left out") || !strings.Contains(text, "the…\n</") {
				t.Errorf("not whole results: %q", text[len(text)-400:])
			}
		}
	})
	t.Run("errors", func(t *testing.T) {
		long := strings.Repeat("x", 60_000)
		for name, args := range map[string]map[string]any{
			"web_fetch":            {"url": "https://example.com/" + long, "mod": long},
			"web_search":           {"query": long, "provider": long},
			"web_browse":           {"url": "https://gone.example.com/" + long},
			"web_map":              {"url": "https://gone.example.com/" + long},
			"web_crawl":            {"url": "https://gone.example.com/" + long, "job": long},
			"web_recall":           {"query": long, "site": "https://gone.example.com/" + long},
			"navigate_to_url":      {"url": "https://gone.example.com/" + long},
			"extract_page_content": {"url": "http://errs.example.org/"},
			"browser_snapshot":     {"ref": long},
		} {
			within(t, maxAnswer, name, args)
		}
		for _, url := range []string{"http://errs.example.org/", "http://lost.example.org/"} {
			within(t, maxAnswer, "web_fetch", map[string]any{"url": url})
		}
		within(t, maxAnswer, "web_fetch", map[string]any{long: 1})
	})
	t.Run("each tool was called", func(t *testing.T) {
		for _, d := range w.lists(t, "--tools", "all") {
			if !called[d.Name] {
				t.Errorf("%s was not", d.Name)
			}
		}
	})
	t.Run("the object of REST is as long as it is", func(t *testing.T) {
		// A program gets all of it within the window of the setting.
		o := w.must(t, byREST, fetching("http://large.example.org/", "render", "never"))
		if n := len(fmt.Sprint(o.object["markdown"])); n < 19_000 || n > 20_200 {
			t.Errorf("%d characters", n)
		}
	})
}
