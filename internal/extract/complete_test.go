package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestCompletedChoice labels some blocks as boilerplate that belong to chosen ones. Each
// row says what has to be in the Markdown, in this order, and what must not.
func TestCompletedChoice(t *testing.T) {
	const long = "The ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon. "
	frame := func(body string) string {
		return "<!DOCTYPE html><title>Berths | Harbour</title><body><h1>Berths</h1><p>" + strings.Repeat(long, 9) + "</p>" + body
	}
	rows := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	for _, c := range []struct {
		name, body string
		kind       page.Type
		drop       []string // beginnings of the blocks that are labelled as boilerplate
		want       []string
		not        []string
	}{
		{
			name: "the name of a plan before its price",
			body: `<div class="plans">` + rows(3, func(i int) string {
				name := [...]string{"Pro", "Business", "Contract"}[i]
				return fmt.Sprintf(`<div class="plan"><p class="up">%s</p><h6>$%d0</h6><p>For boats that lie in the harbour in winter %[2]d.</p><a href="/start">Get started</a></div>`, name, i+2)
			}) + `</div>`,
			kind: page.Service, drop: []string{"Pro", "Business", "Contract", "Get"},
			want: []string{"Pro", "$20", "Business", "$30", "Contract", "$40"},
		},
		{
			name: "the dates of cards, in plain text",
			body: `<div>` + rows(4, func(i int) string {
				return fmt.Sprintf(`<div class="card"><h2><a href="/n/%d">Notice number %[1]d</a></h2><p>The mooring number %[1]d is closed for repairs until further notice of the harbour.</p><div>%d December 2025</div><div>Share it</div></div>`, i, 10+i)
			}) + `</div>`,
			kind: page.Listing, drop: []string{"10", "11", "12", "13", "Share"},
			want: []string{"Notice number 0", "10 December 2025", "Notice number 3", "13 December 2025"},
		},
		{
			name: "the price of the page's own product",
			body: `<div class="price-box"><span class="price">€ 24.90</span></div><p>` + long + `</p><div class="related">` + rows(3, func(i int) string {
				return fmt.Sprintf(`<div class="card"><h3><a href="/p/%d">Cleat number %[1]d</a></h3><span class="price">€ 3%[1]d.50</span></div>`, i)
			}) + `</div>`,
			kind: page.Product, drop: []string{"€", "Cleat"},
			want: []string{"# Berths", "€ 24.90", "The ferry"}, not: []string{"€ 3"},
		},
		{
			name: "the price that the page's data states, in a box beside those of other sellers",
			body: `<script type="application/ld+json">{"@type":"Product","name":"Berths","offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR"}}</script><div class="side">` + rows(3, func(i int) string {
				price := [...]string{"24.90", "31.50", "32.50"}[i]
				return fmt.Sprintf(`<div class="price-box"><h3><a href="/s/%d">Sold by pier %[1]d</a></h3><span class="price">€ %s</span></div>`, i, price)
			}) + `</div><h2>The berth</h2><p>` + long + `</p>`,
			kind: page.Product, drop: []string{"€", "Sold"},
			want: []string{"# Berths", "€ 24.90", "The ferry"},
		},
		{
			name: "a linked heading that a line above says without a link",
			body: `<div class="ticker"><p>The outer wall is closed for all boats until the first of May</p></div><div class="card"><h3><a href="/n/1">The outer wall is closed for all boats until the first of May</a></h3><p>` + long + `</p></div>`,
			kind: page.Listing,
			want: []string{"The outer wall", "### [The outer wall is closed", "The ferry"},
		},
		{
			name: "who said a quotation",
			body: `<blockquote><p>` + long + `</p><cite>Mayor Dunn</cite><p><a role="button">Copy it</a></p></blockquote><blockquote><p>Nobody said a word about it then.</p><cite>Mayor Eel</cite></blockquote>`,
			kind: page.Article, drop: []string{"Mayor", "Copy", "Nobody"},
			want: []string{"> The ferry", "Mayor Dunn"},
		},
		{
			name: "the summary of details",
			body: `<details><summary>Winter rules</summary><p>` + long + `</p></details><details><summary>Imprint</summary><p>About us</p></details>`,
			kind: page.Article, drop: []string{"Winter", "Imprint", "About"},
			want: []string{"Winter rules", "The ferry"}, not: []string{"Imprint"},
		},
		{
			name: "what an item of a list says before its list",
			body: `<ul>` + rows(3, func(i int) string {
				return fmt.Sprintf(`<li>Pier %d<ul><li>Berths with water and power %[1]d</li><li>A crane for boats %[1]d</li></ul></li>`, i)
			}) + `</ul><ul><li>Imprint<ul><li>About us</li></ul></li></ul>`,
			kind: page.Service, drop: []string{"Pier", "Imprint", "About"},
			want: []string{"- Pier 0", "  - Berths with water and power 0", "- Pier 2"}, not: []string{"Imprint"},
		},
		{
			name: "a part of an article in an element of its own",
			body: `<article><h1>Deeper dive</h1><p class="author">Ada Mole</p><p>` + long + `</p></article>`,
			kind: page.Article,
			want: []string{"# Deeper dive", "The ferry"},
		},
		{
			name: "a heading that repeats with its text",
			body: `<div class="a"><h2>Lamps of brass</h2><p>` + long + `</p></div><div class="mobile"><h2>Lamps of brass</h2><div><p>` + long + `</p></div></div><h2>Ropes</h2><p>Ropes are sold by the metre.</p>`,
			kind: page.Product,
			want: []string{"## Lamps of brass\n\nThe ferry", "## Ropes"}, not: []string{"## Lamps of brass\n\n## Ropes"},
		},
	} {
		p := labelled(t, frame(c.body), c.kind, c.drop...)
		md := markdown.Blocks(p.Blocks, markdown.Options{})
		at := 0
		for _, w := range c.want {
			i := strings.Index(md[at:], w)
			if i < 0 {
				t.Errorf("%s: no %q in its place:\n%s", c.name, w, md)
				break
			}
			at += i + len(w)
		}
		for _, w := range c.not {
			if strings.Contains(md, w) {
				t.Errorf("%s: %q:\n%s", c.name, w, md)
			}
		}
	}
}

