package config

import (
	"errors"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The functions of this file are, or return, the set functions of the table. A
// set function gets the text of a value, trimmed and not empty. Its error says
// what is wrong; errForm means that Variable.Form says enough.

var errForm = errors.New("")

type ttl = time.Duration

// checked sets a text that ok accepts.
func checked(field func(*Values) *string, ok func(string) bool) func(*Values, string) error {
	return func(v *Values, s string) error {
		if !ok(s) {
			return errForm
		}
		*field(v) = s
		return nil
	}
}

func text(field func(*Values) *string) func(*Values, string) error {
	return checked(field, func(string) bool { return true })
}

func oneOf(field func(*Values) *string, allowed ...string) func(*Values, string) error {
	return func(v *Values, s string) error {
		s = strings.ToLower(s)
		if !slices.Contains(allowed, s) {
			return errForm
		}
		*field(v) = s
		return nil
	}
}

// boolean also accepts the words of shells and unit files: 1, on, yes, …
func boolean(set func(*Values, bool)) func(*Values, string) error {
	return func(v *Values, s string) error {
		b, ok := truth(s)
		if !ok {
			return errForm
		}
		set(v, b)
		return nil
	}
}

func truth(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "1", "on", "yes":
		return true, true
	case "false", "0", "off", "no":
		return false, true
	}
	return false, false
}

// allowHTTP converts a value of WEB_ALLOW_HTTP to one of WEB_HTTP.
func allowHTTP(s string) (string, bool) {
	b, ok := truth(s)
	if b {
		return "allow", ok
	}
	return "refuse", ok
}

func whole(set func(*Values, int64), low, high int64) func(*Values, string) error {
	return func(v *Values, s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < low || n > high {
			return errForm
		}
		set(v, n)
		return nil
	}
}

// Duration reads a duration: with units as Go writes them ("90s", "1m30s"), with d for
// days, or a number of seconds.
func Duration(s string) (d time.Duration, ok bool) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, true
	}
	unit := time.Second
	number := s
	if days, ok := strings.CutSuffix(s, "d"); ok {
		number, unit = days, 24*time.Hour
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || math.Abs(n)*float64(unit) > math.MaxInt64/2 {
		return 0, false
	}
	return time.Duration(n * float64(unit)), true
}

func milliseconds(v *Values, s string) error {
	return whole(func(v *Values, n int64) { v.FetchTimeout = time.Duration(n) * time.Millisecond }, 1,
		maxFetchTimeout.Milliseconds())(v, s)
}

func duration(field func(*Values) *ttl) func(*Values, string) error {
	return func(v *Values, s string) error {
		if s == "off" || s == "0" {
			*field(v) = -1
			return nil
		}
		d, ok := Duration(s)
		if !ok || d < 0 {
			return errForm
		}
		if d == 0 {
			d = -1
		}
		*field(v) = d
		return nil
	}
}

// within reads a duration between two others.
func within(field func(*Values) *time.Duration, least, most time.Duration) func(*Values, string) error {
	return func(v *Values, s string) error {
		d, ok := Duration(s)
		if !ok || d < least || d > most {
			return errForm
		}
		*field(v) = d
		return nil
	}
}

func rate(v *Values, s string) error {
	count, unit, ok := strings.Cut(s, "/")
	if !ok {
		unit = "s"
	}
	n, err := strconv.ParseFloat(count, 64)
	if err != nil || !(n > 0) || n > 1e6 {
		return errForm
	}
	switch unit {
	case "s":
	case "m":
		n /= 60
	case "h":
		n /= 3600
	default:
		return errForm
	}
	v.HostRate = n
	return nil
}

// line accepts one line of printable ASCII, which is what a header allows.
func line(field func(*Values) *string) func(*Values, string) error { return checked(field, isLine) }

func isLine(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) < 0
}

func secret(field func(*Values) *string) func(*Values, string) error { return checked(field, isSecret) }

func isSecret(s string) bool { return isLine(s) && !strings.Contains(s, " ") }

