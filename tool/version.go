package tool

import (
	"context"
	"time"
)

// Versions are stored page versions, for surfaces that show them as resources.
// They belong to the caller of the context. Pages that were read with credentials
// are not included.
type Versions interface {
	// Recent lists at most n versions without their text, the most recently read
	// first: those that the caller's session has read since this process started,
	// or its principal where it has no session. Those that the policy refuses today
	// are left out.
	Recent(ctx context.Context, n int) []Version
	// Version returns a version that the caller's principal has read, by its hash,
	// which answers have in metadata.version. The policy judges the address and its
	// redirects again, and the audit log gets one event. Of o, it uses Caller and
	// Given. The error is an *Error: NoContent when the version is not stored,
	// Blocked when the policy refuses it today.
	Version(ctx context.Context, hash string, o Options) (Version, error)
}

// Version is a page as it was at one time.
type Version struct {
	URL  string
	Hash string
	// Title is the title of the page, in lists its beginning; "" where it is not known.
	Title string
	Seen  time.Time // last
	Text  string    // Markdown
}
