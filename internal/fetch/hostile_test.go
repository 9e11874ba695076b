package fetch

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The numbers T1 to T21 are those of the project's list of hostile transport
// behaviour; the tests say what they mean.

const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"

// Servers that break the protocol, or off (T8, T9, T11 to T14). They give a
// typed error, or what arrived; never a hang.
func TestMalformed(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		code  Code   // "" means success
		body  string // of a success
		cut   bool
	}{
		{name: "closes at once", serve: say(""), code: ConnectionError},
		{name: "closes in the status line", serve: say("HTTP/1.1 2"), code: ConnectionError},
		{name: "closes in the head", serve: say(ok), code: ConnectionError},
		{name: "HTTP/0.9", serve: say("<html>hello</html>"), code: ConnectionError},
		{name: "ICY", serve: say("ICY 200 OK\r\n\r\nnoise"), code: ConnectionError},
		{name: "status 000", serve: say("HTTP/1.1 000 no\r\n\r\nx"), code: ConnectionError},
		{name: "status 099", serve: say("HTTP/1.1 099 no\r\n\r\nx"), code: ConnectionError},
		{name: "status 999", serve: say("HTTP/1.1 999 no\r\n\r\nx"), code: HTTPError},
		{name: "status 1000", serve: say("HTTP/1.1 1000 no\r\n\r\nx"), code: ConnectionError},
		{name: "status -20", serve: say("HTTP/1.1 -20 no\r\n\r\nx"), code: ConnectionError},
		{name: "no reason", serve: say("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"), body: "x"},
		{name: "bare line feeds", serve: say("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"), body: "x"},
		{name: "switches protocols", serve: say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), code: ConnectionError},
		{name: "endless headers", serve: forever("HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"), code: TooLarge},
		{name: "endless header", serve: forever("HTTP/1.1 200 OK\r\nX-A: ", strings.Repeat("a", 1000)), code: TooLarge},
		{name: "endless cookies", serve: forever("HTTP/1.1 200 OK\r\n", "Set-Cookie: a="+strings.Repeat("a", 10_000)+"\r\n"), code: TooLarge},
		{name: "endless 103", serve: forever("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), code: ConnectionError},
		{name: "endless 100", serve: forever("", "HTTP/1.1 100 Continue\r\n\r\n"), code: ConnectionError},
		{name: "five 103", serve: say(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5) + ok + "Content-Length: 1\r\n\r\nx"), body: "x"},
		{name: "length too long", serve: say(ok + "Content-Length: 100\r\n\r\nten bytes."), body: "ten bytes.", cut: true},
		{name: "length too long, nothing came", serve: say(ok + "Content-Length: 100\r\n\r\n"), code: ConnectionError},
		{name: "length too short", serve: say(ok + "Connection: close\r\nContent-Length: 3\r\n\r\nten bytes."), body: "ten"},
		{name: "length negative", serve: say(ok + "Content-Length: -3\r\n\r\nx"), code: ConnectionError},
		{name: "length huge", serve: say(ok + "Content-Length: 9223372036854775807\r\n\r\nx"), body: "x", cut: true},
		{name: "two lengths", serve: say(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy"), code: ConnectionError},
		{name: "two equal lengths", serve: say(ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"), body: "x"},
		{name: "chunked and a length", serve: say(ok + "Content-Length: 100\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"), body: "x"},
		{name: "unknown transfer encoding", serve: say(ok + "Transfer-Encoding: gzip\r\n\r\nx"), code: ConnectionError},
		{name: "chunk size huge", serve: say(ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx"), code: ConnectionError},
		{name: "chunk size negative", serve: say(ok + "Transfer-Encoding: chunked\r\n\r\n-1\r\nx"), code: ConnectionError},
		{name: "chunk without end", serve: say(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef"), body: "abc", cut: true},
		{name: "chunk breaks off", serve: say(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nab"), body: "ab", cut: true},
		{name: "endless chunk extension", serve: forever(ok+"Transfer-Encoding: chunked\r\n\r\n1;", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), code: ConnectionError},
		{name: "endless extensions", serve: forever(ok+"Transfer-Encoding: chunked\r\n\r\n", "1;"+strings.Repeat("a", 100)+"\r\nx\r\n"), body: "x*", cut: true},
		{name: "endless trailer", serve: forever(ok+"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", "X-A: a\r\n"), body: "x", cut: true},
		{name: "chunks of one byte", serve: forever(ok+"Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1\r\nx\r\n", 1000)), body: "x*", cut: true},
		{name: "endless body", serve: forever(ok+"\r\n", strings.Repeat("x", 1000)), body: "x*", cut: true},
		{name: "text, then binary", serve: func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"\r\n"+strings.Repeat("x", 8<<10))
			_, _ = io.CopyN(c, rand.Reader, 256<<10)
		}, body: "x*", cut: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := raw(t, c.serve, Options{MaxBytes: 64 << 10, Timeout: 20 * time.Second})
			res, err := client.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
			if c.code != "" {
				if e := failure(t, err, c.code); e.Error() == "" || len(e.Error()) > 100 {
					t.Errorf("%q", e.Error())
				}
				return
			}
			if err != nil {
				t.Fatalf("%v (%v)", err, err.(*Error).Cause)
			}
			body := string(res.Body)
			if c.body == "x*" {
				if len(body) < 100 || strings.Trim(body, "x") != "" {
					t.Errorf("body %.100q", body)
				}
			} else if body != c.body {
				t.Errorf("body %q", body)
			}
			if res.Truncated != c.cut || c.cut == (res.TruncatedWhy == "") {
				t.Errorf("truncated %v: %q", res.Truncated, res.TruncatedWhy)
			}
		})
	}
}

// A connection that ends after each byte of an answer (T14): closed or reset,
// plain or compressed. What comes is a beginning of the text, marked as cut.
func TestBreaksOffAnywhere(t *testing.T) {
	const text = "some text that is long enough, some text that is long enough"
	plain := ok + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
	packed := string(pack(t, "gzip", []byte(text)))
	compressed := ok + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(packed), packed)
	for _, answer := range []string{plain, compressed} {
		for _, reset := range []bool{false, true} {
			var at atomic.Int32
			c := raw(t, func(c net.Conn) {
				_, _ = io.WriteString(c, answer[:at.Load()])
				if reset {
					_ = c.(*net.TCPConn).SetLinger(0)
				}
			}, Options{})
			for n := range answer {
				at.Store(int32(n))
				res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
				if err != nil {
					var e = err.(*Error)
					if e.Code != ConnectionError && e.Code != ParseError {
						t.Errorf("byte %d: %s %v", n, e.Code, e.Cause)
					}
					continue
				}
				if !strings.HasPrefix(text, string(res.Body)) {
					t.Errorf("byte %d: %q", n, res.Body)
				}
				if !res.Truncated && string(res.Body) != text {
					t.Errorf("byte %d: not marked", n)
				}
			}
		}
	}
}

// A document is of no use without its end: it fails, and says what came.
func TestDocumentBreaksOff(t *testing.T) {
	c := raw(t, say(ok+"Content-Length: 100\r\n\r\n%PDF-1.7\nsome"), Options{})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
	e := failure(t, err, ConnectionError)
	if !e.Retryable() || e.Response == nil || string(e.Response.Body) != "%PDF-1.7\nsome" || !strings.HasPrefix(e.Response.MediaType, "application/pdf") {
		t.Errorf("%+v", e)
	}
}

// slowConn writes the same text at each Write, after a pause.
type slowConn struct {
	net.Conn
	pause time.Duration
	text  string
}

func (s slowConn) Write([]byte) (int, error) {
	time.Sleep(s.pause)
	_, err := io.WriteString(s.Conn, s.text)
	return 0, err
}

// slowly sends a text byte by byte, with pauses of a bubble's clock.
func slowly(text string, pause time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		for i := range len(text) {
			time.Sleep(pause)
			if _, err := io.WriteString(c, text[i:i+1]); err != nil {
				return
			}
		}
	}
}

// HTTP/2 servers that break off a stream, or never send any (T16, in so far as
// it can be done with a well-behaved server underneath).
func TestHTTP2(t *testing.T) {
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("%s", r.Proto)
		}
		if r.URL.Path == "/body" {
			_, _ = w.Write([]byte("some text"))
			w.(http.Flusher).Flush()
		}
		panic(http.ErrAbortHandler) // RST_STREAM
	}
	c, end := http2Site(t, http.HandlerFunc(h))
	defer end()
	_, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/head")})
	failure(t, err, ConnectionError)
	res, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/body")})
	if err != nil || string(res.Body) != "some text" || !res.Truncated {
		t.Errorf("%+v, %v", res, err)
	}
}

// Bombs (T1): stopped by ratio or size, with the beginning kept for text.
func TestBombs(t *testing.T) {
	size := 64 << 20
	if testing.Short() {
		size = 16 << 20
	}
	zeros := bytes.Repeat([]byte("0"), size)
	for _, format := range []string{"gzip", "deflate", "br", "zstd"} {
		for _, layers := range []int{1, 2} {
			bomb, label := pack(t, format, zeros), format
			if layers == 2 {
				bomb, label = pack(t, "gzip", bomb), format+", gzip"
			}
			c := raw(t, say(ok+"Content-Encoding: "+label+"\r\n\r\n"+string(bomb)), Options{})
			res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
			if err != nil {
				t.Fatal(err)
			}
			if !res.Truncated || len(res.Body) < 1<<20 || int64(len(res.Body)) > max(2<<20, 110*res.WireBytes) || res.DecodedBytes > DefaultMaxBytes {
				t.Errorf("%s: %d bytes of %d, %q", label, len(res.Body), res.WireBytes, res.TruncatedWhy)
			}
		}
	}
	pdf := pack(t, "gzip", append([]byte("%PDF-1.7\n"), zeros...))
	c := raw(t, say(ok+"Content-Encoding: gzip\r\n\r\n"+string(pdf)), Options{})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
	failure(t, err, TooLarge)
}

// An encoding that carries nothing, for ever: stopped by its wire bytes.
func TestEndlessNothing(t *testing.T) {
	c := raw(t, forever(ok+"Content-Encoding: gzip\r\n\r\n", strings.Repeat(string(pack(t, "gzip", nil)), 100)), Options{MaxBytes: 64 << 10})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
	if e := failure(t, err, TooLarge); e.Error() != errWire.Error() {
		t.Errorf("%v", e)
	}
}

// Compressed pages whose servers do not say so are read; compressed files stay.
func TestUnlabelledGzip(t *testing.T) {
	packed := string(pack(t, "gzip", []byte(fable)))
	for declared, want := range map[string]string{"text/html": fable, "application/gzip": packed} {
		c := raw(t, say("HTTP/1.1 200 OK\r\nContent-Type: "+declared+"\r\n\r\n"+packed), Options{})
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
		if err != nil || string(res.Body) != want || res.MediaType != declared || res.Truncated {
			t.Errorf("%s: %+v, %v", declared, res, err)
		}
	}
}
