package main

import (
	"context"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/result"
)

// serverJobs are the jobs of a Client as the server needs them.
type serverJobs struct{ client *spyhop.Client }

// Start implements serve.Jobs.
func (j serverJobs) Start(ctx context.Context, q serve.JobRequest) (*result.Crawl, error) {
	var r spyhop.CrawlRequest
	fill(&r, q)
	return j.client.StartCrawl(ctx, r)
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

// serverMonitors are the monitors of a Client as the server needs them.
type serverMonitors struct{ *spyhop.Client }

// AddMonitor implements serve.Monitors.
func (m serverMonitors) AddMonitor(ctx context.Context, q serve.MonitorRequest) (*result.Monitor, error) {
	var r spyhop.MonitorRequest
	fill(&r, q)
	return m.Client.AddMonitor(ctx, r)
}
