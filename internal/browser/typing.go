package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Typing is text for a field.
type Typing struct {
	Ref, Text string
	// At is where the text goes: AtAll replaces what the field holds, AtEnd appends, AtCaret
	// leaves the caret where it is.
	At string
	// Submit presses Enter after it.
	Submit bool
	// Slowly sends one key after the other, for pages that listen to keys.
	Slowly bool

	secret bool // Text has one: it goes into the field that was named, or nowhere
}

// The values of Typing.At. The empty string is AtAll.
const (
	AtAll   = "replace"
	AtEnd   = "end"
	AtCaret = "caret"
)

// Type puts a text into a field.
func (b *Browser) Type(ctx context.Context, at Place, q Typing) (*Changes, error) {
	switch q.At = cmp.Or(q.At, AtAll); q.At {
	case AtAll, AtEnd, AtCaret:
	default:
		return nil, tool.NewError(tool.InvalidInput, "at "+text.Quoted(q.At)+" is unknown", "it is replace, end or caret")
	}
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		return t.onElement(ctx, q.Ref, func(ctx context.Context, e *element, l located) (_ string, err error) {
			q := q // an action may run again
			method := "fill"
			if q.Slowly || q.At != AtAll {
				method = "pressSequentially"
			}
			step := method + "(" + l.value(q.Text) + ")"
			if q.Text, q.secret, err = e.withSecrets(ctx, q.Text); err != nil {
				return "", err
			}
			if err := e.fill(ctx, q); err != nil {
				return "", err
			}
			t.did(ctx, l, step)
			if !q.Submit {
				return "", e.suggested(ctx)
			}
			// The page gets the events of the text before that of Enter.
			if err := t.drawn(ctx); err != nil {
				return "", err
			}
			return "press('Enter')", t.press(ctx, e.session, "Enter")
		})
	})
}

// suggested waits where a field suggests what fits to what was typed, or may do so since it
// hears the keys. It waits longer for a list that says that it is shut: many ask their server when no
// more keys have come for half a second.
func (e *element) suggested(ctx context.Context) error {
	suggests, err := e.is(ctx, `function() {
		let a = this.control || this;
		if (!(a instanceof HTMLInputElement)) a = document.activeElement || a;
		globalThis.spyhopSuggests = a;
		return a.isContentEditable || a.getAttribute('role') === 'combobox' || a.hasAttribute('aria-autocomplete') || a.hasAttribute('aria-haspopup') || a.autocomplete === 'off';
	}`)
	if err != nil || !suggests && !slices.ContainsFunc(e.hears(ctx), func(s string) bool { return strings.HasPrefix(s, "key") || s == "input" }) {
		return nil // or the page has removed the field
	}
	if err := pause(ctx, suggestWait); err != nil {
		return err
	}
	return e.tab.watch(ctx, toastWait, fmt.Sprintf(`new Promise(done => {
	const a = globalThis.spyhopSuggests, end = performance.now() + %d;
	const look = () => !a || a.ariaExpanded !== 'false' || performance.now() > end ? done() : setTimeout(look, 50);
	look();
})`, (toastWait-suggestWait).Milliseconds()))
}

