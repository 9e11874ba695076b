package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/coder/websocket"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A webSocket is the connection to a browser that runs, in the form of a pipe: each message ends
// with a zero byte, in both directions.
type webSocket struct {
	conn *websocket.Conn
	in   io.Reader // the message that is read; nil between two

	mu  sync.Mutex
	out []byte // of a message without its end
}

// dialBrowser connects to a browser by the URL at which it is asked for its version.
func dialBrowser(ctx context.Context, rt http.RoundTripper, at weburl.URL) (*webSocket, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, at.Origin()+"/json/version", nil)
	if err != nil {
		return nil, err
	}
	res, err := rt.RoundTrip(q)
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
	client := &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	conn, _, err := websocket.Dial(ctx, at.Origin()+u.Path(), &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, fmt.Errorf("the browser does not open its socket: %w", err)
	}
	conn.SetReadLimit(-1) // boundedReader has one
	return &webSocket{conn: conn}, nil
}

// Read reads from messages, with a zero byte after each.
func (s *webSocket) Read(p []byte) (int, error) {
	if s.in == nil {
		_, message, err := s.conn.Reader(context.Background())
		if err != nil {
			return 0, err
		}
		s.in = io.MultiReader(message, strings.NewReader("\x00"))
	}
	n, err := s.in.Read(p)
	if err == io.EOF {
		s.in, err = nil, nil
	}
	return n, err
}

// Write sends each message that is complete.
func (s *webSocket) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = append(s.out, p...)
	for {
		message, rest, ok := bytes.Cut(s.out, []byte{0})
		if !ok {
			return len(p), nil
		}
		s.out = rest
		if err := s.conn.Write(context.Background(), websocket.MessageText, message); err != nil {
			return 0, err
		}
	}
}

// Close ends the connection; the browser goes on.
func (s *webSocket) Close() error { return s.conn.CloseNow() }
