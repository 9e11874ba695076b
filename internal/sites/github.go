package sites

import (
	"bytes"
	"encoding/base64"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// GitHub: files come from raw.githubusercontent.com, everything else from the
// REST API (docs.github.com/en/rest: repos, issues, pulls, releases, gists). The
// API allows anonymous clients 60 requests an hour; its bodies are Markdown. The
// pages of discussions are read themselves, because their API needs an account.

const (
	githubAPI    = "https://api.github.com"
	githubAccept = "application/vnd.github+json"
	githubRaw    = "https://raw.githubusercontent.com/"
	githubPage   = 100 // entries of a list that are requested
)

// githubOwn lists first segments of paths that are not the owner of a repository.
var githubOwn = [...]string{"about", "apps", "collections", "customer-stories", "enterprise", "events", "explore", "features", "login",
	"marketplace", "notifications", "orgs", "pricing", "search", "security", "settings", "site", "solutions", "sponsors", "stars", "topics", "trending", "users"}

func github(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || slices.Contains(githubOwn[:], s[0]) {
		return nil
	}
	repo := s[0] + "/" + s[1]
	api := githubAPI + "/repos/" + repo
	rest := s[2:]
	kind := ""
	if len(rest) > 0 {
		kind = rest[0]
	}
	switch {
	case kind == "" && u.RawQuery() == "":
		return variant("GitHub API", ask{api, githubAccept}, repository).then(func(have []Response) ask {
			if len(have) > 1 {
				return ask{}
			}
			return ask{api + "/readme", githubAccept}
		})
	case kind == "blob" && len(rest) > 2:
		return rawFile(githubRaw+repo+"/"+strings.Join(rest[1:], "/"), strings.Join(rest[2:], "/"))
	case kind == "wiki" && len(rest) <= 2:
		name := "Home"
		if len(rest) == 2 {
			name = rest[1]
		}
		return rawFile(githubRaw+"wiki/"+repo+"/"+name+".md", name+".md")
	case (kind == "issues" || kind == "pull") && len(rest) == 2 && isNumber(rest[1]):
		return githubIssue(api, rest[1])
	case kind == "pull" || kind == "commit":
		return githubPatch(repo, api, kind, rest[1:])
	case kind == "releases":
		return githubReleases(u, repo, api, rest[1:])
	}
	return nil
}

// githubPatch returns the variant of a commit, or of the changes of a pull request;
// rest is the path after kind.
func githubPatch(repo, api, kind string, rest []string) *Variant {
	switch {
	case kind == "pull" && len(rest) == 2 && isNumber(rest[0]) && rest[1] == "files":
		return patch(ask{api + "/pulls/" + rest[0], "application/vnd.github.diff"})
	case kind == "commit" && len(rest) == 1:
		return patch(ask{"https://github.com/" + repo + "/commit/" + strings.TrimSuffix(rest[0], ".patch") + ".patch", ""})
	}
	return nil
}

// githubReleases returns the variant of the list of releases, or of one release;
// rest is the path after "releases".
func githubReleases(u weburl.URL, repo, api string, rest []string) *Variant {
	switch {
	case len(rest) == 0 && u.RawQuery() == "":
		return variant("GitHub API", ask{api + "/releases?per_page=10", githubAccept}, func(b *builder, have []Response) error {
			var all []githubRelease
			if err := decode(have[0], &all); err != nil || len(all) == 0 {
				return errShape
			}
			b.title("Releases of " + repo)
			b.releases(all)
			return nil
		})
	case len(rest) == 2 && rest[0] == "tag", len(rest) == 1 && rest[0] == "latest":
		return variant("GitHub API", ask{api + "/releases/" + strings.Replace(strings.Join(rest, "/"), "tag/", "tags/", 1), githubAccept},
			func(b *builder, have []Response) error {
				var r githubRelease
				if err := decode(have[0], &r); err != nil || r.Tag == "" {
					return errShape
				}
				b.title("Release " + r.Tag + " of " + repo)
				b.releases([]githubRelease{r})
				return nil
			})
	}
	return nil
}

// rawFile returns the variant of a file's page that is the file itself. The
// extension of name decides about the media type.
func rawFile(address, name string) *Variant {
	return variant("raw file", ask{address: address}, func(b *builder, have []Response) error {
		r := have[0]
		if bytes.HasPrefix(r.Body, []byte("version https://git-lfs.github.com/spec/")) {
			return errShape // a Git LFS pointer, not the file
		}
		err := b.whole(b.o.Read(r.Body, fileType(r.MediaType, name), b.o.URL, ""))
		if err == nil {
			b.Meta.Title = first(b.Meta.Title, clean(name))
			if r.Truncated {
				b.cut()
			}
		}
		return err
	})
}

// patch returns the variant of a change's page that is the patch as text.
func patch(q ask) *Variant {
	return variant("patch", q, func(b *builder, have []Response) error {
		r := have[0]
		if r.MediaType != "text/plain" && !strings.HasSuffix(r.MediaType, "diff") && !strings.HasSuffix(r.MediaType, "patch") {
			return errShape
		}
		err := b.whole(b.o.Read(r.Body, "text/plain", strings.TrimSuffix(b.o.URL, "/")+".patch", ""))
		if err == nil && r.Truncated {
			b.cut()
		}
		return err
	})
}

// fileType returns the media type of a file by its extension, because servers of
// raw files declare every text as text/plain.
func fileType(declared, name string) string {
	if declared != "text/plain" && declared != "application/octet-stream" && declared != "application/json" {
		return declared
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return "text/markdown"
	case ".ipynb":
		return "application/x-ipynb+json"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	}
	return declared
}

type githubUser struct{ Login string }

func (u *githubUser) name() string {
	if u == nil {
		return "ghost" // GitHub's name for deleted accounts
	}
	return u.Login
}

func repository(b *builder, have []Response) error {
	var r struct {
		Name        string `json:"full_name"`
		Description string
		Homepage    string
		Language    string
		Branch      string `json:"default_branch"`
		Stars       int    `json:"stargazers_count"`
		Forks       int    `json:"forks_count"`
		Issues      int    `json:"open_issues_count"`
		Pushed      string `json:"pushed_at"`
		Created     string `json:"created_at"`
		Archived    bool
		Topics      []string
		Owner       *githubUser
		Licence     *struct {
			ID string `json:"spdx_id"`
		} `json:"license"`
		Parent *struct {
			Name string `json:"full_name"`
			URL  string `json:"html_url"`
		}
	}
	if err := decode(have[0], &r); err != nil || r.Name == "" {
		return errShape
	}
	b.Type, b.Meta.SiteName = page.Documentation, "GitHub"
	b.Meta.Byline, b.Meta.Published, b.Meta.Modified, b.Meta.Excerpt = clean(r.Owner.name()), moment(r.Created), moment(r.Pushed), clean(r.Description)
	b.title(r.Name)
	b.facts(r.Description)
	licence, archived := "", ""
	if r.Licence != nil {
		licence = r.Licence.ID
	}
	b.Meta.Licence = clean(licence)
	if r.Archived {
		archived = "archived"
	}
	b.facts(archived, count(r.Stars, "star"), count(r.Forks, "fork"), count(r.Issues, "open issue"), r.Language, fact("licence", licence),
		fact("branch", r.Branch), fact("pushed", day(r.Pushed)), fact("topics", strings.Join(r.Topics, ", ")))
	b.link("Homepage:", r.Homepage, r.Homepage)
	if r.Parent != nil {
		b.link("Fork of", r.Parent.URL, r.Parent.Name)
	}
	if len(have) > 1 {
		b.readme(have[1])
	}
	return nil
}

// readme appends the readme of a repository when the answer contains one.
func (b *builder) readme(r Response) {
	var f struct {
		Path, Content, Encoding string
		URL                     string `json:"html_url"`
	}
	if err := decode(r, &f); err != nil || f.Encoding != "base64" {
		return
	}
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(f.Content, "\n", ""))
	if err != nil {
		return
	}
	base := first(b.resolve(f.URL), b.o.URL)
	b.add(b.bodyAt(string(text), proseType(f.Path), base, 1)...)
}

