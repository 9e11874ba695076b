package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// The bounds of a query.
const (
	DefaultResults = 5
	MaxResults     = 50
	maxTextChars   = 2000
	maxDomains     = 100
)

// TimeRanges are the values of Query.TimeRange, in rising order.
func TimeRanges() []string { return []string{"day", "week", "month", "year"} }

// Query is what is searched for. The zero value of each field but Text is its
// default.
type Query struct {
	// Text is what to look for. Required, at most 2,000 characters.
	Text string
	// MaxResults is clamped to 1..50; 0 means 5.
	MaxResults int
	// Provider is a selection for this query alone, in the form of
	// Options.Selection.
	Provider string
	// Site is a host, with or without a path, that all results stand below.
	Site string
	// TimeRange is one of TimeRanges; it goes without dates.
	TimeRange string
	// StartDate and EndDate bound the date of publication, both included, as
	// 2006-01-02.
	StartDate, EndDate string
	// Country is an ISO 3166-1 code of two letters, Language an ISO 639 code of
	// two or three.
	Country, Language string
	// Allowed and Blocked are host patterns, as weburl.ParseHostPattern reads
	// them; a result has to match one of Allowed, when there are any, and none
	// of Blocked.
	Allowed, Blocked []string
	// IncludeContent reads the pages of the first MostRead results; MaxTokens is
	// what they may take together, 0 means DefaultContentTokens.
	IncludeContent bool
	MaxTokens      int
}

// Terms are a query that was checked, as providers get it.
type Terms struct {
	// Text is not empty, MaxResults is within its bounds, Country is in upper
	// and Language in lower case.
	Query
	siteHost, sitePath string
	allowed, blocked   weburl.HostList
	readable           lists // the operator's
	// start and end are the days of the dates or of the time range; zero: open.
	start, end time.Time
}

// lists are an allowlist, nil for all, and a blocklist, which wins.
type lists struct{ allowed, blocked weburl.HostList }

func (l lists) admit(host string) bool {
	if _, ok := l.allowed.Match(host); !ok && l.allowed != nil {
		return false
	}
	_, blocked := l.blocked.Match(host)
	return !blocked
}

func invalid(hint, format string, args ...any) *tool.Error {
	return tool.NewError(tool.InvalidInput, fmt.Sprintf(format, args...), hint)
}

// terms checks a query; notices say what was moved to a bound.
func (q Query) terms(now time.Time) (t Terms, notices []string, err error) {
	q.Text = strings.Join(strings.Fields(strings.ToValidUTF8(q.Text, "")), " ")
	switch {
	case q.Text == "":
		return t, nil, invalid("say what to look for", "the query is empty")
	case utf8.RuneCountInString(q.Text) > maxTextChars:
		return t, nil, invalid("search for the few words that matter", "the query is longer than %d characters", maxTextChars)
	case len(q.Allowed) > maxDomains || len(q.Blocked) > maxDomains:
		return t, nil, invalid(fmt.Sprintf("use at most %d", maxDomains), "a list of domains is too long")
	}
	if q.MaxResults == 0 {
		q.MaxResults = DefaultResults
	}
	if n := min(max(q.MaxResults, 1), MaxResults); n != q.MaxResults {
		notices = append(notices, fmt.Sprintf("max_results %d was taken as %d", q.MaxResults, n))
		q.MaxResults = n
	}
	q.Country, q.Language = strings.ToUpper(strings.TrimSpace(q.Country)), strings.ToLower(strings.TrimSpace(q.Language))
	if q.Country != "" && (len(q.Country) != 2 || !letters(q.Country)) {
		return t, nil, invalid("use two letters, as in DE", "country %q is no code", short(q.Country))
	}
	if q.Language != "" && (len(q.Language) != 2 && len(q.Language) != 3 || !letters(q.Language)) {
		return t, nil, invalid("use two letters, as in de", "language %q is no code", short(q.Language))
	}
	t.Query = q
	if t.allowed, err = weburl.ParseHostList(q.Allowed); err == nil {
		t.blocked, err = weburl.ParseHostList(q.Blocked)
	}
	if err != nil {
		return t, nil, invalid("", "%v", err)
	}
	if err := t.readSite(); err != nil {
		return t, nil, err
	}
	return t, notices, t.readDates(now)
}

