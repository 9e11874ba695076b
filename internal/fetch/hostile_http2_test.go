package fetch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// speakHTTP2 returns a server that reads the client's preface, sends its
// settings, reads requests, and does what it is told with each stream.
func speakHTTP2(settings []http2.Setting, each func(f *http2.Framer, stream uint32) error) func(*hostileTLS, net.Conn) {
	return func(h *hostileTLS, c net.Conn) {
		_ = c.(*net.TCPConn).SetReadBuffer(1 << 10) // so that a client which writes meets a full one soon
		s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{h.certificate}, NextProtos: []string{"h2"}})
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(s, preface); err != nil || string(preface) != http2.ClientPreface {
			return
		}
		f := http2.NewFramer(s, s)
		f.AllowIllegalWrites = true
		if f.WriteSettings(settings...) != nil {
			return
		}
		if each == nil {
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
			return
		}
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if frame, ok := frame.(*http2.HeadersFrame); ok {
				if each(f, frame.StreamID) != nil {
					return
				}
			}
		}
	}
}

// head is a block of headers.
func head(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

var errEnough = errors.New("enough")

// HTTP/2 servers that flood, stall and break the rules (T16): the connection is
// closed or the call's time is over, and the next call works.
func TestHostileHTTP2(t *testing.T) {
	// Package net/http logs each frame of a type that it does not know.
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard)
	good := head(":status", "200", "content-type", "text/plain")
	answerWith := func(f *http2.Framer, stream uint32) error {
		return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: good, EndHeaders: true})
	}
	until := func(write func() error) error {
		for {
			if err := write(); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct {
		name     string
		settings []http2.Setting
		each     func(f *http2.Framer, stream uint32) error
		codes    []Code // one of these; none: an answer that is marked as cut
		body     string
	}{
		{"GOAWAY on each connection", nil, func(f *http2.Framer, stream uint32) error {
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
			return errEnough
		}, []Code{ConnectionError, Timeout}, ""},
		{"GOAWAY before any request", nil, nil, []Code{ConnectionError, Timeout}, ""},
		{"endless GOAWAY", nil, func(f *http2.Framer, stream uint32) error {
			return until(func() error { return f.WriteGoAway(stream, http2.ErrCodeNo, make([]byte, 1000)) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"CONTINUATION flood", nil, func(f *http2.Framer, stream uint32) error {
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head(":status", "200")})
			more := head("x-a", string(bytes.Repeat([]byte{'a'}, 8000)))
			return until(func() error { return f.WriteContinuation(stream, false, more) })
		}, []Code{ConnectionError, TooLarge}, ""},
		{"empty CONTINUATION flood", nil, func(f *http2.Framer, stream uint32) error {
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head(":status", "200")})
			return until(func() error { return f.WriteContinuation(stream, false, nil) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"PING flood", nil, func(f *http2.Framer, stream uint32) error {
			return until(func() error { return f.WritePing(false, [8]byte{1}) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"SETTINGS flood", nil, func(f *http2.Framer, stream uint32) error {
			return until(func() error { return f.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: 4096}) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"WINDOW_UPDATE flood", nil, func(f *http2.Framer, stream uint32) error {
			return until(func() error { return f.WriteWindowUpdate(0, 1) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"frames of unknown type", nil, func(f *http2.Framer, stream uint32) error {
			return until(func() error { return f.WriteRawFrame(0xee, 0, stream, make([]byte, 1000)) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"RST storm", nil, func(f *http2.Framer, stream uint32) error {
			return f.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
		}, []Code{ConnectionError, Timeout}, ""},
		{"RST flood", nil, func(f *http2.Framer, stream uint32) error {
			_ = answerWith(f, stream)
			return until(func() error { return f.WriteRSTStream(stream, http2.ErrCodeCancel) })
		}, []Code{ConnectionError, Timeout}, ""},
		{"no window for anything", []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0}}, answerWith, []Code{Timeout}, ""},
		{"no streams allowed", []http2.Setting{{ID: http2.SettingMaxConcurrentStreams, Val: 0}}, answerWith, []Code{Timeout, ConnectionError}, ""},
		{"head, text, then nothing", nil, func(f *http2.Framer, stream uint32) error {
			_ = answerWith(f, stream)
			return f.WriteData(stream, false, []byte("some text"))
		}, nil, "some text"},
		{"endless empty DATA", nil, func(f *http2.Framer, stream uint32) error {
			_ = answerWith(f, stream)
			_ = f.WriteData(stream, false, []byte("some text"))
			return until(func() error { return f.WriteData(stream, false, nil) })
		}, nil, "some text"},
		{"endless padding", nil, func(f *http2.Framer, stream uint32) error {
			_ = answerWith(f, stream)
			_ = f.WriteData(stream, false, []byte("some text"))
			return until(func() error { return f.WriteDataPadded(stream, false, nil, make([]byte, 255)) })
		}, nil, "some text"},
		{"more than the window", nil, func(f *http2.Framer, stream uint32) error {
			_ = answerWith(f, stream)
			return until(func() error { return f.WriteData(stream, false, make([]byte, 16<<10)) })
		}, nil, ""},
		{"endless 103", nil, func(f *http2.Framer, stream uint32) error {
			early := head(":status", "103", "link", "</a>")
			return until(func() error {
				return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: early, EndHeaders: true})
			})
		}, []Code{ConnectionError}, ""},
		{"HPACK bomb", nil, func(f *http2.Framer, stream uint32) error {
			// One header of 4,000 bytes goes into the table; a byte each repeats it.
			block := head(":status", "200", "x-a", string(bytes.Repeat([]byte{'a'}, 3900)))
			block = append(block, bytes.Repeat([]byte{0x80 | 62}, 15_000)...)
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block})
			return until(func() error { return f.WriteContinuation(stream, false, bytes.Repeat([]byte{0x80 | 62}, 16_000)) })
		}, []Code{ConnectionError, TooLarge}, ""},
		{"HPACK integer without end", nil, func(f *http2.Framer, stream uint32) error {
			return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: bytes.Repeat([]byte{0xff}, 10_000), EndHeaders: true})
		}, []Code{ConnectionError, TLSError}, ""},
		{"PUSH_PROMISE", nil, func(f *http2.Framer, stream uint32) error {
			return f.WritePushPromise(http2.PushPromiseParam{StreamID: stream, PromiseID: 2, BlockFragment: head(":method", "GET"), EndHeaders: true})
		}, []Code{ConnectionError}, ""},
		{"a frame beyond its limit", nil, func(f *http2.Framer, stream uint32) error {
			return f.WriteRawFrame(http2.FrameData, 0, stream, make([]byte, 4<<20))
		}, []Code{ConnectionError}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHostileTLS(t, speakHTTP2(c.settings, c.each))
			before := heapSys()
			// A call that its time ends has little of it, but enough for the text that comes first.
			limit := time.Minute
			switch {
			case slices.Contains(c.codes, Timeout):
				limit = 700 * time.Millisecond
			case c.codes == nil:
				limit = 3 * time.Second
			}
			res, err := h.client.Get(t.Context(), Request{URL: h.url, Timeout: limit})
			var e *Error
			switch {
			case errors.As(err, &e) && len(c.codes) > 0:
				if !slices.Contains(c.codes, e.Code) {
					t.Errorf("code %s: %v (%v)", e.Code, e, e.Cause)
				}
			case err != nil || len(c.codes) > 0:
				t.Errorf("%+v, %v", res, err)
			case !res.Truncated || c.body != "" && string(res.Body) != c.body:
				t.Errorf("%d bytes, %q", len(res.Body), res.TruncatedWhy)
			}
			// Package net/http may have begun others when the last that is allowed was open.
			if n := h.connections.Load(); n > 2*maxConnections {
				t.Errorf("%d connections", n)
			}
			h.afterwards(t, before, 32<<20)
		})
	}
}

// An exchange that package net/http does not end in time ends with its connection.
func TestHangingExchange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			near, far := net.Pipe()
			t.Cleanup(func() { _ = far.Close() })
			httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Conn: near})
			a := answer(200, "")
			a.Body, a.ContentLength = near, -1 // its Read does not heed the context
			return a, nil
		})
		begun := time.Now()
		_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Timeout: time.Second})
		if e := (*Error)(nil); !errors.As(err, &e) || e.Code != Timeout {
			t.Errorf("%v", err)
		}
		if took := time.Since(begun); took > time.Second+2*hangTime {
			t.Errorf("it took %v", took)
		}
	})
}
