// Package spyhop provides web access for language-model agents: it reads pages
// as clean Markdown, searches the web, drives a browser, and blocks server-side
// request forgery (SSRF): private and metadata addresses are never reached.
//
//	client, err := spyhop.New(spyhop.Config{})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	page, err := client.Fetch(ctx, spyhop.FetchRequest{URL: "https://example.com/"})
//	if err != nil {
//		return err // always a *spyhop.Error
//	}
//	fmt.Println(page.Title, page.Markdown)
//
// A [Client] is made from a [Config] and has the operations of the spyhop
// command as methods: [Client.Fetch], [Client.Search], [Client.Browse],
// [Client.Check] and so on. [Client.Call] calls a tool by name with JSON, as a
// model does; [Client.Register] adds a tool of the program's own. [Client.Answer]
// answers a question from the web with a language model.
//
// The other public packages have what goes in and out: package result the values
// that operations return, package tool the declaration of tools, their schemas
// and plans, package llm the interface of a language model that a program brings
// itself.
//
// # Guarantees
//
// A Client is safe for concurrent use. Every error that an operation returns is
// an [*Error]: its Type is from a closed set, Retryable says whether the same
// call can succeed later, and Hint is the next step. No operation outlives its
// context. The policy in Config judges every address before a connection is
// made, those of redirects included; the zero Config allows the public web over
// https and nothing else. What a page hides from its readers is removed.
//
// # Limits
//
// A page whose content its scripts bring is read through a browser, where one is
// installed; without one, its verdict says that content is missing. Without
// [Config].DataDir the cache lives in memory and ends with the Client.
package spyhop

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/callrecord"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/jobs"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/warc"
	"github.com/spyhop-dev/spyhop/internal/worker"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

// Version is the version of this library and of the command.
const Version = "0.1.0-dev"

// Client reads the web. Make one with [New], share it, and close it with
// [Client.Close]. Its methods are safe for concurrent use.
type Client struct {
	caller   string
	owner    string // Config.Owner
	issuer   string // Config.OAuthIssuer
	follow   bool
	captures string
	timeout  time.Duration
	hints    hints

	audit    *audit.Log
	record   *callrecord.Recorder
	guard    *egress.Guard
	store    *store.Store   // nil where nothing is cached
	pages    *store.Store   // versions of pages: store, or one of their own where they can be recalled
	recall   *recall.Recall // nil where that is off
	cache    *fetch.Cache   // likewise
	replayed *warc.Archive  // nil: the network is used
	fetcher  *fetch.Client
	get      callrecord.GetFunc // through the cache where there is one
	gate     *admission.Gate
	room     *admission.Gate // of bodies; nil: no limit
	waits    waits           // of the gate
	secrets  *browser.Secrets
	sessions *session.Keeper
	browser  *browser.Browser
	model    llm.Model                                                 // nil where there is none
	embed    func(context.Context, []string) ([]meaning.Vector, error) // nil where there is none
	agent    *agent.Agent
	workers  *worker.Pool // nil where documents are read in this process
	reader   *reader.Reader
	search   *search.Searcher
	crawls   *crawls
	scope    string       // of what is cached
	archive  *warc.Writer // nil where none is recorded
	jobs     *jobs.Runner
	catalog  *tool.Catalog
	tools    func() *tool.Catalog // catalog, with the built-in tools
	budget   *budget.Keeper       // nil where there is none
	watch    watch

	warming sync.Once
	warm    sync.WaitGroup // what warmUp has begun
	closing sync.Once
	closed  error          // of closing
	closers []func() error // of what is open, in the order of opening
}

// New returns a Client. It fails with an InvalidInput error that names the field
// when a value of the configuration cannot be used. Nothing is dialled and no
// process starts before the first call that needs it.
func New(c Config) (*Client, error) {
	c = c.withDefaults()
	s := &Client{caller: c.Caller, owner: c.Owner, issuer: c.OAuthIssuer, follow: c.Redirects != RedirectsSameHost, captures: c.captureDir(),
		timeout: cmp.Or(max(c.Timeout, 0), fetch.DefaultTimeout), hints: hints{c.EnvironmentHints}, catalog: new(tool.Catalog)}
	s.gate, s.room = newGate(c, &s.waits), newRoom(c)
	if err := s.open(c); err != nil {
		_ = s.Close() // the reason is err
		return nil, s.hints.explain(err)
	}
	return s, nil
}

// Reload takes Blocklist, Allowlist, ParseSlots and MaxJobs from c; its other fields are
// ignored. Calls that run already obey the new lists from their next request on. It
// fails with an InvalidInput error for a list that cannot be read, and then changes
// nothing.
func (s *Client) Reload(c Config) error {
	block, allow, err := c.lists()
	if err != nil {
		return s.hints.explain(err)
	}
	s.guard.SetLists(block, allow)
	s.gate.SetSlots(c.slots())
	s.jobs.SetMost(c.MaxJobs)
	return nil
}

// open makes the parts of the Client. What it has opened when it fails, Close
// closes.
func (s *Client) open(c Config) error {
	if err := errors.Join(c.checkOwner(), c.checkDataDir()); err != nil {
		return err
	}
	ledger, err := c.ledger()
	if err != nil {
		return err
	}
	if s.audit, err = c.openAudit(); err != nil {
		return err
	}
	s.onClose(s.audit.Close)
	s.record = callrecord.New(s.audit)
	if s.guard, err = c.newGuard(s.record.Decision); err != nil {
		return err
	}
	s.onClose(func() error { s.guard.CloseIdle(); return nil })
	if err := s.openFetcher(c, ledger); err != nil {
		return err
	}
	s.sessions = session.New(session.Options{Dir: c.DataDir, KeyFile: c.SessionKey})
	if err := s.openBrowser(c, ledger); err != nil {
		return err
	}
	if s.model, err = c.languageModel(s.guard); err != nil {
		return err
	}
	if s.embed, err = c.embedder(s.guard); err != nil {
		return err
	}
	s.openWorkers(c)
	s.reader = s.newReader(c)
	if err := s.openSearch(c, ledger); err != nil {
		return err
	}
	if s.crawls, err = newCrawls(c, s.guard); err != nil {
		return err
	}
	s.onClose(s.crawls.close)
	s.jobs = s.newJobs(c)
	if s.agent, err = s.newAgent(c); err != nil {
		return err
	}
	return s.openTools(c)
}

// onClose has Close call f, before what was opened earlier is closed.
func (s *Client) onClose(f func() error) { s.closers = append(s.closers, f) }

// Close stops the browser and the MCP server that searches, drops idle
// connections, closes the cache and the audit log, and removes the temporary
// folder of captures. Calls after it are not written to the audit log. Further
// calls of Close do nothing.
func (s *Client) Close() error {
	s.closing.Do(func() {
		s.warm.Wait()
		var errs []error
		for _, f := range slices.Backward(s.closers) {
			errs = append(errs, f())
		}
		s.closed = errors.Join(errs...)
	})
	return s.closed
}
