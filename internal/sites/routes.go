package sites

import (
	"path"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file finds out which request has what a URL shows, for sites whose API returns JSON.

const (
	githubAPI    = "https://api.github.com"
	githubAccept = "application/vnd.github+json"
	githubRaw    = "https://raw.githubusercontent.com/"
)

// githubOwn lists first segments of paths that are not the owner of a repository.
var githubOwn = [...]string{"about", "apps", "collections", "customer-stories", "enterprise", "events", "explore", "features", "login",
	"marketplace", "notifications", "orgs", "pricing", "search", "security", "settings", "site", "solutions", "sponsors", "stars", "topics", "trending", "users"}

// github is for files, which come from raw.githubusercontent.com, and for what the API has
// for anonymous clients, 60 requests an hour. Pages of discussions are fetched themselves,
// because their API needs an account.
func github(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || slices.Contains(githubOwn[:], s[0]) {
		return nil
	}
	repo, rest, bare := s[0]+"/"+s[1], s[2:], u.RawQuery() == ""
	api := githubAPI + "/repos/" + repo
	use := func(url, name string) *Variant {
		return variant("GitHub API", ask{url, githubAccept}, program("github.jq", name, map[string]string{"repo": repo}))
	}
	is := func(pattern ...string) bool { return matches(rest, pattern...) }
	switch {
	case is() && bare:
		return use(api, "repository").then(once(ask{api + "/readme", githubAccept}))
	case len(rest) > 2 && rest[0] == "blob":
		return rawFile(githubRaw+repo+"/"+strings.Join(rest[1:], "/"), strings.Join(rest[2:], "/"))
	case is("wiki"):
		return rawFile(githubRaw+"wiki/"+repo+"/Home.md", "Home.md")
	case is("wiki", "*"):
		return rawFile(githubRaw+"wiki/"+repo+"/"+rest[1]+".md", rest[1]+".md")
	case is("issues", "#"), is("pull", "#"):
		vars := map[string]string{"api": api, "number": rest[1]}
		return use(api+"/issues/"+rest[1], "issue").then(next("github.jq", "issue_next", githubAccept, vars))
	case is("pull", "#", "files"):
		return patch(ask{api + "/pulls/" + rest[1], "application/vnd.github.diff"})
	case is("commit", "*"):
		return patch(ask{"https://github.com/" + repo + "/commit/" + strings.TrimSuffix(rest[1], ".patch") + ".patch", ""})
	case is("releases") && bare:
		return use(api+"/releases?per_page=10", "all_releases")
	case is("releases", "latest"):
		return use(api+"/releases/latest", "one_release")
	case is("releases", "tag", "*"):
		return use(api+"/releases/tags/"+rest[2], "one_release")
	}
	return nil
}

// gist is for the files and comments of a gist.
func gist(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) == 0 || len(s) > 2 || len(s[len(s)-1]) < 20 {
		return nil
	}
	api := githubAPI + "/gists/" + s[len(s)-1]
	return variant("GitHub API", ask{api, githubAccept}, program("github.jq", "gist", nil)).
		then(next("github.jq", "gist_next", githubAccept, map[string]string{"api": api}))
}

// gitLab recognizes GitLab on any host by the "/-/" in its paths. Files are fetched as raw
// files (docs.gitlab.com/user/project/repository).
func gitLab(u weburl.URL) *Variant {
	project, rest, ok := strings.Cut(strings.Trim(u.Path(), "/"), "/-/")
	s := strings.Split(rest, "/")
	if !ok || !strings.Contains(project, "/") {
		return nil
	}
	origin := "https://" + u.Host()
	switch {
	case len(s) > 2 && s[0] == "blob":
		return rawFile(origin+"/"+project+"/-/raw/"+strings.Join(s[1:], "/"), strings.Join(s[2:], "/"))
	case matches(s, "issues", "#"), matches(s, "merge_requests", "#"):
		api := origin + "/api/v4/projects/" + strings.ReplaceAll(project, "/", "%2F") + "/" + s[0] + "/" + s[1]
		return variant("GitLab API", ask{address: api}, program("forums.jq", "gitlab", nil))
	}
	return nil
}

