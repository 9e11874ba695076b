package serve

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// POST /v1/answer is the tool web_answer under a path of its own. With Accept:
// text/event-stream its steps are events as they happen:
//
//	event: step
//	data: {"n":1,"tool":"web_search",…}
//
//	event: text
//	data: {"text":"The light was lit on 31 August 1881 [1]."}
//
//	event: answer
//	data: the object of a JSON response
//
// A call that fails after the stream has begun ends with the event error, whose data is
// the problem of a JSON response. The text is one event, because it is checked as a whole.

const (
	answerPath = "/v1/answer"
	answerTool = "web_answer"
)

// answers reports whether the server has the tool.
func (s *Server) answers() bool {
	d, e := s.find(answerTool)
	return e == nil && d.Name == answerTool
}

// answer answers a question.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	d, e := s.find(answerTool)
	if e != nil {
		refuse(w, r, http.StatusNotFound, e)
		return
	}
	args, _, e := arguments(d, r)
	if e != nil {
		s.fail(w, r, e)
		return
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		got, err := s.called(r.Context(), w, answerTool, args, tool.Options{Given: true})
		if err != nil {
			s.fail(w, r, tool.AsError(err))
			return
		}
		s.answerObject(w, r, got)
		return
	}
	s.streamAnswer(w, r, args)
}

func (s *Server) streamAnswer(w http.ResponseWriter, r *http.Request, args json.RawMessage) {
	var stream *events
	begin := func() {
		if stream == nil {
			stream = newEvents(w)
		}
	}
	got, err := s.called(r.Context(), w, answerTool, args, tool.Options{Given: true, Progress: func(p tool.Progress) {
		if p.Step != nil {
			begin()
			_ = stream.json("step", "", p.Step) // a client that has gone ends the call by its context
		}
	}})
	if err != nil && stream == nil { // nothing has been sent: the status can still say it
		s.fail(w, r, tool.AsError(err))
		return
	}
	begin()
	if err != nil {
		e := tool.AsError(err)
		if e.Type == tool.Internal {
			s.o.OnError(e)
		}
		_ = stream.json("error", "", toProblem(e.HTTPStatus(), e))
		return
	}
	object, err := got.Object()
	if err != nil {
		_ = stream.json("error", "", toProblem(http.StatusInternalServerError, tool.AsError(err)))
		return
	}
	var text struct {
		Answer string `json:"answer"`
	}
	if json.Unmarshal(object, &text) == nil && text.Answer != "" {
		_ = stream.json("text", "", map[string]string{"text": text.Answer})
	}
	_ = stream.json("answer", "", object)
}

// answerOperation describes the path.
func answerOperation(d tool.Declaration) operation {
	content := jsonBody(answerForm(d))
	content["text/event-stream"] = object{"schema": object{"type": "string"}}
	return operation{ID: "answer", Tags: []string{"server"}, Summary: "Answers a question from the web, with quotations",
		Description: "With `Accept: text/event-stream`: the events `step` (a call of a tool), `text`, `answer` (the object of the JSON response), or `error`.",
		Body:        object{"required": true, "content": jsonBody(d.Input)},
		Responses:   responses("The answer.", content)}
}
