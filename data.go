package spyhop

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/dataset"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
)

// DataRequest says which data is read of which pages, DataRow is the data of one page.
type (
	DataRequest = result.DataRequest
	DataRow     = result.DataRow
)

// Data reads the same data from many pages and calls each with a row for every page, one
// at a time, in the order in which pages are done. A page that fails is a row with its
// Error; an error of each ends the run and is returned. The summary is never nil.
func (s *Client) Data(ctx context.Context, q DataRequest, each func(DataRow) error) (*result.DataSummary, error) {
	sum, err := s.dataset().Run(ctx, q, each)
	return sum, s.hints.explain(err)
}

// LearnSchema has the configured model write the selectors of a schema from 1 to 4 pages
// of one kind. With them, Data needs no model, and reports the hosts whose pages no longer
// have what these pages had. The notices name values that the pages do not have; they are
// removed from the schema. The error is an *Error.
func (s *Client) LearnSchema(ctx context.Context, urls []string, schema json.RawMessage, prompt string) (learned json.RawMessage, notices []string, err error) {
	err = s.operation(ctx, "learn", func(ctx context.Context) (err error) {
		learned, notices, err = s.dataset().Learn(ctx, urls, schema, prompt, time.Now())
		return err
	})
	return learned, notices, err
}

// dataset makes the reader of data.
func (s *Client) dataset() *dataset.Dataset {
	o := dataset.Options{Skeleton: extract.Skeleton, Fetch: s.dataPage, Map: s.pagesOf, Crawl: s.crawled, Model: s.model}
	if s.model != nil {
		o.Ask = func(ctx context.Context, q agent.Request) (*result.Answer, error) {
			s.tools()
			return s.agent.Ask(ctx, q)
		}
	}
	return dataset.New(o)
}

// dataPage reads a page with a schema, or its source.
func (s *Client) dataPage(ctx context.Context, url string, schema json.RawMessage) (*result.Fetch, error) {
	return operate(ctx, s, "data", func(ctx context.Context) (*result.Fetch, error) {
		u, err := reader.Address(url)
		if err != nil {
			return nil, err
		}
		q := reader.Request{URL: u, Schema: schema, MaxLength: NoLimit, Follow: s.follow}
		if schema == nil {
			q.Mode = reader.Raw
		}
		a, err := s.reader.Read(ctx, q)
		if err != nil {
			return nil, err
		}
		return &a.Fetch, nil
	})
}

// pagesOf lists the pages of a site whose path matches a glob.
func (s *Client) pagesOf(ctx context.Context, start, glob string) ([]string, error) {
	m, err := s.Map(ctx, MapRequest{URL: start, Include: []string{glob}})
	if err != nil {
		return nil, err
	}
	out := make([]string, len(m.Links))
	for i, l := range m.Links {
		out[i] = l.URL
	}
	return out, nil
}

// crawled lists the pages that a crawl reads.
func (s *Client) crawled(ctx context.Context, start string, most int) ([]string, error) {
	c, err := s.Crawl(ctx, CrawlRequest{URLs: []string{start}, MaxPages: most})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range c.Pages {
		if p.Error == "" {
			out = append(out, p.URL)
		}
	}
	return out, nil
}
