package tool

import (
	"context"
	"time"
)

// Versions are stored page versions, for surfaces that show them as resources.
// Pages that were read with credentials are not included.
type Versions interface {
	// Recent lists at most n versions without their text, the most recently seen
	// first.
	Recent(ctx context.Context, n int) []Version
	// Version returns a version by its hash, which answers have in
	// metadata.version; false when it is not stored or was deleted.
	Version(ctx context.Context, hash string) (Version, bool)
}

// Version is a page as it was at one time.
type Version struct {
	URL  string
	Hash string
	Seen time.Time // last
	Text string    // Markdown
}
