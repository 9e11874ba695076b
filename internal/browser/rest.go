package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of rest. A page is complete when it has no request open and draws nothing
// new for a time, which depends on the page:
//
//   - shortQuiet for a page that shows text and no sign of waiting;
//   - longQuiet for a page that is almost empty, or shows a placeholder: a spinner, a
//     skeleton, the word "Loading". Such pages begin requests and draw by timers,
//     some hundred milliseconds after their load. The time of a page with a placeholder,
//     or with no text, begins anew with each answer that it gets;
//   - longer for a page that has text, and hides or veils its whole body.
//
// Numbers and clocks that change do not count: new elements or words do. A page that
// never rests is read after restLimit.

const (
	shortQuiet = 400 * time.Millisecond
	longQuiet  = 1100 * time.Millisecond
	restLimit  = 5 * time.Second
	// showLimit bounds the wait for what a caller names.
	showLimit = 30 * time.Second
	// restText is how many characters a page shows that has content.
	restText = 500
)

// waitsScript is the beginning of scripts that look at whether a page waits for
// something of its own: waits is what it says, veiled is that it shows none of its text.
const waitsScript = membersScript + `
	const placed = e => { if (!isDrawn(e, {opacityProperty: true, visibilityProperty: true})) return false; const r = boxOf(e); return r.width > 0 && r.height > 0; };
	const busyMarks = '[aria-busy="true"],[role=progressbar]:not([aria-valuenow]),[class*=skeleton i],[class*=spinner i],[class*=loader i],[class*=loading i]';
	const busyWords = /(saving|processing|submitting|sending|searching|uploading|updating)\s*(…|\.\.\.)|\b(loading|please wait|fetching|chargement|wird geladen|cargando|caricamento)\b|加载中|読み込み中|загрузка/i;
	const clear = e => isDrawn(e, {opacityProperty: true});
	const holds = e => !/^(script|style|noscript|template)$/.test(e.localName) && /\S/.test(textOf(e));
	const veiled = () => {
		const b = document.body, parts = b ? [...b.children].slice(0, 200).filter(holds) : [];
		return parts.length > 0 && (!clear(b) || !parts.some(clear) && ![...b.childNodes].some(n => n.nodeType === 3 && /\S/.test(n.data)));
	};
	const shownText = () => ((document.body && document.body.innerText) || '').trim();
	const waits = () => {
		const marks = document.querySelectorAll(busyMarks);
		for (let i = 0; i < marks.length && i < 50; i++) if (marks[i] !== document.body && marks[i] !== document.documentElement && placed(marks[i])) return true;
		if (veiled()) return true;
		if (!document.body || document.body.textContent.length > 20000) return false;
		const text = shownText();
		return text.length < 2000 && busyWords.test(text);
	};
`

// quietScript ends when the page has drawn nothing new for a while, see the rules.
const quietScript = `((short, long, enough, most) => new Promise(done => {` + waitsScript + `
	const begun = performance.now();
	const size = () => [document.getElementsByTagName('*').length, document.documentElement ? document.documentElement.textContent.replace(/[\d\s:.,%]+/g, '').length : 0].join();
	const answers = () => performance.getEntriesByType('resource').length;
	let last = size(), since = begun, text = null, busy = false, got = answers();
	const look = () => {
		const now = performance.now(), is = size();
		if (is !== last) { last = is; since = now; text = null; }
		if (veiled() || busy && answers() !== got) { since = now; got = answers(); }
		if (text === null || busy) { const n = shownText().length; busy = !n && enough > 0 || waits(); text = n >= enough && !busy ? short : long; }
		if (now - since >= text || now - begun >= most) return done(globalThis.spyhopWaits = waits());
		setTimeout(look, 50);
	};
	look();
}))`

// rest waits until a page asks its server for nothing and draws nothing new.
func (t *tab) rest(ctx context.Context) error {
	wait, cancel := spare(ctx, restLimit)
	defer cancel()
	end, _ := wait.Deadline()
	for wait.Err() == nil {
		if late, err := t.awaitIn(ctx, wait, func() bool { return len(t.inflight) == 0 || t.dialog != nil }); late || err != nil {
			return err
		}
		begun := t.now()
		if begun.dialog != nil {
			return nil
		}
		most := max(0, time.Until(end))
		if err := t.watch(ctx, most, fmt.Sprintf("%s(%d,%d,%d,%d)", quietScript, shortQuiet.Milliseconds(), longQuiet.Milliseconds(), restText, most.Milliseconds())); err != nil {
			return err
		}
		t.mu.Lock()
		more := t.started > begun.started && len(t.inflight) > 0
		t.mu.Unlock()
		if !more {
			break
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return t.appear(ctx)
}

// isSelector reports whether what is waited for is a CSS selector and not a text.
func isSelector(s string) bool {
	return strings.ContainsAny(s, ".#[>:") && !strings.ContainsAny(s, "!?,;\"“”…") && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ":") ||
		strings.HasPrefix(s, "#") || strings.HasPrefix(s, "[")
}

// showsScript reports whether a page shows a text, or has an element of a selector.
const showsScript = `((what, selector) => {` + waitsScript + `
	const same = s => s.replace(/\s+/g, ' ').trim();
	try { if (selector && document.querySelector(what)) return true; } catch {}
	return same(shownText()).includes(same(what));
})`

// shows waits until the page shows a text or has an element, for half of the time
// that is left at most.
func (t *tab) shows(ctx context.Context, what string) error {
	limit := spareTime(ctx, showLimit)
	script := fmt.Sprintf("%s(%s, %v)", showsScript, quoteJS(what), isSelector(what))
	for end := time.Now().Add(limit); time.Now().Before(end); {
		t.dismiss(ctx)
		shown := false
		switch err := t.ask(ctx, &shown, script); {
		case shown:
			return t.appear(ctx)
		case err != nil && !refused(err):
			return err
		}
		if err := pause(ctx, waitStep); err != nil {
			return err
		}
	}
	return tool.NewError(tool.Timeout, fmt.Sprintf("the page did not show %s within %s", text.Quoted(what), limit.Round(100*time.Millisecond)),
		"leave wait_for out to read the page as it is, or give a text that it shows or a CSS selector")
}