// hackerNews uses Algolia's API, which returns a story with all its comments at once; the
// official API (github.com/HackerNews/API) needs a request for each comment.
func hackerNews(u weburl.URL) *Variant {
	const api, as = "https://hn.algolia.com/api/v1/", "Algolia's Hacker News API"
	id, isItem := strings.CutPrefix(u.RawQuery(), "id=")
	switch {
	case u.Path() == "/item" && isItem && isNumber(id):
		return variant(as, ask{address: api + "items/" + id}, program("forums.jq", "hackernews", nil))
	case (u.Path() == "/" || u.Path() == "/news") && u.RawQuery() == "":
		return variant(as, ask{address: api + "search?tags=front_page&hitsPerPage=30"}, program("forums.jq", "hackernews_front", nil))
	}
	return nil
}

// reddit appends ".json" to the path, which returns the page as JSON. With raw_json, <, >
// and & in texts are not escaped.
func reddit(u weburl.URL) *Variant {
	s, bare := segments(u), u.RawQuery() == ""
	request := "https://" + u.Host() + "/" + strings.Join(s, "/") + ".json?raw_json=1&limit="
	switch {
	case len(s) >= 4 && (s[0] == "r" || s[0] == "user") && s[2] == "comments":
		return variant("Reddit's JSON", ask{address: request + "500"}, program("forums.jq", "reddit", nil))
	case bare && (matches(s, "r", "*") || matches(s, "r", "*", "new") || matches(s, "r", "*", "top") || matches(s, "r", "*", "hot")):
		return variant("Reddit's JSON", ask{address: request + "25"}, program("forums.jq", "reddit_listing", nil))
	}
	return nil
}

// stackExchange requests a question, its answers, and the comments on both, each with the
// filter "withbody"; a filter that returns all three at once needs a key. Anonymous clients
// have 300 requests a day.
func stackExchange(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || s[0] != "questions" && s[0] != "q" || !isNumber(s[1]) {
		return nil
	}
	vars := map[string]string{"api": "https://api.stackexchange.com/2.3/", "id": s[1], "site": "site=" + stackSite(u.Host()) + "&filter=withbody"}
	return variant("Stack Exchange API", ask{address: vars["api"] + "questions/" + s[1] + "?" + vars["site"]}, program("forums.jq", "stack", nil)).
		then(next("forums.jq", "stack_next", "", vars))
}

// stackSite returns the API's name of the site on a host; "" when the host is not a Stack
// Exchange site.
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

// bluesky is for posts: bsky.app/profile/NAME/post/KEY. The public view of the network has
// a post with those above it and the tree of its replies.
func bluesky(u weburl.URL) *Variant {
	const api = "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?depth=10&parentHeight=80&uri=at%3A%2F%2F"
	s := segments(u)
	if !matches(s, "profile", "*", "post", "*") {
		return nil
	}
	return variant("Bluesky API", ask{address: api + s[1] + "%2Fapp.bsky.feed.post%2F" + s[3]}, program("forums.jq", "bluesky", nil))
}

// mastodon recognizes a post on any host by its path, /@NAME/ID. Hosts that show posts to
// members only answer with an error, and the page is fetched.
func mastodon(u weburl.URL) *Variant {
	const idLength = 15 // snowflake IDs have 17 and more digits, old ones fewer
	s := segments(u)
	if !matches(s, "*", "#") || s[0][0] != '@' || len(s[1]) < idLength {
		return nil
	}
	api := "https://" + u.Host() + "/api/v1/statuses/" + s[1]
	return variant("Mastodon API", ask{address: api}, program("forums.jq", "mastodon", nil)).then(once(ask{address: api + "/context"}))
}

