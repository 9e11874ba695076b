package browser

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1" // the handshake of RFC 6455 has it
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A webSocket is the client's end of a WebSocket (RFC 6455) to a browser that runs, in the
// form of a pipe: each message ends with a zero byte, in both directions.
type webSocket struct {
	conn io.ReadWriteCloser
	in   *bufio.Reader

	left int64 // of the frame that is read
	last bool  // it ends its message
	ends bool  // the zero byte of a message is due

	mu  sync.Mutex // of what is written
	out []byte     // of a message without its end
}

// The kinds of frames.
const (
	frameText  = 1
	frameClose = 8
	framePing  = 9
	framePong  = 10
)

// dialBrowser connects to a browser by the URL at which it is asked for its version.
func dialBrowser(ctx context.Context, rt http.RoundTripper, at weburl.URL) (*webSocket, error) {
	ask := func(path string, header http.Header) (*http.Response, error) {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, at.Origin()+path, nil)
		if err != nil {
			return nil, err
		}
		q.Header = header
		return rt.RoundTrip(q)
	}
	res, err := ask("/json/version", http.Header{})
	if err != nil {
		return nil, err
	}
	var version struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	err = json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&version)
	_ = res.Body.Close()
	if err != nil || version.URL == "" {
		return nil, errors.New("what answers there is no browser with remote debugging")
	}
	// Only the path counts: the host is the one that the operator gave.
	u, err := weburl.Parse("http" + version.URL[min(len("ws"), len(version.URL)):])
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce)
	key := base64.StdEncoding.EncodeToString(nonce)
	res, err = ask(u.Path(), http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {key}})
	if err != nil {
		return nil, err
	}
	conn, ok := res.Body.(io.ReadWriteCloser)
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	if res.StatusCode != http.StatusSwitchingProtocols || !ok || res.Header.Get("Sec-Websocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]) {
		_ = res.Body.Close()
		return nil, fmt.Errorf("the browser does not open its socket: HTTP %d", res.StatusCode)
	}
	return &webSocket{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// Read reads from messages, with a zero byte after each.
func (s *webSocket) Read(p []byte) (int, error) {
	for s.left == 0 {
		if s.ends {
			s.ends, p[0] = false, 0
			return 1, nil
		}
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	n, err := s.in.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	s.ends = s.left == 0 && s.last
	return n, err
}

// next reads the head of the next frame with data.
func (s *webSocket) next() error {
	var head [2]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return err
	}
	size := int64(head[1] & 0x7f)
	var long [8]byte
	switch size {
	case 126:
		if _, err := io.ReadFull(s.in, long[6:]); err != nil {
			return err
		}
	case 127:
		if _, err := io.ReadFull(s.in, long[:]); err != nil {
			return err
		}
	}
	if size > 125 {
		size = int64(binary.BigEndian.Uint64(long[:]) & (1<<62 - 1))
	}
	kind, masked := head[0]&0x0f, head[1]&0x80 != 0
	switch {
	case masked, kind >= frameClose && size > 125, head[0]&0x70 != 0:
		return errors.New("the browser sent a broken frame")
	case kind == frameClose:
		return io.EOF
	case kind > frameClose:
		data := make([]byte, size)
		if _, err := io.ReadFull(s.in, data); err != nil {
			return err
		}
		if kind == framePing {
			return s.send(framePong, data)
		}
		return nil
	}
	s.left, s.last = size, head[0]&0x80 != 0
	s.ends = size == 0 && s.last
	return nil
}

// Write sends each message that is complete.
func (s *webSocket) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.out = append(s.out, p...)
	var messages [][]byte
	for {
		message, rest, ok := bytes.Cut(s.out, []byte{0})
		if !ok {
			break
		}
		messages, s.out = append(messages, message), rest
	}
	s.mu.Unlock()
	for _, m := range messages {
		if err := s.send(frameText, m); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// send sends a frame. A client masks what it sends.
func (s *webSocket) send(kind byte, data []byte) error {
	var mask [4]byte
	_, _ = rand.Read(mask[:])
	frame := []byte{0x80 | kind}
	switch n := len(data); {
	case n < 126:
		frame = append(frame, 0x80|byte(n))
	case n < 1<<16:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	frame = append(frame, mask[:]...)
	for i, b := range data {
		frame = append(frame, b^mask[i%4])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(frame)
	return err
}

// Close ends the connection; the browser goes on.
func (s *webSocket) Close() error { return s.conn.Close() }
