package live

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A browser cannot send a bearer token by itself. A person gives the token once, in a
// form, and the browser gets a cookie: a random name of a session, from which the token
// cannot be derived. The cookie counts for the pages of this package only.
//
// A session ends after sessionAge, when its person signs out, when its token is no
// longer one of the server's, and when the server ends.

const (
	sessionAge = 12 * time.Hour
	// maxSessions bounds the sessions. For a new one ends the oldest of whoever has most.
	maxSessions = 1000
	cookieName  = "spyhop-session"
)

// Identity is whose a token is: the name of its principal and the hash of the token.
type Identity struct {
	Name string
	Sum  [sha256.Size]byte
}

// sessions are those of people who have signed in.
type sessions struct {
	now func() time.Time

	mu  sync.Mutex
	all map[[sha256.Size]byte]signedIn // by the hash of the cookie's value
}

type signedIn struct {
	who   Identity
	since time.Time
}

// begin makes a session and returns the value of its cookie.
func (s *sessions) begin(who Identity) string {
	value := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[[sha256.Size]byte]signedIn)
	}
	if len(s.all) >= maxSessions {
		has := map[string]int{}
		for _, is := range s.all {
			has[is.who.Name]++
		}
		most := slices.MaxFunc(slices.Sorted(maps.Keys(has)), func(a, b string) int { return cmp.Compare(has[a], has[b]) })
		var oldest [sha256.Size]byte
		first := time.Time{}
		for key, is := range s.all {
			if is.who.Name == most && (first.IsZero() || is.since.Before(first)) {
				oldest, first = key, is.since
			}
		}
		delete(s.all, oldest)
	}
	s.all[sha256.Sum256([]byte(value))] = signedIn{who, s.now()}
	return value
}

// find returns who signed in with the cookie of a request.
func (s *sessions) find(r *http.Request) (Identity, bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return Identity{}, false
	}
	key := sha256.Sum256([]byte(cookie.Value))
	s.mu.Lock()
	defer s.mu.Unlock()
	is, ok := s.all[key]
	if ok && s.now().Sub(is.since) >= sessionAge {
		delete(s.all, key)
		ok = false
	}
	return is.who, ok
}

// end ends the session of a request.
func (s *sessions) end(r *http.Request) {
	if cookie, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, sha256.Sum256([]byte(cookie.Value)))
	}
}

// setCookie gives a browser the cookie of a session; an empty value takes it away.
// Pages of other sites never send it (SameSite), scripts never read it (HttpOnly).
func setCookie(w http.ResponseWriter, r *http.Request, value string) {
	c := &http.Cookie{Name: cookieName, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		// A proxy in front speaks TLS; the Origin of a form names the browser's scheme.
		Secure: strings.HasPrefix(r.Header.Get("Origin"), "https://"), MaxAge: int(sessionAge.Seconds())}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// Caller returns the name of the principal who has signed in with the cookie of a
// request; ok is false when nobody has, or when the token is no longer valid.
func (h *Handler) Caller(r *http.Request) (name string, ok bool) {
	who, ok := h.sessions.find(r)
	if !ok || h.o.Valid == nil || !h.o.Valid(who) {
		return "", false
	}
	return who.Name, true
}

// signInPage is what the form of the token shows.
type signInPage struct {
	Wrong, Ended bool
	Plain        bool // the connection can be read on its way
	To           string
}

// signIn shows the form, and reads it.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request) {
	to := h.target(r.FormValue("to"))
	if _, ok := h.Caller(r); ok || !h.o.NeedsToken() {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	_, cookie := r.Cookie(cookieName)
	p := signInPage{To: to, Ended: cookie == nil, Plain: h.plain(r)}
	status := http.StatusOK
	if r.Method == http.MethodPost {
		if !fromHere(r) {
			h.refuseForm(w, r)
			return
		}
		if who, ok := h.o.SignIn(strings.TrimSpace(r.PostFormValue("token"))); ok {
			setCookie(w, r, h.sessions.begin(who))
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
		p.Wrong, p.Ended, status = true, false, http.StatusUnauthorized
	}
	h.write(w, r, status, h.layout(r, "Sign in", ""), "sign-in", p)
}

func (h *Handler) signOut(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		h.refuseForm(w, r)
		return
	}
	h.sessions.end(r)
	setCookie(w, r, "")
	http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
}

// target is where a person goes on after signing in: a page of ours, and nothing else.
func (h *Handler) target(to string) string {
	path, _, _ := strings.Cut(to, "?")
	if path == "/docs" {
		return to
	}
	for _, v := range views() {
		if v.Path == path {
			return to
		}
	}
	return "/"
}

// plain reports whether others can read what the browser sends: neither TLS in front
// nor this machine.
func (h *Handler) plain(r *http.Request) bool {
	return !loopbackHost(r.Host) && r.Header.Get("X-Forwarded-Proto") != "https"
}
