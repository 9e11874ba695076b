package reader

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file has the calls of a Reader. A call checks its request, loads the page
// ([Reader.open], [Reader.pageOf]), makes the content of it ([Answer.fill]) and cuts that.
// What is around it is in [Reader.call] and [Reader.work], and nowhere else: the deadline,
// the place in memory, and turns at the processor.

// Read answers a request. A redirect to another host that is not followed is
// a success with RedirectURL and no content. The error is a *tool.Error. The
// answer beside it is nil, except where a page came that has no content: then it
// describes that page.
func (r *Reader) Read(ctx context.Context, request Request) (a *Answer, err error) {
	err = r.call(ctx, &request, func(ctx context.Context) (large bool, err error) {
		q, err := r.compile(request)
		if err != nil {
			return false, err
		}
		if a, _, err = r.load(ctx, q, false); err == nil {
			err = r.finish(ctx, a, q)
		}
		return a != nil && len(a.Body()) > largeResult, err
	})
	return a, err
}

// Page reads a page complete: its answer, uncut and without a model's work, and the
// page itself, for callers that follow its links and keep its blocks. A redirect
// that is not followed has no page. The error is that of [Reader.Read].
func (r *Reader) Page(ctx context.Context, request Request) (a *Answer, p *page.Page, err error) {
	err = r.call(ctx, &request, func(ctx context.Context) (bool, error) {
		q, err := r.compile(request)
		if err != nil {
			return false, err
		}
		var s *loaded
		if a, s, err = r.load(ctx, q, true); s != nil {
			p = s.canonical()
		}
		return false, err
	})
	return a, p, err
}

// atOnce bounds the URLs of one call that are read at a time.
const atOnce = 4

// ReadAll answers one request for several URLs, as people write them, that
// share its budget; what short contents leave of it goes to longer ones. The
// answers are in the order of the URLs, and one that failed carries its
// error.
func (r *Reader) ReadAll(ctx context.Context, urls []string, request Request) *Answers {
	all := &Answers{answers: make([]*Answer, len(urls)), limit: r.limit(request), noted: slices.Clone(request.Notices)}
	bad := r.call(ctx, &request, func(ctx context.Context) (bool, error) {
		q, err := r.compile(request)
		if err != nil {
			return false, err
		}
		all.tokens = q.MaxTokens
		r.loadAll(ctx, all, urls, q)
		all.AnsweredBy = q.by
		if q.model != nil {
			all.answer(ctx, q)
		}
		if q.unanswered != "" {
			all.noted = append(all.noted, q.unanswered)
		}
		return all.limit == 0 || all.limit > largeResult, nil
	})
	all.Results = make([]*result.Fetch, len(all.answers))
	for i, a := range all.answers {
		if a == nil { // nothing was read: the request is wrong
			u, err := Address(urls[i])
			a = failedAnswer(nil, urls[i], u, cmp.Or(err, bad))
			all.answers[i] = a
		}
		all.Results[i] = &a.Fetch
	}
	all.cut(all.limit)
	return all
}

// loadAll reads several URLs, each of which is a call of its own.
func (r *Reader) loadAll(ctx context.Context, all *Answers, urls []string, q compiled) {
	deadline.Each(ctx, len(urls), atOnce, func(ctx context.Context, i int) {
		var a *Answer
		u, err := Address(urls[i])
		if err == nil {
			q := q
			q.URL = u
			err = r.call(ctx, &q.Request, func(ctx context.Context) (large bool, err error) {
				a, _, err = r.load(ctx, q, false)
				return a != nil && len(a.content.whole) > largeResult, err
			})
		}
		if err != nil {
			a = failedAnswer(a, urls[i], u, err)
		} else if q.model == nil && a.RedirectURL == "" {
			a.AnsweredBy = q.by
		}
		if q.model == nil {
			a.content.trim(all.limit, all.tokens)
		}
		all.answers[i] = a
	})
}

// failedAnswer is what is known of a page that could not be read, with the error.
func failedAnswer(a *Answer, raw string, u weburl.URL, err error) *Answer {
	if !u.IsZero() {
		raw = u.WithoutUserinfo().String()
	}
	if a == nil {
		a = &Answer{Fetch: result.Fetch{URL: raw, PageType: page.Other}}
	}
	a.Success, a.Error = false, tool.AsError(err)
	a.UpstreamStatus = cmp.Or(a.UpstreamStatus, a.Error.UpstreamStatus())
	return a
}

