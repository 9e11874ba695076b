package egress

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// The rows are written twice, as a number and as text; both must say the same.
func TestRows(t *testing.T) {
	for _, r := range v4Rows {
		b := netip.MustParsePrefix(r.cidr)
		a := b.Addr().As4()
		if binary.BigEndian.Uint32(a[:]) != r.base || b.Bits() != int(r.bits) || b.Masked() != b {
			t.Errorf("row %s: base %#08x/%d is not that prefix", r.cidr, r.base, r.bits)
		}
		if r.source == "" || r.class == public {
			t.Errorf("row %s: class %v from %q", r.cidr, r.class, r.source)
		}
	}
	for _, r := range v6Rows {
		b := netip.MustParsePrefix(r.cidr)
		a := b.Addr().As16()
		if binary.BigEndian.Uint64(a[:8]) != r.hi || binary.BigEndian.Uint64(a[8:]) != r.lo ||
			b.Bits() != int(r.bits) || b.Masked() != b {
			t.Errorf("row %s: base %#016x %#016x/%d is not that prefix", r.cidr, r.hi, r.lo, r.bits)
		}
		if r.source == "" || r.class == public {
			t.Errorf("row %s: class %v from %q", r.cidr, r.class, r.source)
		}
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		addr string
		want class
	}{
		// The first and last address of each range, and their neighbours.
		{"0.0.0.0", thisNetwork}, {"0.255.255.255", thisNetwork}, {"1.0.0.0", public},
		{"9.255.255.255", public}, {"10.0.0.0", private}, {"10.255.255.255", private}, {"11.0.0.0", public},
		{"100.63.255.255", public}, {"100.64.0.0", sharedSpace}, {"100.127.255.255", sharedSpace}, {"100.128.0.0", public},
		{"126.255.255.255", public}, {"127.0.0.0", loopback}, {"127.255.255.255", loopback}, {"128.0.0.0", public},
		{"169.253.255.255", public}, {"169.254.0.0", linkLocal}, {"169.254.255.255", linkLocal}, {"169.255.0.0", public},
		{"172.15.255.255", public}, {"172.16.0.0", private}, {"172.31.255.255", private}, {"172.32.0.0", public},
		{"191.255.255.255", public}, {"192.0.0.0", ietfProtocol}, {"192.0.0.255", ietfProtocol}, {"192.0.1.0", public},
		{"192.0.2.0", documentation}, {"192.0.2.255", documentation}, {"192.0.3.0", public},
		{"192.31.196.1", infrastructure}, {"192.52.193.1", infrastructure}, {"192.175.48.1", infrastructure},
		{"192.88.98.255", public}, {"192.88.99.0", relayAnycast}, {"192.88.99.255", relayAnycast}, {"192.88.100.0", public},
		{"192.167.255.255", public}, {"192.168.0.0", private}, {"192.168.255.255", private}, {"192.169.0.0", public},
		{"198.17.255.255", public}, {"198.18.0.0", benchmarking}, {"198.19.255.255", benchmarking}, {"198.20.0.0", public},
		{"198.51.100.1", documentation}, {"203.0.113.1", documentation}, {"203.0.114.0", public},
		{"223.255.255.255", public}, {"224.0.0.0", multicast}, {"239.255.255.255", multicast},
		{"240.0.0.0", reservedSpace}, {"255.255.255.254", reservedSpace}, {"255.255.255.255", broadcast},

		// Metadata services, also inside of other ranges.
		{"169.254.169.254", metadata}, {"169.254.170.2", metadata}, {"169.254.170.23", metadata},
		{"169.254.0.23", metadata}, {"169.254.42.42", metadata}, {"100.100.100.200", metadata},
		{"192.0.0.192", metadata}, {"168.63.129.16", metadata}, {"168.63.129.17", public},
		{"fd00:ec2::254", metadata}, {"fd00:ec2::23", metadata}, {"fd20:ce::254", metadata},
		{"fd00:42::42", metadata}, {"fd00:a9fe:a9fe::1", metadata}, {"fe80::a9fe:a9fe", metadata},

		// IPv6.
		{"::", unspecified}, {"::1", loopback}, {"100::1", discard}, {"100:0:0:1::1", discard}, {"100:0:0:2::1", reservedSpace},
		{"1::1", reservedSpace}, {"200::1", reservedSpace}, {"1fff::1", reservedSpace}, {"4000::", reservedSpace}, {"5f00::1", segmentRouting},
		{"2000::1", public}, {"2001:1::1", ietfProtocol}, {"2001:2::1", benchmarking}, {"2001:3::1", ietfProtocol},
		{"2001:10::1", ietfProtocol}, {"2001:1ff:ffff::1", ietfProtocol}, {"2001:200::1", public},
		{"2001:db7::1", public}, {"2001:db8::1", documentation}, {"2001:db9::1", public},
		{"2003::1", public}, {"2620:4f:7fff::1", public}, {"2620:4f:8000::1", infrastructure}, {"2620:4f:8001::1", public},
		{"3ffe::1", public}, {"3fff::1", documentation}, {"3fff:fff::1", documentation}, {"3fff:1000::1", public},
		{"fc00::1", uniqueLocal}, {"fdff::1", uniqueLocal}, {"fe80::1", linkLocal}, {"febf::1", linkLocal},
		{"fec0::1", siteLocal}, {"feff::1", siteLocal}, {"ff02::1", multicast}, {"ff0e::1", multicast},
		{"2606:4700:4700::1111", public},

		// Forms that embed IPv4: the inner class decides when it is not global.
		{"::ffff:8.8.8.8", public}, {"::ffff:127.0.0.1", loopback}, {"::ffff:169.254.169.254", metadata},
		{"::8.8.8.8", v4Compatible}, {"::127.0.0.1", loopback}, {"::169.254.169.254", metadata},
		{"::ffff:0:8.8.8.8", siit}, {"::ffff:0:10.0.0.1", private},
		{"64:ff9b::8.8.8.8", nat64}, {"64:ff9b::192.168.1.1", private}, {"64:ff9b::168.63.129.16", metadata},
		{"64:ff9b::1:0:0", reservedSpace},        // beside the /96
		{"64:ff9b:1::1", nat64Local},             // the whole prefix is local
		{"64:ff9b:1:a9fe:a9:fe00::", metadata},   // RFC 6052: /48
		{"64:ff9b:1:00a9:fe:a9fe::", metadata},   // /56
		{"64:ff9b:1:0:a9:fea9:fe00:0", metadata}, // /64
		{"64:ff9b:1::169.254.169.254", metadata}, // /96
		{"64:ff9b:1:808:8:800::", nat64Local},    // a public one is local all the same
		{"2002:808:808::1", sixToFour}, {"2002:7f00:1::", loopback}, {"2002:a9fe:a9fe::", metadata},
		{"2001:0:808:808::f7f7:f7f7", teredo},             // server and client 8.8.8.8
		{"2001::5601:5601", metadata},                     // client 169.254.169.254
		{"2001:0:a00:1::f7f7:f7f7", private},              // server 10.0.0.1
		{"2606:4700::5efe:8.8.8.8", public},               // ISATAP
		{"2606:4700::5efe:10.0.0.1", private},             //
		{"2606:4700::200:5efe:169.254.169.254", metadata}, // with the u bit
		{"fe80::5efe:10.0.0.1", linkLocal}, {"fd12::5efe:169.254.169.254", metadata},

		{"fe80::1%eth0", invalid}, {"2606:4700:4700::1111%1", invalid},
	} {
		a := netip.MustParseAddr(c.addr)
		if got := classify(a); got != c.want {
			t.Errorf("Classify(%s) = %v, want %v", c.addr, got, c.want)
		}
		if got := classify(a).Global(); got != (c.want == public) {
			t.Errorf("Classify(%s).Global() = %v", c.addr, got)
		}
		if a.Is4() {
			if got := classify(netip.AddrFrom16(a.As16())); got != c.want {
				t.Errorf("Classify(::ffff:%s) = %v, want %v", c.addr, got, c.want)
			}
		}
	}
	if got := classify(netip.Addr{}); got != invalid {
		t.Errorf("Classify(zero) = %v", got)
	}
}

