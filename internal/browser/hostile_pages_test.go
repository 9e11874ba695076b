package browser_test

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestHostilePages opens pages that want to hold, flood or leave traces: each
// answers in time, and the next call works.
func TestHostilePages(t *testing.T) {
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
	pages := map[string]string{
		"/good":    "<p>good",
		"/alerts":  "<p>x<script>for (let i = 0; i < 5; i++) alert('no ' + i)</script>",
		"/confirm": "<p>x<script>document.title = confirm('sure?') ? 'yes' : 'no'</script>",
		"/unload":  "<p>x<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>",
		"/print":   "<p>x<script>print()</script>",
		"/windows": "<p>x<button onclick=\"for (let i = 0; i < 20; i++) window.open('/good')\">Storm</button>",
		"/prompts": `<p>x<script>navigator.geolocation.getCurrentPosition(() => {}, () => {}); Notification.requestPermission(); navigator.mediaDevices && navigator.mediaDevices.getUserMedia({video: true}).catch(() => {})</script>`,
		"/console": "<p>x<script>for (let i = 0; i < 5000; i++) console.log('x'.repeat(1000))</script>",
		"/push":    "<p>x<script>for (let i = 0; i < 3000; i++) history.pushState(0, '', '?' + i)</script>",
		"/away":    "<p>x<script>let n = 0; setInterval(() => location = '/away?' + Math.random(), 10)</script>",
		"/blob":    "<a download=x href='data:application/octet-stream,abc'>Save</a><script>document.querySelector('a').click()</script>",
		"/frames":  "<p>x<script>for (let i = 0; i < 40; i++) document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: '<p>' + i}))</script>",
		"/loop":    "<p>x<script>setTimeout(() => { for (;;) alert('again') }, 0)</script>",
		"/asking":  "<p>x<script>setTimeout(() => { for (;;) confirm('again') }, 0)</script>",
		"/worker":  "<p>x<script>for (let i = 0; i < 4; i++) new Worker(URL.createObjectURL(new Blob(['for (;;) ;'])))</script>",
		"/raf":     "<p>x<script>(function f() { requestAnimationFrame(f); for (const end = Date.now() + 40; Date.now() < end;) ; })()</script>",
		"/inserts": "<p>x<script>setInterval(() => { for (let i = 0; i < 200; i++) document.body.append(document.createElement('p')) }, 1)</script>",
		"/refresh": "<meta http-equiv=refresh content=0><p>x",
		"/nested":  "<p>x<script>const n = +location.search.slice(1); if (n < 100) document.write('<iframe src=\"/nested?' + (n + 1) + '\"></iframe>')</script>",
		"/tree":    "<p>x<script>document.body.innerHTML = '<p>a<b>c</b>'.repeat(10000)</script>",
		"/text":    "<p>x<script>document.body.append('word '.repeat(2e5))</script>",
		"/asks":    "<p>x<script>document.documentElement.requestFullscreen().catch(() => 0); document.body.requestPointerLock(); for (const f of [() => navigator.clipboard.readText(), () => navigator.requestMIDIAccess(), () => navigator.usb.requestDevice({filters: []}), () => navigator.bluetooth.requestDevice({acceptAllDevices: true}), () => navigator.wakeLock.request(), () => document.requestStorageAccess(), () => navigator.credentials.get({publicKey: {challenge: new Uint8Array(9)}}), () => showSaveFilePicker()]) { try { f().catch(() => 0) } catch {} }</script>",
		"/traps":   "<p>x<script>new MutationObserver(m => document.body.append('!')).observe(document.body, {childList: true})</script>",
		"/deep":    "<p>x<script>let e = document.body; for (let i = 0; i < 600; i++) { const d = document.createElement('div'); e.append(d); e = d } e.append('bottom')</script>",
		"/proxy":   "<p>x<script>Object.prototype.toString = Array.prototype.map = JSON.stringify = () => { throw 1 }; document.querySelectorAll = null; Node.prototype.getRootNode = null</script>",
	}
	url := site(t, pages)
	ctx := context.Background()
	at := browser.Place{}
	for _, path := range []string{"/alerts", "/confirm", "/unload", "/print", "/windows", "/prompts", "/console", "/push", "/away", "/blob",
		"/frames", "/deep", "/proxy", "/loop", "/asking", "/worker", "/raf", "/inserts", "/refresh", "/nested", "/tree", "/text", "/asks", "/traps"} {
		t.Run(path[1:], func(t *testing.T) {
			if p, err := b.Navigate(ctx, at, browser.Navigation{URL: url + path}); err != nil {
				t.Errorf("navigate: %v", err)
			} else {
				t.Log(p.Notices)
			}
			call := ctx
			if path == "/asking" { // which lasts as long as a call may; others have the time that calls have
				var cancel context.CancelFunc
				call, cancel = deadline.With(ctx, 10*time.Second)
				defer cancel()
			}
			s, err := b.Snapshot(call, at, browser.SnapshotRequest{})
			if err != nil && path == "/asking" && errorType(err) == tool.BrowserError {
				t.Log(err) // it never gives way
			} else if err != nil {
				t.Errorf("snapshot: %v", err)
			} else if path == "/windows" {
				if c, err := b.Click(ctx, at, browser.Pointer{Ref: "b1"}); err != nil {
					t.Error(err)
				} else if len(c.Notices) == 0 {
					t.Error("nothing was said of the windows")
				}
				tabs, _, err := b.Tabs(ctx, at, "list", browser.Navigation{})
				if err != nil || len(tabs) > browser.MaxTabs {
					t.Errorf("%d tabs, %v", len(tabs), err)
				}
			} else if strings.TrimSpace(s.Text) == "" && len(s.Notices) == 0 { // a page that asks something has a notice only
				t.Error("an empty snapshot")
			}
			if p, err := b.Navigate(ctx, at, browser.Navigation{URL: url + "/good"}); err != nil || p.Status != 200 {
				t.Errorf("the next call: %+v, %v", p, err)
			}
		})
	}
	if files, _ := filepath.Glob(folder + "/*/*abc*"); len(files) > 0 {
		t.Errorf("downloads: %v", files)
	}
}

