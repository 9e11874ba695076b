package spyhop

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// RecallRequest says what is looked for in the pages that were read. The zero value
// of each field but Query is its default.
type RecallRequest struct {
	// Query has the words to look for. Required.
	Query string
	// Site keeps the pages of a host and its subdomains; "" keeps all.
	Site string
	// Job keeps the pages that a crawl has read; "" keeps all.
	Job string
	// Since keeps pages that were last read at that time or later; the zero time
	// keeps all.
	Since time.Time
	// Pages bounds the pages of the answer; 0 means 10, which is the most.
	Pages int
}

// Recall searches the pages that were read before, by their words, and quotes them.
// The policy judges each page again. The error is an *Error: NoContent where no page
// matches, InvalidInput where Config.NoRecall is set.
func (s *Client) Recall(ctx context.Context, q RecallRequest) (r *result.Recall, err error) {
	err = s.operation(ctx, "recall", func(ctx context.Context) error {
		if s.recall == nil {
			return recallOff()
		}
		site, err := recall.Site(q.Site)
		if err != nil {
			return err
		}
		ctx, stop := deadline.With(ctx, min(s.timeout, MaxTimeout))
		defer stop()
		r, err = s.recall.Search(ctx, recall.Query{Text: q.Query, Site: site, Job: q.Job, Since: q.Since, Pages: max(q.Pages, 0)})
		return err
	})
	return r, err
}

// ForgetPages removes the versions of the pages of a site (a host with its subdomains) that
// were read, or of all pages for "all", with their words in the index, and returns how
// many there were. Those of other owners stay. The error is an *Error.
func (s *Client) ForgetPages(ctx context.Context, site string) (n int, err error) {
	err = s.operation(ctx, "forget", func(ctx context.Context) error {
		if s.recall == nil {
			return recallOff()
		}
		if site == "" {
			return tool.NewError(tool.InvalidInput, "no site is named", `name a host, or "all"`)
		}
		host := ""
		if site != "all" {
			if host, err = recall.Site(site); err != nil {
				return err
			}
		}
		n, err = s.recall.Forget(ctx, host)
		return err
	})
	return n, err
}

func recallOff() error {
	return tool.NewError(tool.InvalidInput, "pages that are read are not kept for recall", "set WEB_RECALL=on and WEB_CACHE_TTL to a time")
}

// readArchived reads a page of the archive that is replayed, which stores its version.
func (s *Client) readArchived(ctx context.Context, address string) error {
	u, err := reader.Address(address)
	if err == nil {
		_, _, err = s.reader.Page(ctx, reader.Request{URL: u, Follow: true, Render: string(RenderNever)})
	}
	return err
}
