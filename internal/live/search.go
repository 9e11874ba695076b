package live

import (
	"context"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// The view Search.

// searchForm is what a person searches for.
type searchForm struct{ Query, Site, Range string }

// searchResult is what came.
type searchResult struct {
	Form searchForm
	*result.Search
}

func (h *Handler) search(w http.ResponseWriter, r *http.Request) {
	q := query(r)
	f := searchForm{strings.TrimSpace(q.Get("query")), strings.TrimSpace(q.Get("site")), q.Get("time_range")}
	p := h.layout(r, "Search", "/search")
	if f.Query == "" {
		h.write(w, r, http.StatusOK, p, "search-form", f)
		return
	}
	h.writeLater(w, r, p, "search-form", f, "Searching for "+text.Quoted(f.Query), func(ctx context.Context) part {
		found, err := called[result.Search](ctx, h, "web_search", map[string]any{"query": f.Query, "site": f.Site, "time_range": f.Range, "max_results": 10})
		if err != nil {
			return failed(err)
		}
		return part{"search-result", searchResult{f, found}, 0}
	})
}
