package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Pointer is an action of the mouse.
type Pointer struct {
	Ref string
	// At is a point of the page, for a click without a ref; nil: none.
	At *Point
	// Double is two clicks.
	Double bool
	// Button is "left" (the default), "right" or "middle".
	Button string
	// Modifiers are held: Alt, Control, Meta, Shift.
	Modifiers []string
}

// Click clicks an element, after checking that the click would reach it.
func (b *Browser) Click(ctx context.Context, at Place, q Pointer) (*Changes, error) {
	if (q.Ref == "") == (q.At == nil) {
		return nil, tool.NewError(tool.InvalidInput, "a click needs a ref, or x and y", "give one of them")
	}
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		if q.At != nil {
			return t.clickPoint(ctx, q)
		}
		return t.onElement(ctx, q.Ref, func(ctx context.Context, e *element, _ located) (string, error) {
			if err := e.enabled(ctx); err != nil {
				return "", err
			}
			if err := e.click(ctx, q); err != nil {
				return "", err
			}
			// The browser draws its lists outside of the page.
			if is, err := e.is(ctx, `function() { return this instanceof HTMLSelectElement && !this.multiple && this.size <= 1 }`); is && err == nil {
				t.update(func() { t.note("browser_select_option chooses from the list " + text.Name(e.ref)) })
			}
			return q.code(), nil
		})
	})
}

// clickPoint clicks a point of the page.
func (t *tab) clickPoint(ctx context.Context, q Pointer) error {
	p, err := t.pointOf(ctx, *q.At)
	if err != nil {
		return err
	}
	if err := t.hand(t.main).move(ctx, p); err != nil {
		return err
	}
	t.remember(ctx, fmt.Sprintf("page.mouse.click(%g, %g)", p.x, p.y))
	return t.clickAt(ctx, t.main, p, q, false, nil)
}

// code is the action as a method of a locator.
func (q Pointer) code() string {
	var options []string
	if q.Button != "" && q.Button != "left" {
		options = append(options, "button: "+quoteJS(q.Button))
	}
	if len(q.Modifiers) > 0 {
		held, _ := json.Marshal(q.Modifiers)
		options = append(options, "modifiers: "+string(held))
	}
	method := "click"
	if q.Double {
		method = "dblclick"
	}
	if len(options) == 0 {
		return method + "()"
	}
	return method + "({ " + strings.Join(options, ", ") + " })"
}

// enabled waits for a control that is disabled.
func (e *element) enabled(ctx context.Context) error {
	for end := time.Now().Add(patience); ; {
		raw, err := e.run(ctx, script("disabled"))
		if string(raw) == `"said"` {
			e.tab.update(func() { e.tab.note("the page says that " + text.Name(e.ref) + " is disabled") })
		}
		if err != nil || string(raw) != "true" {
			return err
		}
		if time.Now().After(end) {
			return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" is disabled: nothing can be done with it", "do first what the page asks for; browser_snapshot shows it")
		}
		if err := pause(ctx, lookEvery); err != nil {
			return err
		}
	}
}

// Hover moves the mouse onto an element.
func (b *Browser) Hover(ctx context.Context, at Place, q Pointer) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		return t.onElement(ctx, q.Ref, func(ctx context.Context, e *element, _ located) (string, error) {
			p, err := e.aim(ctx)
			if err == nil { // pages ask at the element's border whether it is a mouse that moves: it does so before
				err = cmp.Or(e.hand().move(ctx, t.mouse), e.hand().move(ctx, p), pause(ctx, delayed))
			}
			return "hover()", err
		})
	})
}

func (e *element) click(ctx context.Context, q Pointer) error {
	held, err := modifiersOf(q.Modifiers)
	if err != nil {
		return err
	}
	before, err := e.word(ctx, script("expanded"))
	if err != nil || before == "clicked" {
		return err
	}
	if e.ref[0] == 'c' && e.offset == nil {
		field, err := e.related(ctx, script("list_field"))
		if err != nil {
			return err
		}
		e = cmp.Or(field, e)
	}
	leaves, err := e.is(ctx, script("leaves")) // asked first: nothing may stand between the place of what moves and the click
	if err != nil {
		return err
	}
	p, err := e.approach(ctx, held)
	if err != nil {
		return err
	}
	if before == "false" {
		// The mouse has opened it, as it opens menus: a click would shut it again.
		if now, err := e.word(ctx, script("expanded")); err != nil || now == "true" {
			return err
		}
	}
	pressed := e.tab.last.Pressed(snapshot.Node{Process: string(e.session.id), ID: int64(e.node)})
	if !leaves {
		return e.tab.clickAt(ctx, e.session, p, q, pressed, nil)
	}
	return e.tab.clickAt(ctx, e.session, p, q, pressed, e) // what is said of a field when it is left may move the button
}

