package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Jobs are crawls and batches that the server runs in the background: POST answers 202
// at once, and what was read is there from the first page on. A job belongs to the
// principal of its request. GET /v1/crawls/{id}/events sends what happens as
// server-sent events; the id of each is the cursor of the latest page, so that a
// client that comes back with Last-Event-ID misses none.

// jobService are the jobs of the caller of a context. Errors are *tool.Error; that of a job
// which does not exist, or is another caller's, has the HTTP status 404.
type jobService interface {
	// StartCrawl stores a job, or takes one up again, and has it run.
	StartCrawl(context.Context, result.CrawlRequest) (*result.Crawl, error)
	// CrawlJobs lists jobs, the latest first, without their pages.
	CrawlJobs(context.Context) ([]*result.Crawl, error)
	// CrawlStatus is the state of a job, without its pages.
	CrawlStatus(ctx context.Context, job string) (*result.Crawl, error)
	// CrawlPages are those behind a cursor, at most n, with their Markdown if bodies is set.
	CrawlPages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error)
	// FollowCrawl tells what happens to a job until it ends; at least every 15 s comes an
	// event, if need be an empty one.
	FollowCrawl(ctx context.Context, job string, after int64, each func(result.CrawlEvent) error) error
	// StopCrawl stops a job, and what it has read stays. DropCrawl deletes it with its pages.
	StopCrawl(ctx context.Context, job string) error
	DropCrawl(ctx context.Context, job string) error
}

const (
	crawlsPath  = "/v1/crawls"
	batchesPath = "/v1/batches"

	kindCrawl, kindBatch = "crawl", "batch" // result.Crawl.Kind

	maxJobStarts   = 12
	maxJobBatch    = 10_000
	maxJobPages    = 100_000
	jobPages       = 100 // of one answer, unless the request says
	maxJobAnswer   = 1000
	maxJobsListed  = 1000
	maxPageReaders = 8 // at a time: their answers are large
	// maxFollowers bounds the streams of all callers, and those of one.
	maxFollowers, maxFollowersEach = 128, 32
)

// crawlInput are the members of POST /v1/crawls, batchInput those of POST /v1/batches.
func crawlInput() tool.Schema {
	text := tool.Schema{Type: tool.TypeString}
	return tool.Object(
		tool.String("url", "a page of the site"),
		tool.Array("urls", "several starts, at most 12", text),
		tool.String("query", "fetches the most promising pages first, and stops when the rest look unlikely to help"),
		tool.Integer("max_pages", "how many pages are read; with job: how many more").Clamp(1, maxJobPages),
		tool.Integer("max_depth", "links from a start").AtLeast(1),
		tool.Array("include", "globs of paths to keep", text),
		tool.Array("exclude", "globs of paths to leave out", text),
		tool.Boolean("subdomains", "adds the other hosts of the domain"),
		tool.Boolean("entire_site", "reads pages that are not below the path of the start too"),
		tool.Integer("concurrency", "requests at a time to one site; the operator sets the most").AtLeast(1),
		tool.String("since", "an earlier job, or last: marks what changed"),
		renderInput(), webhookInput(),
		tool.String("job", "goes on with this crawl in place of starting one"),
	)
}

func batchInput() tool.Schema {
	return tool.Object(
		tool.Array("urls", "the addresses, at most 10,000", tool.Schema{Type: tool.TypeString}),
		renderInput(), webhookInput(),
		tool.String("job", "goes on with this batch in place of starting one"),
	)
}

func renderInput() tool.Property {
	return tool.String("render", "whether a browser runs the scripts of pages").OneOf("auto", "never", "always")
}

// servesJobs reports whether the server has jobs: what web_crawl may do over HTTP, a job may.
func (s *Server) servesJobs() bool {
	_, e := s.find("web_crawl")
	return s.o.Jobs != nil && e == nil
}

// The events of a webhook.
const (
	eventPages = "pages"
	eventEnded = "ended"
)

func webhookInput() tool.Property {
	return tool.Member("webhook", "is told what happens by signed POSTs; the answer has webhook_secret, with which the receiver checks them", tool.Object(
		tool.String("url", "where the messages go").Require(),
		tool.Array("events", "pages (messages with pages while the job runs) and ended; both if left out", tool.Schema{Type: tool.TypeString, Enum: []string{eventPages, eventEnded}})))
}

// jobKind is one of the two kinds of jobs.
type jobKind struct {
	kind, path, list string
	input            func() tool.Schema
	most             int // addresses
}

var (
	crawlKind = jobKind{kindCrawl, crawlsPath, "crawls", crawlInput, maxJobStarts}
	batchKind = jobKind{kindBatch, batchesPath, "batches", batchInput, maxJobBatch}
)

