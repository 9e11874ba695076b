package main

import (
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/serve"
)

// TestFill: settings, flags and requests to the server reach the library by the names of their
// fields, with the types that it has.
func TestFill(t *testing.T) {
	var c spyhop.Config
	fill(&c, config.Values{HTTP: "allow", HostConcurrency: 7, SearchKeys: map[string]string{"a": "b"}, BrowserHeaded: true})
	if c.HTTP != spyhop.HTTPAllow || c.HostConcurrency != 7 || c.SearchKeys["a"] != "b" || !c.BrowserHeaded {
		t.Errorf("settings: %+v", c)
	}
	var q spyhop.CrawlRequest
	fill(&q, crawlRunCmd{URLs: []string{"u"}, Render: "never", MaxPages: 3, scopeFlags: scopeFlags{Exclude: []string{"e"}, EntireSite: true}})
	if len(q.URLs) != 1 || len(q.Exclude) != 1 || q.Render != "never" || q.MaxPages != 3 || !q.EntireSite {
		t.Errorf("crawl: %+v", q)
	}
	fill(&q, serve.JobRequest{Job: "c1", WebhookPages: true, Render: "always"})
	if q.Job != "c1" || !q.WebhookPages || q.Render != "always" {
		t.Errorf("job: %+v", q)
	}
	var m spyhop.MonitorRequest
	fill(&m, monitorAddCmd{Cron: "@daily", Selector: ".a"})
	fill(&m, serve.MonitorRequest{Cron: "@daily", Selector: ".a", Render: "never"})
	if m.Cron != "@daily" || m.Selector != ".a" || m.Render != "never" {
		t.Errorf("monitor: %+v", m)
	}
	var w spyhop.SearchRequest
	fill(&w, searchCmd{Allowed: []string{"a"}, StartDate: "2026-01-01", IncludeContent: true, Topic: "news"})
	var p spyhop.MapRequest
	fill(&p, mapCmd{URL: "u", Sources: []string{"links"}})
	if len(w.Allowed) != 1 || w.StartDate == "" || !w.IncludeContent || w.Topic != "news" || p.URL != "u" || len(p.Sources) != 1 {
		t.Errorf("search and map: %+v %+v", w, p)
	}
}
