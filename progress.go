package spyhop

import "github.com/spyhop-dev/spyhop/internal/fetch"

// Progress is a step of a fetch, for [Config].OnProgress.
type Progress struct {
	// URL is the address that is being read, which a redirect changes.
	URL string
	// Status is the HTTP status; 0 before there is one.
	Status int
	// Length is the declared size of the body on the wire in bytes; -1 when it
	// is unknown.
	Length int64
	// Bytes counts what has come of the body on the wire.
	Bytes int64
	// Err is why the fetch failed; nil otherwise.
	Err error
}

// observe returns a function for the HTTP client that calls OnProgress; nil without
// OnProgress.
func (c Config) observe() func(fetch.Event) {
	if c.OnProgress == nil {
		return nil
	}
	return func(e fetch.Event) {
		c.OnProgress(Progress{e.URL, e.Status, e.Length, e.Bytes, e.Err})
	}
}
