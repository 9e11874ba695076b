package browser_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// latePages are pages whose content comes some time after their load, in the ways in
// which pages of frameworks have it. The words to find are "late words".
var latePages = map[string]string{
	"request after 300 ms": `<div id=root></div><script>setTimeout(() => fetch('/slow').then(r => r.text()).then(s => root.textContent = s), 300)</script>`,
	"slow answer":          `<div id=root>Loading…</div><script>onload = () => fetch('/slow').then(r => r.text()).then(s => root.textContent = s)</script>`,
	"drawn after 800 ms":   `<div id=root></div><script>setTimeout(() => root.innerHTML = '<p>late words</p>', 800)</script>`,
	"requests in a row":    `<div id=root></div><script>setTimeout(async () => { await fetch('/fast'); await new Promise(r => setTimeout(r, 400)); await fetch('/fast'); await new Promise(r => setTimeout(r, 500)); root.textContent = 'late words' }, 200)</script>`,
	"answers on the way":   `<div id=root>Loading…</div><script>setTimeout(async () => { await fetch('/fast'); await new Promise(r => setTimeout(r, 900)); await fetch('/fast'); setTimeout(() => root.textContent = 'late words', 700) }, 200)</script>`,
	"answers to nothing":   `<div id=root></div><script>setTimeout(async () => { await fetch('/fast'); await new Promise(r => setTimeout(r, 900)); await fetch('/fast'); setTimeout(() => root.textContent = 'late words', 700) }, 200)</script>`,
	"a skeleton":           `<h1>Shop</h1><nav>` + strings.Repeat("<a href=/x>A section of the shop</a> ", 30) + `</nav><div class="card-skeleton" style="height:80px"></div><div id=root></div><script>setTimeout(() => { document.querySelector('.card-skeleton').remove(); root.textContent = 'late words' }, 900)</script>`,
	"busy":                 `<div id=root aria-busy=true><p>` + strings.Repeat("Words that are there at once. ", 30) + `</p></div><script>setTimeout(() => { root.append('late words'); root.ariaBusy = false }, 900)</script>`,
	"a module":             `<div id=root></div><script type=module>await new Promise(r => setTimeout(r, 700)); root.textContent = 'late words'</script>`,
	"in parts":             `<div id=root></div><script>let n = 0; const add = () => { root.append(n++ < 6 ? ' part ' + n : ' late words'); if (n < 7) setTimeout(add, 250) }; setTimeout(add, 250)</script>`,
	"with a clock":         `<p id=k>0</p><div id=root>Please wait</div><script>setInterval(() => k.textContent = Date.now(), 30); setTimeout(() => root.textContent = 'late words', 900)</script>`,
	"when idle":            `<div id=root></div><script>requestIdleCallback(() => setTimeout(() => fetch('/slow').then(r => r.text()).then(s => root.textContent = s), 200))</script>`,
}

// entrances are pages that show "late words" by motion, or when a person scrolls to them.
// Those whose names begin with "never" have "late words" that no person sees.
var entrances = map[string]string{
	"fonts":               `<style>html.wf * {animation: f 1.5s} @keyframes f {0%, 99% {color: transparent}}</style><script>document.documentElement.className = 'wf'</script><p>late words`,
	"faded in":            `<style>p {animation: f .4s 1.2s both} @keyframes f {from {opacity: 0}}</style><p>late words`,
	"in turn":             `<style>li {animation: f .3s both} li:nth-child(2) {animation-delay: .8s} li:nth-child(3) {animation-delay: 1.6s} @keyframes f {from {opacity: 0}}</style><ul><li>one<li>two<li>late words</ul>`,
	"slid in":             `<style>body {overflow-x: hidden} p {animation: f 1s .5s both} @keyframes f {0%, 90% {transform: translateX(-2000px)}}</style><p>late words`,
	"by transition":       `<style>p {opacity: 0; transition: opacity .3s 1s} .on p {opacity: 1}</style><p>late words<script>onload = () => document.body.className = 'on'</script>`,
	"in a shadow tree":    `<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML = '<style>p {animation: f .3s 1.2s both} @keyframes f {from {opacity: 0}}</style><p>late words'</script>`,
	"veiled body":         `<style>body {opacity: 0} body.on {opacity: 1}</style><p>late words<script>setTimeout(() => document.body.className = 'on', 1600)</script>`,
	"veiled wrapper":      `<style>main {opacity: 0} .on main {opacity: 1}</style><main><p>late words</main><script>setTimeout(() => document.body.className = 'on', 1600)</script>`,
	"body not laid out":   `<style>body {display: none} body.on {display: block}</style><p>late words<script>setTimeout(() => document.body.className = 'on', 1600)</script>`,
	"scrolled to":         parts + `<script>const o = new IntersectionObserver(all => all.forEach(e => e.isIntersecting && e.target.classList.add('on'))); document.querySelectorAll('.r').forEach(e => o.observe(e))</script>`,
	"seen on the way":     parts + `<script>const o = new IntersectionObserver(all => all.forEach(e => e.target.classList.toggle('on', e.isIntersecting))); document.querySelectorAll('.r').forEach(e => o.observe(e))</script>`,
	"many on a busy page": `<style>p {opacity: 0} p.on {opacity: 1}</style><h1>Head</h1><div style="height:900px"></div>` + strings.Repeat("<p>late words</p>", 60) + `<div style="height:1800px"></div><script>const o = new IntersectionObserver(all => all.forEach(e => e.target.classList.toggle('on', e.isIntersecting))); document.querySelectorAll('p').forEach(e => o.observe(e)); (function busy() { for (const end = performance.now() + 15; performance.now() < end;); setTimeout(busy) })()</script>`,
	"scrolled by place":   parts + `<script>const look = () => document.querySelectorAll('.r').forEach(e => e.getBoundingClientRect().top < innerHeight * .9 && e.classList.add('on')); let w; addEventListener('scroll', () => { w ||= setTimeout(() => { w = 0; look() }, 99) })</script>`,
	"scrolled in a box":   `<style>body {margin: 0; overflow: hidden} main {height: 100vh; overflow-y: auto}</style><main>` + parts + `</main><script>const o = new IntersectionObserver(all => all.forEach(e => e.isIntersecting && e.target.classList.add('on'))); document.querySelectorAll('.r').forEach(e => o.observe(e))</script>`,
	"never, without end":  `<style>p {animation: f 1s infinite} @keyframes f {from, to {opacity: 0}}</style><b>words</b><p>late words`,
	"never, a menu":       parts + `<script>document.querySelector('.r').style.position = 'absolute'</script>`,
	"never, nobody comes": parts + `<script></script>`,
	"never, closed":       `<b>words</b><div style="height:900px"></div><details><summary>More</summary><div><p>late words</div></details><script></script>`,
	"never, transparent":  `<b>words</b><p style="opacity:0">late words`,
}

