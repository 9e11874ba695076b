package tool

import (
	"context"
	"time"
)

// Versions are pages as they were read, for surfaces that can show them as
// resources. What was read with credentials is not among them.
type Versions interface {
	// Recent lists at most n versions without their text, the one that was seen
	// last first.
	Recent(ctx context.Context, n int) []Version
	// Version returns a version by its hash, which answers have as
	// metadata.version; false when it is not stored, or not any more.
	Version(ctx context.Context, hash string) (Version, bool)
}

// Version is a page as it was at one time.
type Version struct {
	URL  string
	Hash string
	Seen time.Time // last
	Text string    // Markdown
}
