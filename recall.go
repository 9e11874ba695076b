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
func (s *Client) Recall(ctx context.Context, q RecallRequest) (*result.Recall, error) {
	return operate(ctx, s, "recall", func(ctx context.Context) (*result.Recall, error) {
		if s.recall == nil {
			return nil, recallOff()
		}
		site, err := recall.Site(q.Site)
		if err != nil {
			return nil, err
		}
		ctx, stop := deadline.With(ctx, min(s.timeout, MaxTimeout))
		defer stop()
		return s.recall.Search(ctx, recall.Query{Text: q.Query, Site: site, Job: q.Job, Since: q.Since, Pages: max(q.Pages, 0)})
	})
}

// ForgetPages removes the versions of the pages of a site (a host with its subdomains) that
// were read, or of all pages for "all", with their words in the index, and returns how
// many there were. Those of other owners stay. The error is an *Error.
func (s *Client) ForgetPages(ctx context.Context, site string) (int, error) {
	return operate(ctx, s, "forget", func(ctx context.Context) (int, error) {
		if s.recall == nil {
			return 0, recallOff()
		}
		if site == "" {
			return 0, tool.NewError(tool.InvalidInput, "no site is named", `name a host, or "all"`)
		}
		if site == "all" {
			return s.recall.Forget(ctx, "")
		}
		host, err := recall.Site(site)
		if err != nil {
			return 0, err
		}
		return s.recall.Forget(ctx, host)
	})
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