// fill does a Typing, of which Ref and Submit do not count.
func (e *element) fill(ctx context.Context, q Typing) error {
	value, slowly, whole := q.Text, q.Slowly, q.At == AtAll || q.At == ""
	if err := e.enabled(ctx); err != nil {
		return err
	}
	if slowly {
		if err := e.enter(ctx); err != nil {
			return err
		}
	}
	how, err := e.word(ctx, script("field"), cmp.Or(q.At, AtAll))
	if err != nil {
		return err
	}
	if !whole && (how == "value" || how == "keys") {
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" takes a complete value", "leave at out")
	}
	switch how {
	case "text":
	case "away":
		if q.secret {
			return tool.NewError(tool.BrowserError, "the page gave the focus to another element than "+text.Name(e.ref)+"; the secret was not typed", "use the ref of the field that has the focus")
		}
		e.tab.update(func() {
			e.tab.note("the page gave the focus to another element than " + text.Name(e.ref) + ", and the text went there")
		})
	case "unfocused":
		return tool.NewError(tool.InvalidInput, "field "+text.Name(e.ref)+" cannot have the focus", "do first what the page asks for; browser_snapshot shows it")
	case "inner":
		// The hidden field of an editor has one line of its text. Where all of that is selected, the
		// editor selects all of its text, but only hears of it in the next frame.
		if err := e.tab.twoFrames(ctx); err != nil {
			return err
		}
		if q.At == AtEnd {
			if err := e.tab.press(ctx, e.session, "Control+End"); err != nil {
				return err
			}
		}
	case "focused":
		// A script's focus wakes up no grid or drawing: a click does.
		if err := e.clickToType(ctx, true, q.At); err != nil {
			return err
		}
		slowly = true
	case "value":
		return e.setValue(ctx, value)
	case "keys":
		return e.turn(ctx, value)
	case "readonly":
		return tool.NewError(tool.InvalidInput, "field "+text.Name(e.ref)+" is readonly", "")
	default:
		if other, err := e.related(ctx, script("labelled")); err != nil || other != nil {
			if err != nil {
				return err
			}
			return other.fill(ctx, q)
		}
		if err := e.clickToType(ctx, false, q.At); err != nil {
			return err
		}
		slowly = true // what draws its own text listens to keys
	}
	switch {
	case value == "" && !whole:
		return nil
	case value == "":
		return e.tab.press(ctx, e.session, "Delete")
	case slowly, len(value) <= mostFiltered && e.filters(ctx):
		return e.keys(ctx, value, q.Slowly)
	}
	return e.insert(ctx, value)
}

// enter clicks a text field that does not have the focus, as a person who types does: some lists of suggestions
// open by the click. A field that cannot be clicked gets the focus without it.
func (e *element) enter(ctx context.Context) error {
	away, err := e.is(ctx, `function() { return this.matches('textarea,input:not([type]),input:is([type=text],[type=search],[type=email],[type=tel],[type=url])') && this.getRootNode().activeElement !== this }`)
	if err != nil || !away {
		return err
	}
	if err := e.click(ctx, Pointer{}); err != nil && ctx.Err() != nil {
		return err
	}
	return e.tab.twoFrames(ctx)
}

// setValue sets the value of a field that is not typed into. A range that the page puts back,
// as one does that only stands for a slider of its own, is turned as that slider is.
func (e *element) setValue(ctx context.Context, value string) error {
	raw, err := e.run(ctx, script("value"), value)
	if err != nil {
		return err
	}
	switch string(raw) {
	case "true":
		return nil
	case "false":
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" does not take "+text.Quoted(value), "dates are written 2026-05-31, times 14:30, both 2026-05-31T14:30, months 2026-05, weeks 2026-W22, colours #aabbcc")
	}
	var set string
	if err := json.Unmarshal(raw, &set); err != nil {
		return err
	}
	if err := e.tab.twoFrames(ctx); err != nil {
		return err
	}
	at, err := e.level(ctx)
	if isStale(err) {
		return nil // the page has made something else of it
	}
	if want, none := strconv.ParseFloat(set, 64); err != nil || none != nil || at == want {
		return err
	}
	return e.turn(ctx, set)
}

// filters reports whether a field of one line hears each character before it is written, as those do that
// have a mask or take digits alone.
func (e *element) filters(ctx context.Context) bool {
	line, err := e.is(ctx, `function() { return this instanceof HTMLInputElement }`)
	return err == nil && line && slices.ContainsFunc(e.hears(ctx), func(event string) bool { return event == "keypress" || event == "beforeinput" })
}

// keys types a text key by key. Where a page is to hear each, it has time to draw after
// each of the first ones: what it does with one comes before the next one.
func (e *element) keys(ctx context.Context, value string, drawn bool) error {
	for n, r := range []rune(value) {
		if drawn && n > 0 && n <= slowKeys {
			if err := e.tab.twoFrames(ctx); err != nil {
				return err
			}
		}
		if err := e.tab.press(ctx, e.session, string(r)); err != nil {
			return err
		}
	}
	return nil
}

