package callrecord

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/tool"
)

// Searched records a question to a search provider. host is where the requests went; ""
// if there was none. err is nil when the provider has answered.
func Searched(ctx context.Context, query, provider, host string, took time.Duration, err error) {
	call := recordOf(ctx)
	if call == nil {
		return
	}
	e := audit.Event{Query: query, Provider: provider, Host: host, Milliseconds: float64(took.Microseconds()) / 1000}
	if host != "" {
		e.Decision = audit.Allow
	}
	if err != nil {
		e.Error, e.Detail = string(tool.SearchError), err.Error()
	}
	if r := refusal(err); r != nil {
		e.Decision, e.Rule = audit.Block, string(r.Decision.Rule)
	}
	call.add(ctx, e)
}
