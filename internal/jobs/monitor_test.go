package jobs

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// A monitor tells what was added, changed and gone since a round; it looks less often
// at pages that never change; it goes on after a restart, in bounded room, and one that
// is removed leaves nothing.
func TestMonitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		to := &receiver{}
		g.s.html = map[string]string{"https://a.example.com/": `<a href="/still">s</a><a href="/news">n</a><a href="/old">o</a>`, "https://a.example.com/still": "", "https://a.example.com/news": "", "https://a.example.com/old": ""}
		r := g.runner(hooked(to))
		r.every = 10 * time.Second
		stop := g.run(r)
		c := &crawl.Crawler{Web: g.s.web(), Frontier: g.f}
		m, err := r.Watch(t.Context(), "ann", "", crawl.Options{URLs: []string{"https://a.example.com/"}, Every: time.Hour, Webhook: &crawl.Webhook{URL: hookURL}})
		if err != nil {
			t.Fatal(err)
		}
		status := func() *result.Monitor {
			t.Helper()
			s, err := c.MonitorStatus(g.job(m.ID))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		changes := func(since time.Time) (out []string) {
			t.Helper()
			list, err := c.Changes(t.Context(), g.job(m.ID), 0, since, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range list.Changes {
				out = append(out, l.Change+" "+l.URL)
			}
			return out
		}
		time.Sleep(10 * time.Minute)
		if s := status(); s.Rounds != 1 || s.Pages != 4 || s.Changes != 0 || s.Running || s.Next.Sub(s.Last) < 50*time.Minute {
			t.Errorf("after the first round: %+v", s)
		}
		g.s.set("https://a.example.com/news", "<p>Another day.</p>")
		g.s.set("https://a.example.com/new", "")
		g.s.set("https://a.example.com/", `<a href="/still">s</a><a href="/news">n</a><a href="/new">w</a>`)
		g.s.drop("https://a.example.com/old")
		time.Sleep(time.Hour)
		want := "[changed https://a.example.com/ added https://a.example.com/new changed https://a.example.com/news gone https://a.example.com/old]"
		got := changes(time.Time{})
		if sorted := fmt.Sprint(byURL(got)); sorted != want {
			t.Errorf("%s, want %s", sorted, want)
		}
		stop() // a restart
		r = g.runner(hooked(to))
		r.every = 10 * time.Second
		stop = g.run(r)
		before := time.Now()
		for i := range 48 {
			g.s.set("https://a.example.com/news", fmt.Sprintf("<p>Day %d.</p>", i))
			time.Sleep(time.Hour)
		}
		if all := changes(before); len(all) < 40 {
			t.Errorf("of 48 changes of a page, %d were seen", len(all))
		}
		news, still := g.s.count("https://a.example.com/news"), g.s.count("https://a.example.com/still")
		if still > 14 || news < 45 {
			t.Errorf("in 50 rounds, the page that changes was read %d times, the one that does not %d times", news, still)
		}
		s := status()
		if s.Rounds < 49 || s.Pages != 4 {
			t.Errorf("%+v", s)
		}
		told := 0
		for _, m := range to.all() {
			if m.Type != "monitor.changed" {
				t.Errorf("%+v", m)
			}
			told++
		}
		if told < 40 {
			t.Errorf("the webhook was told %d times", told)
		}
		jobs, err := g.f.Jobs(t.Context(), frontier.JobQuery{})
		if err != nil || len(jobs) > 3 {
			t.Errorf("%d jobs are stored, %v", len(jobs), err)
		}
		if err := c.DropMonitor(t.Context(), "bob", m.ID); tool.AsError(err) == nil || tool.AsError(err).Status != 404 {
			t.Errorf("another owner: %v", err)
		}
		if err := c.DropMonitor(t.Context(), "ann", m.ID); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Hour)
		if jobs, err := g.f.Jobs(t.Context(), frontier.JobQuery{}); err != nil || len(jobs) != 0 {
			t.Errorf("%d jobs are left, %v", len(jobs), err)
		}
		stop()
		for _, o := range []crawl.Options{{Every: time.Hour}, {URLs: []string{"https://a.example.com/"}, Every: time.Second}, {URLs: []string{"https://a.example.com/"}, Every: 9000 * time.Hour}} {
			if _, err := r.Watch(t.Context(), "ann", "", o); err == nil {
				t.Errorf("%+v is taken", o)
			}
		}
		for i := range maxMonitors + 1 {
			_, err := r.Watch(t.Context(), "ann", "", crawl.Options{URLs: []string{"https://a.example.com/"}, Every: time.Hour})
			if (err == nil) != (i < maxMonitors) || err != nil && tool.AsError(err).HTTPStatus() != 429 {
				t.Fatalf("monitor %d: %v", i, err)
			}
		}
	})
}
