package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// Rules of copying. A browser has one clipboard for all contexts, and a page must
// not get what a page of another context copied. So each context has a clipboard of
// its own, for text only. Pages get the same events as from the browser's clipboard,
// and may change the text.

// clipboard carries out the keys for copying, cutting and pasting.
func (p *browserContext) clipboard(ctx context.Context, t *tab, s *session, frame cdp.FrameID, key string) error {
	kind := ""
	switch strings.ToLower(key) {
	case "control+c", "ctrl+c", "meta+c", "cmd+c":
		kind = "copy"
	case "control+x", "ctrl+x", "meta+x", "cmd+x":
		kind = "cut"
	case "control+v", "ctrl+v", "meta+v", "cmd+v":
		return p.paste(ctx, t, s, frame)
	default:
		return nil
	}
	raw, err := s.ask(ctx, frame, fmt.Sprintf("%s(%q, %d)", script("copy"), kind, maxClipboard))
	if err != nil {
		return err
	}
	text := ""
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.copied = cmp.Or(text, p.copied)
	return nil
}

func (p *browserContext) paste(ctx context.Context, t *tab, s *session, frame cdp.FrameID) error {
	p.mu.Lock()
	copied := p.copied
	p.mu.Unlock()
	if copied == "" {
		return nil
	}
	text, err := json.Marshal(copied)
	if err != nil {
		return err
	}
	raw, err := s.ask(ctx, frame, script("paste")+"("+string(text)+")")
	if err != nil || string(raw) != "true" {
		return err // the page handled the event itself
	}
	return t.send(ctx, s, input.InsertText.Method, input.InsertTextParams{Text: copied})
}
