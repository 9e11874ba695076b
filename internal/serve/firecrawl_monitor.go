package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// Monitors as Firecrawl has them: those of monitors.go. A check is a round; those are known that
// have seen a change, and the last one. The id of a check is the time at which it ended, in
// seconds; that of one which was asked for is "after-" and the time of the request.

const firecrawlMonitors = firecrawlPath + "monitor"

// day is the unit of retentionDays.
const day = 24 * time.Hour

// monitorOptions are those of POST /v2/monitor.
func monitorOptions() options {
	return takes(
		tool.String("name", "what people call it").Require(),
		tool.String("status", "").OneOf("active", "paused").WithDefault("active"),
		tool.Array("targets", "several of the type scrape (urls), or one: crawl (url, crawlOptions) or search (queries: one)", tool.Schema{}).Require(),
		tool.Integer("retentionDays", "how long changes are remembered").Clamp(1, 365).WithDefault(365),
		tool.String("goal", "only changes of blocks with words of this are reported"),
	).holding("schedule", options{supported: []tool.Property{
		tool.String("cron", "five fields"), tool.String("text", "every 30 minutes, hourly, daily, daily at 9:00, weekly"), tool.String("timezone", "for example Europe/Berlin")},
	}).holding("webhook", options{supported: []tool.Property{tool.String("url", "is told of changes by signed POSTs").Require()}}).with(map[string]fixed{
		"notification": {[]string{"{}", `{"email":{"enabled":false}}`}, "this server sends no mail; use webhook"},
		"judgeEnabled": {[]string{"false"}, "no model judges changes"},
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
	out := firecrawlMonitor{Status: "active", Retention: 365}
	if json.Unmarshal(m.Scrape, &out) != nil || out.Name == "" { // started elsewhere
		out.Name = strings.Join(append(slices.Clone(m.URLs), m.Search), " ")
		out.Schedule, _ = json.Marshal(map[string]string{"cron": m.Cron, "text": "every " + m.Every})
		out.Targets, _ = json.Marshal([]any{map[string]any{"type": "crawl", "url": strings.Join(m.URLs, " ")}})
	}
	out.ID, out.Goal, out.Created, out.Updated = m.Monitor, m.Query, m.Created, m.Created
	if !m.Next.IsZero() {
		out.Next = &m.Next
	}
	if !m.Last.IsZero() {
		out.Last, out.Updated = &m.Last, m.Last
	}
	return out
}

// schedule reads the option of the same name.
func (o given) schedule(q *result.MonitorRequest) *tool.Error {
	words := o.inner["schedule"].args
	zone, said := words.String("timezone"), strings.ToLower(strings.Join(strings.Fields(words.String("text")), " "))
	if q.Cron = words.String("cron"); (q.Cron == "") == (said == "") {
		return tool.NewError(tool.InvalidInput, "the schedule has neither cron nor text, or both", `for example {"cron":"0 9 * * 1-5"}`)
	}
	if q.Cron == "" {
		q.Cron = map[string]string{"hourly": "0 * * * *", "daily": "0 0 * * *", "weekly": "0 0 * * 0"}[said]
	}
	if t, err := time.Parse("daily at 15:04", said); err == nil {
		q.Cron = fmt.Sprintf("%d %d * * *", t.Minute(), t.Hour())
	}
	if q.Cron != "" {
		if zone != "" {
			q.Cron = "CRON_TZ=" + zone + " " + q.Cron
		}
		return nil
	}
	n, unit := 1, strings.TrimPrefix(said, "every ")
	if number, rest, ok := strings.Cut(unit, " "); ok {
		n, _ = strconv.Atoi(number)
		unit = rest
	}
	q.Every = time.Duration(min(max(n, 0), 100_000)) * map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": day}[strings.TrimSuffix(unit, "s")]
	if q.Every == 0 || !strings.HasPrefix(said, "every ") {
		return tool.NewError(tool.InvalidInput, "the schedule "+text.Quoted(words.String("text"))+" is not understood", "use cron, or for example every 30 minutes, hourly, daily at 9:00")
	}
	return nil
}

// targetOptions are those of a target of each type.
func targetOptions() map[string]options {
	word := tool.Schema{Type: tool.TypeString}
	takes := func(own tool.Property) options {
		return options{supported: []tool.Property{own.Require(), tool.String("id", "of the target")}}
	}
	return map[string]options{
		"scrape": takes(tool.Array("urls", "the pages", word)),
		"search": takes(tool.Array("queries", "one", word)),
		"crawl":  takes(tool.String("url", "where it begins")).holding("crawlOptions", crawlOptions().only("limit", "maxDiscoveryDepth", "allowSubdomains", "crawlEntireDomain")),
	}
}

// targets reads the targets of a monitor.
func (o given) targets(q *result.MonitorRequest) *tool.Error {
	list, _ := o.args["targets"].([]any)
	for i, one := range list {
		kind, t, e := element(fmt.Sprintf("target %d:", i+1), one, targetOptions())
		if e == nil && len(list) > 1 && kind != "scrape" {
			e = tool.NewError(tool.InvalidInput, "several targets are unsupported where one is not of the type scrape", "use several monitors")
		}
		if e != nil {
			return e
		}
		crawl := t.inner["crawlOptions"]
		q.MaxDepth, q.Subdomains, q.EntireSite = crawl.args.Int("maxDiscoveryDepth"), crawl.args.Bool("allowSubdomains"), crawl.args.Bool("crawlEntireDomain")
		if crawl.members["limit"] != nil {
			q.MaxPages = crawl.args.Int("limit")
		}
		switch kind {
		case "scrape":
			q.URLs = append(q.URLs, t.args.Strings("urls")...)
			q.MaxPages = len(q.URLs)
		case "search":
			if queries := t.args.Strings("queries"); len(queries) == 1 {
				q.Search = queries[0]
			}
		default:
			q.URLs = []string{t.args.String("url")}
		}
	}
	if len(q.URLs) > maxJobStarts || len(q.URLs) == 0 && q.Search == "" {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("the monitor has %d targets with %d urls", len(list), len(q.URLs)), fmt.Sprintf("give 1 to %d urls, or a target with one query; use several monitors", maxJobStarts))
	}
	return nil
}

// monitor reads the options of a monitor.
func (o given) monitor() (q result.MonitorRequest, e *tool.Error) {
	q = result.MonitorRequest{Query: o.args.String("goal"), Paused: o.args.String("status") == "paused", Retention: time.Duration(o.args.Int("retentionDays")) * day}
	if e = o.schedule(&q); e != nil {
		return q, e
	}
	if e = o.targets(&q); e != nil {
		return q, e
	}
	q.Webhook = o.inner["webhook"].args.String("url")
	var err error
	if q.Scrape, err = json.Marshal(o.members); err != nil || len(q.Scrape) > maxJobScrape {
		return q, tool.NewError(tool.TooLarge, fmt.Sprintf("the monitor has more than %d bytes", maxJobScrape), "give it less")
	}
	return q, nil
}

// storeMonitor stores a monitor, or with an id changes one, and makes the answer.
func (s *Server) storeMonitor(ctx context.Context, id string, o given) (any, error) {
	q, e := o.monitor()
	if e != nil {
		return nil, e
	}
	q.Monitor = id
	m, err := s.o.Monitors.AddMonitor(ctx, q)
	if err != nil {
		return nil, err
	}
	return map[string]any{"success": true, "id": m.Monitor, "data": newMonitor(m), "webhookSecret": m.WebhookSecret}, nil
}

// addFirecrawlMonitor answers POST /v2/monitor.
func (s *Server) addFirecrawlMonitor(ctx context.Context, r *http.Request, o given) (any, error) {
	return s.storeMonitor(ctx, "", o)
}

// changeFirecrawlMonitor answers PATCH /v2/monitor/{id}: what the body does not name stays.
func (s *Server) changeFirecrawlMonitor(ctx context.Context, r *http.Request) (any, error) {
	m, err := s.o.Monitors.MonitorStatus(ctx, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body) // bounded by the guard
	if err != nil {
		return nil, err
	}
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(m.Scrape, &members) // of a monitor that was started elsewhere, nothing is kept
	if json.Unmarshal(body, &members) != nil {
		return nil, tool.NewError(tool.InvalidInput, "the body is not a JSON object", `for example {"status":"paused"}`)
	}
	if body, err = json.Marshal(members); err != nil {
		return nil, err
	}
	o, e := monitorOptions().read(body)
	if e != nil {
		return nil, e
	}
	return s.storeMonitor(ctx, m.Monitor, o)
}

// runFirecrawlMonitor answers POST /v2/monitor/{id}/run.
func (s *Server) runFirecrawlMonitor(ctx context.Context, r *http.Request) (any, error) {
	m, err := s.o.Monitors.AddMonitor(ctx, result.MonitorRequest{Monitor: r.PathValue("id")})
	if err == nil && m.Paused {
		err = tool.NewError(tool.InvalidInput, "the monitor is paused", `set its status to "active" first`)
	}
	if err != nil {
		return nil, err
	}
	check := newCheck(m.Monitor, fmt.Sprint(askedFor, time.Now().Unix()), "queued", time.Now())
	check.Trigger = "manual"
	return map[string]any{"success": true, "data": check}, nil
}

// listFirecrawlMonitors answers GET /v2/monitor.
func (s *Server) listFirecrawlMonitors(ctx context.Context, r *http.Request) (any, error) {
	all, err := s.o.Monitors.Monitors(ctx)
	list := []firecrawlMonitor{}
	for _, m := range all {
		list = append(list, newMonitor(m))
	}
	part, _, e := slice(r, list, "offset", jobPages, maxJobsListed)
	if e != nil {
		return nil, e
	}
	return map[string]any{"success": true, "data": part}, err
}

// slice is the part of a list that the query names: limit, and where it begins. next is where
// the following part begins, 0 at the end.
func slice[T any](r *http.Request, list []T, begin string, without, most int64) (part []T, next int, e *tool.Error) {
	limit, e := number(r, "limit", without, 1, most)
	if e != nil {
		return nil, 0, e
	}
	at, e := number(r, begin, 0, 0, 1<<31)
	if e != nil {
		return nil, 0, e
	}
	from := min(int(at), len(list))
	to := min(from+int(limit), len(list))
	if to < len(list) {
		next = to
	}
	return append([]T{}, list[from:to]...), next, nil
}

// oneFirecrawlMonitor answers GET and DELETE /v2/monitor/{id}.
func (s *Server) oneFirecrawlMonitor(ctx context.Context, r *http.Request) (any, error) {
	if r.Method == http.MethodDelete {
		return map[string]any{"success": true}, s.o.Monitors.RemoveMonitor(ctx, r.PathValue("id"))
	}
	m, err := s.o.Monitors.MonitorStatus(ctx, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return map[string]any{"success": true, "data": newMonitor(m)}, nil
}

// monitorCheck is a round. A detail has pages.
type monitorCheck struct {
	ID        string         `json:"id"`
	MonitorID string         `json:"monitorId"`
	Status    string         `json:"status"`
	Trigger   string         `json:"trigger"`
	Finished  time.Time      `json:"finishedAt,omitzero"`
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

// askedFor is what ids of checks begin with that were asked for.
const askedFor = "after-"

func newCheck(monitor, id, status string, at time.Time) monitorCheck {
	return monitorCheck{ID: id, MonitorID: monitor, Status: status, Trigger: "scheduled", Billing: "not_applicable", Created: at, Updated: at,
		Summary: map[string]int{"totalPages": 0, "same": 0, "changed": 0, "new": 0, "removed": 0, "error": 0}}
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
			list = append(list, newCheck(id, name, "completed", t))
			list[i].Finished = t
		}
		return &list[i]
	}
	var note struct {
		Targets []struct {
			ID   string
			URLs []string
		}
	}
	_ = json.Unmarshal(m.Scrape, &note)
	changes, err := s.o.Monitors.MonitorChanges(ctx, id, 0, time.Time{}, maxJobBatch)
	if err != nil {
		return nil, err
	}
	for _, c := range changes.Changes {
		p := checkPage{ID: strconv.FormatInt(c.Cursor, 10), TargetID: "0", URL: c.URL, Status: map[string]string{"added": "new", "changed": "changed", "gone": "removed"}[c.Change], Created: c.At}
		for i, t := range note.Targets {
			if slices.Contains(t.URLs, c.URL) {
				p.TargetID = cmp.Or(t.ID, strconv.Itoa(i))
			}
		}
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
func (s *Server) listChecks(ctx context.Context, r *http.Request) (any, error) {
	list, err := s.checks(ctx, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Pages = nil
	}
	part, _, e := slice(r, list, "offset", jobPages, maxJobsListed)
	if e != nil {
		return nil, e
	}
	return map[string]any{"success": true, "data": part}, nil
}

// oneCheck answers GET /v2/monitor/{id}/checks/{check}.
func (s *Server) oneCheck(ctx context.Context, r *http.Request) (any, error) {
	list, err := s.checks(ctx, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	id := r.PathValue("check")
	i := slices.IndexFunc(list, func(c monitorCheck) bool { return c.ID == id })
	if after, err := strconv.ParseInt(strings.TrimPrefix(id, askedFor), 10, 64); err == nil && i < 0 && strings.HasPrefix(id, askedFor) {
		list = slices.DeleteFunc(list, func(c monitorCheck) bool { return c.Finished.Unix() < after })
		if i = len(list) - 1; i < 0 {
			list, i = append(list, newCheck(r.PathValue("id"), id, "running", time.Unix(after, 0))), 0
		}
		list[i].Trigger = "manual"
	}
	if i < 0 {
		return nil, &tool.Error{Type: tool.InvalidInput, Status: http.StatusNotFound, Message: "the check is not known", Hint: "GET " + firecrawlMonitors + "/" + url.PathEscape(r.PathValue("id")) + "/checks lists those that saw changes"}
	}
	c := list[i]
	if status := r.URL.Query().Get("status"); status != "" {
		c.Pages = slices.DeleteFunc(c.Pages, func(p checkPage) bool { return p.Status != status })
	}
	pages, next, e := slice(r, c.Pages, "skip", maxJobAnswer, maxJobAnswer)
	if e != nil {
		return nil, e
	}
	if next > 0 {
		query := r.URL.Query()
		query.Set("skip", strconv.Itoa(next))
		c.Next = new(baseURL(r) + r.URL.EscapedPath() + "?" + query.Encode())
	}
	c.Pages = pages
	return map[string]any{"success": true, "data": c, "next": c.Next}, nil
}

// firecrawlMonitorRoutes are the paths.
func (s *Server) firecrawlMonitorRoutes() []route {
	one := endpoint{handler: s.replies(s.oneFirecrawlMonitor)}
	return []route{
		{path: firecrawlMonitors, post: endpoint{handler: s.takes(monitorOptions(), s.addFirecrawlMonitor)}, get: endpoint{handler: s.replies(s.listFirecrawlMonitors)}},
		{path: firecrawlMonitors + "/{id}", get: one, deletes: one, patch: endpoint{handler: s.replies(s.changeFirecrawlMonitor)}},
		{path: firecrawlMonitors + "/{id}/run", post: endpoint{handler: s.replies(s.runFirecrawlMonitor)}},
		{path: firecrawlMonitors + "/{id}/checks", get: endpoint{handler: s.replies(s.listChecks)}},
		{path: firecrawlMonitors + "/{id}/checks/{check}", get: endpoint{handler: s.replies(s.oneCheck)}},
	}
}
