package demosite

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// ScriptedModel is what the scripted model calls itself: its answers were
// written beforehand, and it understands nothing.
const ScriptedModel = "scripted/not-a-language-model"

// Turn is one turn of a scripted model: a call of a tool, or a text.
type Turn struct {
	Tool, Args string
	Text       string
}

// Turns are a scripted model. They speak the wire form of OpenAI's chat
// completions. Which turn is next shows in how often the model has spoken in the
// conversation; after the last one it says that there are no more.
type Turns []Turn

const noMoreTurns = "I am a script, and this is the end of it."

// ServeHTTP implements http.Handler.
func (s Turns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []struct{ Role string }
		Tools    []json.RawMessage
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 8<<20)).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"the request is no JSON"}}`) // a reader that went away
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
	delta, reason := map[string]any{"content": turn.Text}, "stop"
	if turn.Tool != "" {
		reason = "tool_calls"
		delta = map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "c" + strconv.Itoa(at), "type": "function",
			"function": map[string]string{"name": turn.Tool, "arguments": turn.Args}}}}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []any{
		map[string]any{"model": ScriptedModel, "choices": []any{map[string]any{"delta": delta}}},
		map[string]any{"choices": []any{map[string]any{"delta": map[string]any{}, "finish_reason": reason}}},
	} {
		data, err := json.Marshal(event)
		if err != nil {
			return // maps of texts always can be written
		}
		_, _ = io.WriteString(w, "data: "+string(data)+"\n\n")
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// ModelQuestion is what the site's own script answers, at ModelPath. It makes a
// mistake, meets a page that is not there, and then reads the right one.
const (
	ModelQuestion = "How often has the humpback of Lantern Bay been met?"
	ModelPath     = "/model/v1"
	// ModelClaim is a quotation that its answer has from the page, ModelLie one
	// that it has from nowhere.
	ModelClaim = "forty-one meetings"
	ModelLie   = "a thousand and one meetings"
)

// script is the site's own.
func (s *Site) script() Turns {
	return Turns{
		{Tool: "web_serch", Args: `{"query":"humpback"}`},
		{Tool: "web_search", Args: `{"query":"humpback"}`},
		{Tool: "web_fetch", Args: `{"url":"` + s.Home + Missing + `"}`},
		{Tool: "web_fetch", Args: `{"url":"` + s.Home + `/article"}`},
		{Text: `The log speaks of ` + ModelClaim + ` [1], and its keeper of "` + ModelLie + `" [2]. I am a script and no language model: this answer was written beforehand.`},
	}
}
