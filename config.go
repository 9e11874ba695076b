package spyhop

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// What a Config means: the parts that New puts together.

// Config is what a Client works with. The zero value is the default of each
// field; the names in parentheses are those of the command's settings.
type Config struct {
	// HTTP says what becomes of plain http: "upgrade" (the default), "allow"
	// or "refuse" (WEB_HTTP).
	HTTP string
	// Redirects to other hosts: "same-host" reports them, "follow" follows
	// them. Empty: Fetch and Browse follow, the web_fetch tool reports
	// (WEB_REDIRECTS).
	Redirects string
	// Blocklist and Allowlist hold domains; "=example.com" is the domain
	// without its subdomains (WEB_DOMAIN_BLOCKLIST, WEB_DOMAIN_ALLOWLIST).
	Blocklist, Allowlist []string
	// AllowPrivate lists hosts, addresses or networks, each with an optional
	// port, that may be reached although they are private (WEB_ALLOW_PRIVATE).
	AllowPrivate []string
	// Proxy is an upstream proxy for all public addresses, as http://host:port
	// or https://host:port, with user and password where it wants them. Names
	// are resolved and judged here; the proxy is given the judged address
	// (WEB_PROXY).
	Proxy string
	// HeadersAllowed names request headers that a model may set
	// (WEB_HEADERS_ALLOWED).
	HeadersAllowed []string
	// MaxResponseBytes bounds a text after decompression; 0 means 5 MiB
	// (WEB_MAX_RESPONSE_BYTES).
	MaxResponseBytes int64
	// MaxContentChars is the window of an answer; 0 means 20,000
	// (WEB_MAX_CONTENT_CHARS).
	MaxContentChars int
	// Timeout bounds a call; 0 means 30 s, the most is 2 minutes
	// (WEB_FETCH_TIMEOUT_MS).
	Timeout time.Duration
	// UserAgent is sent with each request; empty means a string that browsers'
	// sites accept and that names Spyhop (WEB_USER_AGENT).
	UserAgent string
	// HostConcurrency and HostRate bound the requests to one site at a time and
	// per second; 0 means 4 and 5, negative means no bound
	// (WEB_HOST_CONCURRENCY, WEB_HOST_RATE).
	HostConcurrency int
	HostRate        float64
	// NegativeTTL is how long a failure is remembered; 0 means a minute,
	// negative means not at all (WEB_NEGATIVE_TTL).
	NegativeTTL time.Duration
	// DataDir is the folder of the cache, which several processes may share;
	// empty means that nothing is kept on disk (WEB_DATA_DIR).
	DataDir string
	// CacheTTL is how long an answer is fresh; 0 means 15 minutes, less means
	// no cache (WEB_CACHE_TTL).
	CacheTTL time.Duration
	// CacheBytes bounds the cache; 0 means 256 MiB (WEB_CACHE_BYTES).
	CacheBytes int64
	// Trouble hears what is wrong with the cache, each kind once; operations go
	// on without it. It may be called by any goroutine and must not block.
	Trouble func(error)
	// Robots asks robots.txt before reads (WEB_ROBOTS).
	Robots bool
	// Provenance is "off" (the default) or "strict": only addresses that a
	// person or a search gave are read, and those of the same domains
	// (WEB_URL_PROVENANCE).
	Provenance string
	// Given are addresses that count as given by a person (WEB_URL_GIVEN).
	Given []string
	// AuditLog is the path of the audit log; empty means that no file is
	// written (WEB_AUDIT_LOG).
	AuditLog string
	// Secrets are masked in the audit log wherever they stand.
	Secrets []string
	// Caller is who calls methods of the Client, for the audit log; empty means
	// "library".
	Caller string
	// SearchProvider says who is asked when searching: "auto" (the default: the
	// first that is configured, else DuckDuckGo), a name, a list that fails
	// over, "fuse", or "none" (WEB_SEARCH_PROVIDER).
	SearchProvider string
	// SearchKeys are API keys by provider, as "brave" (BRAVE_API_KEY and so on).
	SearchKeys map[string]string
	// SearchMCP is an MCP server that searches: a command line, or a URL, which
	// may be private and plain http. It is the provider "mcp", which "auto" asks
	// first (WEB_SEARCH_MCP). Its process is started with the first search and
	// ended by Close; what it sends is led through the policy as far as it
	// takes a proxy from its environment. SearchMCPTool names its tool; empty:
	// the one that looks like a search (WEB_SEARCH_MCP_TOOL).
	SearchMCP, SearchMCPTool string
	// SearxngURL is a SearXNG instance; it may be private and plain http
	// (SEARXNG_URL).
	SearxngURL string
	// Browser is the browser to start; empty: the one that is found
	// (WEB_BROWSER). It starts with the first call that needs it.
	Browser string
	// BrowserHelper has the browser run in a network namespace, where the kernel
	// allows it; the zero value leaves it to flags that all of its traffic goes
	// through the policy. See [NewBrowserHelper].
	BrowserHelper BrowserHelper
	// BrowserHeaded shows its windows (WEB_BROWSER_HEADED).
	BrowserHeaded bool
	// DenyInteractive leaves out the tools that type, click and upload
	// (WEB_ALLOW_INTERACTIVE=false); AllowScript takes in the one that runs
	// script in a page (WEB_ALLOW_SCRIPT).
	DenyInteractive, AllowScript bool
	// UploadDir is the only folder that a browser uploads from; empty: uploads
	// are refused (WEB_UPLOAD_DIR).
	UploadDir string
	// SessionKey is the file with the key of saved logins and browser states,
	// which is made with mode 0600; empty: session.key in DataDir
	// (WEB_SESSION_KEY).
	SessionKey string
	// Model is the language model of agents and prompts, as "provider/name";
	// empty means none (WEB_MODEL). ModelURL is its endpoint, which may be
	// private and plain http; empty means the provider's own (WEB_MODEL_URL).
	Model, ModelURL string
	// ModelKeys are API keys by setting: OPENAI_API_KEY, ANTHROPIC_API_KEY,
	// GEMINI_API_KEY.
	ModelKeys map[string]string
	// LanguageModel is used in place of Model.
	LanguageModel LanguageModel
	// Progress hears how fetches go on. It must not block, and be safe for
	// concurrent use.
	Progress func(Progress)

	// Resolver answers names, for example with those of a corporate DNS server;
	// nil means Go's own resolver with the machine's configuration. The policy
	// judges every address that it returns, as it judges all others. It must be
	// safe for concurrent use.
	Resolver Resolver
	// RootCAs are the certificate authorities that connections of fetches,
	// searches, models and to the Proxy trust, for example a corporate one; nil
	// means those of the system. The browser uses its own. The pool must not be
	// changed after New.
	RootCAs *x509.CertPool
}

