package spyhop

import (
	"context"
	"errors"

	"github.com/spyhop-dev/spyhop/internal/callrecord"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/tool"
)

// CacheStats are the place and the size of the cache.
type CacheStats struct {
	// File is the path of the cache; "" when it is in memory, or off.
	File string
	// Items counts cached answers, and versions of pages where they cannot be
	// recalled.
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

// PageVersions returns the versions of pages that this Client has read without
// credentials, for a program that shows them; nil when the cache is off. Reading
// one is a call: the policy judges it, and the audit log records it.
func (s *Client) PageVersions() tool.Versions {
	if s.store == nil {
		return nil
	}
	return pageVersions{s}
}

// pageVersions are the versions of a Client as resources.
type pageVersions struct{ client *Client }

// Recent implements tool.Versions.
func (p pageVersions) Recent(ctx context.Context, n int) []tool.Version {
	var out []tool.Version
	for _, v := range p.client.pages.Recent(ctx) {
		if len(out) < n && p.client.fetcher.Reopen(ctx, []string{v.URL}, true) == nil {
			out = append(out, version(v).Version)
		}
	}
	return out
}

// Version implements tool.Versions.
func (p pageVersions) Version(ctx context.Context, hash string, o tool.Options) (out tool.Version, err error) {
	err = p.client.record.Run(ctx, "page_version", o, func(ctx context.Context) error {
		stored, ok := p.client.pages.Version(ctx, "", hash)
		if !ok {
			return tool.NewError(tool.NoContent, "this version of a page is not stored for this caller", "read the page again with web_fetch")
		}
		v := version(stored)
		if err := p.client.reopen(ctx, v.URL, v.Hops); err != nil {
			return notReopened(err)
		}
		out = v.Version
		return nil
	})
	return out, p.client.hints.explain(err)
}

// reopen judges the addresses of a stored page again and records that it is shown.
func (s *Client) reopen(ctx context.Context, address string, hops []string) error {
	if len(hops) == 0 {
		hops = []string{address}
	}
	err := s.fetcher.Reopen(ctx, hops, callrecord.Given(ctx))
	callrecord.Reopened(ctx, address, err)
	return err
}

// notReopened is the error for a version that the policy refuses. The caller gave
// only a hash, so the error does not name the page.
func notReopened(err error) *tool.Error {
	rule := ""
	if e := new(fetch.Error); errors.As(err, &e) && e.Rule != "" {
		rule = " (rule: " + e.Rule + ")"
	}
	return &tool.Error{Type: tool.Blocked, Message: "the policy does not allow the page of this version today" + rule,
		Hint: "it was read under other settings; the audit log has its URL", Cause: err}
}

// versions is the store as the reader has it.
type versions struct{ store *store.Store }

func (s versions) Put(ctx context.Context, v reader.Version) {
	s.store.PutVersion(ctx, store.Version{Credentials: v.Credentials, URL: v.URL, Hops: v.Hops, Hash: v.Hash, Content: v.Text,
		Title: v.Title, Private: !v.Login, Job: recall.JobOf(ctx)})
}

func (s versions) List(ctx context.Context, credentials, url string) []reader.Version {
	stored := s.store.Versions(ctx, credentials, url)
	out := make([]reader.Version, len(stored))
	for i, v := range stored {
		out[i] = version(v)
	}
	return out
}

func (s versions) Get(ctx context.Context, credentials, hash string) (reader.Version, bool) {
	v, ok := s.store.Version(ctx, credentials, hash)
	return version(v), ok
}

func version(v store.Version) reader.Version {
	return reader.Version{Credentials: v.Credentials, Hops: v.Hops, Version: tool.Version{URL: v.URL, Hash: v.Hash, Title: v.Title, Seen: v.LastSeen, Text: v.Content}}
}

// EndSession ends what belongs to a session of a surface: its browser contexts, and
// its list of recently read pages. ctx has the caller, session is the
// [tool.Options].Session of its calls. Stored pages, logins and states stay.
func (s *Client) EndSession(ctx context.Context, session string) {
	if s.store != nil {
		s.pages.Forget(principal.Of(ctx))
	}
	s.watch.end(session, "")
	s.budget.End(session)
	_ = s.browser.EndOwner(ctx, session) // what is left ends when it is idle
}
