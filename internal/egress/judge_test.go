package egress

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

var publicAddr = netip.MustParseAddr("93.184.215.14")

func newGuard(t testing.TB, p Policy) *Guard {
	t.Helper()
	if p.Resolver == nil {
		p.Resolver = StaticResolver(nil, publicAddr)
	}
	g, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.CloseIdle)
	return g
}

func mustURL(t testing.TB, raw string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(raw)
	if err != nil {
		t.Fatalf("parse %q: %v", raw, err)
	}
	return u
}

func hosts(t testing.TB, entries ...string) weburl.HostList {
	t.Helper()
	l, err := weburl.ParseHostList(entries)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func exceptions(t testing.TB, entries ...string) []Exception {
	t.Helper()
	var es []Exception
	for _, s := range entries {
		e, err := ParseException(s)
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	return es
}

// One table for the fixed order of rules: the first that refuses is named.
func TestJudge(t *testing.T) {
	zero := Policy{}
	lists := Policy{Block: hosts(t, "bad.com", "=only.org"), Allow: hosts(t, "bad.com", "good.com", "only.org", "10.0.0.1")}
	private := Policy{Private: exceptions(t, "localhost:3000", "wiki.corp", "10.0.0.7:6379", "10.1.0.0/16", "[fd00::/8]:8080", "169.254.0.0/16")}
	for _, c := range []struct {
		policy Policy
		url    string
		rule   Rule
		want   string // the URL to be used; "" for a refusal
	}{
		{zero, "https://example.com/a?b#c", RuleNone, "https://example.com/a?b#c"},
		{zero, "https://example.com/" + strings.Repeat("a", maxURLBytes), ruleLength, ""},
		{zero, `ftp://u:p@localhost:22/`, ruleScheme, ""},
		{zero, "https://u:p@localhost:22/", ruleUserinfo, ""},
		{zero, "https://localhost:22/", ruleName, ""},
		{zero, "https://intranet/", ruleName, ""},
		{zero, "https://a.b.corp/", ruleName, ""},
		{zero, "https://x.home.arpa./", ruleName, ""},
		{zero, "https://a.b1/", ruleName, ""},
		{zero, "https://metadata.google.internal/", ruleMetadata, ""},
		{zero, "https://x.metadata.goog/", ruleMetadata, ""},
		{zero, "https://metadata.example.com/", RuleNone, "https://metadata.example.com/"},
		{zero, "https://example.com:22/", rulePort, ""},
		{zero, "https://127.0.0.1:22/", rulePort, ""},
		{zero, "https://127.0.0.1/", RuleAddress, ""},
		{zero, "https://[::1]/", RuleAddress, ""},
		{zero, "https://169.254.169.254/", ruleMetadata, ""},
		{zero, "https://[64:ff9b::8.8.8.8]/", RuleAddress, ""},
		{Policy{NAT64: true}, "https://[64:ff9b::8.8.8.8]/", RuleNone, "https://[64:ff9b::808:808]/"},
		{Policy{NAT64: true}, "https://[64:ff9b::10.0.0.1]/", RuleAddress, ""},
		{Policy{NAT64: true}, "https://[64:ff9b:1::808:808]/", RuleAddress, ""},

		// Plain http.
		{zero, "http://example.com/", RuleNone, "https://example.com/"},
		{zero, "http://example.com:80/", RuleNone, "https://example.com/"},
		{zero, "http://example.com:8080/", RuleNone, "http://example.com:8080/"},
		{zero, "http://8.8.8.8/", RuleNone, "https://8.8.8.8/"},
		{Policy{HTTP: HTTPAllow}, "http://example.com/", RuleNone, "http://example.com/"},
		{Policy{HTTP: HTTPRefuse}, "http://example.com/", ruleHTTP, ""},
		{Policy{HTTP: HTTPRefuse}, "http://example.com:8080/", ruleHTTP, ""},
		{Policy{HTTP: HTTPRefuse}, "http://localhost/", ruleName, ""},

		// Lists.
		{lists, "https://bad.com/", ruleBlocklist, ""},
		{lists, "https://x.bad.com/", ruleBlocklist, ""},
		{lists, "https://BAD.com./", ruleBlocklist, ""},
		{lists, "https://notbad.com/", ruleAllowlist, ""},
		{lists, "https://only.org/", ruleBlocklist, ""},
		{lists, "https://x.only.org/", RuleNone, "https://x.only.org/"},
		{lists, "https://good.com/", RuleNone, "https://good.com/"},
		{lists, "https://good.com.evil.com/", ruleAllowlist, ""},
		{lists, "https://evil-good.com/", ruleAllowlist, ""},
		{lists, "https://10.0.0.1/", RuleAddress, ""}, // a list opens no private address
		{lists, "https://localhost/", ruleAllowlist, ""},

		// Exceptions: for that host and port alone, and as plain http.
		{private, "http://localhost:3000/", ruleException, "http://localhost:3000/"},
		{private, "http://localhost:3001/", ruleName, ""},
		{private, "http://127.0.0.1:3000/", RuleAddress, ""},
		{private, "http://x.localhost:3000/", ruleName, ""},
		{private, "http://wiki.corp/", ruleException, "http://wiki.corp/"},
		{private, "http://wiki.corp:8080/", ruleException, "http://wiki.corp:8080/"},
		{private, "http://wiki.corp:6379/", rulePort, ""}, // the port is not named
		{private, "http://x.wiki.corp/", ruleName, ""},
		{private, "http://10.0.0.7:6379/", ruleException, "http://10.0.0.7:6379/"},
		{private, "http://10.0.0.7/", RuleAddress, ""},
		{private, "http://10.1.2.3/", ruleException, "http://10.1.2.3/"},
		{private, "http://[::ffff:10.1.2.3]/", ruleException, "http://[::ffff:a01:203]/"},
		{private, "http://[2002:a01:203::]/", RuleAddress, ""},
		{private, "http://10.2.2.3/", RuleAddress, ""},
		{private, "http://[fd00::1]:8080/", ruleException, "http://[fd00::1]:8080/"},
		{private, "http://[fd00::1]:8081/", RuleAddress, ""},
		{private, "http://[fd00:ec2::254]:8080/", ruleMetadata, ""},
		{private, "http://169.254.1.1/", ruleException, "http://169.254.1.1/"},
		{private, "http://169.254.169.254/", ruleMetadata, ""},
		{private, "http://u:p@wiki.corp/", ruleUserinfo, ""},
		{Policy{Private: exceptions(t, "wiki.corp"), Block: hosts(t, "corp")}, "http://wiki.corp/", ruleBlocklist, ""},
		{Policy{Private: exceptions(t, "wiki.corp"), HTTP: HTTPRefuse}, "http://wiki.corp/", ruleException, "http://wiki.corp/"},
		// An endpoint allows nothing to other requests.
		{Policy{Endpoints: []weburl.URL{mustURL(t, "http://localhost:11434/")}}, "http://localhost:11434/", ruleName, ""},
	} {
		var heard []Decision
		c.policy.Observe = func(d Decision) { heard = append(heard, d) }
		g := newGuard(t, c.policy)
		in := mustURL(t, c.url)
		out, d := g.Judge(in)
		if d.Rule != c.rule || d.Allowed != (c.want != "") {
			t.Errorf("Judge(%.80s) = allowed %v by %q, want rule %q: %s", c.url, d.Allowed, d.Rule, c.rule, d.Reason)
		}
		if c.want == "" {
			c.want = in.String()
		}
		if out.String() != c.want {
			t.Errorf("Judge(%.80s) uses %s, want %s", c.url, out, c.want)
		}
		if d.Allowed != (len(heard) == 0) {
			t.Errorf("Judge(%.80s): allowed %v, and heard of %d times", c.url, d.Allowed, len(heard))
		}
		if strings.Contains(d.URL, "u:p@") {
			t.Errorf("Judge(%.80s) tells the password: %s", c.url, d.URL)
		}
	}
}

// What can be read from two ways is refused before it is understood, even
// where the host would be public.
func TestSpelling(t *testing.T) {
	g := newGuard(t, Policy{})
	for _, raw := range []string{
		`http://example.com\@127.0.0.1/`, "http://exam\tple.com/", "https://example.com/\r\nHost: x",
		"https://%65xample.com/", "https://134744072/", "https://8.8.2056/", "https://010.8.8.8/",
	} {
		if _, d := g.Judge(mustURL(t, raw)); d.Allowed || d.Rule != ruleSpelling {
			t.Errorf("Judge(%q) = allowed %v by %q, want %q", raw, d.Allowed, d.Rule, ruleSpelling)
		}
	}
}

// Check looks at every address; its words do not tell one from another.
func TestCheck(t *testing.T) {
	table := map[string][]string{
		"ok.com": {"93.184.215.14", "2606:4700:4700::1111"}, "in.com": {"10.1.2.3"}, "lo.com": {"::1"},
		"meta.com": {"169.254.169.254"}, "mix.com": {"93.184.215.14", "10.1.2.3"}, "mix2.com": {"10.1.2.3", "93.184.215.14"},
		"nat.com": {"64:ff9b::8.8.8.8"}, "zone.com": {"fe80::1%eth0"}, "empty.com": {}, "junk.com": {"999"},
		"wiki.corp": {"10.9.9.9"}, "split.corp": {"10.9.9.9", "93.184.215.14"}, "m.corp": {"169.254.169.254"},
	}
	var many []string
	for i := range maxAnswers + 1 {
		many = append(many, fmt.Sprintf("93.184.0.%d", i))
	}
	table["many.com"], table["most.com"] = many, many[1:]
	corp := Policy{Private: exceptions(t, "wiki.corp", "split.corp", "m.corp")}
	network := Policy{Private: exceptions(t, "10.1.0.0/16")}
	for _, c := range []struct {
		policy  Policy
		host    string
		allowed bool
		rule    Rule
	}{
		{Policy{}, "ok.com", true, RuleNone},
		{Policy{}, "in.com", false, RuleAddress},
		{Policy{}, "lo.com", false, RuleAddress},
		{Policy{}, "meta.com", false, RuleAddress},
		{Policy{}, "mix.com", false, RuleAddress},
		{Policy{}, "mix2.com", false, RuleAddress},
		{Policy{}, "zone.com", false, RuleAddress},
		{Policy{}, "nat.com", false, RuleAddress},
		{Policy{NAT64: true}, "nat.com", true, RuleNone},
		{Policy{}, "empty.com", false, ruleResolve},
		{Policy{}, "junk.com", false, ruleResolve},
		{Policy{}, "unknown.com", false, ruleResolve},
		{Policy{}, "most.com", true, RuleNone},
		{Policy{}, "many.com", false, ruleResolve},
		{corp, "wiki.corp", true, ruleException},
		{corp, "split.corp", true, ruleException},
		{corp, "m.corp", false, RuleAddress},
		{corp, "in.com", false, RuleAddress},
		{network, "in.com", true, ruleException},
		{network, "mix.com", false, RuleAddress}, // public and private at once
		{network, "mix2.com", false, RuleAddress},
	} {
		c.policy.Resolver = StaticResolver(table, netip.Addr{})
		c.policy.Observe = func(d Decision) { t.Errorf("a check was heard of: %+v", d) }
		_, d := newGuard(t, c.policy).Check(context.Background(), mustURL(t, "https://"+c.host+"/"))
		if d.Allowed != c.allowed || d.Rule != c.rule {
			t.Errorf("Check(%s) = %v by %q, want %v by %q", c.host, d.Allowed, d.Rule, c.allowed, c.rule)
		}
		for _, a := range table[c.host] {
			if strings.Contains(d.Reason+d.Hint, a) {
				t.Errorf("Check(%s) tells the address: %s; %s", c.host, d.Reason, d.Hint)
			}
		}
	}

	// The three kinds of inner address are told apart by nothing but the host.
	g := newGuard(t, Policy{Resolver: StaticResolver(table, netip.Addr{})})
	texts := map[string]bool{}
	for _, h := range []string{"in.com", "lo.com", "meta.com", "mix.com", "zone.com"} {
		_, d := g.Check(context.Background(), mustURL(t, "https://"+h+"/"))
		texts[strings.ReplaceAll(d.Err().Error()+d.Hint, h, "HOST")] = true
	}
	if len(texts) != 1 {
		t.Errorf("refusals differ by address: %v", texts)
	}
}

func TestError(t *testing.T) {
	_, d := newGuard(t, Policy{}).Judge(mustURL(t, "https://10.0.0.1/"))
	err := fmt.Errorf("wrapped: %w", d.Err())
	var e *Error
	if !errors.As(err, &e) || e.Decision.Host != "10.0.0.1" {
		t.Fatalf("not an *Error: %v", err)
	}
	if got, want := e.Error(), "blocked by policy (address): 10.0.0.1 is not a public address"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if (Decision{Allowed: true}).Err() != nil {
		t.Error("an allowed decision has an error")
	}
}

func TestParseException(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"wiki.corp", "wiki.corp"}, {" Wiki.CORP.:8080 ", "wiki.corp:8080"}, {"localhost:3000", "localhost:3000"},
		{"bücher.intranet", "xn--bcher-kva.intranet"},
		{"10.0.0.7", "10.0.0.7"}, {"10.0.0.7:80", "10.0.0.7:80"}, {"::ffff:10.0.0.7", "10.0.0.7"},
		{"10.1.2.3/8", "10.0.0.0/8"}, {"10.0.0.0/8:443", "10.0.0.0/8:443"},
		{"::1", "::1"}, {"[::1]", "::1"}, {"[::1]:8080", "[::1]:8080"}, {"fd00::/8", "fd00::/8"}, {"[fd00::/8]:443", "[fd00::/8]:443"},
		{"", ""}, {":80", ""}, {"host:0", ""}, {"host:65536", ""}, {"host:http", ""}, {"host:", ""}, {"[::1]8080", ""},
		{"10.0.0.0/33", ""}, {"0.0.0.0/0", ""}, {"::/0", ""}, {"128.0.0.0/7", ""}, {"[2000::/3]:443", ""}, {"fc00::/7", "fc00::/7"}, {"::ffff:10.0.0.0/104", ""}, {"fe80::1%eth0", ""}, {"http://wiki.corp", ""}, {"wiki.corp/x", ""},
		{"u@wiki.corp", ""}, {"a b", ""}, {"a;b", ""}, {"*.corp", ""}, {"2130706433", ""}, {"wiki.corp?x", ""},
		{"169.254.169.254", ""}, {"168.63.129.16:80", ""}, {"fd00:ec2::254", ""}, {"metadata.google.internal", ""},
	} {
		e, err := ParseException(c.in)
		if got := ""; err == nil {
			if got = e.String(); got != c.want {
				t.Errorf("ParseException(%q) = %q, want %q", c.in, got, c.want)
			}
			if again, err := ParseException(got); err != nil || again != e {
				t.Errorf("ParseException(%q) = %v, %v: not what %q gave", got, again, err, c.in)
			}
		} else if c.want != "" {
			t.Errorf("ParseException(%q): %v", c.in, err)
		}
	}
}

