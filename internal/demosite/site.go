// Package demosite provides the small website of "spyhop demo", served on
// loopback: pages of every type, old encodings, redirects, and pages that
// misbehave.
//
//	site, err := demosite.Start()
//	if err != nil {
//		return err
//	}
//	defer site.Close()
//	client, err := spyhop.New(spyhop.Config{AllowPrivate: site.Exceptions()})
//	page, err := client.Fetch(ctx, spyhop.FetchRequest{URL: site.Home + "/article"})
//
// [Pages] lists for each page what a correct extraction keeps and drops, so that
// the demo can check itself. All texts were written for this site.
//
// # Guarantees
//
// A site listens only on loopback, on ports that the system chooses, and refuses
// requests with another Host header. [Site.Close] ends all of its connections
// and goroutines.
//
// # Limits
//
// There is no TLS, because loopback addresses have no certificates that a client
// could verify. Endless and slow pages end when the client disconnects.
package demosite

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

//go:embed site
var files embed.FS

// Site is a running site. Make one with [Start].
type Site struct {
	// Home is the origin of the site, for example "http://127.0.0.1:40001".
	Home string
	// Other is a second origin of the site with another host, for example
	// "http://localhost:40002".
	Other string

	servers []*http.Server
	running sync.WaitGroup
}

// Start serves the site on two loopback ports until Close.
func Start() (*Site, error) {
	home, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		home.Close()
		return nil, err
	}
	s := &Site{
		Home:  fmt.Sprintf("http://127.0.0.1:%d", port(home)),
		Other: fmt.Sprintf("http://localhost:%d", port(other)),
	}
	s.serve(home, hostOnly(s.Home, s.home()))
	s.serve(other, hostOnly(s.Other, s.other()))
	return s, nil
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func (s *Site) serve(l net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 30 * time.Second}
	s.servers = append(s.servers, server)
	s.running.Go(func() { _ = server.Serve(l) }) // always http.ErrServerClosed
}

// Close stops the servers and waits for their goroutines.
func (s *Site) Close() error {
	var all error
	for _, server := range s.servers {
		all = errors.Join(all, server.Close())
	}
	s.running.Wait()
	return all
}

// Exceptions returns the hosts and ports of the site's own listeners, for
// Config.AllowPrivate.
func (s *Site) Exceptions() []string {
	return []string{strings.TrimPrefix(s.Home, "http://"), strings.TrimPrefix(s.Other, "http://")}
}

// hostOnly refuses requests for other hosts, for example for a name that was
// rebound to 127.0.0.1.
func hostOnly(origin string, h http.Handler) http.Handler {
	want := strings.TrimPrefix(origin, "http://")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != want {
			http.Error(w, "no such host", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// home returns the handler of the first host.
func (s *Site) home() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", index)
	for _, p := range Pages() {
		mux.HandleFunc("GET "+p.Path, page(p))
	}
	redirect := func(path, to string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
	}
	redirect(Moved, "/article")
	redirect(MovedAway, s.Other+"/elsewhere")
	redirect(ToMetadata, "http://169.254.169.254/latest/meta-data/")
	redirect(ToPrivate, "http://10.0.0.1/admin")
	redirect(Loop, Loop)
	mux.HandleFunc("GET /search", s.search)
	mux.Handle("POST "+ModelPath+"/chat/completions", s.script())
	mux.HandleFunc("GET "+Slow, slow)
	mux.HandleFunc("GET "+Endless, endless)
	mux.HandleFunc("GET "+Script, shell)
	mux.HandleFunc("GET "+Board, file("board.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /board.js", file("board.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /board.json", board)
	mux.HandleFunc("GET "+Film, film)
	return mux
}

// search answers like a SearXNG server, with the pages whose title or
// description contains a word of the query.
func (s *Site) search(w http.ResponseWriter, r *http.Request) {
	type result struct {
		URL     string `json:"url"`
		Title   string `json:"title"`
		Content string `json:"content"`
	}
	results := []result{}
	for _, p := range Pages() {
		text := strings.ToLower(p.Title + " " + p.About)
		for word := range strings.FieldsSeq(strings.ToLower(r.FormValue("q"))) {
			if strings.Contains(text, word) {
				results = append(results, result{s.Home + p.Path + "?utm_source=demo", p.Title, p.About})
				break
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results, "unresponsive_engines": []any{}})
}

// other returns the handler of the second host, which has one page.
func (s *Site) other() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /elsewhere", func(w http.ResponseWriter, r *http.Request) {
		write(w, "text/html; charset=utf-8", document("Elsewhere", "The other harbour",
			"<p>This page is on another host than the page that redirected here. Only programs that follow redirects to other hosts read it.</p>"))
	})
	return mux
}

// Addresses of the site that are not in Pages.
const (
	Missing    = "/nothing-here"
	Moved      = "/moved"
	MovedAway  = "/moved-away"
	ToMetadata = "/to-metadata"
	ToPrivate  = "/to-private"
	Loop       = "/loop"
	Slow       = "/slow"
	Endless    = "/endless"
	Script     = "/app"
	Film       = "/film.mp4"
	// Board is a page that is built by its script: a list, a field labelled Place,
	// and a button Add sighting, which adds to the list.
	Board = "/board"
)

func write(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) // fails only if the client disconnected
}

// document returns a page without boilerplate.
func document(title, heading, body string) []byte {
	return []byte("<!doctype html>\n<html lang=\"en\"><head><title>" + title + "</title></head><body><main><h1>" + heading + "</h1>\n" + body + "</main></body></html>\n")
}

func index(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	b.WriteString("<p>This site belongs to <code>spyhop demo</code>. Try <code>spyhop fetch</code> on its pages.</p><ul>")
	for _, p := range Pages() {
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, p.Path, p.About)
	}
	for _, path := range []string{Missing, Moved, MovedAway, ToMetadata, ToPrivate, Loop, Slow, Endless, Script, Board, Film} {
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, path, strings.TrimPrefix(path, "/"))
	}
	b.WriteString("</ul>")
	write(w, "text/html; charset=utf-8", document("Lantern Bay", "Lantern Bay", b.String()))
}

