package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Monitors as Firecrawl has them: those of monitors.go, with one target each. A check is a
// round; those are known that have seen a change, and the last one. The id of a check is the
// time at which it ended, in seconds.

const (
	firecrawlMonitors = firecrawlPath + "monitor"
	// retentionDays is how long changes are remembered: there is a bound of their number.
	retentionDays = 365
)

// monitorOptions are those of POST /v2/monitor.
func monitorOptions() options {
	return options{supported: append([]tool.Property{
		tool.String("name", "what people call it").Require(),
		tool.Map("schedule", "cron: five fields; or text: every 30 minutes, hourly, daily, daily at 9:00, weekly"),
		tool.Array("targets", "one: scrape (urls), crawl (url, crawlOptions) or search (queries: one)", tool.Schema{}).Require(),
		tool.Map("webhook", "url: is told of changes by signed POSTs"),
		tool.String("goal", "only changes of blocks with words of this are reported"),
	}, who()...), fixed: fixedEverywhere()}.with(map[string]fixed{
		"notification":  {[]string{"{}"}, "this server sends no mail; use webhook"},
		"retentionDays": {nil, "changes are remembered until there are 10,000"},
		"judgeEnabled":  {[]string{"false"}, "no model judges changes"},
	})
}

// firecrawlMonitor is the state of a monitor.
type firecrawlMonitor struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Status    string          `json:"status"`
	Schedule  json.RawMessage `json:"schedule"`
	Next      *time.Time      `json:"nextRunAt"`
	Last      *time.Time      `json:"lastRunAt"`
	Targets   json.RawMessage `json:"targets"`
	Webhook   json.RawMessage `json:"webhook,omitempty"`
	Retention int             `json:"retentionDays"`
	Goal      string          `json:"goal,omitempty"`
	Judge     bool            `json:"judgeEnabled"`
	Created   time.Time       `json:"createdAt"`
	Updated   time.Time       `json:"updatedAt"`
}

// newMonitor is a monitor with what the request that has started it said.
func newMonitor(m *result.Monitor) firecrawlMonitor {
	out := firecrawlMonitor{Status: "active"}
	if json.Unmarshal(m.Scrape, &out) != nil || out.Name == "" { // started elsewhere
		out.Name = strings.Join(append(slices.Clone(m.URLs), m.Search), " ")
		out.Schedule, _ = json.Marshal(map[string]string{"cron": m.Cron, "text": "every " + m.Every})
		out.Targets, _ = json.Marshal([]any{map[string]any{"type": "crawl", "url": strings.Join(m.URLs, " ")}})
	}
	out.ID, out.Retention, out.Goal, out.Created, out.Updated = m.Monitor, retentionDays, m.Query, m.Created, m.Created
	if !m.Next.IsZero() {
		out.Next = &m.Next
	}
	if !m.Last.IsZero() {
		out.Last, out.Updated = &m.Last, m.Last
	}
	return out
}

// schedule reads the option of the same name.
func schedule(v any, q *result.MonitorRequest) *tool.Error {
	words, ok := textsByName(v)
	cron, said := words["cron"], strings.ToLower(strings.Join(strings.Fields(words["text"]), " "))
	switch {
	case words["timezone"] != "":
		return tool.NewError(tool.InvalidInput, "option timezone of the schedule is unsupported: schedules are in the time zone of this server", "leave it out")
	case !ok || (cron == "") == (said == ""):
		return tool.NewError(tool.InvalidInput, "the schedule has neither cron nor text, or both", `for example {"cron":"0 9 * * 1-5"}`)
	case cron != "":
		q.Cron = cron
		return nil
	}
	if at, ok := strings.CutPrefix(said, "daily at "); ok {
		if t, err := time.Parse("15:04", at); err == nil {
			q.Cron = fmt.Sprintf("%d %d * * *", t.Minute(), t.Hour())
			return nil
		}
	}
	if q.Cron = map[string]string{"hourly": "0 * * * *", "daily": "0 0 * * *", "weekly": "0 0 * * 0"}[said]; q.Cron != "" {
		return nil
	}
	every, ok := strings.CutPrefix(said, "every ")
	if parts := strings.Fields(every); ok {
		if len(parts) == 1 {
			parts = []string{"1", parts[0]}
		}
		unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[strings.TrimSuffix(parts[len(parts)-1], "s")]
		if n, err := strconv.Atoi(parts[0]); err == nil && len(parts) == 2 && unit > 0 && n > 0 && n < 100_000 {
			q.Every = time.Duration(n) * unit
			return nil
		}
	}
	return tool.NewError(tool.InvalidInput, "the schedule "+text.Quoted(words["text"])+" is not understood", "use cron, or for example every 30 minutes, hourly, daily at 9:00")
}

