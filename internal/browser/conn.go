package browser

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

var (
	errLost     = errors.New("the connection to the browser is lost")
	errDetached = errors.New("the page is gone")
	errTooLong  = errors.New("the browser sent more than can be read")
)

// A conn is the pipe to one browser: commands go out, answers and events come
// in. One goroutine reads. It never waits: handlers of events set fields and return,
// so that a page can flood only its own handler.
type conn struct {
	pipe *chromedp.PipeConn // for what goes out
	in   *bufio.Reader

	mu       sync.Mutex
	next     int64
	waiting  map[int64]chan *message // each holds one
	sessions map[target.SessionID]*session
	lost     chan struct{} // closed when the pipe has ended
	cause    error         // why; set before lost is closed
}

// A session is a target's end of a conn; that with an empty id is the
// browser's own. It is a cdp.Session for commands.
type session struct {
	conn *conn
	id   target.SessionID
	// handle gets each event, on the reading goroutine.
	handle func(method string, params []byte)
	gone   chan struct{} // closed when the target is detached
}

func newConn(r io.ReadCloser, w io.WriteCloser) *conn {
	return &conn{
		pipe:     chromedp.NewPipeConn(r, w),
		in:       bufio.NewReaderSize(&boundedReader{Reader: r, max: maxMessage}, 64<<10),
		waiting:  make(map[int64]chan *message),
		sessions: make(map[target.SessionID]*session),
		lost:     make(chan struct{}),
	}
}

