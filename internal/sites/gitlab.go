package sites

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// gitLab recognizes GitLab on any host by the "/-/" in its paths. Files come as raw
// files (docs.gitlab.com/user/project/repository), issues and merge requests from
// the REST API (docs.gitlab.com/api/issues, …/merge_requests). The API returns
// comments only to clients with an account (gitlab-org/gitlab issue 217369); the
// page says how many there are.
func gitLab(u weburl.URL) *Variant {
	project, rest, ok := strings.Cut(strings.Trim(u.Path(), "/"), "/-/")
	s := strings.Split(rest, "/")
	if !ok || len(s) < 2 || !strings.Contains(project, "/") {
		return nil
	}
	origin := "https://" + u.Host()
	switch kind := s[0]; {
	case kind == "blob" && len(s) > 2:
		return rawFile(origin+"/"+project+"/-/raw/"+strings.Join(s[1:], "/"), strings.Join(s[2:], "/"))
	case (kind == "issues" || kind == "merge_requests") && len(s) == 2 && isNumber(s[1]):
		api := origin + "/api/v4/projects/" + strings.ReplaceAll(project, "/", "%2F") + "/" + kind + "/" + s[1]
		return variant("GitLab API", ask{address: api}, gitLabThread)
	}
	return nil
}

type gitLabUser struct{ Name, Username string }

func (u *gitLabUser) name() string {
	if u == nil {
		return ""
	}
	return first(u.Username, u.Name)
}

func gitLabThread(b *builder, have []Response) error {
	var t struct {
		IID                       int
		Title, Description, State string
		Created                   string `json:"created_at"`
		Closed                    string `json:"closed_at"`
		Merged                    string `json:"merged_at"`
		Source                    string `json:"source_branch"`
		Target                    string `json:"target_branch"`
		Notes                     int    `json:"user_notes_count"`
		Labels                    []string
		Author                    *gitLabUser
		Milestone                 *struct{ Title string }
	}
	if err := decode(have[0], &t); err != nil || t.Title == "" || t.IID == 0 {
		return errShape
	}
	b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Forum, "GitLab", clean(t.Author.name()), moment(t.Created)
	what, branches, milestone := "issue #", "", ""
	if t.Source != "" {
		what, branches = "merge request !", t.Source+" into "+t.Target
	}
	if t.Milestone != nil {
		milestone = t.Milestone.Title
	}
	b.title(t.Title)
	b.facts(what+strconv.Itoa(t.IID), strings.TrimSpace(t.State+" "+day(first(t.Merged, t.Closed))), t.Author.name(), day(t.Created), branches,
		fact("labels", strings.Join(t.Labels, ", ")), fact("milestone", milestone))
	b.add(b.body(t.Description, "text/markdown", 1)...)
	if !b.o.NoComments {
		b.missing(t.Notes, "comment")
	}
	return nil
}
