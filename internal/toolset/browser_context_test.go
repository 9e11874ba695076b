package toolset_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestBrowserContexts: calls without a context use the caller's latest, no call
// gets a blank page, and close_browser says what is true. Each step is a call by
// a session; what is wanted stands in the text of its answer or its error.
func TestBrowserContexts(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{})
	const (
		nothing = "no page is open\nopen a page first: navigate_to_url with a url"
		alone   = "no page is open\neach spyhop call has a browser of its own: give the url in this call where the tool takes one, or keep a browser open: spyhop browser open URL"
	)
	for _, step := range []struct{ session, name, args, want string }{
		{tool.Stateless, "take_web_screenshot", `{}`, nothing},
		{tool.Stateless, "take_web_screenshot", `{"full_page":true}`, nothing},
		{tool.Stateless, "extract_page_content", `{}`, nothing},
		{tool.Stateless, "save_page_as_pdf", `{}`, nothing},
		{tool.Stateless, "browser_snapshot", `{}`, nothing},
		{tool.Stateless, "browser_find", `{"text":"x"}`, nothing},
		{tool.Stateless, "browser_click", `{"ref":"b1"}`, nothing},
		{tool.Stateless, "browser_wait_for", `{"time":1}`, nothing},
		{tool.Stateless, "browser_tabs", `{}`, nothing},
		{tool.Stateless, "browser_log", `{}`, nothing},
		{tool.Stateless, "browser_cookies", `{}`, nothing},
		{tool.Stateless, "browser_state", `{"action":"save","name":"x"}`, nothing},
		{tool.Stateless, "navigate_to_url", `{"url":"back"}`, nothing},
		{tool.Stateless, "close_browser", `{}`, "the browser is closed; it was not running"},
		{tool.Alone, "take_web_screenshot", `{}`, alone},
		{tool.Alone, "browser_click", `{"ref":"b1"}`, alone},
		{tool.Stateless, "navigate_to_url", `{"url":"URL"}`, `title "Shop"; tab t1; context c1`},
		{tool.Stateless, "take_web_screenshot", `{}`, "Page URL/; title \"Shop\"; tab t1; context c1\nscreenshot_path"},
		{tool.Stateless, "browser_tabs", `{}`, "context c1"},
		{tool.Stateless, "browser_cookies", `{}`, "0 cookies; context c1"},
		{tool.Stateless, "browser_log", `{"what":"network"}`, "tab t1; context c1"},
		{tool.Stateless, "browser_snapshot", `{"context":"invented"}`, `the browser context "invented" is not open` + "\nopen contexts: c1; leave context out for the one used last"},
		{tool.Stateless, "close_browser", `{"context":"invented"}`, `the browser context "invented" is not open`},
		{"mcp-a", "browser_snapshot", `{"context":"c1"}`, `the browser context "c1" is not open` + "\nopen a page first"},
		{"mcp-a", "browser_snapshot", `{"context":"stateless/c1"}`, "is not open"},
		{"mcp-a", "browser_snapshot", `{}`, nothing},
		{"mcp-a", "extract_page_content", `{"url":"URL/account"}`, "; context c2"},
		{tool.Stateless, "browser_snapshot", `{}`, "Buy"},
		{tool.Stateless, "navigate_to_url", `{"url":"URL/account","context":"second"}`, "; context second"},
		{tool.Stateless, "browser_find", `{"text":"please"}`, "; context second"},
		{tool.Stateless, "close_browser", `{"context":"second"}`, "context second is closed; c1 stays open"},
		{tool.Stateless, "browser_snapshot", `{}`, "context c1"},
		{tool.Stateless, "close_browser", `{}`, "context c1 is closed; the browser runs on for other callers"},
		{tool.Stateless, "close_browser", `{}`, "none of your contexts was open; the browser runs on for other callers"},
		{tool.Stateless, "browser_snapshot", `{}`, nothing},
		{"mcp-a", "browser_snapshot", `{}`, "please sign in"},
		{"mcp-a", "close_browser", `{}`, "the browser is closed"},
		{"mcp-a", "close_browser", `{}`, "the browser is closed; it was not running"},
	} {
		r, err := client.Call(t.Context(), step.name, json.RawMessage(strings.ReplaceAll(step.args, "URL", url)), tool.Options{Session: step.session, Given: true})
		got := r.Text
		var te *tool.Error
		if errors.As(err, &te) {
			if te.Type == tool.BrowserMissing {
				t.Skip("no browser on this machine: scripts/setup installs one")
			}
			got = te.Text()
			if te.Type != tool.InvalidInput {
				got = string(te.Type) + ": " + got
			}
		}
		if !strings.Contains(got, step.want) && !strings.Contains(got, strings.ReplaceAll(step.want, "URL", url)) {
			t.Fatalf("%s %s %s: %s\nwant %s", step.session, step.name, step.args, got, step.want)
		}
	}
}

// TestBrowserForms: every tool of the browser declares what it answers, and what
// it answers is what it declares.
func TestBrowserForms(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{AllowScript: true})
	answered := make(map[string]bool)
	seen := ""
	for _, c := range []struct{ name, args string }{
		{"navigate_to_url", `{"url":"URL"}`},
		{"browser_snapshot", `{}`},
		{"browser_find", `{"text":"Buy"}`},
		{"browser_type", `{"ref":"t1","text":"4"}`},
		{"browser_fill_form", `{"fields":[{"ref":"t1","value":5}]}`},
		{"browser_click", `{"ref":"b1"}`},
		{"browser_hover", `{"ref":"b1"}`},
		{"browser_press_key", `{"key":"Tab"}`},
		{"browser_drag", `{"from":"b1","to":"t1"}`},
		{"browser_mouse", `{"ref":"b1","path":["2,2","4,4"],"hold_ms":20}`},
		{"browser_resize", `{"width":1000}`},
		{"browser_scroll", `{"direction":"down"}`},
		{"browser_wait_for", `{"text":"bought"}`},
		{"browser_tabs", `{}`},
		{"browser_evaluate", `{"script":"1"}`},
		{"browser_cookies", `{"action":"set","url":"URL","name":"k","value":"v"}`},
		{"browser_cookies", `{}`},
		{"browser_state", `{"action":"save","name":"s"}`},
		{"browser_log", `{}`},
		{"extract_page_content", `{}`},
		{"browser_batch", `{"steps":[{"tool":"browser_scroll","args":{"direction":"down"}}]}`},
		{"take_web_screenshot", `{}`},
		{"save_page_as_pdf", `{}`},
		{"navigate_to_url", `{"url":"URL/controls"}`},
		{"browser_snapshot", `{}`},
		{"browser_select_option", `{"ref":"ONE","values":["two"]}`},
		{"browser_click", `{"ref":"ASK"}`},
		{"browser_dialog", `{"accept":true}`},
		{"close_browser", `{}`},
	} {
		args := strings.NewReplacer("URL", url, "ASK", refOf(seen, "Ask"), "ONE", refOf(seen, "One")).Replace(c.args)
		r, err := client.Call(t.Context(), c.name, json.RawMessage(args), tool.Options{Given: true})
		if c.name == "browser_snapshot" {
			seen = r.Text
		}
		if errors.As(err, new(*tool.Error)) && strings.Contains(err.Error(), "no browser is installed") {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		answered[c.name] = true
		d, _ := client.Catalog().Lookup(c.name)
		data, err := json.Marshal(r.Data)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatalf("%s: %v in %s", c.name, err, data)
		}
		for m := range members {
			if _, ok := d.Data.Property(m); !ok {
				t.Errorf("%s answers with %q, which it does not declare: %s", c.name, m, data)
			}
		}
		for _, m := range []string{"context"} {
			if _, ok := members[m]; !ok && c.name != "close_browser" {
				t.Errorf("%s answers without %q: %s", c.name, m, data)
			}
		}
		if c.name != "close_browser" && !strings.Contains(r.Text, "context c1") {
			t.Errorf("%s does not say its context: %s", c.name, r.Text)
		}
	}
	for _, d := range client.Catalog().List(tool.BrowserTools) {
		if form := d.Form(); form.IsZero() || !strings.Contains(tool.Tree([]tool.Declaration{d}), "output: ") {
			t.Errorf("%s declares no answer", d.Name)
		}
		if d.Kind == tool.Browser && d.Name != "google_search" && !d.Output.IsZero() {
			t.Errorf("%s shows clients an output schema", d.Name)
		}
		if d.Kind == tool.Browser && !answered[d.Name] && !slices.Contains([]string{"google_search", "browser_upload_file"}, d.Name) {
			t.Errorf("the answer of %s is not looked at", d.Name)
		}
	}
}

// TestBrowserPlans: a field that a browser tool does not answer with is named,
// with the nearest right one.
func TestBrowserPlans(t *testing.T) {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, c := range []struct{ first, field, near string }{
		{`"tool":"navigate_to_url","args":{"url":"https://example.com/"}`, "uurl", "url"},
		{`"tool":"browser_navigate","args":{"url":"https://example.com/"}`, "titel", "title"},
		{`"tool":"take_web_screenshot"`, "screenshot_paht", "screenshot_path"},
		{`"tool":"extract_page_content"`, "contnet", "content"},
		{`"tool":"save_page_as_pdf"`, "pdf_pth", "pdf_path"},
		{`"tool":"browser_snapshot"`, "contxt", "context"},
		{`"tool":"browser_tabs"`, "tabz", "tabs"},
		{`"tool":"browser_cookies"`, "cookis", "cookies"},
		{`"tool":"browser_click","args":{"ref":"b1"}`, "statsu", "status"},
		{`"tool":"browser_log"`, "linse", "lines"},
		{`"tool":"close_browser"`, "mesage", "message"},
		{`"tool":"google_search","args":{"query":"x"}`, "result", "results"},
	} {
		plan, err := tool.ParsePlan([]byte(`{"steps":[{"id":"a",` + c.first + `},{"id":"b","tool":"web_browse","args":{"url":"x ${a.` + c.field + `}"}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		problems := client.Catalog().CheckPlan(plan)
		if len(problems) != 1 || problems[0].Hint != `did you mean "`+c.near+`"?` {
			t.Errorf("%s .%s: %+v", c.first, c.field, problems)
		}
	}
}
