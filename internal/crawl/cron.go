package crawl

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// schedule is a time table in the five fields of cron: minute, hour, day of the month, month,
// day of the week. The zero schedule has no times. Make one with [parseSchedule].
type schedule struct {
	minute, hour, day, month, weekday uint64 // a bit for each value
	anyDay, anyWeekday                bool
	zone                              *time.Location // nil: that of the time that is given
}

// cronFields are the fields in their order, with their bounds and the names of values.
var cronFields = [5]struct {
	name     string
	low, top int
	names    string // three letters each, from low
}{
	{"minute", 0, 59, ""}, {"hour", 0, 23, ""}, {"day of the month", 1, 31, ""},
	{"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"}, {"day of the week", 0, 7, "sunmontuewedthufrisat"},
}

// parseSchedule reads a schedule: "0 9 * * 1-5" is nine o'clock on working days. A field is
// "*", a value, a range, or a list of these, each with a step: "*/15", "1-5", "mon,wed".
// "@hourly", "@daily", "@weekly" and "@monthly" are known. "CRON_TZ=Europe/Berlin " before it
// is its time zone. Where both days are limited, one of
// them has to fit, as in cron. A schedule that has no time within eight years is an error. The
// error is a *tool.Error.
func parseSchedule(s string) (schedule, error) {
	wrong := func(why string) (schedule, error) {
		return schedule{}, tool.NewError(tool.InvalidInput, "the schedule "+why, `write minute, hour, day, month and day of the week, for example "0 9 * * 1-5"`)
	}
	if full, ok := map[string]string{"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}[strings.TrimSpace(s)]; ok {
		s = full
	}
	var zone *time.Location
	if rest, ok := strings.CutPrefix(s, "CRON_TZ="); ok {
		name, fields, _ := strings.Cut(rest, " ")
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			return wrong("has a time zone that is unknown here")
		}
		s = fields
	}
	fields := strings.Fields(s)
	if len(fields) != len(cronFields) {
		return wrong(fmt.Sprintf("has %d fields, and needs 5", len(fields)))
	}
	var bits [5]uint64
	for i, f := range fields {
		b, ok := cronField(strings.ToLower(f), i)
		if !ok {
			return wrong("has a wrong " + cronFields[i].name)
		}
		bits[i] = b
	}
	c := schedule{bits[0], bits[1], bits[2], bits[3], bits[4], fields[2][0] == '*', fields[4][0] == '*', zone}
	if c.weekday&(1<<7) != 0 { // 7 is Sunday too
		c.weekday |= 1
	}
	if c.next(time.Now()).IsZero() {
		return wrong("has no time: there is no such day")
	}
	return c, nil
}

// cronField reads one field.
func cronField(f string, i int) (bits uint64, ok bool) {
	low, top := cronFields[i].low, cronFields[i].top
	for part := range strings.SplitSeq(f, ",") {
		span, step, stepped := strings.Cut(part, "/")
		n := 1
		if stepped {
			var err error
			if n, err = strconv.Atoi(step); err != nil || n < 1 || n > top {
				return 0, false
			}
		}
		from, to := low, top
		if span != "*" {
			a, b, ranged := strings.Cut(span, "-")
			if from, ok = cronValue(a, i); !ok {
				return 0, false
			}
			switch {
			case ranged:
				if to, ok = cronValue(b, i); !ok || to < from {
					return 0, false
				}
			case !stepped:
				to = from
			}
		}
		for v := from; v <= to; v += n {
			bits |= 1 << v
		}
	}
	return bits, bits != 0
}

// cronValue reads a number or a name.
func cronValue(s string, i int) (int, bool) {
	f := cronFields[i]
	if len(s) == 3 && f.names != "" {
		if at := strings.Index(f.names, s); at >= 0 && at%3 == 0 {
			return f.low + at/3, true
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && len(s) <= 2 && n >= f.low && n <= f.top
}

// next is the first time after t, in the time zone of the schedule or of t; the zero time if there is none
// within eight years (so long there can be no 29 February).
func (c schedule) next(t time.Time) time.Time {
	if c.zone != nil {
		t = t.In(c.zone)
	}
	at := t.Truncate(time.Minute).Add(time.Minute)
	for end := t.AddDate(8, 1, 0); at.Before(end); {
		switch {
		case c.month&(1<<at.Month()) == 0:
			at = time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, at.Location())
		case !c.onDay(at):
			at = time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, at.Location())
		case c.hour&(1<<at.Hour()) == 0:
			at = at.Truncate(time.Minute).Add(time.Duration(60-at.Minute()) * time.Minute)
		case c.minute&(1<<at.Minute()) == 0:
			at = at.Add(time.Minute)
		default:
			return at
		}
	}
	return time.Time{}
}

func (c schedule) onDay(t time.Time) bool {
	day, weekday := c.day&(1<<t.Day()) != 0, c.weekday&(1<<t.Weekday()) != 0
	switch {
	case c.anyDay || c.anyWeekday:
		return day && weekday
	default:
		return day || weekday
	}
}
