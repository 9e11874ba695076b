package serve

import (
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// problem is an error as RFC 9457 has it, with the members of every surface.
type problem struct {
	Type   string `json:"type"` // a place on the reference page, or about:blank
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`

	Error     bool           `json:"error"`
	ErrorType tool.ErrorType `json:"error_type"`
	Message   string         `json:"error_message"`
	Retryable bool           `json:"retry_possible"`
	Hint      string         `json:"hint,omitempty"`
	Upstream  int            `json:"upstream_status"`
}

// refuse answers with an error under a status, in the form of the request's path. If the
// error has another status of its own, the title of the problem is that of the status.
func refuse(w http.ResponseWriter, r *http.Request, status int, e *tool.Error) {
	if isFirecrawl(r.URL.Path) {
		refuseFirecrawl(w, status, e)
		return
	}
	body, _ := encode(toProblem(status, e)) // it has only strings, numbers and booleans
	send(w, status, "application/problem+json", body)
}

func toProblem(status int, e *tool.Error) problem {
	kind, title := "/docs#"+string(e.Type), e.Type.Meaning()
	if status != e.HTTPStatus() || status == http.StatusNotFound {
		kind, title = "about:blank", http.StatusText(status)
	}
	return problem{Type: kind, Title: title, Status: status, Detail: e.Message, Error: true, ErrorType: e.Type, Message: e.Message, Retryable: e.Retryable, Hint: e.Hint, Upstream: e.UpstreamStatus()}
}

// notAllowed answers a method that a path does not have.
func notAllowed(w http.ResponseWriter, r *http.Request, allowed ...string) {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	refuse(w, r, http.StatusMethodNotAllowed, tool.NewError(tool.InvalidInput, quoted(r.URL.Path)+" does not take "+quoted(r.Method),
		"use "+strings.Join(allowed, " or ")))
}

// quoted repeats what a client sent.
func quoted(s string) string { return text.Quoted(s) }