// target reads the one target of a monitor.
func (o given) target(q *result.MonitorRequest) *tool.Error {
	list, _ := o.args["targets"].([]any)
	object, ok := map[string]any(nil), false
	if len(list) == 1 {
		object, ok = list[0].(map[string]any)
	}
	if !ok {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("the monitor has %d targets", len(list)), "a monitor has one; use several monitors")
	}
	kind, _ := object["type"].(string)
	supported := map[string][]string{"scrape": {"urls"}, "crawl": {"url", "crawlOptions"}, "search": {"queries"}}[kind]
	for name := range object {
		if name != "type" && name != "id" && !slices.Contains(supported, name) {
			return tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" of a target of the type "+text.Name(kind)+" is unsupported", "use "+strings.Join(supported, ", "))
		}
	}
	urls, isList := texts(object["urls"])
	switch kind {
	case "scrape":
		if !isList || len(urls) == 0 || len(urls) > maxJobStarts {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("a target has 1 to %d urls", maxJobStarts), "use several monitors")
		}
		q.URLs, q.MaxPages = urls, len(urls)
		return nil
	case "search":
		queries, isList := texts(object["queries"])
		if !isList || len(queries) != 1 {
			return tool.NewError(tool.InvalidInput, "a target has one query", "use several monitors")
		}
		q.Search = queries[0]
		return nil
	case "crawl":
		members, _ := object["crawlOptions"].(map[string]any)
		body := map[string]any{"url": object["url"]}
		for name, v := range members {
			if !slices.Contains([]string{"limit", "maxDiscoveryDepth", "allowSubdomains", "crawlEntireDomain"}, name) {
				return tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" of crawlOptions is unsupported in a monitor", "use limit, maxDiscoveryDepth, allowSubdomains, crawlEntireDomain")
			}
			body[name] = v
		}
		raw, err := json.Marshal(body)
		if err != nil {
			return tool.AsError(err)
		}
		crawl, e := crawlOptions().read(raw)
		if e != nil {
			return e
		}
		a := crawl.args
		q.URLs, q.MaxDepth, q.Subdomains, q.EntireSite = []string{a.String("url")}, a.Int("maxDiscoveryDepth"), a.Bool("allowSubdomains"), a.Bool("crawlEntireDomain")
		if crawl.named["limit"] {
			q.MaxPages = a.Int("limit")
		}
		return nil
	}
	return tool.NewError(tool.InvalidInput, "the type "+text.Quoted(kind)+" of a target is unknown", "use scrape, crawl or search")
}

// addFirecrawlMonitor answers POST /v2/monitor.
func (s *Server) addFirecrawlMonitor(w http.ResponseWriter, r *http.Request) {
	s.firecrawl(w, r, monitorOptions(), func(ctx context.Context, o given) (any, error) {
		q := result.MonitorRequest{Query: o.args.String("goal")}
		if e := schedule(o.args["schedule"], &q); e != nil {
			return nil, e
		}
		if e := o.target(&q); e != nil {
			return nil, e
		}
		if hook, ok := o.args["webhook"].(map[string]any); ok {
			for name := range hook {
				if name != "url" {
					return nil, tool.NewError(tool.InvalidInput, "option "+text.Name(name)+" of the webhook is unsupported in a monitor", "give url alone")
				}
			}
			q.Webhook, _ = hook["url"].(string)
		}
		note := map[string]any{}
		for _, name := range []string{"name", "schedule", "targets", "webhook"} {
			if v, ok := o.args[name]; ok {
				note[name] = v
			}
		}
		var err error
		if q.Scrape, err = json.Marshal(note); err != nil || len(q.Scrape) > maxJobScrape {
			return nil, tool.NewError(tool.TooLarge, fmt.Sprintf("the monitor has more than %d bytes", maxJobScrape), "give it less")
		}
		m, err := s.o.Monitors.AddMonitor(ctx, q)
		if err != nil {
			return nil, err
		}
		return map[string]any{"success": true, "id": m.Monitor, "data": newMonitor(m), "webhookSecret": m.WebhookSecret}, nil
	})
}

