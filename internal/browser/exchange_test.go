package browser_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// exchangePage asks for several things one after the other.
const exchangePage = `<title>Shop</title><link rel=icon href=data:,><p id=o>-</p><script>
	const form = new FormData;
	form.append('name', 'Ann'); form.append('password', 'canary with spaces');
	(async () => {
		await fetch('/api?page=2&token=canary-query', {method: 'POST', headers: {'X-Api-Key': 'canary-key', 'X-Kind': 'fog'}, body: '{"amount": 7, "password": "canary-json"}'}).then(r => r.text());
		await fetch('/old').then(r => r.text());
		await fetch('/form', {method: 'POST', body: form}).then(r => r.text());
		await fetch('/long', {method: 'POST', body: 'x'.repeat(9000)}).then(r => r.text());
		await fetch('/picture').then(r => r.text());
		await fetch('http://127.0.0.1:1/cut').then(r => r.text(), () => 0).catch(() => 0);
		o.textContent = 'all asked';
	})();
</script>`

func exchangeSite(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/api":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Add("Set-Cookie", "a=canary-one")
			w.Header().Add("X-Session", "canary-one")
			w.Header().Add("X-Session", "canary-two")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "{\"left\": 3,\u202e \"of\": \"fog\", \"access_token\": \"canary-body\"}")
		case "/old":
			http.Redirect(w, r, "/new?access_token=canary-hop", http.StatusFound)
		case "/new":
			_, _ = io.WriteString(w, "moved here")
		case "/long":
			_, _ = io.WriteString(w, strings.Repeat("long ", 2000))
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte("\x89PNG\r\n\x1a\n\x00\x00"))
		case "/form":
			_, _ = io.WriteString(w, "taken")
		default:
			_, _ = io.WriteString(w, exchangePage)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestExchange: the log numbers requests, each hop of a redirect among them, and says all
// that there is of one: headers, posted data and bodies, within bounds and without
// secrets.
func TestExchange(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := exchangeSite(t)
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if _, err := b.WaitFor(t.Context(), a.at, browser.Waiting{Text: "all asked", Time: browser.MaxWait}); err != nil {
		t.Fatal(err)
	}
	j, err := b.Journal(t.Context(), a.at, "network", "")
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Join(j.Lines, "\n")
	number := regexp.MustCompile(`#(\d+) (\S+) \S+ (\S+) ` + regexp.QuoteMeta(url) + `(\S+)`)
	found := make(map[string]int)
	for _, m := range number.FindAllStringSubmatch(log, -1) {
		var n int
		_, _ = fmt.Sscan(m[1], &n)
		found[m[2]+" "+m[3]+" "+m[4]] = n
	}
	for _, c := range []struct {
		request string
		want    []string
		not     []string
	}{
		{"200 GET /", []string{"GET " + url + "/\n", "200 OK; document; text/html", "user-agent: ", "content-type: text/html", "<title>Shop"}, []string{"request body"}},
		{"418 POST /api?page=2&token=***", []string{"418 I'm a teapot", "x-api-key: ***", "x-kind: fog", `{"amount": 7, "password": "***"}`,
			"x-session: ***", `{"left": 3, "of": "fog", "access_token": "***"}`, "headers after ", "complete after "}, nil},
		{"302 GET /old", []string{"302 Found", "location: /new?access_token=***"}, []string{"response body", "moved here"}},
		{"200 GET /new?access_token=***", []string{"moved here"}, nil},
		{"200 POST /form", []string{"name=Ann\npassword=***\n", "taken"}, []string{"boundary=\n"}},
		{"200 POST /long", []string{strings.Repeat("x", 4000), "the first 4096 of 10000 bytes"}, []string{strings.Repeat("x", 4097), strings.Repeat("long ", 820)}},
		{"200 GET /picture", []string{"(not text: image/png)"}, nil},
	} {
		n := found[c.request]
		if n == 0 {
			t.Errorf("%s is not in the log:\n%s", c.request, log)
			continue
		}
		x, err := b.Exchange(t.Context(), a.at, n)
		if err != nil {
			t.Errorf("%s: %v", c.request, err)
			continue
		}
		got := strings.ToLower(x.Text)
		for _, w := range c.want {
			if !strings.Contains(got, strings.ToLower(w)) {
				t.Errorf("%s: without %.100q:\n%.3000s", c.request, w, x.Text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(got, strings.ToLower(w)) {
				t.Errorf("%s: with %.100q:\n%.3000s", c.request, w, x.Text)
			}
		}
		if path := strings.Fields(c.request)[2]; path != "/" && strings.Contains(x.Text, "canary") { // the page's own markup has them
			t.Errorf("%s tells a secret:\n%s", c.request, x.Text)
		}
		if len(x.Text) > 24<<10 || strings.ContainsRune(x.Text, '\u202e') {
			t.Errorf("%s: %d bytes, or not cleaned: %.1000s", c.request, len(x.Text), x.Text)
		}
	}
	if strings.Contains(log, "canary") || !strings.Contains(log, " failed GET http://127.0.0.1:1/cut net::ERR") {
		t.Errorf("%s", log)
	}
	if _, err := b.Exchange(t.Context(), a.at, 1000); errorType(err) != tool.InvalidInput || !strings.Contains(err.Error(), "request 1000 is not kept") {
		t.Errorf("%v", err)
	}
}

// TestExchangesAreBounded: a page that asks without end has its last requests in the
// log whole, and the numbers of older ones are not given to others.
func TestExchangesAreBounded(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<link rel=icon href=data:,><p id=o></p><script>(async () => { for (let i = 0; i < 130; i++) await fetch('/a?n=' + i).then(r => r.text()); o.textContent = 'finished' })()</script>`, "/a": "words"})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if _, err := b.WaitFor(t.Context(), a.at, browser.Waiting{Text: "finished", Time: browser.MaxWait}); err != nil {
		j, _ := b.Journal(t.Context(), a.at, "", "")
		t.Fatalf("%v\n%s", err, strings.Join(j.Lines, "\n"))
	}
	_, err := b.Exchange(t.Context(), a.at, 1)
	if e := (*tool.Error)(nil); !errors.As(err, &e) || !strings.Contains(e.Hint, "the tab has 32 to 131") {
		t.Errorf("%v", err)
	}
	if x, err := b.Exchange(t.Context(), a.at, 131); err != nil || !strings.Contains(x.Text, "/a?n=129") {
		t.Errorf("%v %s", err, x.Text)
	}
}
