package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// A page cannot read files, in any way that a page has.
func TestFilesStayClosed(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(secret, []byte("<p>c4n4ry"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<iframe src="file://` + secret + `"></iframe><object data="file://` + secret + `"></object>
		<style>@import url(file://` + secret + `);</style><p id=out></p><script>
			const u = 'file://` + secret + `', say = s => out.append(s + ' ');
			const x = new XMLHttpRequest(); x.onloadend = () => say('xhr:' + x.responseText);
			try { x.open('GET', u); x.send() } catch (e) { say('xhr:') }
			window.open(u);
			fetch(u).then(r => r.text()).then(s => say('fetch:' + s), () => say('fetch:refused')).then(() => say('finished'));
		</script>`})
	at := browser.Place{}
	if _, err := b.Navigate(context.Background(), at, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WaitFor(context.Background(), browser.Place{Tab: "t1"}, browser.Waiting{Text: "finished", Time: browser.MaxWait}); err != nil {
		t.Fatal(err)
	}
	s, err := b.Snapshot(context.Background(), browser.Place{Tab: "t1"}, browser.SnapshotRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Text, "c4n4ry") || !strings.Contains(s.Text, "fetch:refused") {
		t.Errorf("%s", s.Text)
	}
}

// TestScriptedNavigation: a script that leads a page to an inner host, in each
// way that it has, leads it nowhere, whatever proxy the environment names.
func TestScriptedNavigation(t *testing.T) {
	t.Setenv("NO_PROXY", "*")
	t.Setenv("no_proxy", "*")
	t.Setenv("HTTP_PROXY", "http://127.0.0.2:1")
	c, err := egress.ListenCanaries()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	inner := "http://" + c.Hosts[0] + "/"
	ways := []string{
		`location = u`, `location.replace(u)`, `window.open(u)`, `history.pushState(0, '', '/x'); location.assign(u)`,
		`const f = document.body.appendChild(document.createElement('form')); f.action = u; f.submit()`,
		`const a = document.body.appendChild(document.createElement('a')); a.href = u; a.click()`,
		`document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content="0;url=' + u + '">')`,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil || n >= len(ways) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Link", "<"+inner+"hint>; rel=preload; as=image")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<body><p>here<script>onload = () => { const u = %q; %s }</script>`, inner, ways[n])
	}))
	defer srv.Close()
	own, err := egress.ParseException(strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{own}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.Guard = guard })
	for i := range ways {
		// A page that is led away has ended somewhere else or stays: either is
		// fine, as long as nothing of the inner host is seen.
		if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: fmt.Sprintf("%s/%d", srv.URL, i)}); err != nil {
			t.Logf("%s: %v", ways[i], err)
		}
	}
	if hits := c.Hits(); len(hits) > 0 {
		t.Errorf("reached %v", hits)
	}
}