// of binds a maker to a kind.
func (k jobKind) of(do func(context.Context, *http.Request, jobKind) (any, error)) maker {
	return func(ctx context.Context, r *http.Request) (any, error) { return do(ctx, r, k) }
}

// countedCall calls do within the caller's quota, and answers if that fails.
func (s *Server) countedCall(w http.ResponseWriter, r *http.Request, do func(context.Context) error) bool {
	err := s.quotas.counted(r.Context(), func(ctx context.Context) error {
		bodyRead(ctx)
		if err := do(ctx); err != nil {
			return ended(ctx, err)
		}
		return nil
	})
	if err != nil {
		s.fail(w, r, tool.AsError(err))
	}
	return err == nil
}

// maker makes the answer to a request: an object, withHeader, or nil for 204.
type maker func(context.Context, *http.Request) (any, error)

// withHeader is an answer that has a header and a status of its own.
type withHeader struct {
	status      int
	name, value string
	answer      any
}

// replies answers with what do returns. It counts as a call.
func (s *Server) replies(do maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var v any
		if !s.countedCall(w, r, func(ctx context.Context) (err error) { v, err = do(ctx, r); return err }) {
			return
		}
		switch v := v.(type) {
		case nil:
			w.WriteHeader(http.StatusNoContent)
		case withHeader:
			w.Header().Set(v.name, v.value)
			s.answerJSON(w, r, v.status, v.answer)
		default:
			s.answerJSON(w, r, http.StatusOK, v)
		}
	}
}

// repliesPages is replies for an answer with pages, of which few are made at a time: they
// are large. One caller leaves places to others.
func (s *Server) repliesPages(do maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		leave, err := s.pageReaders.Enter(r.Context(), principalOf(r), 1)
		if err != nil {
			e := tool.AsError(err)
			if full := new(admission.Busy); errors.As(err, &full) {
				e = tool.NewError(tool.Busy, "too many requests for pages of jobs are open", "read the answers that wait")
				e.RetryAfter = full.RetryAfter
			}
			s.fail(w, r, e)
			return
		}
		defer leave()
		s.replies(do)(w, r)
	}
}

// bodyOf reads the body of a request: its arguments, and the request that they make, whose
// members have their names. The webhook, an object, is left to the caller.
func bodyOf[T any](r *http.Request, input tool.Schema) (q T, args tool.Arguments, notices []string, err error) {
	body, err := io.ReadAll(r.Body) // bounded by the guard
	if err != nil {
		return q, nil, nil, err
	}
	args, notices, e := input.Read(body)
	if e != nil {
		return q, nil, nil, e
	}
	members := maps.Clone(args)
	delete(members, "webhook")
	delete(members, "every") // text, where the request has a duration
	err = members.Decode(&q)
	return q, args, notices, err
}

// webhookOf returns the webhook of arguments, and its URL; nil: there is none.
func webhookOf(args tool.Arguments) (hook tool.Arguments, url string, err error) {
	h, ok := args["webhook"].(map[string]any)
	if !ok {
		return nil, "", nil
	}
	if url = tool.Arguments(h).String("url"); url == "" {
		err = tool.NewError(tool.InvalidInput, "the webhook has no url", "give the URL that takes the messages")
	}
	return h, url, err
}

// startJob answers POST: 202 with the state of the job and its path.
func (s *Server) startJob(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	q, notices, err := k.request(r)
	if err == nil && q.Job != "" {
		_, err = s.stateOf(ctx, k, q.Job)
	}
	if err != nil {
		return nil, err
	}
	state, err := s.o.Jobs.StartCrawl(ctx, q)
	if err != nil {
		return nil, err
	}
	state.Notices = append(state.Notices, notices...)
	return withHeader{http.StatusAccepted, "Location", k.path + "/" + url.PathEscape(state.Job), state}, nil
}

// request reads the body of a POST.
func (k jobKind) request(r *http.Request) (q result.CrawlRequest, notices []string, err error) {
	q, args, notices, err := bodyOf[result.CrawlRequest](r, k.input())
	if err != nil {
		return q, nil, err
	}
	wrong := func(message, hint string) (result.CrawlRequest, []string, error) {
		return q, nil, tool.NewError(tool.InvalidInput, message, hint)
	}
	q.Batch = k.kind == kindBatch
	hook, address, err := webhookOf(args)
	if err != nil {
		return q, nil, err
	}
	if hook != nil {
		events := hook.Strings("events")
		q.Webhook, q.WebhookPages = address, len(events) == 0 || slices.Contains(events, eventPages)
		if q.Job != "" {
			return wrong("a job keeps the webhook that it was started with", "omit webhook")
		}
	}
	if u := args.String("url"); u != "" {
		q.URLs = append([]string{u}, q.URLs...)
	}
	switch {
	case len(q.URLs) > k.most:
		return wrong(fmt.Sprintf("urls has %d URLs, and a %s takes at most %d", len(q.URLs), k.kind, k.most), "use several")
	case len(q.URLs) == 0 && q.Job == "":
		return wrong("the "+k.kind+" has no URL", "give urls, or job to go on with an earlier one")
	case len(q.URLs) > 0 && q.Job != "":
		return wrong("a call has either a URL or a job", "leave job out to start a new one")
	}
	return q, notices, nil
}

