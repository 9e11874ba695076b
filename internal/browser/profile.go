package browser

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// Rules of a profile that lasts (Options.Profile):
//
//   - Calls of the local principal that name no context work in the profile, with its cookies
//     and storage. Contexts with names are new ones, as without a profile.
//   - The browser has the proxy of the profile from its start, by its flags alone: it runs
//     without a network namespace. Pages that are rendered for a read, and logins, have a
//     browser of their own, as without a profile.
//   - One browser uses a profile at a time. It is ended in order, so that it writes what it
//     has, and the folder stays.

// inProfile reports whether a new context without a name is that of the profile.
func (b *Browser) inProfile(ctx context.Context, at Place) bool {
	return b.options.Profile != "" && !at.private && (at.Context == "" || at.Context == profileContext) && principal.Of(ctx).Keys() == principal.Local
}
