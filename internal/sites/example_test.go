package sites_test

import (
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func ExampleFind() {
	u, err := weburl.Parse("https://github.com/harbour/buoy/blob/main/fog.md")
	if err != nil {
		panic(err)
	}
	variant := sites.Find(u)
	q, _ := variant.Next(nil)
	fmt.Println(variant.As, "at", q.URL)
	have := []sites.Response{{MediaType: "text/plain", Body: []byte("# Fog\n\nSee [the horns](horns.md).")}}
	p, err := variant.Page(have, sites.Options{URL: u.String(), Read: read})
	if err != nil {
		panic(err)
	}
	fmt.Println(markdown.Render(p, markdown.Options{}))
	// Output:
	// raw file at https://raw.githubusercontent.com/harbour/buoy/main/fog.md
	// # Fog
	//
	// See [the horns](https://github.com/harbour/buoy/blob/main/horns.md).
}
