package sites

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/tags"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file finds the variants that pages name themselves: with a link to a
// Markdown version (RFC 8288, rel=alternate), with the name of the program that generated
// them, or with captions of a video.

// maxHead is the number of bytes that are searched. The head of a page is at its
// beginning.
const maxHead = 256 << 10

// Declared returns the variant that an HTML page names itself, or nil. link are
// the values of its Link headers, body is its markup. The variant is always on
// the page's own host.
func Declared(u weburl.URL, link []string, body []byte) *Variant {
	if !isWeb(u) {
		return nil
	}
	head := body[:min(len(body), maxHead)]
	if f := discourse(u, head); f != nil {
		return f
	}
	if f := youTube(u, body); f != nil {
		return f
	}
	if bytes.Contains(head, []byte("substackcdn.com")) {
		if f := substack(u); f != nil { // a publication with a host of its own
			return f
		}
	}
	if twin := twinOf(u, link, head); twin != "" {
		return variant("Markdown that the page names", ask{twin, "text/markdown"}, func(b *builder, have []Response) error {
			r := have[0]
			if r.MediaType != "text/markdown" && r.MediaType != "text/x-markdown" && r.MediaType != "text/plain" {
				return errShape
			}
			return b.file(r, "text/markdown", b.o.URL, "")
		})
	}
	return nil
}

// twinOf returns the address of a page's Markdown version, or "".
func twinOf(u weburl.URL, link []string, head []byte) string {
	for _, line := range link {
		if t := twin(u, linkHeader(line, func(rel, kind string) bool { return names(rel, "alternate") && isMarkdown(kind) })); t != "" {
			return t
		}
	}
	if !bytes.Contains(head, []byte("text/markdown")) {
		return ""
	}
	for _, tag := range headTags(head, "link") {
		if names(tag["rel"], "alternate") && isMarkdown(tag["type"]) {
			if t := twin(u, tag["href"]); t != "" {
				return t
			}
		}
	}
	return ""
}

// twin resolves an address that a page names; "" unless it is on the page's own
// host, is not the page itself, and is not a list of the site's pages.
func twin(u weburl.URL, ref string) string {
	t, err := u.Resolve(ref)
	if err != nil || !weburl.SameHost(t, u) || t.Port() != u.Port() || t.HasUserinfo() || t.WithoutFragment().String() == u.WithoutFragment().String() ||
		strings.HasSuffix(t.Path(), "/llms.txt") || strings.HasSuffix(t.Path(), "/llms-full.txt") {
		return ""
	}
	return t.WithoutFragment().String()
}

// names reports whether one of the relations in rel is kind.
func names(rel, kind string) bool {
	for r := range strings.FieldsSeq(rel) {
		if strings.EqualFold(r, kind) {
			return true
		}
	}
	return false
}

func isMarkdown(mediaType string) bool {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "text/markdown")
}

// Canonical returns the address that the values of a page's Link headers call canonical
// (RFC 6596), or "". Documents without markup, for example PDF, have no other way to say it.
func Canonical(u weburl.URL, link []string) string {
	for _, line := range link {
		target := linkHeader(line, func(rel, _ string) bool { return names(rel, "canonical") })
		if t, err := u.Resolve(target); target != "" && err == nil && isWeb(t) {
			return t.String()
		}
	}
	return ""
}

// linkHeader returns the target of the first link in a Link header (RFC 8288 section 3)
// whose relation and type fit, or "". Quoted texts and targets can contain commas and
// semicolons. A link whose context is another page ("anchor") does not count.
func linkHeader(line string, fits func(rel, kind string) bool) string {
	for line != "" {
		from := strings.IndexByte(line, '<')
		to := strings.IndexByte(line, '>')
		if from < 0 || to < from {
			return ""
		}
		target := line[from+1 : to]
		line = line[to+1:]
		end, quoted := 0, false
		for end < len(line) && (quoted || line[end] != ',') {
			if line[end] == '"' {
				quoted = !quoted
			}
			end++
		}
		var rel, kind, anchor string
		for p := range strings.SplitSeq(line[:end], ";") {
			name, v, _ := strings.Cut(strings.TrimSpace(p), "=")
			v = strings.Trim(v, "\" ")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "rel":
				rel = v
			case "type":
				kind = v
			case "anchor":
				anchor = v
			}
		}
		if anchor == "" && fits(rel, kind) {
			return target
		}
		line = strings.TrimPrefix(line[end:], ",")
	}
	return ""
}

// headTags returns the attributes of the elements with a name (in lower case) in the
// head of a page.
func headTags(head []byte, name string) (all []map[string]string) {
	tags.Each(head, false, func(tag string, attrs map[string]string) (done bool) {
		if tag == name {
			all = append(all, attrs)
		}
		return tag == "body"
	})
	return all
}

// discourse returns the variant of a topic of a Discourse forum: …/t/TITLE/NUMBER, which the
// number of a post can follow. The generator tag in the markup identifies Discourse.
func discourse(u weburl.URL, head []byte) *Variant {
	s := segments(u)
	t := slices.Index(s, "t")
	if t < 0 || !bytes.Contains(head, []byte("Discourse")) {
		return nil
	}
	topic := s[t+1:]
	if len(topic) > 0 && !isNumber(topic[0]) {
		topic = topic[1:] // the title
	}
	isDiscourse := func(tag map[string]string) bool {
		return strings.EqualFold(tag["name"], "generator") && strings.HasPrefix(tag["content"], "Discourse")
	}
	if !matches(topic, "#") && !matches(topic, "#", "#") || !slices.ContainsFunc(headTags(head, "meta"), isDiscourse) {
		return nil
	}
	path := strings.Join(append(slices.Clone(s[:t+1]), topic...), "/")
	vars := map[string]string{"topic": u.Origin() + "/" + path + ".json", "part": ""}
	if len(topic) == 2 {
		vars["part"] = topic[1] // a topic from one post on: only that part
	}
	return variant("Discourse API", ask{vars["topic"], "application/json"}, program("forums.jq", "discourse", nil)).
		then(next("forums.jq", "discourse_next", "application/json", vars))
}
