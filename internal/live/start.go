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

// monitorSource are the monitors of the caller of a context, the latest first. Errors are
// *tool.Error.
type monitorSource interface {
	AddMonitor(context.Context, result.MonitorRequest) (*result.Monitor, error)
	Monitors(context.Context) ([]*result.Monitor, error)
	// MonitorChanges are those behind a cursor, at most n.
	MonitorChanges(ctx context.Context, monitor string, after int64, since time.Time, n int) (*result.PageChanges, error)
	RemoveMonitor(ctx context.Context, monitor string) error
}

const (
	// maxStartBytes bounds a form: 10,000 URLs and more are for the command and REST.
	maxStartBytes = 256 << 10
	// maxStarts bounds the URLs of a crawl or a monitor.
	maxStarts = 12
)

// start answers the form.
func (h *Handler) start(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		h.refuseForm(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxStartBytes)
	kind, q, err := startOf(r)
	to := "/sites?job="
	if err == nil {
		err = h.o.Counted(r.Context(), func(ctx context.Context) error {
			if kind == "monitor" {
				if h.o.Monitors == nil {
					return tool.NewError(tool.InvalidInput, "this server has no monitors", "spyhop monitor add URL stores one")
				}
				m, err := h.o.Monitors.AddMonitor(ctx, q)
				if err == nil {
					to = "/sites?monitor=" + url.QueryEscape(m.Monitor)
				}
				return err
			}
			c := result.CrawlRequest{URLs: q.URLs, Batch: kind == "batch"}
			if !c.Batch {
				c.Query, c.Include, c.MaxPages = q.Query, q.Include, q.MaxPages
			}
			job, err := h.o.Jobs.StartCrawl(ctx, c)
			if err == nil {
				to += url.QueryEscape(job.Job)
			}
			return err
		})
	}
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// startOf reads the form: the kind of what it starts (crawl, batch or monitor), and its
// members.
func startOf(r *http.Request) (kind string, q result.MonitorRequest, err error) {
	wrong := func(message, hint string) (string, result.MonitorRequest, error) {
		return "", q, tool.NewError(tool.InvalidInput, message, hint)
	}
	if err := r.ParseForm(); err != nil {
		return wrong("the form cannot be read", "a form may have 256 kB; spyhop batch takes more URLs")
	}
	kind = r.PostFormValue("kind")
	q = result.MonitorRequest{URLs: strings.Fields(r.PostFormValue("urls")), Query: strings.TrimSpace(r.PostFormValue("query")), Include: strings.Fields(r.PostFormValue("include"))}
	switch {
	case !slices.Contains([]string{"crawl", "batch", "monitor"}, kind):
		return wrong("there is no kind "+text.Quoted(kind), "choose crawl, batch or monitor")
	case len(q.URLs) == 0:
		return wrong("a URL is missing", "write at least one, each on a line of its own")
	case len(q.URLs) > maxStarts && kind != "batch":
		return wrong("more than 12 URLs are too many here", "a crawl takes 12 starts; a batch takes the URLs of a list")
	}
	if pages := strings.TrimSpace(r.PostFormValue("pages")); pages != "" {
		if q.MaxPages, err = strconv.Atoi(pages); err != nil || q.MaxPages < 1 {
			return wrong("the page limit "+text.Quoted(pages)+" is not allowed", "use a number from 1 up")
		}
	}
	if kind == "monitor" {
		q.Query = "" // the form has it for crawls
		if q.Every, err = time.ParseDuration(r.PostFormValue("every")); err != nil {
			return wrong("the interval "+text.Quoted(r.PostFormValue("every"))+" is not allowed", "use a duration from 1m to 720h, for example 6h")
		}
	}
	return kind, q, nil
}

// stop answers the button of a crawl, batch or monitor.
func (h *Handler) stop(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		h.refuseForm(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<10)
	to := "/sites"
	err := h.o.Counted(r.Context(), func(ctx context.Context) error {
		if monitor := r.PostFormValue("monitor"); monitor != "" && h.o.Monitors != nil {
			return h.o.Monitors.RemoveMonitor(ctx, monitor)
		}
		job := r.PostFormValue("job")
		to = "/sites?job=" + url.QueryEscape(job)
		return h.o.Jobs.StopCrawl(ctx, job)
	})
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
	all, err := h.o.Monitors.Monitors(r.Context())
	if err == nil {
		i := slices.IndexFunc(all, func(m *result.Monitor) bool { return m.Monitor == name })
		if i < 0 {
			err = &tool.Error{Type: tool.InvalidInput, Message: "monitor " + text.Quoted(name) + " does not exist", Hint: "the view Sites lists the monitors", Status: http.StatusNotFound}
		} else {
			var changes []result.PageChange
			if changes, err = h.changes(r.Context(), name); err == nil {
				h.write(w, r, http.StatusOK, p, "monitor", monitorView{all[i], changes})
				return
			}
		}
	}
	h.refuseErr(w, r, err)
}

// changes are the latest ones of a monitor, the latest first. It remembers 10,000.
func (h *Handler) changes(ctx context.Context, monitor string) (all []result.PageChange, err error) {
	for after, more := int64(0), true; more; {
		part, err := h.o.Monitors.MonitorChanges(ctx, monitor, after, time.Time{}, 1000)
		if err != nil {
			return nil, err
		}
		all = append(all, part.Changes...)
		all = all[max(0, len(all)-latestChanges):]
		more = part.More && part.Next > after
		after = part.Next
	}
	slices.Reverse(all)
	return all, nil
}