// TestOpeningShownTwice reads a thread that shows its opening post before the heading of
// the page too. The post stands below the heading, under its
// author and its own date.
func TestOpeningShownTwice(t *testing.T) {
	text := func(i int) string {
		return fmt.Sprintf("Answer %d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon.", i)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><title>Which rope? | Harbour</title><body><div class="viewer"><div class="view-text">%s</div></div><div class="main"><h1>Which rope?</h1>`, text(0))
	for i, name := range []string{"amber", "boris", "carla", "david"} {
		fmt.Fprintf(&b, `<div class="post"><div class="head"><a class="username" href="/members/%d">%s</a></div><div class="facts"><span class="card-join-date">Joined 201%[1]d</span></div><article class="text">%[3]s</article><div class="foot"><time datetime="2026-01-0%[4]dT10:00">Jan %[4]d, 2026</time></div></div>`, i, name, text(i), i+1)
	}
	md := markdown.Blocks(labelled(t, b.String()+"</div>", page.Forum, "Joined", "Jan").Blocks, markdown.Options{})
	if !strings.HasPrefix(md, "# Which rope?\n\n### amber · Jan 1, 2026\n\n") || strings.Count(md, "Answer 0") != 1 {
		t.Error(md)
	}
}

// TestQuotationIsWhole labels a part of a quotation, and who said it, as boilerplate. The
// post has all of it.
func TestQuotationIsWhole(t *testing.T) {
	md := markdown.Blocks(labelled(t, quoting(), page.Forum, "amber", "Polyester", "Show").Blocks, markdown.Options{})
	if !strings.Contains(md, "### boris\n\namber said:\n\n> Nylon stretches too much in a tidal berth.\n>\n> Polyester chafes less, they say.") || !strings.Contains(md, "\n\nThat is why answer 1") {
		t.Error(md)
	}
}

// TestThreadReadWhole reads all of a thread: what a post begins with stands below its
// heading too, not below that of the post before.
func TestThreadReadWhole(t *testing.T) {
	p, err := HTML([]byte(quoting()), Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	md := markdown.Blocks(p.Blocks, markdown.Options{})
	if at := strings.Index(md, "### boris"); at < 0 || strings.Index(md, "amber said:") < at {
		t.Error(md)
	}
}

// quoting is a thread in which a post begins with a quotation.
func quoting() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`)
	for i, name := range []string{"amber", "boris", "carla", "david"} {
		quotation := ""
		if i == 1 {
			quotation = `<div class="by">amber said:</div><blockquote><p>Nylon stretches too much in a tidal berth.</p><p>Polyester chafes less, they say.</p><div><a role="button">Show more</a></div></blockquote>`
		}
		fmt.Fprintf(&b, `<div class="post"><div class="head"><a class="username" href="/members/%d">%s</a></div><article class="text">%s<p>That is why answer %[1]d says nylon for the anchor and polyester for the quay, and never the other way round.</p>%[4]s</article></div>`, i, name, quotation, strings.Repeat(reply, 2))
	}
	return b.String()
}

