package fetch

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

func TestContentType(t *testing.T) {
	for _, c := range []struct{ value, media, charset string }{
		{"", "", ""},
		{"text/html", "text/html", ""},
		{" Text/HTML ; Charset = \"UTF-8\" ", "text/html", "UTF-8"},
		{"text/html; boundary=x; charset=koi8-r; charset=big5", "text/html", "koi8-r"},
		{"text/html;;;=;charset", "text/html", ""},
		{"text/html, text/plain", "text/html", ""},
		{"html", "", ""}, {"/", "", ""}, {"text/", "", ""}, {"te xt/html", "", ""},
		{"text/" + strings.Repeat("x", 200), "", ""},
	} {
		if m, cs := declaredType(c.value), charsetParam(c.value); m != c.media || cs != c.charset {
			t.Errorf("%q: %q %q", c.value, m, cs)
		}
	}
}

func TestContentEncodings(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   []string
	}{
		{nil, nil},
		{[]string{"identity", ""}, nil},
		{[]string{"GZIP"}, []string{"gzip"}},
		{[]string{"x-gzip, br", "utf-8"}, []string{"gzip", "br"}},
		{[]string{",,gzip,"}, []string{"gzip"}},
		{[]string{strings.Repeat("a,", 100000)}, slices.Repeat([]string{"a"}, 32)},
	} {
		if got := contentEncodings(c.values); !slices.Equal(got, c.want) {
			t.Errorf("%.40q: %q", c.values, got)
		}
	}
}

func TestCallerHeader(t *testing.T) {
	got, err := callerHeader(http.Header{"accept": {"a/b"}, "Host": {"x"}, "Accept-Encoding": {"gzip"}, "Range": {"bytes=0-1"}, "X-A": {"1", "2"}})
	if err != nil || len(got) != 2 || got.Get("Accept") != "a/b" || len(got["X-A"]) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []http.Header{{"a b": {"x"}}, {"": {"x"}}, {"X-A": {"a\r\nb: c"}}} {
		if _, err := callerHeader(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestDefaultUserAgent(t *testing.T) {
	for version, want := range map[string]string{"": " Spyhop", "1.2.0": " Spyhop/1.2.0", "1 (x)\r\nA: b": " Spyhop/1xAb"} {
		if got := DefaultUserAgent(version); !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "Mozilla/5.0 (") || !strings.Contains(got, "Firefox/") {
			t.Errorf("%q: %q", version, got)
		}
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("text/html; charset=utf-8", "120", "gzip, br")
	f.Add("text/html;charset=", "Sat, 21 Nov 2026 12:01:00 GMT", "")
	f.Add(";;,", "99999999999999999999", ",,")
	f.Fuzz(func(t *testing.T, contentType, retry, encoding string) {
		if m := declaredType(contentType); m != strings.ToLower(m) || len(m) > 127 || declaredType(m) != m {
			t.Fatalf("media type %q", m)
		}
		lookup(charsetParam(contentType))
		if d := deadline.RetryAfter(retry, time.Unix(1e9, 0)); d < 0 || d > 24*time.Hour {
			t.Fatalf("retry after %v", d)
		}
		if e := contentEncodings([]string{encoding}); len(e) > 32 {
			t.Fatalf("%d encodings", len(e))
		}
	})
}