// A refusal gives the true reason for each reserved name, and a hint that can be
// followed: what no network can have is not worth an exception.
func TestReservedNames(t *testing.T) {
	g, err := New(Policy{})
	if err != nil {
		t.Fatal(err)
	}
	allow := func(host string) string {
		return "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=" + host + ":443"
	}
	const public = "use a public host"
	for host, want := range map[string][2]string{
		"localhost":             {"localhost is a name of this machine (RFC 6761)", allow("localhost")},
		"x.localhost":           {"x.localhost is a name of this machine (RFC 6761)", allow("x.localhost")},
		"a.test":                {"a.test is a name for tests, which no public site has (RFC 6761)", allow("a.test")},
		"shop.example":          {"shop.example is a name for documentation, which no site has (RFC 6761)", public},
		"a.invalid":             {"a.invalid is a name that is guaranteed not to exist (RFC 6761)", public},
		"printer.local":         {"printer.local is a name of multicast DNS, which only the local network answers (RFC 6762)", allow("printer.local")},
		"a.onion":               {"a.onion is a name of the Tor network, which the DNS does not answer (RFC 7686)", public},
		"a.alt":                 {"a.alt is a name outside of the DNS (RFC 9476)", public},
		"a.internal":            {"a.internal is a name for private networks, reserved by ICANN in 2024", allow("a.internal")},
		"nas.home":              {"nas.home is a name that private networks use, which ICANN does not delegate because of name collisions", allow("nas.home")},
		"a.corp":                {"a.corp is a name that private networks use, which ICANN does not delegate because of name collisions", allow("a.corp")},
		"a.intranet":            {"a.intranet is a name that private networks use (RFC 6762 appendix G)", allow("a.intranet")},
		"a.lan":                 {"a.lan is a name that private networks use (RFC 6762 appendix G)", allow("a.lan")},
		"a.private":             {"a.private is a name that private networks use (RFC 6762 appendix G)", allow("a.private")},
		"localhost.localdomain": {"localhost.localdomain is a name that systems give themselves where no domain is configured", allow("localhost.localdomain")},
		"nas.home.arpa":         {"nas.home.arpa is a name for home networks (RFC 8375)", allow("nas.home.arpa")},
		"home.arpa":             {"home.arpa is a name for home networks (RFC 8375)", allow("home.arpa")},
		"1.0.0.10.in-addr.arpa": {"1.0.0.10.in-addr.arpa is a name of the infrastructure of the DNS, where no sites are (RFC 3172)", public},
		"nothome.arpa":          {"nothome.arpa is a name of the infrastructure of the DNS, where no sites are (RFC 3172)", public},
		"web.default":           {"web.default is a name of a service within a Kubernetes cluster", allow("web.default")},
		"web.default.svc":       {"web.default.svc is a name of a service within a Kubernetes cluster", allow("web.default.svc")},
		"web.service.consul":    {"web.service.consul is a name of a service that Consul knows", allow("web.service.consul")},
		"wiki":                  {"wiki is a single label, which only a local network completes", allow("wiki")},
		"example":               {"example is a name for documentation, which no site has (RFC 6761)", public},
		"a.b1":                  {"a.b1 ends with a label that no top-level domain has (RFC 1123)", allow("a.b1")},
	} {
		_, d := g.Judge(mustURL(t, "https://"+host+"/"))
		if d.Allowed || d.Rule != ruleName || d.Reason != want[0] || d.Hint != want[1] {
			t.Errorf("%s: %s, %q, %q", host, d.Rule, d.Reason, d.Hint)
		}
	}
}

