package serve

import "net/http"

// newMCP returns what answers at /mcp; nil: nothing does.
func newMCP(Options) (http.Handler, error) { return nil, nil }
