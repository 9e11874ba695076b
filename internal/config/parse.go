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

	"github.com/spyhop-dev/spyhop"
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

// parsed sets what parse makes of a text.
func parsed[T any](field func(*Values) *T, parse func(string) (T, error)) func(*Values, string) error {
	return func(v *Values, s string) error {
		value, err := parse(s)
		if err == nil {
			*field(v) = value
		}
		return err
	}
}

// only is errForm unless a text has the form.
func only(hasForm bool) error {
	if hasForm {
		return nil
	}
	return errForm
}

// checked sets a text that ok accepts.
func checked(field func(*Values) *string, ok func(string) bool) func(*Values, string) error {
	return parsed(field, func(s string) (string, error) { return s, only(ok(s)) })
}

func text(field func(*Values) *string) func(*Values, string) error {
	return checked(field, func(string) bool { return true })
}

func oneOf[T ~string](field func(*Values) *T, allowed ...T) func(*Values, string) error {
	return parsed(field, func(s string) (T, error) {
		word := T(strings.ToLower(s))
		return word, only(slices.Contains(allowed, word))
	})
}

// either sets whether a text is the second of two words.
func either(set func(*Values, bool), first, second string) func(*Values, string) error {
	return func(v *Values, s string) error {
		s = strings.ToLower(s)
		set(v, s == second)
		return only(s == first || s == second)
	}
}

// lists sets a list whose elements check accepts.
func lists(field func(*Values) *[]string, check func(string) error) func(*Values, string) error {
	return parsed(field, func(s string) ([]string, error) {
		all := list(s)
		for _, one := range all {
			if err := check(one); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// boolean also accepts the words of shells and unit files: 1, on, yes, …
func boolean(set func(*Values, bool)) func(*Values, string) error {
	return func(v *Values, s string) error {
		b, ok := truth(s)
		set(v, b)
		return only(ok)
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
	return whole(func(v *Values, n int64) { v.Timeout = time.Duration(n) * time.Millisecond }, 1,
		spyhop.MaxTimeout.Milliseconds())(v, s)
}

func duration(field func(*Values) *ttl) func(*Values, string) error {
	return parsed(field, func(s string) (ttl, error) {
		d, ok := Duration(s)
		if s == "off" || ok && d == 0 {
			return -1, nil
		}
		return d, only(ok && d > 0)
	})
}

// within reads a duration between two others.
func within(field func(*Values) *time.Duration, least, most time.Duration) func(*Values, string) error {
	return parsed(field, func(s string) (time.Duration, error) {
		d, ok := Duration(s)
		return d, only(ok && d >= least && d <= most)
	})
}

func rate(v *Values, s string) error {
	count, unit, ok := strings.Cut(s, "/")
	if !ok {
		unit = "s"
	}
	n, err := strconv.ParseFloat(count, 64)
	seconds, ok := map[string]float64{"s": 1, "m": 60, "h": 3600}[unit]
	if err != nil || !ok || !(n > 0) || n > 1e6 {
		return errForm
	}
	v.HostRate = n / seconds
	return nil
}

// line accepts one line of printable ASCII, which is what a header allows.
func line(field func(*Values) *string) func(*Values, string) error { return checked(field, isLine) }

func isLine(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) < 0
}

func secret(field func(*Values) *string) func(*Values, string) error { return checked(field, isSecret) }

func isSecret(s string) bool { return isLine(s) && !strings.Contains(s, " ") }

// keyOf sets a secret of a map.
func keyOf(field func(*Values) *map[string]string, name string) func(*Values, string) error {
	return func(v *Values, s string) error {
		if !isSecret(s) {
			return errForm
		}
		keys := field(v)
		if *keys == nil {
			*keys = map[string]string{}
		}
		(*keys)[name] = s
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
	return parsed(field, func(s string) ([]string, error) {
		all := list(s)
		_, err := weburl.ParseHostList(all)
		return all, err
	})
}

func isException(s string) error { _, err := egress.ParseException(s); return err }

// isHeaderName: RFC 9110 section 5.6.2: token.
func isHeaderName(s string) error {
	if strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") != "" {
		return errors.New(strconv.Quote(s) + " is not a header name")
	}
	return nil
}

func path(field func(*Values) *string) func(*Values, string) error {
	return parsed(field, func(s string) (string, error) { return filepath.Clean(s), only(filepath.IsAbs(s)) })
}

func auditLog(v *Values, s string) error {
	if v.NoAudit = s == "off"; v.NoAudit {
		return nil
	}
	return path(func(v *Values) *string { return &v.AuditLog })(v, s)
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

func isWebURL(s string) error {
	if !isWeb(s) {
		return errors.New(strconv.Quote(s) + " is not an http or https URL")
	}
	return nil
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

func isVariableName(s string) error {
	if strings.ContainsAny(s, "= \t") {
		return errors.New("give names of variables only, without their values") // which may be secret
	}
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
