// Package live provides the pages of a server for people: reading a page and seeing why
// its blocks were kept, searching, maps of sites, versions, what browsers do, and the
// calls as they happen.
//
//	pages := live.New(live.Options{Call: call, Audit: log, Owner: owner})
//	go pages.Run(ctx)
//	mux.Handle("/search", pages)
//
// Every view is written by the server and works without scripts; live.js adds what
// moves. read.go, search.go and so on have a view each, content.go has the content of pages, session.go has the sign-in, stream.go what moves.
//
// # Guarantees
//
// Pages see the web only through [Options].Call, as the caller of the request: the same
// policy, quotas and audit log as for every other surface. The content policy of every
// page allows the one style sheet and the one script of this package and nothing
// else. Input is accepted from pages of this server only.
//
// # Limits
//
// The history of calls begins when the server starts, and has the last ones only.
package live

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options are what a Handler is made from. Call, Owner and NeedsToken are required.
type Options struct {
	// Call calls a tool for the caller of the context, with all checks of the server.
	Call func(ctx context.Context, name string, args json.RawMessage) (tool.Result, error)
	// Tools are the tools that are served.
	Tools []tool.Declaration
	// Owner names the principal of a context.
	Owner func(context.Context) string
	// NeedsToken reports whether callers need a token; SignIn returns whose a token
	// is, and Valid whether it still is.
	NeedsToken func() bool
	SignIn     func(token string) (Identity, bool)
	Valid      func(Identity) bool
	// Follow counts a stream of the caller of a context, until leave. The stream ends with
	// the context that it returns. nil: streams are not counted.
	Follow func(context.Context) (_ context.Context, leave func(), e *tool.Error)
	// Explain says how the content of a page was chosen; nil: the view is left out.
	Explain func(ctx context.Context, url string) (*result.Explanation, error)
	// Compare returns what differs between two versions, given as Markdown; nil: the view
	// of versions is left out.
	Compare func(before, after string) []result.Change
	// Versions has stored versions of pages; nil: none.
	Versions tool.Versions
	// Jobs has the crawls of callers; nil: the view of sites does not show them.
	Jobs jobSource
	// File is the path at which a browser gets a file that a tool has written; nil: the
	// view of a page has no screenshot.
	File func(path string) string
	// Monitors has the monitors of callers; nil: there are none.
	Monitors monitorSource
	// Counted calls a function within the quota of the caller of the context. Required where
	// there are Jobs.
	Counted func(ctx context.Context, do func(context.Context) error) error
	// Browsers has the browser contexts of callers; nil: the view is left out.
	Browsers Browsers
	// Audit has the events and counters of calls; nil: the view is empty.
	Audit Audit
	// Meaning is a type of error in a few words. Required.
	Meaning func(tool.ErrorType) string
	// Version is what the server says of itself.
	Version string
}

// Audit has what happened.
type Audit interface {
	// Metrics returns the counters so far.
	Metrics() result.Metrics
	// Subscribe returns a channel of the events from now on, and a function that ends
	// the subscription.
	Subscribe(buffer int) (events <-chan result.Event, end func())
}

// Handler answers with the pages. Make one with [New].
type Handler struct {
	o        Options
	sessions sessions
	activity *activity
	ended    chan struct{} // closed when Run ends
	mux      *http.ServeMux

	templates     *template.Template
	style, script asset
}

// New returns a Handler.
func New(o Options) *Handler {
	h := &Handler{o: o, sessions: sessions{now: time.Now}, activity: newActivity(o.Meaning), ended: make(chan struct{})}
	h.load()
	h.mux = http.NewServeMux()
	for _, p := range h.paths() {
		for _, method := range strings.Fields(p.methods) {
			h.mux.HandleFunc(method+" "+p.pattern, p.handler)
		}
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.Refuse(w, r, http.StatusMethodNotAllowed, tool.NewError(tool.InvalidInput, "this page does not take "+text.Quoted(r.Method), "open it in a browser"))
	})
	return h
}

// view is a page of the navigation.
type view struct {
	Name, Path string
	tool       string // that it needs; empty: none
	handler    func(*Handler, http.ResponseWriter, *http.Request)
}

func (v view) pattern() string {
	if v.Path == "/" {
		return "/{$}"
	}
	return v.Path
}

// views are the pages in the order of the navigation.
func views() []view {
	return []view{
		{"Read", "/", "web_fetch", (*Handler).read},
		{"Search", "/search", "web_search", (*Handler).search},
		{"Sites", "/sites", "web_map", (*Handler).sites},
		{"Recall", "/recall", "web_recall", (*Handler).recall},
		{"Versions", "/versions", "", (*Handler).versions},
		{"Browser", "/browser", "navigate_to_url", (*Handler).browserPage},
		{"Activity", "/activity", "", (*Handler).activityPage},
	}
}