// xPost is for posts: x.com/NAME/status/ID. Programs without a key get one post, by oEmbed
// (docs.x.com/x-for-websites/oembed-api), and not its thread.
func xPost(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) > 3 && s[0] == "i" && s[1] == "web" {
		s = slices.Delete(s, 1, 2)
	}
	if len(s) < 3 || s[1] != "status" || !isNumber(s[2]) {
		return nil
	}
	api := "https://publish.x.com/oembed?omit_script=1&dnt=1&url=https%3A%2F%2Fx.com%2F" + s[0] + "%2Fstatus%2F" + s[2]
	return variant("oEmbed of X", ask{address: api}, program("articles.jq", "x_post", nil))
}

// substack is for articles, /p/SLUG, on the hosts of Substack and on those of publications.
func substack(u weburl.URL) *Variant {
	s := segments(u)
	if !matches(s, "p", "*") {
		return nil
	}
	site, _, _ := strings.Cut(u.Host(), ".substack.com")
	return variant("Substack API", ask{"https://" + u.Host() + "/api/v1/posts/" + s[1], "application/json"}, program("articles.jq", "substack", map[string]string{"site": site}))
}

// medium is for articles, whose paths end with the post's number. Their data is in the state
// of the page itself.
func medium(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) == 0 {
		return nil
	}
	id := s[len(s)-1]
	id = id[strings.LastIndexByte(id, '-')+1:]
	if len(id) < 10 || len(id) > 12 || strings.Trim(id, "0123456789abcdef") != "" {
		return nil
	}
	return variant("page state of Medium", ask{address: u.WithoutFragment().String()}, program("articles.jq", "medium", map[string]string{"id": id}))
}

func npm(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || s[0] != "package" {
		return nil
	}
	name, rest, version := s[1], s[2:], "latest"
	if strings.HasPrefix(name, "@") && len(rest) > 0 {
		name, rest = name+"%2F"+rest[0], rest[1:]
	}
	if matches(rest, "v", "*") {
		version = rest[1]
	} else if len(rest) > 0 {
		return nil
	}
	document := "https://registry.npmjs.org/" + name
	return variant("npm registry", ask{address: document + "/" + version}, program("registries.jq", "npm", nil)).then(once(ask{address: document}))
}

func pypi(u weburl.URL) *Variant {
	s := segments(u)
	if !matches(s, "project", "*") && !matches(s, "project", "*", "*") {
		return nil
	}
	return variant("PyPI JSON API", ask{address: "https://pypi.org/pypi/" + strings.Join(s[1:], "/") + "/json"}, program("registries.jq", "pypi", nil))
}

func crates(u weburl.URL) *Variant {
	s := segments(u)
	vars := map[string]string{"version": ""}
	switch {
	case matches(s, "crates", "*"):
	case matches(s, "crates", "*", "*"):
		vars["version"] = s[2]
	default:
		return nil
	}
	vars["name"] = s[1]
	return variant("crates.io API", ask{"https://crates.io/api/v1/crates/" + s[1], "application/json"}, program("registries.jq", "crates", vars)).
		then(next("registries.jq", "crates_next", "text/html", vars))
}

func dockerHub(u weburl.URL) *Variant {
	s := segments(u)
	switch {
	case matches(s, "_", "*"):
		s[0] = "library"
	case matches(s, "r", "*", "*"):
		s = s[1:]
	default:
		return nil
	}
	return variant("Docker Hub API", ask{"https://hub.docker.com/v2/repositories/" + s[0] + "/" + s[1] + "/", "application/json"}, program("registries.jq", "docker", nil))
}

// matches reports whether segments are those of a pattern, in which "*" is any segment and
// "#" is a number.
func matches(s []string, pattern ...string) bool {
	return slices.EqualFunc(s, pattern, func(x, p string) bool { return p == "*" || p == x || p == "#" && isNumber(x) })
}

// once requests one thing more.
func once(q ask) func(have []Response) ask {
	return func(have []Response) ask {
		if len(have) > 1 {
			return ask{}
		}
		return q
	}
}

// fileType returns the media type of a file by its extension, because servers of raw files
// declare every text as text/plain.
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