// listFirecrawlMonitors answers GET /v2/monitor.
func (s *Server) listFirecrawlMonitors(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		all, err := s.o.Monitors.Monitors(ctx)
		list := []firecrawlMonitor{}
		for _, m := range all {
			list = append(list, newMonitor(m))
		}
		part, e := slice(r, list)
		if e != nil {
			return nil, e
		}
		return map[string]any{"success": true, "data": part}, err
	})
}

// slice is the part of a list that limit and offset of the query name.
func slice[T any](r *http.Request, list []T) ([]T, *tool.Error) {
	limit, e := number(r, "limit", jobPages, 1, maxJobsListed)
	offset, e2 := number(r, "offset", 0, 0, 1<<31)
	if e == nil {
		e = e2
	}
	if e != nil {
		return nil, e
	}
	from := min(int(offset), len(list))
	return list[from:min(from+int(limit), len(list))], nil
}

// oneFirecrawlMonitor answers GET and DELETE /v2/monitor/{id}.
func (s *Server) oneFirecrawlMonitor(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		if r.Method == http.MethodDelete {
			return map[string]any{"success": true}, s.o.Monitors.RemoveMonitor(ctx, r.PathValue("id"))
		}
		m, err := s.o.Monitors.MonitorStatus(ctx, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		return map[string]any{"success": true, "data": newMonitor(m)}, nil
	})
}

// monitorCheck is a round. A detail has pages.
type monitorCheck struct {
	ID        string         `json:"id"`
	MonitorID string         `json:"monitorId"`
	Status    string         `json:"status"`
	Trigger   string         `json:"trigger"`
	Finished  time.Time      `json:"finishedAt"`
	Credits   int            `json:"actualCredits"`
	Billing   string         `json:"billingStatus"`
	Summary   map[string]int `json:"summary"`
	Created   time.Time      `json:"createdAt"`
	Updated   time.Time      `json:"updatedAt"`
	Pages     []checkPage    `json:"pages,omitzero"`
	Next      *string        `json:"next"`
}

type checkPage struct {
	ID       string          `json:"id"`
	TargetID string          `json:"targetId"`
	URL      string          `json:"url"`
	Status   string          `json:"status"`
	Diff     *firecrawl.Diff `json:"diff,omitempty"`
	Created  time.Time       `json:"createdAt"`
}

