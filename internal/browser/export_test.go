package browser

import (
	"context"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/domsnapshot"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// Mislead has the browser go to some hosts without the proxy, and takes away the
// flags that lead its traffic there.
func (b *Browser) Mislead(hosts string) { b.direct = hosts }

// With returns a helper that starts another program.
func (h Helper) With(program string) Helper {
	h.program = program
	return h
}

// Protocol asks the browser for its own snapshot of a tab and decodes it, and does
// nothing else: what no snapshot can be faster than.
func (b *Browser) Protocol(ctx context.Context, at Place) (nodes int, err error) {
	err = b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		var dom snapshot.DOM
		err := t.main.Call(ctx, domsnapshot.CaptureSnapshot.Method, domSnapshotParams(), &dom)
		for i := range dom.Documents {
			nodes += len(dom.Documents[i].Nodes.Parent)
		}
		return err
	})
	return nodes, err
}

// ProtocolLeast is Protocol without styles, colours and the order of painting.
func (b *Browser) ProtocolLeast(ctx context.Context, at Place) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		var dom snapshot.DOM
		return t.main.Call(ctx, domsnapshot.CaptureSnapshot.Method, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}}, &dom)
	})
}

// RefusedFirst reads a tab, which the browser refuses once.
func (b *Browser) RefusedFirst(ctx context.Context, at Place) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		tries := 0
		return t.reading(ctx, func(context.Context) error {
			if tries++; tries == 1 {
				return &cdproto.Error{Code: -32000, Message: "Not attached to an active page"}
			}
			return nil
		})
	})
}

// Panic panics while it reads a tab.
func (b *Browser) Panic(ctx context.Context, at Place) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		return t.reading(ctx, func(context.Context) error { panic("a defect") })
	})
}

const MaxShotPixels = maxShotPixels

const MaxTabs = maxTabs
