package reader

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Render hints say where a browser was needed and where it was useless. A hint holds
// for the pages of a site that are in one folder: those are mostly made in one way.
// Where a browser was needed, the next read starts it together with the request to
// the server, whose answer still decides; a wrong hint costs time and no content.
// Where a browser added nothing, it is not used again for a while. A page that is
// empty without a browser is read without one only if the browser added nothing to
// that same page.

// HintStore stores render hints between calls and between processes; *store.Store
// does. It never fails: a hint that cannot be stored or found does not exist.
type HintStore interface {
	Load(ctx context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool)
	Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration)
	Remove(ctx context.Context, key [sha256.Size]byte)
}

const (
	keepNeeded = 30 * 24 * time.Hour // a page that does not need one removes the hint earlier
	keepVain   = 24 * time.Hour
)

// renderHints reads and writes hints; without a store there are none.
type renderHints struct{ store HintStore }

func (h renderHints) has(ctx context.Context, key [sha256.Size]byte) bool {
	if h.store == nil {
		return false
	}
	_, _, ok := h.store.Load(ctx, key)
	return ok
}

func (h renderHints) add(ctx context.Context, key [sha256.Size]byte, keep time.Duration) {
	if h.store != nil {
		h.store.Save(ctx, key, nil, nil, keep)
	}
}

func (h renderHints) forget(ctx context.Context, key [sha256.Size]byte) {
	if h.store != nil {
		h.store.Remove(ctx, key)
	}
}

// needed is the key of the hint that a browser was needed in an address's folder.
func needed(u weburl.URL) [sha256.Size]byte {
	return sha256.Sum256([]byte("browser needed\n" + siteFolder(u)))
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
