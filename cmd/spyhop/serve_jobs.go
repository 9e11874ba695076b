package main

import (
	"context"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/result"
)

// serverJobs are the jobs of a Client as the server needs them.
type serverJobs struct{ client *spyhop.Client }

// Start implements serve.Jobs.
func (j serverJobs) Start(ctx context.Context, q result.CrawlRequest) (*result.Crawl, error) {
	return j.client.StartCrawl(ctx, q)
}

// List implements serve.Jobs.
func (j serverJobs) List(ctx context.Context) ([]*result.Crawl, error) {
	return j.client.CrawlJobs(ctx)
}

// Status implements serve.Jobs.
func (j serverJobs) Status(ctx context.Context, job string) (*result.Crawl, error) {
	return j.client.CrawlStatus(ctx, job)
}

// Pages implements serve.Jobs.
func (j serverJobs) Pages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error) {
	return j.client.CrawlPages(ctx, job, after, n, bodies)
}

// Follow implements serve.Jobs.
func (j serverJobs) Follow(ctx context.Context, job string, after int64, each func(result.CrawlEvent) error) error {
	return j.client.FollowCrawl(ctx, job, after, each)
}

// Stop implements serve.Jobs.
func (j serverJobs) Stop(ctx context.Context, job string) error { return j.client.StopCrawl(ctx, job) }

// Drop implements serve.Jobs.
func (j serverJobs) Drop(ctx context.Context, job string) error { return j.client.DropCrawl(ctx, job) }