// classNames are the classes in words.
var classNames = [...]string{
	invalid:        "invalid",
	public:         "public",
	metadata:       "cloud metadata",
	thisNetwork:    "this network",
	unspecified:    "unspecified",
	loopback:       "loopback",
	private:        "private",
	sharedSpace:    "carrier-grade nat",
	linkLocal:      "link-local",
	siteLocal:      "site-local",
	uniqueLocal:    "unique local",
	ietfProtocol:   "ietf protocol assignment",
	documentation:  "documentation",
	benchmarking:   "benchmarking",
	infrastructure: "infrastructure anycast",
	relayAnycast:   "6to4 relay anycast",
	multicast:      "multicast",
	broadcast:      "broadcast",
	reservedSpace:  "reserved",
	discard:        "discard",
	segmentRouting: "segment routing",
	v4Compatible:   "ipv4-compatible",
	siit:           "ipv4-translated",
	nat64:          "nat64",
	nat64Local:     "nat64 local-use",
	sixToFour:      "6to4",
	teredo:         "teredo",
}

// String returns the class in words, such as "link-local".
func (c class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return classNames[invalid]
}

// Each class has words of its own.
func TestClassString(t *testing.T) {
	seen := map[string]class{}
	for c := invalid; c <= teredo; c++ {
		if was, twice := seen[c.String()]; twice {
			t.Errorf("classes %d and %d are both %q", was, c, c)
		}
		seen[c.String()] = c
	}
	if got := (teredo + 1).String(); got != "invalid" {
		t.Errorf("a class outside of the set is %q", got)
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, s := range []string{"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b:1::1"} {
		a := netip.MustParseAddr(s)
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = classify(a)
			}
		})
	}
}
