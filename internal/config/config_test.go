package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
)

func environment(set map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := set[name]; return v, ok }
}

// load reads the settings from an environment with a temporary home folder.
func load(t *testing.T, env map[string]string) (*Settings, error) {
	t.Helper()
	set := map[string]string{"HOME": t.TempDir()}
	for k, v := range env {
		set[k] = v
	}
	return Load(Sources{Environment: environment(set)})
}

// TestValues sets each variable to a value and looks at what comes of it, and
// to a wrong one. A variable of the table without a row fails the test.
func TestValues(t *testing.T) {
	secretWrong := []string{"two words", "line\nbreak"}
	rows := map[string]struct {
		value string
		want  func(Values) any
		is    any
		wrong []string
	}{
		"WEB_HTTP":                  {"Allow", func(v Values) any { return string(v.HTTP) }, "allow", []string{"maybe", "true"}},
		"WEB_REDIRECTS":             {"same-host", func(v Values) any { return string(v.Redirects) }, "same-host", []string{"never"}},
		"WEB_DOMAIN_BLOCKLIST":      {"a.example.com, =b.example.com,", func(v Values) any { return v.Blocklist }, []string{"a.example.com", "=b.example.com"}, []string{"not a host", "http://x/"}},
		"WEB_DOMAIN_ALLOWLIST":      {"*.example.com", func(v Values) any { return v.Allowlist }, []string{"*.example.com"}, []string{"a b"}},
		"WEB_ALLOW_PRIVATE":         {"10.0.0.0/8,wiki.corp:8080", func(v Values) any { return v.AllowPrivate }, []string{"10.0.0.0/8", "wiki.corp:8080"}, []string{"169.254.169.254", "10.0.0.0/99", "x:0"}},
		"WEB_TLS_INSECURE":          {"test.example.com", func(v Values) any { return v.TLSInsecure }, []string{"test.example.com"}, []string{"a b"}},
		"WEB_HEADERS_ALLOWED":       {"X-One,x-two", func(v Values) any { return v.HeadersAllowed }, []string{"X-One", "x-two"}, []string{"X One", "X:1"}},
		"WEB_USER_AGENT":            {"whale/1 (big)", func(v Values) any { return v.UserAgent }, "whale/1 (big)", []string{"a\nb", "größe"}},
		"WEB_MAX_RESPONSE_BYTES":    {"1000", func(v Values) any { return v.MaxResponseBytes }, int64(1000), []string{"0", "-1", "5MB", "1.5", "99999999999"}},
		"WEB_MAX_CONTENT_CHARS":     {"1000", func(v Values) any { return v.MaxContentChars }, 1000, []string{"0", "many"}},
		"WEB_FETCH_TIMEOUT_MS":      {"120000", func(v Values) any { return v.Timeout }, 2 * time.Minute, []string{"0", "120001", "30s"}},
		"WEB_DATA_DIR":              {"/data/../data/x", func(v Values) any { return v.DataDir }, "/data/x", []string{"relative"}},
		"WEB_PROXY":                 {"http://proxy.example.com:3128", func(v Values) any { return v.Proxy }, "http://proxy.example.com:3128", []string{"socks5://x", "proxy:3128"}},
		"WEB_SERVE_OWNER":           {"anonymous", func(v Values) any { return v.ServeOwner }, "anonymous", []string{"nobody"}},
		"WEB_COOKIES":               {"off", func(v Values) any { return v.NoCookies }, true, []string{"on", "always"}},
		"WEB_ROBOTS":                {"on", func(v Values) any { return v.Robots }, true, []string{"maybe"}},
		"WEB_URL_PROVENANCE":        {"strict", func(v Values) any { return string(v.Provenance) }, "strict", []string{"on"}},
		"WEB_URL_GIVEN":             {"https://a.example.com/,http://b.example.com/x", func(v Values) any { return v.Given }, []string{"https://a.example.com/", "http://b.example.com/x"}, []string{"example.com"}},
		"WEB_MCP_ANSWER_CHARS":      {"9000", func(v Values) any { return v.MCPAnswerChars }, 9000, []string{"0"}},
		"WEB_CACHE_TTL":             {"1h", func(v Values) any { return v.CacheTTL }, time.Hour, []string{"-1m", "15 minutes", "soon"}},
		"WEB_CACHE_BYTES":           {"1", func(v Values) any { return v.CacheBytes }, int64(1), []string{"0"}},
		"WEB_OCR":                   {"off", func(v Values) any { return v.NoOCR }, true, []string{"on"}},
		"WEB_RECALL":                {"off", func(v Values) any { return v.NoRecall }, true, []string{"maybe"}},
		"WEB_RECALL_BYTES":          {"1", func(v Values) any { return v.RecallBytes }, int64(1), []string{"0"}},
		"WEB_FRONTIER":              {"postgres://u:p@db/x", func(v Values) any { return v.Frontier }, "postgres://u:p@db/x", secretWrong},
		"WEB_NEGATIVE_TTL":          {"off", func(v Values) any { return v.NegativeTTL }, time.Duration(-1), []string{"never"}},
		"WEB_HOST_CONCURRENCY":      {"1", func(v Values) any { return v.HostConcurrency }, 1, []string{"0", "1001"}},
		"WEB_HOST_RATE":             {"30/m", func(v Values) any { return v.HostRate }, 0.5, []string{"0/s", "5/d", "NaN", "-1"}},
		"WEB_AUDIT_LOG":             {"off", func(v Values) any { return v.NoAudit }, true, []string{"audit.jsonl"}},
		"WEB_SEARCH_PROVIDER":       {"Brave, kagi", func(v Values) any { return v.SearchProvider }, "brave,kagi", []string{"a b", "bing", "auto,brave"}},
		"WEB_SEARCH_MCP":            {"npx server", func(v Values) any { return v.SearchMCP }, "npx server", nil},
		"WEB_SEARCH_MCP_TOOL":       {"search", func(v Values) any { return v.SearchMCPTool }, "search", nil},
		"SEARXNG_URL":               {"http://127.0.0.1:8888", func(v Values) any { return v.SearxngURL }, "http://127.0.0.1:8888", []string{"127.0.0.1:8888"}},
		"WEB_BROWSER":               {"/usr/bin/chromium", func(v Values) any { return v.Browser }, "/usr/bin/chromium", []string{"chromium"}},
		"WEB_SEARCH_MCP_ENV":        {"BRAVE_API_KEY,NODE_EXTRA_CA_CERTS", func(v Values) any { return v.SearchMCPEnv }, []string{"BRAVE_API_KEY", "NODE_EXTRA_CA_CERTS"}, []string{"A=b"}},
		"WEB_BROWSER_UID":           {"64000", func(v Values) any { return v.BrowserUID }, 64000, []string{"0", "-2", "nobody", "4294967295"}},
		"WEB_BROWSER_CDP":           {"http://127.0.0.1:9222", func(v Values) any { return v.BrowserCDP }, "http://127.0.0.1:9222", []string{"9222", "127.0.0.1:9222"}},
		"WEB_BROWSER_PROFILE":       {"/srv/profile", func(v Values) any { return v.BrowserProfile }, "/srv/profile", []string{"profile"}},
		"WEB_BROWSER_HEADED":        {"1", func(v Values) any { return v.BrowserHeaded }, true, []string{"2"}},
		"WEB_ALLOW_INTERACTIVE":     {"no", func(v Values) any { return v.DenyInteractive }, true, []string{"never"}},
		"WEB_ALLOW_SCRIPT":          {"yes", func(v Values) any { return v.AllowScript }, true, []string{"y"}},
		"WEB_UPLOAD_DIR":            {"/srv/up", func(v Values) any { return v.UploadDir }, "/srv/up", []string{"up"}},
		"WEB_SECRETS":               {"/srv/secrets.toml", func(v Values) any { return v.SecretsFile }, "/srv/secrets.toml", []string{"secrets.toml"}},
		"WEB_SESSION_KEY":           {"/srv/key", func(v Values) any { return v.SessionKey }, "/srv/key", []string{"key"}},
		"WEB_MODEL":                 {"ollama/qwen:7b", func(v Values) any { return v.Model }, "ollama/qwen:7b", []string{"/x", "x/"}},
		"WEB_EMBED_MODEL":           {"ollama/nomic", func(v Values) any { return v.EmbedModel }, "ollama/nomic", []string{"/x"}},
		"WEB_EMBED_URL":             {"http://localhost:11434", func(v Values) any { return v.EmbedURL }, "http://localhost:11434", []string{"localhost:11434"}},
		"WEB_SESSION_BUDGET":        {"calls=2,bytes=5MB", func(v Values) any { return v.SessionBudget }, "calls=2,bytes=5MB", []string{"2", "steps=2", "calls=0"}},
		"WEB_MAX_USES":              {"web_search=2", func(v Values) any { return v.MaxUses }, "web_search=2", []string{"web_search", "web_search=many"}},
		"WEB_MODEL_PRICE":           {"0.25/2", func(v Values) any { return v.ModelPrice }, "0.25/2", []string{"1", "a/b", "-1/2", "1/Inf", "1/2/3"}},
		"WEB_SERVE_OAUTH_ISSUER":    {"https://id.example.com/x", func(v Values) any { return v.OAuthIssuer }, "https://id.example.com/x", []string{"id.example.com"}},
		"WEB_SERVE_OAUTH_AUDIENCE":  {"https://web.example.com/mcp", func(v Values) any { return v.ServeOAuthAudience }, "https://web.example.com/mcp", nil},
		"WEB_SERVE_OAUTH_SCOPES":    {"web other", func(v Values) any { return v.ServeOAuthScopes }, "web other", nil},
		"WEB_MODEL_URL":             {"http://localhost:11434", func(v Values) any { return v.ModelURL }, "http://localhost:11434", []string{"localhost:11434"}},
		"OPENAI_API_KEY":            {"k", func(v Values) any { return v.ModelKeys["OPENAI_API_KEY"] }, "k", secretWrong},
		"ANTHROPIC_API_KEY":         {"k", func(v Values) any { return v.ModelKeys["ANTHROPIC_API_KEY"] }, "k", secretWrong},
		"GEMINI_API_KEY":            {"k", func(v Values) any { return v.ModelKeys["GEMINI_API_KEY"] }, "k", secretWrong},
		"WEB_SERVE_ADDR":            {"[::1]:0", func(v Values) any { return v.ServeAddr }, "[::1]:0", []string{"localhost", ":http", "x:70000"}},
		"WEB_SERVE_MAX_CALLS":       {"7", func(v Values) any { return v.ServeMaxCalls }, 7, []string{"0", "x"}},
		"WEB_SERVE_MAX_CONNECTIONS": {"7", func(v Values) any { return v.ServeMaxConnections }, 7, []string{"0"}},
		"WEB_SERVE_MAX_SESSIONS":    {"7", func(v Values) any { return v.ServeMaxSessions }, 7, []string{"-1"}},
		"WEB_AUDIT_KEEP":            {"2000000", func(v Values) any { return v.AuditKeep }, int64(2_000_000), []string{"1000", "1.5e9"}},
		"WEB_SERVE_MAX_JOBS":        {"7", func(v Values) any { return v.MaxJobs }, 7, []string{"0"}},
		"WEB_JOB_KEEP":              {"1h", func(v Values) any { return v.JobKeep }, time.Hour, []string{"1", "59s", "9000h"}},
		"WEB_CAPTURE_KEEP":          {"1h", func(v Values) any { return v.CaptureKeep }, time.Hour, []string{"1", "59s", "9000h"}},
		"WEB_VERSION_KEEP":          {"1d", func(v Values) any { return v.VersionKeep }, 24 * time.Hour, []string{"0", "59s", "2161h"}},
		"WEB_SERVE_DELAY":           {"9s", func(v Values) any { return v.ServeDelay }, 9 * time.Second, []string{"nine", "-1s", "2h"}},
		"WEB_ACCESS_LOG":            {"JSON", func(v Values) any { return v.AccessLog }, "json", []string{"yes", "stderr"}},
		"WEB_ADMIN_ADDR":            {"127.0.0.1:7750", func(v Values) any { return v.AdminAddr }, "127.0.0.1:7750", []string{"7750", "127.0.0.1:http"}},
		"WEB_SERVE_GRACE":           {"9s", func(v Values) any { return v.ServeGrace }, 9 * time.Second, []string{"nine", "0s", "2h"}},
		"WEB_SERVE_TOKEN":           {"t", func(v Values) any { return v.ServeToken }, "t", secretWrong},
		"WEB_SERVE_TOKENS":          {"/etc/tokens.toml", func(v Values) any { return v.ServeTokens }, "/etc/tokens.toml", []string{"tokens.toml"}},
	}
	for _, v := range Variables() {
		row, ok := rows[v.Name]
		if provider, isKey := strings.CutSuffix(v.Name, "_API_KEY"); !ok && isKey {
			provider = strings.ToLower(provider)
			row.value, row.is, row.wrong = "k", "k", secretWrong
			row.want = func(v Values) any { return v.SearchKeys[provider] }
			ok = true
		}
		if !ok {
			t.Errorf("%s has no row here", v.Name)
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			s, err := load(t, map[string]string{v.Name: row.value})
			if err != nil {
				t.Fatal(err)
			}
			if got := row.want(s.Values); !reflect.DeepEqual(got, row.is) {
				t.Errorf("%q gives %#v, want %#v", row.value, got, row.is)
			}
			for _, wrong := range row.wrong {
				_, err := load(t, map[string]string{v.Name: wrong})
				var e *Error
				if !errors.As(err, &e) || e.Name != v.Name || !strings.Contains(e.Form, v.Form) || e.From != "the environment" {
					t.Errorf("%q: %v", wrong, err)
				} else if v.Secret && strings.Contains(err.Error(), wrong) {
					t.Errorf("the error shows the secret: %v", err)
				}
			}
		})
	}
	if len(rows)+12 != len(Variables()) {
		t.Errorf("%d rows for %d variables", len(rows)+12, len(Variables()))
	}
}

// TestTable: each row of the table is complete.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Variables() {
		if seen[v.Name] || v.Name != strings.ToUpper(v.Name) || v.Form == "" || v.Doc == "" || v.set == nil {
			t.Errorf("%+v", v)
		}
		seen[v.Name] = true
		if v.Doc[len(v.Doc)-1] == '.' || strings.Contains(v.Name, "KEY") && !v.Secret && v.Name != "WEB_SESSION_KEY" {
			t.Errorf("%s: %q, secret %v", v.Name, v.Doc, v.Secret)
		}
		if v.Secret != (v.Flag() == "") {
			t.Errorf("%s has the flag %q", v.Name, v.Flag())
		}
	}
}

// TestChoices: the words that completion offers for a variable are those that it takes.
func TestChoices(t *testing.T) {
	got := map[string]string{}
	for _, v := range Variables() {
		for _, word := range v.Choices() {
			if _, err := Load(Sources{Environment: environment(map[string]string{"HOME": "/home/mara", v.Name: word})}); err != nil {
				t.Errorf("%s=%s: %v", v.Name, word, err)
			}
		}
		if words := v.Choices(); words != nil {
			got[v.Name] = strings.Join(words, " ")
			if v.Default != "" && !slices.Contains(words, v.Default) {
				t.Errorf("%s: the default %s is not among %q", v.Name, v.Default, words)
			}
		}
	}
	for name, want := range map[string]string{"WEB_HTTP": "upgrade allow refuse", "WEB_ROBOTS": "on off", "WEB_ACCESS_LOG": "off text json",
		"WEB_CACHE_TTL": "", "WEB_AUDIT_LOG": "", "WEB_SEARCH_PROVIDER": "", "WEB_BROWSER": "", "WEB_MODEL": ""} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// TestDefaults: nothing set gives the zero Values but for the data folder.
func TestDefaults(t *testing.T) {
	s, err := Load(Sources{Environment: environment(map[string]string{"HOME": "/home/mara"})})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Values{Config: spyhop.Config{DataDir: "/home/mara/.cache/spyhop"}}); !reflect.DeepEqual(s.Values, want) {
		t.Errorf("%+v", s.Values)
	}
	for _, set := range s.All {
		want := set.Default
		if set.Name == "WEB_DATA_DIR" {
			want = "/home/mara/.cache/spyhop"
		}
		if set.Origin != Default || set.Value != want || set.From != "" {
			t.Errorf("%s = %q from %s %s", set.Name, set.Value, set.Origin, set.From)
		}
	}
}

// TestOrder: file, environment, flags, in rising order, with stand-ins that
// are as good as the variable, or last.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name       string
		file       string
		env, flags map[string]string
		variable   string
		value      string
		origin     Origin
	}{
		{"nothing", "", nil, nil, "WEB_HTTP", "upgrade", Default},
		{"file", `web_http = "allow"`, nil, nil, "WEB_HTTP", "allow", fromFile},
		{"environment over file", `web_http = "allow"`, map[string]string{"WEB_HTTP": "refuse"}, nil, "WEB_HTTP", "refuse", fromEnvironment},
		{"flag over environment", `web_http = "allow"`, map[string]string{"WEB_HTTP": "refuse"}, map[string]string{"WEB_HTTP": "upgrade"}, "WEB_HTTP", "upgrade", flag},
		{"empty environment is not set", `web_http = "allow"`, map[string]string{"WEB_HTTP": " "}, nil, "WEB_HTTP", "allow", fromFile},
		{"empty flag is the default", `web_http = "allow"`, nil, map[string]string{"WEB_HTTP": ""}, "WEB_HTTP", "upgrade", Default},
		{"WEB_ALLOW_HTTP true", "", map[string]string{"WEB_ALLOW_HTTP": "true"}, nil, "WEB_HTTP", "allow", fromEnvironment},
		{"WEB_ALLOW_HTTP false", "", map[string]string{"WEB_ALLOW_HTTP": "false"}, nil, "WEB_HTTP", "refuse", fromEnvironment},
		{"WEB_HTTP beside WEB_ALLOW_HTTP", "", map[string]string{"WEB_ALLOW_HTTP": "true", "WEB_HTTP": "refuse"}, nil, "WEB_HTTP", "refuse", fromEnvironment},
		{"WEB_ALLOW_HTTP over the file", `web_http = "refuse"`, map[string]string{"WEB_ALLOW_HTTP": "true"}, nil, "WEB_HTTP", "allow", fromEnvironment},
		{"web_allow_http in the file", `web_allow_http = true`, nil, nil, "WEB_HTTP", "allow", fromFile},
		{"USER_AGENT", "", map[string]string{"USER_AGENT": "shell/1"}, nil, "WEB_USER_AGENT", "shell/1", fromEnvironment},
		{"USER_AGENT is last", `web_user_agent = "whale/1"`, map[string]string{"USER_AGENT": "shell/1"}, nil, "WEB_USER_AGENT", "whale/1", fromFile},
		{"number", `web_max_content_chars = 7`, nil, nil, "WEB_MAX_CONTENT_CHARS", "7", fromFile},
		{"list", `web_domain_blocklist = ["a.example", "b.example"]`, nil, nil, "WEB_DOMAIN_BLOCKLIST", "a.example,b.example", fromFile},
		{"list as text", `web_domain_blocklist = "a.example,b.example"`, nil, nil, "WEB_DOMAIN_BLOCKLIST", "a.example,b.example", fromFile},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Load(Sources{File: file, Environment: environment(c.env), Flags: c.flags})
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range s.All {
				if set.Name == c.variable && (set.Value != c.value || set.Origin != c.origin) {
					t.Errorf("%s = %q from %s, want %q from %s", set.Name, set.Value, set.Origin, c.value, c.origin)
				}
			}
		})
	}
}

func TestFileRefused(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"unknown key", `web_htpt = "allow"`, "did you mean web_http?"},
		{"nothing near", `colour = "red"`, "run spyhop config to list the settings"},
		{"table", "[web]\nhttp = \"allow\"", "web is not a setting"},
		{"not TOML", "web_http allow", "not TOML at line 1"},
		{"secret in a broken line", `BRAVE_API_KEY = hush`, "not TOML at line 1"},
		{"list for one value", `web_http = ["allow"]`, "use upgrade, allow or refuse"},
		{"list of numbers", `web_domain_blocklist = [1]`, "wrong kind"},
		{"comma in an element", `web_domain_blocklist = ["a,b"]`, "wrong kind"},
		{"date", `web_http = 2026-01-01`, "wrong kind"},
		{"wrong value", `web_http = "maybe"`, `web_http = "maybe" is not allowed`},
		{"wrong value of a stand-in", `web_allow_http = "maybe"`, "use true or false"},
		{"too large", "#" + strings.Repeat("x", maxFileBytes), "at most 1 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(Sources{File: file})
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.From != file {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "hush") {
				t.Errorf("the error shows the line: %v", err)
			}
		})
	}
	if _, err := Load(Sources{File: filepath.Join(t.TempDir(), "none.toml")}); err == nil {
		t.Error("a file that was named and is missing was passed over")
	}
}

