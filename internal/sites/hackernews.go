package sites

import (
	"html"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// hackerNews uses Algolia's API (hn.algolia.com/api), which returns a story with
// the whole tree of its comments in one answer; the official API
// (github.com/HackerNews/API) needs a request for each comment. Texts are HTML.
func hackerNews(u weburl.URL) *Variant {
	const api = "https://hn.algolia.com/api/v1/"
	id, isItem := strings.CutPrefix(u.RawQuery(), "id=")
	switch {
	case u.Path() == "/item" && isItem && isNumber(id):
		return variant("Algolia's Hacker News API", ask{address: api + "items/" + id}, hackerNewsItem)
	case (u.Path() == "/" || u.Path() == "/news") && u.RawQuery() == "":
		return variant("Algolia's Hacker News API", ask{address: api + "search?tags=front_page&hitsPerPage=30"}, hackerNewsFront)
	}
	return nil
}

type hackerNewsEntry struct {
	ID       int64
	Type     string
	Title    *string
	URL      *string
	Text     *string
	Author   *string
	Points   *int
	Created  string `json:"created_at"`
	Children []hackerNewsEntry
}

func hackerNewsItem(b *builder, have []Response) error {
	var x hackerNewsEntry
	if err := decode(have[0], &x); err != nil || x.ID == 0 || x.Type == "" {
		return errShape
	}
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Hacker News", clean(deref(x.Author)), moment(x.Created)
	// A comment's own page has no title.
	b.title(first(deref(x.Title), "Comment by "+deref(x.Author)))
	points := 0
	if x.Points != nil {
		points = *x.Points
	}
	replies, all := hackerNewsTree(x.Children)
	b.facts(x.Type, count(points, "point"), deref(x.Author), day(x.Created), count(all, "comment"))
	b.link("", deref(x.URL), deref(x.URL))
	b.add(b.body(deref(x.Text), "text/html", 1)...)
	if !b.o.NoComments && len(replies) > 0 {
		b.heading(2, "Comments", "")
		b.thread(replies)
	}
	return nil
}

// hackerNewsTree converts entries to posts, without deleted entries that have no
// replies. all counts the posts, replies included.
func hackerNewsTree(entries []hackerNewsEntry) (posts []post, all int) {
	for i := range entries {
		e := &entries[i]
		if e.Type != "comment" {
			continue
		}
		replies, n := hackerNewsTree(e.Children)
		all += n
		if deref(e.Text) == "" && n == 0 {
			continue // deleted
		}
		all++
		posts = append(posts, post{author: deref(e.Author), facts: []string{day(e.Created)}, text: deref(e.Text), format: "text/html", replies: replies})
	}
	return posts, all
}

func hackerNewsFront(b *builder, have []Response) error {
	var v struct {
		Hits []struct {
			Title, URL, Author string
			ID                 string `json:"objectID"`
			Created            string `json:"created_at"`
			Points             int
			Comments           int `json:"num_comments"`
		}
	}
	if err := decode(have[0], &v); err != nil || len(v.Hits) == 0 {
		return errShape
	}
	b.Type, b.Meta.SiteName = page.Collection, "Hacker News"
	b.title("Hacker News")
	var items [][]page.Inline
	for _, h := range v.Hits {
		talk := "https://news.ycombinator.com/item?id=" + h.ID
		in := b.linkTo(first(h.URL, talk), h.Title)
		if in == nil {
			continue
		}
		in = append(in, plain(" · "+join(count(h.Points, "point"), h.Author, day(h.Created))+" · ")...)
		items = append(items, append(in, b.linkTo(talk, strconv.Itoa(h.Comments)+" comments")...))
	}
	b.bullets(1, items)
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// unescape decodes a title that an API returns as HTML text without tags.
func unescape(s string) string { return html.UnescapeString(s) }
