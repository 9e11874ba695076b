package live

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The forms of the view Sites that start crawls, batches and monitors, and what monitors
// have seen.

// Start is what a form starts. Zero values are the defaults of the server.
type Start struct {
	// Kind is "crawl", "batch" or "monitor".
	Kind    string
	URLs    []string
	Query   string
	Include []string
	// MaxPages is the page limit, of a monitor that of a round.
	MaxPages int
	// Every is the time between the rounds of a monitor.
	Every time.Duration
}

// Work starts and stops what runs in the background, for the caller of a context.
// Errors are *tool.Error.
type Work interface {
	// Start returns the name of the crawl, batch or monitor.
	Start(context.Context, Start) (string, error)
	Stop(ctx context.Context, job string) error
	// Monitors lists monitors, the latest first; MonitorChanges are the last n changes
	// of one, the latest first. Both are empty on a server without monitors.
	Monitors(context.Context) ([]*result.Monitor, error)
	MonitorChanges(ctx context.Context, monitor string, n int) ([]result.PageChange, error)
	RemoveMonitor(ctx context.Context, monitor string) error
}

// maxStartBytes bounds a form: 10,000 URLs and more are for the command and REST.
const maxStartBytes = 256 << 10

// start answers the form.
func (h *Handler) start(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		h.refuseForm(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxStartBytes)
	s, err := startOf(r)
	var id string
	if err == nil {
		id, err = h.o.Work.Start(r.Context(), s)
	}
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	to := "/sites?job="
	if s.Kind == "monitor" {
		to = "/sites?monitor="
	}
	http.Redirect(w, r, to+url.QueryEscape(id), http.StatusSeeOther)
}

// startOf reads the form.
func startOf(r *http.Request) (Start, error) {
	wrong := func(message, hint string) (Start, error) {
		return Start{}, tool.NewError(tool.InvalidInput, message, hint)
	}
	if err := r.ParseForm(); err != nil {
		return wrong("the form cannot be read", "a form may have 256 kB; spyhop batch takes more URLs")
	}
	s := Start{Kind: r.PostFormValue("kind"), URLs: strings.Fields(r.PostFormValue("urls")), Query: strings.TrimSpace(r.PostFormValue("query")), Include: strings.Fields(r.PostFormValue("include"))}
	if !slices.Contains([]string{"crawl", "batch", "monitor"}, s.Kind) {
		return wrong("there is no kind "+text.Quoted(s.Kind), "choose crawl, batch or monitor")
	}
	if len(s.URLs) == 0 {
		return wrong("a URL is missing", "write at least one, each on a line of its own")
	}
	if pages := strings.TrimSpace(r.PostFormValue("pages")); pages != "" {
		n, err := strconv.Atoi(pages)
		if err != nil || n < 1 {
			return wrong("the page limit "+text.Quoted(pages)+" is not allowed", "use a number from 1 up")
		}
		s.MaxPages = n
	}
	if s.Kind == "monitor" {
		d, err := time.ParseDuration(r.PostFormValue("every"))
		if err != nil {
			return wrong("the interval "+text.Quoted(r.PostFormValue("every"))+" is not allowed", "use a duration from 1m to 720h, for example 6h")
		}
		s.Every = d
	}
	return s, nil
}

// stop answers the button of a crawl, batch or monitor.
func (h *Handler) stop(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		h.refuseForm(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<10)
	to, err := "/sites", error(nil)
	if monitor := r.PostFormValue("monitor"); monitor != "" {
		err = h.o.Work.RemoveMonitor(r.Context(), monitor)
	} else {
		job := r.PostFormValue("job")
		err, to = h.o.Work.Stop(r.Context(), job), "/sites?job="+url.QueryEscape(job)
	}
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// monitorView is a monitor with its latest changes.
type monitorView struct {
	*result.Monitor
	All []result.PageChange
}

const latestChanges = 100

// monitor shows one monitor.
func (h *Handler) monitor(w http.ResponseWriter, r *http.Request, p layout, name string) {
	all, err := h.o.Work.Monitors(r.Context())
	if err == nil {
		i := slices.IndexFunc(all, func(m *result.Monitor) bool { return m.Monitor == name })
		if i < 0 {
			err = &tool.Error{Type: tool.InvalidInput, Message: "monitor " + text.Quoted(name) + " does not exist", Hint: "the view Sites lists the monitors", Status: http.StatusNotFound}
		} else {
			var changes []result.PageChange
			if changes, err = h.o.Work.MonitorChanges(r.Context(), name, latestChanges); err == nil {
				h.write(w, r, http.StatusOK, p, "monitor", monitorView{all[i], changes})
				return
			}
		}
	}
	h.refuseErr(w, r, err)
}
