package spyhop

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/tool"
)

// CacheStats are the place and the size of the cache.
type CacheStats struct {
	// File is the path of the cache; "" when it is in memory, or off.
	File string
	// Items counts cached answers and versions of pages.
	Items int
	// Bytes is their size, and Limit the bound of it (Config.CacheBytes).
	Bytes, Limit int64
}

// CacheStats measures the cache. All of it is zero when the cache is off.
func (s *Client) CacheStats(ctx context.Context) (CacheStats, error) {
	if s.store == nil {
		return CacheStats{}, nil
	}
	stats, err := s.store.Stats(ctx)
	return CacheStats(stats), s.hints.explain(err)
}

// CaptureDir is the folder of screenshots and PDFs. In a DataDir each of them
// stays for a day; the temporary folder that is used without one is made with the
// first capture and removed by Close.
func (s *Client) CaptureDir() string { return s.captures }

// PageVersions returns the versions of pages that were read without credentials,
// for a program that shows them; nil when the cache is off.
func (s *Client) PageVersions() tool.Versions {
	if s.store == nil {
		return nil
	}
	return reader.Stored{Versions: versions{s.store}}
}

// versions is the store as the reader has it.
type versions struct{ store *store.Store }

func (s versions) Put(ctx context.Context, v reader.Version) {
	s.store.PutVersion(ctx, store.Version{Owner: v.Owner, URL: v.URL, Hash: v.Hash, Content: []byte(v.Text)})
}

func (s versions) List(ctx context.Context, owner, url string) []reader.Version {
	stored := s.store.Versions(ctx, owner, url)
	out := make([]reader.Version, len(stored))
	for i, v := range stored {
		out[i] = version(v)
	}
	return out
}

func (s versions) Get(ctx context.Context, owner, hash string) (reader.Version, bool) {
	v, ok := s.store.Version(ctx, owner, hash)
	return version(v), ok
}

func version(v store.Version) reader.Version {
	return reader.Version{Owner: v.Owner, Version: tool.Version{URL: v.URL, Hash: v.Hash, Seen: v.LastSeen, Text: string(v.Content)}}
}
