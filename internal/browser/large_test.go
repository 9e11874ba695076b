package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// BenchmarkLargePage reads and clicks a page of 20,000 links. "protocol" is the browser's
// own snapshot with its decoding, which bounds the others. Each round does all of them,
// so that they have the same machine:
//
//	go test -run '^$' -bench LargePage -benchtime 5x ./internal/browser
func BenchmarkLargePage(bench *testing.B) {
	var page strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&page, "<li><a href='#%d'>Entry number %d</a>", i, i)
	}
	b := newBrowser(bench, nil)
	url := site(bench, map[string]string{"/": "<title>Large</title><button onclick='o.textContent = ++n'>Count</button><b id=o>0</b><script>let n = 0</script><ul>" + page.String() + "</ul>"})
	at := browser.Place{}
	if _, err := b.Navigate(bench.Context(), at, browser.Navigation{URL: url}); err != nil {
		bench.Fatal(err)
	}
	s, err := b.Snapshot(bench.Context(), at, browser.SnapshotRequest{})
	if err != nil {
		bench.Fatal(err)
	}
	count := (&actor{t: bench, text: s.Text}).ref("Count")
	spent := make(map[string]float64)
	measure := func(name string, f func() error) {
		before := bench.Elapsed()
		if err := f(); err != nil {
			bench.Fatal(name, err)
		}
		spent[name] += (bench.Elapsed() - before).Seconds()
	}
	for bench.Loop() {
		measure("protocol", func() error { _, err := b.Protocol(bench.Context(), at); return err })
		measure("protocol-least", func() error { return b.ProtocolLeast(bench.Context(), at) })
		measure("snapshot", func() error {
			_, err := b.Snapshot(bench.Context(), at, browser.SnapshotRequest{})
			return err
		})
		measure("click", func() error {
			_, err := b.Click(bench.Context(), at, browser.Pointer{Ref: count})
			return err
		})
	}
	for name, s := range spent {
		bench.ReportMetric(s/float64(bench.N), "s/"+name)
	}
}