// TestNamesBetweenTexts labels the names in a thread as boilerplate that no mark calls
// names. They stay between the texts.
func TestNamesBetweenTexts(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body><h1>Which rope?</h1>`)
	for i, name := range []string{"amber", "boris", "carla", "david", "elena"} {
		fmt.Fprintf(&b, `<div class="row"><div class="left">%s</div><div class="level">Visitor</div><div class="right"><p>Answer %d: the ferry left the quay at dawn and followed the coast for an hour before the fog came in, and we lay at anchor until noon, %[1]s. Nobody on deck spoke, and nobody has said a word about it since, %[1]s, except for the pilot, who was asleep.</p></div><div class="foot"><button>Like %[2]d</button></div></div>`, name, i)
	}
	md := markdown.Blocks(labelled(t, b.String(), page.Forum, "amber", "boris", "carla", "david", "elena", "Visitor", "Like").Blocks, markdown.Options{})
	if !strings.Contains(md, "amber\n\nVisitor\n\nAnswer 0") || !strings.Contains(md, "elena\n\nVisitor\n\nAnswer 4") {
		t.Error(md)
	}
}

// TestRemarksUnderAnswers labels all but one of the remarks under answers as boilerplate,
// and nothing of the lines that the program adds to each. All remarks of a thread are kept.
func TestRemarksUnderAnswers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><title>Which rope? | Harbour</title><body class="question-page"><h1>Which rope?</h1>`)
	remark := func(name string, i int) string {
		return fmt.Sprintf(`<li class="comment"><div class="text"><span>Remark %d on rope says that it frays.</span> <div>– <a class="comment-user" href="/u/%s">%[2]s</a></div><div><span class="comment-date">Jan %[1]d, 2026 at 8:00</span></div></div></li>`, i, name)
	}
	for i, name := range []string{"amber", "boris", "carla"} {
		fmt.Fprintf(&b, `<div class="answercell"><div class="s-prose"><p>Answer %d: %s</p><p>%[2]s</p></div><div class="menu"><a class="share" href="/a/%[1]d">Share this answer of %[4]s</a></div><div class="owner"><div class="user-details"><a href="/users/%[1]d">%[3]s</a></div></div></div><ul>`, i, strings.Repeat(reply, 3), name, name)
		for k, by := range []string{"david", "elena", "frida"} {
			b.WriteString(remark(by, 3*i+k+1))
		}
		b.WriteString("</ul>")
	}
	md := markdown.Blocks(labelled(t, b.String(), page.Forum, "Remark 2", "Remark 3", "Remark 4", "Remark 5", "Remark 6", "Remark 7", "Remark 8", "Remark 9").Blocks, markdown.Options{})
	for _, want := range []string{"### amber", "### david · Jan 1, 2026 at 8:00\n\nRemark 1", "### frida · Jan 9, 2026 at 8:00\n\nRemark 9"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
}