// The names and ports of the specification, each beside one that is fine.
func TestNamesAndPorts(t *testing.T) {
	for _, name := range strings.Fields("localhost a.localhost localhost.localdomain localhost6.localdomain6 ip6-loopback intranet" +
		" a.internal a.local a.localdomain a.home a.home.arpa 1.0.0.127.in-addr.arpa a.corp a.intranet a.lan a.private a.test" +
		" a.invalid a.example a.alt a.onion kubernetes.default x.svc a.1 a.b1 a.c a.x-y") {
		if reserved(name).reason == "" {
			t.Errorf("%s is taken for public", name)
		}
	}
	for _, name := range strings.Fields("a.com local.news corp.com my-localhost.dev internal.tech example.com test.de a.xn--p1ai home.blog alt.net") {
		if reserved(name).reason != "" || isMetadataName(name) {
			t.Errorf("%s is taken for local", name)
		}
	}
	for _, name := range strings.Fields("metadata x.metadata.google.internal metadata.azure.com instance-data.ec2.internal metadata.tencentyun.com api.metadata.cloud.ibm.com") {
		if !isMetadataName(name) {
			t.Errorf("%s is not taken for a metadata service", name)
		}
	}
	label := strings.Repeat("a", 63)
	for name, ok := range map[string]bool{
		"a.com": true, "a_b.com": true, "a-.com": true, "xn--a.com": true, label + ".com": true, "1.2": true,
		label + "a.com": false, "": false, ".": false, "a..com": false, ".com": false, "a.": false, "-a.com": false,
		"a;b.com": false, "$(id).com": false, "a b.com": false, "A.com": false, "é.com": false,
		strings.Repeat("a.", 126) + "a": true, strings.Repeat("a.", 126) + "aa": false,
	} {
		if wellFormed(name) != ok {
			t.Errorf("wellFormed(%q) = %v", name, !ok)
		}
	}
	for _, port := range []int{-1, 0, 1, 21, 22, 25, 53, 110, 143, 587, 993, 6000, 6667, 10080, 65536,
		445, 1433, 2375, 2379, 3306, 3389, 5432, 5900, 6379, 9200, 9222, 10250, 11211, 27017} {
		if !isBadPort(port) {
			t.Errorf("port %d is fine", port)
		}
	}
	for _, port := range []int{80, 81, 443, 591, 3000, 5000, 8000, 8008, 8080, 8443, 8888, 9000, 65535} {
		if isBadPort(port) {
			t.Errorf("port %d is refused", port)
		}
	}
}