// TestMemoryHogs: pages that want more memory than there is for them do not get
// it, and the next call works.
func TestMemoryHogs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is bounded on Linux")
	}
	b := newBrowser(t, nil)
	const refused = "; document.title = 'got all' } catch { document.title = 'refused' }</script>"
	url := site(t, map[string]string{
		"/":        "<p>good",
		"/objects": "<p>x<script>try { const a = []; for (let i = 0; i < 1e9; i++) a.push({i, n: [i, i]})" + refused,
		"/buffers": "<p>x<script>try { const a = []; for (let i = 0; i < 48; i++) a.push(new Uint8Array(1 << 26).fill(1))" + refused,
		"/wasm":    "<p>x<script>try { const m = new WebAssembly.Memory({initial: 60000}); new Uint8Array(m.buffer).fill(1)" + refused,
		"/canvas": "<p>x<script>try { const a = []; for (let i = 0; i < 40; i++) { const c = document.createElement('canvas'); c.width = c.height = 8000;" +
			" const x = c.getContext('2d'); if (!x) throw 1; x.fillRect(0, 0, 8000, 8000); a.push(x.getImageData(0, 0, 8000, 8000)) }" + refused,
	})
	ctx := context.Background()
	at := browser.Place{}
	for _, path := range []string{"/objects", "/buffers", "/wasm", "/canvas"} {
		short, cancel := deadline.With(ctx, 5*time.Second) // for what hogs: the next call may take longer
		p, err := b.Navigate(short, at, browser.Navigation{URL: url + path})
		cancel()
		if err == nil && p.Title == "got all" {
			t.Errorf("%s: it got all that it wanted", path)
		}
		if err != nil && errorType(err) != tool.BrowserError && errorType(err) != tool.Timeout {
			t.Errorf("%s: %v", path, err)
		}
		t.Log(path, p, err)
		if p, err := b.Navigate(ctx, at, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
			t.Errorf("after %s: %+v, %v", path, p, err)
		}
	}
}

