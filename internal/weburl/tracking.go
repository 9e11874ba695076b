package weburl

import (
	_ "embed"
	"net/url"
	"strings"
	"sync"
)

//go:embed tracking.txt
var trackingFile string

// ruleSet is the rules of the general part or of one section.
type ruleSet struct {
	names    map[string]bool // true: remove, false: keep
	prefixes []string
}

// decide reports whether a rule names the parameter, and whether the rule removes
// it.
func (r *ruleSet) decide(name string) (remove, found bool) {
	if r == nil {
		return false, false
	}
	if v, ok := r.names[name]; ok {
		return v, true
	}
	for _, p := range r.prefixes {
		if strings.HasPrefix(name, p) {
			return true, true
		}
	}
	return false, false
}

type trackingRules struct {
	general *ruleSet
	domains map[string]*ruleSet // by domain, or by "name.*"
}

var tracking = sync.OnceValue(func() *trackingRules { return parseTracking(trackingFile) })

func parseTracking(data string) *trackingRules {
	t := &trackingRules{general: &ruleSet{names: map[string]bool{}}, domains: map[string]*ruleSet{}}
	cur := t.general
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name := strings.Trim(line, "[]")
			if t.domains[name] == nil {
				t.domains[name] = &ruleSet{names: map[string]bool{}}
			}
			cur = t.domains[name]
		case line[0] == '!':
			cur.names[strings.ToLower(line[1:])] = false
		case strings.HasSuffix(line, "*"):
			cur.prefixes = append(cur.prefixes, strings.ToLower(line[:len(line)-1]))
		default:
			cur.names[strings.ToLower(line)] = true
		}
	}
	return t
}

// sections returns the sections that apply to a host, the most specific first.
func (t *trackingRules) sections(u URL) []*ruleSet {
	var out []*ruleSet
	host := strings.TrimSuffix(u.host, ".")
	for h := host; h != ""; {
		if r := t.domains[h]; r != nil {
			out = append(out, r)
		}
		i := strings.IndexByte(h, '.')
		if i < 0 {
			break
		}
		h = h[i+1:]
	}
	if name, _, ok := strings.Cut(u.RegistrableDomain(), "."); ok {
		if r := t.domains[name+".*"]; r != nil {
			out = append(out, r)
		}
	}
	return append(out, t.general)
}

// Clean returns the URL without its tracking parameters, and their names. The rest
// of the query keeps its order and its bytes. Parameters that a site uses to select
// content are kept, whatever their name; the rules are in tracking.txt.
func (u URL) Clean() (URL, []string) {
	if u.query == "" || u.scheme != "http" && u.scheme != "https" {
		return u, nil
	}
	var removed []string
	var sections []*ruleSet
	kept := make([]string, 0, 8)
	for pair := range strings.SplitSeq(u.query, "&") {
		raw, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(raw)
		if err != nil || name == "" {
			kept = append(kept, pair)
			continue
		}
		if sections == nil {
			sections = tracking().sections(u)
		}
		remove := false
		for _, s := range sections {
			if r, found := s.decide(strings.ToLower(name)); found {
				remove = r
				break
			}
		}
		if remove {
			removed = append(removed, name)
		} else {
			kept = append(kept, pair)
		}
	}
	if removed == nil {
		return u, nil
	}
	u.query = strings.Join(kept, "&")
	u.hasQuery = u.query != ""
	return u, removed
}
