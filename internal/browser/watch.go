package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Sight is what a person sees of a tab that an agent uses.
type Sight struct {
	JPEG          []byte
	Width, Height int
	// X, Y, W and H are the place of an element in the picture; W is 0 where it is not
	// in the window.
	X, Y, W, H float64
}

// Watch takes a picture of the window of a tab for a person who watches, and finds the
// element of a ref in it. It writes no file, draws nothing into the page and leaves
// dialogs as they are. ref may be empty; one that is stale has no place.
func (b *Browser) Watch(ctx context.Context, at Place, ref string) (*Sight, error) {
	ctx, cancel := within(ctx, watchLimit)
	defer cancel()
	out := new(Sight)
	err := b.on(ctx, at, watchLimit, func(ctx context.Context, _ *browserContext, t *tab) error {
		var err error
		if out.JPEG, out.Width, out.Height, err = t.shoot(ctx, Shot{Format: "jpeg"}); err != nil || ref == "" {
			return err
		}
		clip, err := t.clip(ctx, ref)
		if err != nil {
			return nil // the action has changed the page
		}
		m, err := call(ctx, t.main, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return nil
		}
		x, y := clip.X-float64(m.CSSVisualViewport.PageX), clip.Y-float64(m.CSSVisualViewport.PageY)
		if x < float64(out.Width) && y < float64(out.Height) && x+clip.Width > 0 && y+clip.Height > 0 {
			out.X, out.Y, out.W, out.H = x, y, clip.Width, clip.Height
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
