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
	need := needsContext
	if action == "new" && n.URL != "" {
		need = needsNothing
	}
	err = b.within(ctx, at, b.options.Timeout, need, func(ctx context.Context, p *browserContext) error {
		switch action {
		case "", "list":
		case "new":
			if err := b.openTab(ctx, p, n); err != nil {
				return err
			}
		case "select", "close":
			t, err := p.tab(ctx, at.Tab)
			if err != nil {
				return err
			}
			if action == "select" {
				p.selectTab(t)
			} else {
				p.engine.closePage(ctx, t)
			}
		default:
			return tool.NewError(tool.InvalidInput, "action "+text.Quoted(action)+" is unknown", "it is list, new, select or close")
		}
		current, err := p.tab(ctx, "")
		if err == nil {
			where, out = current.where(), p.describe(ctx, current)
		}
		return err
	})
	return out, where, err
}

// openTab opens an address, or nothing, in a new tab. An address takes the current
// tab where nothing was opened in that one: the context has just been made. The tab becomes
// the current one when its page is there.
func (b *Browser) openTab(ctx context.Context, p *browserContext, n Navigation) (err error) {
	t := p.now()
	if n.URL == "" || t == nil || !errors.Is(t.showsPage(), ErrNothingOpen) {
		if len(p.list()) >= maxTabs {
			return tool.NewError(tool.BrowserError, fmt.Sprintf("%d tabs are open, which is the most", maxTabs), "close one first")
		}
		if t, err = p.open(ctx); err != nil {
			return err
		}
		p.list() // gives it its id
	}
	defer func() {
		if !t.isGone() {
			p.selectTab(t)
		}
	}()
	if n.URL == "" {
		return nil
	}
	if t, err = p.take(ctx, t.id); err != nil {
		return err
	}
	defer t.giveBack()
	if _, err = b.navigate(ctx, p, t, n); err != nil {
		return b.failure(ctx, t, err)
	}
	return nil
}

// describe lists the tabs.
func (p *browserContext) describe(ctx context.Context, current *tab) (out []Tab) {
	wait, cancel := within(ctx, aliveLimit/2)
	defer cancel()
	for _, t := range p.list() {
		// A new window has neither address nor title yet.
		_ = t.await(wait, func() bool { return len(t.reached) > 1 || t.dialog != nil || t.empty() })
		info, err := call(ctx, t.engine.root, target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.target})
		if err != nil {
			continue // it was closed meanwhile
		}
		out = append(out, Tab{t.id, cut(info.TargetInfo.URL, answerURL), line(info.TargetInfo.Title, 200), t == current})
	}
	for _, info := range p.engine.others(ctx) {
		out = append(out, Tab{p.browser.otherID(p.engine, info.TargetID), cut(info.URL, answerURL), line(info.Title, 200), false})
	}
	return out
}
