// Package session provides encrypted storage for what a browser is signed in by:
// the logins of sites, and the states of browser contexts.
//
//	k := session.New(session.Options{Dir: dir, KeyFile: key})
//	err := k.SaveLogin(ctx, "example.com", state)
//	login, err := k.Login(ctx, "example.com") // for fetch.Auth
//	err = k.SaveState(ctx, "shop", state)
//	state, err := k.State(ctx, "shop")
//
// All of them belong to the principal of the context; another one does not learn that
// they exist. Logins and states are separate: a person creates a login, and only web_fetch
// reads it; the browser's tools save and restore a state. [store.SealedStore]
// encrypts both.
//
// # Guarantees
//
// A login contains only what belongs to its site. No error and no loginInfo contains
// a cookie, a token or a key. Errors are *tool.Error and say what to do next. A
// Keeper is safe for concurrent use, also by several processes on one folder. The
// first save creates the folder.
//
// # Limits
//
// The names of sites and of states are not secret: they are names of files. A key
// in the same folder as the values protects copies of single files, not the disk.
// Only the site's answers show that the site has ended a login.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options configure a [Keeper].
type Options struct {
	// Dir is the folder of logins and states; with "", every method fails.
	Dir string
	// KeyFile is the file of the key; "" means a file in Dir. The first save
	// creates it with mode 0600. It is refused when other users can read it.
	KeyFile string
}

// Keeper stores logins and states. It is safe for concurrent use. Make one with
// [New].
type Keeper struct{ o Options }

// KeyFile is the name of the file of the key in [Options].Dir, unless the options name
// another one.
const KeyFile = "session.key"

// New returns a Keeper. It touches no file.
func New(o Options) *Keeper {
	if o.KeyFile == "" && o.Dir != "" {
		o.KeyFile = filepath.Join(o.Dir, KeyFile)
	}
	return &Keeper{o}
}

// The kinds of values, which are also the folders of the principal Local.
const (
	logins = "logins"
	states = "states"
)

// of returns the values of a kind that belong to the principal of ctx; nil where
// nothing is kept. The name of the folder has the principal, and each value is
// encrypted under that name: one that is copied to another principal's folder does
// not decrypt.
func (k *Keeper) of(ctx context.Context, kind string) *store.SealedStore {
	if k.o.Dir == "" {
		return nil
	}
	if name := principal.Of(ctx).Keys(); name != principal.Local {
		kind += "@" + name
	}
	return store.NewSealedStore(filepath.Join(k.o.Dir, kind), k.o.KeyFile)
}

// maxName bounds the name of a state.
const maxName = 64

// CheckName returns a *tool.Error (InvalidInput) for a text that cannot be the
// name of a state.
func CheckName(name string) error {
	if name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" {
		return tool.NewError(tool.InvalidInput, text.Quoted(name)+" cannot be the name of a state", fmt.Sprintf("use up to %d letters, digits, dots, dashes and underscores", maxName))
	}
	return nil
}

// SaveState stores a state, replacing the previous state of that name.
func (k *Keeper) SaveState(ctx context.Context, name string, s *browser.State) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return put(k.of(ctx, states), name, s)
}

// State returns the state of a name. The error is InvalidInput if none exists
// or it does not decrypt.
func (k *Keeper) State(ctx context.Context, name string) (*browser.State, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	s, err := get(k.of(ctx, states), name, "state")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tool.NewError(tool.InvalidInput, "no state "+text.Quoted(name)+" is saved", "save a state under this name first")
	}
	return s, err
}

// Site parses a domain or an address that a person or a model wrote. It returns
// the registrable domain, and the address to open.
func Site(raw string) (string, weburl.URL, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(raw))
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.Host() == "" || u.HasUserinfo() {
		raw = raw[strings.LastIndexByte(raw, '@')+1:] // a password may precede it
		return "", weburl.URL{}, tool.NewError(tool.InvalidInput, text.Quoted(raw)+" is not a site", "give a domain, for example example.com")
	}
	return u.RegistrableDomain(), u, nil
}

// command is what a person runs to sign in for the principal of ctx.
func command(ctx context.Context, site string) string {
	if name := principal.Of(ctx).Keys(); name != principal.Local {
		return "spyhop login --for " + name + " " + site
	}
	return "spyhop login " + site
}

// SaveLogin stores the part of a state that belongs to a site, and returns a
// summary of it. The error is NoContent when nothing belongs to the site.
func (k *Keeper) SaveLogin(ctx context.Context, site string, s *browser.State) (loginInfo, error) {
	s = s.Of(site)
	if s.Empty() {
		return loginInfo{}, tool.NewError(tool.NoContent, site+" has stored nothing, so the browser is not signed in there", "run "+command(ctx, site)+" again, and sign in before you end it")
	}
	if err := put(k.of(ctx, logins), site, s); err != nil {
		return loginInfo{}, err
	}
	return info(site, time.Now(), s), nil
}

// LoginState returns the cookies and storage of a login as they were when it was saved: of a
// site, or of the browser state of that name. The error is InvalidInput if neither is stored,
// or when its cookies have expired.
func (k *Keeper) LoginState(ctx context.Context, raw string) (*browser.State, error) {
	if CheckName(raw) == nil {
		if s, err := get(k.of(ctx, states), raw, "state"); !errors.Is(err, fs.ErrNotExist) {
			if err == nil && len(s.Cookies) > 0 && len(live(s.Cookies)) == 0 {
				return nil, tool.NewError(tool.InvalidInput, "the login in the state "+text.Quoted(raw)+" has expired", "save the state again: browser_state with action=save")
			}
			return s, err
		}
	}
	site, _, err := Site(raw)
	if err != nil {
		return nil, err
	}
	s, err := get(k.of(ctx, logins), site, "login")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tool.NewError(tool.InvalidInput, "there is no login of "+site, "a person can sign in there with: "+command(ctx, site))
	}
	if err == nil && len(s.Cookies) > 0 && len(live(s.Cookies)) == 0 {
		return nil, tool.NewError(tool.InvalidInput, "the login of "+site+" has expired", "a person can sign in again with: "+command(ctx, site))
	}
	return s, err
}

