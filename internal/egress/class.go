package egress

import (
	"encoding/binary"
	"net/netip"
)

// class says what an address is for. The set is closed; [classify] gives every
// address exactly one. The zero value is Invalid, which is not global.
type class uint8

// The classes. The comment of each names the document that sets it apart; the
// prefixes stand in v4Rows and v6Rows.
const (
	invalid        class = iota // no address, or one with a zone
	public                      // global unicast: the only class that is dialled by default
	metadata                    // a cloud's metadata service: never dialled, without exception
	thisNetwork                 // RFC 791 section 3.2, RFC 1122 section 3.2.1.3
	unspecified                 // RFC 4291 section 2.5.2; reaches the local host on Linux
	loopback                    // RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3
	private                     // RFC 1918 section 3
	sharedSpace                 // carrier-grade NAT, RFC 6598 section 7
	linkLocal                   // RFC 3927 section 2.1, RFC 4291 section 2.5.6
	siteLocal                   // RFC 3879 section 4
	uniqueLocal                 // RFC 4193 section 3.1
	ietfProtocol                // RFC 6890 section 2.1, RFC 2928
	documentation               // RFC 5737, RFC 3849, RFC 9637
	benchmarking                // RFC 2544 appendix C, RFC 5180 section 8
	infrastructure              // anycast of the DNS and of AMT relays: RFC 7534, RFC 7535, RFC 7450
	relayAnycast                // 6to4 relays, RFC 7526
	multicast                   // RFC 5771, RFC 4291 section 2.7
	broadcast                   // RFC 919 section 7
	reservedSpace               // RFC 1112 section 4, and IPv6 outside of 2000::/3
	discard                     // RFC 6666, RFC 9780
	segmentRouting              // RFC 9602
	v4Compatible                // ::a.b.c.d, RFC 4291 section 2.5.5.1
	siit                        // ::ffff:0:a.b.c.d, RFC 2765 section 2.1
	nat64                       // 64:ff9b::/96 with a global IPv4 address, RFC 6052 section 2.1
	nat64Local                  // 64:ff9b:1::/48, RFC 8215
	sixToFour                   // 2002::/16, RFC 3056; the transport is retired by RFC 7526
	teredo                      // 2001::/32, RFC 4380 section 4
)

// Global reports whether the class is dialled without an exception. It is true
// only for Public.
func (c class) Global() bool { return c == public }

// A v4Row sets one IPv4 prefix apart. The cidr repeats base and bits for the
// reader, and a test compares them; the numbers are what is looked up, because
// parsed prefixes would have to be built at every start of the program.
type v4Row struct {
	base   uint32
	bits   uint8
	class  class
	cidr   string
	source string
}

// v4Rows is read from the top, the first match decides: the single addresses
// of metadata services come before the ranges that hold them. What no row
// matches is global unicast.
var v4Rows = [...]v4Row{
	{0xa9fea900, 24, metadata, "169.254.169.0/24", "AWS, GCP, Azure, OpenStack and others; AWS time and DNS"},
	{0xa9feaa00, 24, metadata, "169.254.170.0/24", "AWS: container credentials, EKS pod identity"},
	{0xa9fe0017, 32, metadata, "169.254.0.23/32", "Tencent Cloud"},
	{0xa9fe0a0a, 32, metadata, "169.254.10.10/32", "Tencent Cloud"},
	{0xa9fe2a2a, 32, metadata, "169.254.42.42/32", "Scaleway"},
	{0x646464c8, 32, metadata, "100.100.100.200/32", "Alibaba Cloud"},
	{0xc00000c0, 32, metadata, "192.0.0.192/32", "Oracle Cloud Classic"},
	{0xa83f8110, 32, metadata, "168.63.129.16/32", "Azure wire server; global by every registry"},

	{0x00000000, 8, thisNetwork, "0.0.0.0/8", "RFC 791 section 3.2"},
	{0x0a000000, 8, private, "10.0.0.0/8", "RFC 1918 section 3"},
	{0x64400000, 10, sharedSpace, "100.64.0.0/10", "RFC 6598 section 7"},
	{0x7f000000, 8, loopback, "127.0.0.0/8", "RFC 1122 section 3.2.1.3"},
	{0xa9fe0000, 16, linkLocal, "169.254.0.0/16", "RFC 3927 section 2.1"},
	{0xac100000, 12, private, "172.16.0.0/12", "RFC 1918 section 3"},
	{0xc0000000, 24, ietfProtocol, "192.0.0.0/24", "RFC 6890 section 2.1"},
	{0xc0000200, 24, documentation, "192.0.2.0/24", "RFC 5737 section 3"},
	{0xc01fc400, 24, infrastructure, "192.31.196.0/24", "RFC 7535: AS112"},
	{0xc034c100, 24, infrastructure, "192.52.193.0/24", "RFC 7450: AMT"},
	{0xc0586300, 24, relayAnycast, "192.88.99.0/24", "RFC 7526 section 4"},
	{0xc0a80000, 16, private, "192.168.0.0/16", "RFC 1918 section 3"},
	{0xc0af3000, 24, infrastructure, "192.175.48.0/24", "RFC 7534: AS112"},
	{0xc6120000, 15, benchmarking, "198.18.0.0/15", "RFC 2544 appendix C.2.2"},
	{0xc6336400, 24, documentation, "198.51.100.0/24", "RFC 5737 section 3"},
	{0xcb007100, 24, documentation, "203.0.113.0/24", "RFC 5737 section 3"},
	{0xe0000000, 4, multicast, "224.0.0.0/4", "RFC 5771 section 3"},
	{0xffffffff, 32, broadcast, "255.255.255.255/32", "RFC 919 section 7"},
	{0xf0000000, 4, reservedSpace, "240.0.0.0/4", "RFC 1112 section 4"},
}

