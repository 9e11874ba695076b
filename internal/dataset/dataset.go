// Package dataset provides the same data from many pages: a value of one JSON Schema
// from each.
//
//	d := dataset.New(dataset.Options{Fetch: fetch, Map: sitemap, Crawl: crawl, Ask: agent.Ask})
//	summary, err := d.Run(ctx, result.DataRequest{URLs: []string{"example.com/products/*"}, Schema: schema}, func(r result.DataRow) error {
//		return json.NewEncoder(os.Stdout).Encode(r)
//	})
//
// A schema in which each value has an x-selector is filled without a model. A model fills
// the others, page by page, with evidence for each value. [Dataset.Learn] has a model
// write the selectors of a schema once, from one or two pages; the schema then remembers
// which fields these pages had, and Run reports the hosts that no longer have them.
//
// # Guarantees
//
// A page that fails is a row with its error. Rows come one at a time, in the order in
// which pages are done. A run ends with its context.
//
// # Limits
//
// At most 10,000 pages a run. That a site has changed is noticed when most of its pages
// miss a field; selectors that still match something else are not noticed.
package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/schema"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// mostPages bounds a run, defaultPages a pattern or a crawl that names no bound.
	mostPages, defaultPages = 10_000, 100
	// atOnce is the number of pages that are read at a time.
	atOnce = 4
)

// Options are what a Dataset works with. Only Fetch is required.
type Options struct {
	// Fetch reads a page with a schema whose values have selectors, or its source
	// without one. The error is a *tool.Error.
	Fetch func(ctx context.Context, url string, schema json.RawMessage) (*result.Fetch, error)
	// Skeleton shortens the source of a page to what selectors need, and to so many bytes.
	Skeleton func(html string, most int) string
	// Map lists the pages of a site whose paths match a glob, Crawl those that a crawl
	// reads.
	Map   func(ctx context.Context, start, glob string) ([]string, error)
	Crawl func(ctx context.Context, start string, most int) ([]string, error)
	// Ask answers a question with a schema, and Model writes selectors; nil: there is no
	// model.
	Ask   func(context.Context, agent.Request) (*result.Answer, error)
	Model llm.Model
}

// Dataset reads data. It is safe for concurrent use.
type Dataset struct{ o Options }

// New returns a Dataset.
func New(o Options) *Dataset { return &Dataset{o} }

// Run calls each with a row for every page, one at a time. An error of each ends the run.
// The summary is never nil. The error is a *tool.Error, or that of each.
func (d *Dataset) Run(ctx context.Context, q result.DataRequest, each func(result.DataRow) error) (*result.DataSummary, error) {
	s := &result.DataSummary{}
	form, err := schema.New(q.Schema)
	if err != nil {
		return s, err
	}
	fields, err := form.Fields()
	switch {
	case err != nil:
		return s, err
	case fields == nil && d.o.Ask == nil:
		return s, tool.NewError(tool.InvalidInput, "the schema has no selectors, and no language model is configured",
			"give each value an x-selector, or set WEB_MODEL; spyhop schema learn has a model write the selectors once")
	case len(q.URLs) == 0:
		return s, tool.NewError(tool.InvalidInput, "no page is named", "give URLs, or a pattern such as example.com/products/*")
	}
	urls, err := d.pages(ctx, q, s)
	if err != nil {
		return s, err
	}
	run := &run{d: d, q: q, form: form, selectors: fields != nil, learned: learnedOf(q.Schema), summary: s, each: each, misses: map[string]*misses{}}
	return s, run.all(ctx, urls)
}

