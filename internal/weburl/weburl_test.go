package weburl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Cases of the test data that are answered in another way on purpose.
var deliberate = map[string]string{
	"file://xn--/p": "an empty Punycode label is no name",
	"https://xn--/": "an empty Punycode label is no name",
}

func TestWebPlatformTests(t *testing.T) {
	f, err := os.Open("testdata/urls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for sc := bufio.NewScanner(f); sc.Scan(); rows++ {
		var c struct {
			Input, Base, Href, Host string
			Failure                 bool
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		u, err := URL{}, error(nil)
		if c.Base == "" {
			u, err = Parse(c.Input)
		} else if b, e := Parse(c.Base); e != nil {
			err = e
		} else {
			u, err = b.Resolve(c.Input)
		}
		_, refused := deliberate[c.Input]
		if refused || strings.Contains(strings.ToLower(c.Input), "xn--pokxncvks") { // Punycode that decodes to nothing
			if err == nil {
				t.Errorf("%q: parsed to %s, and should not", c.Input, u)
			}
			continue
		}
		if (err != nil) != c.Failure {
			t.Errorf("%q against %q: error %v, want failure %v", c.Input, c.Base, err, c.Failure)
			continue
		}
		if err != nil {
			continue
		}
		if u.String() != c.Href {
			t.Errorf("%q against %q:\n got %s\nwant %s", c.Input, c.Base, u, c.Href)
		}
		if host := strings.Trim(c.Host, "[]"); u.Host() != host {
			t.Errorf("%q: host %q, want %q", c.Input, u.Host(), host)
		}
		checkStable(t, u)
	}
	if rows < 800 {
		t.Errorf("only %d rows", rows)
	}
}

// checkStable: the canonical form parses to itself, without oddities.
func checkStable(t *testing.T, u URL) {
	t.Helper()
	v, err := Parse(u.String())
	if err != nil || v.String() != u.String() || v.Host() != u.Host() || v.Oddities() != 0 {
		t.Errorf("%q parses again to %q, host %q, oddities %b, %v", u, v, v.Host(), v.Oddities(), err)
	}
}

func TestOddities(t *testing.T) {
	for in, want := range map[string]Oddity{
		"https://example.com/":               0,
		"HTTPS://EXAMPLE.COM:00443/a":        0,
		"https://example.com./":              0,
		"https://example.com:/":              0,
		"https://münchen.de/":                0,
		"https://example.com/a%2fb?c=%5c":    0,
		"  https://example.com/ ":            0,
		"http://127.0.0.1/":                  0,
		"http://[::1]/":                      0,
		`https:\\example.com\a`:              backslash | missingSlashes,
		`https://example.com\@evil.example/`: backslash,
		"https://exa\tmple.com/":             controlByte,
		"https://example.com/a\nb":           controlByte,
		"\x00https://example.com/":           controlByte,
		"https://%65xample.com/":             percentHost,
		"http://0x7f.1/":                     numericHost,
		"http://2130706433/":                 numericHost,
		"http://0127.0.0.1/":                 numericHost,
		"http://127.0.0.1./":                 numericHost,
		"http://①②⑦.⓪.⓪.①/":                  numericHost,
		"https:example.com":                  missingSlashes,
		"https:////example.com/":             extraSlashes,
	} {
		u, err := Parse(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if u.Oddities() != want {
			t.Errorf("%q: oddities %b, want %b", in, u.Oddities(), want)
		}
	}
}

func TestErrors(t *testing.T) {
	for in, want := range map[string]code{
		"":                          missingScheme,
		"example.com":               missingScheme,
		"//example.com/":            missingScheme,
		"https://":                  missingHost,
		"https://user:secret@/":     missingHost,
		"https://:80/":              missingHost,
		"https://a b/":              badHost,
		"https://[::1/":             badHost,
		"https://[fe80::1%25lo]/":   badHost,
		"https://1.2.3.4.5/":        badHost,
		"https://256.1.1.1/":        badHost,
		"https://example.com:70000": badPort,
		"https://example.com:x":     badPort,
		"https://example.com/" + strings.Repeat("a", MaxBytes): tooLong,
	} {
		_, err := Parse(in)
		var e *Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("%.60q: %v, want code %d", in, err, want)
			continue
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q shows a password", err)
		}
	}
}

func TestParseLenient(t *testing.T) {
	for in, want := range map[string]string{
		"example.com":              "https://example.com/",
		" example.com/a?b#c ":      "https://example.com/a?b#c",
		"example.com:8080/x":       "https://example.com:8080/x",
		"localhost:3000":           "https://localhost:3000/",
		"//example.com/x":          "https://example.com/x",
		"http://example.com":       "http://example.com/",
		"mailto:a@example.com":     "mailto:a@example.com",
		"javascript:alert(1)":      "javascript:alert(1)",
		"example.com/http://other": "https://example.com/http://other",
	} {
		u, err := ParseLenient(in)
		if err != nil || u.String() != want {
			t.Errorf("%q: %s %v, want %s", in, u, err, want)
		}
	}
}

// TestFilePaths: a path is told from a host by how it begins.
func TestFilePaths(t *testing.T) {
	for in, file := range map[string]bool{
		"./page.html": true, "../page.html": true, "/tmp/page.html": true, "/": true, "~/page.html": true, `.\page.html`: true, `..\page.html`: true,
		`C:\page.html`: true, "c:/page.html": true, `\\server\share\page.html`: true, " ./page.html": true,
		"page.html": false, "a/page.html": false, "//example.com/x": false, "c:80": false, "c://x": false, "example.com:80/x": false, "": false, ".": false, "~": false,
		"file:///tmp/page.html": false, "http://./x": false,
	} {
		_, err := ParseLenient(in)
		var e *Error
		if got := errors.As(err, &e) && e.Code == FilePath; got != file {
			t.Errorf("%q: a file %v, want %v (%v)", in, got, file, err)
		}
	}
}

func TestParts(t *testing.T) {
	u, err := Parse("https://user:pw@Sub.Example.co.uk:8443/a/b?x=1#frag")
	if err != nil {
		t.Fatal(err)
	}
	addr, isAddr := u.Addr()
	got := fmt.Sprintln(u.Scheme(), u.Host(), u.Port(), u.EffectivePort(), u.HostPort(), u.Path(), u.RawQuery(), u.Fragment(),
		u.Origin(), u.RegistrableDomain(), u.HasUserinfo(), addr, isAddr, u.WithoutFragment(), u.WithoutUserinfo(), u.WithScheme("http"))
	want := fmt.Sprintln("https", "sub.example.co.uk", "8443", 8443, "sub.example.co.uk:8443", "/a/b", "x=1", "frag",
		"https://sub.example.co.uk:8443", "example.co.uk", true, "invalid IP", false,
		"https://user:pw@sub.example.co.uk:8443/a/b?x=1", "https://sub.example.co.uk:8443/a/b?x=1#frag", "http://user:pw@sub.example.co.uk:8443/a/b?x=1#frag")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	v6, _ := Parse("http://[2001:DB8::0:1]:80/")
	if a, ok := v6.Addr(); !ok || a.String() != "2001:db8::1" || v6.HostPort() != "[2001:db8::1]:80" || v6.String() != "http://[2001:db8::1]/" {
		t.Errorf("%s %s %v", v6, v6.HostPort(), ok)
	}
	if s := (URL{}); !s.IsZero() || s.String() != "" || s.Port() != "" || s.EffectivePort() != 0 || s.Origin() != "null" {
		t.Errorf("the zero value is %q", s)
	}
}

// What net/http is given says the same as the URL that was parsed.
func TestNetURL(t *testing.T) {
	for _, s := range []string{"https://example.com/a%2fb/ü?x=%zz&y=1", "https://[2001:db8::1]:8443/", "https://example.com/100%/x", "https://example.com//a//b", "https://example.com/a|b{c}"} {
		u, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		w := u.NetURL()
		again, err := Parse(w.String())
		if err != nil || again.String() != u.String() || w.Hostname() != u.Host() {
			t.Errorf("%s becomes %s, host %s: %v", u, again, w.Hostname(), err)
		}
	}
}

func TestSameHostAndSite(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		host, site bool
	}{
		{"http://example.com/", "https://www.example.com/x", true, true},
		{"https://example.com/", "https://example.com:8443/", true, true},
		{"https://a.example.com/", "https://example.com/", false, true},
		{"https://a.github.io/", "https://b.github.io/", false, false},
		{"https://example.com/", "https://example.org/", false, false},
		{"https://1.2.3.4/", "https://5.2.3.4/", false, false},
		{"https://wwwexample.com/", "https://example.com/", false, false},
	} {
		a, _ := Parse(c.a)
		b, _ := Parse(c.b)
		if SameHost(a, b) != c.host || SameHost(b, a) != c.host || SameSite(a, b) != c.site {
			t.Errorf("%s and %s: host %v, site %v", a, b, SameHost(a, b), SameSite(a, b))
		}
	}
}