// A v6Row sets one IPv6 prefix apart; hi and lo are the two halves of its base.
type v6Row struct {
	hi, lo uint64
	bits   uint8
	class  class
	cidr   string
	source string
}

// v6Rows is read from the top, the first match decides. What no row matches is
// global inside of 2000::/3 and reservedSpace outside of it: the registry of global
// unicast assignments has nothing elsewhere, so new ranges stay shut until a
// row opens them.
//
// The prefixes that embed IPv4 are here too; embedded looks inside first.
var v6Rows = [...]v6Row{
	{0xfd000ec200000000, 0, 32, metadata, "fd00:ec2::/32", "AWS: instance metadata, pod identity, DNS, time"},
	{0xfd2000ce00000000, 0x0254, 128, metadata, "fd20:ce::254/128", "GCP"},
	{0xfd00004200000000, 0x0042, 128, metadata, "fd00:42::42/128", "Scaleway"},
	{0xfd0000c100000000, 0xa9fea9fe, 128, metadata, "fd00:c1::a9fe:a9fe/128", "Oracle Cloud"},
	{0xfd00a9fea9fe0000, 0x0001, 128, metadata, "fd00:a9fe:a9fe::1/128", "Akamai (Linode)"},
	{0xfe80000000000000, 0xa9fea9fe, 128, metadata, "fe80::a9fe:a9fe/128", "OpenStack"},

	{0, 0, 128, unspecified, "::/128", "RFC 4291 section 2.5.2"},
	{0, 1, 128, loopback, "::1/128", "RFC 4291 section 2.5.3"},
	{0, 0, 96, v4Compatible, "::/96", "RFC 4291 section 2.5.5.1"},
	{0, 0xffff000000000000, 96, siit, "::ffff:0:0:0/96", "RFC 2765 section 2.1"},
	{0x0064ff9b00000000, 0, 96, nat64, "64:ff9b::/96", "RFC 6052 section 2.1"},
	{0x0064ff9b00010000, 0, 48, nat64Local, "64:ff9b:1::/48", "RFC 8215"},
	{0x0100000000000000, 0, 64, discard, "100::/64", "RFC 6666"},
	{0x0100000000000001, 0, 64, discard, "100:0:0:1::/64", "RFC 9780"},
	{0x2001000000000000, 0, 32, teredo, "2001::/32", "RFC 4380 section 4"},
	{0x2001000200000000, 0, 48, benchmarking, "2001:2::/48", "RFC 5180 section 8"},
	// The rest of 2001::/23 holds single assignments (ORCHID, DRIP, AMT, AS112,
	// PCP), none of them a place of web sites. 2001:200::/23 and what follows
	// are ordinary allocations to the regional registries.
	{0x2001000000000000, 0, 23, ietfProtocol, "2001::/23", "RFC 2928"},
	{0x20010db800000000, 0, 32, documentation, "2001:db8::/32", "RFC 3849"},
	{0x2002000000000000, 0, 16, sixToFour, "2002::/16", "RFC 3056 section 2"},
	{0x2620004f80000000, 0, 48, infrastructure, "2620:4f:8000::/48", "RFC 7534: AS112"},
	{0x3fff000000000000, 0, 20, documentation, "3fff::/20", "RFC 9637"},
	{0x5f00000000000000, 0, 16, segmentRouting, "5f00::/16", "RFC 9602"},
	{0xfc00000000000000, 0, 7, uniqueLocal, "fc00::/7", "RFC 4193 section 3.1"},
	{0xfe80000000000000, 0, 10, linkLocal, "fe80::/10", "RFC 4291 section 2.5.6"},
	{0xfec0000000000000, 0, 10, siteLocal, "fec0::/10", "RFC 3879 section 4"},
	{0xff00000000000000, 0, 8, multicast, "ff00::/8", "RFC 4291 section 2.7"},
}

