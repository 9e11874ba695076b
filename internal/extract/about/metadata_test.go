package about

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

func metaOf(t testing.TB, source, address string) (page.Meta, Hints) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return Read(doc, address)
}

// Each case is a page and the fields that matter; the others are not compared.
func TestMeta(t *testing.T) {
	for _, c := range []struct {
		name, url, source string
		want              page.Meta
	}{
		{
			name: "metadata of a blog",
			url:  "https://blog.example.com/2025/09/04/trends",
			source: `<html lang=en-us><head><title>Trends | Example Blog</title>
				<meta property=og:title content="Trends">
				<meta property=og:site_name content="Example Blog">
				<meta name=description content="  What   comes. ">
				<meta property=article:published_time content="2025-09-04T10:00:00+02:00">
				<meta property=article:modified_time content="2025-09-05T11:00:00Z">
				<meta name=author content="Ann Bee">
				<link rel=canonical href="/trends">
				<meta property=og:image content="/lead.jpg">
				<link rel=license href="https://creativecommons.org/licenses/by/4.0/">
				</head><body><h1>Trends</h1><p>x</p></body></html>`,
			want: page.Meta{
				Title: "Trends", Byline: "Ann Bee", Published: "2025-09-04T10:00:00+02:00", Modified: "2025-09-05T11:00:00Z", Language: "en-US",
				SiteName: "Example Blog", Excerpt: "What comes.", Licence: "https://creativecommons.org/licenses/by/4.0/",
				Canonical: "https://blog.example.com/trends", Image: "https://blog.example.com/lead.jpg",
			},
		},
		{
			name: "a graph whose author is a reference",
			url:  "https://example.com/a",
			source: `<title>A way - Example</title><script type="application/ld+json">{"@context":"https://schema.org","@graph":[
				{"@type":"WebSite","@id":"#site","name":"Example"},
				{"@type":["Article","NewsArticle"],"headline":"A way","author":{"@id":"#ann"},"datePublished":"2024-02-29","publisher":{"@id":"#org"}},
				{"@type":"Person","@id":"#ann","name":"Ann Bee"}]}</script><h1>A way</h1>`,
			want: page.Meta{Title: "A way", Byline: "Ann Bee", Published: "2024-02-29", SiteName: "Example"},
		},
		{
			name:   "people before the organisation that the data names",
			source: `<title>T</title><script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"The Clinic"}}</script><h1>T</h1><p class=byline>By Ann Bee</p>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "the organisation if no other author is named",
			source: `<title>T</title><script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"The Clinic"}}</script><h1>T</h1>`,
			want:   page.Meta{Byline: "The Clinic"},
		},
		{
			name: "a list of articles has no author",
			source: `<title>All posts</title><script type="application/ld+json">[` +
				strings.Repeat(`{"@type":"BlogPosting","headline":"One of them","author":"Carl Dee","datePublished":"2020-01-01"},`, 5) + `]</script><h1>All posts</h1>`,
			want: page.Meta{Title: "All posts"},
		},
		{
			name:   "generic accounts are not authors",
			source: `<title>T</title><meta name=author content=admin><h1>T</h1><a rel=author href=/u/1>Ann Bee</a>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "a stated account that the page shows nowhere",
			source: `<title>T</title><script type="application/ld+json">{"@type":"Article","headline":"T","datePublished":"2025-03-01","author":{"@type":"Person","name":"newsdesk-7"}}</script><h1>T</h1><p>By Ann Bee</p>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-03-01"},
		},
		{
			name:   "a stated author that the page shows in another form",
			source: `<title>T</title><meta name=author content="Carlotta Dee"><h1>T</h1><p>By C. Dee</p>`,
			want:   page.Meta{Byline: "Carlotta Dee"},
		},
		{
			name:   "an author at the title, and the stated one elsewhere",
			source: `<title>T</title><meta name=author content="Carlotta Dee"><h1>T</h1><p>By Ann Bee</p><p>Photographs: C. Dee</p>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "more authors at the title than the data has",
			source: `<title>T</title><meta name=author content="Ann Bee"><h1>T</h1><p>By <a href=/a>Ann Bee</a>, <a href=/b>Carl Dee</a> and <a href=/e>Eve Fox</a>, Staff Writer</p>`,
			want:   page.Meta{Byline: "Ann Bee, Carl Dee, Eve Fox"},
		},
		{
			name:   "a label and the names behind it at the end",
			source: `<title>T</title><h1>T</h1>` + strings.Repeat("<p>Text.</p>", 45) + `<dl><dt>Author(s)</dt><dd>Ann Bee</dd><dd>Carl Dee</dd></dl><p>Download PDF</p>`,
			want:   page.Meta{Byline: "Ann Bee, Carl Dee"},
		},
		{
			name:   "a name behind the label, a job and a place behind the name",
			source: `<title>T</title><h1>T</h1><p>Text.</p><p>Authors: Ann Bee and Carl Dee, Extension educators</p>`,
			want:   page.Meta{Byline: "Ann Bee, Carl Dee"},
		},
		{
			name:   "a page that was written anew: an earlier day at the title",
			source: `<title>T</title><script type="application/ld+json">{"@type":"Article","headline":"T","datePublished":"2025-06-24","dateModified":"2025-06-24"}</script><h1>T</h1><p>August 25, 2024</p>`,
			want:   page.Meta{Published: "2024-08-25", Modified: "2025-06-24"},
		},
		{
			name:   "a stated author beside an agency",
			source: `<title>T</title><meta name=author content="Carlotta Dee"><h1>T</h1><p>By Reuters</p>`,
			want:   page.Meta{Byline: "Carlotta Dee"},
		},
		{
			name:   "people without a name",
			source: `<title>T</title><h1>T</h1><p class=byline>A note from the editors</p>`,
			want:   page.Meta{},
		},
		{
			name:   "an address is not an author",
			source: `<meta property=article:author content="https://facebook.com/ann"><p>x`,
			want:   page.Meta{},
		},
		{
			name:   "a byline of several, with jobs and dates",
			source: `<h1>Some heading</h1><div class="post-byline">Written by <a href="/author/ann">Ann Bee</a> and <a href="/author/carl">Carl Dee</a> on May 3, 2025</div>`,
			want:   page.Meta{Title: "Some heading", Byline: "Ann Bee, Carl Dee", Published: "2025-05-03"},
		},
		{
			name:   "lines below the heading without any mark",
			source: `<title>Heading here</title><h1>Heading here</h1><div>By Ann Bee</div><div>Updated: 3 May 2025</div><p>Text.`,
			want:   page.Meta{Byline: "Ann Bee", Modified: "2025-05-03"},
		},
		{
			name:   "the date of a change is not that of publication",
			source: `<title>Heading here</title><meta property=article:modified_time content="2026-02-27"><h1>Heading here</h1><div>Last updated on</div><div>February 27, 2026</div><p>Text.`,
			want:   page.Meta{Title: "Heading here", Modified: "2026-02-27"},
		},
		{
			name: "a title whose first part resembles the site's name", url: "https://ropes.harbour.example/ropes-in-fog",
			source: `<title>Ropes Online: Knots in Fog | Harbour</title><meta property=og:title content="Ropes Online: Knots in Fog"><h1>Ropes Online: Knots in Fog</h1><p>Text.`,
			want:   page.Meta{Title: "Ropes Online: Knots in Fog"},
		},
		{
			name: "the first page of a site", url: "https://www.harbour.example/",
			source: `<title>Harbour: Ropes and Knots</title><meta property=og:title content="Harbour: Ropes and Knots"><h1>All your ropes in one place</h1><p>Text.`,
			want:   page.Meta{Title: "Harbour: Ropes and Knots"},
		},
		{
			name:   "a word before the heading of a thread",
			source: `<title>Which rope for a dinghy? | Rope Talk</title><meta property=og:title content="Which rope for a dinghy?"><meta property=og:site_name content="Rope Talk"><h1>Thread: Which rope for a dinghy?</h1><p>Text.`,
			want:   page.Meta{Title: "Which rope for a dinghy?"},
		},
		{
			name:   "of two headings the one that opens the title",
			source: `<title>Knots in fog - The Rope Programme</title><meta property=og:title content="Knots in fog - The Rope Programme"><h1>The Rope Blog</h1><h1>Knots in fog</h1><p>Text.`,
			want:   page.Meta{Title: "Knots in fog"},
		},
		{
			name:   "a path of boards",
			source: `<title>Which rope holds in a storm? / Ropes / Rope Talk</title><h1>Rope Talk</h1><p>Text.`,
			want:   page.Meta{Title: "Which rope holds in a storm?"},
		},
		{
			name:   "a chapter of a book",
			source: `<title>Splices | Rope documentation | Rope</title><meta property=og:title content="Splices | Rope documentation"><p>Text.`,
			want:   page.Meta{Title: "Splices"},
		},
		{
			name:   "a logo as heading",
			source: `<title>Harbour Watch: Ferries in fog</title><meta property=og:title content="Ferries in fog"><h1>Harbour Watch</h1><p>Text.`,
			want:   page.Meta{Title: "Ferries in fog"},
		},
		{
			name:   "the heading of a section against title and og:title",
			source: `<title>What do people love about ropes? | Rope Blog</title><meta property=og:title content="What do people love about ropes? | Rope Blog"><h1>But the sense of strength is what they love most</h1><p>Text.`,
			want:   page.Meta{Title: "What do people love about ropes?"},
		},
		{
			name:   "the whole title given as name of the site",
			source: `<title>Manage berths overview | Quay | Harbour Developer</title><meta property=og:title content="Manage berths overview | Quay | Harbour Developer"><meta property=og:site_name content="Manage berths overview | Quay | Harbour Developer"><h1>Manage berths overview</h1><p>Text.`,
			want:   page.Meta{Title: "Manage berths overview"},
		},
		{
			name: "a title of the site, and a heading that the address confirms", url: "https://www.harbour.example/r/ropes/1rl/polyester_rope_and_chafe/",
			source: `<title>Harbour - The heart of the coast</title><h1>Polyester rope and chafe</h1><p>Text.`,
			want:   page.Meta{Title: "Polyester rope and chafe"},
		},
		{
			name: "a heading that repeats the title with the name of the site", url: "https://www.harbour.example/fog",
			source: `<title>Ferries in fog | Harbour</title><meta property=og:site_name content="Harbour.example"><h1>Ferries in fog | Harbour</h1><p>Text.`,
			want:   page.Meta{Title: "Ferries in fog"},
		},
		{
			name: "the name of the site in the place of a title for links", url: "https://www.harbour.example/fog",
			source: `<title>Which ferry sails in fog? | Harbour</title><meta property=og:title content=Harbour><meta property=og:site_name content=Harbour><meta property=og:title content="Which ferry sails in fog? | Harbour"><h1>Which ferry sails in fog?</h1><p>Text.`,
			want:   page.Meta{Title: "Which ferry sails in fog?"},
		},
		{
			name: "a product whose name begins with that of the site", url: "https://www.harbour.example/bell",
			source: `<title>Harbour Bell – Up to nine miles of sound</title><meta property=og:title content="Harbour Bell – Up to nine miles of sound"><h1>Harbour Bell</h1><p>Text.`,
			want:   page.Meta{Title: "Harbour Bell"},
		},
		{
			name: "the first page of a site is called home", url: "https://harbour.example/",
			source: `<title>Home - The Harbour Blog</title><meta property=og:title content=Home><meta property=og:site_name content="The Harbour Blog"><p>Text.`,
			want:   page.Meta{Title: "The Harbour Blog"},
		},
		{
			name: "the label of a thread, and the sign of a link to the heading", url: "https://harbour.example/t/7",
			source: `<title>News - Ferries in fog | Harbour</title><meta property=og:title content="News - Ferries in fog"><script type="application/ld+json">{"@type":"DiscussionForumPosting","headline":"Ferries in fog"}</script><h1><span>News</span> Ferries in fog<a href=#>¶</a></h1><p>Text.`,
			want:   page.Meta{Title: "Ferries in fog"},
		},
		{
			name: "the logo of a blog opens the title, in a heading", url: "https://blog.harbour.example/fog",
			source: `<title>Harbour Data Blog: Which of the ferries sailed in the fog of March</title><meta property=og:title content="Which of the ferries sailed in the fog of March"><h1>Harbour Data Blog</h1><h1>What they carry</h1><p>Text.`,
			want:   page.Meta{Title: "Which of the ferries sailed in the fog of March"},
		},
		{
			name: "what a program calls its pages", url: "https://forum.harbour.example/viewtopic.php?t=7",
			source: `<title>Harbour • View topic - Ferries in fog</title><h2>Ferries in fog</h2><p>Text.`,
			want:   page.Meta{Title: "Ferries in fog"},
		},
		{
			name:   "a home page says nothing",
			source: `<title>Best Ropes | Home Page</title><meta property=og:site_name content="Best Ropes"><h1>Welcome to Best Ropes</h1><p>Text.`,
			want:   page.Meta{Title: "Welcome to Best Ropes"},
		},
		{
			name:   "an element's name in a title",
			source: `<title>The &lt;template&gt; element</title><meta property=og:title content="The &lt;template&gt; element"><h1>The &lt;template&gt; element</h1><p>Text.`,
			want:   page.Meta{Title: "The <template> element"},
		},
		{
			name: "only the heading says what the address says", url: "https://harbour.example/tours/all-ropes/",
			source: `<title>Line for Every Boat | Strong &amp; Cheap | Harbour</title><meta property=og:title content="Line for Every Boat | Strong &amp; Cheap | Harbour"><h1>All Ropes</h1><p>Text.`,
			want:   page.Meta{Title: "All Ropes", SiteName: "Harbour"},
		},
		{
			name: "a sentence that has the words of the address is not a title", url: "https://harbour.example/blog/best-rope-knots",
			source: `<title>The 10 Best Knots</title><meta property=og:title content="The 10 Best Knots"><h1>Learn which knots hold best in which rope, how long each of them holds in a storm, and what to do when the best of them slips at night.</h1><p>Text.`,
			want:   page.Meta{Title: "The 10 Best Knots"},
		},
		{
			name: "a heading that is the name of a department", url: "https://fog.example/agency",
			source: `<title>The Agency | Fog and Horns at Harbour Tech</title><h1>Harbour Institute of Technology</h1><p>Text.`,
			want:   page.Meta{Title: "The Agency"},
		},
		{
			name: "a title without a title", url: "https://harbour.example/shop/fog-horns",
			source: `<title>| Harbour &amp; Sons Magazine</title><h1>Fog Horns</h1><p>Text.`,
			want:   page.Meta{Title: "Fog Horns"},
		},
		{
			name: "a long heading in other words than the head", url: "https://harbour.example/guide",
			source: `<title>How To Use Mooring Lines: A Skipper’s Guide | Harbour</title><meta property=og:title content="How To Use Mooring Lines: A Skipper’s Guide"><h1>Mooring in Any Wind Without Fear</h1><p>Text.`,
			want:   page.Meta{Title: "How To Use Mooring Lines: A Skipper’s Guide", SiteName: "Harbour"},
		},
		{
			name: "a long heading in some of the words of the head", url: "https://harbour.example/guide",
			source: `<title>Best Mooring Lines 2025 - Top 25 Ranked by Strength</title><meta property=og:title content="Best Mooring Lines 2025 - Top 25 Ranked by Strength"><h1>List of Top Mooring Lines in the West</h1><p>Text.`,
			want:   page.Meta{Title: "List of Top Mooring Lines in the West"},
		},
		{
			name:   "a video in an article has a date of its own",
			source: `<title>Heading here</title><meta property=article:published_time content="2024-05-06"><script type="application/ld+json">{"@type":"VideoObject","name":"Heading here","uploadDate":"2019-01-02"}</script><h1>Heading here</h1><p>Text.`,
			want:   page.Meta{Published: "2024-05-06"},
		},
		{
			name:   "the dates of teasers are not the page's",
			source: `<title>Heading here</title><h1>Heading here</h1><p class="published">May 3, 2025</p><p>Text.</p><div><h3>Other</h3><meta itemprop=dateCreated content="2011-01-01"><span itemprop=dateCreated>1 January 2011</span></div>`,
			want:   page.Meta{Published: "2025-05-03"},
		},
		{
			name:   "what is not a name",
			source: `<title>Heading here</title><meta name=author content="Last Updated: May 3, 2025"><h1>Heading here</h1><p class=byline>A note from Ann Bee</p>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "a name in two cases",
			source: `<title>Heading here</title><meta name=author content="ANN BEE"><meta name=author content="Ann Bee"><h1>Heading here</h1>`,
			want:   page.Meta{Byline: "ANN BEE"},
		},
		{
			name:   "after a summary, and a name beside a job",
			source: `<title>Heading here</title><h1>Heading here</h1><p>` + strings.Repeat("A summary of it. ", 12) + `</p><div class=author><b>Ann Bee</b><i>Head of Bees</i></div><p>May 3, 2025</p><p>` + strings.Repeat("Text. ", 40) + `</p><p>1 January 2001</p>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name: "the dates and authors of answers are not those of the question",
			source: `<title>Heading here</title><div itemscope itemtype="https://schema.org/Question"><h1 itemprop=name>Heading here</h1><time itemprop=dateCreated datetime="2014-02-04 13:02:51Z">then</time><p>Text.</p>` +
				`<div itemscope itemtype="https://schema.org/Answer"><span itemprop=author itemscope itemtype="https://schema.org/Person"><span itemprop=name>Carl Dee</span></span><div itemscope itemtype="https://schema.org/Comment"><time itemprop=datePublished>2019-01-21T21:40:59Z</time></div></div></div>`,
			want: page.Meta{Published: "2014-02-04T13:02:51Z"},
		},
		{
			name:   "the date of a change in an element for times",
			source: `<title>Heading here</title><article><h1>Heading here</h1><p>Text.</p><time itemprop=dateModified datetime=2026-02-27>February</time></article>`,
			want:   page.Meta{Modified: "2026-02-27"},
		},
		{
			name:   "a date behind the author at the end of the text",
			source: `<title>Heading here</title><h1>Heading here</h1><p>` + strings.Repeat("Text. ", 40) + `</p><p>` + strings.Repeat("More. ", 40) + `</p><p>` + strings.Repeat("More. ", 40) + `</p><div><p>Written by <a href="/author/ann">Ann Bee</a></p><p>April 8, 2024</p></div>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2024-04-08"},
		},
		{
			name:   "the date of a change before the heading",
			source: `<title>Heading here</title><main><div><span class=dateline>May 3, 2025</span><span>Updated: May 9, 2025</span><h1>Heading here</h1></div><p>Text.</main>`,
			want:   page.Meta{Published: "2025-05-03"},
		},
		{
			name:   "a name, a job and a date in one line",
			source: `<title>Heading here</title><h1>Heading here</h1><p>Ann Bee | Senior Writer | May 3, 2025</p><p>Text.`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "a name before the date, behind a summary",
			source: `<title>Heading here</title><h1>Heading here</h1><p>` + strings.Repeat("A summary of it. ", 12) + `</p><p>Ann Bee</p><p>03.05.2025 · 6 min</p><p>` + strings.Repeat("Text. ", 40) + `</p><img src=a.png alt="Ann Bee">`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "the site in the data, and the author on the page",
			source: `<title>Heading here</title><meta property=og:site_name content="The Daily"><script type="application/ld+json">{"@type":"Article","headline":"Heading here","datePublished":"2025-05-03","author":{"@type":"Person","name":", THE DAILY"}}</script><h1>Heading here</h1><span class=author>Ann Bee</span>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "the site behind the name",
			source: `<title>Heading here</title><meta property=og:site_name content="The Daily"><meta name=author content="Ann Bee, The Daily"><h1>Heading here</h1>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "a new edition of a page",
			source: `<title>Heading here</title><meta name=published-time content="2026-05-03T10:00:00Z"><meta name=published-date content="2021-02-16"><h1>Heading here</h1>`,
			want:   page.Meta{Published: "2021-02-16"},
		},
		{
			name:   "the age behind a name, and on whose behalf",
			source: `<title>Heading here</title><h1>Heading here</h1><p class=byline>via ann 3 days ago</p>`,
			want:   page.Meta{Byline: "ann"},
		},
		{
			name:   "a date before the heading",
			source: `<title>Heading here</title><main><div><a href=/>Back</a><p>May 3, 2025 · 4 min read</p><h1>Heading here</h1></div><p>Text.</main>`,
			want:   page.Meta{Published: "2025-05-03"},
		},
		{
			name:   "the masthead has the date of the day",
			source: `<title>Heading here</title><header><span>Saturday, 20 December 2025</span></header><main><h1>Heading here</h1><p>Text.</main>`,
			want:   page.Meta{Title: "Heading here"},
		},
		{
			name:   "the author of the discussion, not of its best answer",
			source: `<title>Heading here</title><h1>Heading here</h1><span>Thread starter</span><a>Ann Bee</a><article><span itemprop=author>Carl Dee</span></article>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "an aside that never ends holds the page",
			source: `<title>Heading here</title><aside class=banner><p>Join us</p><div><h1>Heading here</h1><span class=post-author>Ann Bee</span><p>Text.`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "the end of the text names the author",
			source: `<title>Heading here</title><h1>Heading here</h1><p>Text.</p><h3>Written by Ann Bee</h3>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "the card of the page names the author",
			source: `<title>Heading here</title><meta name=twitter:label1 content="Written by"><meta name=twitter:data1 content="Ann Bee"><meta name=twitter:label2 content="Est. reading time"><meta name=twitter:data2 content="5 minutes"><h1>Heading here</h1>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "a name beside the date that a picture confirms",
			source: `<title>Heading here</title><h1>Heading here</h1><img src=a.jpg alt="Ann Bee"><p>Ann Bee</p><p>May 3, 2025</p><p>` + strings.Repeat("Text. ", 40),
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "a section beside the date is no name",
			source: `<title>Heading here</title><h1>Heading here</h1><p>Digital Ropes</p><p>May 3, 2025</p><p>` + strings.Repeat("Text. ", 40),
			want:   page.Meta{Published: "2025-05-03"},
		},
		{
			name:   "the time to read stands before the name",
			source: `<title>Heading here</title><h1>Heading here</h1><span>Author</span><span>5 min read</span><span>Ann Bee</span><p>` + strings.Repeat("Text. ", 40),
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "initials beside a name",
			source: `<title>Heading here</title><h1>Heading here</h1><div class=author><span itemprop=name>AB</span><span itemprop=name>Ann Bee</span></div>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "a date before the name",
			source: `<title>Heading here</title><h1>Heading here</h1><div class=publish-date-author>May 3, 2025 · Ann Bee</div>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "a link to an author",
			source: `<title>Heading here</title><h1>Heading here</h1><p><a href="/blog/author/ann-bee">Ann Bee</a></p>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "the site among the authors",
			source: `<title>T</title><meta property=og:site_name content="The Daily"><meta name=author content="Ann Bee"><meta name=author content="The Daily"><h1>T</h1>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "names of their own for a date",
			source: `<title>T</title><meta name=w-published-date content="2025-05-27T06:03:43Z"><meta name=page-last-updated content="May 28, 2025">`,
			want:   page.Meta{Published: "2025-05-27T06:03:43Z", Modified: "2025-05-28"},
		},
		{
			name: "tokens of microdata and RDFa", url: "https://example.com/",
			source: `<title>T</title><h1>T</h1><time itemprop="dateCreated datePublished" datetime=2024-12-03>then</time><time itemprop=dateModified datetime=2024-12-04>now</time>
				<span property="schema:author">Ann Bee</span><a itemprop=license href="/terms">terms</a>`,
			want: page.Meta{Byline: "Ann Bee", Published: "2024-12-03", Modified: "2024-12-04", Licence: "https://example.com/terms"},
		},
		{
			name: "Dublin Core and citations", url: "https://example.com/",
			source: `<title>T</title><meta name=citation_author content="Bee, Ann"><meta name=citation_author content="Dee, Carl"><meta name=DC.date.issued content="2020/01/31"><meta name=dcterms.license content="All rights reserved">`,
			want:   page.Meta{Byline: "Ann Bee, Carl Dee", Published: "2020-01-31", Licence: "All rights reserved"},
		},
		{
			name:   "a heading that is a logo without a name",
			source: `<title>What is Ownership? - The Book</title><h1>The Book</h1>`,
			want:   page.Meta{Title: "What is Ownership?"},
		},
		{
			name:   "a section behind a bar",
			source: `<title>A long title of it | District</title>`,
			want:   page.Meta{Title: "A long title of it"},
		},
		{
			name:   "a language written in Latin letters stays",
			source: `<html lang=de><title>T</title><p>` + strings.Repeat("Das ist ein Satz. ", 12),
			want:   page.Meta{Language: "de"},
		},
		{
			name:   "comments and sidebars name other people",
			source: `<title>Heading here</title><h1>Heading here</h1><div class=comments><span class=author>Troll</span><time datetime=2001-01-01>then</time></div><div class=sidebar><span class=author>Other</span></div>`,
			want:   page.Meta{Title: "Heading here"},
		},
		{
			name:   "a class of the whole page mutes nothing",
			source: `<title>Heading here</title><div class="layout with-sidebar"><h1>Heading here</h1><span class=author>Ann Bee</span><time datetime="2024-06-02T20:22:24-0400">2 June</time></div>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2024-06-02T20:22:24-04:00"},
		},
		{
			name:   "microdata",
			source: `<article itemscope><h1 itemprop=headline>H of it</h1><span itemprop=author itemscope><meta itemprop=name content="Ann Bee"></span><meta itemprop=datePublished content="2023-12-31"></article>`,
			want:   page.Meta{Title: "H of it", Byline: "Ann Bee", Published: "2023-12-31"},
		},
		{
			name: "the date in the address", url: "https://example.com/news/2019-03-01-thing",
			source: `<title>Thing</title>`,
			want:   page.Meta{Title: "Thing", Published: "2019-03-01"},
		},
		{
			name: "the site's name in the title, by its host", url: "https://www.acmetools.co.uk/x",
			source: `<title>Hammers - Acme Tools</title>`,
			want:   page.Meta{Title: "Hammers", SiteName: "Acme Tools"},
		},
		{
			name:   "a heading that is the logo is not the title",
			source: `<title>Hammers | Acme</title><meta property=og:site_name content=Acme><h1>Acme</h1>`,
			want:   page.Meta{Title: "Hammers", SiteName: "Acme"},
		},
		{
			name:   "entities escaped twice, markup and invisible characters",
			source: "<title>Fish &amp;amp; &amp;lt;b&amp;gt;Chips&amp;lt;/b&amp;gt;\u200b\u202e</title>",
			want:   page.Meta{Title: "Fish & Chips"},
		},
		{
			name: "base, and schemes that are not of the web", url: "https://example.com/a/",
			source: `<base href="https://cdn.example.net/x/"><link rel=canonical href="javascript:alert(1)"><meta property=og:url content="y"><meta property=og:image content="data:image/png;base64,AAAA">`,
			want:   page.Meta{Canonical: "https://cdn.example.net/x/y"},
		},
		{
			name:   "a main column whose class begins like a margin's, below a logo in a heading",
			source: `<title>T of it</title><header><h1><a href=/>Acme</a></h1></header><div class="sidebar_content content"><h1>T of it</h1><p class=post-meta><span class=author><a href="/blog/author/ann">Ann Bee</a></span> <span class=date>May 4, 2025</span></p></div>`,
			want:   page.Meta{Title: "T of it", Byline: "Ann Bee", Published: "2025-05-04"},
		},
		{
			name:   "a date of a change, whose label stands beside it",
			source: `<title>T of it</title><main><h1>T of it</h1><p>Intro.</p><div><span class=post-date><span>Last Updated</span> <span>on</span> <span class=date>Feb 27, 2026</span></span></div><p>Text.</p></main>`,
			want:   page.Meta{Title: "T of it"},
		},
		{
			name:   "a date of a publication beside one of a change",
			source: `<title>T of it</title><main><h1>T of it</h1><p>Intro.</p><p>Text.</p><div><span>Updated</span> <span>Feb 27, 2026</span> <span class=date>Jan 3, 2026</span></div></main>`,
			want:   page.Meta{Title: "T of it", Published: "2026-01-03"},
		},
		{
			name:   "a date of a change in the place of an author",
			source: `<title>T of it</title><article><h1>T of it</h1><p class=author>Last Updated: March 1, 2024</p><p>Text.</p></article>`,
			want:   page.Meta{Title: "T of it"},
		},
		{
			name: "a title that begins with the host", url: "https://example.com/archives/2025/vibe.html",
			source: `<title>example.com Vibe Coding</title><h1><a href="https://example.com/">example.com</a></h1><h2>December 16, 2025</h2><h3>Vibe Coding</h3>`,
			want:   page.Meta{Title: "Vibe Coding"},
		},
		{
			name:   "the footer of an article has its date, that of the page has none",
			source: `<title>T</title><article><h1>T</h1><p>Text.</p><footer class=end><span><time datetime="2025-08-12T11:15:06Z">August 12, 2025</time></span></footer></article><footer><time datetime="2020-01-01">1 January 2020</time></footer>`,
			want:   page.Meta{Title: "T", Published: "2025-08-12T11:15:06Z"},
		},
		{
			name:   "language of the locale, when nothing else says it",
			source: `<meta property=og:locale content=pt_BR><p>x`,
			want:   page.Meta{Language: "pt-BR"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := metaOf(t, c.source, c.url)
			for _, f := range []struct{ name, got, want string }{
				{"Title", got.Title, c.want.Title}, {"Byline", got.Byline, c.want.Byline}, {"Published", got.Published, c.want.Published},
				{"Modified", got.Modified, c.want.Modified}, {"Language", got.Language, c.want.Language}, {"SiteName", got.SiteName, c.want.SiteName},
				{"Excerpt", got.Excerpt, c.want.Excerpt}, {"Licence", got.Licence, c.want.Licence}, {"Canonical", got.Canonical, c.want.Canonical}, {"Image", got.Image, c.want.Image},
			} {
				if f.got != f.want && (f.want != "" || f.name == "Byline" || f.name == "Published" || f.name == "Canonical" || f.name == "Image") {
					t.Errorf("%s = %q, want %q", f.name, f.got, f.want)
				}
			}
		})
	}
}

// TestBylinesOfLanguages reads the line below a heading: who wrote the article, without
// markup that says so. What begins like such a line and is none gives no author.
func TestBylinesOfLanguages(t *testing.T) {
	for _, c := range []struct{ line, byline, day string }{
		{`<p>Von <span>Birte Hansen</span> | <time>04.05.2026, 06:30 Uhr</time></p>`, "Birte Hansen", "2026-05-04"},
		{`<p>Von Birte Hansen</p><p>3. Mai 2026</p>`, "Birte Hansen", "2026-05-03"},
		{`<p>di <strong>Anna Ricci</strong></p><p>3 maggio 2026</p>`, "Anna Ricci", "2026-05-03"},
		{`<div>Door Sanne de Vries</div><div>3 mei 2026</div>`, "Sanne de Vries", "2026-05-03"},
		{`<div><span>Автор: Анна Петрова</span> <span>3 мая 2026</span></div>`, "Анна Петрова", "2026-05-03"},
		{`<div>作者：王小明　2026-05-03 10:15</div>`, "王小明", "2026-05-03"},
		{`<p class="writer">記者：佐藤 花子</p><p>2026年5月4日</p>`, "佐藤 花子", "2026-05-04"},
		{`<div>Yazan: Ayşe Demir</div><div>3 Mayıs 2026</div>`, "Ayşe Demir", "2026-05-03"},
		{`<p>Von Anfang an war klar, dass die Fähre zu spät kommt.</p>`, "", ""},
		{`<p>Von Hamburg Altona fährt heute nichts mehr.</p>`, "", ""},
		{`<p>Par <em>exemple</em>, le bac est en retard.</p>`, "", ""},
		{`<p>On May 3, 2026 by noon Ann Bee had left.</p>`, "", ""},
	} {
		doc, err := html.Parse(strings.NewReader("<title>The ferry is late</title><h1>The ferry is late</h1>" + c.line + "<p>" + strings.Repeat("The ferry left the quay at dawn and followed the coast for an hour. ", 5)))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := Read(doc, "")
		if m.Byline != c.byline || !strings.HasPrefix(m.Published, c.day) {
			t.Errorf("%s: %q, %q, want %q, %q", c.line, m.Byline, m.Published, c.byline, c.day)
		}
	}
}

func TestMetaHints(t *testing.T) {
	_, h := metaOf(t, `<meta property=og:type content=Product>
		<script type="application/ld+json">{"@type":"http://schema.org/Product","name":"x"}</script>`, "")
	if h.OGType != "product" || len(h.SchemaTypes) != 1 || h.SchemaTypes[0] != "Product" {
		t.Errorf("%+v", h)
	}
}

func TestLanguageTag(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "EN_us": "en-US", "pt-br": "pt-BR", "zh-hant-tw": "zh-Hant-TW", "es-419": "es-419", "de-DE-1996": "de-DE", "en-US,de": "en-US",
		"": "", "english": "", "und": "", "x-default": "", "<b>": "", "en-<b>": "en", "e": "",
	} {
		if got := languageTag(in); got != want {
			t.Errorf("languageTag(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"By Ann Bee": "Ann Bee", "by: Ann Bee": "Ann Bee", "Written by Ann Bee | Editor": "Ann Bee", "Byron Bee": "Byron Bee", "Von Trapp": "Trapp", "di Anna Ricci": "Anna Ricci", "Di Stefano": "Di Stefano", "Ann Bee / May 3, 2025": "Ann Bee", "Ann Bee, photographs by Carl Dee": "Ann Bee", "作者：王小明": "王小明",
		"Ann Bee May 3, 2025": "Ann Bee", "Ann Bee on 3 May": "Ann Bee", "Posted by Ann Bee » Sat": "Ann Bee", "August 28, 2025": "",
		"Sat, 20 Dec 2025": "", "Ann Bee 4 August 2010": "Ann Bee", "Posted by": "", "Written By": "", "Article by, Ann Bee": "Ann Bee", "Newsdesk news@example.com": "Newsdesk", "page.head.extra.author": "",
		"admin": "", "https://example.com/ann": "", "one two three four five six seven": "", "42": "", "": "",
	} {
		if got := cleanName(in, 6); got != want {
			t.Errorf("cleanName(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzMeta(f *testing.F) {
	f.Add(`<title>A | B</title><h1>A</h1><p>By C D</p><time datetime=2020-01-01>`, "https://b.example/2020/01/01/")
	f.Add(`<script type="application/ld+json">{"@graph":[{"@type":"Article","author":{"@id":"#a"}}]}</script>`, "")        // reference to nothing
	f.Add(`<base href="//["><link rel=canonical href="http://[::1"><meta name=author content="By By By ">`, "about:blank") // addresses that do not parse
	f.Fuzz(func(t *testing.T, source, address string) {
		doc, err := html.Parse(strings.NewReader(source))
		if err != nil {
			return
		}
		m, _ := Read(doc, address)
		for _, s := range []string{m.Title, m.Byline, m.Published, m.Language, m.SiteName, m.Excerpt, m.Licence} {
			if len(s) > 8*maxExcerpt || strings.ContainsAny(s, "\n\x00\x1b\u202e") {
				t.Errorf("not a clean line: %q", s)
			}
		}
		for _, u := range []string{m.Canonical, m.Image} {
			if u != "" && !strings.HasPrefix(u, "http:") && !strings.HasPrefix(u, "https:") {
				t.Errorf("not a web address: %q", u)
			}
		}
	})
}
