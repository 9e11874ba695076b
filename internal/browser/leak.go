package browser

import (
	"fmt"
	"strings"
)

// LeakDone is the text of a leak page that has tried everything.
const LeakDone = "finished"

// LeakPage is a page that reaches for hosts (addresses with ports) in every way
// that a page has: sub-resources of each kind, fetch, web sockets, workers,
// forms, frames, windows, hints; and for a UDP address by WebRTC and
// WebTransport. The guard's proxy refuses each request; a request that arrives has
// bypassed the proxy.
func LeakPage(hosts []string, udp string) string {
	var tags, urls strings.Builder
	for i, hp := range hosts {
		u := fmt.Sprintf("http://%s/%d", hp, i)
		fmt.Fprintf(&tags, `<img src="%[1]s-img"><script src="%[1]s-script"></script><link rel=stylesheet href="%[1]s-css"><link rel=icon href="%[1]s-icon">
			<link rel=prefetch href="%[1]s-prefetch"><link rel=preload as=image href="%[1]s-preload"><link rel=preconnect href="%[1]s"><link rel=dns-prefetch href="%[1]s">
			<link rel=modulepreload href="%[1]s-mod"><link rel=manifest href="%[1]s-manifest"><iframe src="%[1]s-frame"></iframe><object data="%[1]s-object"></object>
			<embed src="%[1]s-embed"><video src="%[1]s-video"></video><audio src="%[1]s-audio"></audio><svg><image href="%[1]s-svg"/></svg>
			<iframe srcdoc="<meta http-equiv=refresh content='0;url=%[1]s-refresh'>"></iframe>
			<style>i{background:url(%[1]s-bg)}@font-face{font-family:q;src:url(%[1]s-font)}b{font-family:q}</style><i>i</i><b>b</b>`, u)
		fmt.Fprintf(&urls, "%q,", hp)
	}
	// The script comes before the tags: a sheet or a script that does not load would
	// hold it up.
	return `<title>wait</title><body><script>
			const hosts = [` + urls.String() + `], udp = '` + udp + `', all = [];
			const soon = p => Promise.race([Promise.resolve(p).catch(() => 0), new Promise(r => setTimeout(r, 1500))]);
			for (const h of hosts) {
				for (const s of ['http', 'https']) all.push(soon(fetch(s + '://' + h + '/fetch', {mode: 'no-cors'})));
				for (const s of ['ws', 'wss']) all.push(soon(new Promise(r => { const w = new WebSocket(s + '://' + h + '/'); w.onerror = w.onopen = r })));
				const a = document.body.appendChild(document.createElement('a')); a.href = '#x'; a.ping = 'http://' + h + '/ping'; a.click();
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
			Promise.all(all).then(() => document.body.append('` + LeakDone + `'));
		</script>` + tags.String()
}
