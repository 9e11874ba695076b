package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestWindowClosesItself: wherever an action stands when the window ends, its answer
// is the page that is left, with a notice of it.
func TestWindowClosesItself(t *testing.T) {
	t.Parallel()
	var plans, buttons []string
	for _, wait := range []int{0, 20, 100} { // in ms
		for _, when := range []string{"move", "down", "up", "click"} {
			plans = append(plans, fmt.Sprintf("%s-%d", when, wait))
		}
	}
	for _, plan := range plans {
		buttons = append(buttons, fmt.Sprintf(`<button onclick="window.open('/ask#%s')">%s</button>`, plan, plan))
	}
	b := newBrowser(t, nil)
	url := site(t, map[string]string{
		"/": `<title>Opener</title><p id=p>-</p>` + strings.Join(buttons, ""),
		"/ask": `<title>Ask</title><button onmousemove="end('move')" onmousedown="end('down')" onmouseup="end('up')" onclick="end('click')">Allow</button>
<script>const [when, wait] = location.hash.slice(1).split('-');
function end(now) { if (now === when) { opener.p.textContent = 'allowed ' + location.hash; wait === '0' ? window.close() : setTimeout(() => window.close(), wait) } }</script>`,
	})
	ctx, a := t.Context(), &actor{t: t, b: b, url: url}
	a.open("/")
	first := a.text
	for _, plan := range plans {
		a.at.Tab, a.text = "t1", first
		a.window(plan)
		c, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Allow")})
		if err != nil {
			t.Errorf("%s ms: %v", plan, err)
			continue
		}
		if !strings.Contains(strings.Join(c.Notices, "\n"), "tab "+a.at.Tab+" was closed by its page; the current tab is t1") || !strings.Contains(c.Text, "allowed #"+plan) {
			t.Errorf("%s ms: %q %q", plan, c.Notices, c.Text)
		}
	}
}
