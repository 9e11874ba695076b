package sites

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// stackExchange uses the API 2.3 (api.stackexchange.com/docs): requests for the
// question, its answers, and the comments on both, each with the filter
// "withbody"; a filter that returns all three at once needs a key. Anonymous
// clients have 300 requests a day. Bodies are HTML, titles are escaped text.
func stackExchange(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || s[0] != "questions" && s[0] != "q" || !isNumber(s[1]) {
		return nil
	}
	const api = "https://api.stackexchange.com/2.3/"
	site := "site=" + stackSite(u.Host()) + "&filter=withbody"
	return variant("Stack Exchange API", ask{address: api + "questions/" + s[1] + "?" + site}, stackThread).then(func(have []Response) ask {
		if len(have) == 1 {
			return ask{address: api + "questions/" + s[1] + "/answers?order=desc&sort=votes&pagesize=30&" + site}
		}
		ids := []string{s[1]}
		var v stackItems
		if err := decode(have[1], &v); err != nil {
			return ask{}
		}
		for i := range v.Items {
			ids = append(ids, strconv.FormatInt(v.Items[i].Answer, 10))
		}
		return ask{address: api + "posts/" + strings.Join(ids[:min(len(ids), 100)], "%3B") + "/comments?order=asc&sort=creation&pagesize=100&" + site}
	})
}

// stackSite returns the API's name of the site on a host; "" when the host is not
// a Stack Exchange site.
func stackSite(host string) string {
	host = strings.TrimPrefix(host, "www.")
	switch host {
	case "stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com", "stackapps.com":
		return strings.TrimSuffix(host, ".com")
	case "mathoverflow.net", "es.stackoverflow.com", "ja.stackoverflow.com", "pt.stackoverflow.com", "ru.stackoverflow.com", "meta.stackoverflow.com":
		return host
	}
	name, ok := strings.CutSuffix(host, ".stackexchange.com")
	if !ok || name == "api" || name == "chat" || name == "data" {
		return ""
	}
	return name
}

type stackItems struct {
	More  bool `json:"has_more"`
	Items []stackPost
}

type stackPost struct {
	Question int64 `json:"question_id"`
	Answer   int64 `json:"answer_id"`
	Comment  int64 `json:"comment_id"`
	Post     int64 `json:"post_id"` // of a comment

	Title, Body string
	Score       int
	Created     float64 `json:"creation_date"`
	Tags        []string
	Owner       *struct {
		Name string `json:"display_name"`
	}
	Accepted bool   `json:"is_accepted"`
	Answers  int    `json:"answer_count"`
	Views    int    `json:"view_count"`
	Closed   string `json:"closed_reason"`
}

func (p *stackPost) name() string {
	if p.Owner == nil {
		return ""
	}
	return unescape(p.Owner.Name)
}

func (p *stackPost) date() string { return day(stamp(p.Created)) }

func stackThread(b *builder, have []Response) error {
	var v, answers, comments stackItems
	if err := decode(have[0], &v); err != nil || len(v.Items) != 1 || v.Items[0].Title == "" {
		return errShape
	}
	q := &v.Items[0]
	if len(have) > 1 {
		if err := decode(have[1], &answers); err != nil {
			return err
		}
	}
	if len(have) > 2 && decode(have[2], &comments) != nil {
		comments.More = true
	}
	on := make(map[int64][]post, len(comments.Items))
	for i := range comments.Items {
		c := &comments.Items[i]
		on[c.Post] = append(on[c.Post], post{author: c.name(), facts: []string{c.date(), count(c.Score, "point")}, text: c.Body, format: "text/html"})
	}
	if b.o.NoComments {
		clear(on)
	}
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "Stack Exchange", clean(q.name()), stamp(q.Created)
	b.title(unescape(q.Title))
	b.facts("question", count(q.Score, "point"), q.name(), q.date(), count(q.Views, "view"), fact("tags", strings.Join(q.Tags, ", ")), fact("closed", unescape(q.Closed)))
	b.add(b.body(q.Body, "text/html", 1)...)
	b.thread(on[q.Question])
	// The accepted answer comes first, the others in the API's order, by votes.
	for _, accepted := range [...]string{"accepted", ""} {
		for i := range answers.Items {
			if a := &answers.Items[i]; a.Accepted == (accepted != "") {
				b.section(2, post{id: strconv.FormatInt(a.Answer, 10), author: "Answer by " + a.name(), facts: []string{accepted, count(a.Score, "point"), a.date()},
					text: a.Body, format: "text/html", replies: on[a.Answer]})
			}
		}
	}
	b.missing(q.Answers-len(answers.Items), "answer")
	if comments.More && !b.o.NoComments {
		b.cut()
		b.facts("Further comments are left out.")
	}
	return nil
}
