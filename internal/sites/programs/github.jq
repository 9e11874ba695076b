# docs.github.com/en/rest: repos, issues, pulls, releases, gists. Texts are Markdown. In the API
# every pull request is an issue; the comments on lines of its code are a separate list.

def name: if . == null then "ghost" else .login | str end; # GitHub's name for deleted accounts
def markdown($level): {text: str, format: "text/markdown", level: $level};

def comment($anchor): {
  id: "\($anchor)\(.id)", author: (.user | name), text: (.body | str), format: "text/markdown",
  facts: [(.author_association | str | ascii_downcase | select(IN("owner", "member", "collaborator")) // ""), (.created_at | day)]};

# Parts of lists of comments; $all is how many the site has.
def comments($all):
  (map(list) | add // []) as $got
  | if ($all | number) == 0 then empty else
      (if $got | length > 0 then {comment: true, heading: ($all | count("comment")), level: 2} else empty end),
      ($got[] | {comment: true, post: comment("issuecomment-"), level: 3}),
      {comment: true, missing: ($all - ($got | length)), noun: "comment"}
    end;

# Comments on lines of code, with the replies to them.
def reviews:
  (map({key: (.id | tostring), value: true}) | from_entries) as $known
  | length as $n
  | map((.in_reply_to_id | tostring) as $to
      | {key: (.id | tostring), to: (if $known[$to] then $to else "" end)}
      + {post: (comment("discussion_r") + if $known[$to] then {} else
          {facts: (comment("discussion_r").facts + ["\(.path | str)\([.line, .original_line] | map(number) | max | if . > 0 then ":\(.)" else "" end)"])} end)})
  | nested("")
  | (if length > 0 then {comment: true, heading: "\($n | count("comment")) on the code", level: 2} else empty end),
    (.[] | {comment: true, post: ., level: 3}),
    (if $n >= 100 then {comment: true, cut: true, facts: ["Further comments on the code are left out."]} else empty end);

# The lists that follow an issue, as far as they may be requested.
def lists: [
  (if .comments | number > 0 then "talk" else empty end),
  (if .pull_request then "code" else empty end),
  (if .comments | number > 100 then "more" else empty end)][:2];

def issue_next: . as $in | (.have[0] | lists)[(.have | length) - 1]
  | if . == "talk" then "\($in.vars.api)/issues/\($in.vars.number)/comments?per_page=100"
    elif . == "code" then "\($in.vars.api)/pulls/\($in.vars.number)/comments?per_page=100"
    elif . == "more" then "\($in.vars.api)/issues/\($in.vars.number)/comments?per_page=100&page=2"
    else null end;

def issue: .have[1:] as $more
  | .have[0] | need((.title | filled) and (.number | number) > 0)
  | lists as $lists
  | [range($more | length) | {of: $lists[.], list: $more[.]}] as $got
  | {
    type: "forum", site: "GitHub", title, byline: (.user | name), published: .created_at,
    parts: [
      {facts: [
        "\(if .pull_request then "pull request" else "issue" end) #\(.number)",
        (if .pull_request.merged_at | filled then "merged \(.pull_request.merged_at | day)"
         elif .state == "closed" then "closed \(.closed_at | day)" + (.state_reason | if filled then " (\(replaced("_"; " ")))" else "" end)
         elif .draft then "draft" else .state | str end),
        when(.locked; "locked"), (.user | name), (.created_at | day),
        (.labels | list | map(.name | str) | join(", ") | fact("labels")), (.milestone.title | fact("milestone")),
        (.assignees | list | map(.login | str) | join(", ") | fact("assigned"))]},
      (.body | markdown(1)),
      (.comments as $all | $got | map(select(.of != "code").list) | comments($all)),
      ($got[] | select(.of == "code").list | if type == "array" then reviews else {comment: true, cut: true} end),
      (if .pull_request and ([$got[] | select(.of == "code")] | length == 0) then {cut: true, facts: ["Comments on the code are left out."]} else empty end)]};

def repository: .have[1] as $readme
  | .have[0] | need(.full_name | filled)
  | {
    type: "documentation", site: "GitHub", title: .full_name, byline: (.owner | name), published: .created_at, modified: .pushed_at,
    excerpt: .description, licence: .license.spdx_id,
    parts: [
      {facts: [.description]},
      {facts: [when(.archived; "archived"), (.stargazers_count | count("star")), (.forks_count | count("fork")), (.open_issues_count | count("open issue")),
        .language, (.license.spdx_id | fact("licence")), (.default_branch | fact("branch")), (.pushed_at | day | fact("pushed")),
        (.topics | list | join(", ") | fact("topics"))]},
      {before: "Homepage:", link: .homepage, label: .homepage},
      {before: "Fork of", link: .parent.html_url, label: .parent.full_name},
      ($readme | select(type == "object" and .encoding == "base64")
        | {text: (try (.content | replaced("\n"; "") | @base64d) catch ""), file: .path, base: .html_url, level: 1})]};

def release:
  .tag_name as $tag | {heading: (.name | otherwise($tag)), level: 2},
  {facts: [.tag_name, when(.prerelease; "pre-release"), (.published_at | day), (.author | name)]},
  (.body | markdown(2)),
  {items: (.assets | list | map([{text: .name, url: .browser_download_url}, {text: "\(.size) bytes"}]))};

def releases($title): {type: "documentation", site: "GitHub", title: $title, published: .[0].published_at, parts: [.[] | release]};
def all_releases: .vars.repo as $repo | .have[0] | need(list | length > 0) | releases("Releases of \($repo)");
def one_release: .vars.repo as $repo | .have[0] | need(.tag_name | filled) | [.] | releases("Release \(.[0].tag_name) of \($repo)");

def gist_next: if (.have | length) == 1 and (.have[0].comments | number) > 0 then "\(.vars.api)/comments?per_page=100" else null end;

def gist: .have[1:] as $more
  | .have[0] | need(.files | type == "object" and length > 0)
  | {
    type: "source", site: "GitHub Gist", title: ((.files | keys[0]) as $first | .description | otherwise($first)), byline: (.owner | name), published: .created_at,
    parts: [
      {facts: [(.owner | name), (.created_at | day)]},
      (.files | to_entries[]
        | {heading: .key, level: 2}, {cut: .value.truncated}, {text: (.value.content | str), file: .key, base: "https://gist.github.com/\(.key)", level: 2}),
      (.comments as $all | if $more | length > 0 then $more | comments($all) else empty end)]};
