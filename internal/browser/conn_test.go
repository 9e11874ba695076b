package browser

import (
	"context"
	"io"
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

// TestAwaitedBeforeEnd: what is awaited of a tab counts where it came before the browser ended.
func TestAwaitedBeforeEnd(t *testing.T) {
	lost := make(chan struct{})
	close(lost)
	page := &tab{engine: &engine{process: &process{conn: &conn{lost: lost}}}, changed: make(chan struct{})}
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

// nowhere takes commands and does nothing with them.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
