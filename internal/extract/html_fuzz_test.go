package extract

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Each row is markup beyond a bound of the tree builder, and a word of it that
// has to survive. note is what the page says was left out; "" stands for
// markup that is within bounds.
func TestMarkupBeyondBounds(t *testing.T) {
	rep := strings.Repeat
	var many, quoted strings.Builder
	for i := range 500_000 {
		fmt.Fprintf(&many, "a%d ", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&quoted, "a%d=\">\" ", i)
	}
	for _, c := range []struct {
		name, html, want string
		note             page.OmissionKind
	}{
		{"depth 300", rep("<div>", 300) + "word", "word", ""},
		{"depth 511", rep("<div>", 509) + "word", "word", ""},
		{"depth 512", rep("<div>", 510) + "word", "word", ""},
		{"depth 513", rep("<div>", 511) + "word", "word", page.OmittedNesting},
		{"depth 600", rep("<div>", 600) + "word" + rep("</div>", 600) + "<p>after", "word", page.OmittedNesting},
		{"depth 100,000 of b", rep("<b>", 100_000) + "word", "word", page.OmittedNesting},
		{"lists 10,000 deep", rep("<ul><li>word", 10_000), "word", page.OmittedNesting},
		{"quotations 10,000 deep", rep("<blockquote>word", 10_000), "word", page.OmittedNesting},
		{"tables 3,000 deep", rep("<table><tr><td>word", 3_000), "word", page.OmittedNesting},
		{"a script below the limit stays a script", rep("<div>", 600) + "<script>alert(1)</script>word", "word", page.OmittedNesting},
		{"half a million attributes", "<div " + many.String() + ">word</div>", "word", page.OmittedAttrs},
		{"attributes with quoted brackets", "<div " + quoted.String() + ">word</div>", "word", page.OmittedAttrs},
		{"an attribute of 5 MB", "<p data-x='" + rep("x", 5_000_000) + "'>word</p>", "word", page.OmittedAttrs},
		{"too many tags", "<p>word</p>" + rep("<i></i>", 200_000), "word", page.OmittedNodes},
		{"400,000 paragraphs without end tags", rep("<p>word", 400_000), "word", page.OmittedNodes},
		{"a comment that never ends", "<p>word</p><!--" + rep("x", 1_000_000), "word", page.HiddenComments},
		{"a script that never ends", "<p>word</p><script>" + rep("x", 1_000_000), "word", ""},
		{"formatting elements that reopen", rep("<b><p>word", 5_000), "word", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML([]byte(c.html), Options{URL: "https://example.com/", Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			text := allText(p.Blocks)
			if !strings.Contains(text, c.want) {
				t.Errorf("%q is lost; blocks: %d", c.want, len(p.Blocks))
			}
			if strings.Contains(text, "alert(1)") {
				t.Error("a script became text")
			}
			if c.note != "" && p.Omitted(c.note) == 0 {
				t.Errorf("no omission %q in %v", c.note, p.Omissions)
			}
			if c.note == "" && len(p.Omissions) > 0 {
				t.Errorf("omissions %v, want none", p.Omissions)
			}
			if want := p.Omitted(page.OmittedNodes) > 0 || strings.HasSuffix(c.name, "never ends"); (p.Verdict == page.Partial) != want {
				t.Errorf("verdict %s", p.Verdict)
			}
		})
	}
}

func TestNoContent(t *testing.T) {
	for _, body := range []string{"", "\x00\x00", "<html><body></body></html>", "<title>only a title</title>", "<script>var x</script>", strings.Repeat("<svg>", 1000)} {
		p, err := HTML([]byte(body), Options{})
		var e *Error
		if !asError(err, &e) || e.Code != NoContent {
			t.Errorf("%.40q: error %v, want NoContent", body, err)
		}
		if p == nil {
			t.Errorf("%.40q: no page beside the error", body)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>plain</p>",
		"<table><tr><td rowspan=9999999>x<td><table><tr><td>y", // spans and nested tables
		"<noscript>" + strings.Repeat("<p>a thread in noscript", 60) + "</noscript>",
		strings.Repeat("<b><p>", 300),                                // reopened formatting
		"<ul><li><ul><li><ol start=-5><li>x",                         // stray lists
		"<pre>\n\n```\nx</pre><code>`</code>",                        // fences in code
		"<math><mfrac><mi>a</mi></mfrac></math>\x00\xff",             // a formula that is not whole
		"<base href='javascript:alert(1)'><a href='x'>y</a>",         // a base that leaves the web
		"<svg><foreignObject><p>x", "<template><p>x", "<select><p>x", // foreign content
		"<plaintext><p>x", "<frameset><frame>", "<body hidden>x",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, whole bool) {
		p, err := HTML(body, Options{URL: "https://example.com/a/b", Whole: whole})
		if p == nil {
			t.Fatalf("no page: %v", err)
		}
		if err == nil && len(p.Blocks) == 0 {
			t.Fatal("neither content nor an error")
		}
		walkText(p.Blocks, func(s string) {
			if !utf8.ValidString(s) {
				t.Fatalf("invalid UTF-8: %q", s)
			}
			if i := strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 }); i >= 0 {
				t.Fatalf("control character in %q", s)
			}
		})
		for _, l := range p.Links {
			if !strings.HasPrefix(l.URL, "http:") && !strings.HasPrefix(l.URL, "https:") {
				t.Fatalf("link to %q", l.URL)
			}
		}
	})
}
