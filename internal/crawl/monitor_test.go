package crawl

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// rounds runs a monitor: a round, and another one after each change of the site.
func rounds(t *testing.T, b *bench, o Options, changes ...func()) []result.PageChange {
	t.Helper()
	j, err := b.CreateMonitor(t.Context(), "local", "", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range append([]func(){func() {}}, changes...) {
		change()
		if _, err := b.Round(t.Context(), j.ID, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(o.Every + time.Hour)
	}
	if j, err = b.Monitor(t.Context(), "local", j.ID); err != nil {
		t.Fatal(err)
	}
	list, err := b.Changes(t.Context(), j, 0, time.Time{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return list.Changes
}

// TestMonitorDiff: a change has the words and lines that differ, and only changes about the
// query are reported.
func TestMonitorDiff(t *testing.T) {
	for _, c := range []struct {
		about string
		want  int
	}{{"", 1}, {"whale price", 1}, {"weather", 0}} {
		synctest.Test(t, func(t *testing.T) {
			s := &fakeSite{pages: map[string]string{home: html("Prices", "The whale tour has a price of 40 euros")}}
			b := newBench(t, s)
			got := rounds(t, b, Options{URLs: []string{home}, Every: time.Hour, About: c.about}, func() {
				s.pages[home] = strings.Replace(s.pages[home], "40 euros", "55 euros and a gift", 1)
			})
			if len(got) != c.want {
				t.Fatalf("about %q: %+v", c.about, got)
			}
			if c.want == 0 {
				return
			}
			if l := got[0]; l.Change != pageChanged || l.Added != 4 || l.Removed != 1 || !strings.Contains(l.Diff, "- The whale tour has a price of 40 euros.") || !strings.Contains(l.Diff, "\n+ The whale tour has a price of 55 euros and a gift.") {
				t.Errorf("%+v", l)
			}
		})
	}
}

// TestMonitorSearch: what a search newly finds is reported, and what it no longer finds is not.
func TestMonitorSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{})
		found := []result.Hit{{URL: "https://a.example/1", Title: "One"}, {URL: "https://a.example/2", Title: "Two"}}
		b.Web.Search = func(context.Context, string) ([]result.Hit, error) { return found, nil }
		got := rounds(t, b, Options{Search: "whales", Every: time.Hour}, func() {
			found = []result.Hit{{URL: "https://a.example/2", Title: "Two"}, {URL: "https://a.example/3", Title: "Three"}}
		})
		if len(got) != 1 || got[0].Change != pageAdded || got[0].URL != "https://a.example/3" || got[0].Title != "Three" {
			t.Errorf("%+v", got)
		}
	})
}

// TestMonitorChanged: a monitor that gets other options keeps what it knows and goes on by
// them; without any, a round begins at once; one that is paused has none.
func TestMonitorChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "words")}})
		o := Options{URLs: []string{home}, Every: time.Hour, Retention: time.Hour}
		j, err := b.CreateMonitor(t.Context(), "local", "", o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Round(t.Context(), j.ID, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			change func()
			due    time.Duration // -1: never
			paused bool
		}{
			{func() { o.Every = 3 * time.Hour }, 3 * time.Hour, false},
			{func() { o.Paused = true }, -1, true},
			{func() { o = Options{} }, -1, true},
			{func() { o = Options{URLs: []string{home}, Every: 2 * time.Hour} }, 2 * time.Hour, false},
			{func() { o = Options{} }, 0, false},
		} {
			c.change()
			if j, err = b.CreateMonitor(t.Context(), "local", j.ID, o); err != nil {
				t.Fatal(err)
			}
			state, err := b.MonitorStatus(j)
			if err != nil || state.Paused != c.paused || state.Rounds != 1 || j.Due.IsZero() != (c.due < 0) || c.due >= 0 && time.Until(j.Due).Round(time.Minute) != c.due {
				t.Errorf("%+v: %v, due %v, %v", c.due, state, j.Due, err)
			}
		}
		if _, err := b.CreateMonitor(t.Context(), "bob", j.ID, Options{}); err == nil {
			t.Error("another owner changes it")
		}
	})
}

// TestMonitorRetention: changes are forgotten after their time.
func TestMonitorRetention(t *testing.T) {
	for kept, want := range map[time.Duration]int{0: 1, 30 * time.Minute: 0} {
		synctest.Test(t, func(t *testing.T) {
			s := &fakeSite{pages: map[string]string{home: html("Home", "words")}}
			b := newBench(t, s)
			got := rounds(t, b, Options{URLs: []string{home}, Every: time.Hour, Retention: kept}, func() { s.pages[home] = html("Home", "other words") }, func() {})
			if len(got) != want {
				t.Errorf("%v: %+v", kept, got)
			}
		})
	}
}

// TestMonitorCron: rounds begin by the schedule, and one that never fires is refused.
func TestMonitorCron(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "words")}})
		j, err := b.CreateMonitor(t.Context(), "local", "", Options{URLs: []string{home}, Cron: "30 6 * * *"})
		if err != nil {
			t.Fatal(err)
		}
		next, err := b.Round(t.Context(), j.ID, RunOptions{})
		if err != nil || next.Local().Format("15:04") != "06:30" || time.Until(next) > 24*time.Hour {
			t.Errorf("next at %v, %v", next, err)
		}
		for _, wrong := range []Options{{URLs: []string{home}, Cron: "0 0 30 2 *"}, {URLs: []string{home}, Search: "x", Every: time.Hour}, {Every: time.Hour}, {Search: "x", Every: time.Hour}} {
			if _, err := b.CreateMonitor(t.Context(), "local", "", wrong); err == nil {
				t.Errorf("%+v is taken", wrong)
			}
		}
	})
}
