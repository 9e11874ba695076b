package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/target"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Tab is one of a context's tabs.
type Tab struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

// Tabs lists the tabs of a context, after "list", "new" (with an address),
// "select" or "close" of a tab. Where says which context that was, and its
// current tab.
func (b *Browser) Tabs(ctx context.Context, at Place, action string, n Navigation) (out []Tab, where Place, err error) {
	place, need := at, needsContext
	if action != "close" {
		place.Tab = ""
	}
	if action == "new" && n.URL != "" {
		need = needsNothing
	}
	err = b.run(ctx, place, b.options.Timeout, need, func(ctx context.Context, p *browserContext, t *tab) error {
		switch action {
		case "", "list":
		case "new":
			if err := b.openTab(ctx, p, t, n); err != nil {
				return err
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
			return tool.NewError(tool.InvalidInput, "action "+text.Quoted(action)+" is unknown", "it is list, new, select or close")
		}
		var err error
		if out, err = p.describe(ctx); err != nil {
			return err
		}
		current, err := p.tab(ctx, "")
		if err == nil {
			where = current.where()
		}
		return err
	})
	return out, where, err
}

// openTab opens an address, or nothing, in a new tab. An address takes the current
// tab where nothing was opened in that one: the context has just been made.
func (b *Browser) openTab(ctx context.Context, p *browserContext, t *tab, n Navigation) error {
	if n.URL == "" || !errors.Is(t.showsPage(), ErrNothingOpen) {
		if len(p.list()) >= MaxTabs {
			return tool.NewError(tool.BrowserError, fmt.Sprintf("%d tabs are open, which is the most", MaxTabs), "close one first")
		}
		var err error
		if t, err = p.open(ctx); err != nil {
			return err
		}
		p.list() // gives it its id
	}
	if n.URL == "" {
		return nil
	}
	_, err := b.navigate(ctx, p, t, n)
	return err
}

// where is the place of the tab.
func (t *tab) where() Place { return Place{Context: t.home.name, Tab: t.id} }

func (p *browserContext) describe(ctx context.Context) ([]Tab, error) {
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
		// A new window has neither address nor title yet.
		wait, cancel := within(ctx, aliveLimit)
		_ = t.await(wait, func() bool { return len(t.reached) > 1 || t.dialog != nil || t.empty() })
		cancel()
		info, err := call(ctx, t.engine.root, target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.target})
		if err != nil {
			continue // it was closed meanwhile
		}
		out = append(out, Tab{t.id, cut(info.TargetInfo.URL, answerURL), line(info.TargetInfo.Title, 200), t == current})
	}
	return out, nil
}