// pages lists the pages of a request, each once.
func (d *Dataset) pages(ctx context.Context, q result.DataRequest, s *result.DataSummary) ([]string, error) {
	most := q.MaxPages
	if most <= 0 || most > mostPages {
		most = mostPages
	}
	var out []string
	add := func(urls ...string) {
		for _, u := range urls {
			if len(out) < most && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	for _, raw := range q.URLs {
		start, glob, isPattern := pattern(raw)
		if !isPattern && !q.Crawl {
			add(raw)
			continue
		}
		if q.MaxPages <= 0 {
			most = min(most, defaultPages)
		}
		var found []string
		var err error
		if q.Crawl {
			found, err = d.o.Crawl(ctx, start, most)
		} else {
			found, err = d.o.Map(ctx, start, glob)
		}
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, tool.NewError(tool.NoContent, "no page of the site matches "+text.Quoted(raw), "spyhop map shows the pages of the site")
		}
		if len(out)+len(found) > most {
			s.Notices = append(s.Notices, fmt.Sprintf("%d of %d pages of %s are read; a larger page limit reads more", max(most-len(out), 0), len(found), text.URL(start)))
		}
		add(found...)
	}
	return out, nil
}

// pattern splits a pattern: example.com/products/* begins at /products/ and keeps what
// matches the path.
func pattern(raw string) (start, glob string, ok bool) {
	scheme := ""
	rest := raw
	if i := strings.Index(raw, "://"); i >= 0 {
		scheme, rest = raw[:i+3], raw[i+3:]
	}
	host, path, _ := strings.Cut(rest, "/")
	i := strings.IndexByte(path, '*')
	if i < 0 {
		return raw, "", false
	}
	below := path[:i]
	below = below[:strings.LastIndexByte(below, '/')+1]
	return scheme + host + "/" + below, "/" + path, true
}

// run is one run.
type run struct {
	d         *Dataset
	q         result.DataRequest
	form      *schema.Form
	selectors bool
	learned   *learned
	each      func(result.DataRow) error

	mu      sync.Mutex
	summary *result.DataSummary
	misses  map[string]*misses // by host
}

// misses counts the pages of a host that miss a learned field.
type misses struct {
	pages  int
	fields map[string]int
}

// all reads the pages.
func (r *run) all(ctx context.Context, urls []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	places := make(chan struct{}, atOnce)
	var reading sync.WaitGroup
	for _, u := range urls {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		reading.Go(func() {
			defer func() { <-places }()
			row, usage := r.page(ctx, u)
			r.mu.Lock()
			defer r.mu.Unlock()
			if failed != nil || ctx.Err() != nil && row.Error != nil {
				return
			}
			r.count(&row, usage)
			if failed = r.each(row); failed != nil {
				cancel()
			}
		})
	}
	reading.Wait()
	r.changed()
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// page reads the data of one page.
func (r *run) page(ctx context.Context, url string) (row result.DataRow, usage result.Usage) {
	row.URL = url
	fail := func(err error) { row.Error = tool.AsError(err) }
	if r.selectors {
		page, err := r.d.o.Fetch(ctx, url, r.q.Schema)
		if err != nil {
			fail(err)
			if row.Error.Type == tool.NoContent && r.learned != nil {
				row.Missing = r.learned.Filled // not one selector matches
			}
			return row, usage
		}
		row.URL, row.Version, row.Data = page.FinalURL, page.Metadata.Version, json.RawMessage(page.Content)
		if r.learned != nil {
			row.Missing = missing(r.learned.Filled, row.Data)
		}
		return row, usage
	}
	question := r.q.Prompt
	if question == "" {
		question = "Extract the values of the schema from this page."
	}
	a, err := r.d.o.Ask(ctx, agent.Request{Question: question, URLs: []string{url}, Schema: r.q.Schema, MaxTokens: agent.MostAnswer})
	if err != nil {
		fail(err)
		return row, usage
	}
	if len(a.Read) > 0 {
		row.URL, row.Version = a.Read[0].URL, a.Read[0].Version
	}
	row.Data, row.Evidence, row.Citations = a.Data, a.Evidence, a.Citations
	return row, a.Usage
}

// count adds a row to the summary.
func (r *run) count(row *result.DataRow, u result.Usage) {
	s := r.summary
	s.Usage.Turns += u.Turns
	s.Usage.TokensIn += u.TokensIn
	s.Usage.TokensOut += u.TokensOut
	s.Usage.USD += u.USD
	s.Usage.Estimated = s.Usage.Estimated || u.Estimated
	if row.Error != nil {
		s.Failed++
	} else {
		s.Rows++
	}
	if r.learned == nil || row.Error != nil && row.Missing == nil {
		return
	}
	host := row.URL
	if u, err := weburl.ParseLenient(row.URL); err == nil {
		host = u.Host()
	}
	m := r.misses[host]
	if m == nil {
		m = &misses{fields: map[string]int{}}
		r.misses[host] = m
	}
	m.pages++
	for _, f := range row.Missing {
		m.fields[f]++
	}
}

// changed reports the hosts most of whose pages miss a field.
func (r *run) changed() {
	for host, m := range r.misses {
		var fields []string
		for f, n := range m.fields {
			if 2*n > m.pages {
				fields = append(fields, f)
			}
		}
		if len(fields) == 0 {
			continue
		}
		slices.Sort(fields)
		r.summary.Changed = append(r.summary.Changed, host)
		r.summary.Notices = append(r.summary.Notices, fmt.Sprintf("%s seems to have changed: most of %s miss %s; learn the schema again", text.Name(host), text.Count(m.pages, "page"), text.Path(strings.Join(fields, ", "))))
	}
	slices.Sort(r.summary.Changed)
	slices.Sort(r.summary.Notices)
}
