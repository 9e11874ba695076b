package reader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// A version of a page is its main content as Markdown for a model, named by a
// hash of that: what changes in scripts, tokens and advertisements makes no new
// one.

// Version is a page as it was at one time.
type Version struct {
	// Credentials is empty for a public page; else it identifies the credentials
	// that the page was read with, without containing them.
	Credentials string
	// Hops are the addresses that were requested for the page, in order. Lists
	// omit them.
	Hops []string
	// Title is the title of the page, and Login reports whether the page was read with
	// the login of a person and no other credentials. Put has them.
	Title string
	Login bool
	tool.Version
}

// versions keeps versions of pages for the caller of a context. It is safe for
// concurrent use and never fails: what cannot be kept or found is as if it had
// never been there.
type versions interface {
	Put(context.Context, Version)
	// List has the versions of a page that the caller's principal has read,
	// without their text, the one that was seen last first.
	List(ctx context.Context, credentials, url string) []Version
	Get(ctx context.Context, credentials, hash string) (Version, bool)
}

// last as [Request].Since is the version of a page that was seen last.
const last = "last"

// hashOf names content.
func hashOf[T string | []byte](content T) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:6])
}

// keep names the version of the page and stores it, and compares it with the
// one that the request names.
//
// A page that was cut off by the deadline is kept and compared too, which is done on this
// machine: what the store does is not ended by ctx, and the comparison by it a little later.
func (r *Reader) keep(ctx context.Context, a *Answer, s *loaded, q Request) error {
	if q.Mode == Raw {
		return nil // it has the hash of the body
	}
	md, res := a.content.whole, s.res
	switch {
	case a.content.canonical:
	case s.page == nil:
		md = a.stored
	default:
		md = r.memory.markdown(s.page, markdown.Options{}).text
	}
	a.Metadata.Version, a.stored = hashOf(md), ""
	if r.o.Versions == nil || q.Selector != "" || len(q.Exclude)+len(q.Remove) > 0 || q.Whole || q.Comments != "" && q.Comments != "auto" {
		return nil // not all of the page, or more than that
	}
	now := Version{Credentials: q.credentials(), Title: a.Title, Login: q.onlyLogin(), Version: tool.Version{URL: res.URL.WithoutFragment().String(), Hash: a.Metadata.Version, Text: md}}
	for _, hop := range res.Hops {
		now.Hops = append(now.Hops, hop.WithoutFragment().String())
	}
	var err error
	if q.Since != "" {
		err = r.compare(ctx, a, q, now)
	}
	// A cached response may have come for another caller.
	if !res.NoStore() {
		r.o.Versions.Put(context.WithoutCancel(ctx), now)
	}
	return err
}

// compare makes the content of an answer to since. Where there is nothing to
// compare with, the page is the answer.
func (r *Reader) compare(ctx context.Context, a *Answer, q Request, now Version) error {
	stored := context.WithoutCancel(ctx)
	known := r.o.Versions.List(stored, now.Credentials, now.URL)
	if q.Since == last {
		if len(known) == 0 {
			a.noted = append(a.noted, fmt.Sprintf("No earlier version of this page is stored. This one is %s: since=%s asks for what has changed after it.", text.Name(now.Hash), text.Name(now.Hash)))
			return nil
		}
	} else if i := slices.IndexFunc(known, func(v Version) bool { return v.Hash == q.Since }); i >= 0 {
		known = known[i:]
	} else {
		return noVersion(q.Since, known)
	}
	before := known[0]
	var d passage.Difference
	if before.Hash != now.Hash {
		old, ok := r.o.Versions.Get(stored, before.Credentials, before.Hash)
		if !ok {
			return noVersion(before.Hash, nil)
		}
		a.before = old.Text
		if err := r.work(ctx, len(old.Text)+len(now.Text), func(ctx context.Context) (err error) {
			d, err = passage.Compare(old.Text, now.Text, ctx.Err)
			return err
		}); err != nil {
			return err
		}
	}
	d.Count.Version, d.Count.Seen = before.Hash, before.Seen
	a.Metadata.Since = &d.Count
	a.noted = nil
	a.content = content{mode: Text, start: q.StartIndex,
		whole: fmt.Sprintf("%s since version %s, last seen %s", d.Count, before.Hash, clock(before.Seen)) + d.Text()}
	a.Metadata.Tokens = a.content.size().tokens
	return nil
}

func noVersion(hash string, known []Version) error {
	hint := "no version of this page is stored; leave since out"
	if len(known) > 0 {
		hint = "since=last compares with the last one; stored are"
		for i, v := range known[:min(len(known), 5)] {
			if i > 0 {
				hint += ","
			}
			hint += " " + text.Name(v.Hash) + " of " + clock(v.Seen)
		}
	}
	return tool.NewError(tool.NoContent, "version "+text.Quoted(hash)+" of this page is not stored", hint)
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// onlyLogin reports whether the credentials of a request are a saved login, which
// belongs to the caller's principal.
func (q *Request) onlyLogin() bool {
	return q.Auth != nil && q.Auth.Login != nil && q.Auth.Username == "" && q.Auth.Password == "" && q.Auth.Bearer == "" && len(q.Auth.Cookies) == 0 && len(q.Header) == 0
}

// credentials identifies the credentials of a request by a hash; "" where it has
// none. Headers that a model may not set by itself count as credentials.
func (q *Request) credentials() string {
	h := sha256.New()
	secret := q.Auth != nil
	if q.Auth != nil {
		fmt.Fprintf(h, "%q %q %q", q.Auth.Username, q.Auth.Password, q.Auth.Bearer)
		for _, c := range q.Auth.Cookies {
			fmt.Fprintf(h, " %q=%q", c.Name, c.Value)
		}
		if q.Auth.Login != nil {
			fmt.Fprintf(h, " login %s", q.Auth.Login.Fingerprint())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.Header)) {
		switch strings.ToLower(name) {
		case "accept", "accept-language", "if-none-match", "if-modified-since", "referer":
			continue
		}
		secret = true
		fmt.Fprintf(h, "\n%q: %q", strings.ToLower(name), q.Header[name])
	}
	if !secret {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
