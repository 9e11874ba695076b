package sites

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// reddit appends ".json" to the path, which returns the page as JSON
// (reddit.com/dev/api, GET [/r/subreddit]/comments/article). Texts are Markdown;
// with raw_json, <, > and & in them are not escaped. The types of members vary
// (without replies, replies is ""), so values are read one by one.
func reddit(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || s[0] != "r" && s[0] != "user" {
		return nil
	}
	origin := "https://" + u.Host()
	switch {
	case len(s) >= 4 && s[2] == "comments":
		return variant("Reddit's JSON", ask{address: origin + "/" + strings.Join(s, "/") + ".json?raw_json=1&limit=500"}, redditThread)
	case len(s) == 2 && s[0] == "r" && u.RawQuery() == "", len(s) == 3 && s[0] == "r" && u.RawQuery() == "" && (s[2] == "new" || s[2] == "top" || s[2] == "hot"):
		return variant("Reddit's JSON", ask{address: origin + "/" + strings.Join(s, "/") + ".json?raw_json=1&limit=25"}, redditListing)
	}
	return nil
}

// value is any JSON value. Its methods return zero values for members that are
// missing or have another type.
type value struct{ v any }

// at returns a nested member, for example "data.author".
func (v value) at(path string) value {
	for more := true; more; {
		var name string
		name, path, more = strings.Cut(path, ".")
		m, _ := v.v.(map[string]any)
		v = value{m[name]}
	}
	return v
}

func (v value) text(path string) string {
	s, _ := v.at(path).v.(string)
	return s
}

func (v value) number(path string) float64 {
	n, _ := v.at(path).v.(float64)
	return n
}

func (v value) int(path string) int { return int(max(min(v.number(path), 1e9), -1e9)) }

// date returns the day of a Unix time.
func (v value) date(path string) string { return day(stamp(v.number(path))) }

func (v value) children() []any {
	l, _ := v.at("data.children").v.([]any)
	return l
}

func (v value) is(kind string) bool { return v.text("kind") == kind }

func redditThread(b *builder, have []Response) error {
	var v []any
	if err := decode(have[0], &v); err != nil || len(v) < 2 {
		return errShape
	}
	top := value{v[0]}.children()
	if len(top) == 0 || !(value{top[0]}).is("t3") {
		return errShape
	}
	x := value{top[0]}.at("data")
	created := stamp(x.number("created_utc"))
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Reddit", clean(x.text("author")), moment(created)
	b.title(x.text("title"))
	all := x.int("num_comments")
	b.facts("r/"+x.text("subreddit"), count(x.int("score"), "point"), x.text("author"), day(created),
		count(all, "comment"), fact("flair", x.text("link_flair_text")))
	if self, _ := x.at("is_self").v.(bool); !self {
		b.link("", x.text("url"), x.text("url"))
	}
	b.add(b.body(x.text("selftext"), "text/markdown", 1)...)
	if b.o.NoComments {
		return nil
	}
	posts, more := redditTree(value{v[1]}.children(), 0)
	if len(posts) > 0 {
		b.heading(2, "Comments", "")
		b.thread(posts)
	}
	b.missing(more, "comment")
	return nil
}

// maxRedditDepth bounds the recursion; it is far above the nesting of the site.
const maxRedditDepth = 1000

// redditTree converts comments to posts. more counts the comments that the answer
// does not contain.
func redditTree(children []any, depth int) (posts []post, more int) {
	if depth > maxRedditDepth {
		return nil, len(children)
	}
	for _, c := range children {
		c := value{c}
		d := c.at("data")
		switch {
		case c.is("more"):
			more += max(d.int("count"), 0)
		case c.is("t1"):
			replies, n := redditTree(d.at("replies").children(), depth+1)
			more += n
			posts = append(posts, post{author: d.text("author"), text: d.text("body"), format: "text/markdown", replies: replies,
				facts: []string{count(d.int("score"), "point"), d.date("created_utc")}})
		}
	}
	return posts, more
}

func redditListing(b *builder, have []Response) error {
	var v value
	err := decode(have[0], &v.v)
	all := v.children()
	if err != nil || len(all) == 0 {
		return errShape
	}
	b.Type, b.Meta.SiteName = page.Collection, "Reddit"
	var items [][]page.Inline
	for _, c := range all {
		d := value{c}.at("data")
		in := b.linkTo(d.text("permalink"), d.text("title"))
		if in == nil {
			continue
		}
		if b.Meta.Title == "" {
			b.title("r/" + d.text("subreddit"))
		}
		items = append(items, append(in, plain(" · "+join(count(d.int("score"), "point"), d.text("author"), d.date("created_utc"),
			count(d.int("num_comments"), "comment")))...))
	}
	if len(items) == 0 {
		return errShape
	}
	b.bullets(0, items)
	return nil
}