// classify tells what an address is for. An IPv4-mapped address is its IPv4
// address. Any other form that embeds IPv4 addresses has the class of an
// embedded one that is not global, Metadata before all others; when all of
// them are global, it has the class of its prefix. An address with a zone
// is Invalid: a zone picks an interface of this machine.
func classify(a netip.Addr) class {
	if !a.IsValid() || a.Zone() != "" {
		return invalid
	}
	if a = a.Unmap(); a.Is4() {
		b := a.As4()
		return classify4(binary.BigEndian.Uint32(b[:]))
	}
	b := a.As16()
	return classify6(binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]))
}

func classify4(a uint32) class {
	for i := range v4Rows {
		if r := &v4Rows[i]; (a^r.base)>>(32-r.bits) == 0 {
			return r.class
		}
	}
	return public
}

func classify6(hi, lo uint64) class {
	class := reservedSpace
	if hi>>61 == 1 { // 2000::/3, RFC 4291 section 2.4
		class = public
	}
	for i := range v6Rows {
		if v6Rows[i].holds(hi, lo) {
			class = v6Rows[i].class
			break
		}
	}
	if class == metadata || class == unspecified || class == loopback {
		return class
	}
	inner, found := embedded(class, hi, lo)
	if found && inner != public && (inner == metadata || class == public || transitional(class)) {
		return inner
	}
	return class
}

// transitional reports whether the class is that of a prefix which does
// nothing but carry IPv4 addresses at one known place. In nat64Local the place
// is the operator's choice, so that what seems to be inside may be chance.
func transitional(c class) bool {
	switch c {
	case v4Compatible, siit, nat64, sixToFour, teredo:
		return true
	}
	return false
}

func (r *v6Row) holds(hi, lo uint64) bool {
	if r.bits <= 64 {
		return (hi^r.hi)>>(64-r.bits) == 0
	}
	return hi == r.hi && (lo^r.lo)>>(128-r.bits) == 0
}

// embedded returns the worst class among the IPv4 addresses that an IPv6
// address of the given class carries, and whether it carries any.
func embedded(class class, hi, lo uint64) (class, bool) {
	switch class {
	case v4Compatible, siit, nat64:
		return classify4(uint32(lo)), true
	case nat64Local:
		// RFC 6052 section 2.2: the IPv4 address follows a prefix of 48, 56, 64
		// or 96 bits and steps over bits 64 to 71. Only the operator
		// knows which of them is used, so all are checked.
		return worst(
			classify4(uint32(hi<<16)|uint32(lo>>40&0xffff)),
			classify4(uint32(hi&0xff)<<24|uint32(lo>>32&0xffffff)),
			classify4(uint32(lo>>24)),
			classify4(uint32(lo)),
		), true
	case sixToFour:
		return classify4(uint32(hi >> 16)), true
	case teredo:
		// RFC 4380 section 4: the client's address stands inverted at the end,
		// the server's after the prefix.
		return worst(classify4(^uint32(lo)), classify4(uint32(hi))), true
	}
	// RFC 5214 section 6.1: 0000:5efe, or 0200:5efe where the address is said
	// to be globally unique, before the IPv4 address. Any prefix can have it.
	if id := lo >> 32; id == 0x00005efe || id == 0x02005efe {
		return classify4(uint32(lo)), true
	}
	return invalid, false
}

// worst returns Metadata if it is among the classes, else the first that is
// not global, else Public.
func worst(classes ...class) class {
	w := public
	for _, c := range classes {
		if c == metadata {
			return c
		}
		if w == public {
			w = c
		}
	}
	return w
}
