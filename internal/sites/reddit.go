package sites

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// reddit gives a page as JSON where ".json" stands after its path (reddit.com/dev/api,
// GET [/r/subreddit]/comments/article). Texts are Markdown; raw_json leaves <, >
// and & in them alone. Members change their type (replies is "" where there are
// none), so that values are taken one by one.
func reddit(u weburl.URL) *Form {
	s := segments(u)
	if len(s) < 2 || s[0] != "r" && s[0] != "user" {
		return nil
	}
	origin := "https://" + u.Host()
	switch {
	case len(s) >= 4 && s[2] == "comments":
		return form("Reddit's JSON", Request{URL: at(origin, "/", strings.Join(s, "/"), ".json?raw_json=1&limit=500")}, redditThread)
	case len(s) == 2 && s[0] == "r" && u.RawQuery() == "", len(s) == 3 && s[0] == "r" && u.RawQuery() == "" && (s[2] == "new" || s[2] == "top" || s[2] == "hot"):
		return form("Reddit's JSON", Request{URL: at(origin, "/", strings.Join(s, "/"), ".json?raw_json=1&limit=25")}, redditListing)
	}
	return nil
}

// value is any JSON, of which nothing is believed.
type value struct{ v any }

func (v value) at(names ...string) value {
	for _, name := range names {
		m, _ := v.v.(map[string]any)
		v = value{m[name]}
	}
	return v
}

func (v value) list() []any      { l, _ := v.v.([]any); return l }
func (v value) string() string   { s, _ := v.v.(string); return s }
func (v value) number() float64  { n, _ := v.v.(float64); return n }
func (v value) int() int         { return int(max(min(v.number(), 1e9), -1e9)) }
func (v value) children() []any  { return v.at("data", "children").list() }
func (v value) is(k string) bool { return v.at("kind").string() == k }

func redditThread(b *builder, have []Response) error {
	v, err := decode[[]any](have[0])
	if err != nil || len(v) < 2 {
		return errShape
	}
	top := value{v[0]}.children()
	if len(top) == 0 || !(value{top[0]}).is("t3") {
		return errShape
	}
	x := value{top[0]}.at("data")
	created := stamp(x.at("created_utc").number())
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Reddit", clean(x.at("author").string()), moment(created)
	b.title(x.at("title").string())
	all := x.at("num_comments").int()
	b.facts("r/"+x.at("subreddit").string(), count(x.at("score").int(), "point"), x.at("author").string(), day(created),
		count(all, "comment"), fact("flair", x.at("link_flair_text").string()))
	if self, _ := x.at("is_self").v.(bool); !self {
		b.link("", x.at("url").string(), x.at("url").string())
	}
	b.add(b.body(x.at("selftext").string(), "text/markdown", 1)...)
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

// maxRedditDepth is far beyond what the site nests.
const maxRedditDepth = 1000

// redditTree makes posts of comments; more are those that did not come.
func redditTree(children []any, depth int) (posts []post, more int) {
	if depth > maxRedditDepth {
		return nil, len(children)
	}
	for _, c := range children {
		c := value{c}
		d := c.at("data")
		switch {
		case c.is("more"):
			more += max(d.at("count").int(), 0)
		case c.is("t1"):
			replies, n := redditTree(d.at("replies").children(), depth+1)
			more += n
			posts = append(posts, post{author: d.at("author").string(), text: d.at("body").string(), format: "text/markdown", replies: replies,
				facts: []string{count(d.at("score").int(), "point"), day(stamp(d.at("created_utc").number()))}})
		}
	}
	return posts, more
}

func redditListing(b *builder, have []Response) error {
	v, err := decode[any](have[0])
	all := value{v}.children()
	if err != nil || len(all) == 0 {
		return errShape
	}
	b.Type, b.Meta.SiteName = page.Collection, "Reddit"
	l := page.Block{Kind: page.List}
	for _, c := range all {
		d := value{c}.at("data")
		in := b.linkTo(d.at("permalink").string(), d.at("title").string())
		if in == nil {
			continue
		}
		if b.Meta.Title == "" {
			b.title("r/" + d.at("subreddit").string())
		}
		in = append(in, plain(" · "+join(count(d.at("score").int(), "point"), d.at("author").string(), day(stamp(d.at("created_utc").number())),
			count(d.at("num_comments").int(), "comment")))...)
		l.Children = append(l.Children, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: in}}})
	}
	if len(l.Children) == 0 {
		return errShape
	}
	b.add(l)
	return nil
}
