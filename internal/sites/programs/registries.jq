# Packages: facts, links, dependencies and the readme.

def parcel: {
  type: "documentation", site, title: "\(.name) \(.version | str)", byline: .author, excerpt: .summary, licence, published,
  parts: [
    {facts: [.summary]},
    {facts: ([(.published | day | fact("published")), (.licence | fact("licence")), (.author | fact("by"))] + .facts)},
    (.links // [] | .[] | select(.[1] | filled) | {before: "\(.[0]):", link: .[1], label: .[1]}),
    {facts: [(.needs // [] | join(", ") | fact("needs"))]},
    {text: (.readme | str), format, level: 1},
    (.parts // [] | .[])]};

# github.com/npm/registry, docs/REGISTRY-API.md: the manifest of a version, and the document of
# the package, which is the only place of the readme, and may exceed the size limit.
def npm_next: if (.have | length) == 1 then .vars.document else null end;
def npm: .have[1] as $all
  | .have[0] | need((.name | filled) and (.version | filled))
  | .version as $version
  | {
    site: "npm", name, version, published: (($all | objects | .time[$version]) // null), summary: (.description | str), format: "text/markdown",
    licence: (.license | (strings, (objects | .type) | str) // ""), author: (.author | (strings, (objects | .name) | str) // ""),
    facts: [(.deprecated | fact("deprecated"))],
    links: [["Homepage", .homepage], ["Repository", (.repository | (strings, (objects | .url) | str) // "" | ltrimstr("git+") | rtrimstr(".git"))]],
    needs: (.dependencies | (objects | to_entries | map("\(.key) \(.value | str)")) // []),
    readme: (.readme | otherwise(($all | objects | .readme) // "")),
    parts: (if $all | type == "object" then [] else [{cut: true, facts: ["The readme is left out: the registry's document of the package could not be read."]}] end)}
  | parcel;

# docs.pypi.org/api/json. Descriptions in reStructuredText are not converted.
def pypi: .have[0] | .urls as $urls | .info | need(.name | filled)
  | {
    site: "PyPI", name, version, summary, author, published: ($urls | list | .[0].upload_time_iso_8601),
    licence: ((.license | str) as $text | .license_expression | otherwise($text) | split("\n")[0] // ""), # some projects put the complete text there
    facts: [(.requires_python | fact("Python")), when(.yanked; "yanked")],
    links: (.project_urls // {} | to_entries | map([.key, .value])),
    needs: .requires_dist, readme: .description,
    format: (.description_content_type | str | if startswith("text/markdown") then "text/markdown" elif startswith("text/plain") then "text/plain" else "text/x-rst" end)}
  | parcel;

# crates.io/data-access: the record of a crate, and its readme, which is HTML.
def crate_shown: .vars.version as $version | .have[0].crate as $crate
  | $version | otherwise($crate.max_stable_version | otherwise($crate.newest_version | str));
def crates_next: crate_shown as $version
  | if (.have | length) > 1 or ($version | . == "" or test("[/?#]")) then null
    else "https://static.crates.io/readmes/\(.vars.name)/\(.vars.name)-\($version).html" end;
def crates: crate_shown as $version | .have[1] as $readme
  | .have[0] | need(.crate.name | filled)
  | (.versions | list | map(select(.num == $version))[0]) as $v
  | .crate
  | {
    site: "crates.io", name, version: $version, summary: .description, published: $v.created_at, licence: $v.license,
    facts: [(.downloads | count("download")), (.keywords | list | join(", ") | fact("keywords")), ($v.rust_version | fact("Rust")), when($v.yanked; "yanked")],
    links: [["Homepage", .homepage], ["Documentation", .documentation], ["Repository", .repository]],
    readme: $readme, format: "text/html"}
  | parcel;

# docs.docker.com/reference/api/hub.
def docker: .have[0] | need(.name | filled)
  | {
    site: "Docker Hub", name: "\(.namespace)/\(.name)", summary: .description, published: .last_updated, readme: .full_description, format: "text/markdown",
    facts: [(.star_count | count("star")), (.pull_count | if . then tostring else "" end | fact("pulls"))]}
  | parcel;
