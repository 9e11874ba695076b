# Threads of other sites.

# docs.gitlab.com/api/issues, …/merge_requests. Comments are for clients with an account only
# (gitlab-org/gitlab issue 217369).
def gitlab: .have[0] | need((.title | filled) and (.iid | number) > 0)
  | (.author // {} | .name as $name | .username | otherwise($name | str)) as $author | .closed_at as $closed
  | {
    type: "forum", site: "GitLab", title, byline: $author, published: .created_at,
    parts: [
      {facts: [
        "\(if .source_branch | filled then "merge request !" else "issue #" end)\(.iid)", "\(.state) \(.merged_at | otherwise($closed) | day)",
        $author, (.created_at | day), (if .source_branch | filled then "\(.source_branch) into \(.target_branch)" else "" end),
        (.labels | list | join(", ") | fact("labels")), (.milestone.title | fact("milestone"))]},
      {text: (.description | str), format: "text/markdown", level: 1},
      {comment: true, missing: (.user_notes_count | number), noun: "comment"}]};

# hn.algolia.com/api/v1: a story with the tree of its comments. Deleted ones without replies go.
def hackernews_tree: [.[] | select(.type == "comment")
  | {author: .author, facts: [(.created_at | day)], text: (.text | str), format: "text/html", replies: (.children | list | hackernews_tree)}
  | select(.text != "" or (.replies | length > 0))];
def posts: length + (map(.replies | posts) | add // 0);
def hackernews: .have[0] | need((.id | number) > 0 and (.type | filled))
  | (.children | list | hackernews_tree) as $comments | "Comment by \(.author | str)" as $comment # its own page has no title
  | {
    type: "forum", site: "Hacker News", title: (.title | otherwise($comment)), byline: .author, published: .created_at,
    parts: [
      {facts: [.type, (.points | count("point")), .author, (.created_at | day), ($comments | posts | count("comment"))]},
      {link: .url, label: .url}, {text: (.text | str), format: "text/html", level: 1},
      (if $comments | length > 0 then {comment: true, heading: "Comments", level: 2}, {comment: true, thread: $comments} else empty end)]};
def hackernews_front: .have[0].hits | need(list | length > 0)
  | {
    type: "collection", site: "Hacker News", title: "Hacker News",
    parts: [{start: 1, items: map("https://news.ycombinator.com/item?id=\(.objectID)" as $talk
      | [{text: .title, url: (.url | otherwise($talk))}, {text: (.points | count("point"))}, {text: .author}, {text: (.created_at | day)},
        {text: "\(.num_comments | number) comments", url: $talk}])}]};

# reddit.com/dev/api. Without replies, replies is "".
def children: ((.data?.children?) // []) | list;
def reddit_tree: [.[] | select(.kind == "t1") | .data
  | {author: (.author | str), facts: [(.score | count("point")), (.created_utc | stamp | day)], text: (.body | str), format: "text/markdown",
    replies: (.replies | children | reddit_tree)}];
def reddit_more: [.[] | if .kind == "more" then [.data.count | number, 0] | max elif .kind == "t1" then .data.replies | children | reddit_more else 0 end] | add // 0;
def reddit: (.have[0] | list)[1] as $comments
  | .have[0] | need(list | length > 1) | .[0] | children[0] | need(.kind == "t3") | .data
  | ($comments | children | reddit_tree) as $posts
  | {
    type: "forum", site: "Reddit", title: (.title | str), byline: (.author | str), published: (.created_utc | stamp),
    parts: [
      {facts: ["r/\(.subreddit)", (.score | count("point")), (.author | str), (.created_utc | stamp | day), (.num_comments | count("comment")),
        (.link_flair_text | fact("flair"))]},
      (if .is_self == true then empty else {link: (.url | str), label: (.url | str)} end),
      {text: (.selftext | str), format: "text/markdown", level: 1},
      (if $posts | length > 0 then {comment: true, heading: "Comments", level: 2}, {comment: true, thread: $posts} else empty end),
      {comment: true, missing: ($comments | children | reddit_more), noun: "comment"}]};
def reddit_listing: .have[0] | children | need(length > 0)
  | {
    type: "collection", site: "Reddit", title: "r/\(.[0].data.subreddit)",
    parts: [{items: map(.data | [{text: (.title | str), url: (.permalink | str)}, {text: (.score | count("point"))}, {text: (.author | str)},
      {text: (.created_utc | stamp | day)}, {text: (.num_comments | count("comment"))}])}]};

# api.stackexchange.com/docs: the question, its answers, and the comments on both. The accepted
# answer comes first, the others in the API's order, by votes.
def stack_next: if (.have | length) == 1 then "\(.vars.api)questions/\(.vars.id)/answers?order=desc&sort=votes&pagesize=30&\(.vars.site)"
    elif .have[1] | type == "object" then
      "\(.vars.api)posts/\([.vars.id, (.have[1].items | list | .[].answer_id | numbers | tostring)][:100] | join("%3B"))/comments?order=asc&sort=creation&pagesize=100&\(.vars.site)"
    else null end;
def stack: .have as $have
  | need(.have | length < 2 or (.[1] | type) == "object")
  | ([$have[2].items? | list | .[] | {key: (.post_id | tostring), post: {
      author: (.owner.display_name | str | unescaped), facts: [(.creation_date | stamp | day), (.score | count("point"))], text: (.body | str), format: "text/html"}}]
    | group_by(.key) | map({key: .[0].key, value: map(.post)}) | from_entries) as $comments
  | ($have[1].items? | list) as $answers
  | .have[0].items | need(length == 1 and (.[0].title | filled)) | .[0]
  | (.owner.display_name | str | unescaped) as $author
  | {
    type: "forum", site: "Stack Exchange", title: (.title | unescaped), byline: $author, published: (.creation_date | stamp),
    parts: [
      {facts: ["question", (.score | count("point")), $author, (.creation_date | stamp | day), (.view_count | count("view")),
        (.tags | list | join(", ") | fact("tags")), (.closed_reason | str | unescaped | fact("closed"))]},
      {text: (.body | str), format: "text/html", level: 1},
      {comment: true, thread: ($comments[.question_id | tostring] // [])},
      ($answers | sort_by(.is_accepted != true)[]
        | {level: 2, post: {id: (.answer_id | tostring), author: "Answer by \(.owner.display_name | str | unescaped)", text: (.body | str), format: "text/html",
            facts: [when(.is_accepted; "accepted"), (.score | count("point")), (.creation_date | stamp | day)], comments: ($comments[.answer_id | tostring] // [])}}),
      {missing: ((.answer_count | number) - ($answers | length)), noun: "answer"},
      (if ($have | length > 2) and ($have[2].has_more? != false) then {comment: true, cut: true, facts: ["Further comments are left out."]} else empty end)]};

# docs.bsky.app: app.bsky.feed.getPostThread. The text has shortened forms of its links.
def bluesky_post: .record as $r | ($r.text | str) as $text
  | {author: .author.handle, facts: [($r.createdAt | day), (.likeCount | count("like"))], format: "text/plain",
    text: ([$text, ($r.facets | list | .[].features | list | .[].uri | select(filled) | . as $uri | select($text | contains($uri) | not))] | join("\n"))
      + ([.embed.images? | list | .[].alt | select(filled) | "\n\n[image: \(.)]"] | add // "")};
def bluesky_replies: [.replies | list | .[] | select(.post.uri | filled) | bluesky_replies as $below | (.post | bluesky_post) + {replies: $below}]; # else deleted, or hidden
def bluesky: .have[0].thread | need(.post.uri | filled)
  | (.post.author | .handle as $handle | .displayName | otherwise($handle)) as $name
  | {
    type: "forum", site: "Bluesky", title: "Post by \($name)", byline: $name, published: .post.record.createdAt,
    parts: [
      {facts: ["@\(.post.author.handle)", (.post.record.createdAt | day), (.post.likeCount | count("like")), (.post.replyCount | count("reply"; "replies"))]},
      ({above: ([limit(80; .parent | recurse(.parent; . != null)) | select(.post.uri? | filled) | .post | bluesky_post] | reverse), post: (.post | bluesky_post), replies: bluesky_replies}
        | conversation),
      (.post.embed.external? | objects | .uri as $uri | {link: $uri, label: (.title | otherwise($uri))})]};

# docs.joinmastodon.org: /api/v1/statuses/ID, …/context. The replies are a flat list.
def mastodon_next: if (.have | length) == 1 then "\(.vars.api)/context" else null end;
def mastodon_post: {
  author: .account.acct, facts: [(.created_at | day), (.favourites_count | count("like")), .spoiler_text], format: "text/html",
  text: "\(.content | str)\([.media_attachments | list | .[].description | select(filled) | "<p>[image: \(@html)]</p>"] | add // "")"};
def mastodon: .have[1] as $around | (.have | length) as $n
  | .have[0] | need((.id | filled) and (.account.acct | filled) and ($n < 2 or ($around | type) == "object"))
  | .id as $id | (.account.acct) as $acct | (.account.display_name | otherwise($acct)) as $name
  | {
    type: "forum", site: "Mastodon", title: "Post by \($name)", byline: $name, published: .created_at,
    parts: [
      {facts: ["@\($acct)", (.created_at | day), (.favourites_count | count("like")), (.replies_count | count("reply"; "replies")), .spoiler_text]},
      ({above: ($around.ancestors? | list | .[:80] | map(mastodon_post)), post: mastodon_post,
        replies: ($around.descendants? | list | map({key: .id, to: (.in_reply_to_id // ""), post: mastodon_post}) | nested($id))}
        | conversation),
      (.card | objects | .url as $url | {link: $url, label: (.title | otherwise($url))})]};

# docs.discourse.org, GET /t/{id}.json: twenty posts at a time; cooked is a post's HTML.
def discourse_next: if .vars.part == "" and (.have[0].posts_count | number) > 20 * (.have | length) then "\(.vars.topic)?page=\((.have | length) + 1)" else null end;
def discourse: [.have[] | .post_stream?.posts? | list | .[]] as $all
  | .have[0] | need((.title | filled) and (.post_stream.posts | list | length > 0))
  | ($all | to_entries | unique_by(.value.id) | sort_by(.key) | map(.value)) as $posts
  | {
    type: "forum", title, byline: ($posts | map(select(.post_number == 1))[0].username), published: .created_at,
    parts: [
      {facts: [(.posts_count | count("post")), (.views | count("view")), (.created_at | day), when(.closed; "closed")]},
      ($posts[] | {comment: (.post_number != 1), level: 2, post: {id: "post_\(.post_number)", author: .username, text: (.cooked | str), format: "text/html",
        facts: ["#\(.post_number)", (.created_at | day), (.reply_to_post_number | if number > 0 then "to #\(.)" else "" end), when(.accepted_answer; "accepted")]}}),
      {comment: true, missing: ((.posts_count | number) - ($posts | length)), noun: "post"}]};

# The captions of a video: a paragraph is about 45 seconds long.
def clock: floor | if . >= 3600 then "\(. / 3600 | floor):\(. / 60 % 60 | tostring | if length < 2 then "0" + . else . end)" else "\(. / 60 | floor)" end
  + ":" + (. % 60 | tostring | if length < 2 then "0" + . else . end);
def captions: .vars as $v
  | [.have[0].events | list | .[] | {at: ((.tStartMs | number) / 1000 | floor), said: ([.segs | list | .[].utf8 | str] | add // "")} | select(.said | filled)] as $events
  | need($events | length > 0)
  | ([foreach $events[] as $e (null; if . == null or $e.at - . >= 45 then $e.at else . end; {begin: ., said: $e.said})] | group_by(.begin)) as $paragraphs
  | {
    type: "other", site: "YouTube", title: $v.title, byline: $v.author,
    parts: [
      {facts: [$v.author, ($v.seconds | (tonumber? // 0) | if . > 0 then clock else "" end), ($v.spoken | fact("captions"))]},
      {text: $v.about, format: "text/plain", level: 1}, {heading: "Transcript", level: 2},
      ($paragraphs[] | {facts: ["[\(.[0].begin | clock)] \(map(.said) | join(" "))"]})]};
