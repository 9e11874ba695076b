package spyhop

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/callrecord"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/ocr"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/toolset"
	"github.com/spyhop-dev/spyhop/internal/warc"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file makes the parts of a Client from its Config. Everything that a field
// of Config means is said here or in the part itself.

func (c Config) withDefaults() Config {
	if c.Caller == "" {
		c.Caller = "library"
	}
	c.Timeout = min(c.Timeout, MaxTimeout)
	return c
}

// userAgent is what fetches and searches send; the browser has its own.
func (c Config) userAgent() string {
	if c.UserAgent == "" {
		return fetch.DefaultUserAgent(Version)
	}
	return c.UserAgent
}

// checkOwner refuses what cannot be the name of a principal: folders have it.
func (c Config) checkOwner() error {
	switch c.Owner {
	case "", principal.Local, principal.Anonymous:
		return nil
	}
	if err := principal.CheckName(c.Owner); err != nil {
		return invalid("Owner", "", err)
	}
	return nil
}

// checkDataDir refuses a folder that another user controls: what is planted there
// would be believed. A missing one is created by the first write, with mode 0700.
func (c Config) checkDataDir() error {
	if c.DataDir == "" {
		return nil
	}
	// What the system refuses, the store reports: answers come without it.
	if err := private.CheckDir(c.DataDir); err != nil && !errors.As(err, new(*fs.PathError)) {
		return tool.NewError(tool.InvalidInput, "WEB_DATA_DIR cannot be used: "+text.Cause(err), "set WEB_DATA_DIR to a folder of your own")
	}
	return nil
}

// captureDir is the folder of captures. Nothing is made there before the first
// one; the name of a temporary folder cannot be guessed.
func (c Config) captureDir() string {
	if c.DataDir == "" {
		return filepath.Join(os.TempDir(), "spyhop-"+rand.Text())
	}
	return filepath.Join(c.DataDir, "captures")
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
	case "", ProvenanceOff:
		return nil, nil
	case ProvenanceStrict:
		return provenance.New(given...), nil
	}
	return nil, invalid("Provenance", string(c.Provenance), fmt.Errorf("it is off or strict"))
}

// openAudit opens the audit log.
func (c Config) openAudit() (*audit.Log, error) {
	secrets, err := c.siteSecrets()
	if err != nil {
		return nil, err
	}
	o := audit.Options{Secrets: slices.Concat(c.Secrets, secrets.Values())}
	if c.AuditLog != "" {
		file, err := audit.OpenFile(c.AuditLog, audit.Retain(c.AuditKeep))
		if err != nil {
			return nil, invalid("AuditLog", c.AuditLog, fmt.Errorf("the file cannot be written: %w", err))
		}
		o.File = file
	}
	return audit.New(o), nil
}

// newGuard makes the policy; observe is called with each of its decisions.
func (c Config) newGuard(observe func(egress.Decision)) (*egress.Guard, error) {
	p, err := c.policy()
	if err != nil {
		return nil, err
	}
	p.Observe = observe
	guard, err := egress.New(p)
	if err != nil {
		return nil, invalid("policy", "", err)
	}
	return guard, nil
}

func (c Config) policy() (p egress.Policy, err error) {
	p = egress.Policy{Proxy: c.Proxy, RootCAs: c.RootCAs, Offline: c.Replay != ""}
	if c.Resolver != nil {
		p.Resolver = c.Resolver
	}
	switch c.HTTP {
	case "", HTTPUpgrade:
	case HTTPAllow:
		p.HTTP = egress.HTTPAllow
	case HTTPRefuse:
		p.HTTP = egress.HTTPRefuse
	default:
		return p, invalid("HTTP", string(c.HTTP), fmt.Errorf("it is upgrade, allow or refuse"))
	}
	switch c.Redirects {
	case "", RedirectsFollow, RedirectsSameHost:
	default:
		return p, invalid("Redirects", string(c.Redirects), fmt.Errorf("it is same-host or follow"))
	}
	if p.Block, p.Allow, err = c.lists(); err != nil {
		return p, err
	}
	for _, s := range c.AllowPrivate {
		e, err := egress.ParseException(s)
		if err != nil {
			return p, invalid("AllowPrivate", s, err)
		}
		p.Private = append(p.Private, e)
	}
	db, err := c.database()
	if err != nil {
		return p, err
	}
	if db != nil {
		p.Databases = []weburl.URL{db.Server}
	}
	if p.Unchecked, err = weburl.ParseHostList(c.TLSInsecure); err != nil {
		return p, invalid("TLSInsecure", "", err)
	}
	p.Endpoints, err = c.endpoints()
	return p, err
}