// Login returns the cookies of a login for fetching a page. Those of a state are for the site
// of the page, if the state has any of it. The error is that of [Keeper.LoginState].
func (k *Keeper) Login(ctx context.Context, raw string, page weburl.URL) (*fetch.Login, error) {
	s, err := k.LoginState(ctx, raw)
	if err != nil {
		return nil, err
	}
	site, _, err := Site(raw)
	if at := page.RegistrableDomain(); err != nil || site != at && !s.Of(at).Empty() {
		site = at
		if s = s.Of(at); s.Empty() {
			return nil, tool.NewError(tool.InvalidInput, "the state "+text.Quoted(raw)+" has nothing of "+text.Name(at), "leave login out, or read an address of a site that it is signed in to")
		}
	}
	var cookies []fetch.LoginCookie
	for _, c := range live(s.Cookies) {
		if top, err := weburl.Parse(c.TopSite); c.TopSite != "" && (err != nil || top.RegistrableDomain() != site || c.Nested) {
			continue // it applies only to the site's frames in pages of other sites
		}
		cookies = append(cookies, fetch.LoginCookie{Name: c.Name, Value: c.Value, Domain: c.Domain, HostOnly: !strings.HasPrefix(c.Domain, "."),
			Path: c.Path, Secure: c.Secure || c.FromTLS, Expires: c.Expires})
	}
	return fetch.NewLogin(site, cookies), nil
}

func live(all []browser.StateCookie) []browser.StateCookie {
	var out []browser.StateCookie
	now := time.Now()
	for _, c := range all {
		if c.Expires.IsZero() || c.Expires.After(now) {
			out = append(out, c)
		}
	}
	return out
}

// loginInfo describes a login without its secrets.
type loginInfo = result.LoginInfo

func info(site string, saved time.Time, s *browser.State) loginInfo {
	i := loginInfo{Site: site, Saved: saved.UTC().Truncate(time.Second), Stores: len(s.Origins)}
	for _, c := range live(s.Cookies) {
		if i.Cookies++; i.Cookies == 1 || !i.Ends.IsZero() && (c.Expires.IsZero() || c.Expires.After(i.Ends)) {
			i.Ends = c.Expires
		}
	}
	return i
}

// Logins lists the logins, sorted by site.
func (k *Keeper) Logins(ctx context.Context) ([]loginInfo, error) {
	saved := k.of(ctx, logins)
	if saved == nil {
		return nil, nil
	}
	entries, err := saved.List()
	if err != nil {
		return nil, failure("logins", err)
	}
	out := make([]loginInfo, 0, len(entries))
	for _, l := range entries {
		s, err := get(saved, l.Name, "login")
		if err != nil {
			out = append(out, loginInfo{Site: l.Name, Saved: l.At.UTC().Truncate(time.Second), Locked: true})
			continue
		}
		out = append(out, info(l.Name, l.At, s))
	}
	return out, nil
}

// Forget removes the login of a site and returns the site's domain.
func (k *Keeper) Forget(ctx context.Context, raw string) (string, error) {
	site, _, err := Site(raw)
	if err != nil {
		return "", err
	}
	err = fs.ErrNotExist
	saved := k.of(ctx, logins)
	if saved != nil {
		err = saved.Remove(site)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", tool.NewError(tool.InvalidInput, "there is no login of "+site, "saved logins: "+names(saved))
	}
	if err != nil {
		return "", failure("login of "+site, err)
	}
	return site, nil
}

func put(d *store.SealedStore, name string, s *browser.State) error {
	if d == nil {
		return noFolder()
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = d.Put(name, data)
	}
	if err != nil {
		return failure("state "+text.Quoted(name), err)
	}
	return nil
}

// get decrypts a value. The error is fs.ErrNotExist or a *tool.Error.
func get(d *store.SealedStore, name, kind string) (*browser.State, error) {
	if d == nil {
		return nil, noFolder()
	}
	data, err := d.Get(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s := new(browser.State)
	if err == nil && json.Unmarshal(data, s) != nil { // the decoder's error could quote a value
		err = errors.New("it was written by another version")
	}
	if err != nil {
		return nil, failure(kind+" "+text.Quoted(name), err)
	}
	return s, nil
}

func noFolder() error {
	return tool.NewError(tool.InvalidInput, "there is no folder to keep sessions in", "set WEB_DATA_DIR")
}

// failure returns the error for a problem with the disk or the key.
func failure(what string, err error) *tool.Error {
	e := tool.NewError(tool.InvalidInput, "the "+what+" cannot be used: "+text.Cause(err), "check WEB_SESSION_KEY and WEB_DATA_DIR")
	if errors.Is(err, store.ErrSealed) {
		e.Message = "the " + what + " does not open with the present key"
		e.Hint = "restore the key that it was saved with (WEB_SESSION_KEY), or save it again"
	}
	e.Cause = err
	return e
}

func names(d *store.SealedStore) string {
	if d == nil {
		return "none"
	}
	entries, err := d.List()
	if err != nil || len(entries) == 0 {
		return "none"
	}
	const most = 20
	var b strings.Builder
	for i, n := range entries[:min(len(entries), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text.Name(n.Name))
	}
	if len(entries) > most {
		b.WriteString(", …")
	}
	return b.String()
}