func TestHostPattern(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"example.com", []string{"example.com", "a.example.com", "example.com."}, []string{"notexample.com", "example.com.evil.org", "com"}},
		{"Example.COM.", []string{"example.com", "a.b.example.com"}, nil},
		{"=example.com", []string{"example.com"}, []string{"a.example.com"}},
		{"*.example.com", []string{"a.example.com"}, []string{"example.com", "aexample.com"}},
		{"münchen.de", []string{"xn--mnchen-3ya.de"}, []string{"munchen.de"}},
		{"10.0.0.1", []string{"10.0.0.1"}, []string{"1.10.0.0.1", "110.0.0.1"}},
		{"::1", []string{"::1"}, []string{"::2"}},
		{"0x7f.1", []string{"127.0.0.1"}, nil},
	} {
		p, err := parseHostPattern(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for _, h := range c.yes {
			if !p.Match(h) {
				t.Errorf("%q does not match %q", c.pattern, h)
			}
		}
		for _, h := range c.no {
			if p.Match(h) {
				t.Errorf("%q matches %q", c.pattern, h)
			}
		}
	}
	for _, s := range []string{"", "=", "*.", "a b", "https://example.com", "example.com/x", "example.com:80", "*", "a.*.com", "*.10.0.0.1", "..", "a..", ".a.com", "a..com"} {
		if p, err := parseHostPattern(s); err == nil {
			t.Errorf("%q is taken for %s", s, p)
		}
	}
	if (HostPattern{}).Match("") || (HostList)(nil) != nil {
		t.Error("the zero value matches")
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want, removed string }{
		{"https://example.com/a?utm_source=x&q=1&UTM_Medium=y", "https://example.com/a?q=1", "utm_source UTM_Medium"},
		{"https://example.com/a?fbclid=1", "https://example.com/a", "fbclid"},
		{"https://example.com/a?fbclid=1#top", "https://example.com/a#top", "fbclid"},
		{"https://example.com/a?gclid&mc_eid=2&_ga=3&ref=4", "https://example.com/a", "gclid mc_eid _ga ref"},
		{"https://example.com/a?b=%20x&&c=1+2&a[]=3", "https://example.com/a?b=%20x&&c=1+2&a[]=3", ""},
		{"https://example.com/a?%75tm_source=x&q=1", "https://example.com/a?q=1", "utm_source"},
		{"https://api.github.com/repos/a/b/contents/x?ref=main", "https://api.github.com/repos/a/b/contents/x?ref=main", ""},
		{"https://github.com/a/b?ref=main&utm_source=x", "https://github.com/a/b?ref=main", "utm_source"},
		{"https://gitlab.com/a/b?ref_type=heads&ref=main", "https://gitlab.com/a/b?ref_type=heads&ref=main", ""},
		{"https://www.youtube.com/watch?v=abc&si=xyz&t=42&list=L", "https://www.youtube.com/watch?v=abc&t=42&list=L", "si"},
		{"https://x.com/a/status/1?s=20&t=abc", "https://x.com/a/status/1", "s t"},
		{"https://www.amazon.co.uk/dp/B0?tag=x&th=1&pd_rd_w=1", "https://www.amazon.co.uk/dp/B0?th=1", "tag pd_rd_w"},
		{"https://example.com/?s=20&t=abc&tag=x&page=2&id=1", "https://example.com/?s=20&t=abc&tag=x&page=2&id=1", ""},
		{"https://notamazon.com/?tag=x", "https://notamazon.com/?tag=x", ""},
		{"mailto:a@example.com?ref=x", "mailto:a@example.com?ref=x", ""},
	} {
		u, err := Parse(c.in)
		if err != nil {
			t.Fatal(err)
		}
		got, removed := u.Clean()
		if got.String() != c.want || strings.Join(removed, " ") != c.removed {
			t.Errorf("%s\n got %s %v\nwant %s %s", c.in, got, removed, c.want, c.removed)
		}
		again, more := got.Clean()
		if again.String() != got.String() || more != nil {
			t.Errorf("%s is not clean after one pass: %v", got, more)
		}
	}
}