// lists are Blocklist and Allowlist.
func (c Config) lists() (block, allow weburl.HostList, err error) {
	if block, err = weburl.ParseHostList(c.Blocklist); err != nil {
		return nil, nil, invalid("Blocklist", "", err)
	}
	if allow, err = weburl.ParseHostList(c.Allowlist); err != nil {
		return nil, nil, invalid("Allowlist", "", err)
	}
	return block, allow, nil
}

// endpoints are the URLs that the configuration names, which may be
// private. Their values could hold a password: no message shows them.
func (c Config) endpoints() (all []weburl.URL, err error) {
	for _, one := range []func() (weburl.URL, error){c.searxngEndpoint, c.mcpEndpoint, c.issuerEndpoint, c.browserEndpoint, c.modelEndpoint, c.embedEndpoint} {
		u, err := one()
		if err != nil {
			return nil, err
		}
		if !u.IsZero() {
			all = append(all, u)
		}
	}
	return all, nil
}

func (c Config) searxngEndpoint() (weburl.URL, error) { return endpoint("SearxngURL", c.SearxngURL) }

func (c Config) mcpEndpoint() (weburl.URL, error) {
	m, err := search.ParseMCP(c.SearchMCP)
	if err != nil {
		return m.URL, invalid("SearchMCP", "", err)
	}
	return m.URL, nil
}

func (c Config) issuerEndpoint() (weburl.URL, error) {
	u, err := weburl.Parse(c.OAuthIssuer)
	switch {
	case c.OAuthIssuer == "":
		return weburl.URL{}, nil
	case err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.HasUserinfo() || u.RawQuery() != "":
		return u, invalid("OAuthIssuer", "", errors.New("it is an http or https URL without a user name and a query"))
	}
	return u, nil
}

// browserEndpoint is the browser to attach to; the zero value where there is none.
func (c Config) browserEndpoint() (weburl.URL, error) { return endpoint("BrowserCDP", c.BrowserCDP) }

// endpoint reads the URL of a field; zero where it is empty.
func endpoint(field, value string) (weburl.URL, error) {
	if value == "" {
		return weburl.URL{}, nil
	}
	u, err := weburl.Parse(value)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.HasUserinfo() {
		return u, invalid(field, "", errors.New("it is an http or https URL without a user name"))
	}
	return u, nil
}