// attach registers the session of a target. Events before it are not heard.
func (c *conn) attach(id target.SessionID, handle func(string, []byte)) *session {
	s := &session{conn: c, id: id, handle: handle, gone: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.sessions[id]; old != nil {
		return old
	}
	c.sessions[id] = s
	return s
}

// detach ends a session: what waits for an answer is told.
func (c *conn) detach(id target.SessionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[id]; s != nil {
		delete(c.sessions, id)
		close(s.gone)
	}
}

// read takes messages until the pipe ends.
func (c *conn) read() {
	for {
		m, err := c.receive()
		if err != nil {
			c.cause = err
			close(c.lost)
			return
		}
		c.mu.Lock()
		if m.Method == "" {
			answer, ok := c.waiting[m.ID]
			delete(c.waiting, m.ID)
			c.mu.Unlock()
			if ok {
				answer <- m
			}
			continue
		}
		s := c.sessions[m.SessionID]
		c.mu.Unlock()
		if s != nil && s.handle != nil {
			s.handle(m.Method, m.Params.of(m.data))
		}
	}
}

// A message is an answer or an event. Its parts stay in the bytes that came, since those of a
// large page are some tens of MB.
type message struct {
	ID        int64            `json:"id"`
	SessionID target.SessionID `json:"sessionId"`
	Method    string           `json:"method"`
	Params    span             `json:"params"`
	Result    span             `json:"result"`
	Error     *cdproto.Error   `json:"error"`

	data []byte
}

// receive reads the next message.
func (c *conn) receive() (*message, error) {
	for {
		data, err := c.in.ReadBytes(0)
		if err != nil {
			return nil, err
		}
		m := &message{data: bytes.TrimSuffix(data, []byte{0})}
		if len(bytes.TrimSpace(m.data)) == 0 {
			continue
		}
		return m, jsonv2.Unmarshal(m.data, m, chromedp.DefaultUnmarshalOptions)
	}
}

// A span is where a value stands in a message; the zero value is none.
type span struct{ from, to int64 }

// UnmarshalJSONFrom skips the value.
func (s *span) UnmarshalJSONFrom(d *jsonv2.Decoder) error {
	s.from = d.InputOffset()
	err := d.SkipValue()
	s.to = d.InputOffset()
	return err
}

// of returns the value. Its offsets begin behind the name before it.
func (s span) of(data []byte) []byte { return bytes.TrimLeft(data[s.from:s.to], ": \t\r\n") }

// Call sends a command and reads its answer into result, which may be nil. It
// ends with the context, with the target, or with the browser.
func (s *session) Call(ctx context.Context, method string, params, result any) error {
	return s.post(ctx, method, params)(ctx, result)
}

// post sends a command and returns what waits for its answer. Who does not need the answer
// does not call it.
func (s *session) post(ctx context.Context, method string, params any) func(ctx context.Context, result any) error {
	failed := func(err error) func(context.Context, any) error {
		return func(context.Context, any) error { return fmt.Errorf("%s: %w", method, err) }
	}
	m := &cdproto.Message{SessionID: s.id, Method: cdproto.MethodType(method)}
	if params != nil {
		data, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
		if err != nil {
			return failed(err)
		}
		m.Params = data
	}
	answer := make(chan *message, 1)
	c := s.conn
	c.mu.Lock()
	c.next++
	m.ID = c.next
	c.waiting[m.ID] = answer
	c.mu.Unlock()
	forget := func() {
		c.mu.Lock()
		delete(c.waiting, m.ID)
		c.mu.Unlock()
	}
	if err := c.pipe.Write(ctx, m); err != nil {
		forget()
		return failed(errors.Join(errLost, err))
	}
	return func(ctx context.Context, result any) error {
		defer forget()
		var err error
		select {
		case a := <-answer:
			return decode(method, a, result)
		case <-ctx.Done():
			err = ctx.Err()
		case <-c.lost:
			err = fmt.Errorf("%w: %w", errLost, c.cause)
		case <-s.gone:
			err = errDetached
		}
		select {
		case a := <-answer: // it came before what ended the wait
			return decode(method, a, result)
		default:
			return fmt.Errorf("%s: %w", method, err)
		}
	}
}

// noSession is the code of the browser's answer to a command for a target that is
// detached ("Session with given id not found").
const noSession = -32001

func decode(method string, a *message, result any) error {
	if a.Error != nil && a.Error.Code == noSession {
		return fmt.Errorf("%s: %w", method, errDetached)
	}
	if a.Error != nil {
		return fmt.Errorf("%s: %w", method, a.Error)
	}
	if result == nil {
		return nil
	}
	if err := jsonv2.Unmarshal(a.Result.of(a.data), result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// Subscribe is there for cdp.Session; events come to session.handle.
func (s *session) Subscribe(string) (<-chan jsonv2.Value, func()) {
	none := make(chan jsonv2.Value)
	close(none)
	return none, func() {}
}

// call runs a typed command.
func call[P, R any](ctx context.Context, s *session, c cdp.Command[P, R], params P) (R, error) {
	return cdp.Call(ctx, s, c, params)
}

// do runs a typed command and ignores its answer.
func do[P, R any](ctx context.Context, s *session, c cdp.Command[P, R], params P) error {
	return s.Call(ctx, c.Method, params, nil)
}

// event decodes the parameters of an event; it returns false if they do not have
// the expected type.
func event[E any](params []byte, _ cdp.Event[E]) (E, bool) { return decodeEvent[E](params) }

// within returns a context for one step that must not take longer.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

// step returns a context for what the browser itself does for us, which no page
// can delay: it has the deadline of the operation, or else d.
func step(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// spare returns a context for an optional wait: it lasts d, and at most half of the
// time that is left.
func spare(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, spareTime(ctx, d))
}

// spareTime is how long an optional wait of d may take.
func spareTime(ctx context.Context, d time.Duration) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(end)/2)
	}
	return max(d, 0)
}

// refused reports whether the browser itself answered a command with an error.
func refused(err error) bool {
	var e *cdproto.Error
	return errors.As(err, &e)
}

// unlessRefused is an error, or nil where the browser itself answered with it.
func unlessRefused(err error) error {
	if refused(err) {
		return nil
	}
	return err
}

// boundedReader ends the pipe when one message, up to its zero byte, is too
// long: reading on would cost this process its memory.
type boundedReader struct {
	io.Reader
	max, seen int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i := n - 1; i >= 0; i-- {
		if p[i] == 0 {
			r.seen = n - 1 - i
			return n, err
		}
	}
	if r.seen += n; r.seen > r.max {
		return 0, errTooLong
	}
	return n, err
}

// decodeEvent is event for a struct of ours, which has only the members that are
// used.
func decodeEvent[E any](params []byte) (E, bool) {
	var e E
	err := jsonv2.Unmarshal(params, &e, chromedp.DefaultUnmarshalOptions)
	return e, err == nil
}

// pause waits for d, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	wait, cancel := within(ctx, d)
	defer cancel()
	<-wait.Done()
	return ctx.Err()
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

func (t *tail) lastLine() string {
	text := strings.TrimSpace(t.text())
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

func random(n int) string { return strings.ToLower(rand.Text())[:n] }
