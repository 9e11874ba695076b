// Package weburl provides URL values, which are parsed as browsers parse them and
// kept in one canonical form that every later stage uses.
//
//	u, err := weburl.Parse("HTTPS://Example.COM:443/a/../b?utm_source=x&q=1")
//	if err != nil {
//		return err
//	}
//	u, removed := u.Clean()
//	fmt.Println(u, removed) // https://example.com/b?q=1 [utm_source]
//
// There is only one parser, that of the WHATWG URL standard, so the host that the
// policy checks is the host that is dialled and shown. The canonical form does not
// show unusual spellings (a backslash, a percent-encoded host, an unusual number),
// which other programs can parse differently; [URL.Oddities] reports them to the
// policy.
//
// # Guarantees
//
// The package is pure: it does not use the network or DNS. A [URL] is an immutable
// value, and the result of [URL.String] parses to the same URL again, without
// oddities. Parsing takes linear time, and accepts at most [MaxBytes] of input.
//
// # Limits
//
// Hosts with an IPv6 zone are refused. Non-special schemes (mailto, data, …)
// are parsed, since pages link to them; nothing here reads them. Registrable
// domains are those of the public suffix list that golang.org/x/net ships.
package weburl

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// URL is an absolute URL in canonical form. The zero value is not a URL; see
// [URL.IsZero]. Two URLs are equal when their strings are equal.
type URL struct {
	scheme, user, password string
	host                   string // IPv6 without brackets
	path, query, fragment  string
	port                   int // -1: none, or the scheme's default
	kind                   hostKind
	hasHost, opaque        bool
	hasQuery, hasFragment  bool
	assumed                bool // ParseLenient has added the scheme
	odd                    Oddity
}

// Oddity is a set of features in the spelling of a URL that the canonical form does
// not show and that other parsers can read in another way.
type Oddity uint16

const (
	// backslash: a backslash that was read as a slash.
	backslash Oddity = 1 << iota
	// controlByte: a tab, line feed, carriage return or other control
	// character that was dropped.
	controlByte
	// percentHost: a host with percent-encoded bytes.
	percentHost
	// numericHost: an IPv4 address in another form than four decimal numbers.
	numericHost
	// missingSlashes: a special scheme without // after it.
	missingSlashes
	// extraSlashes: more than two slashes after the scheme.
	extraSlashes
)

// code is the closed set of reasons for which a URL does not parse.
type code uint8

const (
	missingScheme code = iota + 1
	missingHost
	badHost
	badPort
	tooLong
	FilePath // of ParseLenient only
)

// Error says why a URL does not parse.
type Error struct {
	Code   code
	Input  string // at most 200 bytes
	Reason string
}

func (e *Error) Error() string {
	if e.Input == "" {
		return "invalid URL: " + e.Reason
	}
	return fmt.Sprintf("invalid URL %q: %s", e.Input, e.Reason)
}

func fail(c code, input, reason string) error {
	if len(input) > 200 {
		input = strings.ToValidUTF8(input[:200], "") + "…"
	}
	return &Error{c, hidePassword(input), reason}
}

// hidePassword removes possible credentials, because messages are written to logs.
func hidePassword(s string) string {
	i := strings.LastIndexByte(s, '@')
	j := strings.Index(s, "//")
	if i < 0 || j < 0 || j > i {
		return s
	}
	return s[:j+2] + "…" + s[i:]
}

func withInput(err error, raw string) error {
	e := err.(*Error)
	return fail(e.Code, raw, e.Reason)
}

// Parse parses an absolute URL. The error is an *[Error].
func Parse(raw string) (URL, error) { return parse(raw, nil) }

// ParseLenient is Parse for what people type: a host without a scheme gets
// https://. The path of a file has its own error.
func ParseLenient(raw string) (URL, error) {
	s := strings.TrimSpace(raw)
	if isFilePath(s) {
		return URL{}, fail(FilePath, s, "that is the path of a file")
	}
	if lacksScheme(s) {
		u, err := Parse("https://" + strings.TrimPrefix(s, "//"))
		u.assumed = err == nil
		return u, err
	}
	return Parse(s)
}

