package reader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Read answers a request. A redirect to another host that is not followed is
// a success with RedirectURL and no content. The error is a *tool.Error. The
// answer beside it is nil, except where a page came that has no content: then it
// describes that page.
func (r *Reader) Read(ctx context.Context, request Request) (a *Answer, err error) {
	err = r.call(ctx, request, func(ctx context.Context, q compiled) (large bool, err error) {
		if a, err = r.load(ctx, q); err == nil {
			err = r.finish(ctx, a, q)
		}
		return a != nil && len(a.Body()) > largeResult, err
	})
	return a, err
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
	if q.MaxLength != nil {
		return *q.MaxLength
	}
	return cmp.Or(q.Window, r.o.MaxChars)
}

// atOnce bounds the URLs of one call that are read at a time.
const atOnce = 4

// ReadAll answers one request for several URLs, as people write them, that
// share its budget; what short contents leave of it goes to longer ones. The
// answers are in the order of the URLs, and one that failed carries its
// error.
func (r *Reader) ReadAll(ctx context.Context, urls []string, request Request) *Answers {
	all := &Answers{answers: make([]*Answer, len(urls)), limit: r.limit(request), tokens: request.MaxTokens, noted: slices.Clone(request.Notices)}
	bad := r.call(ctx, request, func(ctx context.Context, q compiled) (bool, error) {
		r.loadAll(ctx, all, urls, q)
		all.AnsweredBy = q.by
		if q.model != nil {
			r.answerAll(ctx, all, q)
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

// loadAll reads several URLs.
func (r *Reader) loadAll(ctx context.Context, all *Answers, urls []string, q compiled) {
	room := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, raw := range urls {
		room <- struct{}{}
		// Those that wait for room are to be read too when others are slow.
		rounds := (len(urls) - i + atOnce - 1) / atOnce
		running.Go(func() {
			defer func() { <-room }()
			ctx, stop := deadline.Share(ctx, rounds)
			defer stop()
			all.answers[i] = r.loadOne(ctx, raw, q)
			if q.model == nil {
				all.answers[i].content.trim(all.limit, all.tokens)
			}
		})
	}
	running.Wait()
}

// loadOne is load with the error in the answer.
func (r *Reader) loadOne(ctx context.Context, raw string, q compiled) (a *Answer) {
	u, err := Address(raw)
	if err == nil {
		q.URL = u
		a, err = r.load(ctx, q)
	}
	if err != nil {
		return failedAnswer(a, raw, u, q.late(ctx, err))
	}
	if q.model == nil && a.RedirectURL == "" {
		a.AnsweredBy = q.by
	}
	return a
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

// load makes the complete content of an answer, uncut. It is a call of its own among those
// of several URLs.
func (r *Reader) load(ctx context.Context, q compiled) (a *Answer, err error) {
	defer tool.Recovered(panicked, &err)
	ctx, end := admission.Call(ctx)
	defer func() { end(a != nil && len(a.content.whole) > largeResult) }()
	a, _, err = r.read(ctx, q, false)
	return a, err
}

// Page reads a page complete: its answer, uncut and without a model's work, and the
// page itself, for callers that follow its links and keep its blocks. A redirect
// that is not followed has no page. The error is that of [Reader.Read].
func (r *Reader) Page(ctx context.Context, request Request) (a *Answer, p *page.Page, err error) {
	err = r.call(ctx, request, func(ctx context.Context, q compiled) (bool, error) {
		var s *loaded
		if a, s, err = r.read(ctx, q, true); s != nil {
			p = canonical(s)
		}
		return false, err
	})
	return a, p, err
}

// read gets a page and makes what was asked for of it; wanted: the page is needed after that.
func (r *Reader) read(ctx context.Context, q compiled, wanted bool) (*Answer, *loaded, error) {
	if err := r.signIn(ctx, &q); err != nil {
		return nil, nil, err
	}
	s, err := r.open(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	s.wanted = wanted || q.model != nil
	a, err := r.answer(ctx, q, s)
	return a, s, err
}

// canonical is the page of s, which also knows the canonical address of the Link header.
func canonical(s *loaded) *page.Page {
	if s.page == nil || s.page.Meta.Canonical != "" || s.readAs != "" {
		return s.page
	}
	address := sites.Canonical(s.res.URL, s.res.Header["Link"])
	if address == "" {
		return s.page
	}
	p := *s.page // several calls share it
	p.Meta.Canonical = address
	return &p
}

// answer makes the whole content of a page, uncut.
func (r *Reader) answer(ctx context.Context, q compiled, s *loaded) (*Answer, error) {
	a := newAnswer(q.URL, s.res, s.sum)
	a.memory, a.fetched, a.renders, a.scrolled = &r.memory, true, r.o.Render != nil, q.Scroll
	a.content.prompted = q.unanswered != ""
	a.Metadata.Rendered, a.Metadata.RenderNote, a.vain = s.rendered, s.note, s.vain
	a.Metadata.Timings.FetchMS = ms(s.fetched)
	if u := s.res.URL; r.o.Unchecked != nil && u.Scheme() == "https" && r.o.Unchecked(u.Host()) {
		a.noted = append(a.noted, "The certificate of "+text.Name(u.Host())+" was not checked (WEB_TLS_INSECURE).")
	}
	if !s.res.Redirect.IsZero() {
		a.Success, a.RedirectURL = true, s.res.Redirect.String()
		return a, nil
	}
	if s.readAs != "" {
		a.FinalURL = s.url.WithoutUserinfo().String()
		a.Metadata.ReadAs, a.Metadata.ReadFrom = s.readAs, s.res.URL.String()
	}
	start := time.Now()
	err := s.err
	if s.page != nil {
		a.describe(s.page)
	}
	if err == nil {
		err = r.work(ctx, len(s.res.Body), func(ctx context.Context) error { return a.fill(ctx, s, q) })
	}
	if err == nil {
		err = r.keep(ctx, a, s, q.Request)
	}
	if err == nil && q.model != nil {
		a.keepEvidence(s.page)
	}
	if err != nil {
		e := after(s.tried, extractError(q.address(), err))
		e.Status = cmp.Or(e.Status, s.res.Status)
		return a, e
	}
	if s.res.Truncated {
		a.noted = append(a.noted, "Not all of the page was read: "+s.res.TruncatedWhy+".")
	}
	if s.note != "" {
		a.noted = append(a.noted, "Read "+s.note+".")
	}
	if q.Mode == Links && len(a.Links) == 0 && a.Verdict == page.Complete && r.o.Render != nil && !s.rendered && q.Render != RenderAlways {
		a.noted = append(a.noted, "render=always runs the scripts of the page in a browser.")
	}
	a.Metadata.Timings.ReadMS = ms(s.read + time.Since(start))
	return a, nil
}

func newAnswer(u weburl.URL, res *fetch.Response, sum [sha256.Size]byte) *Answer {
	return &Answer{argued: true, Fetch: result.Fetch{
		URL:      u.WithoutUserinfo().String(),
		FinalURL: res.URL.String(),
		PageType: page.Other, UpstreamStatus: res.Status,
		Metadata: result.Metadata{
			ContentType:   res.MediaType,
			ContentLength: res.DecodedBytes,
			Status:        res.Status,
			FetchedAt:     res.FetchedAt.UTC(),
			Cached:        res.Cached,
			Version:       hex.EncodeToString(sum[:6]),
			HiddenCheck:   "inline",
		},
	}}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
