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

// TimeRanges returns the values of Query.TimeRange, the shortest first.
func TimeRanges() []string { return []string{"day", "week", "month", "year"} }

// Topics returns the values of Query.Topic.
func Topics() []string { return []string{"web", "news", "images", "videos"} }

// Query is one search. Only Text is required; the zero value of each other field
// is its default. The tags are the arguments of web_search.
type Query struct {
	// Text is what to search for. Required, at most 2,000 characters.
	Text string `json:"query"`
	// MaxResults is clamped to 1..50; 0 means 5.
	MaxResults int `json:"max_results"`
	// Provider is a selection for this query only, in the syntax of
	// Options.Selection; "" means Options.Selection.
	Provider string `json:"provider"`
	// Site is a host, with or without a path. Only results on that host or its
	// subdomains, and below that path, are returned.
	Site string `json:"site"`
	// TimeRange is one of TimeRanges or ""; it excludes StartDate and EndDate.
	TimeRange string `json:"time_range"`
	// StartDate and EndDate bound the date of publication, both included, in the
	// format 2006-01-02; "" leaves a bound open.
	StartDate string `json:"start_date"`
	EndDate   string `json:"end_date"`
	// Country is an ISO 3166-1 code of two letters, Language an ISO 639 code of
	// two or three.
	Country  string `json:"country"`
	Language string `json:"language"`
	// Topic is one of Topics; "" means web. Only some providers have the others.
	Topic string `json:"topic"`
	// Prefer are host patterns whose results come first.
	Prefer []string `json:"prefer_domains"`
	// Allowed and Blocked are host patterns in the syntax of
	// weburl.parseHostPattern. A result must match one of Allowed, unless that is
	// empty, and none of Blocked.
	Allowed []string `json:"allowed_domains"`
	Blocked []string `json:"blocked_domains"`
	// IncludeContent also reads the pages of the first MostRead results.
	// MaxTokens is the budget of all their contents together; 0 means
	// 1,800.
	IncludeContent bool `json:"include_content"`
	MaxTokens      int  `json:"max_tokens"`
}

// Terms are a checked query, as providers get it.
type Terms struct {
	// Query is normalized: Text is not empty, MaxResults is within its bounds,
	// Country is in upper and Language in lower case.
	Query
	siteHost, sitePath string
	allowed, blocked   weburl.HostList
	prefer             weburl.HostList
	readable           func(host string) bool // nil: all
	// start and end are the first and the last day, from the dates or from the
	// time range; the zero time leaves a bound open.
	start, end time.Time
}

// lists are an allowlist and a blocklist of hosts. A nil allowlist allows all
// hosts; the blocklist wins.
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

// terms checks a query. A notice tells of each value that was clamped.
func (q Query) terms(now time.Time) (t Terms, notices []string, err error) {
	q.Text = strings.Join(strings.Fields(strings.ToValidUTF8(q.Text, "")), " ")
	switch {
	case q.Text == "":
		return t, nil, invalid("say what to look for", "the query is empty")
	case utf8.RuneCountInString(q.Text) > maxTextChars:
		return t, nil, invalid("search for a few significant words", "the query is longer than %d characters", maxTextChars)
	case q.Topic != "" && !slices.Contains(Topics(), q.Topic):
		return t, nil, invalid("use "+strings.Join(Topics(), ", "), "topic %s is unknown", text.Quoted(q.Topic))
	case len(q.Prefer) > maxDomains || len(q.Allowed) > maxDomains || len(q.Blocked) > maxDomains:
		return t, nil, invalid(fmt.Sprintf("use at most %d domains in each list", maxDomains), "a list of domains is too long")
	}
	if q.Topic == "web" {
		q.Topic = ""
	}
	if q.MaxResults == 0 {
		q.MaxResults = DefaultResults
	}
	if n := min(max(q.MaxResults, 1), MaxResults); n != q.MaxResults {
		notices = append(notices, fmt.Sprintf("max_results %d was taken as %d", q.MaxResults, n))
		q.MaxResults = n
	}
	if err := q.readLocale(); err != nil {
		return t, nil, err
	}
	t.Query = q
	for _, hosts := range []struct {
		to   *weburl.HostList
		list []string
	}{{&t.prefer, q.Prefer}, {&t.allowed, q.Allowed}, {&t.blocked, q.Blocked}} {
		if *hosts.to, err = weburl.ParseHostList(hosts.list); err != nil {
			return t, nil, invalid("", "%s", text.Cause(err))
		}
	}
	if err := t.readSite(); err != nil {
		return t, nil, err
	}
	return t, notices, t.readDates(now)
}