const parts = `<style>.r {opacity: 0; transition: opacity .3s .1s} .r.on {opacity: 1} div {height: 900px}</style><h1>Head</h1><div></div><section class=r><p>late words</section><div></div>`

// TestEntrances: a page is read when its text has come, as far as a person would see it.
func TestEntrances(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	pages := make(map[string]string)
	for name, page := range entrances {
		pages["/"+strings.NewReplacer(" ", "-", ",", "").Replace(name)] = "<!doctype html><title>Late</title><body>" + page
	}
	url := site(t, pages)
	for name := range entrances {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of its time is waiting
			want := !strings.HasPrefix(name, "never")
			path := "/" + strings.NewReplacer(" ", "-", ",", "").Replace(name)
			c, err := b.Render(t.Context(), browser.Navigation{URL: url + path})
			if err != nil {
				t.Fatal(err)
			}
			if shown := !strings.Contains(c.HTML, "late words\ufdef"); shown != want {
				t.Errorf("rendered: shown %v: %s", shown, c.HTML)
			}
			a := &actor{t: t, b: b, url: url, at: browser.Place{Context: path[1:]}}
			a.open(path)
			if shown := strings.Contains(a.text, "late words"); shown != want {
				t.Errorf("the snapshot: shown %v: %s", shown, a.text)
			}
		})
	}
}

// lateSite serves the pages; /slow answers after 1.2 s.
func lateSite(t *testing.T) (url string, pathOf func(name string) string) {
	paths := make(map[string]string)
	for name, page := range latePages {
		paths["/"+strings.ReplaceAll(name, " ", "-")] = "<!doctype html><title>Late</title>" + page
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			select {
			case <-time.After(1200 * time.Millisecond):
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "late words")
			return
		case "/fast":
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, paths[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s.URL, func(name string) string { return s.URL + "/" + strings.ReplaceAll(name, " ", "-") }
}

// TestLatePages: what comes after the load is in the page that is rendered for a
// read, and in the first snapshot.
func TestLatePages(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	_, at := lateSite(t)
	for name := range latePages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := b.Render(t.Context(), browser.Navigation{URL: at(name)})
			if err != nil || !strings.Contains(c.HTML[strings.Index(c.HTML, "<body"):], ">late words") && !strings.Contains(c.HTML, "late words<") {
				t.Errorf("rendered: %v %+v", err, c)
			}
			a := &actor{t: t, b: b, url: at(name), at: browser.Place{Context: strings.ReplaceAll(name, " ", "-")}}
			a.open("")
			if !strings.Contains(a.text, "late words") {
				t.Errorf("the snapshot has %s", a.text)
			}
		})
	}
}

// TestRenderWaitsFor: a text or an element that is named is waited for, whatever the
// page shows before, and its absence is an error in time.
func TestRenderWaitsFor(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 40 * time.Second })
	page := "<p>" + strings.Repeat("Words that are there at once. ", 30) + `</p><p id=o></p><script>setTimeout(() => o.innerHTML = '<b class=price>49 Euro</b>', 2500)</script>`
	url := site(t, map[string]string{"/": page})
	for _, what := range []string{"49 Euro", ".price", "b.price", "p > b"} {
		c, err := b.Render(t.Context(), browser.Navigation{URL: url, WaitFor: what})
		if err != nil || !strings.Contains(c.HTML, "49 Euro</b>") {
			t.Errorf("%s: %v", what, err)
		}
	}
	soon, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	if _, err := b.Render(soon, browser.Navigation{URL: url, WaitFor: "50 Euro"}); err == nil || !strings.Contains(err.Error(), `did not show "50 Euro"`) {
		t.Errorf("what never comes: %v", err)
	}
}
