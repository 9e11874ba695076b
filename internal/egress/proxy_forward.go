package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// errStatus ends a request whose answer a proxy cannot pass on.
var errStatus = errors.New("an answer that a proxy cannot pass on")

// forward answers a request in absolute form, which is a request for plain http.
//
// Where the policy upgrades plain http, the answer is a redirect to https that
// keeps method and body, like the internal redirect of a browser for an HSTS host
// (RFC 6797 section 8.3). Nothing is sent in cleartext.
func (x *exchange) forward() {
	u, d := x.proxy.judge(x.req.RequestURI)
	switch {
	case !d.Allowed:
		x.refuse(d)
		return
	case x.req.Method == http.MethodTrace:
		// TRACE would show a page headers that it must not see.
		x.refuse(d.refuse(ruleURL, "the method TRACE is not used", ""))
		return
	case u.Scheme() == "https" && x.req.URL.Scheme == "http":
		x.decided(d)
		x.answer(http.StatusTemporaryRedirect, "HTTP/1.1 307 Temporary Redirect\r\nLocation: "+u.WithoutFragment().String()+
			"\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n")
		return
	case u.Scheme() != "http":
		x.refuse(d.refuse(ruleScheme, "a proxy reaches https by CONNECT", ""))
		return
	}
	far, ok := x.dial(u, d)
	if !ok {
		return
	}
	defer far.Close()
	idle := newIdleWatch(x.proxy.options.IdleTimeout, func() { _, _ = far.Close(), x.conn.Close() })
	defer idle.stop()
	out := x.outgoing(u, idle)

	// An answer can come before the whole body is sent, so both run at once.
	var upload sync.WaitGroup
	defer upload.Wait()
	defer func() { _, _ = far.Close(), x.conn.Close() }()
	upload.Go(func() {
		if out.Write(far) != nil && !x.bodyless() {
			_ = far.Close() // the client or the site broke off: an answer is of no use
		}
	})
	var gone *watcher
	if x.bodyless() {
		gone = watchClient(x, func(error) { _ = far.Close() })
	}
	resp, in, err := response(out, far)
	if err != nil {
		gone.end()
		x.Err = err
		x.answer(http.StatusBadGateway, answerRefused)
		return
	}
	defer resp.Body.Close()
	x.Status = resp.StatusCode
	if resp.StatusCode == http.StatusSwitchingProtocols {
		gone.end()
		idle.stop()
		x.switchProtocols(resp, far, in)
		return
	}
	x.Err = x.passOn(resp, idle)
	if gone.end(); x.Err == nil {
		x.linger()
	}
}

// bodyless reports whether the request has no body, so that nothing more is
// expected from the client.
func (x *exchange) bodyless() bool { return x.req.ContentLength == 0 }

// outgoing returns the request for the site: with the judged URL, and with the
// headers of the client that are meant for the site.
func (x *exchange) outgoing(u weburl.URL, idle *idleWatch) *http.Request {
	out := &http.Request{
		Method: x.req.Method, URL: wireURL(u), Header: endToEnd(x.req.Header),
		ContentLength: x.req.ContentLength, Close: true,
	}
	if _, named := out.Header["User-Agent"]; !named {
		out.Header["User-Agent"] = nil // net/http would add its own
	}
	if wantsWebSocket(x.req) {
		out.Close = false
		out.Header["Connection"], out.Header["Upgrade"] = []string{"Upgrade"}, []string{"websocket"}
	}
	if !x.bodyless() {
		out.Body = &carrier{ReadCloser: x.req.Body, count: &x.up, idle: idle, spend: x.proxy.spend}
		if x.req.Header.Get("Expect") == "100-continue" && x.req.ProtoAtLeast(1, 1) {
			_, _ = io.WriteString(x.conn, "HTTP/1.1 100 Continue\r\n\r\n")
		}
	}
	return out
}

// response reads the head of the answer. Interim answers are not passed on: early
// hints (103) would make the browser load things before the page.
func response(out *http.Request, far net.Conn) (*http.Response, *bufio.Reader, error) {
	bounded := &io.LimitedReader{R: far, N: maxHeaderBytes}
	in := bufio.NewReader(bounded)
	for range maxInterim + 1 {
		resp, err := http.ReadResponse(in, out)
		switch {
		case err != nil:
			return nil, nil, err
		case resp.StatusCode == http.StatusSwitchingProtocols && out.Header["Upgrade"] != nil:
		case resp.StatusCode == http.StatusSwitchingProtocols, resp.StatusCode == http.StatusProxyAuthRequired, resp.StatusCode < 100:
			return nil, nil, errStatus // 407 would ask the browser for the proxy's own token
		case resp.StatusCode < 200:
			continue
		}
		bounded.N = math.MaxInt64
		return resp, in, nil
	}
	return nil, nil, errInterim
}

// passOn sends the answer of the site to the client.
func (x *exchange) passOn(resp *http.Response, idle *idleWatch) error {
	w := bufio.NewWriterSize(x.conn, 4<<10)
	answer := &http.Response{
		StatusCode: resp.StatusCode, ProtoMajor: 1, ProtoMinor: 1,
		Header: endToEnd(resp.Header), ContentLength: resp.ContentLength, Close: true, Request: x.req,
		Body: &carrier{ReadCloser: resp.Body, count: &x.down, idle: idle, spend: x.proxy.spend, before: w.Flush},
	}
	if answer.ContentLength < 0 && x.req.ProtoAtLeast(1, 1) {
		answer.TransferEncoding = []string{"chunked"} // so that an early end shows
	}
	// The type hides the writer's ReadFrom, which would fill the buffer that the
	// carrier flushes.
	err := answer.Write(struct{ io.Writer }{w})
	if e := w.Flush(); err == nil {
		err = e
	}
	return err
}

// switchProtocols hands the connection over to a web socket.
func (x *exchange) switchProtocols(resp *http.Response, far net.Conn, in *bufio.Reader) {
	w := bufio.NewWriter(x.conn)
	_, _ = w.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n")
	_ = endToEnd(resp.Header).Write(w)
	_, _ = w.WriteString("\r\n")
	if x.Err = w.Flush(); x.Err == nil {
		x.join(far, in, false)
	}
}

// A carrier counts and bounds the bytes of a body.
type carrier struct {
	io.ReadCloser
	count  *atomic.Int64
	idle   *idleWatch
	spend  func(int64) error
	before func() error // runs before each read, may be nil
}

func (c *carrier) Read(p []byte) (int, error) {
	if c.before != nil {
		if err := c.before(); err != nil {
			return 0, err
		}
	}
	n, err := c.ReadCloser.Read(p)
	c.count.Add(int64(n))
	c.idle.touch()
	if spent := c.spend(int64(n)); spent != nil {
		return 0, spent
	}
	return n, err
}

// A watcher notices that the client has closed its connection.
type watcher struct {
	conn net.Conn
	done chan struct{}
}

func watchClient(x *exchange, gone func(error)) *watcher {
	w := &watcher{conn: x.conn, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		// Bytes belong to the tunnel or the web socket, which reads them later, or
		// are another request, which is not answered.
		if _, err := x.in.Peek(1); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			gone(context.Canceled)
		}
	}()
	return w
}

// end stops watching and does not change the connection. It may be called on a
// nil watcher.
func (w *watcher) end() {
	if w == nil {
		return
	}
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
}
