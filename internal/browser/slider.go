package browser

import (
	"cmp"
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// turn moves a slider that the page draws itself to a value: with the keys that such a
// slider has to support (ARIA Authoring Practices, slider), and with the mouse where no
// key moves it or too many were needed. Where its steps leave the value out, the slider
// ends beside it.
func (e *element) turn(ctx context.Context, value string) error {
	want, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" does not take "+text.Quoted(value), "it takes a number")
	}
	begin, err := e.level(ctx)
	if err != nil || begin == want {
		return err
	}
	// The first key tells the step, and which keys the slider knows: some that lie take only
	// those of their own direction.
	at, keys := begin, sliderKeys[0]
	for _, keys = range sliderKeys {
		var done bool
		if at, done, err = e.turnByKeys(ctx, keys, begin, want, 1); err != nil || done {
			return err
		}
		if (at-begin)*(want-begin) < 0 { // it counts the other way
			keys.more, keys.less = keys.less, keys.more
		}
		if at != begin {
			break
		}
	}
	if at == begin || math.Abs(want-at) > maxRepeats*math.Abs(at-begin) {
		for _, held := range [...]bool{true, false} {
			var moved bool
			if at, moved, err = e.turnByMouse(ctx, at, want, held); err != nil {
				return err
			}
			if moved {
				break
			}
		}
	}
	if at != begin {
		_, _, err = e.turnByKeys(ctx, keys, at, want, maxRepeats)
		return err
	}
	return tool.NewError(tool.BrowserError, text.Name(e.ref)+" stays at "+strconv.FormatFloat(begin, 'f', -1, 64)+": neither keys nor the mouse move it to "+text.Quoted(value), "browser_drag moves what is drawn for it")
}

// levelKeys are a key that raises the level of a slider and one that lowers it.
type levelKeys struct{ more, less string }

var sliderKeys = []levelKeys{{"ArrowUp", "ArrowDown"}, {"ArrowRight", "ArrowLeft"}}

// level is the value that a slider has: that of the browser's, or what another one says.
func (e *element) level(ctx context.Context) (float64, error) {
	said, err := e.word(ctx, `function() {
		const e = this.control || this;
		return String(Number(e instanceof HTMLInputElement ? e.value : e.getAttribute('aria-valuenow')));
	}`)
	if err != nil {
		return 0, err
	}
	at, err := strconv.ParseFloat(said, 64)
	if err != nil || math.IsNaN(at) {
		return 0, tool.NewError(tool.BrowserError, text.Name(e.ref)+" says no value that is a number", "browser_drag moves what is drawn for it")
	}
	return at, nil
}

// changed is the level of a slider after an event; one that is as before gets the time to
// draw.
func (e *element) changed(ctx context.Context, before float64) (float64, error) {
	at, err := e.level(ctx)
	if err != nil || at != before {
		return at, err
	}
	if err := e.tab.twoFrames(ctx); err != nil {
		return at, err
	}
	return e.level(ctx)
}

// turnByKeys presses at most so many of two keys. It returns the level at which the slider is then, and
// whether that is the one wanted, or the nearest that its steps allow.
func (e *element) turnByKeys(ctx context.Context, keys levelKeys, at, want float64, most int) (_ float64, done bool, err error) {
	press := func() (float64, error) {
		key := keys.less
		if at < want {
			key = keys.more
		}
		if err := e.tab.press(ctx, e.session, key); err != nil {
			return at, err
		}
		return e.changed(ctx, at)
	}
	for ; at != want && most > 0; most-- {
		before := at
		if at, err = press(); err != nil || at == before {
			return at, false, err
		}
		if (before-want)*(at-want) < 0 { // beyond it
			if math.Abs(before-want) < math.Abs(at-want) {
				at, err = press()
			}
			return at, true, err
		}
	}
	return at, at == want, nil
}

// turnByMouse drags the thumb of a slider along its axis, or, where it is not held, clicks beside
// it, and looks at the level after each move. It returns the level at which the slider ends, and whether
// the moves have changed it: some hear fingers and clicks alone.
func (e *element) turnByMouse(ctx context.Context, begin, want float64, held bool) (at float64, moved bool, err error) {
	from, err := e.aim(ctx)
	if err != nil {
		return begin, false, err
	}
	from = from.whole()
	vertical, err := e.is(ctx, `function() { return this.getAttribute('aria-orientation') === 'vertical' }`)
	if err != nil {
		return begin, false, err
	}
	hand := e.hand()
	if held {
		if err := hand.press(ctx, from); err != nil {
			return begin, false, err
		}
	}
	at = begin
	// move puts the mouse so many pixels to the side where values usually grow.
	move := func(by float64) error {
		to := point{from.x + by, from.y}
		if vertical {
			to = point{from.x, from.y - by}
		}
		if held {
			err = hand.move(ctx, to)
		} else {
			err = cmp.Or(hand.press(ctx, to), hand.release(ctx))
		}
		if err != nil {
			return err
		}
		at, err = e.changed(ctx, at)
		return err
	}
	err = approachLevel(&at, want, move)
	moved = at != begin
	if held {
		err = cmp.Or(err, hand.release(ctx))
	}
	if err != nil {
		return at, moved, err
	}
	at, err = e.changed(ctx, at)
	return at, moved, err
}

// approachLevel moves a thumb until its level is the one that is wanted, or as near as
// whole pixels lead. move moves the thumb to a number of pixels from where it was, and
// updates the level.
func approachLevel(at *float64, want float64, move func(by float64) error) error {
	begin, by := *at, 0.
	for step := float64(firstMove); *at == begin && step <= mostMove; step *= 2 {
		by = math.Copysign(step, want-begin)
		if err := move(by); err != nil {
			return err
		}
	}
	slope := (*at - begin) / by // of values in pixels
	best, nearest := by, math.Abs(want-*at)
	for n := 0; n < mouseTurns && *at != want && slope != 0; n++ {
		step := math.Round((want - *at) / slope)
		if step == 0 {
			step = math.Copysign(1, (want-*at)/slope)
		}
		was := *at
		if err := move(by + step); err != nil {
			return err
		}
		by += step
		if moved := (*at - was) / step; moved != 0 && math.Abs(step) > 1 {
			slope = moved
		}
		off := math.Abs(want - *at)
		if off < nearest {
			best, nearest = by, off
		} else if math.Abs(step) <= 1 {
			break // the pixels before and after it are no nearer
		}
	}
	if by == best {
		return nil
	}
	return move(best)
}
