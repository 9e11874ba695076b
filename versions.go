package spyhop

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/tool"
)

// Versions are what a Client keeps of pages that were read.
type Versions = tool.Versions

// PageVersions are the versions of pages that were read, without those that
// were read with credentials; nil where nothing is kept.
func (s *Client) PageVersions() Versions {
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
