package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWebTool is the design "Web Tool", requirement by requirement: one tool
// with url, mode and max_length. docs/reference-designs.md has the table.
func TestWebTool(t *testing.T) {
	const data = `{"horns": [1, 2], "html": "<b>&amp;</b>"}`
	agents := make(chan string, 1)
	menu := `<nav><a href="/products">Products</a><a href="about">About Us</a><a href="/products#new">Again</a><a href="/">Home</a>
<a href="javascript:go()">Run</a><a href="#top">Up</a><a href="mailto:a@example.com">Mail</a><a href="https://other.org/">Away</a><a href="https://docs.example.com/">Documents</a></nav>`
	n := newInternet(t, spyhop.Config{UserAgent: "Reader/2"}, map[string]http.HandlerFunc{
		"example.com":  serves("text/html", article("Article Title", story(1)+`<h2>Subheadings preserved</h2>`+story(2)+`<ul><li>Lists maintained, with words enough to be content</li><li>With proper formatting, as a list has it here</li></ul><p><img src="image.jpg" alt="Images kept with alt text"></p><table><tr><th>Tables</th><th>Converted</th></tr><tr><td>To</td><td>Markdown</td></tr></table>`+story(3))),
		"menu.com":     serves("text/html", `<html><body>`+strings.ReplaceAll(menu, "example.com", "menu.com")+`</body></html>`),
		"bare.com":     serves("text/html", "<html><body><p>Sign in to go on with what you were about to read here today.</p></body></html>"),
		"data.com":     serves("application/json", data),
		"deep.com":     serves("text/html", strings.Repeat("<div>", 600)+fog),
		"agents.com":   func(w http.ResponseWriter, r *http.Request) { agents <- r.UserAgent(); fmt.Fprint(w, fog) },
		"long.com":     serves("text/html", article("A long one", story(300))),
		"nothere.com":  nil,
		"missing.com":  http.NotFound,
		"external.net": nil,
	})
	client := n.client(t)
	fetch := func(t *testing.T, args string) string {
		t.Helper()
		r, err := client.Call(context.Background(), "web_fetch", json.RawMessage(args), spyhop.CallOptions{})
		var e *spyhop.Error
		if errors.As(err, &e) {
			return e.Text()
		}
		return r.Text
	}
	has := func(t *testing.T, text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is missing in\n%s", w, text)
			}
		}
	}

	t.Run("the description says why and when", func(t *testing.T) {
		d, _ := client.Catalog().Lookup("web_fetch")
		has(t, d.Description, "Use it when", "documentation", "API")
	})
	t.Run("arguments and their defaults", func(t *testing.T) {
		d, _ := client.Catalog().Lookup("web_fetch")
		mode, _ := d.Input.Property("mode")
		length, _ := d.Input.Property("max_length")
		if mode.Default != "markdown" || length.Type != tool.TypeInteger || length.Required {
			t.Errorf("%+v %+v", mode, length)
		}
		for _, m := range []string{"markdown", "raw", "links"} {
			has(t, strings.Join(mode.Enum, " "), m)
		}
	})
	t.Run("markdown", func(t *testing.T) {
		text := fetch(t, `{"url":"https://example.com/article","images":true}`)
		if !strings.HasPrefix(text, "Contents of https://example.com/article:\n") {
			t.Errorf("it begins %.80q", text)
		}
		has(t, text, "# Article Title\n", "## Subheadings preserved\n", "- Lists maintained", "- With proper formatting",
			"![Images kept with alt text](https://example.com/image.jpg)", "| Tables | Converted |", "| To | Markdown |")
		for _, chrome := range []string{"Shop", "Buy now", "All rights"} {
			if strings.Contains(text, chrome) {
				t.Errorf("%q is there", chrome)
			}
		}
	})
	t.Run("a page without main content gives its whole body", func(t *testing.T) {
		has(t, fetch(t, `{"url":"https://bare.com/"}`), "\nSign in to go on with what you were about to read here today.\n")
		has(t, fetch(t, `{"url":"https://deep.com/"}`), "\nThe ferry left the quay")
	})
	t.Run("raw", func(t *testing.T) {
		has(t, fetch(t, `{"url":"https://data.com/","mode":"raw"}`), "\n"+data+"\n", "unfiltered")
		has(t, fetch(t, `{"url":"https://bare.com/","mode":"raw"}`), "\n<html><body><p>Sign in")
	})
	t.Run("links", func(t *testing.T) {
		want := "All 4 links found on https://menu.com/\n\n- Products: https://menu.com/products\n- About Us: https://menu.com/about\n- Home: https://menu.com/\n- Documents: https://docs.menu.com/"
		has(t, fetch(t, `{"url":"https://menu.com","mode":"links"}`), want)
	})
	t.Run("links in whole lines up to the limit", func(t *testing.T) {
		// All that is shown counts; the heading gives way to the links.
		for limit, want := range map[int]string{
			115: "All 4 links found on https://menu.com/\n\n- Products: https://menu.com/products\n- About Us: https://menu.com/about",
			75:  "- Products: https://menu.com/products\n- About Us: https://menu.com/about",
			60:  "- Products: https://menu.com/products",
		} {
			text := fetch(t, fmt.Sprintf(`{"url":"https://menu.com","mode":"links","max_length":%d}`, limit))
			has(t, text, fmt.Sprintf("<error>Content truncated. The output has been limited to %d characters</error>", limit))
			if got := inFence(t, text); got != want {
				t.Errorf("limit %d: %q", limit, got)
			}
		}
	})
	t.Run("no links", func(t *testing.T) {
		has(t, fetch(t, `{"url":"https://bare.com/","mode":"links"}`), "No links found on https://bare.com/ - it may require JavaScript or authentication.")
	})
	t.Run("max_length counts characters of the content", func(t *testing.T) {
		for _, mode := range []string{"markdown", "raw"} {
			text := fetch(t, `{"url":"https://long.com/","max_length":1000,"mode":"`+mode+`"}`)
			has(t, text, "<error>Content truncated. The output has been limited to 1000 characters</error>")
			if length := len(inFence(t, text)); length > 1000 || length < 900 {
				t.Errorf("%s: %d characters", mode, length)
			}
		}
	})
	t.Run("max_length 0 is unlimited, left out it is the setting", func(t *testing.T) {
		all, some := fetch(t, `{"url":"https://long.com/","max_length":0}`), fetch(t, `{"url":"https://long.com/"}`)
		if strings.Contains(all, "truncated") || len(inFence(t, all)) < 30_000 {
			t.Errorf("%d characters of all", len(all))
		}
		has(t, some, "limited to 20000 characters</error>", "start_index=")
	})
	t.Run("network errors are readable", func(t *testing.T) {
		has(t, fetch(t, `{"url":"https://nothere.com/"}`), "Failed to connect to https://nothere.com/: '")
		has(t, fetch(t, `{"url":"http://thisdomaindoesntexist.example/"}`), "Failed to fetch http://thisdomaindoesntexist.example/: ", ".example")
		has(t, fetch(t, `{"url":"https://missing.com/"}`), "Failed to fetch https://missing.com/: ", "404")
	})
	t.Run("the user agent is configurable", func(t *testing.T) {
		fetch(t, `{"url":"https://agents.com/"}`)
		if got := <-agents; got != "Reader/2" {
			t.Errorf("%q", got)
		}
		n.config.UserAgent = ""
		n.client(t).Browse(context.Background(), "https://agents.com/")
		if got := <-agents; !strings.HasPrefix(got, "Mozilla/5.0 ") || !strings.Contains(got, " Firefox/") {
			t.Errorf("by default %q", got)
		}
	})
}

// inFence is what stands in the fence for untrusted text.
func inFence(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "<<<untrusted web content ")
	boundary, rest, ok2 := strings.Cut(rest, ">>>\n")
	inner, _, ok3 := strings.Cut(rest, "\n<<<end of untrusted web content "+boundary+">>>")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("there is no fence in\n%s", text)
	}
	return inner
}
