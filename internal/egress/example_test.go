package egress_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func ExampleNew() {
	wiki, err := egress.ParseException("wiki.corp:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{wiki}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, raw := range []string{"http://example.com/", "http://wiki.corp:8080/", "http://wiki.corp/"} {
		u, err := weburl.Parse(raw)
		if err != nil {
			fmt.Println(err)
			return
		}
		u, d := guard.Judge(u)
		fmt.Printf("%v %s %q\n", d.Allowed, u, d.Rule)
	}
	// Output:
	// true https://example.com/ ""
	// true http://wiki.corp:8080/ "private_exception"
	// false http://wiki.corp/ "name"
}

func ExampleGuard_Check() {
	names := egress.StaticResolver(map[string][]string{
		"inner.example.com": {"10.1.2.3"},
	}, netip.MustParseAddr("93.184.215.14"))
	guard, err := egress.New(egress.Policy{Resolver: names})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, raw := range []string{"https://example.com/", "https://inner.example.com/"} {
		u, err := weburl.Parse(raw)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, d := guard.Check(context.Background(), u)
		fmt.Println(d.Err())
	}
	// Output:
	// <nil>
	// blocked by policy (address): inner.example.com does not resolve to public addresses only
}

func ExampleGuard_CheckRaw() {
	guard, err := egress.New(egress.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, d := guard.CheckRaw(context.Background(), "http://①②⑦.⓪.⓪.①/")
	fmt.Println(d.Allowed, d.Host)
	// Output: false 127.0.0.1
}

func ExampleGuard_RoundTripper() {
	guard, err := egress.New(egress.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: guard.RoundTripper()}
	_, err = client.Get("http://169.254.169.254/latest/meta-data/")
	var refused *egress.Error
	fmt.Println(errors.As(err, &refused), refused)
	// Output: true blocked by policy (metadata): 169.254.169.254 is a cloud's metadata service
}

func ExampleGuard_Endpoint() {
	model, err := weburl.Parse("http://localhost:11434/v1/")
	if err != nil {
		fmt.Println(err)
		return
	}
	guard, err := egress.New(egress.Policy{Endpoints: []weburl.URL{model}})
	if err != nil {
		fmt.Println(err)
		return
	}
	rt, err := guard.Endpoint(model)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = rt.RoundTrip(&http.Request{URL: nil})
	fmt.Println(err)
	// Output: blocked by policy (url): the request has no URL
}

func ExampleParseException() {
	e, err := egress.ParseException("10.1.2.3/8:8080")
	fmt.Println(e, err)
	// Output: 10.0.0.0/8:8080 <nil>
}

func ExampleClassify() {
	for _, s := range []string{"93.184.215.14", "::ffff:127.0.0.1", "64:ff9b::169.254.169.254", "2002:808:808::1"} {
		c := egress.Classify(netip.MustParseAddr(s))
		fmt.Println(c.Global(), c)
	}
	// Output:
	// true public
	// false loopback
	// false cloud metadata
	// false 6to4
}

func ExampleStaticResolver() {
	names := egress.StaticResolver(map[string][]string{"a.com": {"192.0.2.1"}}, netip.Addr{})
	addrs, err := names.LookupNetIP(context.Background(), "ip", "a.com.")
	fmt.Println(addrs, err)
	// Output: [192.0.2.1] <nil>
}

func ExampleGuard_Proxy() {
	guard, err := egress.New(egress.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	heard := make(chan egress.Exchange, 1)
	proxy, err := guard.Proxy(egress.ProxyOptions{
		Session: "tab 1",
		Observe: func(x egress.Exchange) { heard <- x },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer proxy.Close()

	client, err := net.Dial("tcp", proxy.Addr()) // as Chromium would
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	token := base64.StdEncoding.EncodeToString([]byte("spyhop:" + proxy.Token()))
	fmt.Fprintf(client, "CONNECT 169.254.169.254:443 HTTP/1.1\r\nProxy-Authorization: Basic %s\r\n\r\n", token)
	status, _ := bufio.NewReader(client).ReadString('\n')
	_ = client.Close()
	x := <-heard
	fmt.Printf("%q\n%s: %s by %s\n", status, x.Session, x.Method, x.Decision.Rule)
	// Output:
	// "HTTP/1.1 502 Bad Gateway\r\n"
	// tab 1: CONNECT by metadata
}
