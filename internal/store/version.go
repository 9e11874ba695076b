package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/principal"
)

const (
	// keepVersions is how long a version is kept after it was last seen, as far as
	// the budget allows.
	keepVersions = 90 * 24 * time.Hour
	// maxLists bounds the callers whose recent versions are listed, maxRecent the
	// versions of each list, and maxListedURL the bytes of an address in it.
	maxLists     = 1024
	maxRecent    = 100
	maxListedURL = 4 << 10
	// maxListedTitle bounds the bytes of a title in a list.
	maxListedTitle = 200
)

// Version is a page as it was at one time. It belongs to the principal of the
// context that it was stored with, and to Options.Scope.
type Version struct {
	// Credentials identifies the credentials that the page was read with, without
	// containing them; "" means that the page is public.
	Credentials string
	// URL is the page's address; callers choose how it is normalized.
	URL string
	// Hops are the URLs that were requested for the page, in order; empty in lists.
	Hops []string
	// Hash names the content, as in the metadata of answers.
	Hash string
	// Title is the title of the page, in lists its beginning.
	Title string
	// Private keeps a version that was read with credentials from being found by
	// [Store.Search]. Public versions are found whatever Private says.
	Private bool
	// Job is the crawl that read the page, for [Search].Job; "" means none. It is not
	// returned.
	Job string
	// FirstSeen and LastSeen are the times of the first and the last PutVersion.
	// The Store sets them.
	FirstSeen, LastSeen time.Time
	// Content is the page in a format of the caller's choice. Lists leave it empty.
	Content string
}

// versionMeta is the metadata of the row, as JSON.
type versionMeta struct {
	Hops  []string `json:"hops"`
	Title string   `json:"title,omitempty"`
}

// PutVersion stores a version in the background, for the principal of ctx. The
// same content of the same page is one version, however often it is stored. The
// version is the first in the list of recent versions of the caller of ctx, unless
// it was read with credentials.
func (s *Store) PutVersion(ctx context.Context, v Version) {
	caller := principal.Of(ctx)
	v.LastSeen = s.now().UTC()
	if !s.recent.note(caller, v) {
		return
	}
	meta, _ := json.Marshal(versionMeta{v.Hops, v.Title}) // strings only
	var indexed *Version
	if s.options.Words != nil {
		indexed = &v
	}
	s.put(ctx, item{version: indexed, key: s.versionKey(caller.Name, v), principal: caller.Name, scope: s.options.Scope,
		owner: v.Credentials, url: v.URL, hash: v.Hash, meta: meta, text: v.Content, keep: keepVersions})
}

// versionKey returns the key of the row. It is one byte longer than a [Key], so
// that the two cannot be equal.
func (s *Store) versionKey(owner string, v Version) []byte {
	h := sha256.New()
	for _, part := range []string{v.Credentials, v.URL, v.Hash, owner, s.options.Scope} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum([]byte{'v'})
}

// ours selects the versions of a principal, of credentials, and of a scope that
// have not expired.
const ours = ` FROM item WHERE principal = ? AND owner = ? AND scope = ? AND expires > ? AND `

func (s *Store) ours(ctx context.Context, credentials string, more ...any) []any {
	return append([]any{principal.Of(ctx).Name, credentials, s.options.Scope, s.versionsEnd(s.now().UnixMicro())}, more...)
}

// versionsEnd returns the value of expires up to which versions are too old at a time.
// The column always has the time of the last read plus keepVersions, from which
// LastSeen is computed: another Options.KeepVersions counts for stored versions too.
func (s *Store) versionsEnd(now int64) int64 {
	return now + (keepVersions - s.options.KeepVersions).Microseconds()
}

// Versions lists the versions of a page that the principal of ctx has read,
// without their content, at most 100, the most recently seen first. An empty url
// lists the versions of all pages.
func (s *Store) Versions(ctx context.Context, credentials, url string) []Version {
	s.Flush()
	var out []Version
	err := s.do(ctx, reading, func(db *database) error {
		const fields, order = `SELECT hash, made, expires, url` + ours, ` ORDER BY expires DESC, id DESC LIMIT 100`
		query, args := fields+`hash IS NOT NULL`+order, s.ours(ctx, credentials)
		if url != "" {
			query, args = fields+`url = ?`+order, append(args, url)
		}
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			v := Version{Credentials: credentials}
			if err := v.scan(rows.Scan, &v.URL); err != nil {
				return err
			}
			out = append(out, v)
		}
		return rows.Err()
	})
	if err != nil {
		return nil
	}
	return out
}

