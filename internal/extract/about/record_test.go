package about

import (
	"testing"
)

// A day when something ends or begins, or that somebody lived to, is not that of the page.
func TestPeriods(t *testing.T) {
	for line, want := range map[string]string{
		"Please apply by 1 March 2025": "", "Valid from 1 May to 30 September 2024": "", "11 June 1931 – 2 March 2024": "", "Gültig bis 3. Mai 2025": "", "Jusqu'au 3 mai 2025": "",
		"Artikel vom 3. Mai 2024": "2024-05-03",
		"1 May 2024":              "2024-05-01", "May 1, 2024, 8:45am": "2024-05-01T08:45:00", "Posted on 1 May 2024 by Ann": "2024-05-01", "1 May 2024, from Bergen": "2024-05-01", "By Ann Bee, 1 May 2024": "2024-05-01",
	} {
		if m, _ := metaOf(t, `<title>Ole Strand</title><h1>Ole Strand</h1><p class=date>`+line+`</p><p>x</p>`, ""); m.Published != want {
			t.Errorf("%q: published %q, want %q", line, m.Published, want)
		}
	}
}

// The authors of reviews and of other threads are not those of the page.
func TestAuthorsOfRecords(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"reviews", `<title>Lamp</title><h1>Lamp</h1><p>x</p><div class=r><h4>Bright enough for the pier</h4><span class=author>Ida Moe</span><time>2024-03-02</time></div>
			<div class=r><h4>It rusted after one winter</h4><span class=author>Tor Bru</span><time>2024-03-01</time></div><div class=r><h4>Good value for the money</h4><span class=author>Ann Bee</span><time>2024-02-28</time></div>`, ""},
		{"a list of threads", `<title>Which lamp?</title><h1>Which lamp?</h1><div><p><b><a class=username href=/u/1>Tor</a></b></p><i>Posts: 4</i><p>One</p></div><div><p><b><a class=username href=/u/2>Liv</a></b></p><p>Two</p></div><h3>Similar threads</h3><ul><li><a href=/t/2>Oil or gas?</a> by <a href=/u/9>Kari</a></li></ul>`, "Tor"},
		{"a subtitle before the byline", `<title>Tides</title><h1>Tides</h1><h3>Why they come</h3><p>By Ann Bee</p>`, "Ann Bee"},
	} {
		if m, _ := metaOf(t, c.source, ""); m.Byline != c.want {
			t.Errorf("%s: byline %q, want %q", c.name, m.Byline, c.want)
		}
	}
}

// The date of a teaser, a product or a review is not the date of the page that lists it.
func TestDatesOfRecords(t *testing.T) {
	teasers := `<article class=t><h3><a href=/a>The lighthouse closes in winter</a></h3><time datetime=2024-03-01>1 March</time></article>
		<article class=t><h3><a href=/b>A ferry for the northern isles</a></h3><time datetime=2024-02-01>1 February</time></article>
		<article class=t><h3><a href=/c>Where the herring went last year</a></h3><time datetime=2024-01-01>1 January</time></article>`
	for _, c := range []struct{ name, source, want string }{
		{"a list of teasers", `<title>Harbour news</title><h1>Harbour news</h1>` + teasers, ""},
		{"a front page without a heading", `<title>Harbour news</title><main>` + teasers + `</main>`, ""},
		{"teasers beside an article", `<title>Tides</title><main><div><h1>Tides</h1><time datetime=2024-05-05>5 May 2024</time><p>x</p></div>` + teasers + `</main>`, "2024-05-05"},
		{"teasers before an article", `<title>Tides</title><main>` + teasers + `<div><h1>Tides</h1><p class=date>5 May 2024</p><p>x</p></div></main>`, "2024-05-05"},
		{"one teaser that is a link", `<title>Lamps</title><h1>Lamps</h1><p>x</p><a href=/n><div><h3>Our new lamp is here</h3><p class=date>5 May 2024</p></div></a>`, ""},
		{"one teaser whose heading is a link", `<title>Lamps</title><h1>Lamps</h1><p>x</p><div><h3><a href=/n>Our new lamp is here</a></h3><p class=date>5 May 2024</p></div>`, ""},
		{"the only heading is a link", `<title>The fog blog</title><article><h2><a href=/n>Our new lamp is here</a></h2><p class=date>5 May 2024</p><p>x</p></article>`, "2024-05-05"},
		{"titles without headings", `<title>The fog blog</title><h1>The fog blog</h1><p class=e><a href=/1>A long night at the mast</a> <span class=date>5 May 2024</span></p><p>x</p>
			<p class=e><a href=/2>What the gulls do in fog</a> <span class=date>4 May 2024</span></p><p>x</p>
			<p class=e><a href=/3>Bells and horns compared</a> <span class=date>3 May 2024</span></p><p>x</p>
			<p class=e><a href=/4>Lamps</a> <span class=date>2 May 2024</span></p><p>x</p>`, ""},
		{"reviews of a product", `<title>Lamp</title><h1>Lamp</h1><p>x</p><div class=r><h4>Bright enough for the pier</h4><p class=review-date>5 May 2024</p></div>
			<div class=r><h4>It rusted after one winter</h4><p class=review-date>4 May 2024</p></div><div class=r><h4>Good value for the money</h4><p class=review-date>3 May 2024</p></div>`, ""},
		{"a title that is a link to its page", `<title>Blog</title><div><h2><a href=/here>Tides and other things</a></h2><time datetime=2024-05-05>5 May</time></div>`, "2024-05-05"},
	} {
		if m, _ := metaOf(t, c.source, "https://example.com/here"); m.Published != c.want {
			t.Errorf("%s: published %q, want %q", c.name, m.Published, c.want)
		}
	}
}
