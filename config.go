package spyhop

import (
	"context"
	"crypto/x509"
	"net/netip"
	"time"

	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
)

const (
	// NoLimit lifts a limit, where the field's comment says that it may be
	// lifted. 0 is always the default.
	NoLimit = -1

	// Off as the time of a cache switches the cache off.
	Off time.Duration = -1

	// MaxTimeout is the longest time that one call may be given.
	MaxTimeout = 2 * time.Minute
)

// HTTPMode says what happens to addresses with plain http.
type HTTPMode string

// The modes for plain http. The zero value means HTTPUpgrade.
const (
	// HTTPUpgrade reads the https address instead.
	HTTPUpgrade HTTPMode = "upgrade"
	// HTTPAllow reads plain http.
	HTTPAllow HTTPMode = "allow"
	// HTTPRefuse fails with a Blocked error.
	HTTPRefuse HTTPMode = "refuse"
)

// RedirectPolicy says what happens to a redirect to another host. Redirects
// within a host (with or without "www.", http to https) are always followed.
type RedirectPolicy string

// The policies. With the zero value, methods of a Client follow redirects, and
// the tool web_fetch reports them to its model.
const (
	// RedirectsSameHost reports a redirect to another host: FetchResult has a
	// RedirectURL and no content.
	RedirectsSameHost RedirectPolicy = "same-host"
	// RedirectsFollow follows all redirects, at most ten for one call.
	RedirectsFollow RedirectPolicy = "follow"
)

// Provenance says which addresses may be read because of where they came from.
type Provenance string

// The rules of provenance. The zero value means ProvenanceOff.
const (
	// ProvenanceOff lets every address be read that the policy allows.
	ProvenanceOff Provenance = "off"
	// ProvenanceStrict refuses a model's own addresses: an address must come
	// from a person, from Config.Given or from a search, or belong to the domain
	// of one that does.
	ProvenanceStrict Provenance = "strict"
)

