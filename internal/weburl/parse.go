package weburl

import (
	"strconv"
	"strings"
)

// This file is the basic URL parser of the WHATWG URL standard, section 4.4,
// as a state machine over the bytes of the input. States are named as there.
// Validation errors are not reported; the Oddity flags have those that matter to a
// policy.

// MaxBytes is the maximum length of an input. The policy's limit on requested
// addresses is lower.
const MaxBytes = 64 << 10

type state uint8

const (
	schemeStart state = iota
	schemeState
	noScheme
	specialRelativeOrAuthority
	pathOrAuthority
	relative
	relativeSlash
	specialAuthoritySlashes
	specialAuthorityIgnoreSlashes
	authority
	hostState
	portState
	file
	fileSlash
	fileHost
	pathStart
	pathState
	opaquePath
	queryState
	fragmentState
)

type parser struct {
	u    URL
	base *URL
	segs []string // the path list, while it is read
}

// parse runs the state machine over raw. base may be nil.
func parse(raw string, base *URL) (URL, error) {
	if len(raw) > MaxBytes {
		return URL{}, fail(TooLong, raw[:64], "it is longer than 64 KiB")
	}
	p, in := parser{base: base, segs: make([]string, 0, 8)}, raw
	if !isPrintable(raw) {
		raw, in = p.clean(raw)
	}
	if err := p.run(in, raw); err != nil {
		return URL{}, err
	}
	return p.u, nil
}

