package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// thread is a page with n posts.
func thread(n int) []byte {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body id="phpbb"><h1>Which rope?</h1><form>`)
	for i := range n {
		fmt.Fprintf(&b, `<div class="post"><p class="author"><a class="username" href="/u/%d">sailor%d</a> <time datetime="2026-01-02">Jan 2, 2026</time></p><div class="content"><p>Answer %d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.</p></div><div class="bar"><a href="#">Like</a></div></div>`, i, i, i)
	}
	b.WriteString(`</form>`)
	return []byte(b.String())
}

// TestThreadIsWhole labels one post of a thread as boilerplate. The thread has it
// nevertheless, but not its controls.
func TestThreadIsWhole(t *testing.T) {
	body := thread(12)
	_, judged, err := Explain(body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := HTMLWith(body, Options{}, func() ([]float32, blocks.TypeScores) {
		prob := make([]float32, len(judged))
		for i, j := range judged {
			if prob[i] = .9; strings.HasPrefix(j.Text, "Answer 7:") || j.Text == "Like" {
				prob[i] = .02
			}
		}
		var types blocks.TypeScores
		for k, name := range blocks.PageTypes {
			if name == page.Forum {
				types[k] = 2
			}
		}
		return prob, types
	})
	if err != nil {
		t.Fatal(err)
	}
	md := markdown.Blocks(p.Blocks, markdown.Options{})
	if !strings.Contains(md, "### sailor7 · Jan 2, 2026\n\nAnswer 7: the ferry") || strings.Contains(md, "Like") {
		t.Error(md)
	}
}

// TestLongThread reads a thread of 5,000 posts: all of them, in order.
func TestLongThread(t *testing.T) {
	const posts = 5000
	p, err := HTML(thread(posts), Options{})
	if err != nil {
		t.Fatal(err)
	}
	md := markdown.Blocks(p.Blocks, markdown.Options{})
	at := 0
	for i := range posts {
		next := strings.Index(md[at:], fmt.Sprintf("### sailor%d · Jan 2, 2026\n\nAnswer %d: the ferry", i, i))
		if next < 0 {
			t.Fatalf("post %d is missing, or not in order", i)
		}
		at += next
	}
}

// TestNameBesideLetter reads posts with a letter in the place of a picture: both are
// links to the author, and the name is always the one that is given.
func TestNameBesideLetter(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`)
	for i, name := range []string{"amber", "boris", "carla", "david", "elena", "fritz"} {
		fmt.Fprintf(&b, `<div class="post"><div class="bar"><a href="/user/%s"><span class="picture">%s</span></a></div><div class="head"><a href="/user/%[1]s">%[1]s</a></div><div class="content"><p>Answer %[3]d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.</p></div></div>`, name, strings.ToUpper(name[:1]), i)
	}
	for range 40 { // an order by chance would show
		p, err := HTML([]byte(b.String()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if md := markdown.Blocks(p.Blocks, markdown.Options{}); !strings.Contains(md, "### carla\n") || strings.Contains(md, "### C\n") {
			t.Fatal(md)
		}
	}
}