// finish has a prompt answered and cuts the answer to its window.
func (r *Reader) finish(ctx context.Context, a *Answer, q compiled) error {
	a.noted = append(slices.Clone(q.Notices), a.noted...)
	if a.RedirectURL != "" {
		a.Notices = a.noted
		return nil
	}
	a.AnsweredBy = q.by
	if q.model != nil && (a.Metadata.Since == nil || a.before != "") {
		answer := answerPrompt
		if a.before != "" {
			answer = answerChanges
		}
		p, err := answer(ctx, []*Answer{a}, q)
		if err != nil {
			return err
		}
		a.setPrompted(p)
	}
	if q.unanswered != "" {
		a.noted = append(a.noted, q.unanswered)
	}
	return r.work(ctx, len(a.content.whole), func(context.Context) error { a.cut(r.limit(q.Request), q.MaxTokens); return nil })
}

// limit is the window of a request in characters; 0 for none.
func (r *Reader) limit(q Request) int {
	if q.MaxLength == NoLimit {
		return 0
	}
	return cmp.Or(q.MaxLength, q.Window, r.o.MaxChars)
}

// load gets a page and makes the whole content of its answer, uncut; wanted: the page is
// needed after that.
func (r *Reader) load(ctx context.Context, q compiled, wanted bool) (*Answer, *loaded, error) {
	if err := r.signIn(ctx, &q); err != nil {
		return nil, nil, err
	}
	s, err := r.open(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	s.wanted = wanted || q.model != nil
	a := newAnswer(q.URL, s)
	a.memory, a.fetched, a.renders, a.scrolled = &r.memory, true, r.o.Render != nil, q.Scroll
	a.content.prompted = q.unanswered != ""
	if u := s.res.URL; r.o.Unchecked != nil && u.Scheme() == "https" && r.o.Unchecked(u.Host()) {
		a.noted = append(a.noted, "The certificate of "+text.Name(u.Host())+" was not checked (WEB_TLS_INSECURE).")
	}
	if !s.res.Redirect.IsZero() {
		a.Success, a.RedirectURL = true, s.res.Redirect.String()
		return a, s, nil
	}
	start := time.Now()
	if err = s.err; err == nil {
		err = r.work(ctx, len(s.res.Body), func(ctx context.Context) error { return a.fill(ctx, s, q) })
	}
	if err == nil {
		err = r.keep(ctx, a, s, q.Request)
	}
	if err != nil {
		e := extractError(q.address(), err)
		if s.tried != "" {
			e.Hint = s.tried + "; " + e.Hint
		}
		e.Status = cmp.Or(e.Status, s.res.Status)
		return a, s, e
	}
	if q.model != nil {
		a.keepEvidence(s.page)
	}
	a.noteLoaded(s, q)
	a.Metadata.Timings.ReadMS = ms(s.read + time.Since(start))
	return a, s, nil
}

// noteLoaded notes how the page was read.
func (a *Answer) noteLoaded(s *loaded, q compiled) {
	if s.res.Truncated {
		a.noted = append(a.noted, "Not all of the page was read: "+s.res.TruncatedWhy+".")
	}
	if s.note != "" {
		a.noted = append(a.noted, "Read "+s.note+".")
	}
	if q.Mode == Links && len(a.Links) == 0 && a.Verdict == page.Complete && a.renders && !s.rendered && q.Render != RenderAlways {
		a.noted = append(a.noted, "render=always runs the scripts of the page in a browser.")
	}
}

// newAnswer is what is known of a page before its content is made.
func newAnswer(u weburl.URL, s *loaded) *Answer {
	res := s.res
	a := &Answer{argued: true, vain: s.vain, Fetch: result.Fetch{
		URL:      u.WithoutUserinfo().String(),
		FinalURL: res.URL.String(),
		PageType: page.Other, UpstreamStatus: res.Status,
		Metadata: result.Metadata{
			ContentType:   res.MediaType,
			ContentLength: res.DecodedBytes,
			Status:        res.Status,
			FetchedAt:     res.FetchedAt.UTC(),
			Cached:        res.Cached,
			Version:       hex.EncodeToString(s.sum[:6]),
			HiddenCheck:   "inline",
			Rendered:      s.rendered,
			RenderNote:    s.note,
			Timings:       result.Timings{FetchMS: ms(s.fetched)},
		},
	}}
	if s.readAs != "" {
		a.FinalURL = s.url.WithoutUserinfo().String()
		a.Metadata.ReadAs, a.Metadata.ReadFrom = s.readAs, res.URL.String()
	}
	if s.page != nil {
		a.describe(s.page)
	}
	return a
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// largeResult is the length from which a result takes as much room as its page.
const largeResult = 256 << 10

// call runs f within the deadline of a request. What is fetched meanwhile keeps its place
// in memory until the end; large says that the result takes as much. A call may be within
// another one. The error is a *tool.Error.
func (r *Reader) call(ctx context.Context, q *Request, f func(context.Context) (large bool, err error)) (err error) {
	ctx, stop := deadline.With(ctx, cmp.Or(max(q.Timeout, 0), r.o.Timeout))
	defer stop()
	defer tool.Recovered("the reader", &err)
	ctx, end := admission.Call(ctx)
	large := false
	defer func() { end(large) }()
	large, err = f(ctx)
	return q.late(ctx, err)
}

// graceTime is how long after its deadline a call may still make a page of the
// bytes that have arrived until then. A call ends a second after its deadline: the rest is
// for the stage that is under way, which takes its time on a busy machine.
const graceTime = 500 * time.Millisecond

// inTime runs f with a context that ends graceTime after the deadline of ctx, or with ctx
// where that is cancelled.
func inTime(ctx context.Context, f func(in context.Context) error) error {
	in, cancel := ctx, context.CancelFunc(func() {})
	if at, ok := ctx.Deadline(); ok {
		in, cancel = context.WithDeadline(context.WithoutCancel(ctx), at.Add(graceTime))
		defer context.AfterFunc(ctx, func() {
			if !deadline.Over(ctx) {
				cancel()
			}
		})()
	}
	defer cancel()
	err := f(in)
	if err == nil || in.Err() == nil || ctx.Err() == nil {
		return err
	}
	over := deadline.Err(ctx)
	var waited *admission.Waited
	if e := tool.AsError(over); e != nil && e.Type == tool.Timeout && errors.As(err, &waited) {
		e.Message += " while the page waited for its turn behind other large pages"
		e.Hint = "try again when this server has less to do, or ask for fewer pages at a time"
		return e
	}
	return over
}

// work is inTime for what takes bytes apart: f runs when its turn has come. It must not
// be called within itself.
func (r *Reader) work(ctx context.Context, bytes int, f func(context.Context) error) error {
	return inTime(ctx, func(in context.Context) error {
		return r.admitted(in, bytes, func() error { return f(in) })
	})
}

// admitted runs f when its turn has come: what takes bytes apart takes processor time.
func (r *Reader) admitted(ctx context.Context, bytes int, f func() error) (err error) {
	if r.o.Admit == nil {
		return f()
	}
	if e := r.o.Admit(ctx, bytes, func() { err = f() }); e != nil {
		return e
	}
	return err
}

// makePage runs f once for all calls that need the page of a key at a time, and remembers
// the page unless it was made of very many bytes.
func (r *Reader) makePage(ctx context.Context, key pageKey, bytes int, f func(context.Context) (*page.Page, error)) (p *page.Page, err error) {
	if p, ok := r.memory.pages.get(key); ok {
		return p, nil
	}
	err = inTime(ctx, func(in context.Context) error {
		p, _, err = r.parsing.Do(in, key, func(own context.Context) (p *page.Page, err error) {
			err = r.admitted(own, bytes, func() (err error) { p, err = f(own); return err })
			if err == nil && bytes <= maxKeptBytes {
				r.memory.put(key, p)
			}
			return p, err
		})
		return err
	})
	return p, err
}

// signIn puts the login of the caller that a request names into its credentials. It is for
// URLs of its site alone.
func (r *Reader) signIn(ctx context.Context, q *compiled) error {
	switch {
	case q.Login == "":
		return nil
	case q.Auth != nil:
		return badRequest("login does not go with other credentials", "leave one of them out")
	case r.o.Login == nil:
		return badRequest("there are no logins here", "leave login out")
	}
	l, err := r.o.Login(ctx, q.Login, q.URL)
	if err != nil {
		return err
	}
	if !l.Covers(q.URL) {
		return badRequest("the login of "+text.Name(l.Site())+" is not for "+text.URL(q.address()), "leave login out, or fetch a URL of that site")
	}
	q.Auth = &fetch.Auth{Login: l}
	return nil
}
