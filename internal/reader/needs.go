package reader

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// What a browser was good for is remembered for the pages of a site that stand
// in one folder: those are mostly made in one way. Where it was needed it is
// begun at once the next time, beside the request to the server, whose answer
// still decides; so a memory that is wrong costs time and no content. Where it
// had no more to show, it is not asked again for a while; a page that has
// nothing without it is left alone only if that page itself was asked for in
// vain.

// Notes keeps facts about sites between calls, and between processes;
// *store.Store does. It never fails: what cannot be kept or found is as if it
// had never been there.
type Notes interface {
	Load(ctx context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool)
	Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration)
	Remove(ctx context.Context, key [sha256.Size]byte)
}

const (
	keepNeeded = 30 * 24 * time.Hour // a page without need takes it away before
	keepVain   = 24 * time.Hour
)

// needs is the memory; without a place to keep it in, nothing is known.
type needs struct{ notes Notes }

func (n needs) has(ctx context.Context, key [sha256.Size]byte) bool {
	if n.notes == nil {
		return false
	}
	_, _, ok := n.notes.Load(ctx, key)
	return ok
}

func (n needs) note(ctx context.Context, key [sha256.Size]byte, keep time.Duration) {
	if n.notes != nil {
		n.notes.Save(ctx, key, nil, nil, keep)
	}
}

func (n needs) forget(ctx context.Context, key [sha256.Size]byte) {
	if n.notes != nil {
		n.notes.Remove(ctx, key)
	}
}

// needed names the fact that a browser was needed beside an address.
func needed(u weburl.URL) [sha256.Size]byte {
	return sha256.Sum256([]byte("browser needed\n" + siteFolder(u)))
}

// inVain names the fact that a browser had no more to show of pages that looked
// as this one does.
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