// Resolver returns the addresses of a host; [net.Resolver] is one. network is
// always "ip". host ends with a dot, so that no search list applies; only the
// hosts of endpoints that Config names (Proxy, SearxngURL, SearchMCP, ModelURL)
// come without one. An error fails the call with a ConnectionError. A
// net.Resolver needs PreferGo: the C library reads "0x7f.1" as an address.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// BrowserHelper starts the browser in a network namespace.
type BrowserHelper = browser.Helper

// NewBrowserHelper returns what Config.BrowserHelper wants. It has to be the
// first thing that main does: the program is started once more for each browser,
// in the namespace, and there the call does not return.
func NewBrowserHelper() BrowserHelper { return browser.NewHelper() }

// openBrowser makes the browser's tools ready; nothing is started.
func (c Config) openBrowser(guard *egress.Guard, ledger *provenance.Ledger) (*browser.Browser, error) {
	o := browser.Options{Guard: guard, Provenance: ledger, Path: c.Browser, Helper: c.BrowserHelper, Headed: c.BrowserHeaded, UserAgent: c.UserAgent,
		Timeout: min(c.Timeout, MaxTimeout), UploadDir: c.UploadDir, AllowScript: c.AllowScript, Visited: visited}
	o.CaptureDir = c.captureDir()
	b, err := browser.New(o)
	if err != nil {
		return nil, invalid("Browser", c.Browser, err)
	}
	return b, nil
}

func (c Config) captureDir() string {
	if c.DataDir == "" {
		return ""
	}
	return filepath.Join(c.DataDir, "captures")
}

// scope names what decides at the dialling about answers: who may reach less
// must not be given what others have read.
func (c Config) scope() string {
	private := slices.Sorted(slices.Values(c.AllowPrivate))
	return strings.Join(append(private, "proxy", c.Proxy), "\n")
}

