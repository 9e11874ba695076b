package about

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// writer writes what JSON-LD says about the subject of the page as HTML.
type writer struct {
	*Graph
	b     strings.Builder
	words int // of its texts
	items int
}

// written are types of items that have content; all articles and postings do too.
var written = []string{"FAQPage", "Question", "Answer", "Comment", "Conversation", "Recipe", "HowTo", "JobPosting", "Product", "ProductGroup", "Review", "ItemList", "Event",
	"Course", "Book", "Movie", "TVSeries", "PodcastEpisode", "VideoObject", "SoftwareApplication", "CreativeWork", "Report"}

// parts are the members that have items of their own with content, in the order in which
// pages show them.
var partNames = []string{"offers", "mainEntity", "acceptedAnswer", "suggestedAnswer", "comment", "review"}

// write writes the items of JSON-LD that have content.
func (w *writer) write() {
	for _, it := range w.Items {
		if it.Source == LinkedData {
			w.item(it, 0)
		}
	}
}

func (w *writer) item(it *Item, level int) {
	isText := slices.ContainsFunc(it.Types, func(t string) bool {
		return slices.Contains(written, t) || strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") || strings.HasSuffix(t, "Event")
	})
	if w.items++; w.items > maxItems || level > maxItemDepth || w.b.Len() > maxValueBytes {
		return
	}
	if !isText {
		for _, m := range append(it.Values("mainEntity"), it.Values("mainEntityOfPage")...) {
			if m.Item != nil {
				w.item(m.Item, level)
			}
		}
		return
	}
	w.element([...]string{"h1", "h2", "h3"}[min(level, 2)], w.Text(it, "headline", "name", "title"))
	isPost := level > 0 || it.Is("Question", "DiscussionForumPosting", "SocialMediaPosting", "Comment")
	if isPost {
		w.b.WriteString(`<div class="topic-post post"><div class="names">`)
	}
	if isPost || it.Is("Review", "JobPosting") {
		day, _ := dayAndTime(w.Text(it, "datePublished", "dateCreated", "datePosted"))
		w.element("p", strings.TrimSpace(w.Text(it, "author", "hiringOrganization")+" "+day))
	}
	if isPost {
		w.b.WriteString(`</div><div class="cooked post">`)
	}
	if body := it.Values("articleBody", "text", "reviewBody"); body != nil {
		w.prose(joined(body))
	} else if !slices.ContainsFunc(it.Types, func(t string) bool { return strings.HasSuffix(t, "Article") || t == "BlogPosting" }) {
		w.prose(joined(it.Values("description")))
	}
	if isPost {
		w.b.WriteString("</div></div>")
	}
	w.list("ul", it.Values("recipeIngredient", "ingredients", "supply"), level)
	w.list("ol", it.Values("recipeInstructions", "step", "itemListElement"), level)
	for _, name := range partNames {
		for _, of := range w.Inner(it, name) {
			if price := w.Text(of, "price", "lowPrice"); price != "" {
				w.element("p", price+" "+w.Text(of, "priceCurrency"))
			} else if name != "offers" {
				w.item(of, level+1)
			}
		}
	}
}

// joined is the text of values, a line for each.
func joined(values []Value) string {
	var lines []string
	for _, v := range values {
		lines = append(lines, v.Text)
	}
	return strings.Join(lines, "\n")
}

// list writes texts, steps, and sections of steps as a list.
func (w *writer) list(tag string, values []Value, level int) {
	if len(values) == 0 || level > maxItemDepth {
		return
	}
	w.b.WriteString("<" + tag + ">")
	for _, v := range values {
		w.b.WriteString("<li>")
		if it := v.Item; it != nil {
			if of := w.first(it, "item"); of != nil {
				it = of
			}
			text := joined(it.Values("text", "description"))
			if name := w.Text(it, "name"); !strings.HasPrefix(text, name) {
				w.element("strong", name)
			}
			w.prose(text)
			w.list(tag, it.Values("itemListElement"), level+1)
		} else {
			w.prose(v.Text)
		}
		w.b.WriteString("</li>")
	}
	w.b.WriteString("</" + tag + ">")
}

// element writes an element of one line, unless it is empty.
func (w *writer) element(tag, line string) {
	if line != "" {
		w.b.WriteString("<" + tag + ">" + html.EscapeString(line) + "</" + tag + ">")
	}
}

// prose writes a text, which may be markup.
func (w *writer) prose(s string) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "&lt;") {
		s = html.UnescapeString(s)
	}
	w.words += len(strings.Fields(s))
	if isMarkup(s) {
		s = "<div>" + balanced(s) + "</div>"
	} else if strings.Contains(s, "\n") || !strings.HasSuffix(w.b.String(), "<li>") {
		s = paragraphs(s)
	} else {
		s = html.EscapeString(s)
	}
	w.b.WriteString(s)
}

// balanced closes all elements of markup, so that they do not contain the text that
// is written after it.
func balanced(s string) string {
	var b strings.Builder
	for _, n := range dom.ParseFragment(s) {
		if html.Render(&b, n) != nil {
			return html.EscapeString(dom.TokenText([]byte(s)))
		}
	}
	return b.String()
}

// paragraphs is plain text as HTML.
func paragraphs(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("<p>" + html.EscapeString(line) + "</p>")
		}
	}
	return b.String()
}
