package weburl

import (
	"strconv"
	"strings"
)

// This file is the basic URL parser of the WHATWG URL standard, section 4.4,
// as a state machine over the bytes of the input. States are methods, named as there;
// some are joined.
// Validation errors are not reported; the Oddity flags have those that matter to a
// policy.

// MaxBytes is the maximum length of an input. The policy's limit on requested
// addresses is lower.
const MaxBytes = 64 << 10

// state reads from p.i on and returns the state that goes on, nil at the end.
type state func(*parser) (state, error)

type parser struct {
	u    URL
	base *URL
	raw  string   // the input, for messages
	in   string   // what of it is read
	i    int      // the next byte of in
	segs []string // the path list, while it is read
}

// parse runs the state machine over raw. base may be nil.
func parse(raw string, base *URL) (URL, error) {
	if len(raw) > MaxBytes {
		return URL{}, fail(tooLong, raw[:64], "it is longer than 64 KiB")
	}
	p := parser{base: base, raw: raw, in: raw, segs: make([]string, 0, 8)}
	if !isPrintable(raw) {
		p.raw, p.in = p.clean(raw)
	}
	p.u.port = -1
	for next := (*parser).scheme; next != nil; {
		var err error
		if next, err = next(&p); err != nil {
			return URL{}, err
		}
	}
	p.finish()
	return p.u, nil
}

// next returns the next byte, 0 at the end.
func (p *parser) next() byte {
	if p.i < len(p.in) {
		return p.in[p.i]
	}
	return 0
}

func (p *parser) fail(reason code, detail string) (state, error) {
	return nil, fail(reason, p.raw, detail)
}

// until returns what is before the first byte that ends it.
func (p *parser) until(ends func(c byte) bool) string {
	j := p.i
	for j < len(p.in) && !ends(p.in[j]) {
		j++
	}
	return p.in[p.i:j]
}

// slash reads a slash, or for special schemes a backslash, if there is one.
func (p *parser) slash() bool {
	switch c := p.next(); {
	case c == '\\' && isSpecial(p.u.scheme):
		p.u.odd |= backslash
	case c != '/':
		return false
	}
	p.i++
	return true
}

// clean returns valid UTF-8, and what of it is read.
func (p *parser) clean(raw string) (valid, in string) {
	valid = strings.ToValidUTF8(raw, "\uFFFD")
	in = strings.TrimFunc(valid, func(r rune) bool { return r <= ' ' })
	if len(in) != len(valid) && strings.IndexFunc(valid, func(r rune) bool { return r < ' ' }) >= 0 {
		p.u.odd |= controlByte
	}
	if strings.ContainsAny(in, "\t\n\r") {
		p.u.odd |= controlByte
		in = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(in)
	}
	return valid, in
}

func isSpecial(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp", "file":
		return true
	}
	return false
}

func defaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return -1
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func (p *parser) scheme() (state, error) {
	j := 0
	for j < len(p.in) && (isAlpha(p.in[j]) || j > 0 && (isDigit(p.in[j]) || p.in[j] == '+' || p.in[j] == '-' || p.in[j] == '.')) {
		j++
	}
	if j == 0 || j == len(p.in) || p.in[j] != ':' {
		return (*parser).noScheme, nil
	}
	u := &p.u
	u.scheme = strings.ToLower(p.in[:j])
	p.i = j + 1
	rest := p.in[p.i:]
	switch {
	case u.scheme == "file":
		if !strings.HasPrefix(rest, "//") {
			u.odd |= missingSlashes
		}
		return (*parser).file, nil
	case isSpecial(u.scheme) && p.base != nil && p.base.scheme == u.scheme && !strings.HasPrefix(rest, "//"):
		u.odd |= missingSlashes
		return (*parser).relative, nil
	case isSpecial(u.scheme):
		if !strings.HasPrefix(rest, "//") {
			u.odd |= missingSlashes
		} else {
			p.i += 2
		}
		return (*parser).extraSlashes, nil
	case strings.HasPrefix(rest, "//"):
		p.i += 2
		return (*parser).authority, nil
	case strings.HasPrefix(rest, "/"):
		p.i++
		return (*parser).path, nil
	}
	u.opaque = true
	return (*parser).opaquePath, nil
}

func (p *parser) noScheme() (state, error) {
	u, b := &p.u, p.base
	switch {
	case b == nil && p.in == "":
		return p.fail(missingScheme, "the address is empty")
	case b == nil:
		return p.fail(missingScheme, "it has no scheme; write https:// before it")
	case b.opaque && !strings.HasPrefix(p.in, "#"):
		return p.fail(missingScheme, "it is relative to an address that has no path")
	case b.opaque:
		u.scheme, u.opaque, u.path, u.query, u.hasQuery = b.scheme, true, b.path, b.query, b.hasQuery
		return p.tail(), nil
	case b.scheme == "file":
		return (*parser).file, nil
	}
	u.scheme = b.scheme
	return (*parser).relative, nil
}