func (t *Terms) readSite() error {
	site := strings.TrimPrefix(strings.TrimSpace(t.Site), "site:")
	if site == "" {
		return nil
	}
	u, err := weburl.ParseLenient(site)
	if err != nil || u.Host() == "" || u.HasUserinfo() || u.RawQuery() != "" || strings.ContainsAny(site, " \t\n") {
		return invalid("use the form example.com or example.com/docs", "site %q is no host", short(site))
	}
	t.siteHost, t.sitePath = u.Host(), strings.TrimSuffix(u.Path(), "/")
	t.Site = t.siteHost + t.sitePath
	return nil
}

func (t *Terms) readDates(now time.Time) error {
	today := now.UTC().Truncate(24 * time.Hour)
	days, known := map[string]int{"": 0, "day": 1, "week": 7, "month": 31, "year": 366}[t.TimeRange]
	switch {
	case !known:
		return invalid("use "+strings.Join(TimeRanges(), ", "), "time_range %q is unknown", short(t.TimeRange))
	case days > 0 && t.StartDate+t.EndDate != "":
		return invalid("leave one of them out", "time_range and dates do not go together")
	case days > 0:
		t.start = today.AddDate(0, 0, -days)
		return nil
	}
	for _, d := range []struct {
		name, text string
		to         *time.Time
	}{{"start_date", t.StartDate, &t.start}, {"end_date", t.EndDate, &t.end}} {
		if d.text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.text)
		if err != nil || day.Year() < 1 {
			return invalid("use the form 2006-01-02", "%s %q is no date", d.name, short(d.text))
		}
		*d.to = day
	}
	if !t.start.IsZero() && !t.end.IsZero() && t.end.Before(t.start) {
		return invalid("exchange them", "end_date %s is before start_date %s", t.EndDate, t.StartDate)
	}
	return nil
}

// dated reports whether the query bounds the date of publication.
func (t *Terms) dated() bool { return !t.start.IsZero() || !t.end.IsZero() }

// day writes one of the bounds, or "".
func day(d time.Time, layout string) string {
	if d.IsZero() {
		return ""
	}
	return d.Format(layout)
}

// span is both bounds with the open ones filled in, for services that want two.
func (t *Terms) span(now time.Time) (from, to time.Time) {
	from, to = t.start, t.end
	if from.IsZero() {
		from = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if to.IsZero() {
		to = now.UTC()
	}
	return from, to
}

// hosts are the plain hosts of a list of patterns.
func hosts(l weburl.HostList) []string {
	var out []string
	for _, p := range l {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(p.String(), "="), "*."))
	}
	return out
}

// within is the site or the allowed hosts: what a service is told to stay in.
func (t *Terms) within() []string {
	if t.siteHost != "" {
		return []string{t.siteHost}
	}
	return hosts(t.allowed)
}

// mostOperators is how many site: operators a query may get: services cut long
// queries. What does not fit is filtered afterwards.
const mostOperators = 5

// withOperators is the text with site: operators.
func (t *Terms) withOperators() string {
	text := t.Text
	allowed, blocked := hosts(t.allowed), hosts(t.blocked)
	switch {
	case t.Site != "":
		text += " site:" + t.Site
	case len(allowed) > 0 && len(allowed) <= mostOperators:
		text += " (site:" + strings.Join(allowed, " OR site:") + ")"
		if len(allowed) == 1 {
			text = t.Text + " site:" + allowed[0]
		}
	}
	for _, h := range blocked[:min(len(blocked), mostOperators)] {
		text += " -site:" + h
	}
	return text
}

// filtered reports whether some results of a service may have to go.
func (t *Terms) filtered() bool {
	return t.Site != "" || t.allowed != nil || t.blocked != nil
}

// key identifies an answer in the cache.
func (t *Terms) key(names []string, fuse bool) string {
	q := t.Query
	q.Provider, q.IncludeContent, q.MaxTokens = "", false, 0
	q.Allowed, q.Blocked = slices.Sorted(slices.Values(q.Allowed)), slices.Sorted(slices.Values(q.Blocked))
	// A range means other days tomorrow.
	data, err := json.Marshal([]any{"search", q, names, fuse, t.start, t.end})
	if err != nil {
		return "" // strings, numbers and dates can be written
	}
	return string(data)
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// short bounds a caller's value in a message.
func short(s string) string {
	return text.Cut(s, 60)
}
