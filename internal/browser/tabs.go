package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/target"
	"github.com/spyhop-dev/spyhop/tool"
)

// Tab is one of a context's tabs.
type Tab struct {
	ID, URL, Title string
	Current        bool
}

// Tabs lists the tabs of a context, after "list", "new" (with an address),
// "select" or "close" of a tab.
func (b *Browser) Tabs(ctx context.Context, at Place, action string, n Navigation) ([]Tab, error) {
	var out []Tab
	place := Place{Context: at.Context}
	if action == "close" {
		place.Tab = at.Tab
	}
	err := b.on(ctx, place, b.options.Timeout, func(ctx context.Context, p *profile, t *tab) error {
		switch action {
		case "", "list":
		case "new":
			if len(p.list()) >= MaxTabs {
				return tool.NewError(tool.BrowserError, fmt.Sprintf("%d tabs are open, which is the most", MaxTabs), "close one first")
			}
			made, err := p.open(ctx)
			if err != nil {
				return err
			}
			p.list() // gives it its id
			if n.URL != "" {
				if _, err := b.navigate(ctx, p, made, n); err != nil {
					return err
				}
			}
		case "select":
			chosen, err := p.tab(ctx, at.Tab)
			if err != nil {
				return err
			}
			p.selectTab(chosen)
		case "close":
			p.engine.closePage(ctx, t)
		default:
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("action %q is unknown", action), "it is list, new, select or close")
		}
		var err error
		out, err = p.describe(ctx)
		return err
	})
	return out, err
}

func (p *profile) describe(ctx context.Context) ([]Tab, error) {
	tabs := p.list()
	current, err := p.tab(ctx, "")
	if err != nil {
		return nil, err
	}
	if len(tabs) == 0 {
		tabs = p.list()
	}
	var out []Tab
	for _, t := range tabs {
		// A window that has just been opened has neither address nor title yet.
		wait, cancel := within(ctx, aliveLimit)
		_ = t.await(wait, func() bool { return len(t.reached) > 1 || t.dialog != nil })
		cancel()
		info, err := call(ctx, t.engine.root, target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.target})
		if err != nil {
			continue // it has just gone
		}
		out = append(out, Tab{t.id, info.TargetInfo.URL, line(info.TargetInfo.Title, 200), t == current})
	}
	return out, nil
}