// page serves a page of the folder "site", in the site's layout unless it has its
// own.
func page(p Page) http.HandlerFunc {
	contentType := "text/html; charset=utf-8"
	switch {
	case p.Declared:
		contentType = "text/html; charset=" + p.Encoding
	case p.Encoding != "":
		contentType = "text/html"
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		body, err := p.html()
		if err != nil {
			http.Error(w, "the page cannot be made", http.StatusInternalServerError)
			return
		}
		write(w, contentType, body)
	}
}

// html returns the page in its encoding.
func (p Page) html() ([]byte, error) {
	if p.Encoding != "" {
		return files.ReadFile("site/legacy" + p.Path + ".html")
	}
	main, err := files.ReadFile("site" + p.Path + ".html")
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(main), "<html") {
		return main, nil
	}
	layout, err := files.ReadFile("site/layout.html")
	if err != nil {
		return nil, err
	}
	// The first lines are comments with the values for the layout.
	rest, fill := string(main), []string{}
	for strings.HasPrefix(rest, "<!-- ") {
		line, after, _ := strings.Cut(rest, "\n")
		key, value, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "<!-- "), " -->"), ": ")
		fill = append(fill, "{"+key+"}", value)
		rest = after
	}
	fill = append(fill, "{main}", rest)
	return []byte(strings.NewReplacer(fill...).Replace(string(layout))), nil
}

// slow answers after a minute, or when the client disconnects.
func slow(w http.ResponseWriter, r *http.Request) {
	wait(r.Context(), time.Minute)
	write(w, "text/html; charset=utf-8", document("Slow", "Sorry", "<p>This took its time.</p>"))
}

// endless sends paragraphs until the client disconnects.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if _, err := io.WriteString(w, "<!doctype html><title>Endless</title><main><h1>The sea</h1>\n"); err != nil {
		return
	}
	wave := strings.Repeat("<p>And after this wave came another wave, and it was much like the wave before it, only a little later.</p>\n", 100)
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, wave); err != nil {
			return
		}
	}
}

// shell serves a page that is empty without its script.
func shell(w http.ResponseWriter, _ *http.Request) {
	write(w, "text/html; charset=utf-8", []byte(`<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/bundle.js"></script></body></html>`))
}

// file serves a file of the folder "site" unchanged.
func file(name, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		body, err := files.ReadFile("site/" + name)
		if err != nil {
			http.Error(w, "the page cannot be made", http.StatusInternalServerError)
			return
		}
		write(w, contentType, body)
	}
}

// Sightings are the first entries of the list on Board.
func Sightings() []string {
	return []string{"Two porpoises off the lighthouse, swimming north", "A minke whale beyond the green buoy, at low tide", "A grey seal asleep on the slipway"}
}

func board(w http.ResponseWriter, _ *http.Request) {
	body, err := json.Marshal(Sightings())
	if err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	write(w, "application/json", body)
}

// film serves a video, which has no text.
func film(w http.ResponseWriter, _ *http.Request) {
	write(w, "video/mp4", []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"))
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
