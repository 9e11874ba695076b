# publish.x.com, oEmbed of a post: {url, author_name, author_url, html}. The HTML is a quotation
# with the text in a paragraph, the author and a link whose text is the date.
def x_post: .have[0] | need((.html | filled) and (.author_name | filled))
  | (.html | split("</p>")) as $parts | need($parts | length > 1)
  | (.author_url | str | split("/") | last // "") as $handle
  | ($parts[-1] | split("</a>")[0] | split(">") | last | str) as $date
  | {
    type: "forum", site: "X", title: "Post by \(.author_name)", byline: .author_name,
    parts: [
      {facts: [($handle | when(filled; "@\(.)")), ($date | unescaped)]},
      {text: ($parts[:-1] | join("</p>") | split("<p") | .[1:] | map("<p" + .) | join("") + "</p>"), format: "text/html", level: 1}]};

# Substack, /api/v1/posts/SLUG. Of a post for subscribers the body is its beginning.
def substack: .vars.site as $site | .have[0] | need((.title | filled) and (.body_html | filled))
  | {
    type: "article", site: $site, title, byline: ([.publishedBylines | list | .[].name | select(filled)] | join(", ")),
    published: .post_date, modified: .updated_at, excerpt: (.description | otherwise(.subtitle)),
    parts: [
      {facts: [(.subtitle | str)]},
      {text: .body_html, format: "text/html", level: 1, cut: ((.audience | str) as $for | $for != "" and $for != "everyone")}]};

# Medium: the state of the page, __APOLLO_STATE__, has the paragraphs of a post. Places in
# their texts count units of UTF-16.
def units: str | explode | map(if . > 65535 then ., -1 else . end);
def marked: (.text | units) as $t | [.markups | list | .[] | select((.start | type) == "number" and (.end | type) == "number")][:200] as $m
  | ([0, ($t | length), $m[].start, $m[].end] | map(select(. >= 0 and . <= ($t | length))) | unique) as $cuts
  | [range(0; ($cuts | length) - 1) as $i | $cuts[$i] as $a | $cuts[$i + 1] as $b
    | reduce ($m[] | select(.start <= $a and .end >= $b)) as $x ($t[$a:$b] | map(select(. >= 0)) | implode | @html;
      if $x.type == "A" and ($x.href | filled) then "<a href=\"\($x.href | @html)\">\(.)</a>"
      elif $x.type == "STRONG" then "<b>\(.)</b>" elif $x.type == "EM" then "<i>\(.)</i>" elif $x.type == "CODE" then "<code>\(.)</code>" else . end)]
  | join("");
def medium_block($state): marked as $text
  | if .type == "H2" or .type == "H3" then "<h2>\($text)</h2>"
    elif .type == "H4" then "<h3>\($text)</h3>"
    elif .type == "BQ" or .type == "PQ" then "<blockquote><p>\($text)</p></blockquote>"
    elif .type == "PRE" then "<pre><code class=\"language-\(.codeBlockMetadata.lang? | str | @html)\">\(.text | str | @html)</code></pre>"
    elif .type == "ULI" or .type == "OLI" then "<li>\($text)</li>"
    elif .type == "IMG" then (.metadata.__ref? | str) as $ref | $state[$ref] as $i
      | "<figure><img src=\"https://miro.medium.com/v2/\($i.id? | str | @html)\" alt=\"\($i.alt? | str | @html)\"><figcaption>\($text)</figcaption></figure>"
    elif .mixtapeMetadata.href? | filled then "<p><a href=\"\(.mixtapeMetadata.href | @html)\">\(.text | str | @html)</a></p>"
    else "<p>\($text)</p>" end;
def medium: .vars.id as $id | .have[0] | str | split("window.__APOLLO_STATE__ = ") | need(length > 1)
  | (.[1] | split("</script>")[0] | fromjson? // null) as $state | need($state | type == "object")
  | $state["Post:\($id)"] | need(type == "object" and (.title | filled))
  | ([to_entries[] | select((.key | startswith("content")) and (.value | type) == "object") | .value | select(.bodyModel.paragraphs? | type == "array")][0]) as $content
  | need($content != null)
  | .title as $title
  | [$content.bodyModel.paragraphs[] | .__ref? | select(filled) | $state[.] | select(type == "object")]
  | (.[:3] | map((.text | str | [scan("\\w")] | join("")) == ($title | [scan("\\w")] | join(""))) | index(true)) as $at # the title comes first anyway
  | if $at != null then .[:$at] + .[$at + 1:] else . end
  | (reduce .[] as $p ({html: [], list: ""};
      ({ULI: "ul", OLI: "ol"}[$p.type | str] // "") as $list
      | (if .list != "" and .list != $list then .html += ["</\(.list)>"] else . end)
      | (if $list != "" and .list != $list then .html += ["<\($list)>"] else . end)
      | .list = $list | .html += [$p | medium_block($state)])
    | .html + (if .list != "" then ["</\(.list)>"] else [] end) | join("")) as $html
  | ($state["Post:\($id)"]) as $post
  | ($state[$post.creator.__ref? | str].name? | str) as $author
  | {
    type: "article", site: "Medium", title: $title, byline: $author,
    published: ($post.firstPublishedAt | number / 1000 | stamp), modified: ($post.latestPublishedAt | number / 1000 | stamp),
    parts: [{text: $html, format: "text/html", level: 1, cut: ($content.isLockedPreviewOnly == true)}]};