// isFilePath reports whether s is a path that cannot be a host: /a, ./a, ../a, ~/a,
// C:\a, C:/a and \\server\a. "//example.com" is a host.
func isFilePath(s string) bool {
	slash := func(i int) bool { return i < len(s) && (s[i] == '/' || s[i] == '\\') }
	switch {
	case s == "":
		return false
	case s[0] == '/':
		return !slash(1)
	case s[0] == '\\':
		return true
	case s[0] == '.' || s[0] == '~':
		return slash(1) || strings.HasPrefix(s, "..") && slash(2)
	}
	return len(s) > 2 && isAlpha(s[0]) && s[1] == ':' && slash(2) && !strings.HasPrefix(s[2:], "//")
}

// lacksScheme distinguishes "example.com:8080/x" and "localhost:1", which have no
// scheme, from "mailto:x".
func lacksScheme(s string) bool {
	i := strings.IndexAny(s, ":/?#")
	if i < 0 || s[i] != ':' {
		return s != ""
	}
	if i == 0 {
		return false
	}
	if strings.HasPrefix(s[i:], "://") {
		return false
	}
	// A port follows: digits up to the end of the authority.
	port := s[i+1:]
	if j := strings.IndexAny(port, "/?#"); j >= 0 {
		port = port[:j]
	}
	if port == "" {
		return strings.IndexByte(s[:i], '.') >= 0
	}
	for k := 0; k < len(port); k++ {
		if !isDigit(port[k]) {
			return false
		}
	}
	return true
}

// Resolve parses a reference relative to u. The error is an *[Error].
func (u URL) Resolve(ref string) (URL, error) {
	if u.IsZero() {
		return Parse(ref)
	}
	if to, ok := u.resolvePlain(ref); ok {
		return to, nil
	}
	return parse(ref, &u)
}

// resolvePlain is Resolve for most links of a page: a path in which nothing is to be changed, by
// itself or behind the scheme and host of u. It returns false for all others.
func (u URL) resolvePlain(ref string) (URL, bool) {
	if u.scheme != "https" && u.scheme != "http" || len(ref) > MaxBytes {
		return URL{}, false
	}
	path := ref
	if rest, ok := strings.CutPrefix(ref, u.scheme); ok && strings.HasPrefix(rest, "://") {
		if path, ok = strings.CutPrefix(rest[len("://"):], u.host); !ok || u.port >= 0 || u.kind != domainHost {
			return URL{}, false
		}
		u.user, u.password = "", ""
	}
	if !isPlainPath(path) {
		return URL{}, false
	}
	return URL{scheme: u.scheme, user: u.user, password: u.password, host: u.host, path: strings.Clone(path), port: u.port, kind: u.kind, hasHost: true}, true
}

// isPlainPath reports whether a text is an absolute path that stays as it is: without
// segments of dots, and without characters that are encoded or end a path.
func isPlainPath(s string) bool {
	if s == "" || s[0] != '/' || strings.HasPrefix(s, "//") {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case isAlpha(c), isDigit(c), c == '-', c == '_', c == '/':
		case c == '.' && s[i-1] != '/':
		default:
			return false
		}
	}
	return true
}

// IsZero reports whether u is the zero value, which is not a URL.
func (u URL) IsZero() bool { return u.scheme == "" }

// String is the URL serializer of section 4.5.
func (u URL) String() string { return u.serialize(true) }

func (u URL) serialize(fragment bool) string {
	if u.IsZero() {
		return ""
	}
	b := make([]byte, 0, 256) // most fit, and then it is not allocated
	b = append(b, u.scheme...)
	b = append(b, ':')
	if u.hasHost {
		b = append(b, "//"...)
		if u.HasUserinfo() {
			b = append(b, u.user...)
			if u.password != "" {
				b = append(b, ':')
				b = append(b, u.password...)
			}
			b = append(b, '@')
		}
		b = u.appendHost(b)
	} else if !u.opaque && strings.HasPrefix(u.path, "//") {
		b = append(b, "/."...)
	}
	b = append(b, u.path...)
	if u.hasQuery {
		b = append(b, '?')
		b = append(b, u.query...)
	}
	if fragment && u.hasFragment {
		b = append(b, '#')
		b = append(b, u.fragment...)
	}
	return string(b)
}

func (u URL) appendHost(b []byte) []byte {
	if u.kind == ipv6Host {
		b = append(b, '[')
		b = append(b, u.host...)
		b = append(b, ']')
	} else {
		b = append(b, u.host...)
	}
	if u.port >= 0 {
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(u.port), 10)
	}
	return b
}

// Oddities returns the unusual features of the spelling that was parsed.
func (u URL) Oddities() Oddity { return u.odd }

