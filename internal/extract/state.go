package extract

import (
	"encoding/json"
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shellWords is up to how many words a page counts as a shell, whose content
// may be state that its scripts would show.
const shellWords = 150

// unpackState puts the content of the state that a shell carries in the place
// of its body, and reports whether there was some. That is content alone: no
// frame stands around it.
func unpackState(body *html.Node, l *layout) bool {
	words := int32(0)
	for i := range l.blocks {
		words += l.blocks[i].words
	}
	if words > shellWords {
		return false
	}
	for n := range body.Descendants() {
		if n.DataAtom == atom.Div && attr(n, "id") == "data-preloaded" {
			return discourse(body, attr(n, "data-preloaded"))
		}
	}
	return false
}

// discourse reads the state of a Discourse page: a JSON object of JSON
// strings, of which those with the key topic_ID hold threads.
func discourse(body *html.Node, state string) bool {
	var entries map[string]string
	if json.Unmarshal([]byte(state), &entries) != nil {
		return false
	}
	keys := make([]string, 0, len(entries))
	for k := range entries {
		if strings.HasPrefix(k, "topic_") {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var found []*html.Node
	for _, k := range keys {
		var topic struct {
			Title      string
			PostStream struct {
				Posts []struct {
					Username, Cooked string
					Created          string `json:"created_at"`
				}
			} `json:"post_stream"`
		}
		if json.Unmarshal([]byte(entries[k]), &topic) != nil || len(topic.PostStream.Posts) == 0 {
			continue
		}
		var b strings.Builder
		b.WriteString("<main><h1>" + html.EscapeString(topic.Title) + "</h1>")
		for _, p := range topic.PostStream.Posts {
			day, _, _ := strings.Cut(p.Created, "T")
			b.WriteString(`<div class="topic-post post"><div class="names">` + html.EscapeString(p.Username) + ` <time>` +
				html.EscapeString(day) + `</time></div><div class="cooked post">` + p.Cooked + `</div></div>`)
		}
		b.WriteString("</main>")
		nodes, err := html.ParseFragment(strings.NewReader(b.String()), body)
		if err != nil {
			continue // nested too deeply
		}
		found = append(found, nodes...)
	}
	if found == nil {
		return false
	}
	for body.FirstChild != nil {
		body.RemoveChild(body.FirstChild)
	}
	for _, n := range found {
		body.AppendChild(n)
	}
	return true
}