// The rules are data: each name stands once in its section, in lower case or
// as the site writes it, without spaces.
func TestTrackingFile(t *testing.T) {
	rules := 0
	seen := map[string]bool{}
	section := ""
	for i, line := range strings.Split(trackingFile, "\n") {
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			if line[len(line)-1] != ']' || seen[line] {
				t.Errorf("line %d: section %s", i+1, line)
			}
			section = line
			seen[line] = true
			continue
		}
		rules++
		key := section + strings.ToLower(line)
		if seen[key] || strings.ContainsAny(line, " \t=&?") {
			t.Errorf("line %d: %q", i+1, line)
		}
		seen[key] = true
	}
	if rules < 500 {
		t.Errorf("%d rules", rules)
	}
	if got := parseTracking("a\n[x.org]\n!a\nb*"); !reflect.DeepEqual(got.domains["x.org"], &ruleSet{map[string]bool{"a": false}, []string{"b"}}) {
		t.Errorf("%+v", got.domains["x.org"])
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"https://example.com/a?b#c", `http:\\a\..\b`, "http://0x7f.1./", "http://[::ffff:1.2.3.4]:80/", "file:///C|/x/../..",
		"non-special:/..//path", "mailto:a ?b", "https://%E2%98%83.example/", "http://xn--a/", "a:b  #c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Parse(s)
		if err != nil {
			return
		}
		if len(u.String()) <= MaxBytes {
			checkStable(t, u)
		}
		c, _ := u.Clean()
		if c.Host() != u.Host() || c.Path() != u.Path() || c.Fragment() != u.Fragment() {
			t.Errorf("Clean changed %s to %s", u, c)
		}
	})
}

