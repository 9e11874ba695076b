package spyhop_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

// TestTLSInsecure: a host whose certificate is not checked is fetched, and the result reports it;
// another host is not.
func TestTLSInsecure(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Tides</title><main><h1>Tides</h1><p>The ferry leaves the pier at noon, and comes back when the tide has turned again.</main>")
	}))
	t.Cleanup(s.Close)
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{"127.0.0.1" + port, "localhost" + port}, TLSInsecure: []string{"127.0.0.1"}, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	for range 2 { // the second time from the cache
		r, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: s.URL, Render: "never"})
		if err != nil || !strings.Contains(strings.Join(r.Notices, " "), "The certificate of 127.0.0.1 was not checked") {
			t.Errorf("%+v %v", r, err)
		}
	}
	if _, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: "https://localhost" + port, Render: "never"}); err == nil {
		t.Error("a host that is not named")
	}
}
