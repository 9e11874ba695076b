package document_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
)

func TestFeeds(t *testing.T) {
	rss := func(items string) string {
		return `<rss version="2.0"><channel><title>F</title>` + items + `</channel></rss>`
	}
	atom := func(entries string) string { return `<feed><title>F</title>` + entries + `</feed>` }
	for _, c := range []struct{ name, mediaType, body, want string }{
		{"entities that are escaped twice", "application/rss+xml", `<rss><channel><title>A &amp;amp; B</title><item><title>C &amp;lt; D</title><description>x &amp;lt;tag&amp;gt; AT&amp;amp;T</description></item></channel></rss>`,
			"# A & B\n\n## C < D\n\nx \\<tag> AT&T"},
		// Fixed bug: what stood between "<" and ">" was lost.
		{"a plain title with signs", "application/atom+xml", atom(`<entry><title type="text">Less &lt; more &lt;b&gt;</title></entry><entry><title>List&lt;String&gt; and &lt;i&gt;i&lt;/i&gt;, a &lt; b &gt; c</title></entry>`),
			"# F\n\n## Less < more \\<b>\n\n## List\\<String> and i, a < b > c"},
		{"an entry of another feed", "application/atom+xml", atom(`<author><name>Ada</name></author><entry><title>T</title><source><author><name>Ben</name></author></source><content>x</content></entry><entry><title>U</title><source><title>S</title></source><content>y</content></entry><entry><title>V</title><content>z</content></entry>`),
			"# F\n\n## T\n\nBen\n\nx\n\n## U\n\ny\n\n## V\n\nAda\n\nz"},
		{"the base of addresses", "application/atom+xml", `<feed xml:base="https://a.example/blog/"><title>F</title><entry xml:base="2026/"><title>T</title><link href="post"/><content type="html">&lt;p>x</content></entry></feed>`,
			"# F\n\n## [T](https://a.example/blog/2026/post)\n\ntext/html \\<base href=\"https://a.example/blog/2026/\">\\<p>x"},
		{"a relative base", "application/atom+xml", `<feed><title>F</title><entry xml:base="/b/"><title>T</title><link href="post"/></entry></feed>`, "# F\n\n## [T](https://example.com/b/post)"},
		{"the author of the feed, and several", "application/atom+xml", atom(`<author><name>All</name></author><entry><title>T</title></entry><entry><title>U</title><author><name>Ann</name></author><author><name>Bo</name></author></entry>`),
			"# F\n\n## T\n\nAll\n\n## U\n\nAnn, Bo"},
		{"the address of an author", "application/rss+xml", rss(`<item><title>T</title><author>ed@a.example (Ed Itor)</author></item>`), "# F\n\n## T\n\nEd Itor"},
		{"files", "application/rss+xml", rss(`<item><title>T</title><description>d</description><enclosure url="/ep1.mp3" type="audio/mpeg"/></item>`),
			"# F\n\n## T\n\nd\n\nEnclosure: [ep1.mp3](https://example.com/ep1.mp3) (audio/mpeg)"},
		{"files of Atom, and content elsewhere", "application/atom+xml", atom(`<entry><title>T</title><link rel="enclosure" href="a.ogg"/><content src="https://a.example/full.html" type="text/html"/><summary>s</summary></entry>`),
			"# F\n\n## T\n\ns\n\nEnclosure: [a.ogg](https://example.com/a.ogg)\n\nEnclosure: [full.html](https://a.example/full.html) (text/html)"},
		{"the description of a video", "application/atom+xml", atom(`<entry><title>T</title><media:group><media:title>T</media:title><media:description>About it</media:description></media:group></entry>`), "# F\n\n## T\n\nAbout it"},
		{"entries without a title", "application/rss+xml", rss(`<item><description>toot</description><link>https://a.example/1</link><pubDate>Wed, 4 Mar 2026 09:05:00 GMT</pubDate></item><item><description>two</description><link>https://a.example/2</link></item><item><description>three</description></item>`),
			"# F\n\n## [2026-03-04T09:05:00Z](https://a.example/1)\n\ntoot\n\n## [https://a.example/2](https://a.example/2)\n\ntwo\n\n## Untitled\n\nthree"},
		{"RSS 1.0 without a link", "application/rdf+xml", `<rdf:RDF><channel><title>F</title></channel><item rdf:about="http://a.example/2"><title>T</title></item></rdf:RDF>`, "# F\n\n## [T](http://a.example/2)"},
		{"JSON feed", "application/feed+json", `{"title":"F","authors":[{"name":"Top"}],"items":[{"title":"T","content_text":"x","date_modified":"2026-01-05T00:00:00Z","attachments":[{"url":"https://a.example/a.mp3","mime_type":"audio/mpeg"}]},{"title":"U","author":{"name":"Old"}}]}`,
			"# F\n\n## T\n\n2026-01-05T00:00:00Z · Top\n\nx\n\nEnclosure: [a.mp3](https://a.example/a.mp3) (audio/mpeg)\n\n## U\n\nOld"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read([]byte(c.body), c.mediaType, document.Options{URL: "https://example.com/feed", Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestDatesOfFeeds(t *testing.T) {
	for in, want := range map[string]string{
		"Tue, 03 Mar 2026 10:00:00 EST":        "2026-03-03T10:00:00-05:00", // Fixed bug: the zone was read as UTC.
		"Tue, 03 Mar 2026 10:00:00 CEST":       "2026-03-03T10:00:00",
		"Tue, 3 Mar 2026 10:00:00 +0100":       "2026-03-03T10:00:00+01:00",
		"Wed, 4 Mar 26 9:05 GMT":               "2026-03-04T09:05:00Z",
		"March 5, 2026 10:00 AM":               "March 5, 2026 10:00 AM", // as in the feed
		"Thu, 5 Mar 2026 10:00:00 +0000 (UTC)": "2026-03-05T10:00:00Z",
		"2026-03-05 10:00:00":                  "2026-03-05T10:00:00",
		"2026-03-05T10:00:00.5Z":               "2026-03-05T10:00:00Z",
		"03/05/2026 10:00":                     "03/05/2026 10:00", // it may be May: as the feed has it
	} {
		p, err := document.Read([]byte(`<rss><channel><title>F</title><item><title>T</title><pubDate>`+in+`</pubDate></item></channel></rss>`), "application/rss+xml", document.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(strings.TrimSpace(markdown.Render(p, markdown.Options{})), "# F\n\n## T\n\n"); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
