package crawl

import (
	"testing"
	"time"
)

func TestSchedule(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	at := func(s string) time.Time {
		x, err := time.ParseInLocation("2006-01-02 15:04", s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct{ schedule, from, want string }{
		{"* * * * *", "2026-11-28 20:30", "2026-11-28 20:31"},
		{"*/15 * * * *", "2026-11-28 20:30", "2026-11-28 20:45"},
		{"0 9 * * 1-5", "2026-11-27 09:00", "2026-11-30 09:00"}, // Friday to Monday
		{"0 9 * * mon-fri", "2026-11-27 08:59", "2026-11-27 09:00"},
		{"30 6 1 * *", "2026-11-28 20:30", "2026-12-01 06:30"},
		{"0 0 13 * fri", "2026-11-28 20:30", "2026-12-04 00:00"}, // one of both
		{"0 0 29 2 *", "2026-11-28 20:30", "2028-02-29 00:00"},
		{"0 12 * 1,7 7", "2026-11-28 20:30", "2027-01-03 12:00"},
		{"CRON_TZ=UTC 0 9 * * *", "2026-11-28 20:30", "2026-11-29 10:00"},
		{"@daily", "2026-11-28 20:30", "2026-11-29 00:00"},
		{"5/20 3 * * *", "2026-11-28 03:05", "2026-11-28 03:25"},
		{"30 2 * * *", "2026-03-28 12:00", "2026-03-30 02:30"}, // there is no 02:30 on the 29th
	} {
		s, err := parseSchedule(c.schedule)
		if err != nil {
			t.Errorf("%s: %v", c.schedule, err)
			continue
		}
		if got := s.next(at(c.from)); !got.Equal(at(c.want)) {
			t.Errorf("%s after %s: %s, want %s", c.schedule, c.from, got.Format("2006-01-02 15:04"), c.want)
		}
	}
	for _, wrong := range []string{"", "CRON_TZ=Nowhere/At 0 9 * * *", "CRON_TZ=UTC", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "*/0 * * * *", "5-1 * * * *", "a * * * *", ", * * * *",
		"0 0 30 2 *", "0 0 31 4,6,9,11 *", "-1 * * * *", "1- * * * *", "*/999999999999 * * * *"} {
		if s, err := parseSchedule(wrong); err == nil {
			t.Errorf("%q has times: next %v", wrong, s.next(time.Now()))
		}
	}
}
