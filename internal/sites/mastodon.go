package sites

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// mastodon recognizes a post on any host by its path, /@NAME/ID, and reads it from the API of
// that host (docs.joinmastodon.org: /api/v1/statuses/ID, …/context). Texts are HTML. Hosts
// that show posts to members only answer with an error, and the page is read.
func mastodon(u weburl.URL) *Variant {
	const idLength = 15 // snowflake IDs have 17 and more digits, old ones fewer
	s := segments(u)
	if len(s) != 2 || !strings.HasPrefix(s[0], "@") || len(s[1]) < idLength || !isNumber(s[1]) {
		return nil
	}
	api := "https://" + u.Host() + "/api/v1/statuses/" + s[1]
	return variant("Mastodon API", ask{address: api}, mastodonThread).then(func(have []Response) ask {
		if len(have) > 1 {
			return ask{}
		}
		return ask{address: api + "/context"}
	})
}

type mastodonStatus struct {
	ID      string
	Reply   string `json:"in_reply_to_id"`
	Created string `json:"created_at"`
	Warning string `json:"spoiler_text"`
	Content string
	Likes   int `json:"favourites_count"`
	Replies int `json:"replies_count"`
	Account struct {
		Acct string
		Name string `json:"display_name"`
	}
	Media []struct{ Description string } `json:"media_attachments"`
	Card  *struct{ URL, Title string }
}

func (s *mastodonStatus) post() post {
	out := post{author: s.Account.Acct, facts: []string{day(s.Created), count(s.Likes, "like"), s.Warning}, text: s.Content, format: "text/html"}
	for _, m := range s.Media {
		if alt := clean(m.Description); alt != "" {
			out.text += "<p>[image: " + strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(alt) + "]</p>"
		}
	}
	return out
}

func mastodonThread(b *builder, have []Response) error {
	var x mastodonStatus
	if err := decode(have[0], &x); err != nil || x.ID == "" || x.Account.Acct == "" {
		return errShape
	}
	var around struct{ Ancestors, Descendants []mastodonStatus }
	if len(have) > 1 {
		if err := decode(have[1], &around); err != nil {
			return errShape
		}
	}
	name := first(x.Account.Name, x.Account.Acct)
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Mastodon", clean(name), moment(x.Created)
	b.title("Post by " + name)
	b.facts("@"+x.Account.Acct, day(x.Created), count(x.Likes, "like"), strings.Replace(count(x.Replies, "reply"), "replys", "replies", 1), x.Warning)
	var above []post
	for i := range around.Ancestors[:min(len(around.Ancestors), maxAbove)] {
		above = append(above, around.Ancestors[i].post())
	}
	children := map[string][]*mastodonStatus{}
	for i := range around.Descendants {
		s := &around.Descendants[i]
		children[s.Reply] = append(children[s.Reply], s)
	}
	main := x.post()
	main.replies = mastodonTree(children, x.ID)
	b.conversation(above, main, x.Account.Acct)
	if x.Card != nil {
		b.link("", x.Card.URL, first(x.Card.Title, x.Card.URL))
	}
	return nil
}

// mastodonTree takes the replies to a post out of children.
func mastodonTree(children map[string][]*mastodonStatus, id string) (out []post) {
	all := children[id]
	delete(children, id) // a circle ends
	for _, s := range all {
		p := s.post()
		p.replies = mastodonTree(children, s.ID)
		out = append(out, p)
	}
	return out
}
