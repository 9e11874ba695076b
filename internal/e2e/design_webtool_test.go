package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestWebTool is the design "Web Tool", requirement by requirement, by the
// program and its servers: one tool with url, mode and max_length.
// docs/reference-designs.md has the table.
func TestWebTool(t *testing.T) {
	t.Parallel()
	const data = `{"horns": [1, 2], "html": "<b>&amp;</b>"}`
	agents := make(chan string, 1)
	menu := `<nav><a href="/products">Products</a><a href="about">About Us</a><a href="/products#new">Again</a><a href="/">Home</a>
<a href="javascript:go()">Run</a><a href="#top">Up</a><a href="mailto:a@example.com">Mail</a><a href="https://other.org/">Away</a><a href="https://docs.menu.com/">Documents</a></nav>`
	many := `<a href="/">Home</a><a href="/products">Products</a><a href="/about">About Us</a>`
	for i := range 42 {
		many += fmt.Sprintf(`<a href="/%d">Page %d</a>`, i, i)
	}
	w := newWorld(t, map[string]http.HandlerFunc{
		"example.com": serves("text/html", article("Article Title", story(1)+`<h2>Subheadings preserved</h2>`+story(2)+`<ul><li>Lists maintained, with words enough to be content</li><li>With proper formatting, as a list has it here</li></ul><p><img src="image.jpg" alt="Images kept with alt text"></p><table><tr><th>Tables</th><th>Converted</th></tr><tr><td>To</td><td>Markdown</td></tr></table>`+story(3))),
		"menu.com":    serves("text/html", `<html><body>`+menu+`</body></html>`),
		"many.com":    serves("text/html", `<html><body>`+many+`</body></html>`),
		"three.com":   serves("text/html", `<body><a href="/">Home</a><a href="/products">Products</a><a href="/about">About Us</a></body>`),
		"things.com":  serves("text/html", `<body>`+numbered(5, `<div><a href="/p%[1]d">Page about thing %[1]d</a></div>`)+`</body>`),
		"member.com":  serves("text/html", `<body><h1>Sign up</h1><p>Leave us your name and we send you the tide tables of the year by post, free of any charge.</p><form><input name="name"></form></body>`),
		"bare.com":    serves("text/html", "<html><body><p>Sign in to go on with what you were about to read here today.</p></body></html>"),
		"shell.com":   serves("text/html", `<html><body><div id="app"></div><script src="/app.js"></script></body></html>`),
		"data.com":    serves("application/json", data),
		"deep.com":    serves("text/html", strings.Repeat("<div>", 600)+fog),
		"agents.com":  func(w http.ResponseWriter, r *http.Request) { agents <- r.UserAgent(); fmt.Fprint(w, fog) },
		"wild.com": func(w http.ResponseWriter, r *http.Request) {
			const word = "<p>The lighthouse is seen from nineteen miles.</p>"
			serves("text/html", map[string]string{
				"/nested":     strings.Repeat("<div>", 100_000) + word,
				"/lists":      strings.Repeat("<ul><li>", 10_000) + word,
				"/tables":     strings.Repeat("<table><tr><td>", 3_000) + word,
				"/attributes": "<div " + numbered(100_000, "a%d=b ") + ">" + word + "</div>",
				"/tags":       word + strings.Repeat("<i></i>", 300_000),
				"/cut":        "\xff\x00" + word + "<p class='",
			}[r.URL.Path])(w, r)
		},
		"long.com":     serves("text/html", article("A long one", story(300))),
		"external.net": nil,
	}, "WEB_USER_AGENT=Reader/2")
	fetch := func(t *testing.T, url string, more ...any) string {
		t.Helper()
		return w.must(t, byStdio, fetching(url, more...)).text
	}

	t.Run("the description says why and when", func(t *testing.T) {
		for _, d := range w.lists(t, "--tools", "web_fetch") {
			has(t, d.Description, "Use it when", "documentation", "API")
		}
	})
	t.Run("arguments and their defaults", func(t *testing.T) {
		form, err := json.Marshal(w.lists(t, "--tools", "web_fetch")[0].InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]struct {
				Type    any
				Default any
				Enum    []string
			}
			Required []string
		}
		if err := json.Unmarshal(form, &schema); err != nil {
			t.Fatal(err)
		}
		mode, length := schema.Properties["mode"], schema.Properties["max_length"]
		if mode.Default != "markdown" || length.Type != "integer" || slices.Contains(schema.Required, "max_length") {
			t.Errorf("%+v %+v", mode, length)
		}
		for _, m := range []string{"markdown", "raw", "links"} {
			if !slices.Contains(mode.Enum, m) {
				t.Errorf("mode %s is not in %q", m, mode.Enum)
			}
		}
	})
	t.Run("markdown", func(t *testing.T) {
		w.everywhere(t, fetching("https://example.com/article", "images", true), func(t *testing.T, surface string, o outcome) {
			switch surface {
			case byCommand, byREST: // the content, and the object
			default:
				has(t, o.text, "Contents of https://example.com/article:\n")
			}
			has(t, o.text, "# Article Title\n", "## Subheadings preserved\n", "- Lists maintained", "- With proper formatting",
				"![Images kept with alt text](https://example.com/image.jpg)", "| Tables | Converted |", "| To | Markdown |")
			for _, chrome := range []string{"Shop", "Buy now", "All rights"} {
				if strings.Contains(o.text, chrome) {
					t.Errorf("%q is there", chrome)
				}
			}
		})
	})
	t.Run("a page without main content gives its whole body", func(t *testing.T) {
		has(t, fetch(t, "https://bare.com/"), "\nSign in to go on with what you were about to read here today.\n")
		has(t, fetch(t, "https://deep.com/"), "\nThe ferry left the quay")
	})
	t.Run("what is visible is not lost", func(t *testing.T) {
		// A menu without a script, five equal blocks, a form without a password.
		has(t, fetch(t, "https://three.com/"), "Home", "Products", "About Us")
		has(t, fetch(t, "https://things.com/"), "Page about thing 0", "Page about thing 4")
		text := fetch(t, "https://member.com/")
		has(t, text, "Leave us your name")
		if strings.Contains(text, "login_wall") {
			t.Errorf("%s", text)
		}
	})
	t.Run("raw", func(t *testing.T) {
		w.everywhere(t, fetching("https://data.com/", "mode", "raw"), func(t *testing.T, surface string, o outcome) {
			has(t, o.text, data)
			if forModels(surface) {
				has(t, o.text, "unfiltered")
			}
		})
		has(t, fetch(t, "https://bare.com/", "mode", "raw"), "\n<html><body><p>Sign in")
	})
	t.Run("links", func(t *testing.T) {
		w.everywhere(t, fetching("https://menu.com", "mode", "links"), func(t *testing.T, _ string, o outcome) {
			has(t, o.text, "All 4 links found on https://menu.com/\n\n- Products: https://menu.com/products\n- About Us: https://menu.com/about\n- Home: https://menu.com/\n- Documents: https://docs.menu.com/")
		})
		// The design's example.
		has(t, fetch(t, "https://many.com", "mode", "links"), "All 45 links found on https://many.com/\n\n- Home: https://many.com/\n- Products: https://many.com/products\n- About Us: https://many.com/about\n")
	})
	t.Run("links in whole lines up to the limit", func(t *testing.T) {
		const two = "All 4 links found on https://menu.com/\n\n- Products: https://menu.com/products\n- About Us: https://menu.com/about"
		w.everywhere(t, fetching("https://menu.com", "mode", "links", "max_length", len(two)), func(t *testing.T, _ string, o outcome) {
			has(t, o.text, two+"\n", fmt.Sprintf("<error>Content truncated. The output has been limited to %d characters</error>", len(two)))
			if strings.Contains(o.text, "Home") {
				t.Errorf("too much:\n%s", o.text)
			}
		})
	})
	t.Run("the limit on links counts what is shown", func(t *testing.T) {
		// Its first line too.
		for _, limit := range []int{70, 100, 200} {
			inner := inFence(t, fetch(t, "https://many.com/", "mode", "links", "max_length", limit))
			inner, _, _ = strings.Cut(inner, "\n\n<error>")
			if n := len(inner); n > limit {
				t.Errorf("limit %d: %d characters\n%s", limit, n, inner)
			}
		}
	})
	t.Run("no links", func(t *testing.T) {
		// The second page is the design's own case.
		for _, url := range []string{"https://bare.com/", "https://shell.com/"} {
			w.everywhere(t, fetching(url, "mode", "links", "render", "never"), func(t *testing.T, _ string, o outcome) {
				has(t, o.text, "No links found on "+url+" - it may require JavaScript or authentication.")
			})
		}
	})
	t.Run("max_length counts characters of the content", func(t *testing.T) {
		for _, mode := range []string{"markdown", "raw"} {
			w.everywhere(t, fetching("https://long.com/", "max_length", 1000, "mode", mode), func(t *testing.T, surface string, o outcome) {
				const notice = "<error>Content truncated. The output has been limited to 1000 characters</error>"
				has(t, o.text, notice)
				content := strings.TrimSuffix(strings.TrimSuffix(o.text, "\n"), notice)
				if surface != byCommand && surface != byREST {
					content = strings.TrimSuffix(inFence(t, o.text), notice)
				}
				if length := len(strings.TrimSpace(content)); length > 1000 || length < 900 {
					t.Errorf("%s: %d characters", mode, length)
				}
			})
		}
	})
	t.Run("max_length 0 is unlimited, left out it is the setting", func(t *testing.T) {
		for _, s := range []string{byCall, byStdio, byGo} {
			all := w.must(t, s, fetching("https://long.com/", "max_length", 0)).text
			if strings.Contains(all, "truncated") || len(inFence(t, all)) < 30_000 {
				t.Errorf("%s: %d characters of all", s, len(all))
			}
		}
		has(t, w.must(t, byCall, fetching("https://long.com/")).text, "The content goes on: these are characters 1 to ", "start_index=")
		has(t, w.must(t, byStdio, fetching("https://long.com/")).text, "The content goes on: these are characters 1 to ", "start_index=")
	})
	t.Run("markup beyond all bounds is read", func(t *testing.T) {
		for _, path := range []string{"nested", "lists", "tables", "attributes", "tags", "cut"} {
			// The library reads them in this process, which the race detector makes several times slower.
			w.everywhere(t, fetching("https://wild.com/"+path, "timeout_ms", 120_000), func(t *testing.T, surface string, o outcome) {
				if o.failure != nil || !strings.Contains(o.text, "lighthouse") || strings.Contains(o.text, "Extraction to markdown failed") {
					t.Errorf("%s, %s: %.300q", path, surface, o.text)
				}
			})
		}
	})
	t.Run("network errors are readable", func(t *testing.T) {
		has(t, fetch(t, "https://closed.example.com/"), "Failed to connect to https://closed.example.com/: '")
		has(t, fetch(t, "https://gone.example.com/"), "Failed to fetch https://gone.example.com/: HTTP 404 Not Found")
	})
	t.Run("a reserved name is told what it is", func(t *testing.T) {
		// .example is not a name of local networks.
		text := fetch(t, "http://thisdomaindoesntexist.example/")
		has(t, text, "Failed to fetch http://thisdomaindoesntexist.example/: ", ".example")
		if strings.Contains(text, "local network") {
			t.Errorf("%s", text)
		}
	})
	t.Run("the user agent is configurable", func(t *testing.T) {
		for _, c := range []struct{ settings, want string }{{"", "Reader/2"}, {"WEB_USER_AGENT=", "Mozilla/5.0 "}, {"WEB_USER_AGENT= USER_AGENT=Other/1", "Other/1"}} {
			there := w.with(t, strings.Fields(c.settings)...)
			if r := there.run("fetch", "https://agents.com/"); r.exit != 0 {
				t.Fatalf("%+v", r)
			}
			got := <-agents
			if !strings.HasPrefix(got, c.want) || c.want == "Mozilla/5.0 " && !strings.Contains(got, " Firefox/") {
				t.Errorf("%q, want %q", got, c.want)
			}
		}
	})
}

// numbered is that many pieces, each with its number.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// has checks that a text contains others.
func has(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in\n%.3000s", w, text)
		}
	}
}

// inFence returns the text within the fence for untrusted text.
func inFence(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "<untrusted text ")
	boundary, rest, ok2 := strings.Cut(rest, ">\n")
	inner, _, ok3 := strings.Cut(rest, "\n</"+boundary+">")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("there is no fence in\n%.3000s", text)
	}
	return inner
}
