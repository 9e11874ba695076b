package weburl

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// hostKind says what a host is.
type hostKind uint8

const (
	domainHost hostKind = iota // or none
	ipv4Host
	ipv6Host
	opaqueHost
)

// parseHost is the host parser of section 3.5.
func parseHost(s string, special bool) (string, hostKind, Oddity, error) {
	if s[0] == '[' {
		if s[len(s)-1] != ']' {
			return "", 0, 0, fail(badHost, "", "the [ of the host is not closed")
		}
		return parseIPv6(s[1 : len(s)-1])
	}
	if !special {
		for i := 0; i < len(s); i++ {
			if isForbiddenHost(s[i]) {
				return "", 0, 0, fail(badHost, "", "the host holds "+strconv.QuoteRune(rune(s[i])))
			}
		}
		return encode(s, c0Set), opaqueHost, 0, nil
	}
	var odd Oddity
	raw := s
	if strings.IndexByte(s, '%') >= 0 {
		odd |= percentHost
		s = percentDecode(s)
	}
	host, err := toASCII(s)
	if err != nil {
		return "", 0, 0, err
	}
	if !endsInNumber(host) {
		return host, domainHost, odd, nil
	}
	v4, err := parseIPv4(host)
	if err != nil {
		return "", 0, 0, err
	}
	canonical := netip.AddrFrom4([4]byte{byte(v4 >> 24), byte(v4 >> 16), byte(v4 >> 8), byte(v4)}).String()
	if raw != canonical {
		odd |= numericHost
	}
	return canonical, ipv4Host, odd, nil
}

func isForbiddenHost(c byte) bool { return c < utf8.RuneSelf && hostSet.has(c) }

func isForbiddenDomain(c byte) bool { return c < utf8.RuneSelf && domainSet.has(c) }

// toASCII is the standard's "domain to ASCII" with beStrict false: UTS 46 mapping
// and Punycode, without rules on lengths and hyphens.
func toASCII(s string) (string, error) {
	simple := true
	upper := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			simple = false
			break
		}
		if isForbiddenDomain(c) {
			return "", fail(badHost, "", "the host holds "+strconv.QuoteRune(rune(c)))
		}
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if simple {
		if upper {
			s = strings.ToLower(s)
		}
		if !strings.Contains(s, "xn--") {
			return s, nil
		}
	}
	if !utf8.ValidString(s) {
		return "", fail(badHost, "", "the host is not valid UTF-8")
	}
	host, err := profile().ToASCII(s)
	if err != nil {
		return "", fail(badHost, "", "the host is not a valid international name")
	}
	if host == "" {
		return "", fail(missingHost, "", "it has no host")
	}
	for i := 0; i < len(host); i++ {
		if isForbiddenDomain(host[i]) || host[i] >= utf8.RuneSelf {
			return "", fail(badHost, "", "the host holds "+strconv.QuoteRune(rune(host[i])))
		}
	}
	return host, nil
}

var profile = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.ValidateLabels(true), idna.BidiRule(), idna.CheckJoiners(true),
		idna.CheckHyphens(false), idna.StrictDomainName(false), idna.VerifyDNSLength(false))
})

func percentDecode(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b = append(b, byte(n))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// endsInNumber is the ends-in-a-number checker.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	digits := true
	for i := 0; i < len(last); i++ {
		if !isDigit(last[i]) {
			digits = false
			break
		}
	}
	if digits {
		return true
	}
	_, ok := ipv4Number(last)
	return ok
}

// parseIPv4 is the standard's IPv4 parser: one to four numbers, decimal, octal or
// hexadecimal, of which the last fills the remaining bytes.
func parseIPv4(s string) (uint32, error) {
	bad := func() (uint32, error) { return 0, fail(badHost, "", "the host is not a valid IPv4 address") }
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return bad()
	}
	var v uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		if !ok {
			return bad()
		}
		if i < len(parts)-1 {
			if n > 255 {
				return bad()
			}
			v |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return bad()
		}
		v |= n
	}
	return uint32(v), nil
}

func ipv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := 10
	switch {
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) || base < 16 && !isDigit(s[i]) || base == 8 && s[i] > '7' {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return 1 << 62, true // too large for an address, but a number
	}
	return n, true
}

// parseIPv6 accepts the same input as the standard's IPv6 parser: the textual form
// of RFC 4291 without zones.
func parseIPv6(s string) (string, hostKind, Oddity, error) {
	a, err := netip.ParseAddr(s)
	if err != nil || !a.Is6() || a.Zone() != "" || strings.IndexByte(s, '%') >= 0 {
		return "", 0, 0, fail(badHost, "", "the host is not a valid IPv6 address")
	}
	if a.Is4In6() { // never dotted
		b := a.As16()
		return fmt.Sprintf("::ffff:%x:%x", int(b[12])<<8|int(b[13]), int(b[14])<<8|int(b[15])), ipv6Host, 0, nil
	}
	return a.String(), ipv6Host, 0, nil
}