// Version returns a version that the principal of ctx has read, with its content.
// When several pages had the same content, it returns the most recently seen
// version.
func (s *Store) Version(ctx context.Context, credentials, hash string) (Version, bool) {
	s.Flush()
	v := Version{Credentials: credentials}
	var length int
	var sum int64
	var meta, body []byte
	err := s.do(ctx, reading, func(db *database) error {
		row := db.QueryRowContext(ctx, `SELECT hash, made, expires, url, length, checksum, meta, body`+ours+
			`hash = ? ORDER BY expires DESC, id DESC LIMIT 1`, s.ours(ctx, credentials, hash)...)
		return v.scan(row.Scan, &v.URL, &length, &sum, &meta, &body)
	})
	if err != nil || checksum(s.versionKey(principal.Of(ctx).Name, v), meta, body) != sum || !s.complete(&v, meta, body, length) {
		return Version{}, false
	}
	return v, true
}

// complete fills in what the row of a version has packed.
func (s *Store) complete(v *Version, meta, body []byte, length int) (ok bool) {
	content, err := s.pack.unpack(body, length)
	if err != nil {
		return false
	}
	v.Content = string(content)
	var m versionMeta
	if json.Unmarshal(meta, &m) != nil {
		return false
	}
	v.Hops, v.Title = m.Hops, m.Title
	return true
}

// scan reads the columns hash, made and expires, and more. LastSeen is computed
// from expires.
func (v *Version) scan(scan func(...any) error, more ...any) error {
	var made, expires int64
	if err := scan(append([]any{&v.Hash, &made, &expires}, more...)...); err != nil {
		return err
	}
	v.FirstSeen = time.UnixMicro(made).UTC()
	v.LastSeen = time.UnixMicro(expires).Add(-keepVersions).UTC()
	return nil
}

// Recent lists the public versions that the caller of ctx has read since the
// Store was made, the most recently read first, at most 100, without content and
// FirstSeen. A caller with a session sees only what that session has read. The
// lists of the 1024 callers that read last are kept.
func (s *Store) Recent(ctx context.Context) []Version { return s.recent.of(principal.Of(ctx)) }

// Forget drops the list of recent versions of a session that has ended. Stored
// versions stay: they belong to the principal.
func (s *Store) Forget(c principal.Caller) { s.recent.forget(c) }

// recent holds the lists of recent versions, which end with the process.
type recent struct {
	mu    sync.Mutex
	lists *lru.Map[principal.Caller, []Version]
}

// note puts a version at the top of a list. It reports whether the version has to
// be stored: one that the same caller stored a moment ago need not.
func (r *recent) note(c principal.Caller, v Version) (store bool) {
	if v.Credentials != "" || len(v.URL) > maxListedURL {
		return true
	}
	job := v.Job
	v.Content, v.Hops, v.Job = "", nil, ""
	v.Title = strings.ToValidUTF8(strings.Clone(v.Title[:min(len(v.Title), maxListedTitle)]), "")
	r.mu.Lock()
	defer r.mu.Unlock()
	list, _ := r.lists.Get(c)
	i := slices.IndexFunc(list, func(o Version) bool { return o.Hash == v.Hash && o.URL == v.URL })
	if store = i < 0 || job != "" || v.LastSeen.Sub(list[i].LastSeen) >= usedEvery; !store {
		v.LastSeen = list[i].LastSeen // when it was stored
	}
	if i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	list = slices.Insert(list, 0, v)
	r.lists.Put(c, list[:min(len(list), maxRecent)])
	return store
}

func (r *recent) of(c principal.Caller) []Version {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, _ := r.lists.Get(c)
	return slices.Clone(list)
}

func (r *recent) forget(c principal.Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lists.Delete(c)
}