// relative reads what is relative to a base of the same scheme.
func (p *parser) relative() (state, error) {
	if p.slash() {
		if p.slash() {
			if isSpecial(p.u.scheme) {
				return (*parser).extraSlashes, nil
			}
			return (*parser).authority, nil
		}
		p.copyAuthority(p.base)
		return (*parser).path, nil
	}
	p.copyAuthority(p.base)
	return p.fromBase(), nil
}

// fromBase begins with the path of the base. Its query stays if nothing but a fragment follows.
func (p *parser) fromBase() state {
	p.segs = appendPath(p.segs[:0], p.base.path)
	switch p.next() {
	case '?':
	case '#', 0:
		if p.next() == '#' || p.i == len(p.in) {
			p.u.query, p.u.hasQuery = p.base.query, p.base.hasQuery
			break
		}
		fallthrough
	default:
		p.shorten()
		return (*parser).path
	}
	return p.tail()
}

// extraSlashes skips slashes before the authority of a special scheme.
func (p *parser) extraSlashes() (state, error) {
	for c := p.next(); p.slash(); c = p.next() {
		if c == '/' {
			p.u.odd |= extraSlashes
		}
	}
	return (*parser).authority, nil
}

// authority reads credentials, which the last @ ends.
func (p *parser) authority() (state, error) {
	part := p.until(p.endsAuthority)
	if k := strings.LastIndexByte(part, '@'); k >= 0 {
		name, pass, has := strings.Cut(part[:k], ":")
		p.u.user = encode(name, userinfoSet)
		if has {
			p.u.password = encode(pass, userinfoSet)
		}
		if p.i += k + 1; k+1 == len(part) {
			return p.fail(missingHost, "there is no host after the @")
		}
	}
	return (*parser).host, nil
}

func (p *parser) host() (state, error) {
	inBrackets := false
	name := p.until(func(c byte) bool {
		switch c {
		case '[':
			inBrackets = true
		case ']':
			inBrackets = false
		}
		return p.endsAuthority(c) || c == ':' && !inBrackets
	})
	p.i += len(name)
	port := p.next() == ':'
	switch {
	case name == "" && port:
		return p.fail(missingHost, "there is no host before the port")
	case name == "" && isSpecial(p.u.scheme):
		return p.fail(missingHost, "it has no host")
	}
	if err := p.setHost(name); err != nil {
		return nil, err
	}
	if port {
		p.i++
		return (*parser).port, nil
	}
	return (*parser).pathStart, nil
}

func (p *parser) port() (state, error) {
	digits := p.until(func(c byte) bool { return !isDigit(c) })
	p.i += len(digits)
	if p.i < len(p.in) && !p.endsAuthority(p.next()) {
		return p.fail(badPort, "the port is not a number")
	}
	if digits != "" {
		n, err := strconv.ParseUint("0"+strings.TrimLeft(digits, "0"), 10, 16)
		if err != nil {
			return p.fail(badPort, "the port is greater than 65535")
		}
		if p.u.port = int(n); p.u.port == defaultPort(p.u.scheme) {
			p.u.port = -1
		}
	}
	return (*parser).pathStart, nil
}

func (p *parser) file() (state, error) {
	u, b := &p.u, p.base
	u.scheme = "file"
	u.host, u.hasHost = "", true
	sameFile := b != nil && b.scheme == "file"
	switch {
	case p.slash():
		if p.slash() {
			return (*parser).fileHost, nil
		}
		if sameFile {
			u.host, u.kind = b.host, b.kind
			if segs := appendPath(nil, b.path); !startsWithDrive(p.in[p.i:]) && len(segs) > 0 && isNormalDrive(segs[0]) {
				p.segs = append(p.segs, segs[0])
			}
		}
	case sameFile && startsWithDrive(p.in[p.i:]):
		u.host, u.kind = b.host, b.kind
	case sameFile:
		u.host, u.kind = b.host, b.kind
		return p.fromBase(), nil
	}
	return (*parser).path, nil
}

func (p *parser) fileHost() (state, error) {
	name := p.until(func(c byte) bool { return c == '/' || c == '\\' || c == '?' || c == '#' })
	if isDriveLetter(name) { // the first segment of the path
		return (*parser).path, nil
	}
	p.i += len(name)
	if name != "" {
		if err := p.setHost(name); err != nil {
			return nil, err
		}
		if p.u.host == "localhost" {
			p.u.host = ""
		}
	}
	return (*parser).pathStart, nil
}

