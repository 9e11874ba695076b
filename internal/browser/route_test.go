package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestRoutes: requests with a pattern are blocked, answered, or sent with headers, until the route
// is ended; a route that would match everything is refused.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path] += "x" + r.Header.Get("X-Trace")
		mu.Unlock()
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprint(w, `{"from":"server"}`)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>T</title><p id=o>-</p><button onclick="Promise.all(['/api/boats?token=canary-1', '/api/ads', '/api/other'].map(u => fetch(u).then(r => r.json()).then(v => v.from, () => 'failed'))).then(all => o.textContent = all.join())">Load</button>`)
	}))
	t.Cleanup(s.Close)
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = t.TempDir() })
	ctx, at := t.Context(), browser.Place{}
	if _, err := b.Navigate(ctx, at, browser.Navigation{URL: s.URL}); err != nil {
		t.Fatal(err)
	}
	load := func(want string) {
		t.Helper()
		if _, err := b.Click(ctx, at, browser.Pointer{Ref: `button "Load"`}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.WaitFor(ctx, at, browser.Waiting{Text: want}); err != nil {
			t.Error(err)
		}
	}
	for _, r := range []browser.Route{
		{Pattern: "*/api/boats*", Action: "mock", Body: `{"from":"mock"}`},
		{Pattern: "*/api/ads", Action: "block"},
		{Pattern: "*/api/other", Action: "headers", Headers: map[string]string{"X-Trace": "7"}},
	} {
		if _, _, err := b.Route(ctx, at, r); err != nil {
			t.Fatal(err)
		}
	}
	load("mock,failed,server")
	mu.Lock()
	if asked["/api/boats"] != "" || asked["/api/ads"] != "" || asked["/api/other"] != "x7" {
		t.Errorf("%v", asked)
	}
	mu.Unlock()
	h, err := b.HAR(ctx, at)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(h.Path)
	var har struct {
		Log struct {
			Version string
			Entries []struct {
				StartedDateTime string
				Request         struct{ Method, URL string }
				Response        struct {
					Status  int
					Content struct{ Text string }
				}
			}
		}
	}
	if err != nil || json.Unmarshal(data, &har) != nil || har.Log.Version != "1.2" || len(har.Log.Entries) != 4 || strings.Contains(string(data), "canary") {
		t.Errorf("%v %s", err, data)
	} else if e := har.Log.Entries[3]; e.Request.Method != "GET" || e.StartedDateTime == "" || e.Response.Status != 200 || !strings.Contains(e.Response.Content.Text, "server") {
		t.Errorf("%+v", e)
	}
	for _, pattern := range []string{"*", "**", "http*", "https://*", "*://*/*", "", "?"} {
		if _, _, err := b.Route(ctx, at, browser.Route{Pattern: pattern, Action: "block"}); errorType(err) != tool.InvalidInput || !strings.Contains(err.Error(), "matches every request") {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	for name, r := range map[string]browser.Route{
		"a cookie":   {Pattern: "*/x", Action: "headers", Headers: map[string]string{"Cookie": "a=b"}},
		"a line":     {Pattern: "*/x", Action: "headers", Headers: map[string]string{"X-A": "b\r\nc: d"}},
		"no headers": {Pattern: "*/x", Action: "headers"},
		"a status":   {Pattern: "*/x", Action: "mock", Status: 99},
		"an action":  {Pattern: "*/x", Action: "redirect"},
	} {
		if _, _, err := b.Route(ctx, at, r); errorType(err) != tool.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _, err := b.Route(ctx, at, browser.Route{Action: "clear"}); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}
	load("server,server,server")
}

// TestEmulation: a page is told of a device, a language, a time zone, a place and a network.
func TestEmulation(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<!doctype html><meta name=viewport content="width=device-width"><p id=o>-</p><script>const look = () => navigator.geolocation.getCurrentPosition(p => say(p.coords.latitude), e => say('none'));
		const say = at => { o.textContent = [innerWidth, devicePixelRatio, /iPhone/.test(navigator.userAgent), navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, at, navigator.onLine].join() }; look(); addEventListener('online', look); addEventListener('offline', look)</script>`})
	ctx, at := t.Context(), browser.Place{}
	open := func(want string) {
		t.Helper()
		if _, err := b.Navigate(ctx, at, browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.WaitFor(ctx, at, browser.Waiting{Text: want}); err != nil {
			s, _ := b.Snapshot(ctx, at, browser.SnapshotRequest{})
			t.Errorf("%v in %s", err, s.Text)
		}
	}
	open("1280,1,false,en-US,")
	if _, err := b.Resize(ctx, at, browser.Window{Device: "iphone-15", Locale: "pt-BR", Timezone: "Asia/Tokyo", Geolocation: "38.5,-9.1"}); err != nil {
		t.Fatal(err)
	}
	open("393,3,true,pt-BR,Asia/Tokyo,38.5,true")
	if _, err := b.Resize(ctx, at, browser.Window{Network: "offline"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WaitFor(ctx, at, browser.Waiting{Text: ",false"}); err != nil {
		t.Error(err)
	}
	if _, err := b.Resize(ctx, at, browser.Window{Device: "none", Locale: "none", Timezone: "none", Geolocation: "none", Network: "none"}); err != nil {
		t.Fatal(err)
	}
	open("1280,1,false,en-US,")
	for name, w := range map[string]browser.Window{"device": {Device: "toaster"}, "network": {Network: "pigeon"}, "place": {Geolocation: "north"}, "zone": {Timezone: "Moon/Base"}} {
		if _, err := b.Resize(ctx, at, w); errorType(err) != tool.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}
