package serve

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Monitors read a site again and again and say what changed. They have the paths of jobs
// in jobs.go; what they have read is a list of changes.

// monitors are the monitors of the caller of a context. Errors are *tool.Error, as those
// of Jobs.
type monitors interface {
	AddMonitor(context.Context, result.MonitorRequest) (*result.Monitor, error)
	Monitors(context.Context) ([]*result.Monitor, error)
	MonitorStatus(ctx context.Context, monitor string) (*result.Monitor, error)
	MonitorChanges(ctx context.Context, monitor string, after int64, since time.Time, n int) (*result.PageChanges, error)
	RemoveMonitor(ctx context.Context, monitor string) error
}

const monitorsPath = "/v1/monitors"

func monitorInput() tool.Schema {
	text := tool.Schema{Type: tool.TypeString}
	return tool.Object(
		tool.String("url", "a page of the site"),
		tool.Array("urls", "several starts, at most 12", text),
		tool.String("every", "the time between rounds, from 1m to 720h, for example 1h; this or cron"),
		tool.String("cron", "a schedule in five fields, for example 0 9 * * 1-5"),
		tool.String("query", "only changes of blocks with these words"),
		tool.String("selector", "only changes of what this CSS selector selects"),
		tool.String("search", "in place of url: reports what this search of the web newly finds"),
		tool.Integer("max_pages", "how many pages a round reads; 100 if left out").Clamp(1, 5000),
		tool.Integer("max_depth", "links from a start").AtLeast(1),
		tool.Array("include", "globs of paths to keep", text),
		tool.Array("exclude", "globs of paths to leave out", text),
		tool.Boolean("subdomains", "adds the other hosts of the domain"),
		tool.Boolean("entire_site", "reads pages that are not below the path of the start too"),
		renderInput(),
		tool.Member("webhook", "is told of changes by signed POSTs", tool.Object(tool.String("url", "where the messages go").Require())),
	)
}

func (s *Server) addMonitor(ctx context.Context, r *http.Request) (any, error) {
	q, notices, err := monitorRequest(r)
	if err != nil {
		return nil, err
	}
	state, err := s.o.Monitors.AddMonitor(ctx, q)
	if err != nil {
		return nil, err
	}
	state.Notices = append(state.Notices, notices...)
	return withHeader{http.StatusAccepted, "Location", monitorsPath + "/" + url.PathEscape(state.Monitor), state}, nil
}

func monitorRequest(r *http.Request) (q result.MonitorRequest, notices []string, err error) {
	q, args, notices, err := bodyOf[result.MonitorRequest](r, monitorInput())
	if err != nil {
		return q, nil, err
	}
	every := args.String("every")
	wrong := func(message, hint string) (result.MonitorRequest, []string, error) {
		return q, nil, tool.NewError(tool.InvalidInput, message, hint)
	}
	if u := args.String("url"); u != "" {
		q.URLs = append([]string{u}, q.URLs...)
	}
	if every == "" && q.Cron == "" {
		return wrong("the monitor has neither every nor cron", "for example every 1h")
	} else if q.Every, err = time.ParseDuration(cmp.Or(every, "1h")); err != nil {
		return wrong("every is "+quoted(every)+", which is not a duration", "for example 1h or 30m")
	}
	if len(q.URLs) > maxJobStarts {
		return wrong("urls has more than 12 addresses", "use several monitors")
	}
	_, q.Webhook, err = webhookOf(args)
	return q, notices, err
}

func (s *Server) listMonitors(ctx context.Context, r *http.Request) (any, error) {
	all, err := s.o.Monitors.Monitors(ctx)
	return map[string]any{"monitors": append([]*result.Monitor{}, all...)}, err
}

// sinceAnswer is what changed since a time: the latest change of each page.
type sinceAnswer struct {
	*result.Monitor
	Added   []result.PageChange `json:"added"`
	Changed []result.PageChange `json:"changed"`
	Gone    []result.PageChange `json:"gone"`
}

