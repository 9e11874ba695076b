package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// A Mark is a page before several actions, see [Browser.Since].
type Mark struct {
	tab      *tab
	document cdp.LoaderID
	page     *snapshot.Page
}

// Mark notes the page of a place.
func (b *Browser) Mark(ctx context.Context, at Place) (*Mark, error) {
	var out *Mark
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		now, err := t.lookOnce(ctx)
		out = &Mark{t, t.document(), now}
		return err
	})
	return out, err
}

// Since says what has changed since a mark: the new page if another one has come. A nil mark
// is that of a page that was not there yet.
func (b *Browser) Since(ctx context.Context, at Place, m *Mark) (*Changes, error) {
	out := new(Changes)
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		asks := t.isAsking()
		if !asks {
			if _, err := t.lookOnce(ctx); err != nil {
				return err
			}
		}
		where, err := t.describe(ctx)
		if err != nil {
			return err
		}
		out.Page = *where
		out.Left = m == nil || m.tab != t || m.document != t.document()
		switch {
		case asks:
		case out.Left:
			out.Text = fmt.Sprintf("Now at %s\n%s", line(where.URL, 500), t.last.Within(changeTokens))
		default:
			out.Text = snapshot.Diff(m.page, t.last, changeTokens)
		}
		if out.Text == "" && !asks {
			out.Notices = append(out.Notices, NothingChanged)
		}
		return nil
	})
	return out, err
}
