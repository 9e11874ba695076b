package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/live"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The pages for people: what package live gets from this server, and who may see them.
// A browser sends no bearer token. Whoever has signed in has a cookie; it counts for
// these pages and the reference only, so that no page can use it to reach the interfaces
// for programs.

// pages makes the live page.
func (s *Server) pages() *live.Handler {
	o := live.Options{
		Tools: s.tools, Compare: s.o.Compare, Browsers: s.o.Browsers, Audit: s.o.Audit, Version: s.o.Version, Meaning: tool.ErrorType.Meaning,
		Follow:     s.follow,
		Owner:      func(ctx context.Context) string { return principal.Of(ctx).Name },
		NeedsToken: func() bool { return s.quotas.tokens.Load().Len() > 0 },
		Call: func(ctx context.Context, name string, args json.RawMessage) (got tool.Result, err error) {
			err = s.quotas.counted(ctx, func(ctx context.Context) (err error) {
				if got, err = s.callTool(ctx, name, args, tool.Options{Given: true}); err != nil {
					err = ended(ctx, err)
				}
				return err
			})
			return got, err
		},
		SignIn: func(token string) (live.Identity, bool) {
			t, ok := s.quotas.tokens.Load().Find(token)
			return live.Identity{Name: t.Name, Sum: t.SHA256}, ok
		},
		Valid: func(who live.Identity) bool { return s.quotas.tokens.Load().Has(who.Name, who.Sum) },
	}
	if s.o.Explain != nil {
		o.Explain = func(ctx context.Context, url string) (x *result.Explanation, err error) {
			err = s.quotas.counted(ctx, func(ctx context.Context) (err error) { x, err = s.o.Explain(ctx, url); return err })
			return x, err
		}
	}
	if s.o.Jobs != nil {
		o.Jobs, o.Counted = s.o.Jobs, s.quotas.counted
		if s.o.Monitors != nil {
			o.Monitors = s.o.Monitors
		}
	}
	if s.o.Files != "" {
		o.File = func(path string) string { return filesPath + filepath.Base(path) }
	}
	if s.o.Versions != nil {
		o.Versions = liveVersions{s.o.Versions}
	}
	return live.New(o)
}

// liveVersions are the versions of pages as views ask for them.
type liveVersions struct{ tool.Versions }

// Version implements tool.Versions.
func (v liveVersions) Version(ctx context.Context, hash string, o tool.Options) (tool.Version, error) {
	return v.Versions.Version(ctx, hash, onSurface(ctx, o))
}

// forPeople reports whether the cookie of a person counts for a path.
func (s *Server) forPeople(r *http.Request) bool {
	p := r.URL.Path
	return s.live.Has(p) || p == "/docs" || strings.HasPrefix(p, "/docs/") || strings.HasPrefix(p, filesPath) && r.Method == http.MethodGet
}

// caller says whose a request is: of whom the bearer token is, or of whom the cookie is.
// The error is that of identify.
func (s *Server) caller(r *http.Request) (principal.Caller, bool, error) {
	c, ok, err := s.identify(r)
	if !ok && s.forPeople(r) && r.Header.Get("Authorization") == "" {
		if name, signedIn := s.live.Caller(r); signedIn {
			return principal.Caller{Name: name}, true, nil
		}
	}
	return c, ok || r.URL.Path == healthPath || s.live.Open(r.URL.Path), err
}

// turnAway answers a request that a check refuses: a person gets a page, or the form of
// the token; a program gets a problem.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, status int, e *tool.Error) {
	if !s.forPeople(r) || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		refuse(w, r, status, e)
		return
	}
	if status == http.StatusUnauthorized && r.Method == http.MethodGet {
		to := url.Values{"to": {r.URL.RequestURI()}}
		http.Redirect(w, r, "/sign-in?"+to.Encode(), http.StatusSeeOther)
		return
	}
	if status == http.StatusUnauthorized {
		e = &tool.Error{Type: e.Type, Message: "you are no longer signed in", Hint: "open /sign-in, sign in, and send the form again", Cause: errors.New(e.Message)}
	}
	s.live.Refuse(w, r, status, e)
}