// proseType returns the media type of a readme by its extension.
func proseType(name string) string {
	if fileType("text/plain", name) == "text/markdown" {
		return "text/markdown"
	}
	return "text/plain"
}

type githubRelease struct {
	Name, Body string
	Tag        string `json:"tag_name"`
	Published  string `json:"published_at"`
	URL        string `json:"html_url"`
	Pre        bool   `json:"prerelease"`
	Author     *githubUser
	Assets     []struct {
		Name string
		Size int64
		URL  string `json:"browser_download_url"`
	}
}

func (b *builder) releases(all []githubRelease) {
	b.Type, b.Meta.SiteName, b.noun = page.Documentation, "GitHub", "release"
	b.Meta.Published = moment(all[0].Published)
	for i := range all {
		r := &all[i]
		if !b.enter() {
			continue
		}
		pre := ""
		if r.Pre {
			pre = "pre-release"
		}
		b.heading(2, first(r.Name, r.Tag), "")
		b.facts(r.Tag, pre, day(r.Published), r.Author.name())
		b.add(b.body(r.Body, "text/markdown", 2)...)
		var assets [][]page.Inline
		for _, a := range r.Assets {
			if in := b.linkTo(a.URL, a.Name); in != nil {
				assets = append(assets, append(in, plain(" ("+strconv.FormatInt(a.Size, 10)+" bytes)")...))
			}
		}
		b.bullets(0, assets)
	}
}

// gist returns the variant of a gist: its files and comments.
func gist(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) == 0 || len(s) > 2 || len(s[len(s)-1]) < 20 {
		return nil
	}
	api := githubAPI + "/gists/" + s[len(s)-1]
	return variant("GitHub API", ask{api, githubAccept}, func(b *builder, have []Response) error {
		var g githubGist
		if err := decode(have[0], &g); err != nil || len(g.Files) == 0 {
			return errShape
		}
		b.Type, b.Meta.SiteName, b.Meta.Byline, b.Meta.Published = page.Source, "GitHub Gist", clean(g.Owner.name()), moment(g.Created)
		names := slices.Sorted(maps.Keys(g.Files))
		b.title(first(g.Description, names[0]))
		b.facts(g.Owner.name(), day(g.Created))
		for _, name := range names {
			f := g.Files[name]
			b.heading(2, name, "")
			if f.Truncated {
				b.cut()
			}
			if media := fileType("text/plain", name); media != "text/plain" {
				b.add(b.body(f.Content, media, 2)...)
			} else if p, err := b.o.Read([]byte(f.Content), "text/plain", "https://gist.github.com/"+name, ""); err == nil && p != nil {
				b.add(p.Blocks...)
			}
		}
		if len(have) > 1 {
			b.comments(have[1:], g.Comments)
		}
		return nil
	}).then(func(have []Response) ask {
		var g githubGist
		if err := decode(have[0], &g); err != nil || g.Comments == 0 || len(have) > 1 {
			return ask{}
		}
		return ask{api + "/comments?per_page=100", githubAccept}
	})
}

type githubGist struct {
	Description string
	Created     string `json:"created_at"`
	Comments    int
	Owner       *githubUser
	Files       map[string]struct {
		Content   string
		Truncated bool
	}
}

func first(s ...string) string {
	for _, x := range s {
		if strings.TrimSpace(x) != "" {
			return x
		}
	}
	return ""
}
