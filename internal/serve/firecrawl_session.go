package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Browser sessions: POST /v2/browser opens one, and POST /v2/scrape/{id}/interact one that
// has carried out the actions of a scrape. A session is a browser context of its own, belongs
// to the principal that has opened it, and ends when it is told to, when it was not used for
// some time, or when its time is over. Code is JavaScript that runs beside the page, with a
// part of Playwright's page; every step is a call of a browser tool, and what the operator has
// switched off stays off.

const (
	browserPath = firecrawlPath + "browser"
	// sessionTime is how long a session lasts, and sessionIdle without a call, unless the
	// request says; maxSessionTime is the most of both.
	sessionTime, sessionIdle, maxSessionTime = 10 * time.Minute, 5 * time.Minute, time.Hour
	// mostSessions bounds the sessions of one principal; the browser bounds those of all.
	mostSessions = 4
	// programTime is how long code may run, unless the request says.
	programTime, maxProgramTime = 30 * time.Second, 2 * time.Minute
)

// browserSession is one of them.
type browserSession struct {
	id, owner string
	scrape    string // the id of the scrape that it goes on with; "": none
	visit     *visit
	began     time.Time
	idle      time.Duration

	turn sync.Mutex // held while code runs
	mu   sync.Mutex // of what follows
	used time.Time
	end  *time.Timer
}

func (s *browserSession) of() string { return s.owner }
func (s *browserSession) old() bool  { return false } // it ends by its timer

// open makes a session for the caller of ctx, which lasts at most so long.
func (s *Server) openSession(ctx context.Context, owner, scrape, base string, lasts, idle time.Duration) (*browserSession, error) {
	if _, e := s.find("browser_evaluate"); e != nil || s.o.Program == nil {
		return nil, tool.NewError(tool.Blocked, "browser sessions are not allowed here: this server serves no script in a browser", "the operator can allow it with WEB_ALLOW_SCRIPT=true")
	}
	one := &browserSession{id: rand.Text(), owner: owner, scrape: scrape, began: time.Now(), used: time.Now(), idle: idle,
		visit: &visit{s: s, session: tool.Stateless + ":v2-" + rand.Text(), base: base, d: &firecrawl.Document{Actions: &firecrawl.Actions{}}}}
	if _, err := s.o.Program(ctx, one.visit.session, "", nil); err != nil {
		return nil, err
	}
	if e := s.v2.sessions.add(one, mostSessions, "browser sessions"); e != nil {
		return nil, e
	}
	ending := context.WithoutCancel(ctx)
	until := one.began.Add(lasts)
	one.mu.Lock()
	defer one.mu.Unlock()
	look := func() {
		one.mu.Lock()
		left := min(time.Until(one.used.Add(one.idle)), time.Until(until))
		if left > 0 {
			one.end.Reset(left)
		}
		one.mu.Unlock()
		if left <= 0 {
			s.closeSession(ending, one)
		}
	}
	one.end = time.AfterFunc(min(lasts, idle), look)
	return one, nil
}

// closeSession ends a session and its context.
func (s *Server) closeSession(ctx context.Context, one *browserSession) {
	if !s.v2.sessions.remove(one) {
		return
	}
	one.mu.Lock()
	one.end.Stop()
	one.mu.Unlock()
	one.turn.Lock()
	defer one.turn.Unlock()
	one.visit.ctx = context.WithoutCancel(ctx)
	_ = one.visit.save()
	_ = one.visit.do("close_browser", nil) // a context that is left ends when it is idle
}

// sessionOf finds a session of the caller.
func (s *Server) sessionOf(r *http.Request) (*browserSession, error) {
	id := r.PathValue("id")
	if all := s.v2.sessions.those(principalOf(r), func(one *browserSession) bool { return one.id == id || one.scrape == id }); len(all) > 0 {
		return all[0], nil
	}
	return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusNotFound, Message: "the browser session does not exist, has expired, or belongs to another caller", Hint: "POST " + browserPath + " opens one"}
}