func (p *parser) pathStart() (state, error) {
	if c := p.next(); !isSpecial(p.u.scheme) && (c == '?' || c == '#' || p.i == len(p.in)) {
		return p.tail(), nil
	}
	p.slash()
	return (*parser).path, nil
}

func (p *parser) path() (state, error) {
	special := isSpecial(p.u.scheme)
	for more := true; more; {
		segment := p.until(func(c byte) bool { return c == '/' || special && c == '\\' || c == '?' || c == '#' })
		p.i += len(segment)
		segment = encode(segment, pathSet)
		more = p.slash()
		switch {
		case isDoubleDot(segment):
			p.shorten()
			fallthrough
		case isSingleDot(segment):
			if !more {
				p.segs = append(p.segs, "")
			}
			continue
		case p.u.scheme == "file" && len(p.segs) == 0 && isDriveLetter(segment):
			segment = segment[:1] + ":"
		}
		p.segs = append(p.segs, segment)
	}
	return p.tail(), nil
}

func (p *parser) opaquePath() (state, error) {
	path := p.until(func(c byte) bool { return c == '?' || c == '#' })
	p.i += len(path)
	// Parsing the URL again would strip a trailing space.
	if p.i < len(p.in) && strings.HasSuffix(path, " ") {
		path = path[:len(path)-1] + "%20"
	}
	p.u.path = encode(path, c0Set)
	return p.tail(), nil
}

// tail returns the state of what follows a path: a query, a fragment, or nothing.
func (p *parser) tail() state {
	switch p.next() {
	case '?':
		p.i++
		p.u.hasQuery = true
		return (*parser).query
	case '#':
		p.i++
		p.u.hasFragment = true
		return (*parser).fragment
	}
	return nil
}

func (p *parser) query() (state, error) {
	set := querySet
	if isSpecial(p.u.scheme) {
		set = specialQuerySet
	}
	query := p.until(func(c byte) bool { return c == '#' })
	p.i += len(query)
	p.u.query = encode(query, set)
	return p.tail(), nil
}

func (p *parser) fragment() (state, error) {
	p.u.fragment = encode(p.in[p.i:], fragmentSet)
	return nil, nil
}

// endsAuthority reports whether a byte ends user, host and port.
func (p *parser) endsAuthority(c byte) bool {
	return c == '/' || c == '?' || c == '#' || c == '\\' && isSpecial(p.u.scheme)
}

func (p *parser) setHost(s string) error {
	if s == "" {
		p.u.hasHost = true
		return nil
	}
	h, kind, odd, err := parseHost(s, isSpecial(p.u.scheme))
	if err != nil {
		return withInput(err, p.raw)
	}
	p.u.host, p.u.hasHost, p.u.kind = h, true, kind
	p.u.odd |= odd
	return nil
}

func (p *parser) copyAuthority(b *URL) {
	p.u.user, p.u.password = b.user, b.password
	p.u.host, p.u.hasHost, p.u.kind, p.u.port = b.host, b.hasHost, b.kind, b.port
}

// finish writes the path list.
func (p *parser) finish() {
	switch {
	case p.u.opaque:
		return
	case len(p.segs) == 0:
		if isSpecial(p.u.scheme) {
			p.u.path = "/"
		}
		return
	}
	path := make([]byte, 0, 256)
	for _, s := range p.segs {
		path = append(append(path, '/'), s...)
	}
	p.u.path = string(path)
}

func (p *parser) shorten() {
	n := len(p.segs)
	if n == 0 || p.u.scheme == "file" && n == 1 && isNormalDrive(p.segs[0]) {
		return
	}
	p.segs = p.segs[:n-1]
}

// appendPath appends the segments of a path.
func appendPath(segs []string, path string) []string {
	if path == "" {
		return segs
	}
	for s := range strings.SplitSeq(path[1:], "/") {
		segs = append(segs, s)
	}
	return segs
}

func isSingleDot(s string) bool {
	return s == "." || len(s) == 3 && strings.EqualFold(s, "%2e")
}

func isDoubleDot(s string) bool {
	switch len(s) {
	case 2:
		return s == ".."
	case 4:
		return strings.EqualFold(s, ".%2e") || strings.EqualFold(s, "%2e.")
	case 6:
		return strings.EqualFold(s, "%2e%2e")
	}
	return false
}

func isDriveLetter(s string) bool {
	return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|')
}

func isNormalDrive(s string) bool { return len(s) == 2 && isAlpha(s[0]) && s[1] == ':' }

func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDriveLetter(s[:2]) && (len(s) == 2 || strings.IndexByte(`/\?#`, s[2]) >= 0)
}
