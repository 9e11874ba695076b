package browser

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnswerBeforeEnd: an answer that has come counts, whatever has ended the wait for it
// since: a script's value is not lost because the page asks something right after it.
func TestAnswerBeforeEnd(t *testing.T) {
	for name, end := range map[string]func(*conn, context.CancelFunc){
		"context": func(_ *conn, cancel context.CancelFunc) { cancel() },
		"target":  func(c *conn, _ context.CancelFunc) { c.detach("page") },
	} {
		t.Run(name, func(t *testing.T) {
			for range 32 { // which of two things that are ready a select takes is chance
				in, browser := io.Pipe()
				c := newConn(in, nowhere{})
				ctx, cancel := context.WithCancel(t.Context())
				s := c.attach("page", func(string, []byte) { end(c, cancel) })
				wait := s.post(ctx, "Runtime.evaluate", nil)
				go func() {
					_, _ = io.WriteString(browser, `{"id":1,"sessionId":"page","result":{"value":7}}`+"\x00"+
						`{"method":"Page.javascriptDialogOpening","sessionId":"page","params":{}}`+"\x00")
					_ = browser.Close()
				}()
				c.read()
				var got struct {
					Value int `json:"value"`
				}
				if err := wait(ctx, &got); err != nil || got.Value != 7 {
					t.Fatalf("%d, %v", got.Value, err)
				}
				cancel()
			}
		})
	}
}

// TestReceive: the parts of a message are what stands behind their names, however it is written.
func TestReceive(t *testing.T) {
	for in, want := range map[string]string{
		`{"id":1,"sessionId":"p","result":{"a":[1,2]}}`:                         `1 p  {"a":[1,2]}`,
		"{ \"id\" : 2 , \"result\" :\n {} }":                                    "2   {}",
		`{"method":"M","params":{"b":": "},"sessionId":"q"}`:                    `0 q M {"b":": "}`,
		`{"id":3,"error":{"code":-32001,"message":"no"},"sessionId":"p","x":7}`: `3 p   -32001`,
		" \x00{\"id\":4}":       "4   ",
		"{\"id\":5,\"result\":": "unexpected EOF",
		"{\"id\":6":             "unexpected EOF",
	} {
		c := newConn(io.NopCloser(strings.NewReader(in+"\x00")), nowhere{})
		m, err := c.receive()
		got := ""
		if err != nil {
			got = "unexpected EOF"
			if !strings.Contains(err.Error(), got) {
				got = err.Error()
			}
		} else {
			got = fmt.Sprintf("%d %s %s %s%s", m.ID, m.SessionID, m.Method, m.Params.of(m.data), m.Result.of(m.data))
			if m.Error != nil {
				got += fmt.Sprint(" ", m.Error.Code)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// BenchmarkReceive reads an answer of 40 MB, as a page of 100,000 boxes gives it. The memory of a
// round bounds what one snapshot takes beside the page that is made of it:
//
//	go test -run '^$' -bench Receive -benchmem ./internal/browser
func BenchmarkReceive(b *testing.B) {
	in := `{"id":1,"result":{"documents":[[` + strings.Repeat("1234567,", 5_000_000) + `0]]}}` + "\x00"
	for b.Loop() {
		c := newConn(io.NopCloser(strings.NewReader(in)), nowhere{})
		m, err := c.receive()
		var out struct {
			Documents [][]int `json:"documents"`
		}
		if err != nil || decode("DOMSnapshot.captureSnapshot", m, &out) != nil || len(out.Documents) != 1 {
			b.Fatal(err)
		}
	}
}

// TestAwaitedBeforeEnd: what is awaited of a tab counts where it came before the browser ended.
func TestAwaitedBeforeEnd(t *testing.T) {
	lost := make(chan struct{})
	close(lost)
	page := &tab{engine: &engine{process: &process{conn: &conn{lost: lost}}}, moment: moment{changed: make(chan struct{})}}
	came := false
	if err := page.await(t.Context(), func() bool { now := came; came = true; return now }); err != nil {
		t.Error(err)
	}
}

// TestWaitLooksAtItsEnd: what came after the last look counts, however long the process stood
// still in between.
func TestWaitLooksAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := new(tab)
		time.AfterFunc(waitStep/4, func() {
			page.mu.Lock()
			defer page.mu.Unlock()
			page.url = "https://example.com/done"
		})
		if err := page.waitFor(t.Context(), Waiting{URL: "/done"}, waitStep/2); err != nil {
			t.Error(err)
		}
		if err := page.waitFor(t.Context(), Waiting{URL: "/never"}, waitStep/2); err == nil {
			t.Error("a wait for what never comes has an end")
		}
	})
}

// TestListOfEmptyTab: a tab that no address was opened in has no title to wait for, a window that
// a page has opened does.
func TestListOfEmptyTab(t *testing.T) {
	for _, opened := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := newConn(io.NopCloser(strings.NewReader("")), nowhere{})
			e := &engine{process: &process{conn: c, cmd: exec.Command("chromium")}, root: c.attach("", nil)}
			c.detach("") // the browser says nothing of the tab
			page := newTab(e, "target", "page")
			page.id, page.opened = "t1", opened
			p, begun := &browserContext{engine: e, tabs: []*tab{page}, current: page}, time.Now()
			if p.describe(t.Context(), page); time.Since(begun) > 0 != opened {
				t.Errorf("opened by a page: %t: after %s", opened, time.Since(begun))
			}
		})
	}
}

// nowhere takes commands and does nothing with them.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
