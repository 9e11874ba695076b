package spyhop

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
)

// LoginInfo says of a saved login what anybody may know: never a cookie.
type LoginInfo = session.Info

// MaxLoginTime is how long a person has to sign in.
const MaxLoginTime = 30 * time.Minute

// Login opens a site in a browser of its own, in which a person signs in, and
// keeps what the browser was given by that site, sealed, for
// [FetchRequest].Login. site is a domain or an address. It ends when done is
// closed or the person closes the window. With Config.BrowserHeaded unset
// nobody sees a window.
func (s *Client) Login(ctx context.Context, site string, done <-chan struct{}) (info LoginInfo, err error) {
	name, u, err := session.Site(site)
	if err != nil {
		return info, err
	}
	err = s.observed(ctx, "login", CallOptions{Caller: s.caller, Given: true}, func(ctx context.Context) error {
		state, err := s.browser.Attend(ctx, browser.Navigation{URL: u.String(), Given: true}, done, MaxLoginTime)
		if err == nil {
			info, err = s.sessions.SaveLogin(name, state)
		}
		return err
	})
	return info, err
}

// Logins lists the saved logins.
func (s *Client) Logins() ([]LoginInfo, error) { return s.sessions.Logins() }

// Forget removes the login of a site, and returns its name. What was read with
// it stays in the cache for its time, where nobody else is given it.
func (s *Client) Forget(site string) (string, error) { return s.sessions.Forget(site) }
