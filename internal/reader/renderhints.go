package reader

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Render hints say where a browser added nothing: it is not used again there for a while. A
// hint holds for the pages of a site that are in one folder, which are mostly made in one
// way. A page that is empty without a browser is read without one only if the browser added
// nothing to that same page.

// HintStore stores render hints between calls and between processes; *store.Store
// does. It never fails: a hint that cannot be stored or found does not exist.
type HintStore interface {
	Load(ctx context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool)
	Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration)
}

// keepVain is how long a hint holds.
const keepVain = 24 * time.Hour

// renderHints reads and writes hints; without a store there are none.
type renderHints struct{ store HintStore }

func (h renderHints) has(ctx context.Context, key [sha256.Size]byte) bool {
	if h.store == nil {
		return false
	}
	_, _, ok := h.store.Load(ctx, key)
	return ok
}

func (h renderHints) add(ctx context.Context, key [sha256.Size]byte) {
	if h.store != nil {
		h.store.Save(ctx, key, nil, nil, keepVain)
	}
}

// inVain is the key of the hint that a browser added nothing to pages with the same
// reason for one.
func inVain(u weburl.URL, why page.Shell, nothing bool) [sha256.Size]byte {
	where := siteFolder(u)
	if nothing {
		where = u.WithoutFragment().String()
	}
	return sha256.Sum256([]byte("browser in vain\n" + string(why) + "\n" + where))
}

// siteFolder is the origin of an address and the first part of its path that has
// something below it: /products/1 and /products/a/2 are in one, / and /about in
// another.
func siteFolder(u weburl.URL) string {
	top, _, below := strings.Cut(strings.TrimPrefix(u.Path(), "/"), "/")
	if !below {
		top = ""
	}
	return u.Origin() + "/" + top
}