// Config is what a Client works with. The zero value of each field is its
// default, so that Config{} reads the public web over https and nothing else.
//
// The tag of a field is the name of the same setting of the spyhop command. New
// copies nothing: slices, maps and pools must not be changed afterwards.
type Config struct {
	// HTTP says what happens to addresses with plain http; "" means HTTPUpgrade.
	HTTP HTTPMode `setting:"WEB_HTTP"`
	// Redirects says what happens to redirects to other hosts; "" means that
	// methods follow them and the tool web_fetch reports them.
	Redirects RedirectPolicy `setting:"WEB_REDIRECTS"`
	// Blocklist holds hosts that are never reached: "example.com" with its
	// subdomains, "=example.com" without them, "*.example.com" only them. It wins
	// over Allowlist. Nil blocks nothing.
	Blocklist []string `setting:"WEB_DOMAIN_BLOCKLIST"`
	// Allowlist, when it is not empty, holds the only hosts that are reached, in
	// the form of Blocklist.
	Allowlist []string `setting:"WEB_DOMAIN_ALLOWLIST"`
	// AllowPrivate lists hosts, addresses or networks, each with an optional
	// port ("10.0.0.7:8080"), that may be reached although they are private.
	// Metadata services of clouds stay blocked. Nil allows none.
	AllowPrivate []string `setting:"WEB_ALLOW_PRIVATE"`
	// Proxy is an upstream proxy for all public addresses: http://host:port or
	// https://host:port, with user name and password if it asks for them. The
	// Client resolves and judges names itself and gives the proxy the address.
	// "" means none; proxies of the environment are ignored.
	Proxy string `setting:"WEB_PROXY"`
	// Resolver answers names, for example with those of a corporate DNS server;
	// nil means Go's own resolver with the machine's configuration. The policy
	// judges every address that it returns, as it judges all others. It must be
	// safe for concurrent use.
	Resolver Resolver
	// TLSInsecure are hosts whose certificates are not checked, for test machines. Each
	// result of such a host reports it.
	TLSInsecure []string `setting:"WEB_TLS_INSECURE"`
	// RootCAs are the certificate authorities that connections of fetches,
	// searches, models and to the Proxy trust, for example a corporate one; nil
	// means those of the system. The browser uses its own.
	RootCAs *x509.CertPool
	// HeadersAllowed names further request headers that a model may set. Nil
	// means only the harmless ones, for example Accept-Language.
	HeadersAllowed []string `setting:"WEB_HEADERS_ALLOWED"`
	// UserAgent is sent with each request; "" means a Firefox-compatible string
	// that names Spyhop and its version.
	UserAgent string `setting:"WEB_USER_AGENT"`
	// ParseSlots is how many pages are parsed at a time, at most twice as many as there
	// are processors, or four; 0 means 64. ParseMemory is how many bytes pages may
	// need together: a quarter is for their bodies, from 256 kB on, and the rest for
	// parsing, by a high estimate of 72 bytes for each byte of a page; 0 means no limit.
	// Pages that find no room wait, and a caller with too many waiting pages gets a Busy
	// error. Pages below 110 kB do not wait.
	ParseSlots  int
	ParseMemory int64
	// NoOCR does not recognize the text of pictures and of scanned PDFs. By default, the
	// program tesseract does that if it is installed, and if documents are read in processes
	// of their own; see Worker.
	NoOCR bool `setting:"WEB_OCR"`
	// NoCookies sends back no cookie that a server has set. By default, they are sent back
	// within the same call, or the same crawl of one site, and then forgotten.
	NoCookies bool `setting:"WEB_COOKIES"`
	// Robots asks robots.txt before each read.
	Robots bool `setting:"WEB_ROBOTS"`
	// Provenance says which addresses may be read because of where they came
	// from; "" means ProvenanceOff.
	Provenance Provenance `setting:"WEB_URL_PROVENANCE"`
	// Given lists addresses that count as given by a person, for
	// ProvenanceStrict.
	Given []string `setting:"WEB_URL_GIVEN"`

	// MaxResponseBytes bounds a text after decompression, in bytes; 0 means
	// 5 MiB. What is longer is read up to there.
	MaxResponseBytes int64 `setting:"WEB_MAX_RESPONSE_BYTES"`
	// MaxContentChars bounds the content of an answer, in characters, where the
	// request does not; 0 means 20,000, NoLimit all of it.
	MaxContentChars int `setting:"WEB_MAX_CONTENT_CHARS"`
	// Timeout bounds a call that does not say; 0 means 30 s, more than
	// MaxTimeout means MaxTimeout.
	Timeout time.Duration `setting:"WEB_FETCH_TIMEOUT_MS"`
	// HostConcurrency bounds the requests to one site at a time; 0 means 4 (2 for a crawl),
	// NoLimit as many as there are calls.
	HostConcurrency int `setting:"WEB_HOST_CONCURRENCY"`
	// HostRate bounds the requests to one site per second; 0 means 5, NoLimit
	// lifts the bound.
	HostRate float64 `setting:"WEB_HOST_RATE"`

	// Owner is the principal that the methods of the Client are for; "" means local.
	// Saved logins and page versions belong to it. It is the name of a token of
	// spyhop serve, or anonymous for its callers without one.
	Owner string
	// Weight is the share of an owner where the pages of several owners wait to be
	// parsed, in proportion to the weights of the others; nil, and a value below 1,
	// mean 1. It is called by any goroutine.
	Weight func(owner string) int
	// DataDir is the folder of the cache, of versions of pages, of captures and
	// of saved logins. Several processes may share it; it is made when it is
	// missing. "" means that the cache is in memory, that captures go to a
	// temporary folder which Close removes, and that logins cannot be saved.
	DataDir string `setting:"WEB_DATA_DIR"`
	// CacheTTL is how long an answer is fresh; 0 means 15 minutes, Off that
	// nothing is cached and no versions are kept.
	CacheTTL time.Duration `setting:"WEB_CACHE_TTL"`
	// CacheBytes bounds the cache, versions included, in bytes; 0 means 256 MiB
	// in a DataDir and 32 MiB in memory.
	CacheBytes int64 `setting:"WEB_CACHE_BYTES"`
	// NoRecall switches [Client.Recall] and the tool web_recall off: pages that are
	// read are not indexed. RecallBytes bounds the indexed versions of pages, in bytes;
	// 0 means 256 MiB in a DataDir and 32 MiB in memory. Those that were read the
	// longest time ago go first.
	NoRecall    bool  `setting:"WEB_RECALL"`
	RecallBytes int64 `setting:"WEB_RECALL_BYTES"`
	// Frontier is the PostgreSQL database that several machines share for crawls, as
	// postgres://user:password@host:port/database?sslmode=verify-full. It may be private.
	// PG* variables, .pgpass and service files do not count. "" means SQLite in DataDir.
	Frontier string `setting:"WEB_FRONTIER"`
	// Record is a WARC file to which all pages are written that are read without
	// credentials; it is continued where it exists, and compressed where its name ends
	// in .gz. Replay is one from which pages are read instead of the network: the policy
	// judges each address, and one that the file does not hold is Blocked. "" means none;
	// at most one of them can be set.
	Record, Replay string
	// NegativeTTL is how long a failure is remembered and given again without
	// asking the site; 0 means a minute, Off that failures are not remembered.
	NegativeTTL time.Duration `setting:"WEB_NEGATIVE_TTL"`
	// SessionKey is the file with the key of saved logins and browser states; it
	// is made with mode 0600. "" means session.key in DataDir.
	SessionKey string `setting:"WEB_SESSION_KEY"`
	// OnError is called with what is wrong with the cache, each kind once;
	// operations go on without it. It may be called from any goroutine and must
	// not block. Nil means that problems are not reported.
	OnError func(error)
	// OnRound is called when the round of a monitor begins and ends that RunJobs runs, from
	// any goroutine; it must not block for long. Nil: not.
	OnRound func(result.Round)

	// AuditLog is the path of the audit log, one line of JSON for each call; ""
	// means that no file is written. [Client.Audit] has the events in any case.
	AuditLog string `setting:"WEB_AUDIT_LOG"`
	// AuditKeep is how many bytes the log has together with its older files, of which
	// the oldest are removed; 0 means 80 MiB.
	AuditKeep int64 `setting:"WEB_AUDIT_KEEP"`
	// CaptureKeep is how long screenshots and PDFs are kept; 0 means a day.
	// VersionKeep is how long versions of pages are kept after they were last read; 0,
	// and more than 90 days, mean 90 days.
	CaptureKeep time.Duration `setting:"WEB_CAPTURE_KEEP"`
	VersionKeep time.Duration `setting:"WEB_VERSION_KEEP"`
	// MaxJobs is how many jobs RunJobs runs at a time, of which one owner has at most
	// three quarters; 0 means 16. JobKeep is how long a job of StartCrawl is kept after
	// its end; 0 means 30 days.
	MaxJobs int           `setting:"WEB_SERVE_MAX_JOBS"`
	JobKeep time.Duration `setting:"WEB_JOB_KEEP"`
	// Secrets are masked wherever they appear in the audit log, in addition to
	// what looks like a secret. Those of fewer than 6 bytes are ignored.
	Secrets []string
	// Caller names the caller of the Client's methods in the audit log; ""
	// means "library".
	Caller string
	// OnProgress is called with the steps of each fetch. It may be called from
	// several goroutines at once and must not block. Nil means that
	// progress is not reported.
	OnProgress func(Progress)
	// EnvironmentHints makes hints name settings as the command does
	// (WEB_DATA_DIR) and not as fields of Config (Config.DataDir). It is for
	// programs that are configured by the same variables.
	EnvironmentHints bool

	// SearchProvider selects the provider of searches: "" and "auto" (the first
	// of the known ones that is configured, else DuckDuckGo), a name, names
	// separated by commas (the next one is asked when one fails), "fuse" (the
	// results of all that are configured are merged), or "none".
	SearchProvider string `setting:"WEB_SEARCH_PROVIDER"`
	// SearchProviders are search services that the program brings. They come before the
	// built-in ones.
	SearchProviders []SearchProvider
	// SearchKeys holds API keys by provider, for example "brave".
	SearchKeys map[string]string
	// SearchMCP is an MCP server that searches: a command line, or a URL, which
	// may be private and plain http. It is the provider "mcp", which "auto" asks
	// first. The process starts with the first search and Close ends it.
	SearchMCP string `setting:"WEB_SEARCH_MCP"`
	// SearchMCPTool names the tool of that server; "" means the one that looks
	// like a search.
	SearchMCPTool string `setting:"WEB_SEARCH_MCP_TOOL"`
	// SearchMCPEnv names environment variables that the server's process gets
	// besides PATH, HOME, LANG and TMPDIR, for example BRAVE_API_KEY.
	SearchMCPEnv []string `setting:"WEB_SEARCH_MCP_ENV"`
	// SearxngURL is a SearXNG instance; it may be private and plain http.
	SearxngURL string `setting:"SEARXNG_URL"`

	// Browser is the path of the browser; "" means the one that is found. It
	// starts with the first call that needs it.
	Browser string `setting:"WEB_BROWSER"`
	// SiteSecrets are typed by the browser in the place of ${secret:NAME}, each at its own
	// sites. They are masked in results, errors and the audit log.
	SiteSecrets []SiteSecret `setting:"WEB_SECRETS"`
	// BrowserCDP is the URL of a browser that runs with remote debugging, for example
	// http://127.0.0.1:9222: the browser's tools work in it, with what its person is logged
	// in to; "" means that one is started. The policy checks the URLs that tools open and
	// cannot hold what that browser loads by itself.
	BrowserCDP string `setting:"WEB_BROWSER_CDP"`
	// BrowserProfile is the folder of a browser profile that is kept between runs; ""
	// means none. A browser with a profile runs without a network namespace.
	BrowserProfile string `setting:"WEB_BROWSER_PROFILE"`
	// BrowserHelper runs the browser in a network namespace, where the kernel
	// allows it; with the zero value, only command-line flags lead the browser's
	// traffic through the policy. See [NewBrowserHelper].
	BrowserHelper BrowserHelper
	// Worker is the path of a spyhop binary of this version, which reads documents
	// in processes of its own; "" means this program where it has called
	// [RunWorker], else none.
	Worker string
	// BrowserHeaded shows the browser's windows.
	BrowserHeaded bool `setting:"WEB_BROWSER_HEADED"`
	// BrowserUID is the user id that the browser runs under when this process is
	// root on Linux; 0 means an unused one, and -1 root, without the browser's own
	// sandbox. A browser with windows runs as this process does.
	BrowserUID int `setting:"WEB_BROWSER_UID"`
	// DenyInteractive leaves out the tools that type, click and upload, and has
	// browser_dialog dismiss only.
	DenyInteractive bool `setting:"WEB_ALLOW_INTERACTIVE"`
	// SessionBudget bounds what the calls of tools of a session may use, such as
	// "calls=200,pages=50,tokens=100000,bytes=50MB"; "" has no bound. MaxUses bounds the
	// calls of single tools, such as "web_search=10".
	SessionBudget string `setting:"WEB_SESSION_BUDGET"`
	MaxUses       string `setting:"WEB_MAX_USES"`
	// AllowScript adds the tool that runs a caller's script in a page.
	AllowScript bool `setting:"WEB_ALLOW_SCRIPT"`
	// UploadDir is the only folder that the browser uploads files from; ""
	// refuses uploads.
	UploadDir string `setting:"WEB_UPLOAD_DIR"`

	// Model is the language model of agents and prompts as "provider/name", for
	// example "ollama/qwen3"; "" means none.
	Model string `setting:"WEB_MODEL"`
	// ModelURL is the model's endpoint, which may be private and plain http; ""
	// means the provider's own.
	ModelURL string `setting:"WEB_MODEL_URL"`
	// EmbedModel is an embedding model as "provider/name", for example
	// "ollama/nomic-embed-text": passages for a query and recalled pages are ranked by
	// it beside their words. "" means words alone. EmbedURL is its endpoint, as ModelURL.
	EmbedModel string `setting:"WEB_EMBED_MODEL"`
	EmbedURL   string `setting:"WEB_EMBED_URL"`
	// ModelKeys holds API keys by name: OPENAI_API_KEY, ANTHROPIC_API_KEY,
	// GEMINI_API_KEY.
	ModelKeys map[string]string
	// ModelPrice is what the model costs, as "in/out": US dollars for a million tokens
	// that it reads and writes, for example "0.25/2"; "" means that it is unknown.
	ModelPrice string `setting:"WEB_MODEL_PRICE"`
	// OAuthIssuer is the URL of the authorization server whose access tokens a server
	// accepts; OAuthDocument reads its documents. It may be private and plain http. ""
	// means none.
	OAuthIssuer string `setting:"WEB_SERVE_OAUTH_ISSUER"`
	// LanguageModel is a model of the program's own; when it is not nil, Model
	// is ignored.
	LanguageModel llm.Model
}

// Resolver returns the addresses of a host; [net.Resolver] is one. network is
// always "ip". host ends with a dot, so that no search list applies; only the
// hosts of endpoints that Config names (Proxy, SearxngURL, SearchMCP, ModelURL)
// come without one. An error fails the call with a ConnectionError. A
// net.Resolver needs PreferGo: the C library reads "0x7f.1" as an address.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}
