package spyhop

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/result"
)

// maxLoginTime is how long a person has to sign in.
const maxLoginTime = 30 * time.Minute

// Login opens a site in a browser context of its own, in which a person signs in,
// and saves, sealed, what that site has stored in the browser, for
// [FetchRequest].Login. site is a domain or an address. Login returns when done
// is closed, when the person closes the window, or after half an hour; a nil done
// is never closed. It needs Config.DataDir, and Config.BrowserHeaded for the
// person to see a window.
func (s *Client) Login(ctx context.Context, site string, done <-chan struct{}) (result.LoginInfo, error) {
	name, u, err := session.Site(site)
	if err != nil {
		return result.LoginInfo{}, s.hints.explain(err)
	}
	return operate(ctx, s, "login", func(ctx context.Context) (info result.LoginInfo, err error) {
		state, err := s.browser.Attend(ctx, browser.Navigation{URL: u.String(), Given: true}, done, maxLoginTime)
		if err != nil {
			return info, err
		}
		return s.sessions.SaveLogin(ctx, name, state)
	})
}

// Logins lists the saved logins by site. It needs Config.DataDir; without one the
// list is empty.
func (s *Client) Logins() ([]result.LoginInfo, error) {
	saved, err := s.sessions.Logins(s.owned(context.Background()))
	return saved, s.hints.explain(err)
}

// Forget removes the login of a site and returns the site's name. It fails with
// an InvalidInput error if none exists. What was read with the login stays in the
// cache for its time; only reads with that login are given it.
func (s *Client) Forget(site string) (string, error) {
	name, err := s.sessions.Forget(s.owned(context.Background()), site)
	return name, s.hints.explain(err)
}