// checks are the rounds of a monitor that have seen changes, and the last one, latest first.
func (s *Server) checks(ctx context.Context, id string) (list []monitorCheck, err error) {
	m, err := s.o.Monitors.MonitorStatus(ctx, id)
	if err != nil {
		return nil, err
	}
	at := func(t time.Time) *monitorCheck {
		name := strconv.FormatInt(t.Unix(), 10)
		i := slices.IndexFunc(list, func(c monitorCheck) bool { return c.ID == name })
		if i < 0 {
			i = len(list)
			list = append(list, monitorCheck{ID: name, MonitorID: id, Status: "completed", Trigger: "scheduled", Finished: t, Billing: "not_applicable", Created: t, Updated: t,
				Summary: map[string]int{"totalPages": 0, "same": 0, "changed": 0, "new": 0, "removed": 0, "error": 0}})
		}
		return &list[i]
	}
	changes, err := s.o.Monitors.MonitorChanges(ctx, id, 0, time.Time{}, maxJobBatch)
	if err != nil {
		return nil, err
	}
	for _, c := range changes.Changes {
		p := checkPage{ID: strconv.FormatInt(c.Cursor, 10), TargetID: "0", URL: c.URL, Status: map[string]string{"added": "new", "changed": "changed", "gone": "removed"}[c.Change], Created: c.At}
		if c.Diff != "" {
			p.Diff = firecrawl.ParseDiff(c.Diff)
		}
		check := at(c.At)
		check.Pages = append(check.Pages, p)
		check.Summary[p.Status]++
		check.Summary["totalPages"]++
	}
	if !m.Last.IsZero() {
		last := at(m.Last)
		last.Summary["totalPages"] = max(m.Pages, last.Summary["totalPages"])
		last.Summary["same"] = max(m.Pages-last.Summary["changed"]-last.Summary["new"], 0)
	}
	slices.SortFunc(list, func(a, b monitorCheck) int { return b.Finished.Compare(a.Finished) })
	return list, nil
}

// listChecks answers GET /v2/monitor/{id}/checks.
func (s *Server) listChecks(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		list, err := s.checks(ctx, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].Pages = nil
		}
		part, e := slice(r, list)
		if e != nil {
			return nil, e
		}
		return map[string]any{"success": true, "data": append([]monitorCheck{}, part...)}, nil
	})
}

// oneCheck answers GET /v2/monitor/{id}/checks/{check}.
func (s *Server) oneCheck(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		list, err := s.checks(ctx, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(c monitorCheck) bool { return c.ID == r.PathValue("check") })
		if i < 0 {
			return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusNotFound, Message: "the check is not known", Hint: "GET " + firecrawlMonitors + "/" + url.PathEscape(r.PathValue("id")) + "/checks lists those that saw changes"}
		}
		c := list[i]
		if status := r.URL.Query().Get("status"); status != "" {
			c.Pages = slices.DeleteFunc(c.Pages, func(p checkPage) bool { return p.Status != status })
		}
		skip, e := number(r, "skip", 0, 0, 1<<31)
		if e != nil {
			return nil, e
		}
		limit, e := number(r, "limit", maxJobAnswer, 1, maxJobAnswer)
		if e != nil {
			return nil, e
		}
		from := min(int(skip), len(c.Pages))
		to := min(from+int(limit), len(c.Pages))
		if to < len(c.Pages) {
			query := r.URL.Query()
			query.Set("skip", strconv.Itoa(to))
			c.Next = new(baseURL(r) + r.URL.EscapedPath() + "?" + query.Encode())
		}
		c.Pages = append([]checkPage{}, c.Pages[from:to]...)
		return map[string]any{"success": true, "data": c, "next": c.Next}, nil
	})
}

// unsupportedMonitor refuses what a monitor does not do here.
func unsupportedMonitor(what, why, hint string) endpoint {
	return endpoint{handler: func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusBadRequest, tool.NewError(tool.InvalidInput, what+" is unsupported: "+why, hint))
	}}
}

// firecrawlMonitorRoutes are the paths.
func (s *Server) firecrawlMonitorRoutes() []route {
	one := endpoint{handler: s.oneFirecrawlMonitor}
	return []route{
		{path: firecrawlMonitors, post: endpoint{handler: s.addFirecrawlMonitor}, get: endpoint{handler: s.listFirecrawlMonitors}},
		{path: firecrawlMonitors + "/{id}", get: one, deletes: one, patch: unsupportedMonitor("updateMonitor", "a monitor keeps what it was started with", "delete it, and create another one")},
		{path: firecrawlMonitors + "/{id}/run", post: unsupportedMonitor("runMonitor", "rounds run by their schedule", "scrape the pages with changeTracking to see now what has changed")},
		{path: firecrawlMonitors + "/{id}/checks", get: endpoint{handler: s.listChecks}},
		{path: firecrawlMonitors + "/{id}/checks/{check}", get: endpoint{handler: s.oneCheck}},
	}
}