func searchKey(provider string) func(*Values, string) error {
	return func(v *Values, s string) error {
		if !isSecret(s) {
			return errForm
		}
		if v.SearchKeys == nil {
			v.SearchKeys = map[string]string{}
		}
		v.SearchKeys[provider] = s
		return nil
	}
}

// list splits at commas and drops empty parts.
func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func hosts(field func(*Values) *[]string) func(*Values, string) error {
	return func(v *Values, s string) error {
		l := list(s)
		if _, err := weburl.ParseHostList(l); err != nil {
			return err
		}
		*field(v) = l
		return nil
	}
}

func exceptions(v *Values, s string) error {
	l := list(s)
	for _, e := range l {
		if _, err := egress.ParseException(e); err != nil {
			return err
		}
	}
	v.AllowPrivate = l
	return nil
}

func headerNames(v *Values, s string) error {
	l := list(s)
	for _, name := range l {
		// RFC 9110 section 5.6.2: token.
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") != "" {
			return errors.New(strconv.Quote(name) + " is not a header name")
		}
	}
	v.HeadersAllowed = l
	return nil
}

func path(field func(*Values) *string) func(*Values, string) error {
	return func(v *Values, s string) error {
		if !filepath.IsAbs(s) {
			return errForm
		}
		*field(v) = filepath.Clean(s)
		return nil
	}
}

func pathOrOff(field func(*Values) *string) func(*Values, string) error {
	return func(v *Values, s string) error {
		if s == "off" {
			*field(v) = s
			return nil
		}
		return path(field)(v, s)
	}
}

func url(field func(*Values) *string) func(*Values, string) error { return checked(field, isWeb) }

// proxy lets package egress check the value, because only egress knows which
// proxies it supports.
func proxy(v *Values, s string) error {
	if s == "env" {
		v.Proxy = s // Load looks up the variables
		return nil
	}
	if _, err := egress.New(egress.Policy{Proxy: s}); err != nil {
		return errForm
	}
	v.Proxy = s
	return nil
}

func urls(field func(*Values) *[]string) func(*Values, string) error {
	return func(v *Values, s string) error {
		l := list(s)
		for _, u := range l {
			if !isWeb(u) {
				return errors.New(strconv.Quote(u) + " is not an http or https URL")
			}
		}
		*field(v) = l
		return nil
	}
}

func isWeb(s string) bool {
	u, err := weburl.Parse(s)
	return err == nil && (u.Scheme() == "http" || u.Scheme() == "https")
}

// provider lets package search check the value, because only search knows the
// providers.
func provider(v *Values, s string) error {
	l := list(strings.ToLower(s))
	if err := search.CheckSelection(strings.Join(l, ",")); err != nil {
		return errors.New(err.Error()) // without the type: the error of this package names the variable
	}
	v.SearchProvider = strings.Join(l, ",")
	return nil
}

func variableNames(v *Values, s string) error {
	var out []string
	for _, name := range list(s) {
		if strings.ContainsAny(name, "= \t") {
			return errors.New("give names of variables only, without their values") // which may be secret
		}
		out = append(out, name)
	}
	v.SearchMCPEnv = out
	return nil
}

func userID(v *Values, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n != -1 && (n < 1 || n > 1<<32-2) {
		return errForm
	}
	v.BrowserUID = int(n)
	return nil
}

func searchServer(v *Values, s string) error {
	if _, err := search.ParseMCP(s); err != nil {
		return err
	}
	v.SearchMCP = s
	return nil
}

// limits lets package budget check the value of a session's budget, or of the uses of tools.
func limits(field func(*Values) *string, parse func(string) (budget.Limits, error)) func(*Values, string) error {
	return checked(field, func(s string) bool { _, err := parse(s); return err == nil })
}

func isPrice(s string) bool { _, err := agent.ParsePrice(s); return err == nil }

func isModel(s string) bool { return !strings.HasPrefix(s, "/") && !strings.HasSuffix(s, "/") }

func hostPort(field func(*Values) *string) func(*Values, string) error {
	return checked(field, isHostPort)
}

func isHostPort(s string) bool {
	_, port, err := net.SplitHostPort(s)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	return err == nil
}
