package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// An article with a comment section, a form in it, and a class name on the
// body that says that comments are open, which says nothing.
var commented = site("Ferries in fog", `<main class="comments-open"><article><h1>Ferries in fog</h1><p>`+
	strings.Repeat("The ferry left the quay at dawn and followed the coast for an hour before the fog came in. ", 6)+
	`</p></article><section id="comments"><h2>Two comments</h2>
<div class="comment"><b>Ada</b><p>I was on that very ferry, and the horn of the lighthouse was all that we could hear for an hour.</p></div>
<div class="comment"><b>Ben</b><p>The pilot told me afterwards that he had counted the seconds between the echoes to find the pier.</p></div>
<form><label>Leave a reply</label><button>Post it</button></form></section></main>`)

func TestComments(t *testing.T) {
	for _, c := range []struct {
		comments Comments
		want     bool
	}{{CommentsAuto, false}, {CommentsNever, false}, {CommentsAlways, true}} {
		p, err := HTML(commented, Options{URL: "https://example.com/2024/ferries-in-fog", Comments: c.comments})
		if err != nil {
			t.Fatal(err)
		}
		if p.Type != page.Article {
			t.Fatalf("the page is of type %s", p.Type)
		}
		text := markdown.PlainText(p)
		if got := strings.Contains(text, "counted the seconds") && strings.Contains(text, "Ada"); got != c.want {
			t.Errorf("comments %d: in the text is %v, want %v\n%s", c.comments, got, c.want, text)
		}
		if !strings.Contains(text, "followed the coast") || strings.Contains(text, "Post it") {
			t.Errorf("comments %d: the article is missing, or a button is not\n%s", c.comments, text)
		}
	}
}

func TestParseComments(t *testing.T) {
	for s, want := range map[string]Comments{"": CommentsAuto, "auto": CommentsAuto, "always": CommentsAlways, "never": CommentsNever} {
		if got, ok := ParseComments(s); !ok || got != want {
			t.Errorf("%q: %d, %v", s, got, ok)
		}
	}
	if _, ok := ParseComments("sometimes"); ok {
		t.Error("sometimes is accepted")
	}
}

// The reasons of a judgement are those that hold: without its strongest reason
// a block scores otherwise, and what is kept is what the page has.
func TestExplain(t *testing.T) {
	p, blocks, err := Explain(commented, Options{URL: "https://example.com/2024/ferries-in-fog"})
	if err != nil {
		t.Fatal(err)
	}
	text := markdown.Render(p, markdown.Options{})
	kept := 0
	for _, b := range blocks {
		if b.Kept {
			kept++
			if !strings.Contains(text, b.Text) {
				t.Errorf("kept and not on the page: %q", b.Text)
			}
		}
		if verb, _, ok := strings.Cut(b.Why, ": "); !ok || (verb == "kept") != b.Kept {
			t.Errorf("%q: kept %t, and the words are %q", b.Text, b.Kept, b.Why)
		}
		if len(b.Reasons) == 0 || b.Path == "" || b.Score < 0 || b.Score > 1 {
			t.Errorf("judgement %+v", b)
		}
		for i := 1; i < len(b.Reasons); i++ {
			if abs(b.Reasons[i].Effect) > abs(b.Reasons[i-1].Effect) {
				t.Errorf("reasons of %q are not sorted: %v", b.Text, b.Reasons)
			}
		}
	}
	if kept == 0 || kept == len(blocks) {
		t.Errorf("%d of %d blocks are kept", kept, len(blocks))
	}
}

// A page without text has no blocks to explain.
func TestExplainNothing(t *testing.T) {
	for _, page := range []string{"", "<title>Empty</title>", "<script>s</script>"} {
		p, judgements, err := Explain([]byte(page), Options{})
		if p == nil || err == nil || len(judgements) > 0 {
			t.Errorf("%q: %v, %v, %v", page, p, judgements, err)
		}
	}
}

// The words of a judgement name the unit that a block is a part of, and the step that
// decided.
func TestExplainWords(t *testing.T) {
	var thread strings.Builder
	for i := range 6 {
		fmt.Fprintf(&thread, `<div class="post"><a class="author" href="/user/u%d">Writer%d</a><time datetime="2024-05-0%d">%d May 2024</time><div class="body"><p>What I have seen of the boat number %d is that it leaks, and nobody has mended it since the last winter came over us.</p></div></div>`, i, i, i+1, i+1, i)
	}
	for _, c := range []struct{ page, block, unit, why string }{
		{"<main><h1>The boat leaks again</h1>" + thread.String() + "</main>", "What I have seen of the boat number 2", "post 3 of 6, by Writer2", "kept: "},
		{"<main><h1>The boat leaks again</h1>" + thread.String() + "</main>", "3 May 2024", "post 3 of 6, by Writer2", "dropped: the heading of its post says it"},
	} {
		_, blocks, err := Explain([]byte("<html><body>"+c.page+"</body></html>"), Options{URL: "https://example.com/x"})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(blocks, func(b Judgement) bool { return strings.Contains(b.Text, c.block) })
		if i < 0 {
			t.Errorf("no block %q", c.block)
		} else if b := blocks[i]; b.Unit != c.unit || !strings.HasPrefix(b.Why, c.why) {
			t.Errorf("%q: unit %q, %q; want %q, %q…", b.Text, b.Unit, b.Why, c.unit, c.why)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }
