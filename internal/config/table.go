package config

import (
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/search"
)

// Variable is one row of the table of settings.
type Variable struct {
	// Name is the name of the environment variable. The key in the file is the
	// name in lower case; the flag also has "-" for "_".
	Name string
	// Default is the default as it is printed; "" means empty.
	Default string
	// Form says what is allowed. It completes a sentence that begins with "use".
	Form string
	// Doc is one line that says what the setting does.
	Doc string
	// Short is another name of the flag; "" means none.
	Short string
	// Example is a value that is allowed.
	Example string
	// Topic is the heading under which the setting is documented.
	Topic string
	// Secret values are masked and have no flag.
	Secret bool
	// Query values are URLs whose query can contain a key, which is masked.
	Query bool
	// List values are separated by commas, and may be arrays in the file.
	List bool
	// Reload values are taken over by a running server on SIGHUP.
	Reload bool

	set func(*Values, string) error
	// stand are other variables whose values are converted to values of this one.
	stand []standIn
}

// Choices are the values of a variable that takes one of several words; nil for others.
func (v Variable) Choices() []string {
	if v.List {
		return nil
	}
	words := strings.FieldsFunc(strings.ReplaceAll(v.Form, " or ", ", "), func(r rune) bool { return r == ',' })
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
		if strings.ContainsFunc(words[i], func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
			return nil
		}
	}
	if len(words) < 2 {
		return nil
	}
	return words
}

// standIn is another variable that sets this one.
type standIn struct {
	name      string
	form      string
	translate func(string) (string, bool)
	// last reports whether the stand-in counts only when no source sets the
	// variable. If false, it counts as the variable within the same source.
	last bool
}

// key is the name in the file.
func (v Variable) key() string { return strings.ToLower(v.Name) }

// Flag is the name of the flag without dashes, or "" for secrets.
func (v Variable) Flag() string {
	if v.Secret {
		return ""
	}
	return strings.ReplaceAll(v.key(), "_", "-")
}

