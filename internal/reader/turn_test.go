package reader

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
)

// TestLargePagesInTurn: of the pages of one call, large ones are made one after another, from
// their bytes to their answers, and small ones beside them.
func TestLargePagesInTurn(t *testing.T) {
	large := "<p>" + strings.Repeat("The ferry leaves at six. ", largePage/25+1)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		working, most, together := map[string]int{}, 0, false // places by page
		r := New(Options{
			Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
				body := large + q.URL.String()
				if strings.Contains(q.URL.String(), "small") {
					body = "<p>The ferry leaves at six.</p>" + q.URL.String()
				}
				return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Body: []byte(body)}, nil
			},
			Admit: func(_ context.Context, bytes int, work func()) error {
				kind := "small"
				if bytes >= largePage {
					kind = "large"
				}
				count := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					working[kind] += n
					most = max(most, working["large"])
					together = together || working["large"] > 0 && working["small"] > 0
				}
				count(1)
				time.Sleep(time.Second)
				work()
				count(-1)
				return nil
			},
		})
		var urls []string
		for i := range 3 {
			urls = append(urls, fmt.Sprintf("https://example.com/large%d", i), fmt.Sprintf("https://example.com/small%d", i))
		}
		for _, a := range r.ReadAll(t.Context(), urls, Request{Timeout: time.Hour}).Results {
			if a.Error != nil {
				t.Errorf("%s: %v", a.URL, a.Error)
			}
		}
		if most != 1 || !together {
			t.Errorf("%d large pages at a time, small ones beside them: %v", most, together)
		}
	})
}
