package browser

import (
	"context"
	"io"
	"testing"
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

// nowhere takes commands and does nothing with them.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
