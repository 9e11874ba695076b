package e2e_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/tool"
)

// Whatever comes back, a call ends in a typed error or in an answer that says
// what it is; nothing is left running, and the next call works.
func TestBadInput(t *testing.T) {
	zip := func(s string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(s))
		z.Close()
		return b.Bytes()
	}
	para := "<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in.</p>"
	var attrs strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&attrs, "a%x ", i)
	}
	for _, c := range []struct {
		name, contentType, encoding string
		body                        []byte
		partial                     bool
		want                        string         // text that has to be there
		err                         tool.ErrorType // or the error
	}{
		{name: "empty", contentType: "text/html", err: tool.NoContent},
		{name: "white space", contentType: "text/html", body: []byte(" \n\t "), err: tool.NoContent},
		{name: "empty, no type", err: tool.NoContent},
		{name: "nothing but markup", contentType: "text/html", body: []byte("<html><body><div></div></body></html>"), err: tool.NoContent},
		{name: "huge", contentType: "text/html", body: []byte(strings.Repeat(para, 80_000)), partial: true, want: "The ferry left"},
		{name: "huge and packed", contentType: "text/html", encoding: "gzip", body: zip(strings.Repeat(para, 80_000)), partial: true, want: "The ferry left"},
		{name: "bomb", contentType: "text/html", encoding: "gzip", body: zip("<p>first words</p>" + strings.Repeat(" a", 50<<20)), partial: true, want: "first words"},
		{name: "binary", contentType: "application/octet-stream", body: bytes.Repeat([]byte{0, 1, 2, 255}, 1000), err: tool.UnsupportedContent},
		{name: "binary called HTML", contentType: "text/html", body: bytes.Repeat([]byte{0, 1, 2, 255, 254, 0, 0, 7}, 1000), err: tool.UnsupportedContent},
		{name: "a picture called HTML", contentType: "text/html", body: []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01\x02", 100)), err: tool.ParseError},
		{name: "HTML called a picture", contentType: "image/png", body: []byte("<!DOCTYPE html><html><body>" + para), want: "The ferry left"},
		{name: "HTML without a type", contentType: "", body: []byte("<!DOCTYPE html><html><body>" + para), want: "The ferry left"},
		{name: "truncated in a tag", contentType: "text/html", body: []byte(para + para + `<p class="x`), want: "The ferry left", partial: true},
		{name: "truncated while packed", contentType: "text/html", encoding: "gzip", body: zip(strings.Repeat(para, 200))[:150], partial: true, want: "The ferry left"},
		{name: "not packed as it says", contentType: "text/html", encoding: "br", body: []byte("<!DOCTYPE html><html><body>" + para), want: "The ferry left"},
		{name: "unknown packing", contentType: "text/html", encoding: "lzma", body: []byte("xxxx"), err: tool.UnsupportedContent},
		{name: "600 deep", contentType: "text/html", body: []byte(strings.Repeat("<div>", 600) + para), want: "The ferry left"},
		{name: "100,000 deep", contentType: "text/html", body: []byte(strings.Repeat("<div>", 100_000) + para), want: "The ferry left"},
		{name: "one million attributes", contentType: "text/html", body: []byte("<div " + attrs.String()[:4<<20] + ">" + para + "</div>"), want: "The ferry left"},
		{name: "wrong charset", contentType: "text/html; charset=utf-8", body: []byte("<p>caf\xe9 au lait, s'il vous pla\xeet</p>"), want: "café au lait"},
		{name: "an unterminated comment", contentType: "text/html", body: []byte("<!--" + para), err: tool.NoContent},
		{name: "JSON that is none", contentType: "application/json", body: []byte(`{"a":`), want: `{"a":`},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Content-Type"] = nil // no sniffing by the server
				if c.contentType != "" {
					w.Header().Set("Content-Type", c.contentType)
				}
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				w.Write(c.body)
			}))
			defer srv.Close()
			client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: srv.URL, MaxLength: spyhop.NoLimit, Timeout: spyhop.MaxTimeout})
			var e *spyhop.Error
			switch {
			case c.err != "":
				if !errors.As(err, &e) || e.Type != c.err {
					t.Fatalf("error %v, want %s", err, c.err)
				}
			case err != nil:
				t.Fatal(err)
			case !strings.Contains(r.Markdown, c.want):
				t.Errorf("%q is missing in %.200q", c.want, r.Markdown)
			case (r.Verdict == page.Partial) != c.partial:
				t.Errorf("verdict %s", r.Verdict)
			}
			client.Close()
		})
	}
}

// A client that is closed leaves no goroutine behind.
func TestNothingStaysBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, examplePage) }))
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: srv.URL}); err != nil {
			t.Fatal(err)
		}
	}
	client.Close()
	srv.Close()
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}