func browserOptions() options {
	return takes(
		tool.Boolean("streamWebView", "the live page of this server shows all sessions of the caller").WithDefault(false),
		tool.Integer("ttl", "seconds that the session lasts").Clamp(30, maxSessionTime.Seconds()).WithDefault(int(sessionTime/time.Second)),
		tool.Integer("activityTtl", "seconds that it lasts without a call").Clamp(10, maxSessionTime.Seconds()).WithDefault(int(sessionIdle/time.Second)),
	).holding("profile", profileOptions())
}

func codeOptions() options {
	return takes(
		tool.String("code", "JavaScript, with page and console"),
		tool.String("prompt", "in place of code: what a model is to do in the session"),
		tool.String("language", "").OneOf("node").WithDefault("node"),
		tool.Integer("timeout", "seconds").Clamp(1, maxProgramTime.Seconds()).WithDefault(int(programTime/time.Second)),
	)
}

// openBrowser answers POST /v2/browser.
func (s *Server) openBrowser(ctx context.Context, r *http.Request, o given) (any, error) {
	lasts, idle := time.Duration(o.args.Int("ttl"))*time.Second, time.Duration(o.args.Int("activityTtl"))*time.Second
	one, err := s.openSession(ctx, principalOf(r), "", baseURL(r), lasts, idle)
	if err != nil {
		return nil, err
	}
	one.visit.ctx, one.visit.q.profile = ctx, o.profile()
	if err := one.visit.restore(); err != nil {
		s.closeSession(ctx, one)
		return nil, err
	}
	return map[string]any{"success": true, "id": one.id, "expiresAt": one.began.Add(lasts).UTC().Format(time.RFC3339), "liveViewUrl": baseURL(r) + "/browser"}, nil
}

// listBrowsers answers GET /v2/browser.
func (s *Server) listBrowsers(_ context.Context, r *http.Request) (any, error) {
	list := []map[string]any{}
	status := r.URL.Query().Get("status")
	for _, one := range s.v2.sessions.those(principalOf(r), func(*browserSession) bool { return status == "" || status == "active" }) {
		one.mu.Lock()
		list = append(list, map[string]any{"id": one.id, "status": "active", "streamWebView": true, "liveViewUrl": baseURL(r) + "/browser", "createdAt": one.began.UTC().Format(time.RFC3339), "lastActivity": one.used.UTC().Format(time.RFC3339)})
		one.mu.Unlock()
	}
	return map[string]any{"success": true, "sessions": list}, nil
}

// closeBrowser answers DELETE of a session.
func (s *Server) closeBrowser(ctx context.Context, r *http.Request) (any, error) {
	one, err := s.sessionOf(r)
	if err != nil {
		return nil, err
	}
	s.closeSession(ctx, one)
	return map[string]any{"success": true, "status": "destroyed", "sessionDurationMs": time.Since(one.began).Milliseconds(), "creditsBilled": 0}, nil
}

// executed is what code came to.
type executed struct {
	Success   bool            `json:"success"`
	Stdout    string          `json:"stdout"`
	Stderr    string          `json:"stderr"`
	Output    string          `json:"output"`
	Result    json.RawMessage `json:"result,omitempty"`
	ExitCode  int             `json:"exitCode"`
	Killed    bool            `json:"killed"`
	Truncated bool            `json:"truncated"`
	Error     string          `json:"error,omitempty"`
}

// execute answers POST /v2/browser/{id}/execute, and that of a scrape, for which it opens a
// session where none is.
func (s *Server) execute(ctx context.Context, r *http.Request) (any, error) {
	o, err := readOptions(r, codeOptions())
	if err != nil {
		return nil, err
	}
	one, err := s.sessionOf(r)
	if err != nil {
		if one, err = s.replayed(ctx, r, err); err != nil {
			return nil, err
		}
	}
	if !one.turn.TryLock() {
		return nil, tool.NewError(tool.Busy, "code runs in this session already", "wait until it has ended")
	}
	defer one.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(o.args.Int("timeout"))*time.Second)
	defer cancel()
	one.visit.ctx = ctx
	one.mu.Lock()
	one.used = time.Now().Add(time.Duration(o.args.Int("timeout")) * time.Second)
	one.mu.Unlock()
	got, err := s.carryOut(ctx, one.visit, o.args.String("code"), o.args.String("prompt"))
	one.mu.Lock()
	one.used = time.Now()
	one.mu.Unlock()
	if e := tool.AsError(err); err != nil && e.Type == tool.Timeout {
		return executed{Killed: true, ExitCode: 124, Error: e.Text()}, nil
	}
	if err != nil {
		return nil, err
	}
	out := executed{Success: got.Error == "", Stdout: got.Stdout, Stderr: got.Stderr, Output: got.Stdout, Result: got.Result, Truncated: got.Truncated, Error: got.Error}
	if string(out.Result) == "null" {
		out.Result = nil
	}
	if !out.Success {
		out.ExitCode = 1
	}
	return out, nil
}

