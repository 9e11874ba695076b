# What the programs of all sites share. A program gets
#   {have: [the responses, null for one that cannot be read], vars: {…of the URL}}
# and returns a sheet, as program.go describes it, or fails where a response does not match
# the site's documentation. "next" programs return the URL of the next request, or null.

def need(f): if f then . else error("it has other content") end;
def str: if type == "string" then . else "" end;
def list: if type == "array" then . else [] end;
def number: if type == "number" then . else 0 end;
def filled: type == "string" and test("\\S");
def otherwise(f): if filled then . else f end;

def count($one; $many): number | if . == 0 then "" else "\(.) \(if . == 1 or . == -1 then $one else $many end)" end;
def count($one): count($one; $one + "s");
def fact($name): if filled then "\($name): \(.)" else "" end;
def day: if filled and test("^\\d{4}-\\d{2}-\\d{2}") then .[:10] else "" end;
def stamp: if type == "number" and . > 0 and . < 1e11 then floor | todate else "" end;
def when(f; $word): if f then $word else "" end;

def replaced($this; $by): split($this) | join($by); # gsub's time grows with the square of the matches

# Titles of Stack Exchange are escaped text.
def unescaped: .[:4000] | gsub("&#(?<n>\\d{1,6});"; [.n | tonumber] | implode)
  | replaced("&quot;"; "\"") | replaced("&lt;"; "<") | replaced("&gt;"; ">") | replaced("&amp;"; "&");

# Makes trees of a list of {key, to, post}, in which each is once; $root is what the first posts answer.
def nested($root):
  (to_entries | unique_by(.value.key) | sort_by(.key) | map(.value) | group_by(.to)
    | map({key: .[0].to, value: .}) | from_entries) as $answers
  | def below: ($answers[.] // []) | map(select(.key != $root) | .key as $key | .post + {replies: ($key | below)});
  $root | below;

# A post with those above it and the replies to it: {above, post, replies}. Where comments are
# not wanted, the author's own replies to the post stay: long texts are written as threads.
def conversation:
  .post.author as $author
  | def own: map(select(.author == $author) | .replies |= own);
  (if .above | length > 0 then {heading: "In reply to", level: 2}, {thread: .above}, {heading: "The post", level: 2} else empty end),
  {text: .post.text, format: .post.format, level: 2},
  (if .replies | length > 0 then {comment: true, heading: "Replies", level: 2}, {comment: true, thread: .replies} else empty end),
  (.replies | own | if length > 0 then {author: true, heading: "Replies", level: 2}, {author: true, thread: .} else empty end);
