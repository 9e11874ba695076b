package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

// maxCalls bounds the calls of one reply.
const maxCalls = 64

// madeID is the prefix of the IDs that the client gives to calls without an ID.
const madeID = "call-"

// wire is one of the two wire formats.
type wire interface {
	// request encodes a request. path is relative to the endpoint's base URL;
	// header has names and values alternately; body is encoded as JSON.
	request(c *Client, q *llm.Request) (path string, header []string, body any)
	// event adds one event of a stream to the reply. done ends the stream.
	event(data []byte, b *builder) (done bool, err error)
}

// builder builds a reply within its limits.
type builder struct {
	reply llm.Reply
	text  strings.Builder
	calls []*callBuilder
	most  int // bytes of text
	args  int // bytes of arguments so far
	// ended reports whether the endpoint has said why the reply ends.
	ended bool
}

type callBuilder struct {
	index    int
	id, name string
	state    string
	args     bytes.Buffer
}

// bytesPerToken is above the length of any token. A text of more bytes than the
// allowed tokens can have exceeds the limit, whatever the endpoint counts.
const bytesPerToken = 64

func newBuilder(q *llm.Request) *builder {
	n := q.MaxTokens
	if n <= 0 {
		n = llm.DefaultMaxTokens
	}
	return &builder{most: min(n, 1<<20) * bytesPerToken}
}

// write appends to the text.
func (b *builder) write(s string) error {
	if b.text.Len()+len(s) > b.most {
		return problem(Endless, "more than %d bytes of text", b.most)
	}
	b.text.WriteString(s)
	return nil
}

// call returns the call with an index, and creates it if none exists.
func (b *builder) call(index int) (*callBuilder, error) {
	for _, c := range b.calls {
		if c.index == index {
			return c, nil
		}
	}
	if len(b.calls) >= maxCalls {
		return nil, problem(Endless, "more than %d calls", maxCalls)
	}
	c := &callBuilder{index: index}
	b.calls = append(b.calls, c)
	return c, nil
}

// argue appends to the arguments of a call.
func (b *builder) argue(c *callBuilder, s string) error {
	if b.args += len(s); b.args > tool.MaxArgumentBytes {
		return problem(Endless, "arguments of more than %d bytes", tool.MaxArgumentBytes)
	}
	c.args.WriteString(s)
	return nil
}

// stop sets the reason for which the reply ends.
func (b *builder) stop(s llm.Stop) { b.reply.Stop, b.ended = s, true }

// finish checks the reply and returns it.
func (b *builder) finish(q *llm.Request) (*llm.Reply, error) {
	r := &b.reply
	if !b.ended {
		return nil, problem(Cut, "")
	}
	r.Text = strings.ToValidUTF8(b.text.String(), "\uFFFD")
	for _, c := range b.calls {
		args := strings.ToValidUTF8(c.args.String(), "\uFFFD")
		if q.Schema != nil && c.name == answerName {
			r.Text = unwrap(q.Schema, args)
			if r.Stop == llm.StopCalls {
				r.Stop = llm.StopEnd
			}
			continue
		}
		if c.id == "" {
			c.id = madeID + strconv.Itoa(len(r.Calls)+1)
		}
		r.Calls = append(r.Calls, llm.Call{ID: c.id, Name: c.name, Args: args, State: c.state})
	}
	if len(r.Calls) > 0 && r.Stop == llm.StopEnd {
		r.Stop = llm.StopCalls // some endpoints report "stop" after calls too
	}
	if r.Usage.In <= 0 && r.Usage.Out <= 0 {
		r.Usage = llm.Usage{In: llm.EstimateTokens(q.Size()), Out: llm.EstimateTokens(len(r.Text) + b.args), Estimated: true}
	}
	r.Usage.In, r.Usage.Out = max(r.Usage.In, 0), max(r.Usage.Out, 0)
	return r, nil
}

// readStream reads a whole reply. The error is an *Error, or that of the reader.
func readStream(w wire, in io.Reader, q *llm.Request) (*llm.Reply, error) {
	b := newBuilder(q)
	events := newEventReader(in)
	for {
		data, err := events.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		done, err := w.event(data, b)
		if err != nil {
			return nil, err
		}
		if done {
			break
		}
	}
	return b.finish(q)
}

// decode parses the data of an event.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return problem(Garbage, "an event that does not match the API: %s", text.Quoted(string(data)))
	}
	return nil
}

// said parses the member "error" of an answer or an event, which is an object with
// a message, or a string.
func said(raw json.RawMessage) (message, kind string) {
	if json.Unmarshal(raw, &message) == nil {
		return message, ""
	}
	var e struct{ Message, Type, Status string }
	if json.Unmarshal(raw, &e) != nil {
		return "", ""
	}
	if e.Type == "" {
		e.Type = e.Status
	}
	return e.Message, e.Type
}

// object returns arguments as a JSON object, for APIs that accept only objects.
func object(args string) json.RawMessage {
	if s := strings.TrimSpace(args); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return json.RawMessage("{}")
}
