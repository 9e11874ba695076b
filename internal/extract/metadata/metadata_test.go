package metadata

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
			name: "what a blog states for machines",
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
			name:   "the organisation where nobody else is named",
			source: `<title>T</title><script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"The Clinic"}}</script><h1>T</h1>`,
			want:   page.Meta{Byline: "The Clinic"},
		},
		{
			name: "a list of articles has no author of its own",
			source: `<title>All posts</title><script type="application/ld+json">[` +
				strings.Repeat(`{"@type":"BlogPosting","headline":"One of them","author":"Carl Dee","datePublished":"2020-01-01"},`, 5) + `]</script><h1>All posts</h1>`,
			want: page.Meta{Title: "All posts"},
		},
		{
			name:   "generic accounts are no authors",
			source: `<title>T</title><meta name=author content=admin><h1>T</h1><a rel=author href=/u/1>Ann Bee</a>`,
			want:   page.Meta{Byline: "Ann Bee"},
		},
		{
			name:   "an author given as an address is no name",
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
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
		},
		{
			name:   "behind a summary, and a name whose job stands beside it",
			source: `<title>Heading here</title><h1>Heading here</h1><p>` + strings.Repeat("A summary of it. ", 12) + `</p><div class=author><b>Ann Bee</b><i>Head of Bees</i></div><p>May 3, 2025</p><p>` + strings.Repeat("Text. ", 40) + `</p><p>1 January 2001</p>`,
			want:   page.Meta{Byline: "Ann Bee", Published: "2025-05-03"},
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
			name:   "who began the discussion, not who answered best",
			source: `<title>Heading here</title><h1>Heading here</h1><span>Thread starter</span><a>Ann Bee</a><article><span itemprop=author>Carl Dee</span></article>`,
			want:   page.Meta{Byline: "Ann Bee"},
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
			name: "midnight in UTC, and the author's day in the address", url: "https://example.com/2025/12/18/thing",
			source: `<title>Thing</title><meta property=article:published_time content="2025-12-19T02:41:41+00:00">`,
			want:   page.Meta{Published: "2025-12-18"},
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
			name:   "a heading that is a logo nobody names",
			source: `<title>What is Ownership? - The Book</title><h1>The Book</h1>`,
			want:   page.Meta{Title: "What is Ownership?"},
		},
		{
			name:   "a section behind a bar",
			source: `<title>A long title of it | District</title>`,
			want:   page.Meta{Title: "A long title of it"},
		},
		{
			name:   "a template's language and the text's script",
			source: `<html lang=en><title>T</title><p>` + strings.Repeat("これは日本語の文章です。", 12),
			want:   page.Meta{Language: "ja"},
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
			name:   "entities escaped twice, markup and what nobody sees",
			source: "<title>Fish &amp;amp; &amp;lt;b&amp;gt;Chips&amp;lt;/b&amp;gt;\u200b\u202e</title>",
			want:   page.Meta{Title: "Fish & Chips"},
		},
		{
			name: "base, and schemes that are not of the web", url: "https://example.com/a/",
			source: `<base href="https://cdn.example.net/x/"><link rel=canonical href="javascript:alert(1)"><meta property=og:url content="y"><meta property=og:image content="data:image/png;base64,AAAA">`,
			want:   page.Meta{Canonical: "https://cdn.example.net/x/y"},
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
		"By Ann Bee": "Ann Bee", "by: Ann Bee": "Ann Bee", "Written by Ann Bee | Editor": "Ann Bee", "Byron Bee": "Byron Bee", "Von Trapp": "Trapp",
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
