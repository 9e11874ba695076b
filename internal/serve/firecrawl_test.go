package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Each option that is known and not supported is refused by its name, and its values that
// ask for nothing else are taken; so are unknown ones.
func TestFirecrawlOptions(t *testing.T) {
	for name, o := range map[string]options{"scrape": scrapeOptions(), "map": mapOptions(), "search": searchOptions(), "crawl": crawlOptions(), "batch": batchOptions(), "parse": parseOptions(), "browser": browserOptions(), "code": codeOptions(), "monitor": monitorOptions(), "agent": agentOptions(), "extract": extractOptions(), "pages of jobs": jobPageOptions()} {
		needed := map[string]any{}
		for _, p := range o.supported {
			if p.Required {
				needed[p.Name] = "https://example.com/"
			}
			if _, ok := o.fixed[p.Name]; ok {
				t.Errorf("%s: %s is supported and not supported", name, p.Name)
			}
		}
		read := func(option, value string) string {
			body := maps.Clone(needed)
			body[option] = json.RawMessage(value)
			raw, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			if _, e := o.read(raw); e != nil {
				return e.Message
			}
			return ""
		}
		for option, f := range o.fixed {
			for _, value := range append(slices.Clone(f.values), "null") {
				if said := read(option, value); said != "" {
					t.Errorf("%s: %s=%s: %s", name, option, value, said)
				}
			}
			for _, value := range []string{`"other"`, `[{"type":"other"}]`, `{"a":1}`, "17"} {
				if said := read(option, value); !strings.Contains(said, "option "+option+" is unsupported") {
					t.Errorf("%s: %s=%s: %q", name, option, value, said)
				}
			}
		}
		if said := read("of_tomorrow", "1"); !strings.Contains(said, "of_tomorrow") {
			t.Errorf("%s: an unknown option: %q", name, said)
		}
		for _, body := range []string{``, `[]`, `null`, `"x"`, `{`, `{"url":{"a":1}}`, `{"urls":[{"a":1}]}`, strings.Repeat(`{"url":`, 10_000)} {
			if _, e := o.read([]byte(body)); e == nil && name != "pages of jobs" {
				t.Errorf("%s: %.20q is read", name, body)
			}
		}
	}
}

// The option webhook is an address or an object; what it does not have is refused by name.
func TestFirecrawlWebhookOption(t *testing.T) {
	const hook = "https://hooks.example.com/"
	for raw, want := range map[string]string{
		`"` + hook + `"`: hook + " [] map[]", `{"url":"` + hook + `"}`: hook + " [] map[]", `{"url":"` + hook + `","headers":{},"events":null,"metadata":null}`: hook + " [] map[]",
		`{"url":"` + hook + `","events":["page","completed"],"metadata":{"a":"b"}}`: hook + " [page completed] map[a:b]",
		`null`: "", `{"url":"` + hook + `","headers":{"Authorization":"x"}}`: "webhook: option headers is unsupported",
		`{"url":"` + hook + `","secret":"x"}`: `argument "secret" is unknown`, `{"events":["page"]}`: `"url" is missing`, `""`: "has no url", `{}`: `"url" is missing`, `17`: "webhook: it is not a JSON object", `["` + hook + `"]`: "webhook: it is not a JSON object",
		`{"url":7}`: "7 [] map[]", `{"url":"x","events":"page"}`: "x [page]", `{"url":"x","events":[1]}`: `argument "events"`, `{"url":"x","metadata":{"a":1}}`: "metadata that are not strings", `{"url":"x","metadata":["a"]}`: `argument "metadata"`, `{"url":"x","headers":"a"}`: "option headers",
	} {
		for name, o := range map[string]options{`"url":"https://example.com/"`: crawlOptions(), `"urls":["https://example.com/"]`: batchOptions()} {
			o, e := o.read([]byte("{" + name + `,"webhook":` + raw + "}"))
			var q result.CrawlRequest
			if e == nil {
				q.Webhook, q.WebhookFirecrawl, e = o.webhook(firecrawl.Events())
			}
			got := ""
			switch {
			case e != nil:
				got = e.Message
			case q.WebhookFirecrawl != nil:
				got = fmt.Sprintf("%s %v %v", q.Webhook, q.WebhookFirecrawl.Events, q.WebhookFirecrawl.Metadata)
			}
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", raw, got, want)
			}
		}
	}
}