// clickAt clicks a point of the window, over which the mouse is. The button may be held for as long as
// the page takes to draw, and goes up where an element is by then.
func (t *tab) clickAt(ctx context.Context, s *session, p point, q Pointer, held bool, follow *element) error {
	button, err := buttonOf(q.Button)
	if err != nil {
		return err
	}
	keys, err := modifiersOf(q.Modifiers)
	if err != nil {
		return err
	}
	ev := input.DispatchMouseEventParams{X: p.x, Y: p.y, Modifiers: keys}
	clicks := 1
	if q.Double {
		clicks = 2
	}
	ev.Button = button
	for n := 1; n <= clicks; n++ {
		down, up := ev, ev
		down.ClickCount, up.ClickCount = int64(n), int64(n)
		down.Type, down.Buttons = input.DispatchMouseEventTypeMousePressed, map[input.MouseButton]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}[button]
		up.Type = input.DispatchMouseEventTypeMouseReleased
		// Both events go together: a page that redraws itself between them gets no click, since
		// the button went down on one element and up on another.
		events := []any{down, up}
		if held || follow != nil {
			if err := t.send(ctx, s, input.DispatchMouseEvent.Method, down); err != nil {
				return err
			}
			if held {
				if err := t.twoFrames(ctx); err != nil {
					return err
				}
			}
			if follow != nil && !t.isAsking() {
				if now, cover, err := follow.free(ctx); err == nil && cover == "" {
					up.X, up.Y = now.x, now.y
				}
			}
			events = []any{up}
		}
		if err := t.send(ctx, s, input.DispatchMouseEvent.Method, events...); err != nil {
			return err
		}
	}
	return nil
}

// approach moves the mouse onto an element and returns where it is. The mouse
// follows an element that moves or is redrawn under it.
func (e *element) approach(ctx context.Context, held int64) (point, error) {
	p, err := e.aim(ctx)
	for n := 0; err == nil; n++ {
		hand := e.hand()
		hand.ev.Modifiers = held
		if err := hand.move(ctx, p); err != nil {
			return p, err
		}
		if e.tab.isAsking() {
			return p, nil
		}
		now, cover, err := e.free(ctx)
		switch {
		case err != nil:
			return p, err
		case cover != "" && n < approaches/2:
			if p, err = e.aim(ctx); err != nil {
				return p, err
			}
			continue
		case cover != "":
			return p, e.covered(cover) // the cover opens under the mouse each time
		case math.Abs(now.x-p.x) < 2 && math.Abs(now.y-p.y) < 2:
			return now, nil
		case n == approaches:
			e.tab.update(func() { e.tab.note(text.Name(e.ref) + " moves all the time: the click may have missed it") })
			return now, nil
		}
		p = now
		if err := e.tab.drawn(ctx); err != nil {
			return p, err
		}
	}
	return p, err
}

func buttonOf(s string) (input.MouseButton, error) {
	switch s {
	case "", "left":
		return input.MouseButtonLeft, nil
	case "right":
		return input.MouseButtonRight, nil
	case "middle":
		return input.MouseButtonMiddle, nil
	}
	return "", tool.NewError(tool.InvalidInput, "button "+text.Quoted(s)+" is unknown", "it is left, right or middle")
}

// focus focuses an element. One that cannot have the focus may stand in a list, a grid or an
// application that has it for all that is in it; else keys go to where the focus is.
func (e *element) focus(ctx context.Context) error {
	err := do(ctx, e.session, dom.Focus, dom.FocusParams{BackendNodeID: e.node})
	if !refused(err) {
		return err
	}
	seen, err := e.is(ctx, script("focus_around"))
	if err == nil && !seen {
		return staleRef(e.ref)
	}
	return err
}

// PressKey presses a key, with modifiers ("Control+a") or several times
// ("ArrowDown*5"), in an element or where the focus is.
func (b *Browser) PressKey(ctx context.Context, at Place, key, ref string) (*Changes, error) {
	key, times, err := repeated(key)
	if err != nil {
		return nil, err
	}
	return b.act(ctx, at, func(ctx context.Context, p *browserContext, t *tab) error {
		s, frame, code := t.main, cdp.FrameID(t.target), "page.keyboard.press("+quoteJS(key)+")"
		if ref != "" {
			e, err := t.element(ctx, ref)
			if err != nil {
				return err
			}
			if err := e.focus(ctx); err != nil {
				return err
			}
			s, frame = e.session, e.frame
			if l := e.locate(ctx); l.code != "" {
				code = l.code + ".press(" + quoteJS(key) + ")"
			}
		}
		for n := range times {
			if n > 0 && n <= slowKeys {
				if err := t.twoFrames(ctx); err != nil {
					return err
				}
			}
			if n > 0 && t.stands(n, times) { // the page can ask a moment after the press
				return nil
			}
			if err := t.press(ctx, s, key); err != nil {
				return err
			}
			if err := p.clipboard(ctx, t, s, frame, key); err != nil {
				return err
			}
			t.remember(ctx, code)
		}
		return nil
	})
}

// stands reports whether a question keeps the page from taking more presses of a key, and says
// how many it got.
func (t *tab) stands(made, times int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog != nil {
		t.note(fmt.Sprintf("the key was pressed %d of %d times: then the page asked", made, times))
	}
	return t.dialog != nil
}

// repeated takes "*5" from the name of a key.
func repeated(key string) (string, int, error) {
	name, times, ok := strings.Cut(key, "*")
	if !ok || name == "" {
		return key, 1, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(times))
	if err != nil || n < 1 || n > maxRepeats {
		return "", 0, tool.NewError(tool.InvalidInput, "key "+text.Quoted(key)+" is unknown", fmt.Sprintf("ArrowDown*5 presses it five times; %d are the most", maxRepeats))
	}
	return strings.TrimSpace(name), n, nil
}
