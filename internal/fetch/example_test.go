package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func ExampleClient_Get() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			return
		}
		fmt.Fprint(w, "<!DOCTYPE html><p>hello")
	}))
	defer srv.Close()

	client, err := fetch.New(fetch.Options{
		RoundTripper: srv.Client().Transport,                                   // egress.Guard.RoundTripper in earnest
		Judge:        func(u weburl.URL) (weburl.URL, error) { return u, nil }, // likewise
		UserAgent:    fetch.DefaultUserAgent("1.2.0"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	u, err := weburl.Parse(srv.URL + "/old")
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := client.Get(context.Background(), fetch.Request{URL: u})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.URL.Path(), res.MediaType, res.Charset, string(res.Body))
	// Output: /new text/html utf-8 <!DOCTYPE html><p>hello
}

func ExampleError() {
	client, err := fetch.New(fetch.Options{
		RoundTripper: http.NewFileTransport(http.Dir("testdata-that-is-not-there")), // answers 404
		Judge:        func(u weburl.URL) (weburl.URL, error) { return u, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	u, _ := weburl.Parse("https://example.com/")
	_, err = client.Get(context.Background(), fetch.Request{URL: u})
	fmt.Println(err, "retryable:", err.(*fetch.Error).Retryable())
	// Output: HTTP 404 Not Found retryable: false
}

func ExampleDefaultUserAgent() {
	fmt.Println(fetch.DefaultUserAgent("1.2.0"))
	// Output: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Spyhop/1.2.0
}