// readLocale normalizes and checks country and language.
func (q *Query) readLocale() error {
	q.Country, q.Language = strings.ToUpper(strings.TrimSpace(q.Country)), strings.ToLower(strings.TrimSpace(q.Language))
	if q.Country != "" && (len(q.Country) != 2 || !letters(q.Country)) {
		return invalid("use two letters, for example DE", "country %s is not a country code", text.Quoted(q.Country))
	}
	if q.Language != "" && (len(q.Language) != 2 && len(q.Language) != 3 || !letters(q.Language)) {
		return invalid("use two letters, for example de", "language %s is not a language code", text.Quoted(q.Language))
	}
	return nil
}

func (t *Terms) readSite() error {
	site := strings.TrimPrefix(strings.TrimSpace(t.Site), "site:")
	if site == "" {
		return nil
	}
	u, err := weburl.ParseLenient(site)
	if err != nil || u.Host() == "" || u.HasUserinfo() || u.RawQuery() != "" || strings.ContainsAny(site, " \t\n") {
		return invalid("write it as example.com or example.com/docs", "site %s is not a host", text.Quoted(site))
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
		return invalid("use "+strings.Join(TimeRanges(), ", "), "time_range %s is unknown", text.Quoted(t.TimeRange))
	case days > 0 && t.StartDate+t.EndDate != "":
		return invalid("leave out time_range, or start_date and end_date", "time_range cannot be combined with dates")
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
			return invalid("write it as 2006-01-02", "%s %s is not a date", d.name, text.Quoted(d.text))
		}
		*d.to = day
	}
	if !t.start.IsZero() && !t.end.IsZero() && t.end.Before(t.start) {
		return invalid("swap the two dates", "end_date %s is before start_date %s", text.Name(t.EndDate), text.Name(t.StartDate))
	}
	return nil
}

// dated reports whether the query limits the date of publication.
func (t *Terms) dated() bool { return !t.start.IsZero() || !t.end.IsZero() }

// day formats a date by a layout of package time; the zero time is "".
func day(d time.Time, layout string) string {
	if d.IsZero() {
		return ""
	}
	return d.Format(layout)
}

// span returns both bounds, with open ones filled in, for services that require
// two.
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

// hosts returns the hosts of a list of patterns without "=" and "*.".
func hosts(l weburl.HostList) []string {
	var out []string
	for _, p := range l {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(p.String(), "="), "*."))
	}
	return out
}

// within returns the host of the site, or else the allowed hosts, for services
// that have a parameter for included domains.
func (t *Terms) within() []string {
	if t.siteHost != "" {
		return []string{t.siteHost}
	}
	return hosts(t.allowed)
}

// mostOperators bounds the site: operators of a query, because services cut long
// queries. Hosts beyond that are filtered out of the results.
const mostOperators = 5

// withOperators returns the text of the query with site: operators.
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

// filtered reports whether results may be dropped because of their host.
func (t *Terms) filtered() bool {
	return t.Site != "" || t.allowed != nil || t.blocked != nil
}

// key returns the key of the answer in the cache.
func (t *Terms) key(names []string, fuse bool) string {
	q := t.Query
	q.Provider, q.MaxTokens = "", 0
	// Only these have contents, and other answers then.
	q.IncludeContent = q.IncludeContent && slices.ContainsFunc(names, func(n string) bool { return n == "brave" || n == "tavily" || n == "exa" })
	q.Allowed, q.Blocked = slices.Sorted(slices.Values(q.Allowed)), slices.Sorted(slices.Values(q.Blocked))
	// start and end are part of the key: the same time range means other days
	// tomorrow.
	data, err := json.Marshal([]any{"search", q, names, fuse, t.start, t.end})
	if err != nil {
		return "" // cannot happen: strings, numbers and dates encode
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

// short cuts a caller's value for a message.
func short(s string) string {
	return text.Cut(s, 60)
}