// carryOut runs code in a session, or has a model act there.
func (s *Server) carryOut(ctx context.Context, v *visit, code, prompt string) (*result.Program, error) {
	switch {
	case (code == "") == (prompt == ""):
		return nil, tool.NewError(tool.InvalidInput, "there is neither code nor a prompt, or both", "give one of them")
	case code != "":
		return s.o.Program(ctx, v.session, code, v.wanted)
	case s.o.Act == nil || !s.answers():
		return nil, tool.NewError(tool.InvalidInput, "option prompt is unsupported: this server has no model, or does not serve web_answer", "give code; the operator can set WEB_MODEL")
	}
	var tools []string
	for _, d := range s.tools {
		if d.Profile == tool.BrowserTools {
			tools = append(tools, d.Name)
		}
	}
	a, err := s.o.Act(ctx, v.session, "Act in the browser page that is open. "+prompt, tools)
	if err != nil {
		return nil, err
	}
	return &result.Program{Stdout: a.Text}, nil
}

// replayed opens a session that has carried out a scrape of the caller; missing is the error
// where there is none.
func (s *Server) replayed(ctx context.Context, r *http.Request, missing error) (*browserSession, error) {
	id, owner := r.PathValue("id"), principalOf(r)
	before, ok := s.v2.scrapes.get(id)
	if !ok || before.owner != owner {
		return nil, missing
	}
	one, err := s.openSession(ctx, owner, id, baseURL(r), sessionTime, sessionIdle)
	if err != nil {
		return nil, err
	}
	one.visit.ctx, one.visit.q = ctx, before.q
	if err := one.visit.open(before.url); err != nil {
		s.closeSession(ctx, one)
		return nil, err
	}
	return one, nil
}

// wanted carries out what a program wants of its page (internal/browser/js/program.js).
func (v *visit) wanted(ctx context.Context, name string, raw json.RawMessage) (any, error) {
	args := map[string]any{}
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, err
	}
	switch name {
	case "goto":
		args["snapshot"] = false
		return nil, v.do("navigate_to_url", args)
	case "evaluate":
		got, err := v.call("browser_evaluate", args)
		if m, ok := got.Data.(map[string]any); ok {
			return m["value"], err
		}
		return nil, err
	case "waitFor":
		return nil, v.patient(args)
	case "screenshot":
		return v.shoot("take_web_screenshot", args)
	case "pdf":
		return v.shoot("save_page_as_pdf", nil)
	}
	step, ok := map[string]string{"click": "browser_click", "hover": "browser_hover", "type": "browser_type", "press": "browser_press_key", "select": "browser_select_option", "wait": "browser_wait_for"}[name]
	if !ok {
		return nil, tool.NewError(tool.InvalidInput, text.Name(name)+" is unsupported here", "use what docs/firecrawl.md lists")
	}
	return nil, v.do(step, args)
}

// sessionRoutes are the paths.
func (s *Server) sessionRoutes() []route {
	end := endpoint{handler: s.replies(s.closeBrowser)}
	code := endpoint{handler: s.replies(s.execute)}
	return []route{
		{path: browserPath, post: endpoint{handler: s.takes(browserOptions(), s.openBrowser)}, get: endpoint{handler: s.replies(s.listBrowsers)}},
		{path: browserPath + "/{id}", deletes: end},
		{path: browserPath + "/{id}/execute", post: code},
		{path: scrapePath + "/{id}/interact", post: code, deletes: end},
	}
}
