package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The transport over a pair of streams. The SDK's transport ends the session at a line
// that is too long or not a message; this one answers the line with an error and goes
// on. It also lets running calls answer when the input ends, because programs write a
// few requests and close.

// lines is a connection, and the transport that makes it.
type lines struct {
	ctx   context.Context // ends the connection
	grace time.Duration
	in    chan line
	done  chan struct{} // closed by Close
	close sync.Once

	mu   sync.Mutex
	out  io.Writer
	open int                 // calls that were read and not answered
	cut  map[jsonrpc.ID]bool // calls that the client has cancelled, which are not answered
	idle chan struct{}       // closed when open falls to 0; made when the input ends
}

// line is a message, or why none was read.
type line struct {
	message jsonrpc.Message
	err     error
}

func newLines(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration) *lines {
	l := &lines{ctx: ctx, grace: grace, in: make(chan line), done: make(chan struct{}), out: out}
	go l.read(in)
	return l
}

// Connect implements mcp.Transport.
func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID implements mcp.Connection.
func (l *lines) SessionID() string { return "" }

// Close implements mcp.Connection.
func (l *lines) Close() error {
	l.close.Do(func() { close(l.done) })
	return nil
}

// read takes lines from the input until it or the connection ends.
func (l *lines) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		data, err := readLine(r, maxBodyBytes)
		var next line
		switch {
		case errors.Is(err, errLong):
			_ = l.write(errorMessage(nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the message is longer than %d bytes", maxBodyBytes)}))
			continue
		case err != nil:
			next.err = io.EOF
		case len(data) == 0:
			continue
		default:
			if next.message, err = decode(data); err != nil {
				l.complainAs(data, err)
				continue
			}
		}
		select {
		case l.in <- next:
		case <-l.done:
			return
		}
		if next.err != nil {
			return
		}
	}
}

// errLong is the error of a line that is too long to be a message.
var errLong = errors.New("the line is too long")

// readLine returns the next line without the white space around it, and without a byte
// order mark. A line of more than most bytes is read to its end and is errLong.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var data []byte
	for long := false; ; {
		part, err := r.ReadSlice('\n')
		if long = long || len(data)+len(part) > most; !long {
			data = append(data, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, errLong
		case err != nil && len(data) == 0:
			return nil, err
		}
		return bytes.TrimSpace(bytes.TrimPrefix(data, []byte{0xef, 0xbb, 0xbf})), nil // a last line may end without "\n"
	}
}

// decode makes a message of a line or a body.
func decode(data []byte) (jsonrpc.Message, error) {
	if !json.Valid(data) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the message is not JSON"}
	}
	if data[0] != '{' {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is not a JSON object: send one request at a time"}
	}
	m, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is not a JSON-RPC 2.0 request"}
	}
	return m, nil
}

// complainAs answers a line that is not a message, with its id if it has one.
func (l *lines) complainAs(data []byte, err error) {
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		_ = l.write(errorMessage(idOf(data), e))
	}
}

// idOf returns the id of a possible request; nil if it has none that can be repeated.
func idOf(data []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(data, &m) != nil || len(m.ID) == 0 || len(m.ID) > 100 || m.ID[0] == '{' || m.ID[0] == '[' {
		return nil
	}
	return m.ID
}

// errorMessage is a response with an error. The SDK leaves an unknown id out,
// where JSON-RPC wants null.
func errorMessage(id json.RawMessage, e *jsonrpc.Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, _ := json.Marshal(struct { // it has only plain values
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, e})
	return data
}

// Read implements mcp.Connection.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case next := <-l.in:
		if next.err != nil {
			l.settle(ctx)
			return nil, next.err
		}
		if r, ok := next.message.(*jsonrpc.Request); ok {
			l.mu.Lock()
			if r.IsCall() {
				l.open++
				delete(l.cut, r.ID)
			} else if r.Method == "notifications/cancelled" && len(l.cut) < maxCut {
				if l.cut == nil {
					l.cut = map[jsonrpc.ID]bool{}
				}
				l.cut[cancelledID(r.Params)] = true
			}
			l.mu.Unlock()
		}
		return next.message, nil
	case <-l.done:
	case <-l.ctx.Done():
	case <-ctx.Done():
	}
	return nil, io.EOF
}

// settle waits for the calls that run, for as long as they are given. Then the
// end of the input cancels them.
func (l *lines) settle(ctx context.Context) {
	l.mu.Lock()
	idle := make(chan struct{})
	if l.open == 0 {
		close(idle)
	}
	l.idle = idle
	l.mu.Unlock()
	timer := time.NewTimer(l.grace)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-l.done:
	case <-l.ctx.Done():
	case <-ctx.Done():
	}
}

// Write implements mcp.Connection.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	r, answers := m.(*jsonrpc.Response)
	if !answers || !l.cancelled(r.ID) {
		err = l.write(data)
	}
	if answers {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.open--
		if l.open == 0 && l.idle != nil {
			close(l.idle)
			l.idle = nil
		}
	}
	return err
}

func (l *lines) write(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(append(data, '\n'))
	return err
}

// maxCut bounds the calls that are remembered as cancelled: a client can cancel what it has
// never called.
const maxCut = 1000

// cancelled reports whether a call was cancelled, once.
func (l *lines) cancelled(id jsonrpc.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.cut[id]
	delete(l.cut, id)
	return was
}

// cancelledID is the id in the parameters of a cancellation; the zero value where it has
// none.
func cancelledID(params json.RawMessage) jsonrpc.ID {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return jsonrpc.ID{}
	}
	id, _ := jsonrpc.MakeID(p.RequestID) // the zero value for what is no id
	return id
}
