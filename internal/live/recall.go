package live

import (
	"context"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// The view Recall: what pages said that the caller has read before.

// recallForm is what is looked for.
type recallForm struct{ Query, Site string }

func (h *Handler) recall(w http.ResponseWriter, r *http.Request) {
	q := query(r)
	f := recallForm{strings.TrimSpace(q.Get("query")), strings.TrimSpace(q.Get("site"))}
	p := h.layout(r, "Recall", "/recall")
	if f.Query == "" {
		h.write(w, r, http.StatusOK, p, "recall-form", f)
		return
	}
	h.writeLater(w, r, p, "recall-form", f, "Looking for "+text.Quoted(f.Query), func(ctx context.Context) part {
		found, err := called[result.Recall](ctx, h, "web_recall", map[string]any{"query": f.Query, "site": f.Site})
		if err != nil {
			return failed(err)
		}
		return part{"recall-result", found, 0}
	})
}