// TestFolders: the base directories of the XDG specification.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "spyhop"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "spyhop", "config.toml")
	if err := os.WriteFile(file, []byte(`web_http = "allow"`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(Sources{Environment: environment(map[string]string{"XDG_CONFIG_HOME": dir, "XDG_CACHE_HOME": "relative", "HOME": "/home/mara"})})
	if err != nil || s.File != file || s.Values.HTTP != "allow" || s.Values.DataDir != "/home/mara/.cache/spyhop" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	s, err := load(t, map[string]string{"BRAVE_API_KEY": "hush", "WEB_SERVE_TOKEN": "hush", "WEB_PROXY": "http://user:hush@proxy.example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range s.All {
		if strings.Contains(set.Shown(), "hush") {
			t.Errorf("%s shows %q", set.Name, set.Shown())
		}
	}
}

// FuzzFile: any file gives settings or an Error.
func FuzzFile(f *testing.F) {
	f.Add(`web_http = "allow"`)
	f.Add("[web]\nhttp = [[1]]")                      // tables and nested arrays
	f.Add(`web_cache_ttl = 1e400`)                    // a number that no float holds
	f.Add(`web_host_rate = nan` + "\n" + `a.b.c = 1`) // dotted keys
	f.Fuzz(func(t *testing.T, data string) {
		table := Variables()
		values, err := parseFile("fuzz.toml", []byte(data), table)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		for _, v := range table {
			if text := strings.TrimSpace(values[v.key()]); text != "" {
				_ = v.set(new(Values), text)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	env := environment(map[string]string{"HOME": b.TempDir(), "WEB_HTTP": "allow"})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(Sources{Environment: env}); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleLoad() {
	env := map[string]string{"WEB_HTTP": "allow", "WEB_FETCH_TIMEOUT_MS": "5000"}
	s, err := Load(Sources{Environment: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Values.HTTP, s.Values.Timeout)

	env["WEB_HTTP"] = "maybe"
	_, err = Load(Sources{Environment: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	fmt.Println(err)
	// Output:
	// allow 5s
	// WEB_HTTP = "maybe" is not allowed (in the environment): use upgrade, allow or refuse
}

// The window of answers over MCP is the smaller of two settings, or the one that
// is set.
func TestAnswerChars(t *testing.T) {
	for _, c := range []struct{ mcp, all, want int }{{0, 0, 0}, {500, 0, 500}, {0, 300, 300}, {0, 50_000, 50_000}, {9500, 300, 300}, {9500, 50_000, 9500}, {20_000, 15_000, 15_000}} {
		if got := (Values{MCPAnswerChars: c.mcp, Config: spyhop.Config{MaxContentChars: c.all}}).AnswerChars(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{"5": 5 * time.Second, "1.5": 1500 * time.Millisecond, "90s": 90 * time.Second, "2m30s": 150 * time.Second, "7d": 7 * 24 * time.Hour} {
		if got, ok := Duration(in); !ok || got != want {
			t.Errorf("Duration(%q) = %s, %t; want %s", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "five", "5x", "NaN", "Inf", "1e300", "d"} {
		if got, ok := Duration(in); ok {
			t.Errorf("Duration(%q) = %s", in, got)
		}
	}
}

// TestProxyOfEnvironment: WEB_PROXY=env takes the proxy that other programs use; without it,
// their variables are ignored.
func TestProxyOfEnvironment(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		want string
		bad  bool
	}{
		{map[string]string{"WEB_PROXY": "env", "HTTPS_PROXY": "http://a.example:3128", "HTTP_PROXY": "http://b.example"}, "http://a.example:3128", false},
		{map[string]string{"WEB_PROXY": "env", "http_proxy": "b.example:8080"}, "http://b.example:8080", false},
		{map[string]string{"WEB_PROXY": "env", "ALL_PROXY": "http://c.example/"}, "http://c.example", false},
		{map[string]string{"WEB_PROXY": "env"}, "", false},
		{map[string]string{"HTTPS_PROXY": "http://a.example:3128"}, "", false},
		{map[string]string{"WEB_PROXY": "env", "ALL_PROXY": "socks5://hush@d.example"}, "", true},
	} {
		s, err := load(t, c.set)
		switch {
		case c.bad:
			if err == nil || !strings.Contains(err.Error(), "ALL_PROXY") || strings.Contains(err.Error(), "hush") {
				t.Errorf("%v: %v", c.set, err)
			}
		case err != nil || s.Values.Proxy != c.want:
			t.Errorf("%v: %v", c.set, err)
		}
	}
}
