package live

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strconv"

	"github.com/spyhop-dev/spyhop/result"
)

// The view Browser: the contexts of the caller, a picture of each that follows, and the
// agent's calls beside it. A picture is an SVG that holds the picture of the window and
// marks the element that was acted on: nothing is drawn into the page itself. In an
// <img>, an SVG runs no scripts and loads nothing.

// Browsers has the browser contexts of callers.
type Browsers interface {
	// BrowserViews returns the contexts of the caller of ctx, and a channel that is
	// closed when something happens.
	BrowserViews(ctx context.Context) (views []result.BrowserView, changed <-chan struct{})
	// BrowserPicture takes a picture of one of them.
	BrowserPicture(ctx context.Context, id string) (result.BrowserPicture, error)
}

// maxShownContexts bounds the contexts that the view shows.
const maxShownContexts = 6

func (h *Handler) browserPage(w http.ResponseWriter, r *http.Request) {
	views, _ := h.o.Browsers.BrowserViews(r.Context())
	h.write(w, r, http.StatusOK, h.layout(r, "Browser", "/browser"), "browser", views[:min(len(views), maxShownContexts)])
}

// browserEvents sends the contexts in which something has happened.
func (h *Handler) browserEvents(w http.ResponseWriter, r *http.Request) {
	sent := make(map[string]string)
	first := r.Header.Get("Last-Event-ID") == ""
	h.stream(w, r, func() (string, []byte, <-chan struct{}, bool) {
		views, changed := h.o.Browsers.BrowserViews(r.Context())
		var b bytes.Buffer
		for i := min(len(views), maxShownContexts) - 1; i >= 0; i-- {
			v := views[i]
			if state := fmt.Sprint(v.Number, v.Ended); sent[v.ID] != state {
				sent[v.ID] = state
				h.execute(&b, "browser-context", v)
			}
		}
		if first {
			b.Reset() // the page has these
			first = false
		}
		return strconv.Itoa(len(sent)), b.Bytes(), changed, h.activity.over()
	})
}

func (h *Handler) browserPicture(w http.ResponseWriter, r *http.Request) {
	p, err := h.o.Browsers.BrowserPicture(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"><image width="%d" height="%d" href="data:image/jpeg;base64,%s"/>`,
		p.Width, p.Height, p.Width, p.Height, p.Width, p.Height, base64.StdEncoding.EncodeToString(p.JPEG))
	if p.W > 0 {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4" fill="none" stroke="#fff" stroke-width="6"/><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4" fill="none" stroke="#d1242f" stroke-width="3"/>`,
			p.X-3, p.Y-3, p.W+6, p.H+6, p.X-3, p.Y-3, p.W+6, p.H+6)
		label := p.Y - 8
		if label < 14 {
			label = p.Y + p.H + 18 // below an element at the top: the label must not cover it
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" font-family="monospace" font-size="15" font-weight="700" fill="#d1242f" stroke="#fff" stroke-width="4" paint-order="stroke">%s</text>`,
			p.X, label, html.EscapeString(p.Ref))
	}
	b.WriteString("</svg>")
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; sandbox")
	patience(w)
	_, _ = w.Write(b.Bytes())
}
