package sites

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// blueskyAPI is the public view of the network (docs.bsky.app: app.bsky.feed.getPostThread),
// which has a post with the posts above it and the tree of its replies.
const blueskyAPI = "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?depth=10&parentHeight=80&uri=at%3A%2F%2F"

// bluesky reads posts: bsky.app/profile/NAME/post/KEY.
func bluesky(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) != 4 || s[0] != "profile" || s[2] != "post" {
		return nil
	}
	return variant("Bluesky API", ask{address: blueskyAPI + s[1] + "%2Fapp.bsky.feed.post%2F" + s[3]}, blueskyThread)
}

type blueskyView struct {
	Post struct {
		URI    string
		Author struct {
			Handle string
			Name   string `json:"displayName"`
		}
		Record struct {
			Text    string
			Created string `json:"createdAt"`
			Facets  []struct{ Features []struct{ URI string } }
		}
		Embed struct {
			Images   []struct{ Alt string }
			External struct{ URI, Title string }
		}
		Likes   int `json:"likeCount"`
		Replies int `json:"replyCount"`
	}
	Parent  *blueskyView
	Replies []blueskyView
}

// post makes a post of a view, with its replies.
func (v *blueskyView) post() post {
	p := &v.Post
	out := post{author: p.Author.Handle, facts: []string{day(p.Record.Created), count(p.Likes, "like")}, text: p.Record.Text, format: "text/plain"}
	for _, f := range p.Record.Facets { // the text has shortened forms of its links
		for _, x := range f.Features {
			if x.URI != "" && !strings.Contains(out.text, x.URI) {
				out.text += "\n" + x.URI
			}
		}
	}
	for _, i := range p.Embed.Images {
		if alt := clean(i.Alt); alt != "" {
			out.text += "\n\n[image: " + alt + "]"
		}
	}
	for i := range v.Replies {
		if v.Replies[i].Post.URI != "" { // else it was deleted, or is hidden
			out.replies = append(out.replies, v.Replies[i].post())
		}
	}
	return out
}

func blueskyThread(b *builder, have []Response) error {
	var x struct{ Thread blueskyView }
	if err := decode(have[0], &x); err != nil || x.Thread.Post.URI == "" {
		return errShape
	}
	p := &x.Thread.Post
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Bluesky", clean(first(p.Author.Name, p.Author.Handle)), moment(p.Record.Created)
	b.title("Post by " + first(p.Author.Name, p.Author.Handle))
	b.facts("@"+p.Author.Handle, day(p.Record.Created), count(p.Likes, "like"), strings.Replace(count(p.Replies, "reply"), "replys", "replies", 1))
	var above []post
	for v, n := x.Thread.Parent, 0; v != nil && v.Post.URI != "" && n < maxAbove; v, n = v.Parent, n+1 {
		one := v.post()
		one.replies = nil
		above = append([]post{one}, above...)
	}
	main := x.Thread.post()
	b.conversation(above, main, p.Author.Handle)
	b.link("", p.Embed.External.URI, first(p.Embed.External.Title, p.Embed.External.URI))
	return nil
}

// maxAbove bounds the posts above a post.
const maxAbove = 80

// conversation appends a post with those above it and its replies. Where comments are left
// out, the author's own replies to the post stay: long texts are written as threads.
func (b *builder) conversation(above []post, main post, author string) {
	if len(above) > 0 {
		b.heading(2, "In reply to", "")
		b.thread(above)
		b.heading(2, "The post", "")
	}
	b.add(b.body(main.text, main.format, 2)...)
	replies := main.replies
	if b.o.NoComments {
		replies = ownThread(replies, author)
	}
	if len(replies) > 0 {
		b.heading(2, "Replies", "")
		b.thread(replies)
	}
}

// ownThread keeps the replies of an author to himself.
func ownThread(posts []post, author string) (out []post) {
	for _, p := range posts {
		if p.author == author {
			p.replies = ownThread(p.replies, author)
			out = append(out, p)
		}
	}
	return out
}
