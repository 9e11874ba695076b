package weburl

import (
	"fmt"
	"net/netip"
	"strings"
)

// HostPattern matches hosts by label: "example.com" matches the domain and its
// subdomains, "=example.com" only the domain, "*.example.com" only the subdomains;
// an IP address matches itself. The zero value matches nothing.
type HostPattern struct {
	host string
	mode patternMode
}

type patternMode uint8

const (
	domainAndBelow patternMode = iota
	exactly
	below
)

// parseHostPattern parses a pattern and converts its host to canonical form.
func parseHostPattern(s string) (HostPattern, error) {
	var p HostPattern
	host := strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(host, "="):
		p.mode, host = exactly, host[1:]
	case strings.HasPrefix(host, "*."):
		p.mode, host = below, host[2:]
	}
	bad := fmt.Errorf("host pattern %q: write example.com, =example.com or *.example.com", s)
	if host == "" || strings.ContainsAny(host, "/@?#*% ") {
		return HostPattern{}, bad
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && a.Is6() {
		host = "[" + a.String() + "]"
	} else if strings.Contains(host, ":") {
		return HostPattern{}, bad
	}
	u, err := Parse("https://" + host + "/")
	if err != nil {
		return HostPattern{}, fmt.Errorf("host pattern %q: %s", s, err.(*Error).Reason)
	}
	p.host = strings.TrimSuffix(u.host, ".")
	// A pattern with an empty label would match nothing, without any warning.
	if p.host == "" || p.host[0] == '.' || strings.HasSuffix(p.host, ".") || strings.Contains(p.host, "..") {
		return HostPattern{}, bad
	}
	if u.kind != domainHost {
		if p.mode == below {
			return HostPattern{}, bad
		}
		p.mode = exactly
	}
	return p, nil
}

// Match reports whether the pattern matches a canonical host, as returned by
// [URL.Host].
func (p HostPattern) Match(host string) bool {
	if p.host == "" {
		return false
	}
	host = strings.TrimSuffix(host, ".")
	if host == p.host {
		return p.mode != below
	}
	return p.mode != exactly && len(host) > len(p.host) && host[len(host)-len(p.host)-1] == '.' && strings.HasSuffix(host, p.host)
}

// String returns the pattern in the syntax of [parseHostPattern].
func (p HostPattern) String() string {
	switch p.mode {
	case exactly:
		return "=" + p.host
	case below:
		return "*." + p.host
	}
	return p.host
}

// HostList is a list of patterns. A nil list matches nothing.
type HostList []HostPattern

// ParseHostList parses patterns; empty ones are left out.
func ParseHostList(list []string) (HostList, error) {
	var out HostList
	for _, s := range list {
		if strings.TrimSpace(s) == "" {
			continue
		}
		p, err := parseHostPattern(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Match returns the first pattern that matches a canonical host.
func (l HostList) Match(host string) (HostPattern, bool) {
	for _, p := range l {
		if p.Match(host) {
			return p, true
		}
	}
	return HostPattern{}, false
}
