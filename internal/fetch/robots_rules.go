package fetch

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The rules of a robots.txt, by RFC 9309.

// robotsToken is the product token that groups are found by (section 2.2.1).
// It is the same whatever the User-Agent header says.
const robotsToken = "spyhop"

// maxRobotsBytes is what is read of the file; section 2.5 wants at least that.
const maxRobotsBytes = 500 << 10

// robotsRule is one allow or disallow line.
type robotsRule struct {
	pattern string // normalised; "*" and a "$" at the end have a meaning
	line    int    // counted from 1
	allow   bool
}

// maxSitemaps is how many Sitemap lines are kept, maxSignals how many usages of
// a group.
const maxSitemaps, maxSignals = 200, 32

// robotsText is what a robots.txt says to us.
type robotsText struct {
	robotsGroup
	sitemaps []string // of all groups (sitemaps.org), as they are written
}

// robotsGroup is what the groups for one agent say.
type robotsGroup struct {
	rules   []robotsRule
	delay   time.Duration   // Crawl-delay, the longest; 0: none
	signals map[string]bool // Content-Signal, for example "ai-input": false; nil: none
}

// parseRobots returns what holds for us: the groups that name us, or else those
// for "*". It takes linear time.
//
// Crawl-delay (in seconds) and Content-Signal (contentsignals.org) are not part of
// RFC 9309. A crawl heeds both; a single read has no use for either.
func parseRobots(text []byte) robotsText {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	text = text[:min(len(text), maxRobotsBytes)]
	var p robotsParser
	for n := 1; len(text) > 0; n++ {
		var line []byte
		line, text = robotsLine(text)
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			continue
		}
		p.record(strings.ToLower(string(bytes.TrimSpace(name[:min(len(name), 64)]))), bytes.TrimSpace(value), n)
	}
	if p.named {
		return robotsText{p.ours, p.sitemaps}
	}
	return robotsText{p.everybodys, p.sitemaps}
}

// robotsParser is the state between the records of a robots.txt.
type robotsParser struct {
	ours, everybodys robotsGroup
	sitemaps         []string
	named            bool // a group of ours was there
	inOurs, inAll    bool // the current group is for us, for all programs
	heading          bool // the last record was a user-agent
}

// record takes a record with a name in lower case, from line n.
func (p *robotsParser) record(name string, value []byte, n int) {
	switch name {
	case "user-agent":
		p.agent(value)
	case "allow", "disallow":
		p.heading = false
		if len(value) > 0 { // an empty pattern matches nothing (section 2.2.2)
			p.rule(name == "allow", string(value), n)
		}
	case "crawl-delay", "content-signal":
		p.heading = false
		if p.inOurs {
			p.ours.set(name, string(value))
		}
		if p.inAll {
			p.everybodys.set(name, string(value))
		}
	case "sitemap":
		// It belongs to no group and ends none.
		if len(p.sitemaps) < maxSitemaps && len(value) > 0 && len(value) <= weburl.MaxBytes {
			p.sitemaps = append(p.sitemaps, string(value))
		}
	}
}

// agent takes a line that begins a group, or names one more program for it.
func (p *robotsParser) agent(name []byte) {
	if !p.heading {
		p.inOurs, p.inAll = false, false // a new group
	}
	p.heading = true
	switch {
	case strings.EqualFold(string(productToken(name)), robotsToken):
		p.inOurs, p.named = true, true
	case len(name) > 0 && name[0] == '*':
		p.inAll = true
	}
}

// rule adds a rule to the groups that the current one stands for.
func (p *robotsParser) rule(allow bool, pattern string, n int) {
	if !p.inOurs && !p.inAll {
		return
	}
	r := robotsRule{pattern: normalRobots(pattern, true), line: n, allow: allow}
	if p.inOurs {
		p.ours.rules = append(p.ours.rules, r)
	}
	if p.inAll {
		p.everybodys.rules = append(p.everybodys.rules, r)
	}
}

// set takes a line that is not a rule. What is malformed says nothing.
func (g *robotsGroup) set(key, value string) {
	if key == "crawl-delay" {
		// NaN fails both comparisons; a delay of a day stands for all longer ones.
		if s, err := strconv.ParseFloat(value[:min(len(value), 32)], 64); err == nil && s > 0 {
			g.delay = max(g.delay, time.Duration(min(s, 24*60*60)*float64(time.Second)))
		}
		return
	}
	for usage := range strings.SplitSeq(value, ",") {
		name, answer, ok := strings.Cut(usage, "=")
		name, answer = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(answer))
		if !ok || len(name) > 32 || len(g.signals) >= maxSignals || answer != "yes" && answer != "no" {
			continue
		}
		if g.signals == nil {
			g.signals = map[string]bool{}
		}
		// Of two lines that contradict each other, the refusal holds.
		if before, known := g.signals[name]; !known || before {
			g.signals[name] = answer == "yes"
		}
	}
}

// robotsLine cuts off a line, which ends with CR, LF or both.
func robotsLine(text []byte) (line, rest []byte) {
	i := bytes.IndexAny(text, "\r\n")
	if i < 0 {
		return text, nil
	}
	rest = text[i+1:]
	if text[i] == '\r' && len(rest) > 0 && rest[0] == '\n' {
		rest = rest[1:]
	}
	return text[:i], rest
}

// productToken is the token at the beginning: "Spyhop/1.0" names Spyhop.
func productToken(value []byte) []byte {
	i := 0
	for i < len(value) && (value[i]|0x20 >= 'a' && value[i]|0x20 <= 'z' || value[i] == '_' || value[i] == '-') {
		i++
	}
	return value[:i]
}

// judgeRobots returns the rule that refuses a path with its query, or nil. The
// longest pattern decides; of equally long ones, allow (section 2.2.2).
func judgeRobots(rules []robotsRule, path string) *robotsRule {
	path = normalRobots(path, false)
	if path == "/robots.txt" {
		return nil
	}
	var best *robotsRule
	for i := range rules {
		r := &rules[i]
		if best != nil && (len(r.pattern) < len(best.pattern) || len(r.pattern) == len(best.pattern) && !r.allow) {
			continue
		}
		if r.matches(path) {
			best = r
		}
	}
	if best == nil || best.allow {
		return nil
	}
	return best
}

// matches goes through the path once: between stars, the first place where a
// part fits is as good as any other.
func (r *robotsRule) matches(path string) bool {
	pattern, toEnd := strings.CutSuffix(r.pattern, "$")
	part, rest, star := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, part)
	for ok && star {
		part, rest, star = strings.Cut(rest, "*")
		if !star && toEnd {
			return strings.HasSuffix(path, part)
		}
		_, path, ok = strings.Cut(path, part)
	}
	return ok && (!toEnd || path == "")
}

// normalRobots writes a path or pattern so that equal ones are equal byte for
// byte: unreserved characters plain, other escapes in upper case, what is not
// ASCII escaped. In a path, "*" and "$" are escaped, since in a pattern they
// mean something else.
func normalRobots(s string, pattern bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], false
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, escaped = byte(n), true
				i += 2
			}
		}
		switch {
		case isUnreserved(c):
			b.WriteByte(c)
		case escaped, c <= ' ', c >= 0x7f, !pattern && (c == '*' || c == '$'):
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isUnreserved is RFC 3986 section 2.3.
func isUnreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