// oneMonitor answers with the state of a monitor, with since= also with what changed
// since then, or removes it.
func (s *Server) oneMonitor(ctx context.Context, r *http.Request) (any, error) {
	id := r.PathValue("id")
	since, e := sinceOf(r)
	if e != nil {
		return nil, e
	}
	if r.Method == http.MethodDelete {
		return nil, s.o.Monitors.RemoveMonitor(ctx, id)
	}
	state, err := s.o.Monitors.MonitorStatus(ctx, id)
	if err != nil || since.IsZero() {
		return state, err
	}
	list, err := s.o.Monitors.MonitorChanges(ctx, id, 0, since, maxJobBatch)
	if err != nil {
		return nil, err
	}
	return sinceThen(state, list.Changes), nil
}

// sinceThen puts changes together: a page that was added and then changed is added, one
// that was added and is gone is nothing.
func sinceThen(m *result.Monitor, all []result.PageChange) sinceAnswer {
	out := sinceAnswer{Monitor: m, Added: []result.PageChange{}, Changed: []result.PageChange{}, Gone: []result.PageChange{}}
	first := map[string]string{}
	var urls []string
	latest := map[string]result.PageChange{}
	for _, c := range all {
		if first[c.URL] == "" {
			first[c.URL] = c.Change
			urls = append(urls, c.URL)
		}
		latest[c.URL] = c
	}
	for _, u := range urls {
		c, was := latest[u], first[u]
		switch there := was != "added"; {
		case c.Change == "gone" && there:
			out.Gone = append(out.Gone, c)
		case c.Change == "gone":
		case there:
			c.Change = "changed"
			out.Changed = append(out.Changed, c)
		default:
			c.Change = "added"
			out.Added = append(out.Added, c)
		}
	}
	return out
}

// sinceOf reads since: a time (RFC 3339), a date, or a duration before now.
func sinceOf(r *http.Request) (t time.Time, e *tool.Error) {
	text := r.URL.Query().Get("since")
	if text == "" {
		return t, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return t, tool.NewError(tool.InvalidInput, "since="+quoted(text)+" is neither a time nor a duration", "for example 2026-01-31, 2026-01-31T08:00:00Z, or 24h")
	}
	return time.Now().Add(-d), nil
}

// monitorPages answers with changes behind a cursor.
func (s *Server) monitorPages(ctx context.Context, r *http.Request) (any, error) {
	after, limit, e := partOf(r)
	if e != nil {
		return nil, e
	}
	since, e := sinceOf(r)
	if e != nil {
		return nil, e
	}
	return s.o.Monitors.MonitorChanges(ctx, r.PathValue("id"), after, since, limit)
}

// monitorEvery is how often a stream looks for changes: rounds are minutes apart.
const monitorEvery = 5 * time.Second

// monitorEvents sends changes as they are seen.
func (s *Server) monitorEvents(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	var state *result.Monitor
	s.stream(w, r, func(ctx context.Context, _ int64, _ bool) (_ bool, err error) {
		state, err = s.o.Monitors.MonitorStatus(ctx, id)
		return false, err
	}, func(ctx context.Context, after int64, out *events) {
		seen := int64(-1)
		for spoke := time.Now(); out.err == nil; {
			if _, ok, _ := s.caller(r); !ok {
				return // its token is not valid any more
			}
			if state.Changes != seen {
				seen = state.Changes
				for more := true; more && out.err == nil; {
					list, err := s.o.Monitors.MonitorChanges(ctx, id, after, time.Time{}, maxJobAnswer)
					if err != nil {
						return
					}
					for _, c := range list.Changes {
						_ = out.json("change", strconv.FormatInt(c.Cursor, 10), c)
					}
					after, more = list.Next, list.More
				}
				_ = out.json("status", strconv.FormatInt(after, 10), state)
				spoke = time.Now()
			}
			if time.Since(spoke) >= 3*monitorEvery {
				_ = out.write([]byte(":\n\n"))
				spoke = time.Now()
			}
			select {
			case <-time.After(monitorEvery):
			case <-ctx.Done():
				return
			}
			var err error
			if state, err = s.o.Monitors.MonitorStatus(ctx, id); err != nil {
				return // removed
			}
		}
	})
}
