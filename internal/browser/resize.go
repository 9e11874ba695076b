package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	windowWidth  = 1280
	windowHeight = 800
	// The window of a telephone, and the bounds of any window.
	mobileWidth   = 390
	mobileHeight  = 844
	leastWindow   = 100
	largestWindow = 4000
)

// holds reports whether a point is in the window.
func (t *tab) holds(p point) bool {
	return p.x >= 0 && p.y >= 0 && p.x < max(t.width, t.shown.x) && p.y < max(t.height, t.shown.y)
}

// widen asks a telephone how much of a page it shows: of one without a setting of its
// viewport, more pixels than it has, each of them smaller. The mouse counts in those of
// the page.
func (t *tab) widen(ctx context.Context, s *session) {
	t.shown = point{}
	if !t.mobile || s != t.main {
		return
	}
	if m, err := call(ctx, s, page.GetLayoutMetrics, cdp.Empty{}); err == nil && m.CSSVisualViewport != nil {
		t.shown = point{m.CSSVisualViewport.ClientWidth, m.CSSVisualViewport.ClientHeight}
	}
}

// Window is the size of a window and the medium that a page is told of.
type Window struct {
	// Width and Height are in CSS pixels; 0: unchanged.
	Width, Height int
	// Media is dark, light, print, reduced-motion or mobile; empty: unchanged.
	Media string
}

// Resize changes the window of a tab, and what the page is told of its medium, and
// says what changed.
func (b *Browser) Resize(ctx context.Context, at Place, w Window) (*Changes, error) {
	if w == (Window{}) {
		return nil, tool.NewError(tool.InvalidInput, "there is nothing to change", "give width and height, or media")
	}
	media := emulation.SetEmulatedMediaParams{}
	feature := func(name, value string) {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	mobile := false
	switch w.Media {
	case "", "mobile":
		mobile = w.Media == "mobile"
	case "dark", "light":
		feature("prefers-color-scheme", w.Media)
	case "reduced-motion":
		feature("prefers-reduced-motion", "reduce")
	case "print":
		media.Media = w.Media
	default:
		return nil, tool.NewError(tool.InvalidInput, "media "+text.Quoted(w.Media)+" is unknown", "it is dark, light, print, reduced-motion or mobile")
	}
	for _, n := range []int{w.Width, w.Height} {
		if n != 0 && (n < leastWindow || n > largestWindow) {
			return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("a window of %d pixels is not possible", n), fmt.Sprintf("sides are between %d and %d", leastWindow, largestWindow))
		}
	}
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		width, height := int(t.width), int(t.height)
		switch {
		case mobile:
			width, height = mobileWidth, mobileHeight
		case w.Media != "" && t.mobile:
			width, height = windowWidth, windowHeight
		}
		if w.Width != 0 {
			width = w.Width
		}
		if w.Height != 0 {
			height = w.Height
		}
		if w.Media != "" {
			if err := do(ctx, t.main, emulation.SetEmulatedMedia, media); err != nil {
				return err
			}
			t.mobile = mobile
		}
		if err := do(ctx, t.main, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: t.mobile}); err != nil {
			return err
		}
		if err := do(ctx, t.main, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: t.mobile}); err != nil {
			return err
		}
		t.width, t.height = float64(width), float64(height)
		return nil
	})
}