// TestNamedFields: the fields of a form hide its members from all scripts. Ours find their way
// all the same: they end, and read the page.
func TestNamedFields(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 15 * time.Second })
	fields := "<button type=button onclick=\"o.textContent='done'\">Go</button>"
	for name := range strings.FieldsSeq(`checkVisibility getBoundingClientRect shadowRoot children childNodes textContent querySelectorAll getClientRects parentElement parentNode
		assignedSlot closest contains matches getAttributeNS attributes nodeType firstChild getAnimations scrollHeight isConnected host`) {
		fields += "<input type=hidden name=" + name + "><fieldset hidden name=" + name + "></fieldset>"
	}
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><p id=o>-</p><form id=body name=body>` + fields + `</form><form name=querySelectorAll></form><img name=styleSheets>
<div style="height:1500px"></div><form style="opacity:0;transition:opacity .1s" class=r>` + fields + `<p>revealed words</p></form><div style="height:2000px"></div><form style="content-visibility:auto">` + fields + `<p>late words</p></form>
<script>new IntersectionObserver(all => all.forEach(e => { if (e.isIntersecting) e.target.style.opacity = 1 })).observe(document.querySelector('.r'))</script>`})}
	a.open("/")
	for _, want := range []string{"revealed words", "late words"} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%s: missing in\n%s", want, a.text)
		}
	}
	if content, _ := readBoth(t, b, a.at); !strings.Contains(content, "revealed words") {
		t.Error(content)
	}
	a.sees("done")(b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Go")}))
}

// TestOverriddenScripts: what a page defines in the place of what scripts use is not found by
// ours, and a getter that never ends is not called.
func TestOverriddenScripts(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 15 * time.Second })
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><style>.c{display:none}</style><select><option>apple</select>
<p>plain words</p><p class=c>clear words</p><p>more words</p><script>
const ever = () => { for (;;); };
for (const [p, n] of [[Node.prototype, 'textContent'], [Node.prototype, 'parentNode'], [Element.prototype, 'localName'], [Element.prototype, 'shadowRoot'], [HTMLElement.prototype, 'innerText'], [HTMLInputElement.prototype, 'placeholder'], [CSSStyleSheet.prototype, 'cssRules'], [Document.prototype, 'styleSheets'], [Document.prototype, 'body']])
	Object.defineProperty(p, n, {get: ever});
window.getComputedStyle = () => ({getPropertyValue: () => ''});
document.querySelectorAll = Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
Element.prototype.checkVisibility = ever; Element.prototype.getBoundingClientRect = () => { throw 1 };
Array.prototype.map = Array.prototype.push = Array.prototype.filter = () => []; Array.prototype[Symbol.iterator] = NodeList.prototype[Symbol.iterator] = ever;
JSON.stringify = () => '{}'; Promise.prototype.then = ever; Function.prototype.toString = Object.prototype.toString = ever; Map.prototype.set = Set.prototype.has = ever;
Object.prototype.toJSON = ever; RegExp.prototype.test = () => true; performance.now = () => 1e9;
Object.defineProperty(window, 'CSS', {get: ever}); window.scrollX = 1e6;
</script>`})}
	a.open("/")
	content, snap := readBoth(t, b, a.at)
	for _, got := range []string{content, snap} {
		if !strings.Contains(got, "plain words") || strings.Contains(got, "clear words") {
			t.Error(got)
		}
	}
	if !strings.Contains(snap, "apple") {
		t.Error(snap)
	}
}