func (s *Server) stateOf(ctx context.Context, k jobKind, id string) (*result.Crawl, error) {
	state, err := s.o.Jobs.CrawlStatus(ctx, id)
	if err == nil && state.Kind != k.kind {
		err = noSuchJob(k)
	}
	return state, err
}

func noSuchJob(k jobKind) *tool.Error {
	return &tool.Error{Type: tool.InvalidInput, Status: http.StatusNotFound, Message: "the " + k.kind + " does not exist, or belongs to another caller", Hint: "GET " + k.path + " lists those of this caller"}
}

// listJobs answers with the jobs of a kind, the latest first.
func (s *Server) listJobs(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	limit, e := number(r, "limit", jobPages, 1, maxJobsListed)
	if e != nil {
		return nil, e
	}
	list := []*result.Crawl{}
	all, err := s.o.Jobs.CrawlJobs(ctx)
	for _, j := range all {
		if j.Kind == k.kind && len(list) < int(limit) {
			list = append(list, j)
		}
	}
	return map[string]any{k.list: list}, err
}

// oneJob answers with the state of a job, or ends it: DELETE stops it, and with
// drop=true deletes it with its pages.
func (s *Server) oneJob(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	id := r.PathValue("id")
	drop, e := boolean(r, "drop", false, "drop=true deletes the pages too")
	if e != nil {
		return nil, e
	}
	state, err := s.stateOf(ctx, k, id)
	if err != nil || r.Method != http.MethodDelete {
		return state, err
	}
	if drop {
		return nil, s.o.Jobs.DropCrawl(ctx, id)
	}
	if err = s.o.Jobs.StopCrawl(ctx, id); err != nil {
		return nil, err
	}
	return s.stateOf(ctx, k, id)
}

// boolean reads true or false of the query.
func boolean(r *http.Request, name string, without bool, hint string) (bool, *tool.Error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return without, nil
	}
	is, err := strconv.ParseBool(text)
	if err != nil {
		return false, tool.NewError(tool.InvalidInput, name+"="+quoted(text)+" is neither true nor false", hint)
	}
	return is, nil
}

// jobPages answers with pages of a job, from those behind a cursor.
func (s *Server) jobPages(ctx context.Context, r *http.Request, k jobKind) (any, error) {
	id := r.PathValue("id")
	after, limit, e := partOf(r)
	if e != nil {
		return nil, e
	}
	bodies, e := boolean(r, "content", true, "content=false leaves the Markdown out")
	if e != nil {
		return nil, e
	}
	if _, err := s.stateOf(ctx, k, id); err != nil {
		return nil, err
	}
	pages, err := s.o.Jobs.CrawlPages(ctx, id, after, limit, bodies)
	if err != nil {
		return nil, err
	}
	if pages.More {
		next := url.Values{"cursor": {strconv.FormatInt(pages.Next, 10)}}
		for _, name := range []string{"limit", "content"} {
			if v := r.URL.Query().Get(name); v != "" {
				next.Set(name, v)
			}
		}
		return withHeader{http.StatusOK, "Link", "<" + k.path + "/" + url.PathEscape(id) + "/pages?" + next.Encode() + `>; rel="next"`, pages}, nil
	}
	return pages, nil
}

// partOf reads which part of a list is wanted: what stands behind cursor, at most limit.
func partOf(r *http.Request) (cursor int64, limit int, e *tool.Error) {
	cursor, e = number(r, "cursor", 0, 0, 1<<62)
	if e != nil {
		return 0, 0, e
	}
	n, e := number(r, "limit", jobPages, 1, maxJobAnswer)
	return cursor, int(n), e
}

// number reads a whole number of the query.
func number(r *http.Request, name string, without, low, high int64) (int64, *tool.Error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return without, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high {
		return 0, tool.NewError(tool.InvalidInput, name+"="+quoted(text)+" is not a whole number in its range", fmt.Sprintf("%s is from %d to %d", name, low, high))
	}
	return n, nil
}

// answerJSON answers with an object under a status.
func (s *Server) answerJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	body, err := encode(v)
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	send(w, status, formJSON, body)
}