// What Resolve does without the parser is what the parser does.
func TestResolvePlain(t *testing.T) {
	for _, base := range []string{"https://example.com/a/b?c#d", "http://u:p@example.com:81/x", "https://1.2.3.4/", "http://[::1]/", "file:///C:/a", "mailto:a", "https://xn--zca.example/"} {
		b, err := Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			ref   string
			plain bool // for the first base
		}{
			{"/a/b", true}, {"/", true}, {"/a//b.c/d-e_F/", true}, {"https://example.com/x.html", true}, {"https://example.com/", true}, {"/a../b", true},
			{"", false}, {"a/b", false}, {"//c/d", false}, {"/./a", false}, {"/../a", false}, {"/.a", false}, {"/a?b", false}, {"/a#b", false},
			{"/a%2e", false}, {"/a b", false}, {"/ä", false}, {`/\a`, false}, {"https://example.com", false}, {"https://example.com:443/a", false},
			{"https://example.com//a", false}, {"https://EXAMPLE.com/a", false}, {"https://example.community/a", false}, {"https:/example.com/a", false},
			{"httpsexample.com/a", false}, {"https/a", false}, {"http://example.com/a", false}, {"https://u@example.com/a", false},
			{"/" + strings.Repeat("a", MaxBytes), false},
		} {
			got, err := b.Resolve(c.ref)
			want, err2 := parse(c.ref, &b)
			if got != want || (err == nil) != (err2 == nil) {
				t.Errorf("%.60q at %s: %#v %v, the parser says %#v %v", c.ref, base, got, err, want, err2)
			}
			if _, plain := b.resolvePlain(c.ref); plain != c.plain && base == "https://example.com/a/b?c#d" {
				t.Errorf("%.60q is resolved without the parser: %v", c.ref, plain)
			}
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("https://example.com/a/b?c", "../d?e#f")
	f.Add("file:///C:/a", "/D|/b")
	f.Add("data:x", "#y")
	f.Add("https://example.com/", `\\evil.example\x`)
	f.Add("https://example.com/", "https://example.com/a-b/c_d.html")
	f.Add("http://u:p@example.com:81/x?y#z", "/a/b/")
	f.Fuzz(func(t *testing.T, base, ref string) {
		b, err := Parse(base)
		if err != nil {
			return
		}
		u, err := b.Resolve(ref)
		if slow, err2 := parse(ref, &b); slow != u || (err == nil) != (err2 == nil) {
			t.Errorf("%#v, the parser says %#v", u, slow)
		}
		if err == nil && len(u.String()) <= MaxBytes {
			checkStable(t, u)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("https://www.example.com/a/b/c.html?d=e&f=g#h"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClean(b *testing.B) {
	u, _ := Parse("https://www.example.com/a/b/c.html?d=e&utm_source=g&q=x#h")
	b.ReportAllocs()
	for b.Loop() {
		u.Clean()
	}
}

func ExampleURL_Clean() {
	u, err := Parse("HTTPS://Example.COM:443/a/../b?utm_source=x&q=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	clean, removed := u.Clean()
	fmt.Println(clean, removed)
	// Output: https://example.com/b?q=1 [utm_source]
}

func Example_hostPattern() {
	p, err := parseHostPattern("example.com")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Match("docs.example.com"), p.Match("badexample.com"))
	// Output: true false
}