// openFetcher makes the HTTP client and the cache in front of it.
func (s *Client) openFetcher(c Config, ledger *provenance.Ledger) error {
	transport, err := s.openArchive(c)
	if err != nil {
		return err
	}
	s.scope = c.scope()
	client, err := fetch.New(fetch.Options{
		RoundTripper: transport,
		Judge: func(u weburl.URL) (weburl.URL, error) {
			u, d := s.guard.Judge(u)
			return u, d.Err()
		},
		UserAgent:       c.userAgent(),
		MaxBytes:        c.MaxResponseBytes,
		Timeout:         c.Timeout,
		HostConcurrency: c.HostConcurrency,
		HostRate:        c.HostRate,
		NegativeTTL:     c.NegativeTTL,
		Robots:          c.Robots,
		NoCookies:       c.NoCookies,
		Provenance:      ledger,
		Room:            s.hold,
		Observe:         c.observe(),
	})
	if err != nil {
		return invalid("limits", "", err)
	}
	s.fetcher, s.get = client, c.hintingAtProxy(callrecord.Get(client.Get))
	if c.CacheTTL < 0 {
		return nil
	}
	onError := tellOnce(s.hints.reporter(c.OnError))
	s.store = store.New(store.Options{KeepVersions: c.VersionKeep, Dir: c.DataDir, MaxBytes: c.CacheBytes, Scope: s.scope, OnError: onError, Admit: s.admit, Room: s.hold, Ready: c.Weight != nil})
	s.onClose(s.store.Close)
	s.pages = s.store
	if !c.NoRecall {
		s.pages = store.New(store.Options{KeepVersions: c.VersionKeep, Dir: c.DataDir, File: recallFile, MaxBytes: c.RecallBytes, BudgetSetting: "WEB_RECALL_BYTES",
			Scope: s.scope, Words: recall.Words, OnError: onError, Admit: s.admit, Ready: c.Weight != nil})
		s.onClose(s.pages.Close)
		s.recall = &recall.Recall{Store: s.pages, Reopen: s.reopen}
		if s.replayed != nil {
			s.recall.Archive = recall.NewArchive(s.replayed.Pages(), s.readArchived)
		}
	}
	s.cache, err = fetch.NewCache(client, fetch.CacheOptions{Store: s.store, TTL: c.CacheTTL, Scope: s.scope})
	if err != nil {
		return invalid("cache", "", err)
	}
	s.get = c.hintingAtProxy(callrecord.Get(s.cache.Get))
	return nil
}

// openArchive returns what requests of pages are sent with: the policy's transport,
// which an archive records or replaces.
func (s *Client) openArchive(c Config) (http.RoundTripper, error) {
	next := s.guard.RoundTripper()
	switch {
	case c.Record != "" && c.Replay != "":
		return nil, invalid("Replay", "", fmt.Errorf("an archive is either recorded or replayed"))
	case c.Record != "":
		w, err := warc.Create(c.Record, "spyhop/"+Version)
		if err != nil {
			return nil, invalid("Record", c.Record, err)
		}
		w.OnError = c.OnError
		s.onClose(w.Close)
		s.archive = w
		return w.Transport(next), nil
	case c.Replay != "":
		a, err := warc.Open(c.Replay)
		if err != nil {
			return nil, invalid("Replay", c.Replay, err)
		}
		s.onClose(a.Close)
		s.replayed = a
		return a.Transport(), nil
	}
	return next, nil
}

// tellOnce reports once that no file can be opened in DataDir, whichever store finds
// out first.
func tellOnce(report func(error)) func(error) {
	if report == nil {
		return nil
	}
	var once sync.Once
	return func(err error) {
		var e *store.Error
		if errors.As(err, &e) && e.Code == store.Unavailable {
			once.Do(func() { report(err) })
			return
		}
		report(err)
	}
}

// recallFile is the file of the versions of pages that can be recalled, in DataDir.
const recallFile = "recall.db"

// scope names what decides about answers when a connection is made: a process
// that may reach less must not be given what another one has read.
func (c Config) scope() string {
	private := slices.Sorted(slices.Values(c.AllowPrivate))
	parts := append(private, "proxy", c.Proxy)
	switch {
	case c.Record != "": // what was cached before would be missing in the archive
		parts = append(parts, "record", rand.Text())
	case c.Replay != "":
		name, _ := filepath.Abs(c.Replay) // without a working folder, the name
		parts = append(parts, "replay", name)
		if info, err := os.Stat(name); err == nil { // another archive of that name has other answers
			parts = append(parts, strconv.FormatInt(info.Size(), 10), info.ModTime().UTC().Format(time.RFC3339Nano))
		}
	}
	return strings.Join(parts, "\n")
}