// Scheme is the scheme in lower case, without the colon.
func (u URL) Scheme() string { return u.scheme }

// Host is the host in canonical ASCII form, without the port; IPv6 without
// brackets.
func (u URL) Host() string { return u.host }

// Port is the port, or "" when it is the scheme's default.
func (u URL) Port() string {
	if u.port < 0 || u.IsZero() {
		return ""
	}
	return strconv.Itoa(u.port)
}

// EffectivePort is the port that is dialled, or 0.
func (u URL) EffectivePort() int {
	if u.IsZero() {
		return 0
	}
	if u.port >= 0 {
		return u.port
	}
	return max(defaultPort(u.scheme), 0)
}

// HostPort is "host:port" for dialling, with brackets around IPv6.
func (u URL) HostPort() string { return net.JoinHostPort(u.host, strconv.Itoa(u.EffectivePort())) }

// Addr is the host as an address, if it is one.
func (u URL) Addr() (netip.Addr, bool) {
	if u.kind != ipv4Host && u.kind != ipv6Host {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(u.host)
	return a, err == nil
}

// HasUserinfo reports whether the URL holds a user name or a password.
func (u URL) HasUserinfo() bool { return u.user != "" || u.password != "" }

// Path is the path as it is sent, percent-encoded.
func (u URL) Path() string { return u.path }

// RawQuery is the query without the question mark, percent-encoded.
func (u URL) RawQuery() string { return u.query }

// Fragment is the fragment without the number sign, percent-encoded.
func (u URL) Fragment() string { return u.fragment }

// Origin is scheme, host and port, for example "https://example.com:8443".
func (u URL) Origin() string {
	if u.IsZero() || !u.hasHost {
		return "null"
	}
	return string(u.appendHost([]byte(u.scheme + "://")))
}

// NetURL returns u for package net/http, without fragment and user information.
// Printing and parsing the result gives u again. When url.URL cannot represent the
// path exactly, such as "%" without digits, Opaque has host and path; then the
// request has the absolute form, which every server must understand (RFC 9112
// section 3.2.2).
func (u URL) NetURL() *url.URL {
	host := string(u.appendHost(nil))
	w := &url.URL{Scheme: u.scheme, Host: host, Path: u.path, RawQuery: u.query}
	if path, err := url.PathUnescape(u.path); err == nil {
		w.Path, w.RawPath = path, u.path
	}
	if w.EscapedPath() != u.path {
		w.Opaque = "//" + host + u.path
	}
	return w
}

// isPrintable reports whether a text has only printable characters of ASCII, and no space.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// WithoutFragment returns u without its fragment.
func (u URL) WithoutFragment() URL {
	u.fragment, u.hasFragment = "", false
	return u
}

// WithoutUserinfo returns u without user name and password.
func (u URL) WithoutUserinfo() URL {
	u.user, u.password = "", ""
	return u
}

// WithoutQuery returns u without its query.
func (u URL) WithoutQuery() URL {
	u.query, u.hasQuery = "", false
	return u
}

// SchemeAssumed reports whether the URL was written without a scheme, see [ParseLenient].
func (u URL) SchemeAssumed() bool { return u.assumed }

// WithScheme returns u with the scheme http or https, without a port that is the
// new scheme's default. It returns u unchanged for other schemes, of u or s.
func (u URL) WithScheme(s string) URL {
	web := func(s string) bool { return s == "http" || s == "https" }
	if web(u.scheme) && web(s) {
		u.scheme, u.assumed = s, false
		if u.port == defaultPort(s) {
			u.port = -1
		}
	}
	return u
}

// RegistrableDomain returns the public suffix of the host with one label before it.
// It returns the host itself for IP addresses, single labels and public suffixes.
func (u URL) RegistrableDomain() string {
	host := strings.TrimSuffix(u.host, ".")
	if u.kind != domainHost {
		return host
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// SameSite reports whether a and b have the same registrable domain.
func SameSite(a, b URL) bool {
	return a.host != "" && a.RegistrableDomain() == b.RegistrableDomain()
}

// SameHost reports whether a and b have the same host. It ignores a leading "www.",
// the scheme and the port.
func SameHost(a, b URL) bool {
	trim := func(u URL) string { return strings.TrimPrefix(strings.TrimSuffix(u.host, "."), "www.") }
	return a.host != "" && trim(a) == trim(b)
}
