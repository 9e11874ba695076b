package spyhop

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
)

// LoginInfo describes a saved login. It never holds a cookie.
type LoginInfo struct {
	// Site is the registrable domain.
	Site string `json:"site"`
	// Saved is when the login was saved.
	Saved time.Time `json:"saved"`
	// Cookies counts the cookies that have not expired, Stores the origins that
	// have stored anything else.
	Cookies int `json:"cookies"`
	Stores  int `json:"stores"`
	// Ends is when the last cookie expires; zero when one never does or there is
	// none.
	Ends time.Time `json:"ends,omitzero"`
	// Locked reports that the login does not open with the key of
	// Config.SessionKey.
	Locked bool `json:"locked,omitempty"`
}

// MaxLoginTime is how long a person has to sign in.
const MaxLoginTime = 30 * time.Minute

// Login opens a site in a browser context of its own, in which a person signs in,
// and saves, sealed, what that site has stored in the browser, for
// [FetchRequest].Login. site is a domain or an address. Login returns when done
// is closed, when the person closes the window, or after MaxLoginTime; a nil done
// is never closed. It needs Config.DataDir, and Config.BrowserHeaded for the
// person to see a window.
func (s *Client) Login(ctx context.Context, site string, done <-chan struct{}) (info LoginInfo, err error) {
	name, u, err := session.Site(site)
	if err != nil {
		return info, s.hints.explain(err)
	}
	err = s.operation(ctx, "login", func(ctx context.Context) error {
		state, err := s.browser.Attend(ctx, browser.Navigation{URL: u.String(), Given: true}, done, MaxLoginTime)
		if err != nil {
			return err
		}
		saved, err := s.sessions.SaveLogin(ctx, name, state)
		info = LoginInfo(saved)
		return err
	})
	return info, err
}

// Logins lists the saved logins by site. It needs Config.DataDir; without one the
// list is empty.
func (s *Client) Logins() ([]LoginInfo, error) {
	saved, err := s.sessions.Logins(s.owned(context.Background()))
	if err != nil {
		return nil, s.hints.explain(err)
	}
	out := make([]LoginInfo, len(saved))
	for i, info := range saved {
		out[i] = LoginInfo(info)
	}
	return out, nil
}

// Forget removes the login of a site and returns the site's name. It fails with
// an InvalidInput error if none exists. What was read with the login stays in the
// cache for its time; only reads with that login are given it.
func (s *Client) Forget(site string) (string, error) {
	name, err := s.sessions.Forget(s.owned(context.Background()), site)
	return name, s.hints.explain(err)
}
