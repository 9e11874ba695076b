package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// Rules of steps. A context remembers what was done in it, as lines of a Playwright test: each
// names its element as a person would, by role and name. What was typed into a password field,
// and secrets, are variables of the environment there. While a trace is made, each step has a
// picture of the window after it.

// located is an element of a step.
type located struct {
	CSS      string
	Password bool
	code     string // the locator
}

// locate describes an element for a step: by the role and the name that the snapshot has of it.
// An element that cannot be described has no locator.
func (e *element) locate(ctx context.Context) located {
	var l located
	if e.ask(ctx, &l, script("locator")) != nil {
		return l
	}
	page := "page"
	if e.frame != cdp.FrameID(e.tab.target) {
		if at, err := e.word(ctx, whereScript); err == nil {
			page = "page.frame({ url: " + quoteJS(at) + " })!"
		}
	}
	n, nth := e.tab.last.Called(e.ref, e.tab.refs)
	switch {
	case n.Text == "":
		l.code = fmt.Sprintf("%s.locator(%s)", page, quoteJS(l.CSS))
	case l.Password: // has no role
		l.code = fmt.Sprintf("%s.getByLabel(%s, { exact: true })", page, quoteJS(n.Text))
	default:
		l.code = fmt.Sprintf("%s.getByRole(%s, { name: %s, exact: true })", page, quoteJS(n.Role), quoteJS(n.Text))
	}
	if nth >= 0 {
		l.code += fmt.Sprintf(".nth(%d)", nth)
	}
	return l
}

var secretReference = regexp.MustCompile(`\$\{secret:([A-Za-z0-9._-]+)\}`)

// value is a text that was typed, as an expression of the test.
func (l located) value(in string) string {
	if l.Password && !secretReference.MatchString(in) {
		return "process.env.PASSWORD ?? ''"
	}
	var parts []string
	last := 0
	for _, m := range secretReference.FindAllStringSubmatchIndex(in, -1) {
		if m[0] > last {
			parts = append(parts, quoteJS(in[last:m[0]]))
		}
		name := strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(in[m[2]:m[3]]))
		parts = append(parts, "(process.env."+name+" ?? '')")
		last = m[1]
	}
	if last < len(in) || len(parts) == 0 {
		parts = append(parts, quoteJS(in[last:]))
	}
	return strings.Join(parts, " + ")
}

// onElement runs an action on the element of a ref, and remembers it as a step: f returns the
// method of its locator, "" for none.
func (t *tab) onElement(ctx context.Context, ref string, f func(context.Context, *element, located) (string, error)) error {
	e, err := t.element(ctx, ref)
	if err != nil {
		return err
	}
	l := e.locate(ctx) // the action may change its name
	step, err := f(ctx, e, l)
	if err == nil {
		t.did(ctx, l, step)
	}
	return err
}

// did remembers a step that was done to an element.
func (t *tab) did(ctx context.Context, l located, step string) {
	if l.code != "" && step != "" {
		t.remember(ctx, l.code+"."+step)
	}
}

// picture takes the picture of the last step, while a trace is made.
func (t *tab) picture(ctx context.Context) {
	p := t.home
	p.mu.Lock()
	wanted := p.untaken && p.shots < maxTraceShots
	p.untaken = false
	p.mu.Unlock()
	if !wanted {
		return
	}
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	shot, _, _, err := t.shoot(ctx, Shot{Format: "jpeg"})
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.steps); n > 0 {
		p.steps[n-1].shot = shot
		p.shots++
	}
}

// Script is what was done in a context, as a Playwright test.
func (b *Browser) Script(ctx context.Context, at Place) (code string, where Place, err error) {
	where, err = b.beside(ctx, at, needsContext, func(_ context.Context, p *browserContext, _ *tab) error {
		var w strings.Builder
		w.WriteString("import { test } from '@playwright/test';\n\ntest('session', async ({ page }) => {\n")
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, s := range p.steps {
			w.WriteString("  await " + s.code + ";\n")
		}
		w.WriteString("});\n")
		code = w.String()
		return nil
	})
	return code, where, err
}

// traceHead begins the page of a trace.
const traceHead = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Trace</title>
<style>body{font:15px/1.5 sans-serif;margin:2em auto;max-width:1000px;padding:0 1em}code{background:#eee;padding:.2em .4em;overflow-wrap:anywhere}img{max-width:100%;border:1px solid #ccc}li{margin:0 0 1.5em}small{color:#555}</style>
<h1>Trace</h1><ol>
`

// Trace begins to take a picture after each step of a context, and where it has begun before,
// writes the steps with their pictures as one HTML file into Options.CaptureDir: Path is empty
// where it has just begun. Pages of the capture is the number of the steps.
func (b *Browser) Trace(ctx context.Context, at Place) (*Capture, error) {
	out := new(Capture)
	_, err := b.beside(ctx, at, needsContext, func(ctx context.Context, p *browserContext, t *tab) error {
		p.mu.Lock()
		began := !p.traced
		p.traced = true
		var w strings.Builder
		w.WriteString(traceHead)
		for _, s := range p.steps {
			fmt.Fprintf(&w, "<li><code>%s</code><br><small>%s · %s</small>", html.EscapeString(b.options.Secrets.mask(s.code)), s.at.UTC().Format(time.RFC3339),
				html.EscapeString(b.options.Secrets.mask(maskedAddress(s.url))))
			if s.shot != nil {
				w.WriteString(`<br><img alt="The window after the step" src="data:image/jpeg;base64,` + base64.StdEncoding.EncodeToString(s.shot) + `">`)
			}
			w.WriteString("</li>\n")
		}
		steps := len(p.steps)
		p.mu.Unlock()
		if began {
			where, err := t.describe(ctx)
			if err == nil {
				out.Page = *where
			}
			return err
		}
		w.WriteString("</ol></html>\n")
		*out = Capture{MIME: "text/html", Data: []byte(w.String()), Pages: steps}
		return b.keep(ctx, t, out, "html")
	})
	return out, err
}
