package crawl

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestErrors: what is said of an error of the frontier, with its cause and the next step.
func TestErrors(t *testing.T) {
	refused := &frontier.Error{Code: frontier.Unavailable, What: "open PostgreSQL", Cause: errors.New("PostgreSQL refuses the connection")}
	for _, c := range []struct {
		name    string
		err     error
		typ     tool.ErrorType
		message string
		hint    string
	}{
		{"away", Error(refused), tool.ConnectionError, `cannot be reached now: "PostgreSQL refuses the connection"`, "resume the job later"},
		{"not there from the beginning", OpenError(refused, "check the address"), tool.ConnectionError, `cannot be reached now: "PostgreSQL refuses the connection"`, "check the address"},
		{"newer", OpenError(&frontier.Error{Code: frontier.Newer}, "check the address"), tool.ParseError, "cannot be used", "move crawl.db"},
		{"out of time", Error(&frontier.Error{Code: frontier.Ended, Cause: context.DeadlineExceeded}), tool.Timeout, "ran out of time", "try again"},
		{"cancelled", Error(&frontier.Error{Code: frontier.Ended, Cause: context.Canceled}), tool.Cancelled, "the call was ended", "resume the job"},
	} {
		e := tool.AsError(c.err)
		if e.Type != c.typ || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %s: %s (%s)", c.name, e.Type, e.Message, e.Hint)
		}
	}
}
