package browser_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestCertificates: the browser trusts the certificates that the HTTP client trusts, for their
// hosts alone; what is not checked is told in each answer.
func TestCertificates(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/part" {
			fmt.Fprint(w, `document.title = 'With part'`)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Page</title><p>words<script src="/part"></script><button>Go</button>`)
	}))
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	unchecked, err := weburl.ParseHostList([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	for _, c := range []struct {
		name, url string
		policy    egress.Policy
		fails     bool
		notice    string
	}{
		{"the authorities of the system", s.URL, egress.Policy{}, true, ""},
		{"one of the operator", s.URL, egress.Policy{RootCAs: roots}, false, ""},
		{"another name", "https://localhost" + port, egress.Policy{RootCAs: roots}, true, ""},
		{"not checked", s.URL, egress.Policy{Unchecked: unchecked}, false, "the certificate of 127.0.0.1 was not checked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBrowser(t, func(o *browser.Options) {
				for _, host := range []string{"127.0.0.1", "localhost"} {
					e, err := egress.ParseException(host)
					if err != nil {
						t.Fatal(err)
					}
					c.policy.Private = append(c.policy.Private, e)
				}
				guard, err := egress.New(c.policy)
				if err != nil {
					t.Fatal(err)
				}
				o.Guard = guard
			})
			p, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: c.url})
			if c.fails {
				if errorType(err) != tool.TLSError {
					t.Errorf("%+v %v", p, err)
				}
				return
			}
			if err != nil || p.Title != "With part" || !strings.Contains(strings.Join(p.Notices, "\n"), c.notice) {
				t.Fatalf("%+v %v", p, err)
			}
			ch, err := b.Click(t.Context(), browser.Place{}, browser.Pointer{Ref: `button "Go"`})
			if err != nil || !strings.Contains(strings.Join(ch.Notices, "\n"), c.notice) {
				t.Errorf("the second answer: %+v %v", ch, err)
			}
		})
	}
}
