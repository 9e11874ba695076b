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
		if r.source == "" || r.class == Public {
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
		if r.source == "" || r.class == Public {
			t.Errorf("row %s: class %v from %q", r.cidr, r.class, r.source)
		}
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		addr string
		want Class
	}{
		// The first and last address of each range, and their neighbours.
		{"0.0.0.0", ThisNetwork}, {"0.255.255.255", ThisNetwork}, {"1.0.0.0", Public},
		{"9.255.255.255", Public}, {"10.0.0.0", Private}, {"10.255.255.255", Private}, {"11.0.0.0", Public},
		{"100.63.255.255", Public}, {"100.64.0.0", SharedSpace}, {"100.127.255.255", SharedSpace}, {"100.128.0.0", Public},
		{"126.255.255.255", Public}, {"127.0.0.0", Loopback}, {"127.255.255.255", Loopback}, {"128.0.0.0", Public},
		{"169.253.255.255", Public}, {"169.254.0.0", LinkLocal}, {"169.254.255.255", LinkLocal}, {"169.255.0.0", Public},
		{"172.15.255.255", Public}, {"172.16.0.0", Private}, {"172.31.255.255", Private}, {"172.32.0.0", Public},
		{"191.255.255.255", Public}, {"192.0.0.0", IETFProtocol}, {"192.0.0.255", IETFProtocol}, {"192.0.1.0", Public},
		{"192.0.2.0", Documentation}, {"192.0.2.255", Documentation}, {"192.0.3.0", Public},
		{"192.31.196.1", Infrastructure}, {"192.52.193.1", Infrastructure}, {"192.175.48.1", Infrastructure},
		{"192.88.98.255", Public}, {"192.88.99.0", RelayAnycast}, {"192.88.99.255", RelayAnycast}, {"192.88.100.0", Public},
		{"192.167.255.255", Public}, {"192.168.0.0", Private}, {"192.168.255.255", Private}, {"192.169.0.0", Public},
		{"198.17.255.255", Public}, {"198.18.0.0", Benchmarking}, {"198.19.255.255", Benchmarking}, {"198.20.0.0", Public},
		{"198.51.100.1", Documentation}, {"203.0.113.1", Documentation}, {"203.0.114.0", Public},
		{"223.255.255.255", Public}, {"224.0.0.0", Multicast}, {"239.255.255.255", Multicast},
		{"240.0.0.0", Reserved}, {"255.255.255.254", Reserved}, {"255.255.255.255", Broadcast},

		// Metadata services, also inside of other ranges.
		{"169.254.169.254", Metadata}, {"169.254.170.2", Metadata}, {"169.254.170.23", Metadata},
		{"169.254.0.23", Metadata}, {"169.254.42.42", Metadata}, {"100.100.100.200", Metadata},
		{"192.0.0.192", Metadata}, {"168.63.129.16", Metadata}, {"168.63.129.17", Public},
		{"fd00:ec2::254", Metadata}, {"fd00:ec2::23", Metadata}, {"fd20:ce::254", Metadata},
		{"fd00:42::42", Metadata}, {"fd00:a9fe:a9fe::1", Metadata}, {"fe80::a9fe:a9fe", Metadata},

		// IPv6.
		{"::", Unspecified}, {"::1", Loopback}, {"100::1", Discard}, {"100:0:0:1::1", Discard}, {"100:0:0:2::1", Reserved},
		{"1::1", Reserved}, {"200::1", Reserved}, {"1fff::1", Reserved}, {"4000::", Reserved}, {"5f00::1", SegmentRouting},
		{"2000::1", Public}, {"2001:1::1", IETFProtocol}, {"2001:2::1", Benchmarking}, {"2001:3::1", IETFProtocol},
		{"2001:10::1", IETFProtocol}, {"2001:1ff:ffff::1", IETFProtocol}, {"2001:200::1", Public},
		{"2001:db7::1", Public}, {"2001:db8::1", Documentation}, {"2001:db9::1", Public},
		{"2003::1", Public}, {"2620:4f:7fff::1", Public}, {"2620:4f:8000::1", Infrastructure}, {"2620:4f:8001::1", Public},
		{"3ffe::1", Public}, {"3fff::1", Documentation}, {"3fff:fff::1", Documentation}, {"3fff:1000::1", Public},
		{"fc00::1", UniqueLocal}, {"fdff::1", UniqueLocal}, {"fe80::1", LinkLocal}, {"febf::1", LinkLocal},
		{"fec0::1", SiteLocal}, {"feff::1", SiteLocal}, {"ff02::1", Multicast}, {"ff0e::1", Multicast},
		{"2606:4700:4700::1111", Public},

		// Forms that embed IPv4: the inner class decides when it is not global.
		{"::ffff:8.8.8.8", Public}, {"::ffff:127.0.0.1", Loopback}, {"::ffff:169.254.169.254", Metadata},
		{"::8.8.8.8", V4Compatible}, {"::127.0.0.1", Loopback}, {"::169.254.169.254", Metadata},
		{"::ffff:0:8.8.8.8", SIIT}, {"::ffff:0:10.0.0.1", Private},
		{"64:ff9b::8.8.8.8", NAT64}, {"64:ff9b::192.168.1.1", Private}, {"64:ff9b::168.63.129.16", Metadata},
		{"64:ff9b::1:0:0", Reserved},             // beside the /96
		{"64:ff9b:1::1", NAT64Local},             // the whole prefix is local
		{"64:ff9b:1:a9fe:a9:fe00::", Metadata},   // RFC 6052: /48
		{"64:ff9b:1:00a9:fe:a9fe::", Metadata},   // /56
		{"64:ff9b:1:0:a9:fea9:fe00:0", Metadata}, // /64
		{"64:ff9b:1::169.254.169.254", Metadata}, // /96
		{"64:ff9b:1:808:8:800::", NAT64Local},    // a public one is local all the same
		{"2002:808:808::1", SixToFour}, {"2002:7f00:1::", Loopback}, {"2002:a9fe:a9fe::", Metadata},
		{"2001:0:808:808::f7f7:f7f7", Teredo},             // server and client 8.8.8.8
		{"2001::5601:5601", Metadata},                     // client 169.254.169.254
		{"2001:0:a00:1::f7f7:f7f7", Private},              // server 10.0.0.1
		{"2606:4700::5efe:8.8.8.8", Public},               // ISATAP
		{"2606:4700::5efe:10.0.0.1", Private},             //
		{"2606:4700::200:5efe:169.254.169.254", Metadata}, // with the u bit
		{"fe80::5efe:10.0.0.1", LinkLocal}, {"fd12::5efe:169.254.169.254", Metadata},

		{"fe80::1%eth0", Invalid}, {"2606:4700:4700::1111%1", Invalid},
	} {
		a := netip.MustParseAddr(c.addr)
		if got := Classify(a); got != c.want {
			t.Errorf("Classify(%s) = %v, want %v", c.addr, got, c.want)
		}
		if got := Classify(a).Global(); got != (c.want == Public) {
			t.Errorf("Classify(%s).Global() = %v", c.addr, got)
		}
		if a.Is4() {
			if got := Classify(netip.AddrFrom16(a.As16())); got != c.want {
				t.Errorf("Classify(::ffff:%s) = %v, want %v", c.addr, got, c.want)
			}
		}
	}
	if got := Classify(netip.Addr{}); got != Invalid {
		t.Errorf("Classify(zero) = %v", got)
	}
}

// Each class has words of its own.
func TestClassString(t *testing.T) {
	seen := map[string]Class{}
	for c := Invalid; c <= Teredo; c++ {
		if was, twice := seen[c.String()]; twice {
			t.Errorf("classes %d and %d are both %q", was, c, c)
		}
		seen[c.String()] = c
	}
	if got := (Teredo + 1).String(); got != "invalid" {
		t.Errorf("a class outside of the set is %q", got)
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, s := range []string{"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b:1::1"} {
		a := netip.MustParseAddr(s)
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = Classify(a)
			}
		})
	}
}