// What does not parse may hold a password all the same.
func TestUnparsed(t *testing.T) {
	g := newGuard(t, Policy{})
	for _, raw := range []string{"http://user:secret@[bad/", "http://user:secret@example.com/" + strings.Repeat("a", 2*maxURLBytes)} {
		_, d := g.CheckRaw(context.Background(), raw)
		if d.Allowed || strings.Contains(fmt.Sprint(d), "secret") || len(d.URL) > maxURLBytes {
			t.Errorf("CheckRaw(%.40q) = %.200v", raw, d)
		}
	}
}

func TestNew(t *testing.T) {
	for name, p := range map[string]Policy{
		"mode":      {HTTP: HTTPRefuse + 1},
		"proxy":     {Proxy: "socks5://proxy:1080"},
		"exception": {Private: []Exception{{}}},
		"endpoint":  {Endpoints: []weburl.URL{mustURL(t, "ftp://localhost/")}},
		"no origin": {Endpoints: []weburl.URL{{}}},
	} {
		if g, err := New(p); err == nil || g != nil {
			t.Errorf("%s: New accepts %+v", name, p)
		}
	}
}

// spellings returns URLs that some program reads as a.b.c.d.
func spellings(a, b, c, d int) []string {
	n := uint32(a)<<24 | uint32(b)<<16 | uint32(c)<<8 | uint32(d)
	dotted := fmt.Sprintf("%d.%d.%d.%d", a, b, c, d)
	mapDigits := func(zero rune) string {
		return strings.Map(func(r rune) rune {
			if r == '.' {
				return r
			}
			return zero + r - '0'
		}, dotted)
	}
	circled := strings.Map(func(r rune) rune {
		switch r {
		case '.':
			return r
		case '0':
			return '⓪'
		}
		return '①' + r - '1'
	}, dotted)
	hosts := []string{
		dotted, dotted + ".",
		fmt.Sprintf("%d", n), fmt.Sprintf("%#x", n), fmt.Sprintf("0X%X", n), fmt.Sprintf("0%o", n), fmt.Sprintf("0000%o", n),
		fmt.Sprintf("%d.%d", a, n&0xffffff), fmt.Sprintf("%d.%d.%d", a, b, n&0xffff),
		fmt.Sprintf("%#x.%#x.%#x.%#x", a, b, c, d), fmt.Sprintf("0%o.0%o.0%o.0%o", a, b, c, d),
		fmt.Sprintf("%#x.%d", a, n&0xffffff), fmt.Sprintf("0%o.%#x.%d", a, b, n&0xffff),
		mapDigits('０'), circled, mapDigits('𝟎'), mapDigits('𝟶'),
		strings.ReplaceAll(dotted, ".", "。"), strings.ReplaceAll(dotted, ".", "．"), strings.ReplaceAll(dotted, ".", "｡"),
		"\u00ad" + dotted, strings.ReplaceAll(dotted, ".", "\u200b."),
		strings.ReplaceAll(dotted, ".", "%2e"), "%" + fmt.Sprintf("%02x", dotted[0]) + dotted[1:],
		strings.Replace(dotted, ".", ".\t", 1), strings.Replace(dotted, ".", "\n.", 1),
	}
	for _, form := range []string{
		"::ffff:%s", "::%s", "::ffff:0:%s", "64:ff9b::%s", "64:ff9b:1::%s",
		"2606:4700::5efe:%s", "2606:4700::200:5efe:%s", "0:0:0:0:0:FFFF:%s",
	} {
		hosts = append(hosts, "["+fmt.Sprintf(form, dotted)+"]")
	}
	hosts = append(hosts,
		fmt.Sprintf("[::ffff:%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[2002:%x:%x::1]", n>>16, n&0xffff),
		fmt.Sprintf("[2001::%x:%x]", ^n>>16, ^n&0xffff))
	urls := make([]string, 0, len(hosts)+4)
	for _, h := range hosts {
		urls = append(urls, "http://"+h+"/", "https://"+h+":8443/x")
	}
	return append(urls, "http:/"+dotted, "http:"+dotted, `http:\\`+dotted, "http://x@"+dotted+"/")
}

