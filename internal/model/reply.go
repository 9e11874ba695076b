package model

import (
	"cmp"
	"encoding/json"
	"errors"
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
	// reply reads the body of a response.
	reply(data []byte) (*llm.Reply, error)
}

// bytesPerToken is above the length of any token. A text of more bytes than the
// allowed tokens can have exceeds the limit, whatever the endpoint counts.
const bytesPerToken = 64

// read returns the reply of a body, within its limits. The error is a *replyError.
func read(w wire, data []byte, q *llm.Request) (*llm.Reply, error) {
	r, err := w.reply(data)
	if err != nil {
		return nil, err
	}
	if most := min(cmp.Or(max(q.MaxTokens, 0), llm.DefaultMaxTokens), 1<<20) * bytesPerToken; len(r.Text) > most {
		return nil, problem(endless, "more than %d bytes of text", most)
	}
	if len(r.Calls) > maxCalls {
		return nil, problem(endless, "more than %d calls", maxCalls)
	}
	calls, args := r.Calls, 0
	r.Calls = nil
	for _, c := range calls {
		if args += len(c.Args); args > tool.MaxArgumentBytes {
			return nil, problem(endless, "arguments of more than %d bytes", tool.MaxArgumentBytes)
		}
		c.Args = strings.ToValidUTF8(c.Args, "\uFFFD")
		if q.Schema != nil && c.Name == answerName {
			r.Text = unwrap(q.Schema, c.Args)
			if r.Stop == llm.StopCalls {
				r.Stop = llm.StopEnd
			}
			continue
		}
		c.ID = cmp.Or(c.ID, madeID+strconv.Itoa(len(r.Calls)+1))
		r.Calls = append(r.Calls, c)
	}
	if len(r.Calls) > 0 && r.Stop == llm.StopEnd {
		r.Stop = llm.StopCalls // some endpoints report "stop" after calls too
	}
	if r.Usage.In <= 0 && r.Usage.Out <= 0 {
		r.Usage = llm.Usage{In: llm.EstimateTokens(q.Size()), Out: llm.EstimateTokens(len(r.Text) + args), Estimated: true}
	}
	r.Usage.In, r.Usage.Out = max(r.Usage.In, 0), max(r.Usage.Out, 0)
	return r, nil
}

// decode parses a body. One that breaks off is Cut.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var e *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && e.Offset >= int64(len(data)):
		return problem(cut, "")
	}
	return problem(garbage, "a response that does not match the API: %s", text.Quoted(string(data)))
}

// said parses the member "error" of a response, which is an object with
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
