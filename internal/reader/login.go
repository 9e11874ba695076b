package reader

import (
	"context"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// signIn puts the login of the caller that a request names into its credentials. It is for
// addresses of its site alone.
func (r *Reader) signIn(ctx context.Context, q *compiled) error {
	if q.Login == "" {
		return nil
	}
	bad := func(message, hint string) error { return tool.NewError(tool.InvalidInput, message, hint) }
	if q.Auth != nil {
		return bad("login does not go with other credentials", "leave one of them out")
	}
	if r.o.Login == nil {
		return bad("there are no logins here", "leave login out")
	}
	l, err := r.o.Login(ctx, q.Login, q.URL)
	if err != nil {
		return err
	}
	if !l.Covers(q.URL) {
		return bad(fmt.Sprintf("the login of %s is not for %s", text.Name(l.Site()), text.URL(q.address())), "leave login out, or fetch a URL of that site")
	}
	q.Auth = &fetch.Auth{Login: l}
	return nil
}