func TestFirecrawlFormats(t *testing.T) {
	for raw, want := range map[string]string{
		`"markdown"`: "", `"rawHtml"`: "", `{"type":"html"}`: "", `{"type":"links"}`: "",
		`{"type":"json","prompt":"p","schema":{"type":"object"}}`: "", `{"type":"json","schema":{"type":"object"}}`: "", `{"type":"json","prompt":"p"}`: "", `{"type":"question","question":"q"}`: "", `{"type":"highlights","query":"q"}`: "",
		`"screenshot"`: "", `{"type":"screenshot","fullPage":true}`: "", `"images"`: "", `"summary"`: "", `"changeTracking"`: "", `{"type":"changeTracking","modes":["git-diff"]}`: "",
		`{"type":"attributes","selectors":[{"selector":"a","attribute":"href"}]}`: "", `{"type":"changeTracking","modes":["json"]}`: "has no schema", `{"type":"changeTracking","modes":["git-diff","json"],"schema":{"type":"object"},"prompt":"p"}`: "", `{"type":"changeTracking","modes":["mail"]}`: `argument "modes"`, `{"type":"changeTracking","tag":"t"}`: "option tag is unsupported",
		`{"type":"attributes"}`: `"selectors" is missing`, `{"type":"attributes","selectors":[{"selector":"a"}]}`: "selectors", `"branding"`: "", `"product"`: "", `{"type":"menu"}`: "", `"video"`: "", `"hologram"`: "is unsupported", `{"type":"query","prompt":"p"}`: "", `{"type":"query","prompt":"p","mode":"directQuote"}`: "", `{"type":"query","prompt":"p","mode":"other"}`: "is unsupported", `{"type":"screenshot","viewport":{"width":9,"height":9}}`: "", `{"type":"screenshot","viewport":9}`: "is not an object", `{"type":"screenshot","quality":9}`: "", `"json"`: "nothing of what is wanted", `17`: "is unsupported", `null`: "is unsupported", `{}`: "is unsupported",
		`{"type":"json","schema":"x"}`: "is not an object", `{"type":"json","prompt":"p","checkPromptInjection":true}`: "checkPromptInjection",
		`{"type":"markdown","prompt":"p"}`: `argument "prompt" is unknown`,
	} {
		var v any
		if err := json.Unmarshal([]byte(raw), &v); err != nil {
			t.Fatal(err)
		}
		_, e := formatOf(v)
		if said := ""; e != nil {
			said = e.Message
			if want == "" || !strings.Contains(strings.ReplaceAll(said, `\`, ""), strings.ReplaceAll(want, `\`, "")) {
				t.Errorf("%s: %s", raw, said)
			}
		} else if want != "" {
			t.Errorf("%s is taken", raw)
		}
	}
}

// Checks that stand before the paths answer in the form of the paths.
func TestFirecrawlErrors(t *testing.T) {
	f := &fakeJobs{owner: "ann", state: result.Crawl{Job: "c1", Kind: "crawl", State: "running"}}
	s := withJobs(t, f, Options{Tokens: tokensOf(t, "ann=a0", "bob=b0")})
	for _, c := range []struct {
		method, path, body, token string
		status                    int
		code, message             string
		header                    []string
	}{
		{"GET", "/v2/crawl/c1", "", "none", 401, "", "the bearer token is missing or wrong", nil},
		{"GET", "/v2/crawl/c1", "", "b0", 404, "BAD_REQUEST", "does not exist", nil},
		{"DELETE", "/v2/crawl/c1", "", "b0", 404, "BAD_REQUEST", "does not exist", nil},
		{"GET", "/v2/crawl/c1/errors", "", "b0", 404, "BAD_REQUEST", "does not exist", nil},
		{"GET", "/v2/batch/scrape/c1", "", "a0", 404, "BAD_REQUEST", "the batch does not exist", nil},
		{"GET", "/v2/crawl/c1?skip=10", "", "a0", 400, "BAD_REQUEST", `"skip" is unsupported`, nil},
		{"GET", "/v2/crawl/c1?cursor=-1", "", "a0", 400, "BAD_REQUEST", "cursor=", nil},
		{"GET", "/v2/crawl/c1?limit=1000000000", "", "a0", 400, "BAD_REQUEST", "limit=", nil},
		{"PUT", "/v2/crawl/c1", "", "a0", 405, "BAD_REQUEST", "does not take", nil},
		{"POST", "/v2/extract", "{}", "a0", 404, "BAD_REQUEST", "does not exist", nil},
		{"POST", "/v2/crawl", `{"url":"https://example.com/"}`, "a0", 403, "", "other sites", []string{"Origin", "https://evil.example"}},
		{"POST", "/v2/crawl", `{"url":"` + strings.Repeat("a", maxBodyBytes) + `"}`, "a0", 413, "", "1 MiB", nil},
		{"POST", "/v2/crawl", `{}`, "a0", 400, "BAD_REQUEST", `"url" is missing`, nil},
		{"POST", "/v2/crawl", `{"url":"https://example.com/","scrapeOptions":{"headers":{"A":"b"}}}`, "a0", 400, "BAD_REQUEST", "scrapeOptions: option headers is unsupported", nil},
		{"POST", "/v2/crawl", `{"url":"https://example.com/","scrapeOptions":{"formats":["hologram"]}}`, "a0", 400, "BAD_REQUEST", "is unsupported", nil},
		{"POST", "/v2/crawl", `{"url":"https://example.com/","scrapeOptions":{"formats":["summary","screenshot"]}}`, "a0", 400, "BAD_REQUEST", "format summary does not go with", nil},
		{"POST", "/v2/crawl", `{"url":"https://example.com/","delay":"x"}`, "a0", 400, "BAD_REQUEST", "delay", nil},
		{"POST", "/v2/batch/scrape", `{"urls":[]}`, "a0", 400, "BAD_REQUEST", "no valid address", nil},
		{"POST", "/v2/batch/scrape", `{"urls":["http://","http:// a b"]}`, "a0", 400, "BAD_REQUEST", "no valid address", nil},
		{"POST", "/v2/batch/scrape", `{"urls":["https://example.com/"],"maxConcurrency":0}`, "a0", 400, "BAD_REQUEST", "maxConcurrency", nil},
	} {
		w := do(s, c.method, c.path, c.body, append([]string{"Authorization", "Bearer " + c.token}, c.header...)...)
		var got firecrawlError
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		if w.Code != c.status || got.Success || got.Code != c.code || !strings.Contains(got.Error, c.message) || got.ErrorType == "" || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %.80s: %d %+v", c.method, c.path, c.body, w.Code, got)
		}
	}
	if len(f.asked) > 0 {
		t.Error("a wrong request has started a job")
	}
	if w := do(s, "POST", "/v2/crawl", `{"url":"https://example.com/docs/","limit":1000000000,"maxDiscoveryDepth":3,"allowSubdomains":true,"excludePaths":["\\.pdf$"],"scrapeOptions":{"waitFor":500}}`, "Authorization", "Bearer a0", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "reader.example.com"); w.Code != 200 ||
		!strings.Contains(w.Body.String(), `"id":"c1","url":"https://reader.example.com/v2/crawl/c1"`) || !strings.Contains(w.Body.String(), "limit=1000000000 is out of bounds; 100000 was used") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := <-f.asked; got.MaxPages != maxJobPages || got.MaxDepth != 3 || !got.Subdomains || len(got.Match) > 0 || got.EntireSite || !slices.Equal(got.Omit, []string{`\.pdf$`}) || got.Render != "always" || got.Batch {
		t.Errorf("%+v", got)
	}
	if w := do(s, "POST", "/v2/batch/scrape", `{"urls":["https://example.com/","http://"]}`, "Authorization", "Bearer a0"); w.Code != 200 || !strings.Contains(w.Body.String(), `"invalidURLs":["http://"]`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := <-f.asked; !got.Batch || !slices.Equal(got.URLs, []string{"https://example.com/"}) {
		t.Errorf("%+v", got)
	}
	f.state.State = "done"
	if w := do(s, "DELETE", "/v2/crawl/c1", "", "Authorization", "Bearer a0"); w.Code != http.StatusConflict {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The paths are there where their tools are.
func TestFirecrawlRoutes(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "a.png", Kind: "crawl", State: "running"}}
	there := map[string]int{}
	for _, r := range withJobs(t, f, Options{}).firecrawlRoutes() {
		there[r.path] += len(r.methods())
	}
	for path, n := range map[string]int{"/v2/crawl": 1, "/v2/crawl/{id}": 2, "/v2/batch/scrape/{id}/errors": 1, "/v1/crawl/{id}": 2, "/v2/team/queue-status": 1, "/v2/search/research/github": 2, "/v2/scrape": 0, "/v2/parse": 0, "/v2/monitor": 0} {
		if there[path] != n {
			t.Errorf("%s has %d methods, want %d", path, there[path], n)
		}
	}
	for _, r := range withJobs(t, f, Options{Tools: []string{"core"}}).firecrawlRoutes() {
		t.Errorf("%s is there without its tool", r.path)
	}
}

// TestScrapedResults: the results of a search have a bounded text together, and those that
// find no room keep their title and address.
func TestScrapedResults(t *testing.T) {
	tools := newTestTools(t)
	add := func(name string, input tool.Schema, data func(args tool.Arguments) any) {
		if err := tools.Register(tool.Declaration{Name: name, Title: name, Description: name, Level: tool.Read, Profile: tool.Core, Annotations: tool.Annotations{ReadOnly: true}, Input: input,
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) { return tool.Result{Data: data(c.Args)}, nil }}); err != nil {
			t.Fatal(err)
		}
	}
	text := strings.Repeat("The ferry leaves at six. ", scrapedBytes/4/25)
	whole := tool.Integer("max_length", "")
	add("web_fetch", tool.Object(tool.String("url", ""), tool.String("mode", ""), tool.String("render", ""), whole, tool.Integer("max_age", "")),
		func(tool.Arguments) any { return &result.Fetch{Success: true, Markdown: text} })
	add("web_search", tool.Object(tool.String("query", ""), tool.Integer("max_results", "")), func(tool.Arguments) any {
		found := &result.Search{}
		for i := range 10 {
			found.Results = append(found.Results, result.Hit{Title: "T", URL: fmt.Sprintf("https://example.com/%d", i)})
		}
		return found
	})
	w := do(newServer(t, Options{Catalog: tools.Catalog}), "POST", "/v2/search", `{"query":"ferry","scrapeOptions":{"formats":["markdown"]}}`)
	var got searched
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	read := 0
	for _, r := range got.Data["web"] {
		if r.Document != nil && r.Markdown == text {
			read++
		}
	}
	if read != 4 || len(got.Data["web"]) != 10 || !strings.Contains(got.Warning, "Without their text: 6 results") {
		t.Errorf("%d of %d results have their text; warning %q", read, len(got.Data["web"]), got.Warning)
	}
}

// TestJobFormats: the pages of a job are shown in every format, made once each; a job of
// which only Markdown is wanted keeps nothing of that.
func TestJobFormats(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "c1", Kind: "crawl", State: "done", Read: 12}}
	for i := range 12 {
		f.pages = append(f.pages, result.CrawlPage{URL: fmt.Sprintf("https://example.com/%d", i), Cursor: int64(i + 1), Markdown: "stored", Version: "v1", Previous: []string{"", "v1", "v0"}[i%3]})
	}
	s := withJobs(t, f, Options{})
	var mu sync.Mutex
	calls := map[string]int{}
	input := tool.Object(tool.String("url", ""), tool.String("mode", ""), tool.String("prompt", ""), tool.String("render", ""), tool.Boolean("whole", ""), tool.Integer("max_length", ""), tool.Integer("max_age", ""), tool.Map("schema", ""), tool.String("since", ""))
	if err := s.o.Catalog.Register(tool.Declaration{Name: "web_fetch", Title: "Fetch", Description: "Fetches.", Level: tool.Read, Profile: tool.Core, Input: input,
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			mu.Lock()
			defer mu.Unlock()
			mode := c.Args.String("mode")
			calls[mode]++
			page := &result.Fetch{Success: true, Content: "<p>html</p>", FinalURL: c.Args.String("url")}
			switch {
			case c.Args.String("since") != "":
				page.Content = `{"title":{"previous":"S","current":"T"}}`
			case mode == "links":
				page.Links = []result.Link{{URL: "https://example.com/next"}}
			case c.Args.String("prompt") != "":
				page.Content = "a summary"
			case c.Args["schema"] != nil:
				page.Content = `{"title":"T"}`
			}
			return tool.Result{Data: page}, nil
		}}); err != nil {
		t.Fatal(err)
	}
	s = newServer(t, Options{Catalog: s.o.Catalog, Jobs: f, Versions: pages{{Hash: "v0", Text: "old"}, {Hash: "v1", Text: "new"}}})
	start := func(formats string) result.CrawlRequest {
		t.Helper()
		if w := do(s, "POST", "/v2/crawl", `{"url":"https://example.com/","scrapeOptions":{"formats":`+formats+`}}`); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return <-f.asked
	}
	if q := start(`["markdown"]`); q.Scrape != nil || q.Changes {
		t.Errorf("Markdown alone: %s", q.Scrape)
	}
	q := start(`["html","links","summary",{"type":"changeTracking","modes":["git-diff","json"],"schema":{"type":"object"}},{"type":"json","schema":{"type":"object","properties":{"title":{"type":"string","x-selector":"h1"}}}}]`)
	if q.Scrape == nil || !q.Changes {
		t.Fatalf("%s, changes %v", q.Scrape, q.Changes)
	}
	f.state.Scrape = q.Scrape
	for range 2 {
		var got jobStatus
		w := do(s, "GET", "/v2/crawl/c1", "")
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Data) != documentsEach || got.Next == "" {
			t.Fatalf("%v: %d documents, next %q: %.300s", err, len(got.Data), got.Next, w.Body)
		}
		d := got.Data[3]
		if d.Markdown != "" || d.HTML != "<p>html</p>" || len(d.Links) != 1 || d.Summary != "a summary" || string(d.JSON) != `{"title":"T"}` || d.Metadata.SourceURL != "https://example.com/3" {
			t.Errorf("%+v", d)
		}
		for i, want := range []string{"new", "same", "changed"} {
			c := got.Data[i].Changes
			if c == nil || c.Status != want || (c.PreviousScrapeAt != nil) != (i > 0) || (c.Diff != nil) != (i == 2) || (c.JSON != nil) != (i == 2) {
				t.Errorf("page %d: %+v", i, c)
			}
		}
		if c := got.Data[2].Changes; c.Diff.Text != "@@ -1,1 +1,1 @@\n-old\n+new\n" || string(c.JSON) != `{"title":{"previous":"S","current":"T"}}` {
			t.Errorf("%+v", c)
		}
	}
	if calls["html"] != documentsEach || calls["links"] != documentsEach {
		t.Errorf("documents are made once: %v", calls)
	}
}

// TestFirecrawlCategories: a category is a kind of site or of file, beside the domains that
// are named; an unknown one is refused.
func TestFirecrawlCategories(t *testing.T) {
	o := given{args: tool.Arguments{"query": "fog", "includeDomains": []any{"a.example"}, "categories": []any{"github", map[string]any{"type": "pdf"}}}}
	args, e := o.searchArguments()
	if domains, _ := args["allowed_domains"].([]string); e != nil || args["query"] != "fog filetype:pdf" || !slices.Equal(domains, []string{"a.example", "github.com"}) {
		t.Errorf("%v %v", args, e)
	}
	o.args["categories"] = []any{"developer"}
	if args, e := o.searchArguments(); e != nil || !slices.Contains(args["allowed_domains"].([]string), "docs.rs") {
		t.Errorf("%v %v", args, e)
	}
	o.args["categories"] = []any{"alexandria"}
	if _, e := o.searchArguments(); e == nil || !strings.Contains(e.Message, "alexandria") {
		t.Errorf("%v", e)
	}
}
