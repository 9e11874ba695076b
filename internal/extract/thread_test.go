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
	p := labelled(t, string(thread(12)), page.Forum, "Answer 7:", "Like")
	md := markdown.Blocks(p.Blocks, markdown.Options{})
	if !strings.Contains(md, "### sailor7 · Jan 2, 2026\n\nAnswer 7: the ferry") || strings.Contains(md, "Like") {
		t.Error(md)
	}
}

// TestPostsLeftOut labels a post as boilerplate that stands in another way than the
// others: within a form that is none to fill in, or at another place. The thread has it
// nevertheless, but neither the labels of the form nor a bar of links.
func TestPostsLeftOut(t *testing.T) {
	post := func(name, body string) string {
		return `<div class="post"><p class="author"><a class="username" href="/u/` + name + `">` + name + `</a></p>` + body + `<div class="bar"><a href="#1">Answer this now</a> <a href="#2">Report this post</a></div></div>`
	}
	form := func(text string) string {
		return `<form action="/save"><div class="content"><p>` + text + `</p></div><label>Watch all of it</label></form>`
	}
	div := func(text string) string { return `<div class="content"><p>` + text + `</p></div>` }
	for _, c := range []struct {
		name   string
		others func(text string) string
		odd    string
	}{
		{"within a form", form, form("Nylon, always, and a spare one.")},
		{"within a form, as none of the others", div, form("Nylon, always, and a spare one.")},
		{"at another place", div, `<section class="odd">Nylon, always, and a spare one.</section>`},
	} {
		var b strings.Builder
		b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`)
		for i, name := range []string{"ada", "ben", "cyd", "dov", "eve"} {
			// The texts differ, and are too long for a page that is kept as a whole.
			body := c.others(name + ": " + strings.Repeat("the ferry left the quay at dawn and followed the coast for an hour before the fog came in, "+name+", ", 3))
			if i == 3 {
				body = c.odd
			}
			b.WriteString(post(name, body))
		}
		md := markdown.Blocks(labelled(t, b.String(), page.Forum, "Nylon", "Watch", "Answer", "Report").Blocks, markdown.Options{})
		if !strings.Contains(md, "### dov\n\nNylon, always") || strings.Contains(md, "Watch") || strings.Contains(md, "Report") {
			t.Errorf("%s:\n%s", c.name, md)
		}
	}
}

// labelled reads a page whose blocks get .9, but .02 if their text begins with one of
// drop, as a page that is of type t with a probability of .55.
func labelled(tb testing.TB, body string, t page.Type, drop ...string) *page.Page {
	return scored(tb, body, t, 2, drop...)
}

// scored is labelled with the log-odds of the type.
func scored(tb testing.TB, body string, t page.Type, odds float32, drop ...string) *page.Page {
	_, judged, err := Explain([]byte(body), Options{})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := HTMLWith([]byte(body), Options{}, func() ([]float32, blocks.TypeScores) {
		prob := make([]float32, len(judged))
		for i, j := range judged {
			prob[i] = .9
			for _, d := range drop {
				if strings.HasPrefix(j.Text, d) {
					prob[i] = .02
				}
			}
		}
		var types blocks.TypeScores
		for k, name := range blocks.PageTypes {
			if name == t {
				types[k] = odds
			}
		}
		return prob, types
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

const (
	opening = "<p>The old line of the mooring has chafed through in the storms of the winter, and the harbour master wants to see a new one before the spring tide. Which rope would you take for it?</p>"
	reply   = "<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.</p>"
)

// TestUnsureArticle: comments are left out of what is surely an article. What may be something else
// keeps them.
func TestUnsureArticle(t *testing.T) {
	body := "<body><article>" + strings.Repeat(opening, 8) + `</article><div class="comments"><p>I would take polyester.</p><p>Nylon stretches in a gale.</p></div></body>`
	for odds, want := range map[float32]bool{2: true, 4: false} {
		if md := markdown.Blocks(scored(t, body, page.Article, odds).Blocks, markdown.Options{}); strings.Contains(md, "I would take polyester") != want {
			t.Errorf("log-odds %g:\n%s", odds, md)
		}
	}
}

// TestThreadTakenForArticle reads pages that the labels call articles. One whose content
// stands in posts is a thread. An article with comments is none, and neither is one that
// names its author at the place where others are named.
func TestThreadTakenForArticle(t *testing.T) {
	posts := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `<div class="comment-item"><div class="head"><a class="username" href="/user/u%d">sailor%[1]d</a></div><div class="text">%s</div></div>`, i, reply+reply)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, body string
		want       page.Type
	}{
		{"a thread", "<div class=opening>" + opening + "</div><section class=comments>" + posts(9) + "</section>", page.Forum},
		{"two posts", "<section class=comments>" + posts(2) + "</section>", page.Article},
		{"an article with few comments", "<article>" + opening + "</article><section class=comments>" + posts(3) + "</section>", page.Article},
		{"an article with many comments", "<article>" + strings.Repeat(opening, 9) + "</article><section class=comments>" + posts(90) + "</section>", page.Article},
		{"an article with its author", `<div class="comment-item"><div class="head"><a class="username" href="/user/ada">ada</a></div>` + strings.Repeat(opening, 9) + "</div>" + posts(3), page.Article},
	} {
		p := labelled(t, "<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>"+c.body, page.Article)
		if p.Type != c.want {
			t.Errorf("%s: %s, want %s", c.name, p.Type, c.want)
		}
	}
}

// TestRepliesBesideOpening labels all replies as boilerplate. They stand beside the
// opening post, so that they are not remarks below it, however short they are.
func TestRepliesBesideOpening(t *testing.T) {
	var b strings.Builder
	head := func(name string) string {
		return `<div class="post"><div class="head"><div class="name"><a class="username" href="/user/` + name + `">` + name + `</a></div></div>`
	}
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1><div class="thread"><div class="first">` + head("ada") + strings.Repeat(opening, 6) + `</div></div>`)
	for i, name := range []string{"ben", "cyd", "dov", "eve"} {
		fmt.Fprintf(&b, `%s<p>Answer %d: nylon, always, and a spare one.</p></div>`, head(name), i)
	}
	md := markdown.Blocks(labelled(t, b.String(), page.Forum, "Answer").Blocks, markdown.Options{})
	if !strings.Contains(md, "### eve\n\nAnswer 3: nylon") {
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

// TestHeadOfPost reads posts with what programs write around the name: a letter that is a
// link to the author, and the age of the post right behind its date. The heading of the
// page stands far before them.
func TestHeadOfPost(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body id="ips" class="ipsApp"><div><h1>Which rope?</h1></div><div class="tools">`)
	for i := range 20 {
		fmt.Fprintf(&b, `<div><a href="/tool/%d">Tool number %[1]d of this board</a></div>`, i)
	}
	b.WriteString(`</div>`)
	for i, name := range []string{"amber", "boris", "carla", "david"} {
		fmt.Fprintf(&b, `<article class="ipsComment"><a href="/u/%s"><span>%s</span></a><h3 class="ipsUsername"><a href="/u/%[1]s">%[1]s</a></h3><time>Jan %[3]d, 2026<span>1 yr</span></time><div class="content"><p>Answer %[3]d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.</p></div></article>`, name, strings.ToUpper(name[:1]), i+1)
	}
	md := markdown.Blocks(labelled(t, b.String(), page.Forum, "Which", "Tool").Blocks, markdown.Options{})
	if !strings.HasPrefix(md, "# Which rope?\n\n### amber · Jan 1, 2026\n\nAnswer 1:") || strings.Contains(md, "\n[B]") {
		t.Error(md)
	}
}

// TestLetterOfPost reads posts of which one has a letter in the place of its author's
// picture: a link to the author, which is not a text.
func TestLetterOfPost(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html id="XF"><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`)
	for i, name := range []string{"amber", "boris", "carla", "david"} {
		picture := `<img src="/p.png" alt="">`
		if i == 1 {
			picture = "<span>B</span>"
		}
		fmt.Fprintf(&b, `<article class="message message--post"><div class="message-cell"><div class="message-avatar"><a href="/members/%s/" class="avatar">%s</a></div><h4 class="message-name"><a href="/members/%[1]s/" class="username">%[1]s</a></h4></div><div class="message-main"><div class="bbWrapper">Answer %[3]d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.</div></div></article>`, name, picture, i)
	}
	md := markdown.Blocks(labelled(t, b.String(), page.Forum).Blocks, markdown.Options{})
	if !strings.Contains(md, "### boris\n\nAnswer 1:") {
		t.Error(md)
	}
}

// TestProgramsByMarks reads a thread of each program that its marks alone tell: neither
// names nor dates have a class that says so to a reader who does not know the program.
func TestProgramsByMarks(t *testing.T) {
	for _, c := range []struct{ name, page, post string }{
		{"Lemmy", `<div id="app" class="lemmy-site">%s</div>`, `<div class="comment-node"><div><span class="person-listing" title="@%s">%[1]s</span> <span class="moment-time">Jan 2, 2026</span></div><div class="md-div"><p>%[2]s</p></div></div>`},
		{"Mastodon", `<div id="mastodon">%s</div>`, `<div class="status"><div><strong class="display-name__html">%s</strong> <time>Jan 2, 2026</time></div><div class="status__content"><p>%s</p></div></div>`},
		{"MyBB", `<div id="posts">%s</div>`, `<div class="post" id="post_1"><div class="author_information"><strong><a href="member.php?uid=1">%s</a></strong></div><div><span class="post_date">Jan 2, 2026</span><div class="post_body">%s</div></div></div>`},
		{"PunBB", `<div id="brd-viewtopic"><div class="main-topic">%s</div></div>`, `<div class="post"><h3><span class="post-byline">Reply by <a href="/x">%s</a></span> <span class="post-link"><a href="/y">Jan 2, 2026</a></span></h3><div class="entry-content"><p>%s</p></div></div>`},
	} {
		var b strings.Builder
		for i, name := range []string{"amber", "boris", "carla", "david"} {
			fmt.Fprintf(&b, c.post, name, fmt.Sprintf("Answer %d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.", i))
		}
		md := markdown.Blocks(labelled(t, `<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`+fmt.Sprintf(c.page, b.String()), page.Forum).Blocks, markdown.Options{})
		if !strings.Contains(md, "### carla · Jan 2, 2026\n\nAnswer 2:") {
			t.Errorf("%s:\n%s", c.name, md)
		}
	}
}

// TestAuthorsOfGoods reads a shop's row of books: who wrote them, with a price each, wrote
// no posts.
func TestAuthorsOfGoods(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Ropes and knots | Harbour</title><body><h1>Ropes and knots</h1><p>` + strings.Repeat("All that a sailor has to know about ropes, in one book with four hundred drawings. ", 8) + `</p><ul>`)
	for i, name := range []string{"Ada Pike", "Ben Ray", "Cyd Eel", "Dov Cod"} {
		fmt.Fprintf(&b, `<li><a href="/b/%d">A book about the sea and its weather, number %[1]d</a><div class="sp-author">%s</div><div>Paperback</div><div class="price">$1%[1]d.50</div></li>`, i, name)
	}
	md := markdown.Blocks(labelled(t, b.String()+"</ul>", page.Product).Blocks, markdown.Options{})
	if strings.Contains(md, "### Ada") || !strings.Contains(md, "$12.50") {
		t.Error(md)
	}
}

// TestAuthorOfRecord reads a list whose records have authors: none of them is the author
// of the list. What the head states is.
func TestAuthorOfRecord(t *testing.T) {
	list := func(head string) []byte {
		var b strings.Builder
		b.WriteString(`<!DOCTYPE html><title>News | Harbour</title>` + head + `<body><h1>News</h1>`)
		for i, name := range []string{"Ada Pike", "Ben Ray", "Cyd Eel", "Dov Cod"} {
			fmt.Fprintf(&b, `<article class="card"><h2><a href="/n/%d">Notice number %[1]d of the harbour</a></h2><p class="byline">By %s</p><p>The mooring number %[1]d is closed for repairs until further notice of the harbour master.</p></article>`, i, name)
		}
		return []byte(b.String())
	}
	for head, want := range map[string]string{"": "", `<meta name="author" content="Eve Ling">`: "Eve Ling"} {
		p := labelled(t, string(list(head)), page.Listing)
		if p.Meta.Byline != want {
			t.Errorf("%q: %q, want %q", head, p.Meta.Byline, want)
		}
	}
}
