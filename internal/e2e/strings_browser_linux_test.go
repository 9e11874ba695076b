package e2e_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHostileStringsInBrowser: what TestHostileStrings looks for, from a page in the browser,
// over MCP: its title and address, dialogs, the console, windows, cookies, downloads, the
// names of fields and of requests.
func TestHostileStringsInBrowser(t *testing.T) {
	needsBrowser(t)
	site := hostileStrings(t)
	page := `<!doctype html><meta charset="utf-8"><title>T</title><main><h1>H</h1>` + story(2) + `
<button onclick="alert(s)">Tell</button><button onclick="confirm(s)">Ask</button><button onclick="prompt(s, s)">Prompt</button>
<button onclick="open('/second?q=' + encodeURIComponent(s), s)">Window</button><button onclick="fetch('/status'); fetch('/garbage'); fetch('/api/' + s, {headers: {'X-A': 'b'}})">Request</button>
<button onclick="const a = document.createElement('a'); a.download = s; a.href = URL.createObjectURL(new Blob([s], {type: 'text/plain' + s})); a.click()">Save</button><a href="/binary">Binary</a>
<label>Name <input id="f"></label><select id="o" aria-label="Choose"><option>One</option></select><input type="file" aria-label="File"><button id="x">x</button></main>
<script>const s = ` + quotedJSON(steers) + `; document.title = 'T' + s; name = s; x.textContent = s; x.ariaLabel = s; x.title = s; f.placeholder = s; f.value = s; f.name = s; o.append(new Option(s)); o.append(new Option('O' + s, s));
history.replaceState(null, '', '/?q=' + s + '#' + s); console.log(s); console.error({[s]: s}); document.cookie = encodeURIComponent(s).slice(0, 3000) + '=1'; try { localStorage.setItem(s, s) } catch (e) {}
const h = document.createElement('h2'); h.textContent = s; h.id = s; document.querySelector('main').append(h); setTimeout(() => { throw new Error(s) })</script>`
	w := newWorld(t, map[string]http.HandlerFunc{"strings.example.org": func(rw http.ResponseWriter, r *http.Request) {
		if h := site[r.URL.Path]; h != nil {
			h(rw, r)
			return
		}
		serves("text/html; charset=utf-8", page)(rw, r)
	}}, "WEB_HTTP=allow", "WEB_ALLOW_SCRIPT=true")
	c := w.command(t.Context(), "browser strings", "mcp", "--tools", "all")
	s, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, q := range []request{
		{"navigate_to_url", map[string]any{"url": "http://strings.example.org/"}}, {"browser_snapshot", nil}, {"extract_page_content", nil}, {"browser_find", map[string]any{"text": "T"}}, {"browser_log", nil}, {"browser_log", map[string]any{"what": "network"}}, {"browser_log", map[string]any{"what": "console", "filter": steers}},
		{"browser_click", map[string]any{"ref": `button "Tell"`}}, {"browser_click", map[string]any{"ref": `button "Ask"`}}, {"browser_snapshot", nil}, {"browser_dialog", map[string]any{"accept": false}}, {"browser_click", map[string]any{"ref": `button "Prompt"`}}, {"browser_dialog", map[string]any{"accept": true, "text": steers}},
		{"browser_click", map[string]any{"ref": `button "Window"`}}, {"browser_tabs", nil}, {"browser_click", map[string]any{"ref": `button "Request"`}}, {"browser_log", map[string]any{"what": "network"}}, {"browser_click", map[string]any{"ref": `button "Save"`}}, {"browser_click", map[string]any{"ref": `link "Binary"`}}, {"browser_snapshot", nil},
		{"navigate_to_url", map[string]any{"url": "http://strings.example.org/"}}, {"browser_select_option", map[string]any{"ref": `combobox "Choose"`, "values": []string{steers}}}, {"browser_select_option", map[string]any{"ref": `combobox "Choose"`, "values": []string{"One"}}},
		{"browser_type", map[string]any{"ref": `textbox "Name"`, "text": steers}}, {"browser_upload_file", map[string]any{"ref": `button "File"`, "paths": []string{steers}}}, {"browser_cookies", nil}, {"browser_cookies", map[string]any{"action": "set", "name": steers, "value": steers, "domain": steers}}, {"browser_state", map[string]any{"action": "restore", "name": steers}},
		{"browser_evaluate", map[string]any{"script": "() => s"}}, {"browser_evaluate", map[string]any{"script": "() => { throw new Error(s) }"}}, {"browser_click", map[string]any{"ref": steers}}, {"browser_snapshot", map[string]any{"tab": steers}}, {"browser_snapshot", map[string]any{"context": steers}}, {"browser_wait_for", map[string]any{"text": steers, "time": 1}},
		{"browser_press_key", map[string]any{"key": steers}}, {"browser_find", map[string]any{"regex": "(" + steers}}, {"navigate_to_url", map[string]any{"url": "http://strings.example.org/status"}}, {"navigate_to_url", map[string]any{"url": "http://strings.example.org/garbage"}}, {"navigate_to_url", map[string]any{"url": "http://strings.example.org/moved"}},
		{"navigate_to_url", map[string]any{"url": "http://strings.example.org/inside"}}, {"navigate_to_url", map[string]any{"url": "http://strings.example.org/binary"}}, {"navigate_to_url", map[string]any{"url": steers}}, {"take_web_screenshot", nil}, {"save_page_as_pdf", nil}, {"close_browser", nil},
	} {
		what := q.tool + " " + shortly(q.json())
		args := q.args
		if args == nil {
			args = map[string]any{}
		}
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: q.tool, Arguments: args})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		for _, c := range r.Content {
			text, ok := c.(*mcp.TextContent)
			if !ok {
				continue
			}
			plainly(t, what, text.Text, true)
			outside := withoutFences(text.Text)
			plainly(t, what, outside, false)
			if len(outside) > 3500 {
				t.Errorf("%s: %d bytes stand outside of the fence: %.300q", what, len(outside), outside)
			}
		}
	}
	plainLog(t, filepath.Join(w.data("browser strings"), "audit.jsonl"))
}
