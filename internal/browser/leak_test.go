package browser_test

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// canaries listen where no connection may come: TCP and UDP on loopback, each
// on a port that the policy does not allow.
type canaries struct {
	mu   sync.Mutex
	hits []string
	tcp  map[string]string // by name: host:port
	udp  string
}

func newCanaries(t *testing.T) *canaries {
	t.Helper()
	c := &canaries{tcp: make(map[string]string)}
	var work sync.WaitGroup
	t.Cleanup(work.Wait)
	for name, address := range map[string]string{"v4": "127.0.0.9:0", "other": "127.8.8.8:0", "v6": "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("no canary at %s: %v", address, err)
			continue
		}
		t.Cleanup(func() { _ = l.Close() })
		c.tcp[name] = l.Addr().String()
		work.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				c.hit("tcp " + name)
				_ = conn.Close()
			}
		})
	}
	p, err := net.ListenPacket("udp", "127.0.0.9:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	c.udp = p.LocalAddr().String()
	work.Go(func() {
		b := make([]byte, 2048)
		for {
			if _, _, err := p.ReadFrom(b); err != nil {
				return
			}
			c.hit("udp")
		}
	})
	return c
}

func (c *canaries) hit(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hits = append(c.hits, what)
}

// TestNothingGoesAround opens a page that reaches for the canaries in every
// way that a page has. What asks the proxy is refused there, so that whatever
// arrives went around it.
func TestNothingGoesAround(t *testing.T) {
	// Each build ignores some of the flags that the other one needs.
	for _, build := range []string{"chromium-headless-shell", "chromium"} {
		t.Run(build, func(t *testing.T) {
			path, err := exec.LookPath(build)
			if err != nil {
				t.Skip("not on this machine: " + build)
			}
			goesAround(t, newBrowser(t, func(o *browser.Options) { o.Path = path }))
		})
	}
}

func goesAround(t *testing.T, b *browser.Browser) {
	c := newCanaries(t)
	var tags, urls strings.Builder
	for name, hp := range c.tcp {
		u := "http://" + hp + "/" + name
		fmt.Fprintf(&tags, `<img src="%[1]s-img"><script src="%[1]s-script"></script><link rel=stylesheet href="%[1]s-css"><link rel=icon href="%[1]s-icon">
			<link rel=prefetch href="%[1]s-prefetch"><link rel=preload as=image href="%[1]s-preload"><link rel=preconnect href="%[1]s"><link rel=dns-prefetch href="%[1]s">
			<link rel=modulepreload href="%[1]s-mod"><link rel=manifest href="%[1]s-manifest"><iframe src="%[1]s-frame"></iframe><object data="%[1]s-object"></object>
			<embed src="%[1]s-embed"><video src="%[1]s-video"></video><audio src="%[1]s-audio"></audio><svg><image href="%[1]s-svg"/></svg>
			<a ping="%[1]s-ping" href="#x" class=ping>x</a><iframe srcdoc="<meta http-equiv=refresh content='0;url=%[1]s-refresh'>"></iframe>
			<style>i{background:url(%[1]s-bg)}@font-face{font-family:q;src:url(%[1]s-font)}b{font-family:q}</style><i>i</i><b>b</b>`, u)
		fmt.Fprintf(&urls, "%q,", hp)
	}
	url := site(t, map[string]string{
		"/": `<title>wait</title>` + tags.String() + `<script>
			const hosts = [` + urls.String() + `], udp = '` + c.udp + `', all = [];
			const soon = p => Promise.race([Promise.resolve(p).catch(() => 0), new Promise(r => setTimeout(r, 1500))]);
			for (const a of document.querySelectorAll('.ping')) a.click();
			for (const h of hosts) {
				for (const s of ['http', 'https']) all.push(soon(fetch(s + '://' + h + '/fetch', {mode: 'no-cors'})));
				for (const s of ['ws', 'wss']) all.push(soon(new Promise(r => { const w = new WebSocket(s + '://' + h + '/'); w.onerror = w.onopen = r })));
				navigator.sendBeacon('http://' + h + '/beacon', 'x');
				new EventSource('http://' + h + '/sse');
				window.open('http://' + h + '/open');
				const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://" + h + "/worker',{mode:'no-cors'});new WebSocket('ws://" + h + "/')"])));
				const x = new XMLHttpRequest(); x.open('GET', 'http://' + h + '/xhr'); x.send();
				const f = document.body.appendChild(document.createElement('form')); f.method = 'post'; f.target = 'ff'; f.action = 'http://' + h + '/form'; f.submit();
			}
			if (window.WebTransport) all.push(soon(new Promise(r => { try { new WebTransport('https://' + udp + '/').closed.then(r, r) } catch (e) { r() } })));
			all.push(soon(new Promise(r => { const pc = new RTCPeerConnection({iceServers: [{urls: 'stun:' + udp}, {urls: 'turn:' + udp + '?transport=udp', username: 'u', credential: 'c'},
				...hosts.map(h => ({urls: 'turn:' + h + '?transport=tcp', username: 'u', credential: 'c'}))]});
				pc.createDataChannel('x'); pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && r(); pc.createOffer().then(o => pc.setLocalDescription(o)) })));
			Promise.all(all).then(() => document.body.append('finished'));
		</script>`,
	})
	ctx := context.Background()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url, WaitUntil: "commit"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WaitFor(ctx, browser.Place{Tab: "t1"}, browser.Waiting{Text: "finished"}); err != nil {
		t.Errorf("the page did not try everything: %v", err)
	}
	lines, _, err := b.Journal(ctx, browser.Place{Tab: "t1"}, "network", "")
	if err != nil || len(lines) < 20 {
		t.Errorf("the page asked for %d things, %v: the test tries nothing", len(lines), err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.hits) > 0 {
		t.Errorf("around the proxy: %v", c.hits)
	}
}
