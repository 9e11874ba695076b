package live

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// What moves comes as server-sent events: each is a piece of the page, whose elements
// have ids. live.js puts an element in place of the one with its id, or at the
// beginning of the list that listens.

const (
	// streamAge is how long a stream lasts. The browser opens the next one, which is
	// checked anew: whoever has signed out or lost his token gets none.
	streamAge = 5 * time.Minute
	// beat is the time between lines that say that the server is there.
	beat = 15 * time.Second
	// pause is the least time between two events.
	pause = 250 * time.Millisecond
)

// stream sends what next returns, each time that its channel is closed. A nil channel
// says that nothing more will come: the browser is told not to come back. With ended, it
// comes back by itself.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, next func() (id string, piece []byte, changed <-chan struct{}, ended bool)) {
	if h.o.Follow != nil {
		ctx, leave, e := h.o.Follow(r.Context())
		if e != nil {
			w.Header().Set("Retry-After", "5")
			h.Refuse(w, r, e.HTTPStatus(), e)
			return
		}
		defer leave()
		r = r.WithContext(ctx)
	}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	send := func(b []byte) bool {
		patience(w)
		_, err := w.Write(b)
		return err == nil && out.Flush() == nil
	}
	if !send([]byte("retry: 2000\n\n")) {
		return
	}
	age := time.NewTimer(streamAge)
	defer age.Stop()
	alive := time.NewTicker(beat)
	defer alive.Stop()
	var last []byte
	for {
		id, piece, changed, ended := next()
		if ended {
			return
		}
		if len(piece) > 0 && !bytes.Equal(piece, last) {
			if !send(eventOf(id, piece)) {
				return
			}
			last = piece
		}
		if changed == nil {
			send([]byte("event: over\ndata:\n\n"))
			return
		}
		wait := time.NewTimer(pause)
		select {
		case <-wait.C:
		case <-r.Context().Done():
			wait.Stop()
			return
		}
		if !h.awaits(r.Context(), changed, alive.C, age.C, func() bool { return send([]byte(":\n\n")) }) {
			return
		}
	}
}

// awaits waits until something has changed, and calls beat at each tick. It is false where the
// stream ends.
func (h *Handler) awaits(ctx context.Context, changed <-chan struct{}, tick, end <-chan time.Time, beat func() bool) bool {
	for {
		select {
		case <-changed:
			return true
		case <-tick:
			if beat() {
				continue
			}
		case <-end:
		case <-h.ended:
		case <-ctx.Done():
		}
		return false
	}
}

// eventOf is a piece of the page as an event.
func eventOf(id string, piece []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "id: %s\n", id)
	for line := range bytes.Lines(piece) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// lastOf is the number of the latest event that a page has: the browser sends it when a
// stream is opened again, and the page itself the first time.
func lastOf(r *http.Request) int64 {
	n, _ := strconv.ParseInt(cmp.Or(r.Header.Get("Last-Event-ID"), r.FormValue("after")), 10, 64)
	return max(n, 0)
}