// shows reports whether this server has what a view needs. The first page is always
// there.
func (h *Handler) shows(v view) bool {
	if v.Path == "/versions" && (h.o.Versions == nil || h.o.Compare == nil) {
		return false
	}
	if v.Path == "/browser" && h.o.Browsers == nil {
		return false
	}
	return v.tool == "" || v.Path == "/" || h.serves(v.tool)
}

func (h *Handler) serves(name string) bool {
	return slices.ContainsFunc(h.o.Tools, func(d tool.Declaration) bool { return d.Name == name })
}

// path is a pattern of paths with what its methods do.
type path struct {
	pattern, methods string
	handler          http.HandlerFunc
}

func (h *Handler) paths() []path {
	all := []path{{"/sign-in", "GET POST", h.signIn}, {"/sign-out", "POST", h.signOut}, {"/activity/events", "GET", h.activityEvents}, {assetPath + "{name}", "GET", h.asset}}
	if h.o.Jobs != nil {
		all = append(all, path{"/sites/events", "GET", h.crawlEvents}, path{startPath, "POST", h.start}, path{stopPath, "POST", h.stop})
	}
	if h.o.Browsers != nil {
		all = append(all, path{"/browser/events", "GET", h.browserEvents}, path{"/browser/picture", "GET", h.browserPicture})
	}
	for _, v := range views() {
		if h.shows(v) {
			all = append(all, path{v.pattern(), "GET", func(w http.ResponseWriter, r *http.Request) { v.handler(h, w, r) }})
		}
	}
	return all
}

// Paths are the patterns of all paths that the Handler answers.
func (h *Handler) Paths() (out []string) {
	for _, p := range h.paths() {
		out = append(out, strings.TrimSuffix(p.pattern, "{name}"))
	}
	return out
}

// Has reports whether a path is one of the Handler's.
func (h *Handler) Has(path string) bool {
	for _, p := range h.Paths() {
		if path == strings.TrimSuffix(p, "{$}") || p == assetPath && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// Open reports whether a path is answered without a token: the form that takes one,
// and what that page loads.
func (h *Handler) Open(path string) bool {
	return path == "/sign-in" || strings.HasPrefix(path, assetPath)
}

// ServeHTTP implements http.Handler. The context of the request has its caller.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// Run keeps the history of calls until ctx ends; streams end with it.
// It is called once.
func (h *Handler) Run(ctx context.Context) {
	defer close(h.ended)
	h.activity.run(ctx, h.o.Audit)
}

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed live.css live.js
var assetFiles embed.FS

const (
	assetPath = "/live/"
	startPath = "/sites/start"
	stopPath  = "/sites/stop"
)

// asset is a file that pages load; its name has a hash of its content.
type asset struct {
	media, name string
	body        []byte
}

// load reads the templates and the assets. They are embedded, so that only a mistake in
// them can fail it, which a test would show.
func (h *Handler) load() {
	h.templates = parsed()
	read := func(name, media string) asset {
		body, err := assetFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		return asset{media, hex.EncodeToString(sum[:6]) + "-" + name, body}
	}
	h.style, h.script = read("live.css", "text/css; charset=utf-8"), read("live.js", "text/javascript; charset=utf-8")
}

func parsed() *template.Template {
	return template.Must(template.New("").Funcs(functions()).ParseFS(templateFiles, "templates/*.html"))
}

func (h *Handler) asset(w http.ResponseWriter, r *http.Request) {
	for _, a := range []asset{h.style, h.script} {
		if r.PathValue("name") == a.name {
			w.Header().Set("Content-Type", a.media)
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			_, _ = w.Write(a.body)
			return
		}
	}
	h.Refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "this file does not exist", "reload the page"))
}

// layout is what stands around a view.
type layout struct {
	Title, Path string
	Views       []view
	Style       string
	Script      string
	Owner       string // "" where nobody has signed in
	Version     string
	Icon        template.URL
}

// icon is the sign of the server: a head above the water.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e8f"/><path d="M9 22V14.5a7 7 0 0 1 14 0V22" fill="#fff"/><circle cx="19.5" cy="14.5" r="1.6" fill="#0b6e8f"/><path d="M4 23q3-2.5 6 0t6 0 6 0 6 0" fill="none" stroke="#9fd8ea" stroke-width="2.4" stroke-linecap="round"/></svg>`