// openBrowser makes the browser's tools ready; nothing is started.
func (s *Client) openBrowser(c Config, ledger *provenance.Ledger) (err error) {
	if c.DataDir == "" {
		s.onClose(func() error { return os.RemoveAll(s.captures) })
	}
	at, err := c.browserEndpoint()
	if err != nil {
		return err
	}
	if !at.IsZero() && c.BrowserProfile != "" {
		return invalid("BrowserProfile", c.BrowserProfile, errors.New("a running browser has its own profile: set one of BrowserCDP and BrowserProfile"))
	}
	if s.secrets, err = c.siteSecrets(); err != nil {
		return err
	}
	s.browser, err = browser.New(browser.Options{Guard: s.guard, Provenance: ledger, Attach: at, Profile: c.BrowserProfile, Secrets: s.secrets, Path: c.Browser, Helper: c.BrowserHelper.helper, UID: c.BrowserUID, Folder: c.browserFolder(),
		Headed: c.BrowserHeaded, UserAgent: c.UserAgent, Timeout: c.Timeout, CaptureDir: s.captures, CaptureKeep: c.CaptureKeep, UploadDir: c.UploadDir,
		AllowScript: c.AllowScript, Visited: callrecord.Visited})
	if err != nil {
		return invalid("Browser", c.Browser, err)
	}
	s.onClose(s.browser.Close)
	return nil
}

// hintingAtProxy completes the error of a host that could not be reached where a variable
// names a proxy that is ignored: in many networks nothing is reached without it.
func (c Config) hintingAtProxy(get func(context.Context, fetch.Request) (*fetch.Response, error)) func(context.Context, fetch.Request) (*fetch.Response, error) {
	name := ""
	for _, variable := range egress.ProxyVariables() {
		if name == "" && os.Getenv(variable) != "" {
			name = variable
		}
	}
	if c.Proxy != "" || name == "" {
		return get
	}
	return func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		res, err := get(ctx, q)
		var e *fetch.Error
		if errors.As(err, &e) && e.Hint == "" && (e.Code == fetch.ConnectionError || e.Code == fetch.Timeout) {
			own := *e // a failure is remembered
			own.Hint = name + " names a proxy and is ignored: WEB_PROXY=env uses it"
			return res, &own
		}
		return res, err
	}
}

// newReader makes the reader over everything that was opened before.
func (s *Client) newReader(c Config) *reader.Reader {
	o := reader.Options{Fetch: s.get, Render: s.render, Login: s.sessions.Login, Unchecked: s.guard.Unchecked, MaxChars: c.MaxContentChars, Timeout: c.Timeout,
		Setting: s.hints.text, Admit: s.admit}
	if s.workers != nil {
		o.Documents = s.workers.Do
		if !c.NoOCR {
			o.Recognize = ocr.New(s.workers.Run).Text
		}
	}
	o.Embed = s.embed
	if s.embed != nil && s.recall != nil {
		s.recall.Meaning = &recall.Meaning{Model: c.EmbedModel, Embed: s.embed}
	}
	if s.model != nil {
		o.Model, o.ModelName = completer{s.model}, s.model.Name()
	}
	if s.store != nil {
		o.Versions, o.HintStore, o.Cache = versions{s.pages}, s.store, callrecord.Cache{Cache: s.cache}
	}
	return reader.New(o)
}

// The memory that a page needs while it is parsed: bytesForByte is the worst that
// was measured, for a page of one line of 5 MB. Pages below shortPage do not wait.
// A body that waits for that, and the answer made of it, are as long as they are.
const bytesForByte, shortPage, bytesForBody, smallBody = 72, 110 << 10, 2, 256 << 10

// newGate makes the gate before processor work. More work at a time than there are
// processors makes all of it slower, and small pages beside it, which do not wait for
// the gate: each of them then waits for its turn at a processor.
func newGate(c Config, w *waits) *admission.Gate {
	return admission.New(admission.Options{Observe: w.observe, Slots: c.slots(), Processors: processors, Memory: c.ParseMemory - c.bodyMemory(), Weight: c.Weight, Short: shortPage * bytesForByte})
}

