package config

import (
	"strings"
	"time"

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

// Key is the name in the file.
func (v Variable) Key() string { return strings.ToLower(v.Name) }

// Flag is the name of the flag without dashes, or "" for secrets.
func (v Variable) Flag() string {
	if v.Secret {
		return ""
	}
	return strings.ReplaceAll(v.Key(), "_", "-")
}

// Variables returns the table of every setting, in the order in which they are
// documented.
func Variables() []Variable {
	table := make([]Variable, 0, 64)
	add := func(v Variable) { table = append(table, v) }

	add(Variable{Name: "WEB_HTTP", Default: "upgrade", Form: "upgrade, allow or refuse",
		Doc: "upgrade http addresses to https, allow them, or refuse them; WEB_ALLOW_HTTP=true or false means allow or refuse", set: oneOf(func(v *Values) *string { return &v.HTTP }, "upgrade", "allow", "refuse"),
		stand: []standIn{{name: "WEB_ALLOW_HTTP", form: "true or false", translate: allowHTTP}}})
	add(Variable{Name: "WEB_REDIRECTS", Form: "same-host or follow",
		Doc: "which redirects are followed; empty: all for people and programs, only those within a host for models",
		set: oneOf(func(v *Values) *string { return &v.Redirects }, "same-host", "follow")})
	add(Variable{Name: "WEB_DOMAIN_BLOCKLIST", Reload: true, Form: hostForm, List: true,
		Doc: "hosts that are blocked", set: hosts(func(v *Values) *[]string { return &v.DomainBlocklist })})
	add(Variable{Name: "WEB_DOMAIN_ALLOWLIST", Reload: true, Form: hostForm, List: true,
		Doc: "the only hosts that are allowed; empty: all hosts that are not blocked", set: hosts(func(v *Values) *[]string { return &v.DomainAllowlist })})
	add(Variable{Name: "WEB_ALLOW_PRIVATE", Form: `a list of hosts, addresses or networks, each with an optional ":port"`, List: true,
		Doc: "hosts that are allowed although they are private; cloud metadata services stay blocked", set: exceptions})
	add(Variable{Name: "WEB_HEADERS_ALLOWED", Form: "a list of header names", List: true,
		Doc: "additional request headers that a model may set", set: headerNames})
	add(Variable{Name: "WEB_USER_AGENT", Form: "one line of printable ASCII",
		Doc: "the User-Agent header; empty: USER_AGENT, else a Firefox-compatible string that names Spyhop and its version",
		set: line(func(v *Values) *string { return &v.UserAgent }),
		stand: []standIn{{name: "USER_AGENT", form: "one line of printable ASCII", last: true,
			translate: func(s string) (string, bool) { return s, true }}}})
	add(Variable{Name: "WEB_MAX_RESPONSE_BYTES", Default: "5242880", Form: "a whole number of bytes from 1 to 1073741824",
		Doc: "how many bytes of a text response are read, after decompression", set: whole(func(v *Values, n int64) { v.MaxResponseBytes = n }, 1, 1<<30)})
	add(Variable{Name: "WEB_MAX_CONTENT_CHARS", Default: "20000", Form: "a whole number of characters from 1 to 1073741824",
		Doc: "the length of an answer when the call sets none; over MCP, WEB_MCP_ANSWER_CHARS counts too", set: whole(func(v *Values, n int64) { v.MaxContentChars = int(n) }, 1, 1<<30)})
	add(Variable{Name: "WEB_FETCH_TIMEOUT_MS", Default: "30000", Form: "a whole number of milliseconds from 1 to 120000",
		Doc: "the time limit of a read, in milliseconds", set: milliseconds})
	add(Variable{Name: "WEB_DATA_DIR", Default: "$XDG_CACHE_HOME/spyhop", Form: "an absolute path",
		Doc: "the folder of the cache, captures and logs", set: path(func(v *Values) *string { return &v.DataDir })})

	add(Variable{Name: "WEB_PROXY", Form: "http://host:port or https://host:port",
		Doc: "an upstream proxy for connections to public addresses; names are still resolved and checked on this machine, and HTTP_PROXY and similar variables are ignored",
		set: proxy, Secret: true})
	add(Variable{Name: "WEB_ROBOTS", Default: "off", Form: "on or off", Doc: "obey robots.txt when reading pages",
		set: boolean(func(v *Values, b bool) { v.Robots = b })})
	add(Variable{Name: "WEB_URL_PROVENANCE", Default: "off", Form: "off or strict", Doc: "strict limits reads to addresses that the user gave or a search found",
		set: oneOf(func(v *Values) *string { return &v.URLProvenance }, "off", "strict")})
	add(Variable{Name: "WEB_URL_GIVEN", Form: "a list of http or https URLs", List: true, Doc: "addresses that count as given by the user",
		set: urls(func(v *Values) *[]string { return &v.URLGiven })})
	add(Variable{Name: "WEB_MCP_ANSWER_CHARS", Default: "9500", Form: "a whole number of characters from 1 to 1073741824",
		Doc: "the length of an answer over MCP; the smaller of this and WEB_MAX_CONTENT_CHARS applies, or the one that is set", set: whole(func(v *Values, n int64) { v.MCPAnswerChars = int(n) }, 1, 1<<30)})
	add(Variable{Name: "WEB_CACHE_TTL", Default: "15m", Form: `a duration such as 15m, a number of seconds, or off`,
		Doc: "how long a cached response is used without asking the site", set: duration(func(v *Values) *ttl { return &v.CacheTTL })})
	add(Variable{Name: "WEB_CACHE_BYTES", Default: "268435456", Form: "a whole number of bytes, 1 or more",
		Doc: "the maximum size of the cache", set: whole(func(v *Values, n int64) { v.CacheBytes = n }, 1, 1<<50)})
	add(Variable{Name: "WEB_RECALL", Default: "on", Form: "on or off", Doc: "keep the text of pages that are read for 90 days, so that web_recall and spyhop recall find them",
		set: boolean(func(v *Values, b bool) { v.NoRecall = !b })})
	add(Variable{Name: "WEB_RECALL_BYTES", Default: "268435456", Form: "a whole number of bytes, 1 or more",
		Doc: "the maximum size of the pages that can be recalled", set: whole(func(v *Values, n int64) { v.RecallBytes = n }, 1, 1<<50)})
	add(Variable{Name: "WEB_FRONTIER", Form: "postgres://user:password@host:port/database, with ?sslmode=disable, require, verify-ca or verify-full",
		Doc: "the PostgreSQL database that several machines share for crawls; empty: a file in the data folder", set: secret(func(v *Values) *string { return &v.Frontier }), Secret: true})
	add(Variable{Name: "WEB_NEGATIVE_TTL", Default: "60s", Form: `a duration such as 60s, a number of seconds, or off`,
		Doc: "how long a failure is cached", set: duration(func(v *Values) *ttl { return &v.NegativeTTL })})
	add(Variable{Name: "WEB_HOST_CONCURRENCY", Default: "4", Form: "a whole number from 1 to 1000",
		Doc: "the maximum number of simultaneous requests to one host", set: whole(func(v *Values, n int64) { v.HostConcurrency = int(n) }, 1, 1000)})
	add(Variable{Name: "WEB_HOST_RATE", Default: "5/s", Form: `a rate such as 5/s or 30/m`,
		Doc: "the maximum rate of requests to one host", set: rate})
	add(Variable{Name: "WEB_AUDIT_LOG", Default: "$WEB_DATA_DIR/audit.jsonl", Form: "an absolute path, or off",
		Doc: "the file that records every call and every policy decision", set: pathOrOff(func(v *Values) *string { return &v.AuditLog })})

	add(Variable{Name: "WEB_AUDIT_KEEP", Default: "83886080", Form: "a whole number of bytes from 1048576 to 1099511627776",
		Doc: "the size of the audit log with its older files, of which the oldest are removed", set: whole(func(v *Values, n int64) { v.AuditKeep = n }, 1<<20, 1<<40)})
	add(Variable{Name: "WEB_CAPTURE_KEEP", Default: "24h", Form: "a duration from 1m to 8760h", Doc: "how long screenshots and PDFs are kept",
		set: keep(func(v *Values) *time.Duration { return &v.CaptureKeep }, 365*24*time.Hour)})
	add(Variable{Name: "WEB_VERSION_KEEP", Default: "2160h", Form: "a duration from 1m to 2160h", Doc: "how long the versions of pages are kept after they were last read",
		set: keep(func(v *Values) *time.Duration { return &v.VersionKeep }, 90*24*time.Hour)})

	add(Variable{Name: "WEB_JOB_KEEP", Default: "720h", Form: "a duration from 1m to 8760h", Doc: "how long a crawl or a batch of spyhop serve is kept after its end",
		set: keep(func(v *Values) *time.Duration { return &v.JobKeep }, 365*24*time.Hour)})

	add(Variable{Name: "WEB_SEARCH_PROVIDER", Default: "auto", Form: "auto, none, fuse, a provider's name, or a list of names", List: true,
		Doc: "the search provider, or several", set: provider})
	add(Variable{Name: "WEB_SEARCH_MCP", Form: "a command line or a URL", Doc: "an MCP server that searches; its address may be private", Secret: true, // it may contain keys
		set: searchServer})
	add(Variable{Name: "WEB_SEARCH_MCP_TOOL", Form: "the name of a tool", Doc: "the search tool of the WEB_SEARCH_MCP server; empty: the tool that looks like a search",
		set: text(func(v *Values) *string { return &v.SearchMCPTool })})
	add(Variable{Name: "WEB_SEARCH_MCP_ENV", Form: "a list of names of environment variables", List: true,
		Doc: "variables that the process of WEB_SEARCH_MCP gets besides PATH, HOME, LANG and TMPDIR, such as BRAVE_API_KEY", set: variableNames})
	add(Variable{Name: "SEARXNG_URL", Form: "an http or https URL", Doc: "a SearXNG server; its address may be private", Query: true,
		set: url(func(v *Values) *string { return &v.SearxngURL })})
	for _, p := range search.KeyNames() {
		add(Variable{Name: search.KeyName(p), Form: secretForm, Doc: "the API key for searching with " + strings.ToUpper(p[:1]) + p[1:], Secret: true,
			set: searchKey(p)})
	}

	add(Variable{Name: "WEB_BROWSER", Form: "an absolute path", Doc: "the path of the browser; empty: spyhop looks for Chromium, Chrome or Edge",
		set: path(func(v *Values) *string { return &v.Browser })})
	add(Variable{Name: "WEB_BROWSER_HEADED", Default: "false", Form: boolForm, Doc: "show the browser's windows instead of running it headless",
		set: boolean(func(v *Values, b bool) { v.BrowserHeaded = b })})
	add(Variable{Name: "WEB_BROWSER_UID", Form: "a user id from 1 to 4294967294, or -1",
		Doc: "the user id of the browser when spyhop runs as root; empty: an unused one; -1: root, without the browser's sandbox", set: userID})
	add(Variable{Name: "WEB_ALLOW_INTERACTIVE", Default: "true", Form: boolForm, Doc: "offer the tools that type, click and upload",
		set: boolean(func(v *Values, b bool) { v.DenyInteractive = !b })})
	add(Variable{Name: "WEB_ALLOW_SCRIPT", Default: "false", Form: boolForm, Doc: "offer the tool that runs script in a page",
		set: boolean(func(v *Values, b bool) { v.AllowScript = b })})
	add(Variable{Name: "WEB_UPLOAD_DIR", Form: "an absolute path", Doc: "the only folder from which files can be uploaded; empty: uploads are refused",
		set: path(func(v *Values) *string { return &v.UploadDir })})
	add(Variable{Name: "WEB_SESSION_KEY", Form: "an absolute path", Doc: "the file with the key that encrypts saved logins and browser states; empty: session.key in WEB_DATA_DIR",
		set: path(func(v *Values) *string { return &v.SessionKey })})

	add(Variable{Name: "WEB_MODEL", Form: "provider/name, or a name where WEB_MODEL_URL is set", Doc: "the language model for spyhop ask and for prompts", set: model})
	add(Variable{Name: "WEB_MODEL_URL", Form: "an http or https URL", Doc: "the endpoint of the language model; its address may be private", Query: true,
		set: url(func(v *Values) *string { return &v.ModelURL })})
	add(Variable{Name: "WEB_MODEL_PRICE", Form: "in/out, for example 0.25/2", Doc: "what the model costs, in US dollars for a million tokens that it reads and writes, for budgets in money", set: price})
	add(Variable{Name: "OPENAI_API_KEY", Form: secretForm, Doc: "the API key for OpenAI-compatible models", Secret: true,
		set: secret(func(v *Values) *string { return &v.OpenAIKey })})
	add(Variable{Name: "ANTHROPIC_API_KEY", Form: secretForm, Doc: "the API key for Anthropic's models", Secret: true,
		set: secret(func(v *Values) *string { return &v.AnthropicKey })})
	add(Variable{Name: "GEMINI_API_KEY", Form: secretForm, Doc: "the API key for Gemini's models", Secret: true,
		set: secret(func(v *Values) *string { return &v.GeminiKey })})

	add(Variable{Name: "WEB_SERVE_ADDR", Default: "127.0.0.1:7749", Form: "address:port", Doc: "the address on which spyhop serve listens",
		set: hostPort(func(v *Values) *string { return &v.ServeAddr })})
	add(Variable{Name: "WEB_SERVE_TOKEN", Form: secretForm, Doc: "the bearer token of spyhop serve; empty: spyhop makes one if other machines can reach the server", Secret: true,
		set: secret(func(v *Values) *string { return &v.ServeToken })})
	add(Variable{Name: "WEB_SERVE_TOKENS", Reload: true, Form: "an absolute path", Doc: "a TOML file with named bearer tokens of spyhop serve and their quotas; WEB_SERVE_TOKEN adds one named default",
		set: path(func(v *Values) *string { return &v.ServeTokens })})
	add(Variable{Name: "WEB_SERVE_OAUTH_ISSUER", Form: "an http or https URL", Doc: "the OAuth 2 authorization server whose access tokens spyhop serve accepts",
		set: url(func(v *Values) *string { return &v.ServeOAuthIssuer })})
	add(Variable{Name: "WEB_SERVE_OAUTH_AUDIENCE", Form: "the URL of /mcp of this server, as clients know it", Doc: "what these access tokens have to be for",
		set: func(v *Values, s string) error { v.ServeOAuthAudience = s; return nil }})
	add(Variable{Name: "WEB_SERVE_OAUTH_SCOPES", Form: "scopes, separated by spaces", Doc: "the scopes that these access tokens have to have",
		set: func(v *Values, s string) error { v.ServeOAuthScopes = s; return nil }})
	add(Variable{Name: "WEB_SERVE_MAX_CALLS", Reload: true, Default: "64", Form: "a whole number from 1 to 10000", Doc: "how many pages spyhop serve parses at a time, and never more than twice the processors or four; calls that wait do not count",
		set: whole(func(v *Values, n int64) { v.ServeMaxCalls = int(n) }, 1, 10_000)})
	add(Variable{Name: "WEB_SERVE_MAX_CONNECTIONS", Reload: true, Default: "1024", Form: "a whole number from 1 to 100000", Doc: "how many connections spyhop serve has open at a time",
		set: whole(func(v *Values, n int64) { v.ServeMaxConnections = int(n) }, 1, 100_000)})
	add(Variable{Name: "WEB_SERVE_MAX_SESSIONS", Reload: true, Default: "10000", Form: "a whole number from 1 to 1000000", Doc: "how many sessions of MCP spyhop serve has at a time",
		set: whole(func(v *Values, n int64) { v.ServeMaxSessions = int(n) }, 1, 1_000_000)})
	add(Variable{Name: "WEB_SERVE_MAX_JOBS", Reload: true, Default: "16", Form: "a whole number from 1 to 1000", Doc: "how many crawls and batches spyhop serve runs at a time; others wait",
		set: whole(func(v *Values, n int64) { v.ServeMaxJobs = int(n) }, 1, 1000)})
	add(Variable{Name: "WEB_SERVE_GRACE", Reload: true, Default: "125s", Form: "a duration such as 125s", Doc: "how long calls may go on after spyhop serve was told to end",
		set: grace(func(v *Values) *time.Duration { return &v.ServeGrace })})
	add(Variable{Name: "WEB_SERVE_DELAY", Reload: true, Default: "0s", Form: "a duration such as 10s", Doc: "how long spyhop serve takes new calls, and says that it is not ready, after it was told to end",
		set: grace(func(v *Values) *time.Duration { return &v.ServeDelay })})
	add(Variable{Name: "WEB_ACCESS_LOG", Default: "off", Form: "off, text or json", Doc: "write a line on stderr for each request to spyhop serve",
		set: oneOf(func(v *Values) *string { return &v.AccessLog }, "off", "text", "json")})
	add(Variable{Name: "WEB_ADMIN_ADDR", Form: "address:port of this machine", Doc: "where spyhop serve answers /livez, /readyz and /metrics without a token; empty: nowhere",
		set: hostPort(func(v *Values) *string { return &v.AdminAddr })})
	add(Variable{Name: "WEB_ADMIN_PPROF", Default: "false", Form: boolForm, Doc: "add Go's profiles at /debug/pprof of WEB_ADMIN_ADDR",
		set: boolean(func(v *Values, b bool) { v.AdminPprof = b })})
	return table
}

const (
	hostForm   = `a list of hosts: "example.com" includes its subdomains, "=example.com" does not, "*.example.com" matches only the subdomains`
	boolForm   = "true or false"
	secretForm = "one line of printable ASCII without spaces"
)
