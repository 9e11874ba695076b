package sites

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Issues and pull requests of GitHub (docs.github.com/en/rest/issues, …/pulls).
// In the API every pull request is an issue; the comments on lines of its code
// are a separate list.

type githubThread struct {
	Number             int
	Title, Body, State string
	Reason             string `json:"state_reason"`
	Created            string `json:"created_at"`
	Closed             string `json:"closed_at"`
	Comments           int
	Draft, Locked      bool
	User               *githubUser
	Labels             []struct{ Name string }
	Assignees          []githubUser
	Milestone          *struct{ Title string }
	Pull               *struct {
		Merged string `json:"merged_at"`
	} `json:"pull_request"`
}

type githubComment struct {
	ID      int64
	Body    string
	Created string `json:"created_at"`
	User    *githubUser
	Role    string `json:"author_association"`
	// On a line of code:
	Path     string
	Line     int
	Original int   `json:"original_line"`
	To       int64 `json:"in_reply_to_id"`
}

func githubIssue(api, number string) *Variant {
	issue := api + "/issues/" + number
	// lists returns the addresses of the further lists to request.
	lists := func(t *githubThread) []string {
		var out []string
		if t.Comments > 0 {
			out = append(out, issue+"/comments?per_page=100")
		}
		if t.Pull != nil {
			out = append(out, api+"/pulls/"+number+"/comments?per_page=100")
		}
		if t.Comments > githubPage {
			out = append(out, issue+"/comments?per_page=100&page=2")
		}
		return out[:min(len(out), MaxRequests-1)]
	}
	f := variant("GitHub API", ask{issue, githubAccept}, func(b *builder, have []Response) error {
		var t githubThread
		if err := decode(have[0], &t); err != nil || t.Title == "" || t.Number == 0 {
			return errShape
		}
		b.issue(&t)
		var talk, code []Response
		for i, address := range lists(&t)[:len(have)-1] {
			if strings.HasPrefix(address, issue) {
				talk = append(talk, have[i+1])
			} else {
				code = append(code, have[i+1])
			}
		}
		b.comments(talk, t.Comments)
		b.reviews(code)
		if t.Pull != nil && len(code) == 0 {
			b.cut()
			b.facts("Comments on the code are left out.")
		}
		return nil
	})
	return f.then(func(have []Response) ask {
		var t githubThread
		if err := decode(have[0], &t); err != nil {
			return ask{}
		}
		next := lists(&t)
		if len(have) > len(next) {
			return ask{}
		}
		return ask{next[len(have)-1], githubAccept}
	})
}

// issue appends the first post, with labels, state and other facts.
func (b *builder) issue(t *githubThread) {
	b.Type, b.Meta.SiteName = page.Forum, "GitHub"
	b.Meta.Byline, b.Meta.Published = clean(t.User.name()), moment(t.Created)
	what, state := "issue", t.State
	switch {
	case t.Pull != nil && t.Pull.Merged != "":
		state = "merged " + day(t.Pull.Merged)
	case t.State == "closed":
		state = join2("closed "+day(t.Closed), strings.ReplaceAll(t.Reason, "_", " "))
	case t.Draft:
		state = "draft"
	}
	if t.Pull != nil {
		what = "pull request"
	}
	var labels, assigned []string
	for _, l := range t.Labels {
		labels = append(labels, l.Name)
	}
	for i := range t.Assignees {
		assigned = append(assigned, t.Assignees[i].Login)
	}
	milestone, locked := "", ""
	if t.Milestone != nil {
		milestone = t.Milestone.Title
	}
	if t.Locked {
		locked = "locked"
	}
	b.title(t.Title)
	b.facts(what+" #"+strconv.Itoa(t.Number), state, locked, t.User.name(), day(t.Created), fact("labels", strings.Join(labels, ", ")),
		fact("milestone", milestone), fact("assigned", strings.Join(assigned, ", ")))
	b.add(b.body(t.Body, "text/markdown", 1)...)
}

// join2 returns "a (b)", or "a" when b is empty.
func join2(a, b string) string {
	if b == "" {
		return a
	}
	return a + " (" + b + ")"
}

// comments appends lists of comments. all is how many comments the site has.
func (b *builder) comments(lists []Response, all int) {
	if b.o.NoComments || all == 0 {
		return
	}
	got := 0
	for _, r := range lists {
		var list []githubComment
		if err := decode(r, &list); err != nil {
			break
		}
		if got == 0 && len(list) > 0 {
			b.heading(2, count(all, "comment"), "")
		}
		got += len(list)
		for i := range list {
			p := list[i].post("issuecomment-")
			b.section(3, p)
		}
	}
	b.missing(all-got, "comment")
}

// reviews appends comments on lines of code, with replies below their comment.
func (b *builder) reviews(lists []Response) {
	if b.o.NoComments {
		return
	}
	for _, r := range lists {
		var list []githubComment
		if err := decode(r, &list); err != nil {
			b.cut()
			return
		}
		if len(list) == 0 {
			return
		}
		b.heading(2, count(len(list), "comment")+" on the code", "")
		var tops []post
		place := make(map[int64]int, len(list))
		for i := range list {
			c := &list[i]
			p := c.post("discussion_r")
			if at, ok := place[c.To]; ok && c.To != 0 {
				tops[at].replies = append(tops[at].replies, p)
				place[c.ID] = at
				continue
			}
			where := c.Path
			if line := max(c.Line, c.Original); line > 0 {
				where += ":" + strconv.Itoa(line)
			}
			p.facts = append(p.facts, where)
			place[c.ID] = len(tops)
			tops = append(tops, p)
		}
		for i := range tops {
			b.section(3, tops[i])
		}
		if len(list) >= githubPage {
			b.cut()
			b.facts("Further comments on the code are left out.")
		}
	}
}

func (c *githubComment) post(anchor string) post {
	role := strings.ToLower(c.Role)
	switch role {
	case "owner", "member", "collaborator":
	default:
		role = ""
	}
	return post{id: anchor + strconv.FormatInt(c.ID, 10), author: c.User.name(), facts: []string{role, day(c.Created)}, text: c.Body, format: "text/markdown"}
}