// clean returns valid UTF-8, and what of it is read.
func (p *parser) clean(raw string) (valid, in string) {
	valid = strings.ToValidUTF8(raw, "\uFFFD")
	in = strings.TrimFunc(valid, func(r rune) bool { return r <= ' ' })
	if len(in) != len(valid) && strings.IndexFunc(valid, func(r rune) bool { return r < ' ' }) >= 0 {
		p.u.odd |= ControlByte
	}
	if strings.ContainsAny(in, "\t\n\r") {
		p.u.odd |= ControlByte
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

func (p *parser) run(in, raw string) error {
	u := &p.u
	u.port = -1
	st := schemeStart
	const eof = 0 // with at(): i == len(in)
	i := 0
	buf := "" // only for authority, host, port: slices of in
	start := 0
	inBrackets := false
	for {
		end := i >= len(in)
		c := byte(eof)
		if !end {
			c = in[i]
		}
		switch st {
		case schemeStart:
			if !end && isAlpha(c) {
				st = schemeState
				continue
			}
			st = noScheme
			continue

		case schemeState:
			j := i
			for j < len(in) && (isAlpha(in[j]) || isDigit(in[j]) || in[j] == '+' || in[j] == '-' || in[j] == '.') {
				j++
			}
			if j >= len(in) || in[j] != ':' {
				st, i = noScheme, 0
				continue
			}
			u.scheme = strings.ToLower(in[:j])
			i = j + 1
			switch {
			case u.scheme == "file":
				if !strings.HasPrefix(in[i:], "//") {
					u.odd |= MissingSlashes
				}
				st = file
			case isSpecial(u.scheme) && p.base != nil && p.base.scheme == u.scheme:
				st = specialRelativeOrAuthority
			case isSpecial(u.scheme):
				st = specialAuthoritySlashes
			case strings.HasPrefix(in[i:], "/"):
				st = pathOrAuthority
				i++
			default:
				u.opaque = true
				st = opaquePath
			}
			continue

		case noScheme:
			b := p.base
			switch {
			case b == nil && in == "":
				return fail(MissingScheme, raw, "the address is empty")
			case b == nil:
				return fail(MissingScheme, raw, "it has no scheme; write https:// before it")
			case b.opaque && !strings.HasPrefix(in, "#"):
				return fail(MissingScheme, raw, "it is relative to an address that has no path")
			case b.opaque:
				u.scheme, u.opaque, u.path, u.query, u.hasQuery = b.scheme, true, b.path, b.query, b.hasQuery
				u.hasFragment = true
				i = 1
				st = fragmentState
			case b.scheme != "file":
				st = relative
			default:
				st = file
				u.scheme = "file"
			}
			continue

		case specialRelativeOrAuthority:
			if strings.HasPrefix(in[i:], "//") {
				st = specialAuthorityIgnoreSlashes
				i += 2
				continue
			}
			u.odd |= MissingSlashes
			st = relative
			continue

		case pathOrAuthority:
			if c == '/' && !end {
				st = authority
				i++
				start = i
				continue
			}
			st = pathState
			continue

		case relative:
			b := p.base
			u.scheme = b.scheme
			switch {
			case c == '/' && !end:
				st = relativeSlash
				i++
			case isSpecial(u.scheme) && c == '\\' && !end:
				u.odd |= Backslash
				st = relativeSlash
				i++
			default:
				p.copyAuthority(b)
				u.query, u.hasQuery = b.query, b.hasQuery
				p.segs = appendPath(p.segs[:0], b.path)
				switch {
				case end:
					return p.finish()
				case c == '?':
					u.query, u.hasQuery = "", true
					st = queryState
					i++
				case c == '#':
					u.hasFragment = true
					st = fragmentState
					i++
				default:
					u.query, u.hasQuery = "", false
					p.shorten()
					st = pathState
				}
			}
			continue

		case relativeSlash:
			if isSpecial(u.scheme) && !end && (c == '/' || c == '\\') {
				if c == '\\' {
					u.odd |= Backslash
				}
				st = specialAuthorityIgnoreSlashes
				i++
				continue
			}
			if !end && c == '/' {
				st = authority
				i++
				start = i
				continue
			}
			p.copyAuthority(p.base)
			st = pathState
			continue

		case specialAuthoritySlashes:
			if strings.HasPrefix(in[i:], "//") {
				i += 2
			} else {
				u.odd |= MissingSlashes
			}
			st = specialAuthorityIgnoreSlashes
			continue

		case specialAuthorityIgnoreSlashes:
			if !end && (c == '/' || c == '\\') {
				if c == '\\' {
					u.odd |= Backslash
				} else {
					u.odd |= ExtraSlashes
				}
				i++
				continue
			}
			st = authority
			start = i
			continue

		case authority:
			// Up to the end of the authority; the last @ ends the credentials.
			j := i
			for j < len(in) && !authorityEnd(in[j], isSpecial(u.scheme)) {
				j++
			}
			part := in[i:j]
			if k := strings.LastIndexByte(part, '@'); k >= 0 {
				cred := part[:k]
				name, pass, has := strings.Cut(cred, ":")
				u.user = encode(name, userinfoSet)
				if has {
					u.password = encode(pass, userinfoSet)
				}
				i += k + 1
				if i == j {
					return fail(MissingHost, raw, "there is no host after the @")
				}
			}
			start = i
			st = hostState
			continue

		case hostState, fileHost:
			if st == fileHost {
				j := i
				for j < len(in) && !strings.ContainsRune(`/\?#`, rune(in[j])) {
					j++
				}
				buf = in[i:j]
				if isDriveLetter(buf) {
					st = pathState
					// The drive letter is the first path segment.
					continue
				}
				i = j
				if buf == "" {
					u.host, u.hasHost = "", true
					st = pathStart
					continue
				}
				h, kind, odd, err := parseHost(buf, true)
				if err != nil {
					return withInput(err, raw)
				}
				u.odd |= odd
				if h == "localhost" {
					h = ""
				}
				u.host, u.hasHost, u.kind = h, true, kind
				st = pathStart
				continue
			}
			j := i
			for j < len(in) && !authorityEnd(in[j], isSpecial(u.scheme)) && (inBrackets || in[j] != ':') {
				switch in[j] {
				case '[':
					inBrackets = true
				case ']':
					inBrackets = false
				}
				j++
			}
			buf = in[start:j]
			i = j
			if j < len(in) && in[j] == ':' && !inBrackets {
				if buf == "" {
					return fail(MissingHost, raw, "there is no host before the port")
				}
				if err := p.setHost(buf, raw); err != nil {
					return err
				}
				i++
				st = portState
				continue
			}
			if buf == "" && isSpecial(u.scheme) {
				return fail(MissingHost, raw, "it has no host")
			}
			if err := p.setHost(buf, raw); err != nil {
				return err
			}
			st = pathStart
			continue

		case portState:
			j := i
			for j < len(in) && isDigit(in[j]) {
				j++
			}
			if j < len(in) && !authorityEnd(in[j], isSpecial(u.scheme)) {
				return fail(BadPort, raw, "the port is not a number")
			}
			if digits := in[i:j]; digits != "" {
				digits = strings.TrimLeft(digits, "0")
				if digits == "" {
					digits = "0"
				}
				n, err := strconv.ParseUint(digits, 10, 16)
				if err != nil {
					return fail(BadPort, raw, "the port is greater than 65535")
				}
				u.port = int(n)
				if u.port == defaultPort(u.scheme) {
					u.port = -1
				}
			}
			i = j
			st = pathStart
			continue

		case file:
			u.scheme = "file"
			u.host, u.hasHost = "", true
			if !end && (c == '/' || c == '\\') {
				if c == '\\' {
					u.odd |= Backslash
				}
				st = fileSlash
				i++
				continue
			}
			if b := p.base; b != nil && b.scheme == "file" {
				u.host, u.kind, u.query, u.hasQuery = b.host, b.kind, b.query, b.hasQuery
				p.segs = appendPath(p.segs[:0], b.path)
				switch {
				case end:
					return p.finish()
				case c == '?':
					u.query, u.hasQuery = "", true
					st = queryState
					i++
				case c == '#':
					u.hasFragment = true
					st = fragmentState
					i++
				default:
					u.query, u.hasQuery = "", false
					if !startsWithDrive(in[i:]) {
						p.shorten()
					} else {
						p.segs = nil
					}
					st = pathState
				}
				continue
			}
			st = pathState
			continue

		case fileSlash:
			if !end && (c == '/' || c == '\\') {
				if c == '\\' {
					u.odd |= Backslash
				}
				st = fileHost
				i++
				continue
			}
			if b := p.base; b != nil && b.scheme == "file" {
				u.host, u.kind = b.host, b.kind
				if segs := appendPath(nil, b.path); !startsWithDrive(in[i:]) && len(segs) > 0 && isNormalDrive(segs[0]) {
					p.segs = append(p.segs, segs[0])
				}
			}
			st = pathState
			continue

		case pathStart:
			switch {
			case isSpecial(u.scheme):
				if c == '\\' && !end {
					u.odd |= Backslash
				}
				st = pathState
				if !end && (c == '/' || c == '\\') {
					i++
				}
			case !end && c == '?':
				u.hasQuery = true
				st = queryState
				i++
			case !end && c == '#':
				u.hasFragment = true
				st = fragmentState
				i++
			case !end:
				st = pathState
				if c == '/' {
					i++
				}
			default:
				return p.finish()
			}
			continue

		case pathState:
			special := isSpecial(u.scheme)
			for {
				j := i
				for j < len(in) && in[j] != '/' && !(special && in[j] == '\\') && in[j] != '?' && in[j] != '#' {
					j++
				}
				seg := encode(in[i:j], pathSet)
				slash := j < len(in) && (in[j] == '/' || special && in[j] == '\\')
				if slash && in[j] == '\\' {
					u.odd |= Backslash
				}
				switch {
				case isDoubleDot(seg):
					p.shorten()
					if !slash {
						p.segs = append(p.segs, "")
					}
				case isSingleDot(seg):
					if !slash {
						p.segs = append(p.segs, "")
					}
				default:
					if u.scheme == "file" && len(p.segs) == 0 && isDriveLetter(seg) {
						seg = seg[:1] + ":"
					}
					p.segs = append(p.segs, seg)
				}
				i = j
				if !slash {
					break
				}
				i++
			}
			switch {
			case i < len(in) && in[i] == '?':
				u.hasQuery = true
				st = queryState
				i++
			case i < len(in) && in[i] == '#':
				u.hasFragment = true
				st = fragmentState
				i++
			default:
				return p.finish()
			}
			continue

		case opaquePath:
			j := i
			for j < len(in) && in[j] != '?' && in[j] != '#' {
				j++
			}
			path := in[i:j]
			// Parsing the URL again would strip a trailing space.
			if j < len(in) && strings.HasSuffix(path, " ") {
				path = path[:len(path)-1] + "%20"
			}
			u.path = encode(path, c0Set)
			i = j
			switch {
			case i < len(in) && in[i] == '?':
				u.hasQuery = true
				st = queryState
				i++
			case i < len(in) && in[i] == '#':
				u.hasFragment = true
				st = fragmentState
				i++
			default:
				return p.finish()
			}
			continue

		case queryState:
			j := strings.IndexByte(in[i:], '#')
			q := in[i:]
			if j >= 0 {
				q = in[i : i+j]
			}
			set := querySet
			if isSpecial(u.scheme) {
				set = specialQuerySet
			}
			u.query = encode(q, set)
			if j < 0 {
				return p.finish()
			}
			i += j + 1
			u.hasFragment = true
			st = fragmentState
			continue

		case fragmentState:
			u.fragment = encode(in[i:], fragmentSet)
			return p.finish()
		}
	}
}

func authorityEnd(c byte, special bool) bool {
	return c == '/' || c == '?' || c == '#' || special && c == '\\'
}

func (p *parser) setHost(s, raw string) error {
	if s == "" {
		p.u.hasHost = true
		return nil
	}
	h, kind, odd, err := parseHost(s, isSpecial(p.u.scheme))
	if err != nil {
		return withInput(err, raw)
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
func (p *parser) finish() error {
	if p.u.opaque {
		return nil
	}
	if len(p.segs) == 0 {
		if isSpecial(p.u.scheme) {
			p.u.path = "/"
		}
		return nil
	}
	path := make([]byte, 0, 256)
	for _, s := range p.segs {
		path = append(append(path, '/'), s...)
	}
	p.u.path = string(path)
	return nil
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