// policy makes the egress policy of a configuration.
func (c Config) policy() (egress.Policy, error) {
	p := egress.Policy{Proxy: c.Proxy, RootCAs: c.RootCAs}
	if c.Resolver != nil {
		p.Resolver = c.Resolver
	}
	switch c.HTTP {
	case "", "upgrade":
	case "allow":
		p.HTTP = egress.HTTPAllow
	case "refuse":
		p.HTTP = egress.HTTPRefuse
	default:
		return p, invalid("HTTP", c.HTTP, fmt.Errorf("it is upgrade, allow or refuse"))
	}
	if c.Redirects != "" && c.Redirects != "follow" && c.Redirects != "same-host" {
		return p, invalid("Redirects", c.Redirects, fmt.Errorf("it is same-host or follow"))
	}
	var err error
	if p.Block, err = weburl.ParseHostList(c.Blocklist); err != nil {
		return p, invalid("Blocklist", "", err)
	}
	if p.Allow, err = weburl.ParseHostList(c.Allowlist); err != nil {
		return p, invalid("Allowlist", "", err)
	}
	for _, s := range c.AllowPrivate {
		e, err := egress.ParseException(s)
		if err != nil {
			return p, invalid("AllowPrivate", s, err)
		}
		p.Private = append(p.Private, e)
	}
	if c.SearxngURL != "" {
		u, err := weburl.Parse(c.SearxngURL)
		if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.HasUserinfo() {
			// The value could hold a password.
			return p, invalid("SearxngURL", "", fmt.Errorf("it is an http or https URL without a user name"))
		}
		p.Endpoints = append(p.Endpoints, u)
	}
	m, err := search.ParseMCP(c.SearchMCP)
	if err != nil {
		return p, invalid("SearchMCP", "", err)
	}
	if !m.URL.IsZero() {
		p.Endpoints = append(p.Endpoints, m.URL)
	}
	u, err := c.modelEndpoint()
	if err == nil && !u.IsZero() {
		p.Endpoints = append(p.Endpoints, u)
	}
	return p, err
}

// ledger makes the memory of where addresses came from; nil when that is off.
func (c Config) ledger() (*provenance.Ledger, error) {
	given := make([]weburl.URL, len(c.Given))
	for i, raw := range c.Given {
		u, err := weburl.ParseLenient(raw)
		if err != nil {
			return nil, invalid("Given", raw, err)
		}
		given[i] = u
	}
	switch c.Provenance {
	case "", "off":
		return nil, nil
	case "strict":
		return provenance.New(given...), nil
	}
	return nil, invalid("Provenance", c.Provenance, fmt.Errorf("it is off or strict"))
}

// searcher makes the search engine, whose requests the guard judges. What it
// finds may be read where provenance matters.
func (c Config) searcher(client *Client, ledger *provenance.Ledger) (*search.Searcher, error) {
	guard := client.guard
	o := search.Options{RoundTripper: guard.RoundTripper(), Read: client.readResult, Keys: c.SearchKeys, Selection: c.SearchProvider,
		UserAgent: c.UserAgent, Timeout: min(c.Timeout, MaxTimeout)}
	o.Found = func(results []search.Result) {
		for _, r := range results {
			if u, err := weburl.Parse(r.URL); err == nil {
				ledger.Give(u)
			}
		}
	}
	if c.SearxngURL != "" {
		var err error
		if o.Searxng, err = weburl.Parse(c.SearxngURL); err != nil {
			return nil, invalid("SearxngURL", "", err)
		}
		if o.SearxngRoundTripper, err = guard.Endpoint(o.Searxng); err != nil {
			return nil, invalid("SearxngURL", "", err)
		}
	}
	var err error
	if o.Blocked, err = weburl.ParseHostList(c.Blocklist); err == nil {
		o.Allowed, err = weburl.ParseHostList(c.Allowlist)
	}
	if err != nil {
		return nil, invalid("lists", "", err) // policy has read them
	}
	if o.MCP, err = search.ParseMCP(c.SearchMCP); err != nil {
		return nil, invalid("SearchMCP", "", err)
	}
	o.MCP.Tool, o.MCP.Version, o.MCP.Environ = c.SearchMCPTool, Version, client.child.environ
	if !o.MCP.URL.IsZero() {
		if o.MCP.RoundTripper, err = guard.Endpoint(o.MCP.URL); err != nil {
			return nil, invalid("SearchMCP", "", err)
		}
	}
	s, err := search.New(o)
	if err != nil {
		return nil, invalid("SearchProvider", c.SearchProvider, err)
	}
	return s, nil
}

func invalid(field, value string, err error) *Error {
	m := "configuration: " + field
	if value != "" {
		m += fmt.Sprintf(" %q", value)
	}
	return tool.NewError(tool.InvalidInput, m+": "+err.Error(), "")
}