// bodyMemory is the part of ParseMemory that is for bodies.
func (c Config) bodyMemory() int64 { return c.ParseMemory / 4 }

// newRoom makes the gate before large bodies: how many calls hold one at a time,
// from its arrival until their answer is made. Nil where memory has no limit.
func newRoom(c Config) *admission.Gate {
	if c.ParseMemory <= 0 {
		return nil
	}
	usual := bytesForBody * cmp.Or(max(c.MaxResponseBytes, 0), fetch.DefaultMaxBytes)
	return admission.New(admission.Options{Slots: int(max(c.bodyMemory()/usual, 1)), Memory: c.bodyMemory(), Weight: c.Weight, Short: smallBody * bytesForBody})
}

// processors is how many the program may use. A server has more of Go's than that.
var processors = runtime.GOMAXPROCS(0)

func (c Config) slots() int {
	return min(cmp.Or(max(c.ParseSlots, 0), admission.DefaultSlots), max(2*processors, 4))
}

// admit waits until a page may be parsed, and then does work.
func (s *Client) admit(ctx context.Context, bytes int, work func()) error {
	return busy(s.gate.Do(ctx, principal.Of(ctx).Principal(), int64(bytes)*bytesForByte, work))
}

// hold waits until a call may have a body of so many bytes.
func (s *Client) hold(ctx context.Context, bytes int) (func(), error) {
	if s.room == nil {
		return func() {}, nil
	}
	done, err := s.room.Hold(ctx, principal.Of(ctx).Principal(), int64(bytes)*bytesForBody)
	return done, busy(err)
}

// busy makes a *tool.Error of the error of a gate whose queue is full.
func busy(err error) error {
	var full *admission.Busy
	if !errors.As(err, &full) {
		return err
	}
	return &tool.Error{Type: tool.Busy, Message: "too many pages wait for their turn: " + full.Error(), Retryable: true, RetryAfter: full.RetryAfter,
		Hint: fmt.Sprintf("try again in %d s", int(full.RetryAfter.Seconds()))}
}

// render is the reader's way to a page that needs its scripts.
func (s *Client) render(ctx context.Context, q reader.RenderRequest) (*reader.Rendered, error) {
	n := browser.Navigation{URL: s.guard.Local(q.URL).String(), Given: callrecord.Given(ctx), WaitFor: q.WaitFor, Scroll: q.Scroll}
	var err error
	if q.Login != "" {
		if n.State, err = s.sessions.LoginState(ctx, q.Login); err != nil {
			return nil, err
		}
		n.State = n.State.Of(q.URL.RegistrableDomain())
	}
	admission.Pause(ctx)
	c, err := s.browser.Render(ctx, n)
	if err != nil {
		return nil, err
	}
	at, err := weburl.Parse(c.URL)
	if err != nil {
		return nil, tool.NewError(tool.BrowserError, "the page has ended at something that is not a URL", "read it with render=never")
	}
	return &reader.Rendered{URL: at, Status: c.Status, HTML: []byte(c.HTML), Judged: true, NoStore: c.NoStore,
		Loading: c.Loading, Grows: c.Scrolled.Grows, Screens: c.Scrolled.Screens}, nil
}