// No spelling of an inner address fares better than its canonical form.
func TestSpellingsOfInnerAddresses(t *testing.T) {
	g := newGuard(t, Policy{})
	n := 0
	for _, a := range [][4]int{
		{127, 0, 0, 1}, {127, 9, 8, 7}, {10, 0, 0, 1}, {192, 168, 1, 254}, {172, 16, 0, 1}, {169, 254, 169, 254},
		{100, 100, 100, 200}, {168, 63, 129, 16}, {0, 0, 0, 0}, {255, 255, 255, 255}, {224, 0, 0, 251}, {198, 18, 0, 1},
	} {
		canonical := fmt.Sprintf("http://%d.%d.%d.%d/", a[0], a[1], a[2], a[3])
		if _, d := g.CheckRaw(context.Background(), canonical); d.Allowed {
			t.Fatalf("%s is allowed", canonical)
		}
		for _, raw := range spellings(a[0], a[1], a[2], a[3]) {
			n++
			if u, d := g.CheckRaw(context.Background(), raw); d.Allowed {
				t.Errorf("%q is allowed as %s, and %s is not", raw, u, canonical)
			}
		}
	}
	t.Logf("%d spellings", n)
}

func FuzzJudge(f *testing.F) {
	for _, s := range []string{
		"https://example.com/", "http://example.com:8080/a?b#c", "http://127.0.0.1/", "http://0x7f.1/",
		"http://[::ffff:127.0.0.1]/", "http://[64:ff9b:1:a9fe:a9:fe00::]/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/",
		`http://example.com\@127.0.0.1/`, "http://a:b@c/", "http://localhost./", "http://x.y-/", "http://%31/", "http://1.2.3.4x/",
		"https://xn--80ak6aa92e.com/", "//x", "file:///etc/passwd",
	} {
		f.Add(s)
	}
	g := newGuard(f, Policy{})
	f.Fuzz(func(t *testing.T, raw string) {
		u, d := g.CheckRaw(context.Background(), raw)
		if !d.Allowed {
			if d.Rule == RuleNone || d.Reason == "" {
				t.Errorf("%q: a refusal without rule or reason: %+v", raw, d)
			}
			return
		}
		if s := u.Scheme(); s != "http" && s != "https" || u.HasUserinfo() || isBadPort(u.EffectivePort()) {
			t.Errorf("%q is allowed as %s", raw, u)
		}
		host := strings.TrimSuffix(u.Host(), ".")
		if a, err := netip.ParseAddr(host); err == nil && !classify(a).Global() {
			t.Errorf("%q is allowed as %s", raw, u)
		}
		if a, ok := u.Addr(); ok && !classify(a).Global() {
			t.Errorf("%q is allowed as %s", raw, u)
		} else if !ok && (!wellFormed(host) || reserved(host).reason != "") {
			t.Errorf("%q is allowed as %s", raw, u)
		}
		// Judging is stable: what is allowed stays so, and stays the same.
		again, d2 := g.CheckRaw(context.Background(), u.String())
		if !d2.Allowed || again.String() != u.String() {
			t.Errorf("%q is allowed as %s, which is then %s by %q", raw, u, again, d2.Rule)
		}
		if w := wireURL(u); w.Hostname() != u.Host() || w.Scheme != u.Scheme() {
			t.Errorf("%q is judged as %s and sent to %s", raw, u, w)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	g := newGuard(b, Policy{})
	for _, raw := range []string{"https://www.example.co.uk/a/b?c=d", "http://example.com/", "https://[2606:4700:4700::1111]/", "https://10.0.0.1/"} {
		u := mustURL(b, raw)
		b.Run(u.Host(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = g.judge(u)
			}
		})
	}
}

// A host that an exception allows gets http where it was written without a scheme.
func TestLocalScheme(t *testing.T) {
	g := newGuard(t, Policy{Private: exceptions(t, "localhost:8805", "127.0.0.1", "wiki.corp:80")})
	for raw, want := range map[string]string{
		"localhost:8805/a": "http://localhost:8805/a", "127.0.0.1:9": "http://127.0.0.1:9/", "wiki.corp": "http://wiki.corp/",
		"https://localhost:8805/a": "https://localhost:8805/a", "example.com:8805": "https://example.com:8805/", "10.0.0.1": "https://10.0.0.1/",
	} {
		u, err := weburl.ParseLenient(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Local(u); got.String() != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
		if got, d := g.Judge(u); got.String() != want && d.Allowed {
			t.Errorf("%s: judged as %s, want %s", raw, got, want)
		}
	}
}