// insert puts a text into the field with the focus: as one input, among the events of keys,
// since many pages listen to keys alone. A field that has no room for the text, or keeps one character of
// it, may pass the rest on, as the boxes of a code do, and a page that itself makes something of a key may
// write the text, as masks do: both get keys.
func (e *element) insert(ctx context.Context, value string) error {
	room, err := e.is(ctx, script("begin_text"), value)
	if err != nil {
		return err
	}
	if !room {
		return e.keys(ctx, value, false)
	}
	first, rest, last := ends(value)
	if first != "" {
		if err := e.tab.keyDown(ctx, e.session, first, false); err != nil {
			return err
		}
		took, err := e.is(ctx, script("took_key"))
		if err != nil {
			return unlessRefused(err)
		}
		if took {
			if err := e.tab.keyUp(ctx, e.session, first); err != nil {
				return err
			}
			return e.keys(ctx, rest, false)
		}
	}
	if err := e.insertAtOnce(ctx, value); err != nil {
		return err
	}
	// A key that writes nothing, for pages that look at what a field holds when a key goes down.
	if err := e.tab.press(ctx, e.session, "Shift"); err != nil || last == "" {
		return err
	}
	if err := e.tab.keyUp(ctx, e.session, last); err != nil {
		return err
	}
	if passed, err := e.is(ctx, script("passed_on"), value); err != nil || !passed {
		return unlessRefused(err)
	}
	return e.keys(ctx, value, false)
}

// ends returns the first character of a text, what follows it, and the last one; first is ""
// for a text that no keys write without more, since Enter and Tab mean something of their own.
func ends(value string) (first, rest, last string) {
	for _, r := range value {
		if _, ok := keyOf(string(r)); !ok || r == '\n' || r == '\t' {
			return "", value, ""
		}
	}
	_, size := utf8.DecodeRuneInString(value)
	_, end := utf8.DecodeLastRuneInString(value)
	return value[:size], value[size:], value[len(value)-end:]
}

// insertAtOnce puts a text into the field with the focus. A field that does not take it
// gets keys.
func (e *element) insertAtOnce(ctx context.Context, value string) error {
	if err := e.tab.send(ctx, e.session, input.InsertText.Method, input.InsertTextParams{Text: value}); err != nil {
		return err
	}
	if took, err := e.is(ctx, script("took_text"), value); err != nil || took {
		return nil // a page that leaves or asks has taken it
	}
	// Editors with a text of their own draw it in one of the next frames.
	if err := e.tab.twoFrames(ctx); err != nil {
		return err
	}
	if took, err := e.is(ctx, script("took_text"), value); err != nil || took {
		return nil
	}
	return e.keys(ctx, value, false)
}

// clickToType clicks an element that is not a field. Then a field in it, or a hidden
// field whose text it draws, takes the keys: editors of code, terminals, cells of tables.
// So does an element that is no field, if it can have the focus.
// A caret that is there already stays where at says so.
func (e *element) clickToType(ctx context.Context, focusable bool, at string) error {
	no := tool.NewError(tool.InvalidInput, text.Name(e.ref)+" takes no text", "click it, or use the ref of a field (t…)")
	if strings.ContainsAny(e.ref[:1], "abrxf") {
		if focusable {
			return nil // it has the focus already
		}
		return no // a click there does something else
	}
	if at == AtCaret {
		if into, err := e.word(ctx, script("typing")); err != nil || into != "no" {
			return err
		}
	}
	if err := e.click(ctx, Pointer{}); err != nil {
		return err
	}
	if err := e.tab.drawn(ctx); err != nil {
		return err
	}
	into, err := e.word(ctx, script("typing"))
	for begun := time.Now(); err == nil && into == "no" && time.Since(begun) < delayed; {
		if err = pause(ctx, lookEvery); err == nil { // editors of code give their field the focus a moment later
			into, err = e.word(ctx, script("typing"))
		}
	}
	if err != nil {
		return err
	}
	switch into {
	case "no":
		if focusable {
			return e.focus(ctx)
		}
		return no
	case "keys":
		if !focusable {
			return no
		}
		return nil
	case "terminal": // Control+a means something there
		return nil
	}
	switch at {
	case AtCaret:
		return nil
	case AtEnd:
		return e.tab.press(ctx, e.session, "Control+End")
	}
	return e.tab.press(ctx, e.session, "Control+a")
}
