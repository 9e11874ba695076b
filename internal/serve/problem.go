package serve

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/spyhop-dev/spyhop/internal/tool"
)

// problem is an error as RFC 9457 has it, with the members of every surface.
type problem struct {
	Type   string `json:"type"` // a path of the reference page
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`

	Error     bool           `json:"error"`
	ErrorType tool.ErrorType `json:"error_type"`
	Message   string         `json:"error_message"`
	Retryable bool           `json:"retry_possible"`
	Hint      string         `json:"hint,omitempty"`
}

// refuse answers with an error under a status.
func refuse(w http.ResponseWriter, status int, e *tool.Error) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	p := json.NewEncoder(w)
	p.SetEscapeHTML(false)
	_ = p.Encode(problem{
		Type: "/docs#" + string(e.Type), Title: string(e.Type), Status: status, Detail: e.Message,
		Error: true, ErrorType: e.Type, Message: e.Message, Retryable: e.Retryable, Hint: e.Hint,
	})
}

// quoted repeats what a client sent, within bounds.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.QuoteToASCII(s)
}
