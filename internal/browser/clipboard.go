package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
)

// Rules of copying. A browser has one clipboard for all contexts, and a page must
// not get what a page of another context copied. So each context has a clipboard of
// its own, for text only. Pages get the same events as from the browser's clipboard,
// and may change the text.

// maxClipboard bounds what a page copies.
const maxClipboard = 1 << 20

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

// ask reads what a script of ours says of the main document.
func (t *tab) ask(ctx context.Context, out any, script string) error {
	raw, err := t.main.ask(ctx, cdp.FrameID(t.target), script)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// is reports whether a script of ours says true of the main document; not where it cannot be asked.
func (t *tab) is(ctx context.Context, script string) (is bool) {
	return t.ask(ctx, &is, script) == nil && is
}

// ask runs a script of ours in a frame.
func (s *session) ask(ctx context.Context, frame cdp.FrameID, script string) (json.RawMessage, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: script, ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true)})
	if err != nil {
		return nil, err
	}
	return scriptValue(res.Result, res.ExceptionDetails)
}