func (h *Handler) layout(r *http.Request, title, path string) layout {
	p := layout{Title: title, Path: path, Style: assetPath + h.style.name, Script: assetPath + h.script.name, Version: h.o.Version, Icon: template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(icon)))}
	for _, v := range views() {
		if h.shows(v) {
			p.Views = append(p.Views, v)
		}
	}
	if h.o.NeedsToken() {
		p.Owner, _ = h.Caller(r)
	}
	return p
}

// header sets what every page has. The page loads the two files of this package and
// pictures of this server; scripts may not make markup but by one function of live.js.
func header(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "+
		"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types live")
	// Forms of a page without a referrer have the Origin "null".
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

const writeTimeout = 30 * time.Second

// patience gives a client time to read what comes next.
func patience(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
}

// write answers with a view.
func (h *Handler) write(w http.ResponseWriter, _ *http.Request, status int, p layout, name string, data any) {
	var b bytes.Buffer
	h.execute(&b, "head", p)
	h.execute(&b, name, data)
	h.execute(&b, "foot", p)
	header(w)
	patience(w)
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

func (h *Handler) execute(b *bytes.Buffer, name string, data any) {
	if err := h.templates.ExecuteTemplate(b, name, data); err != nil {
		b.WriteString("<p>This part of the page could not be written.</p>")
	}
}

// soon is how long a page waits for a call before it shows what it has.
const soon = 60 * time.Millisecond

// part is the part of a page that a call makes.
type part struct {
	name   string // of its template
	data   any
	status int
}

// writeLater answers with a view whose second part needs a call. Where the call takes
// time, the first part is shown meanwhile.
func (h *Handler) writeLater(w http.ResponseWriter, r *http.Request, p layout, name string, data any, waiting string, call func(context.Context) part) {
	var b bytes.Buffer
	h.execute(&b, "head", p)
	h.execute(&b, name, data)
	made := make(chan part, 1)
	go func() {
		var err error
		defer func() {
			if err != nil {
				made <- failed(err)
			}
		}()
		defer tool.Recovered("the view "+name, &err)
		made <- call(r.Context())
	}()
	timer := time.NewTimer(soon)
	defer timer.Stop()
	header(w)
	var got part
	select {
	case got = <-made:
		w.WriteHeader(cmp.Or(got.status, http.StatusOK))
	case <-timer.C:
		h.execute(&b, "waiting", waiting)
		patience(w)
		_, _ = w.Write(b.Bytes())
		_ = http.NewResponseController(w).Flush()
		b.Reset()
		got = <-made // the call ends with the request
	}
	h.execute(&b, got.name, got.data)
	h.execute(&b, "foot", p)
	patience(w)
	_, _ = w.Write(b.Bytes())
}

// Refuse answers with a page about an error.
func (h *Handler) Refuse(w http.ResponseWriter, r *http.Request, status int, e *tool.Error) {
	h.write(w, r, status, h.layout(r, "Not possible", ""), "refused", e)
}

// refuseErr answers with a page about the error of a part of the server.
func (h *Handler) refuseErr(w http.ResponseWriter, r *http.Request, err error) {
	e := tool.AsError(err)
	h.Refuse(w, r, e.HTTPStatus(), e)
}

func (h *Handler) refuseForm(w http.ResponseWriter, r *http.Request) {
	h.Refuse(w, r, http.StatusForbidden, tool.NewError(tool.Blocked, "a form of this server is needed", "open the page in a browser and send its form"))
}

// fromHere reports whether a page of this server sent a request; browsers say so. The
// server has refused what names another origin.
func fromHere(r *http.Request) bool {
	return r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

// loopbackHost reports whether a Host header names this machine.
func loopbackHost(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}

// failed is the part for a call that failed.
func failed(err error) part {
	e := tool.AsError(err)
	return part{"failed", e, e.HTTPStatus()}
}

// call calls a tool with the arguments that are not empty.
func (h *Handler) call(ctx context.Context, name string, args map[string]any) (tool.Result, error) {
	for k, v := range args {
		if v == "" || v == 0 || v == false {
			delete(args, k)
		}
	}
	body, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, tool.AsError(err)
	}
	return h.o.Call(ctx, name, body)
}

// called is call for a tool whose data is a *T.
func called[T any](ctx context.Context, h *Handler, name string, args map[string]any) (*T, error) {
	got, err := h.call(ctx, name, args)
	if err != nil {
		return nil, err
	}
	data, ok := got.Data.(*T)
	if !ok {
		return nil, tool.NewError(tool.Internal, name+" has another result than expected", "")
	}
	return data, nil
}
