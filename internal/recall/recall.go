// Package recall provides search over the pages that a caller has read: which page
// said it, and in which words.
//
//	pages := store.New(store.Options{Dir: dir, File: "recall.db", Words: recall.Words})
//	r := recall.Recall{Store: pages, Reopen: reopen}
//	found, err := r.Search(ctx, recall.Query{Text: "how are deadlocks found"})
//	if err != nil {
//		return err // always a *tool.Error
//	}
//	fmt.Println(recall.Text(found, recall.View{Tokens: 1500}))
//
// The reader stores each version of a page that it reads; the store indexes it in the
// background. A search has two steps: the index (SQLite FTS5, BM25) finds pages by the
// stems of their words, those of titles, headings and addresses with more weight; then
// the best pages are read from the store, and their units (package reader) compared
// with the query.
//
// # Guarantees
//
// A search finds only versions of the caller's principal and of the same scope of the
// policy. Pages that were read with a login are found by their owner only; pages that
// were read with other credentials are not found. The policy judges each page again,
// with its redirects, and the audit log gets one event for each.
//
// # Limits
//
// Without Recall.Meaning, pages are found by words, not by meaning. The words of all principals share the
// index's statistics, which decide about the weight of a word.
package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// maxPages bounds the pages of an answer, and maxPassages the passages of each.
	maxPages    = 10
	maxPassages = 3
)

// Recall searches.
type Recall struct {
	// Store has the versions, with [Words] as its Options.Words.
	Store *store.Store
	// Reopen judges the addresses of a page again and records that it is shown; an
	// error leaves the page out.
	Reopen func(ctx context.Context, address string, hops []string) error
	// Archive is read before a search; nil: there is none.
	Archive *Archive
	// Meaning ranks by embeddings too; nil: by words alone.
	Meaning *Meaning
}

// Query is a question to the pages that were read.
type Query struct {
	// Text has the words to look for. Required.
	Text string
	// Site keeps the pages of a host and its subdomains (see [Site]), Job those that a
	// crawl has read, Since those that were last read at that time or later. Zero
	// values keep all.
	Site, Job string
	Since     time.Time
	// Pages bounds the pages of the answer; 0 means maxPages.
	Pages int
}

// Search returns the pages that match a query, best first. The error is a
// *tool.Error: InvalidInput where the query has no word, NoContent where nothing was
// read yet, or nothing that matches.
func (r *Recall) Search(ctx context.Context, q Query) (*result.Recall, error) {
	words := queryWords(q.Text)
	if len(words) == 0 {
		return nil, tool.NewError(tool.InvalidInput, "the query has no word that can be looked for", "write words that the page has")
	}
	out := &result.Recall{Query: q.Text, Pages: []result.RecalledPage{}}
	if r.Archive != nil {
		left, err := r.Archive.load(ctx, r.Store)
		if err != nil {
			return nil, failed(ctx, err)
		}
		if left > 0 {
			out.Notices = append(out.Notices, "Not read in time, and not searched: "+text.Count(left, "page")+" of the archive; the same call goes on there.")
		}
	}
	found, searched, err := r.find(ctx, words, q)
	if err != nil {
		return nil, failed(ctx, err)
	}
	if searched == 0 {
		return nil, tool.NewError(tool.NoContent, "no page has been read yet, so nothing can be recalled", "read pages with web_fetch first")
	}
	out.Searched = searched
	if r.Meaning != nil {
		var notice string
		if found, notice = r.byMeaning(ctx, found, q); notice != "" {
			out.Notices = append(out.Notices, notice)
		}
	}
	for _, p := range found {
		if len(out.Pages) == min(cmp.Or(q.Pages, maxPages), maxPages) {
			break
		}
		if err := r.Reopen(ctx, p.page.URL, p.hops); err != nil {
			out.Refused++
			continue
		}
		p.page.Passages = r.passages(ctx, p, q.Text)
		if err := ctx.Err(); err != nil {
			return nil, failed(ctx, err)
		}
		out.Pages = append(out.Pages, p.page)
	}
	if len(out.Pages) == 0 {
		return nil, nothing(q, out.Refused)
	}
	out.Success = true
	first := out.Pages[0].Score
	for i := range out.Pages {
		out.Pages[i].Score = math.Round(1000*out.Pages[i].Score/first) / 1000
	}
	return out, nil
}

// Forget removes the versions of a site, as [Site] returns it, or all for "", that
// belong to the principal of ctx, and returns how many there were. The error is a
// *tool.Error.
func (r *Recall) Forget(ctx context.Context, site string) (int, error) {
	n, err := r.Store.ForgetVersions(ctx, site)
	if err != nil {
		return 0, failed(ctx, err)
	}
	return int(n), nil
}

// Site reads the name of a site as people and models write it: a host, or an address
// of it. The result is "" for "". The error is a *tool.Error.
func Site(raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := reader.Address(raw)
	if err != nil {
		return "", err
	}
	return u.Host(), nil
}

type jobKey struct{}

// WithJob returns a context of reads that are made for a crawl: the pages can be
// recalled by the name of its job.
func WithJob(ctx context.Context, job string) context.Context {
	return context.WithValue(ctx, jobKey{}, job)
}

// JobOf returns the job that the reads of a context are made for, or "".
func JobOf(ctx context.Context) string {
	job, _ := ctx.Value(jobKey{}).(string)
	return job
}

// failed is the error of a store that cannot be searched.
func failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil && !deadline.Over(ctx):
		return &tool.Error{Type: tool.Cancelled, Message: "the call was cancelled", Cause: err}
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return &tool.Error{Type: tool.Timeout, Message: "the search in the pages that were read did not end in time", Retryable: true, Hint: "try again with fewer words", Cause: err}
	}
	return &tool.Error{Type: tool.NoContent, Message: "the pages that were read cannot be searched: " + text.Cause(err),
		Hint: "read the page again with web_fetch and a query", Cause: err}
}

// nothing is the error of a search without a result.
func nothing(q Query, refused int) error {
	switch {
	case refused > 0:
		return tool.NewError(tool.Blocked, "pages that were read match, but the policy does not allow any of them today",
			"they were read under other settings; the audit log has their addresses")
	case q.Site != "" || q.Job != "" || !q.Since.IsZero():
		return tool.NewError(tool.NoContent, "no page that was read matches the query and the filters", "leave out site, job and since, or try other words")
	}
	return tool.NewError(tool.NoContent, "no page that was read has a word of the query", "try other words, or search the web with web_search")
}
