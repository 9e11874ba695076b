package live

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Figures as people read them, and functions for the templates.

func functions() template.FuncMap {
	return template.FuncMap{
		"grouped": text.Grouped[int], "things": things, "size": bytesWords, "clock": func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"date": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
		"day":  func(t time.Time) string { return t.UTC().Format("2006-01-02") },
		"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"ms":   millis,
		// A duration of Go has its zeros: 6h0m0s.
		"every": func(s string) string {
			if s = strings.Replace(s, "m0s", "m", 1); strings.HasSuffix(s, "h0m") {
				s = strings.TrimSuffix(s, "0m")
			}
			return s
		},
		"short": func(s string) string { return text.URL(s) },
		"line":  func(s string) string { return text.Cut(text.Line(s), 120) },
		// A title can have thousands of characters, which would fill several screens.
		"heading":  func(s string) string { return text.Cut(text.Line(s), 200) },
		"linkable": linkable,
		"kinds":    allKinds, "span": spanOf, "lone": loneOf,
		"add": func(a, b int) int { return a + b },
	}
}

// things writes a number and what it counts.
func things(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return text.Grouped(n) + " " + many
}

// bytesWords writes a size; KB is 1000 bytes.
func bytesWords(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// millis writes a duration.
func millis(ms float64) string {
	switch {
	case ms < 1:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// jsonText writes a string as JSON without escapes for HTML.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can be written
	return strings.TrimSuffix(b.String(), "\n")
}

// query are the values of a form, as the page repeats them: each one line without controls
// and without what nobody sees.
func query(r *http.Request) url.Values {
	q := r.URL.Query()
	for _, values := range q {
		for i := range values {
			values[i] = text.Line(values[i])
		}
	}
	return q
}