// openSearch makes the search engine, whose requests the guard judges. What it
// finds may be read under ProvenanceStrict.
func (s *Client) openSearch(c Config, ledger *provenance.Ledger) (err error) {
	child := &childProxy{guard: s.guard}
	s.onClose(child.close)
	o := search.Options{RoundTripper: s.guard.RoundTripper(), Readable: s.guard.ListsAdmit, Read: s.readHit, Keys: c.SearchKeys, Selection: c.SearchProvider, UserAgent: c.userAgent(), Timeout: c.Timeout}
	for _, p := range c.SearchProviders {
		o.Own = append(o.Own, ownSearch{p})
	}
	o.Asked = func(ctx context.Context, a search.Asked) {
		callrecord.Searched(ctx, a.Query, a.Provider, a.Host, a.Took, a.Err)
	}
	o.Found = func(ctx context.Context, results []search.Result) {
		for _, r := range results {
			if u, err := weburl.Parse(r.URL); err == nil {
				ledger.Give(ctx, u)
			}
		}
	}
	if c.SearxngURL != "" {
		if o.Searxng, err = weburl.Parse(c.SearxngURL); err != nil {
			return invalid("SearxngURL", "", err)
		}
		if o.SearxngRoundTripper, err = s.guard.Endpoint(o.Searxng); err != nil {
			return invalid("SearxngURL", "", err)
		}
	}
	if o.MCP, err = search.ParseMCP(c.SearchMCP); err != nil {
		return invalid("SearchMCP", "", err)
	}
	o.MCP.Tool, o.MCP.Env, o.MCP.Version, o.MCP.Environ = c.SearchMCPTool, c.SearchMCPEnv, Version, child.environ
	if !o.MCP.URL.IsZero() {
		if o.MCP.RoundTripper, err = s.guard.Endpoint(o.MCP.URL); err != nil {
			return invalid("SearchMCP", "", err)
		}
	}
	if s.search, err = search.New(o); err != nil {
		return invalid("SearchProvider", c.SearchProvider, err)
	}
	s.onClose(s.search.Close)
	return nil
}

// childProxy is the proxy of the guard for programs that dial by themselves. It
// is opened for the first of them.
type childProxy struct {
	guard *egress.Guard
	mu    sync.Mutex
	proxy *egress.Proxy
}

// environ leads a program to the proxy.
func (c *childProxy) environ() ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy == nil {
		var err error
		if c.proxy, err = c.guard.Proxy(egress.ProxyOptions{Session: "mcp"}); err != nil {
			return nil, err
		}
	}
	return c.proxy.Environ(), nil
}

func (c *childProxy) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy == nil {
		return nil
	}
	return c.proxy.Close()
}

// openTools makes the catalog. Making the declarations takes a millisecond, so the built-in
// tools are put into it when something first asks for a tool ([Client.tools]).
func (s *Client) openTools(c Config) error {
	if _, err := budget.Parse(c.SessionBudget, ""); err != nil {
		return invalid("SessionBudget", c.SessionBudget, err)
	}
	limits, err := budget.Parse(c.SessionBudget, c.MaxUses)
	if err != nil {
		return invalid("MaxUses", c.MaxUses, err)
	}
	s.budget = budget.New(limits)
	s.catalog.Around(s.around)
	var recaller toolset.Recaller
	if s.recall != nil {
		recaller = s.recall
	}
	o := toolset.Options{
		Recaller:        recaller,
		Answerer:        s.agent,
		Reader:          s.reader,
		Searcher:        s.search,
		Mapper:          s.web(),
		Crawler:         s.crawlForTool,
		Browser:         s.browser,
		Sessions:        s.sessions,
		DenyInteractive: c.DenyInteractive,
		AllowScript:     c.AllowScript,
		Acted:           s.watch.acted,
		HeadersAllowed:  c.HeadersAllowed,
		Follow:          c.Redirects == RedirectsFollow,
		Timeout:         c.Timeout,
	}
	s.tools = sync.OnceValue(func() *tool.Catalog {
		if err := toolset.Register(s.catalog, o); err != nil {
			panic(err) // a declaration of our own, which the tests of toolset register
		}
		return s.catalog
	})
	for _, name := range limits.Tools() {
		if d, e := s.tools().Find(name); e != nil && e.Type == tool.InvalidInput || e == nil && d.Name != name {
			return invalid("MaxUses", c.MaxUses, fmt.Errorf("%q is not the name of a tool", name))
		}
	}
	return nil
}

const invalidPrefix = "configuration: "

// invalid is the error for a field of Config.
func invalid(field, value string, err error) *Error {
	m := invalidPrefix + field
	if value != "" {
		m += fmt.Sprintf(" %q", value)
	}
	return tool.NewError(tool.InvalidInput, m+": "+text.Cause(err), "")
}