// follow counts a stream of events of the caller, until leave. It must end with the context
// that is returned: the tokens were replaced.
func (s *Server) follow(ctx context.Context) (_ context.Context, leave func(), e *tool.Error) {
	release, ok := s.followers.take(principal.Of(ctx).Name, share{maxFollowers, maxFollowersEach})
	if !ok {
		s.quotas.refused.streams.Add(1)
		e = tool.NewError(tool.Busy, "too many streams of events are open", "close one of them, or ask for the status from time to time")
		e.RetryAfter = cutRetry
		return nil, nil, e
	}
	ctx, end := s.quotas.epoch.within(ctx)
	return ctx, func() { end(); release() }, nil
}

// endMark stands behind the cursor in the id of the last event of a job. A client that
// comes back with it has had everything.
const endMark = ".end"

func principalOf(r *http.Request) string { return principal.Of(r.Context()).Name }

// lastEventID reads behind which event a client comes back; all says that it has had the
// last one.
func lastEventID(r *http.Request) (after int64, all bool, e *tool.Error) {
	last := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("cursor"))
	mark, all := strings.CutSuffix(last, endMark)
	after, err := strconv.ParseInt(cmp.Or(mark, "0"), 10, 64)
	if err != nil || after < 0 {
		return 0, false, tool.NewError(tool.InvalidInput, "Last-Event-ID "+quoted(last)+" is not the id of an event", "leave it out to begin with the first one")
	}
	return after, all, nil
}

// stream answers with the events behind the one that a client had last. first finds what
// they are of, and reports whether the client has had the last one; send sends them.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, first func(ctx context.Context, after int64, again bool) (told bool, err error), send func(ctx context.Context, after int64, out *events)) {
	after, again, e := lastEventID(r)
	if e != nil {
		s.fail(w, r, e)
		return
	}
	following, leave, e := s.follow(r.Context())
	if e != nil {
		s.fail(w, r, e)
		return
	}
	defer leave()
	told := false
	if !s.countedCall(w, r, func(ctx context.Context) (err error) { told, err = first(ctx, after, again); return err }) {
		return
	}
	if told { // an EventSource would come back for ever
		w.WriteHeader(http.StatusNoContent)
		return
	}
	ctx, stop := context.WithCancel(following)
	defer stop()
	defer context.AfterFunc(s.leaving, stop)()
	send(ctx, after, newEvents(w))
}

// jobEvents sends what happens to a job.
func (s *Server) jobEvents(w http.ResponseWriter, r *http.Request, k jobKind) {
	id := r.PathValue("id")
	s.stream(w, r, func(ctx context.Context, after int64, again bool) (bool, error) {
		state, err := s.stateOf(ctx, k, id)
		if err != nil || !again || unfinished(state) {
			return false, err
		}
		further, err := s.o.Jobs.CrawlPages(ctx, id, after, 1, false)
		return err == nil && len(further.Pages) == 0, err
	}, func(ctx context.Context, after int64, out *events) {
		err := s.o.Jobs.FollowCrawl(ctx, id, after, func(e result.CrawlEvent) error {
			if _, ok, _ := s.caller(r); !ok {
				return errSignedOut // its token is not valid any more
			}
			return out.event(e)
		})
		if err != nil && out.err == nil && ctx.Err() == nil && err != errSignedOut {
			_ = out.json("error", "", tool.AsError(err))
		}
	})
}

var errSignedOut = tool.NewError(tool.Blocked, "the bearer token is not valid any more", "use another token")

// unfinished reports whether a job runs or waits.
func unfinished(c *result.Crawl) bool { return c.State == "running" || c.State == "queued" }

// events writes server-sent events to a client that may read slowly, though not for
// ever. Nothing is kept for it: the next page is read from the store when it has taken
// the last one.
type events struct {
	w   http.ResponseWriter
	c   *http.ResponseController
	err error
}

// newEvents begins a stream.
func newEvents(w http.ResponseWriter) *events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	o := &events{w: w, c: http.NewResponseController(w)}
	_ = o.write([]byte("retry: 2000\n\n"))
	return o
}

func (o *events) write(b []byte) error {
	_ = o.c.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, o.err = o.w.Write(b); o.err == nil {
		o.err = o.c.Flush()
	}
	return o.err
}

func (o *events) event(e result.CrawlEvent) error {
	id := strconv.FormatInt(e.Cursor, 10)
	switch {
	case e.Page != nil:
		return o.json("page", id, e.Page)
	case e.State == nil:
		return o.write([]byte(":\n\n"))
	case unfinished(e.State):
		return o.json("status", id, e.State)
	}
	return o.json("end", id+endMark, e.State)
}

// json writes an event, whose data is one line.
func (o *events) json(name, id string, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	head := "event: " + name + "\n"
	if id != "" {
		head += "id: " + id + "\n"
	}
	return o.write(slices.Concat([]byte(head+"data: "), bytes.TrimSuffix(data, []byte("\n")), []byte("\n\n")))
}
