package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// keyOf returns a key by its name in UI Events KeyboardEvent key values, or that of one character.
func keyOf(name string) (kb.Key, bool) {
	if name == "\n" {
		name = "Enter"
	}
	r, size := utf8.DecodeRuneInString(name)
	switch k := kb.Keys[r]; {
	case size == 0 || r == utf8.RuneError:
		return kb.Key{}, false
	case size < len(name):
		for _, k := range kb.Keys {
			if len(k.Key) > 1 && strings.EqualFold(k.Key, name) || strings.EqualFold(k.Code, name) && k.Text == " " {
				return *k, true
			}
		}
		return kb.Key{}, false
	case k != nil && r < utf8.RuneSelf && (r == '\t' || unicode.IsPrint(r)): // other characters of the table stand for names
		return *k, true
	}
	return kb.Key{Key: name, Text: name}, unicode.IsPrint(r)
}

// modifiersOf makes the bit field of the protocol.
func modifiersOf(names []string) (int64, error) {
	var bits int64
	for _, n := range names {
		switch strings.ToLower(n) {
		case "alt", "option":
			bits |= 1
		case "control", "ctrl":
			bits |= 2
		case "meta", "command", "cmd":
			bits |= 4
		case "shift":
			bits |= 8
		default:
			return 0, tool.NewError(tool.InvalidInput, "modifier "+text.Quoted(n)+" is unknown", "it is Alt, Control, Meta or Shift")
		}
	}
	return bits, nil
}

// press sends a key, for example "Enter", "a" or "Control+a".
func (t *tab) press(ctx context.Context, s *session, combination string) error {
	if err := t.keyDown(ctx, s, combination, true); err != nil {
		return err
	}
	return t.keyUp(ctx, s, combination)
}

// keyDown presses a key down; unless writes, its character is not written.
func (t *tab) keyDown(ctx context.Context, s *session, combination string, writes bool) error {
	ev, err := keyEvent(combination)
	if err != nil {
		return err
	}
	if !writes {
		ev.Type, ev.Text, ev.UnmodifiedText = input.DispatchKeyEventTypeRawKeyDown, "", ""
	}
	return t.send(ctx, s, input.DispatchKeyEvent.Method, ev)
}

// keyUp lets a key go.
func (t *tab) keyUp(ctx context.Context, s *session, combination string) error {
	ev, err := keyEvent(combination)
	if err != nil {
		return err
	}
	ev.Type, ev.Text, ev.UnmodifiedText, ev.Commands = input.DispatchKeyEventTypeKeyUp, "", "", nil
	return t.send(ctx, s, input.DispatchKeyEvent.Method, ev)
}

// keyEvent is the event of a key that goes down.
func keyEvent(combination string) (input.DispatchKeyEventParams, error) {
	parts := []string{combination}
	if len(combination) > 1 {
		parts = strings.Split(combination, "+")
		if strings.HasSuffix(combination, "++") {
			parts = append(parts[:len(parts)-2], "+")
		}
	}
	held, err := modifiersOf(parts[:len(parts)-1])
	if err != nil {
		return input.DispatchKeyEventParams{}, err
	}
	k, ok := keyOf(parts[len(parts)-1])
	if !ok {
		return input.DispatchKeyEventParams{}, tool.NewError(tool.InvalidInput, "key "+text.Quoted(combination)+" is unknown", "keys are single characters and names such as Enter, Tab, Escape, ArrowDown, PageDown, F5, with modifiers as Control+a")
	}
	if held != 0 && len(k.Text) == 1 {
		k.Key, k.Text = cased(k.Key, held), cased(k.Text, held)
	}
	if number, ok := map[string]int64{"Shift": 16, "Control": 17, "Alt": 18}[k.Key]; ok {
		k.Windows = number // whichever of the two it is
	}
	ev := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: k.Key, Code: k.Code, Modifiers: held,
		WindowsVirtualKeyCode: k.Windows, NativeVirtualKeyCode: k.Windows}
	if k.Text != "" && held&^8 == 0 {
		ev.Type, ev.Text, ev.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.Text, k.Text
	}
	if held == 2 {
		// The character that a keyboard driver would produce.
		switch strings.ToLower(k.Key) {
		case "a":
			ev.Commands = []string{"selectAll"}
		case "z":
			ev.Commands = []string{"undo"}
		case "y":
			ev.Commands = []string{"redo"}
		case "c", "x", "v":
			// A command without a visible effect replaces the browser's own copying,
			// see below.
			ev.Commands = []string{"setMark"}
		}
	}
	return ev, nil
}

// cased is what the key of a letter gives with modifiers: Control+K is written for a k
// that is pressed without Shift.
func cased(letter string, held int64) string {
	if held&8 != 0 {
		return strings.ToUpper(letter)
	}
	return strings.ToLower(letter)
}

// send runs a command of input with each of the parameters, until all are answered
// or a dialog is open.
func (t *tab) send(ctx context.Context, s *session, method string, params ...any) error {
	err := t.unasked(ctx, func(ctx context.Context) (first error) {
		waits := make([]func(context.Context, any) error, len(params))
		for i, p := range params {
			waits[i] = s.post(ctx, method, p)
		}
		for _, wait := range waits {
			first = cmp.Or(first, wait(ctx, nil))
		}
		return first
	})
	if t.isAsking() {
		return nil
	}
	return err
}

// A hand has the mouse of a tab, in one of its processes.
type hand struct {
	tab     *tab
	session *session
	ev      input.DispatchMouseEventParams // the last one
}

func (t *tab) hand(s *session) *hand { return &hand{tab: t, session: s} }

// move puts the mouse at a point of the window, with its button as it is.
func (h *hand) move(ctx context.Context, p point) error {
	h.ev.Type, h.ev.X, h.ev.Y, h.ev.ClickCount, h.tab.mouse = input.DispatchMouseEventTypeMouseMoved, p.x, p.y, 0, p
	return h.send(ctx)
}

// press moves the mouse to a point and presses its left button there.
func (h *hand) press(ctx context.Context, p point) error {
	if err := h.move(ctx, p); err != nil {
		return err
	}
	h.ev.Type, h.ev.Button, h.ev.Buttons, h.ev.ClickCount = input.DispatchMouseEventTypeMousePressed, input.MouseButtonLeft, 1, 1
	return h.send(ctx)
}

// release lets the button go where the mouse is.
func (h *hand) release(ctx context.Context) error {
	h.ev.Type, h.ev.Buttons, h.ev.ClickCount = input.DispatchMouseEventTypeMouseReleased, 0, 1
	return h.send(ctx)
}

// send sends the event. A dialog that it opens keeps the browser from answering, and ends the wait.
func (h *hand) send(ctx context.Context) error {
	return h.tab.send(ctx, h.session, input.DispatchMouseEvent.Method, h.ev)
}

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