// Variables returns the table of every setting, in the order in which they are
// documented. A new setting is a row here, under its topic: the flag, the key of
// the settings file, spyhop config --help, spyhop config init, the man page and
// docs/settings.md follow (go test ./cmd/spyhop -run TestDocuments -update
// writes that page). Its value goes to [Values].
func Variables() []Variable {
	table := make([]Variable, 0, 64)
	topic := ""
	add := func(v Variable) {
		v.Topic = topic
		table = append(table, v)
	}

	topic = "Network and policy"
	add(Variable{Name: "WEB_HTTP", Default: "upgrade", Form: "upgrade, allow or refuse", Example: "allow",
		Doc: "what happens to http URLs: upgrade requests https instead, allow requests them as they are, refuse blocks them. WEB_ALLOW_HTTP=true means allow, false means refuse", set: oneOf(func(v *Values) *spyhop.HTTPMode { return &v.HTTP }, "upgrade", "allow", "refuse"),
		stand: []standIn{{name: "WEB_ALLOW_HTTP", form: "true or false", translate: allowHTTP}}})
	add(Variable{Name: "WEB_REDIRECTS", Form: "same-host or follow", Example: "same-host",
		Doc: "which redirects are followed; empty: all of them for people and programs, only those within a host for models",
		set: oneOf(func(v *Values) *spyhop.RedirectPolicy { return &v.Redirects }, "same-host", "follow")})
	add(Variable{Name: "WEB_DOMAIN_BLOCKLIST", Reload: true, Form: hostForm, Example: "ads.example.com,=example.org", List: true,
		Doc: "hosts that are blocked; the blocklist wins over the allowlist", set: hosts(func(v *Values) *[]string { return &v.Blocklist })})
	add(Variable{Name: "WEB_DOMAIN_ALLOWLIST", Reload: true, Form: hostForm, Example: "example.com,docs.example.org", List: true,
		Doc: "the only hosts that are allowed; empty: every public host that is not blocked", set: hosts(func(v *Values) *[]string { return &v.Allowlist })})
	add(Variable{Name: "WEB_ALLOW_PRIVATE", Form: `a list of hosts, addresses or networks, each with an optional ":port"`, Example: "localhost:3000,10.0.0.0/8", List: true,
		Doc: "private hosts that may be reached, for example a server on this machine; cloud metadata services stay blocked", set: lists(func(v *Values) *[]string { return &v.AllowPrivate }, isException)})
	add(Variable{Name: "WEB_TLS_INSECURE", Form: hostForm, Example: "test.example.com", List: true,
		Doc: "test machines whose certificates are not checked, which each result reports", set: hosts(func(v *Values) *[]string { return &v.TLSInsecure })})
	add(Variable{Name: "WEB_PROXY", Form: "http://host:port, https://host:port or env", Example: "http://proxy.example.com:3128",
		Doc: "an upstream proxy for connections to public hosts. Names are still resolved and checked on this machine; env takes it from HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, which are ignored otherwise",
		set: proxy, Secret: true})
	add(Variable{Name: "WEB_HEADERS_ALLOWED", Form: "a list of header names", Example: "X-Team", List: true,
		Doc: "additional request headers that a model may set", set: lists(func(v *Values) *[]string { return &v.HeadersAllowed }, isHeaderName)})
	add(Variable{Name: "WEB_USER_AGENT", Form: "one line of printable ASCII", Example: "ExampleBot/1.0 (+https://example.com/bot)",
		Doc: "the User-Agent header; empty: USER_AGENT, else a Firefox-compatible string that names Spyhop and its version",
		set: line(func(v *Values) *string { return &v.UserAgent }),
		stand: []standIn{{name: "USER_AGENT", form: "one line of printable ASCII", last: true,
			translate: func(s string) (string, bool) { return s, true }}}})
	add(Variable{Name: "WEB_COOKIES", Default: "call", Form: "call or off", Example: "off",
		Doc: "call: cookies that servers set are sent back within the same fetch, or the same crawl of one site, and then forgotten; off: never",
		set: either(func(v *Values, off bool) { v.NoCookies = off }, "call", "off")})
	add(Variable{Name: "WEB_ROBOTS", Default: "off", Form: "on or off", Example: "on", Doc: "obey robots.txt when a page is fetched; crawls always obey it",
		set: boolean(func(v *Values, b bool) { v.Robots = b })})
	add(Variable{Name: "WEB_URL_PROVENANCE", Default: "off", Form: "off or strict", Example: "strict", Doc: "strict limits a model to URLs that the user gave or a search found",
		set: oneOf(func(v *Values) *spyhop.Provenance { return &v.Provenance }, "off", "strict")})
	add(Variable{Name: "WEB_URL_GIVEN", Form: "a list of http or https URLs", Example: "https://example.com/", List: true, Doc: "URLs that count as given by the user",
		set: lists(func(v *Values) *[]string { return &v.Given }, isWebURL)})
	add(Variable{Name: "WEB_HOST_CONCURRENCY", Default: "4", Form: "a whole number from 1 to 1000", Example: "2",
		Doc: "the maximum number of simultaneous requests to one host; if it is not set, 4, and 2 for a crawl", set: whole(func(v *Values, n int64) { v.HostConcurrency = int(n) }, 1, 1000)})
	add(Variable{Name: "WEB_HOST_RATE", Default: "5/s", Form: "a rate such as 5/s or 30/m", Example: "1/s",
		Doc: "the maximum rate of requests to one host", set: rate})

	topic = "Results and limits"
	add(Variable{Name: "WEB_MAX_RESPONSE_BYTES", Default: "5242880", Form: "a whole number of bytes from 1 to 1073741824", Example: "10485760",
		Doc: "how many bytes of a text response are read, after decompression", set: whole(func(v *Values, n int64) { v.MaxResponseBytes = n }, 1, 1<<30)})
	add(Variable{Name: "WEB_MAX_CONTENT_CHARS", Default: "20000", Form: "a whole number of characters from 1 to 1073741824", Example: "50000",
		Doc: "the length of the content where a call sets none; over MCP, WEB_MCP_ANSWER_CHARS counts too", set: whole(func(v *Values, n int64) { v.MaxContentChars = int(n) }, 1, 1<<30)})
	add(Variable{Name: "WEB_MCP_ANSWER_CHARS", Default: "9500", Form: "a whole number of characters from 1 to 1073741824", Example: "20000",
		Doc: "the length of a result over MCP; the smaller of this and WEB_MAX_CONTENT_CHARS applies, or the one that is set", set: whole(func(v *Values, n int64) { v.MCPAnswerChars = int(n) }, 1, 1<<30)})
	add(Variable{Name: "WEB_FETCH_TIMEOUT_MS", Default: "30000", Form: "a whole number of milliseconds from 1 to 120000", Example: "60000",
		Doc: "the time limit of a fetch, in milliseconds", set: milliseconds})

	add(Variable{Name: "WEB_OCR", Default: "auto", Form: "auto or off", Example: "off",
		Doc: "auto: the text of pictures and of scanned PDFs is recognized with tesseract, if it is installed; off: never", set: either(func(v *Values, off bool) { v.NoOCR = off }, "auto", "off")})

	topic = "Stored data"
	add(Variable{Name: "WEB_DATA_DIR", Default: "$XDG_CACHE_HOME/spyhop", Form: "an absolute path", Example: "/var/lib/spyhop",
		Doc: "the folder of the cache, page versions, crawls, captures and logs", set: path(func(v *Values) *string { return &v.DataDir })})
	add(Variable{Name: "WEB_CACHE_TTL", Default: "15m", Form: "a duration such as 15m, a number of seconds, or off", Example: "1h",
		Doc: "how long a cached response is used without a request to the site", set: duration(func(v *Values) *ttl { return &v.CacheTTL })})
	add(Variable{Name: "WEB_CACHE_BYTES", Default: "268435456", Form: "a whole number of bytes, 1 or more", Example: "1073741824",
		Doc: "the maximum size of the cache", set: whole(func(v *Values, n int64) { v.CacheBytes = n }, 1, 1<<50)})
	add(Variable{Name: "WEB_NEGATIVE_TTL", Default: "60s", Form: "a duration such as 60s, a number of seconds, or off", Example: "off",
		Doc: "how long a failure is cached", set: duration(func(v *Values) *ttl { return &v.NegativeTTL })})
	add(Variable{Name: "WEB_RECALL", Default: "on", Form: "on or off", Example: "off", Doc: "keep the text of fetched pages for 90 days, so that web_recall and spyhop recall find them",
		set: boolean(func(v *Values, b bool) { v.NoRecall = !b })})
	add(Variable{Name: "WEB_RECALL_BYTES", Default: "268435456", Form: "a whole number of bytes, 1 or more", Example: "1073741824",
		Doc: "the maximum size of the pages that recall can find", set: whole(func(v *Values, n int64) { v.RecallBytes = n }, 1, 1<<50)})
	add(Variable{Name: "WEB_VERSION_KEEP", Default: "2160h", Form: "a duration from 1m to 2160h", Example: "720h", Doc: "how long the versions of a page are kept after it was last fetched",
		set: within(func(v *Values) *time.Duration { return &v.VersionKeep }, time.Minute, 90*24*time.Hour)})
	add(Variable{Name: "WEB_CAPTURE_KEEP", Default: "24h", Form: "a duration from 1m to 8760h", Example: "168h", Doc: "how long screenshots and PDFs are kept",
		set: within(func(v *Values) *time.Duration { return &v.CaptureKeep }, time.Minute, 365*24*time.Hour)})
	add(Variable{Name: "WEB_JOB_KEEP", Default: "720h", Form: "a duration from 1m to 8760h", Example: "168h", Doc: "how long spyhop serve keeps a crawl or a batch after its end",
		set: within(func(v *Values) *time.Duration { return &v.JobKeep }, time.Minute, 365*24*time.Hour)})
	add(Variable{Name: "WEB_FRONTIER", Form: "postgres://user:password@host:port/database, with ?sslmode=disable, require, verify-ca or verify-full", Example: "postgres://spyhop:password@db.example.com:5432/spyhop",
		Doc: "the PostgreSQL database that several machines share for crawls; empty: a file in the data folder", set: secret(func(v *Values) *string { return &v.Frontier }), Secret: true})
	add(Variable{Name: "WEB_AUDIT_LOG", Default: "$WEB_DATA_DIR/audit.jsonl", Form: "an absolute path, or off", Example: "/var/log/spyhop/audit.jsonl",
		Doc: "the file that records every call and every policy decision", set: auditLog})
	add(Variable{Name: "WEB_AUDIT_KEEP", Default: "83886080", Form: "a whole number of bytes from 1048576 to 1099511627776", Example: "268435456",
		Doc: "the maximum size of the audit log with its older files; the oldest are removed", set: whole(func(v *Values, n int64) { v.AuditKeep = n }, 1<<20, 1<<40)})

	topic = "Search"
	add(Variable{Name: "WEB_SEARCH_PROVIDER", Default: "auto", Form: "auto, none, fuse, a provider's name, or a list of names", Example: "brave", List: true,
		Doc: "the search provider, or several in the order in which they are tried; auto takes the providers that have a key, else DuckDuckGo", set: provider})
	add(Variable{Name: "SEARXNG_URL", Form: "an http or https URL", Example: "http://127.0.0.1:8888", Doc: "the URL of a SearXNG server; it may be private", Query: true,
		set: url(func(v *Values) *string { return &v.SearxngURL })})
	add(Variable{Name: "WEB_SEARCH_MCP", Form: "a command line or a URL", Example: "npx -y @brave/brave-search-mcp-server", Doc: "an MCP server that searches; its URL may be private", Secret: true, // it may contain keys
		set: searchServer})
	add(Variable{Name: "WEB_SEARCH_MCP_TOOL", Form: "the name of a tool", Example: "brave_web_search", Doc: "the search tool of the WEB_SEARCH_MCP server; empty: the tool that looks like a search",
		set: text(func(v *Values) *string { return &v.SearchMCPTool })})
	add(Variable{Name: "WEB_SEARCH_MCP_ENV", Form: "a list of names of environment variables", Example: "BRAVE_API_KEY", List: true,
		Doc: "variables that the process of WEB_SEARCH_MCP gets besides PATH, HOME, LANG and TMPDIR", set: lists(func(v *Values) *[]string { return &v.SearchMCPEnv }, isVariableName)})
	for _, p := range search.KeyNames() {
		add(Variable{Name: search.KeyName(p), Form: secretForm, Example: "abc123", Doc: "the API key for searching with " + strings.ToUpper(p[:1]) + p[1:], Secret: true,
			set: keyOf(func(v *Values) *map[string]string { return &v.SearchKeys }, p)})
	}

	topic = "Browser"
	add(Variable{Name: "WEB_BROWSER", Form: "an absolute path", Example: "/usr/bin/chromium", Doc: "the path of the browser; empty: an installed Chromium, Chrome or Edge",
		set: path(func(v *Values) *string { return &v.Browser })})
	add(Variable{Name: "WEB_BROWSER_CDP", Short: "cdp", Form: "an http or https URL", Example: "http://127.0.0.1:9222", Doc: "a running browser to work in, with the logins of its person; empty: spyhop starts its own",
		set: url(func(v *Values) *string { return &v.BrowserCDP })})
	add(Variable{Name: "WEB_BROWSER_PROFILE", Form: "an absolute path", Example: "/home/ann/spyhop-profile", Doc: "the folder of a browser profile that is kept between runs; empty: none",
		set: path(func(v *Values) *string { return &v.BrowserProfile })})
	add(Variable{Name: "WEB_BROWSER_HEADED", Default: "false", Form: boolForm, Example: "true", Doc: "show the browser's windows instead of running it headless",
		set: boolean(func(v *Values, b bool) { v.BrowserHeaded = b })})
	add(Variable{Name: "WEB_BROWSER_UID", Form: "a user id from 1 to 4294967294, or -1", Example: "64000",
		Doc: "the user id of the browser where spyhop runs as root; empty: an unused one; -1: root, without the browser's sandbox", set: userID})
	add(Variable{Name: "WEB_ALLOW_INTERACTIVE", Default: "true", Form: boolForm, Example: "false", Doc: "offer the tools that type, click and upload",
		set: boolean(func(v *Values, b bool) { v.DenyInteractive = !b })})
	add(Variable{Name: "WEB_ALLOW_SCRIPT", Default: "false", Form: boolForm, Example: "true", Doc: "offer the tool that runs JavaScript in a page",
		set: boolean(func(v *Values, b bool) { v.AllowScript = b })})
	add(Variable{Name: "WEB_UPLOAD_DIR", Form: "an absolute path", Example: "/srv/uploads", Doc: "the only folder from which files can be uploaded; empty: uploads are refused",
		set: path(func(v *Values) *string { return &v.UploadDir })})
	add(Variable{Name: "WEB_SESSION_KEY", Form: "an absolute path", Example: "/etc/spyhop/session.key", Doc: "the file with the key that encrypts saved logins and browser states; empty: session.key in WEB_DATA_DIR",
		set: path(func(v *Values) *string { return &v.SessionKey })})

	add(Variable{Name: "WEB_SECRETS", Form: "an absolute path", Example: "/home/ann/secrets.toml", Doc: "a TOML file of mode 0600 with secrets that the browser types in place of ${secret:NAME}, each bound to its sites",
		set: path(func(v *Values) *string { return &v.SecretsFile })})

	topic = "Language models"
	add(Variable{Name: "WEB_MODEL", Form: "provider/name, or a name where WEB_MODEL_URL is set", Example: "ollama/qwen3:8b", Doc: "the language model for spyhop ask, for prompts and for schemas without selectors", set: checked(func(v *Values) *string { return &v.Model }, isModel)})
	add(Variable{Name: "WEB_MODEL_URL", Form: "an http or https URL", Example: "http://127.0.0.1:11434", Doc: "the endpoint of the language model, where it is not the provider's own; it may be private", Query: true,
		set: url(func(v *Values) *string { return &v.ModelURL })})
	add(Variable{Name: "WEB_MODEL_PRICE", Form: "in/out, for example 0.25/2", Example: "0.25/2", Doc: "what the model costs, in US dollars for a million tokens that it reads and writes, for budgets in money", set: checked(func(v *Values) *string { return &v.ModelPrice }, isPrice)})
	add(Variable{Name: "WEB_EMBED_MODEL", Form: "provider/name, or a name where WEB_EMBED_URL is set", Example: "ollama/nomic-embed-text", Doc: "the embedding model by which passages for a query, recalled pages and the pages of a crawl with a query are ranked beside their words; empty: words alone", set: checked(func(v *Values) *string { return &v.EmbedModel }, isModel)})
	add(Variable{Name: "WEB_EMBED_URL", Form: "an http or https URL", Example: "http://127.0.0.1:11434", Doc: "the endpoint of the embedding model, where it is not the provider's own; it may be private", Query: true,
		set: url(func(v *Values) *string { return &v.EmbedURL })})
	add(Variable{Name: "WEB_SESSION_BUDGET", Form: "calls=N,pages=N,tokens=N,bytes=N, or some of them; bytes may end in kB, MB or GB", Example: "calls=200,pages=50,tokens=100000,bytes=50MB",
		Doc: "what an agent may use in a session of MCP, or a caller without one in a day; empty: no limit",
		set: limits(func(v *Values) *string { return &v.SessionBudget }, func(s string) (budget.Limits, error) { return budget.Parse(s, "") })})
	add(Variable{Name: "WEB_MAX_USES", Form: "TOOL=N, separated by commas", Example: "web_search=10,web_fetch=50",
		Doc: "how often an agent may call a tool in a session; empty: no limit",
		set: limits(func(v *Values) *string { return &v.MaxUses }, func(s string) (budget.Limits, error) { return budget.Parse("", s) })})
	for _, m := range [][2]string{{"OPENAI_API_KEY", "OpenAI-compatible models"}, {"ANTHROPIC_API_KEY", "Anthropic's models"}, {"GEMINI_API_KEY", "Gemini's models"}} {
		add(Variable{Name: m[0], Form: secretForm, Example: "abc123", Doc: "the API key for " + m[1], Secret: true,
			set: keyOf(func(v *Values) *map[string]string { return &v.ModelKeys }, m[0])})
	}

	topic = "Server"
	add(Variable{Name: "WEB_SERVE_ADDR", Default: "127.0.0.1:7749", Form: "address:port", Example: "0.0.0.0:7749", Doc: "the address on which spyhop serve listens",
		set: hostPort(func(v *Values) *string { return &v.ServeAddr })})
	add(Variable{Name: "WEB_SERVE_OWNER", Default: "local", Form: "local or anonymous", Example: "anonymous",
		Doc: "whose crawls, monitors and pages the callers of spyhop serve without a token have, if only this machine reaches it: those of the command, without its saved logins, or their own",
		set: oneOf(func(v *Values) *string { return &v.ServeOwner }, "local", "anonymous")})
	add(Variable{Name: "WEB_SERVE_TOKEN", Form: secretForm, Example: "a-long-random-string", Doc: "the bearer token of spyhop serve; empty: spyhop makes one if other machines can reach the server", Secret: true,
		set: secret(func(v *Values) *string { return &v.ServeToken })})
	add(Variable{Name: "WEB_SERVE_TOKENS", Reload: true, Form: "an absolute path", Example: "/etc/spyhop/tokens.toml", Doc: "a TOML file with named bearer tokens of spyhop serve and their quotas; WEB_SERVE_TOKEN adds one named default",
		set: path(func(v *Values) *string { return &v.ServeTokens })})
	add(Variable{Name: "WEB_SERVE_OAUTH_ISSUER", Form: "an http or https URL", Example: "https://id.example.com", Doc: "the OAuth 2 authorization server whose access tokens spyhop serve accepts",
		set: url(func(v *Values) *string { return &v.OAuthIssuer })})
	add(Variable{Name: "WEB_SERVE_OAUTH_AUDIENCE", Form: "the URL of /mcp of this server, as clients know it", Example: "https://web.example.com/mcp", Doc: "what these access tokens have to be for",
		set: func(v *Values, s string) error { v.ServeOAuthAudience = s; return nil }})
	add(Variable{Name: "WEB_SERVE_OAUTH_SCOPES", Form: "scopes, separated by spaces", Example: "web", Doc: "the scopes that these access tokens have to have",
		set: func(v *Values, s string) error { v.ServeOAuthScopes = s; return nil }})
	add(Variable{Name: "WEB_SERVE_MAX_CALLS", Reload: true, Default: "64", Form: "a whole number from 1 to 10000", Example: "8", Doc: "how many pages spyhop serve parses at a time, and never more than twice the processors or four; calls that wait do not count",
		set: whole(func(v *Values, n int64) { v.ServeMaxCalls = int(n) }, 1, 10_000)})
	add(Variable{Name: "WEB_SERVE_MAX_CONNECTIONS", Reload: true, Default: "1024", Form: "a whole number from 1 to 100000", Example: "4096", Doc: "how many connections spyhop serve has open at a time",
		set: whole(func(v *Values, n int64) { v.ServeMaxConnections = int(n) }, 1, 100_000)})
	add(Variable{Name: "WEB_SERVE_MAX_SESSIONS", Reload: true, Default: "10000", Form: "a whole number from 1 to 1000000", Example: "1000", Doc: "how many MCP sessions spyhop serve has at a time",
		set: whole(func(v *Values, n int64) { v.ServeMaxSessions = int(n) }, 1, 1_000_000)})
	add(Variable{Name: "WEB_SERVE_MAX_JOBS", Reload: true, Default: "16", Form: "a whole number from 1 to 1000", Example: "4", Doc: "how many crawls and batches spyhop serve runs at a time; others wait",
		set: whole(func(v *Values, n int64) { v.MaxJobs = int(n) }, 1, 1000)})
	add(Variable{Name: "WEB_SERVE_GRACE", Reload: true, Default: "125s", Form: "a duration such as 125s", Example: "30s", Doc: "how long running calls may continue after spyhop serve was told to stop",
		set: within(func(v *Values) *time.Duration { return &v.ServeGrace }, 1, time.Hour)})
	add(Variable{Name: "WEB_SERVE_DELAY", Reload: true, Default: "0s", Form: "a duration such as 10s", Example: "10s", Doc: "how long spyhop serve accepts new calls, and reports that it is not ready, after it was told to stop",
		set: within(func(v *Values) *time.Duration { return &v.ServeDelay }, 1, time.Hour)})
	add(Variable{Name: "WEB_ACCESS_LOG", Default: "off", Form: "off, text or json", Example: "json", Doc: "write a line on stderr for each request to spyhop serve",
		set: oneOf(func(v *Values) *string { return &v.AccessLog }, "off", "text", "json")})
	add(Variable{Name: "WEB_ADMIN_ADDR", Form: "address:port of this machine", Example: "127.0.0.1:7750", Doc: "where spyhop serve offers /livez, /readyz and /metrics without a token; empty: nowhere",
		set: hostPort(func(v *Values) *string { return &v.AdminAddr })})
	return table
}

const (
	hostForm   = `a list of hosts: "example.com" includes its subdomains, "=example.com" does not, "*.example.com" matches only the subdomains`
	boolForm   = "true or false"
	secretForm = "one line of printable ASCII without spaces"
)
