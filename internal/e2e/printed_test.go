package e2e_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/demosite"
)

// shown is a command with what it has to print on stdout and on stderr, and its exit
// status. A text that begins with "!" must not be printed; no text
// means that nothing does.
type shown struct {
	command        string // words; a text in "…" or '…' is one
	stdout, stderr []string
	exit           int
	browser        bool   // it is skipped where there is none
	stdin          string // read by what reads stdin
}

func printedWorld(t *testing.T) *world {
	w := newWorld(t, map[string]http.HandlerFunc{
		"go.dev":              serves("text/html", article("Effective Go", "<h2>Introduction</h2>"+story(4)+"<h2>Formatting</h2>"+story(4))),
		"example.com":         serves("text/html", article("Ferries in fog", fog+story(6))),
		"html.duckduckgo.com": serves("text/html", foundDocs),
		"docs.example.org":    serves("text/html", scriptedDocs),
	}, "WEB_HTTP=allow", "DISPLAY=", "WAYLAND_DISPLAY=", "WEB_MODEL=openai/scripted", "OPENAI_API_KEY=sk-test-test",
		"WEB_MODEL_URL="+newModel(t, demosite.Turns{{Tool: "web_fetch", Args: `{"url":"https://example.com/"}`}, {Text: `They sleep by "the open sea" [1].`}}))
	for name, text := range map[string]string{
		"page.html": article("Ferries in fog", fog+story(6)),
		"plan.json": `{"steps":[{"id":"s1","tool":"google_search","args":{"query":"fog at sea"}},{"id":"s2","tool":"web_fetch","args":{"url":"${s1.results[0].link}","render":"never","mode":"raw"}}]}`,
		"bad.json":  `{"steps":[{"id":"s1","tool":"google_serch","args":{}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// check runs a command and compares.
func (w *world) check(t *testing.T, c shown) ran {
	t.Helper()
	if c.browser {
		needsBrowser(t)
	}
	r := w.runAs("printed", c.stdin, wordsOf(c.command)[1:]...)
	if r.exit != c.exit {
		t.Errorf("%s: exit status %d, want %d", c.command, r.exit, c.exit)
	}
	for name, s := range map[string]struct {
		text string
		want []string
	}{"stdout": {r.stdout, c.stdout}, "stderr": {r.stderr, c.stderr}} {
		if s.want == nil && s.text != "" {
			t.Errorf("%s: on %s: %.600q", c.command, name, s.text)
		}
		for _, want := range s.want {
			if not, ok := strings.CutPrefix(want, "!"); ok == strings.Contains(s.text, not) {
				t.Errorf("%s: want %q on %s: %.1500q", c.command, want, name, s.text)
			}
		}
	}
	return r
}

// wordsOf splits a command line as a shell does, for quotes without escapes.
func wordsOf(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words
}

// usualCommands are commands with what they print; URL stands for that of a page.
var usualCommands = []shown{
	{command: `spyhop fetch URL`, stdout: []string{"# Ferries in fog\n", "!Shop"}, stderr: []string{"url: https://example.com/\n", "title: Ferries in fog\n", "received: text/html, ", "(200 OK)", "verdict: complete, "}},
	{command: `spyhop fetch --query "opening hours" URL`, stdout: []string{"Ferries in fog"}, stderr: []string{"verdict: complete, "}},
	{command: `spyhop fetch --mode outline URL`, stdout: []string{"Ferries in fog", "!ferry"}, stderr: []string{"verdict: complete"}},
	{command: `spyhop browse URL`, stdout: []string{"# Ferries in fog\n", "!Shop"}},
	{command: `spyhop links URL`, stdout: []string{"All 2 links found on https://example.com/\n\n- Home: https://example.com/\n- Shop: https://example.com/shop\n"}, stderr: []string{"url: https://example.com/\n"}},
	{command: `spyhop extract --url URL page.html`, stdout: []string{"# Ferries in fog\n", "!Shop"}, stderr: []string{"title: Ferries in fog\n", "verdict: complete"}},
	{command: `spyhop search how whales sleep`, stdout: []string{"asyncio - Python Docs", asyncioDocs, "A library to write concurrent code."}, stderr: []string{"duckduckgo"}},
	{command: `spyhop snapshot URL`, stdout: []string{"[Tutorials elsewhere](", "which a script has put here"}, stderr: []string{"url: " + asyncioDocs + "\n", "title: asyncio\n"}, browser: true},
	{command: `spyhop screenshot -o page.png URL`, stdout: []string{"page.png\n"}, browser: true},
	{command: `spyhop ask "how do whales sleep?"`, stdout: []string{`They sleep by "the open sea" [1].`, "\n[1] Ferries in fog, https://example.com/: \"the open sea\"\n"}, stderr: []string{"● Fetch(https://example.com/)\n  └ Received ", "model: openai/scripted, 2 turns, 1 call, "}},
	{command: `spyhop call web_fetch '{"url":"go.dev"}'`, stdout: []string{"Contents of https://go.dev/:\n", "# Effective Go\n"}},
	{command: `spyhop plan run plan.json`, stdout: []string{"== s1: google_search\n", "== s2: web_fetch\n", "which a script has put here"}, stderr: []string{"s1: google_search, "}},
	{command: `spyhop login example.com`, stderr: []string{"error: ", "no display", "hint: "}, exit: 1, browser: true},
	{command: `spyhop policy check URL`, stdout: []string{"decision  allow\n", "url       https://example.com/\n"}},
	{command: `spyhop map URL`, stdout: []string{"https://example.com/"}, stderr: []string{"by source: links "}},
	{command: `spyhop crawl -o pages URL`, stdout: []string{}, stderr: []string{"crawl: c1: read ", "; stopped: "}},
	{command: `spyhop recall fog in the harbour`, stdout: []string{"Ferries in fog", "https://example.com/"}, stderr: []string{"recall: "}},
	{command: `spyhop config`, stdout: []string{"WEB_HTTP ", "allow  # environment WEB_HTTP\n", "OPENAI_API_KEY", "!sk-test-test"}},
}

// usual returns the row of a command.
func usual(command string) shown {
	return usualCommands[slices.IndexFunc(usualCommands, func(c shown) bool { return c.command == command })]
}

// TestUsualCommands runs the commands above, and the blocks of docs/http.md.
func TestUsualCommands(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]string{
		"spyhop serve": "every world of these tests",
		"spyhop serve --new-token research >> ~/.config/spyhop/tokens.toml": "TestOwners makes and uses tokens",
		"chmod 600 ~/.config/spyhop/tokens.toml":                            "TestTrusted",
		"WEB_SERVE_TOKENS=~/.config/spyhop/tokens.toml spyhop serve":        "TestOwners",
	}
	w := printedWorld(t)
	for _, c := range usualCommands {
		t.Run(c.command, func(t *testing.T) {
			page := "https://example.com/"
			if c.browser {
				page = asyncioDocs
			}
			c.command = strings.ReplaceAll(c.command, "URL", page)
			w.check(t, c)
		})
	}
	for _, block := range blocksOf(readFile(t, "../../docs/http.md"), "sh") {
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(line, "  ")
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "curl "):
				t.Run(line, func(t *testing.T) { w.curls(t, line) })
			case line != "" && elsewhere[line] == "":
				t.Errorf("docs/http.md has a command that is not run: %s", line)
			}
		}
	}
	t.Run("the settings of programs that speak MCP", func(t *testing.T) {
		m := regexp.MustCompile("(?m)^(\\{\"mcpServers\".*)$").FindStringSubmatch(readFile(t, "../../docs/mcp.md"))
		var file struct {
			Servers map[string]struct {
				Command string
				Args    []string
			} `json:"mcpServers"`
		}
		if m == nil || json.Unmarshal([]byte(m[1]), &file) != nil || file.Servers["spyhop"].Command != "spyhop" {
			t.Fatalf("%s", m)
		}
		s, err := w.connect(&mcp.CommandTransport{Command: w.command(context.Background(), "readme", file.Servers["spyhop"].Args...)}, withSession)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": "https://example.com/"}})
		if err != nil || r.IsError {
			t.Errorf("%v %s", err, jsonOf(t, r))
		}
	})
}

// curls makes the request of a line with curl.
func (w *world) curls(t *testing.T, line string) {
	t.Helper()
	url, err := w.url()
	if err != nil {
		t.Fatal(err)
	}
	words := wordsOf(strings.Replace(line, "127.0.0.1:7749", url, 1))
	method, body := "GET", ""
	if i := slices.Index(words, "-d"); i > 0 {
		method, body = "POST", words[i+1]
	}
	if i := slices.Index(words, "-X"); i > 0 {
		method = words[i+1]
	}
	address := words[slices.IndexFunc(words, func(s string) bool { return strings.HasPrefix(s, "http://") })]
	q, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if strings.Contains(line, "/read/") {
		page, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 || !strings.HasPrefix(string(page), "# Ferries in fog\n") {
			t.Errorf("%s: %v %d %s", line, err, r.StatusCode, page)
		}
		return
	}
	if strings.HasSuffix(address, "/events") {
		if told, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || !strings.Contains(string(told), "event: page\n") || !strings.Contains(string(told), "event: end\n") {
			t.Errorf("%s: %v %d %s", line, err, r.StatusCode, told)
		}
		return
	}
	var object map[string]any
	if err := json.NewDecoder(r.Body).Decode(&object); err == nil && strings.Contains(address, "/v1/crawls") {
		if object["job"] != "c1" && object["pages"] == nil || r.StatusCode != 200 && r.StatusCode != 202 {
			t.Errorf("%s: %d %v", line, r.StatusCode, object)
		}
	} else if err != nil || r.StatusCode != 200 || object["success"] != true && object["results"] == nil {
		t.Errorf("%s: %v %d %v", line, err, r.StatusCode, object)
	}
}

// TestHelpCommands: each command of --help prints its own help, refuses a flag
// that it does not have, and does what its line says.
func TestHelpCommands(t *testing.T) {
	t.Parallel()
	w := printedWorld(t)
	rows := map[string][]shown{
		"fetch": {usual(`spyhop fetch URL`), {command: "spyhop fetch", stderr: []string{"error: ", "hint: spyhop fetch --help shows how\n"}, exit: 2},
			usual(`spyhop links URL`), {command: "spyhop links --max-length=-1 https://example.com/", stderr: []string{"error: --max-length -1 is not allowed\n"}, exit: 2},
			{command: "spyhop fetch --quiet https://example.com/", stdout: []string{"# Ferries in fog\n"}},
			{command: "spyhop fetch https://gone.example.com/ https://example.com/", stdout: []string{"# Ferries in fog\n"}, stderr: []string{"error: Failed to fetch https://gone.example.com/: HTTP 404 Not Found\n"}, exit: 4}},
		"browse": {{command: "spyhop browse https://example.com/", stdout: []string{"# Ferries in fog\n"}}, {command: "spyhop browse", stderr: []string{"error: "}, exit: 2}},
		"map":    {{command: "spyhop map --sources links " + asyncioDocs, stdout: []string{"http"}, stderr: []string{"by source: links "}}, {command: "spyhop map", stderr: []string{"error: "}, exit: 2}},
		"crawl": {{command: "spyhop crawl --max-pages 2 -o pages.jsonl https://example.com/", stdout: []string{}, stderr: []string{"crawl: c1: read ", "; stopped: "}}, {command: "spyhop crawl list", stdout: []string{"c1", "https://example.com/"}},
			{command: "spyhop crawl worker --job c999", stderr: []string{"error: job c999 does not exist, or belongs to another caller\n"}, exit: 2},
			{command: "spyhop crawl --frontier postgres://u:hush@127.0.0.1/x?sslmode=prefer list", stderr: []string{"error: ", "sslmode", "!hush"}, exit: 2},
			{command: "spyhop crawl", stderr: []string{"error: give either a URL or --resume JOB\n"}, exit: 2}},
		"monitor": {{command: "spyhop monitor add https://example.com/ --every 2h", stdout: []string{"c"}, stderr: []string{"spyhop monitor run runs it"}}, {command: "spyhop monitor list", stdout: []string{"2h0m0s", "https://example.com/"}},
			{command: "spyhop monitor remove https://example.com/"}, {command: "spyhop monitor add https://example.com/ --every 1s", stderr: []string{"error: the time between two rounds is 1s, and it can be from 1m to 720h"}, exit: 2}},
		"batch":      {{command: "spyhop batch -", stdin: "https://example.com/\n", stdout: []string{`"title":"Ferries in fog"`}, stderr: []string{"crawl: c2: read 1, "}}, {command: "spyhop batch", stderr: []string{"error: give either a file or --resume JOB\n"}, exit: 2}},
		"recall":     {{command: "spyhop recall ferry left the quay", stdout: []string{"https://example.com/"}, stderr: []string{"recall: "}}, {command: "spyhop recall", stderr: []string{"error: recall takes a query or --forget\n"}, exit: 2}},
		"browser":    {{command: "spyhop browser status", stdout: []string{"no browser is open"}}, {command: "spyhop browser type", stderr: []string{"error: "}, exit: 2}}, // browser.txtar has the rest
		"init":       {{command: "spyhop init notepad", stderr: []string{"error: ", "notepad"}, exit: 2}},
		"help":       {{command: "spyhop help fetch", stdout: []string{"Usage: spyhop fetch"}}, {command: "spyhop help nothing", stderr: []string{"error: "}, exit: 2}},
		"search":     {usual(`spyhop search how whales sleep`), {command: "spyhop search", stderr: []string{"error: "}, exit: 2}, {command: "spyhop search --json x", stdout: []string{`"provider": "duckduckgo"`}, stderr: []string{"provider: duckduckgo\n"}}},
		"snapshot":   {{command: "spyhop snapshot " + asyncioDocs, stdout: []string{"[Tutorials elsewhere]("}, stderr: []string{"title: asyncio\n"}, browser: true}, {command: "spyhop snapshot", stderr: []string{"error: "}, exit: 2}},
		"screenshot": {{command: "spyhop screenshot -o a.png " + asyncioDocs, stdout: []string{"a.png\n"}, browser: true}, {command: "spyhop screenshot --format gif " + asyncioDocs, stderr: []string{"error: ", "gif"}, exit: 2, browser: true}},
		"pdf":        {{command: "spyhop pdf -o a.pdf " + asyncioDocs, stdout: []string{"a.pdf\n"}, browser: true}, {command: "spyhop pdf", stderr: []string{"error: "}, exit: 2}},
		"ask":        {usual(`spyhop ask "how do whales sleep?"`), {command: "spyhop ask --max-steps 0 x", stderr: []string{"error: "}, exit: 2}},
		"extract": {{command: "spyhop extract page.html", stdout: []string{"# Ferries in fog\n"}, stderr: []string{"verdict: complete"}}, {command: "spyhop extract -q", stdin: fog, stdout: []string{"The ferry left the quay"}},
			{command: "spyhop extract nothere.html", stderr: []string{"error: ", "nothere.html"}, exit: 2}},
		"data":   {{command: "spyhop data " + asyncioDocs, stderr: []string{"error: ", "--schema"}, exit: 2}},
		"schema": {{command: "spyhop schema learn", stderr: []string{"error: "}, exit: 2}},
		"policy": {{command: "spyhop policy check http://10.0.0.1/", stdout: []string{"decision  block\n", "reason    10.0.0.1 is not a public address\n"}, exit: 3}},
		"login":  {usual(`spyhop login example.com`), {command: "spyhop login --list", stdout: []string{}, stderr: []string{}}},
		"tools":  {{command: "spyhop tools --tree", stdout: []string{"browser_tool\n"}}, {command: "spyhop tools --profile none", stderr: []string{`error: profile "none" is unknown`}, exit: 2}},
		"call": {{command: `spyhop call web_fetch '{"url":"https://example.com/"}'`, stdout: []string{"Contents of https://example.com/:\n"}}, {command: `spyhop call web_fetch '{"url":'`, stderr: []string{"error: "}, exit: 2},
			{command: "spyhop call web_fech", stderr: []string{`hint: did you mean "web_fetch"?`}, exit: 2}},
		"plan": {{command: "spyhop plan run plan.json", stdout: []string{"== s1: google_search\n", "== s2: web_fetch\n"}, stderr: []string{"s1: google_search, ", "s2: web_fetch, "}},
			{command: "spyhop plan validate bad.json", stdout: []string{`step s1: tool "google_serch" is unknown; did you mean "google_search"?`}, exit: 2}},
		"mcp":        {{command: "spyhop mcp", stdin: `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", stdout: []string{`{"jsonrpc":"2.0","id":1,"result":{}}`}}, {command: "spyhop mcp --tools none", stderr: []string{"error: ", "none"}, exit: 2}},
		"serve":      {{command: "spyhop serve --listen nowhere", stderr: []string{"error: cannot listen on nowhere", "hint: "}, exit: 2}},
		"config":     {usual(`spyhop config`), {command: "spyhop config --web-http maybe", stderr: []string{`error: --web-http = "maybe" is not allowed (in the flags): use upgrade, allow or refuse`}, exit: 2}},
		"doctor":     {{command: "spyhop doctor --json", stdout: []string{`"name": "settings"`}}},
		"demo":       {}, // TestReadme runs it
		"completion": {{command: "spyhop completion bash", stdout: []string{"spyhop"}}, {command: "spyhop completion csh", stderr: []string{"error: "}, exit: 2}},
		"man":        {{command: "spyhop man", stdout: []string{".TH ", "spyhop"}}},
		"version":    {{command: "spyhop version", stdout: []string{"spyhop "}}, {command: "spyhop --version", stdout: []string{"spyhop "}}},
	}
	help := w.check(t, shown{command: "spyhop --help", stdout: []string{"Usage: spyhop <command>"}}).stdout
	listed := regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(help, -1)
	if len(listed) < 20 {
		t.Errorf("%d commands are listed:\n%s", len(listed), help)
	}
	var names []string // in the order of help, then other ways to call a command, which it does not list
	for _, m := range listed {
		names = append(names, m[1])
		if _, ok := rows[m[1]]; !ok {
			t.Errorf("%s has no row", m[1])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			all := rows[name]
			own := w.check(t, shown{command: "spyhop " + name + " --help", stdout: []string{"Usage: spyhop " + name}})
			if !strings.Contains(own.stdout, "\n    spyhop ") {
				t.Errorf("the help has no example:\n%s", own.stdout)
			}
			w.check(t, shown{command: "spyhop " + name + " --nosuch", stderr: []string{"error: ", "--nosuch", "hint: "}, exit: 2})
			for _, c := range all {
				page := "https://example.com/"
				if c.browser {
					page = asyncioDocs
				}
				c.command = strings.ReplaceAll(c.command, "URL", page)
				w.check(t, c)
			}
		})
	}
	w.check(t, shown{command: "spyhop nosuch", stderr: []string{"error: ", "nosuch", "hint: spyhop --help shows the commands\n"}, exit: 2})
}
