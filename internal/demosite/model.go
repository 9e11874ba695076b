package demosite

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// ScriptedModel is the name of the scripted model, whose answers are fixed
// texts.
const ScriptedModel = "scripted/not-a-language-model"

// Turn is one turn of a scripted model: a tool call, or a text.
type Turn struct {
	Tool, Args string
	Text       string
}

// Turns are a scripted model: an HTTP handler with the wire format of OpenAI's
// chat completions. The number of assistant messages in the request selects the
// turn. After the last turn, the model says that its script has ended.
type Turns []Turn

const noMoreTurns = "I am a scripted model, and my script has ended."

// ServeHTTP implements http.Handler.
func (s Turns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []struct{ Role string }
		Tools    []json.RawMessage
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 8<<20)).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"the request is not JSON"}}`) // fails only if the client disconnected
		return
	}
	at := 0
	for _, m := range q.Messages {
		if m.Role == "assistant" {
			at++
		}
	}
	turn := Turn{Text: noMoreTurns}
	if at < len(s) && (s[at].Tool == "" || len(q.Tools) > 0) {
		turn = s[at]
	}
	message, reason := map[string]any{"content": turn.Text}, "stop"
	if turn.Tool != "" {
		reason = "tool_calls"
		message = map[string]any{"tool_calls": []any{map[string]any{"id": "c" + strconv.Itoa(at), "type": "function",
			"function": map[string]string{"name": turn.Tool, "arguments": turn.Args}}}}
	}
	data, err := json.Marshal(map[string]any{"model": ScriptedModel, "choices": []any{map[string]any{"message": message, "finish_reason": reason}}})
	if err != nil {
		return // never happens: maps of strings can always be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

// ModelQuestion is the question that the site's scripted model answers, at
// ModelPath. It first misspells a tool and fetches a missing page, and then
// reads the right page.
const (
	ModelQuestion = "How often has the humpback of Lantern Bay been met?"
	ModelPath     = "/model/v1"
	// modelClaim is a quotation in its answer that is on the page; modelLie is one
	// that is not.
	modelClaim = "forty-one meetings"
	modelLie   = "a thousand and one meetings"
)

// script returns the turns of the site's scripted model.
func (s *Site) script() Turns {
	return Turns{
		{Tool: "web_serch", Args: `{"query":"humpback"}`},
		{Tool: "web_search", Args: `{"query":"humpback"}`},
		{Tool: "web_fetch", Args: `{"url":"` + s.Home + Missing + `"}`},
		{Tool: "web_fetch", Args: `{"url":"` + s.Home + `/article"}`},
		{Text: `The log speaks of ` + modelClaim + ` [1 "` + modelClaim + `"], and its keeper of "` + modelLie + `" [2]. I am a scripted model, not a language model: this answer is a fixed text.`},
	}
}
