package pagestate

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// ldWriter writes what JSON-LD says about the page's subject as HTML.
type ldWriter struct {
	b     strings.Builder
	body  int // words of its texts
	nodes int
}

const maxLDWritten = 5000 // objects

// writeLD writes the subjects of JSON-LD, the first of each text.
func writeLD(values []Value) *ldWriter {
	w := &ldWriter{}
	for i := range values {
		w.any(&values[i], 0)
	}
	return w
}

func (w *ldWriter) any(v *Value, depth int) {
	if depth > 12 || w.nodes > maxLDWritten || w.b.Len() > maxStateValue {
		return
	}
	w.nodes++
	switch v.kind {
	case jsList:
		for i := range v.list {
			w.any(&v.list[i], depth+1)
		}
	case jsObject:
		if !w.typed(v, depth) {
			for _, k := range [...]string{"@graph", "mainEntity", "mainEntityOfPage"} {
				if m := v.get(k); m != nil {
					w.any(m, depth+1)
				}
			}
		}
	}
}

// typed writes an object whose type says what its members mean, and reports
// whether it did.
func (w *ldWriter) typed(v *Value, depth int) bool {
	t := ldTypeOf(v)
	switch {
	case isPosting(t):
		w.post(v, "h1", depth)
		return true
	case isArticle(t):
		return w.article(v)
	}
	switch t {
	case "FAQPage":
		w.each(v.get("mainEntity"), depth, func(q *Value) {
			w.heading("h2", ldText(q, "name"))
			w.each(q.get("acceptedAnswer"), depth, func(a *Value) { w.text(ldText(a, "text")) })
		})
	case "QAPage":
		w.each(v.get("mainEntity"), depth, func(q *Value) { w.post(q, "h1", depth) })
	case "Question":
		w.post(v, "h2", depth)
	case "Recipe":
		w.about(v)
		w.bullets(v.get("recipeIngredient"))
		w.steps(v.get("recipeInstructions"), depth)
	case "HowTo":
		w.about(v)
		w.bullets(v.get("supply"))
		w.steps(v.get("step"), depth)
	case "JobPosting":
		w.heading("h1", ldText(v, "title"))
		w.line(nameOf(orNil(v.get("hiringOrganization")), 0), dayOf(v.text("datePosted")))
		w.text(ldText(v, "description"))
	case "Product", "ProductGroup":
		w.product(v, depth)
	case "Review":
		w.review(v)
	case "ItemList":
		w.itemList(v, depth)
	case "Event", "Course", "Book", "Movie", "TVSeries", "PodcastEpisode", "VideoObject", "SoftwareApplication":
		w.about(v)
	default:
		return false
	}
	return true
}

// isPosting reports whether a type is a contribution to a conversation.
func isPosting(t string) bool {
	switch t {
	case "JobPosting", "BlogPosting":
		return false
	case "Comment", "Conversation":
		return true
	}
	return strings.HasSuffix(t, "Posting")
}

func isArticle(t string) bool {
	switch t {
	case "BlogPosting", "Report", "CreativeWork":
		return true
	}
	return strings.HasSuffix(t, "Article")
}

// article writes an article that has its text, and reports whether it has.
func (w *ldWriter) article(v *Value) bool {
	body := dom.FirstNonBlank(ldText(v, "articleBody"), ldText(v, "text"))
	if body == "" {
		return false
	}
	w.heading("h1", dom.FirstNonBlank(ldText(v, "headline"), ldText(v, "name")))
	w.text(body)
	return true
}

func (w *ldWriter) product(v *Value, depth int) {
	w.about(v)
	w.each(v.get("offers"), depth, func(o *Value) {
		price := dom.FirstNonBlank(scalar(o, "price"), scalar(o, "lowPrice"))
		if price != "" {
			w.line(price, scalar(o, "priceCurrency"))
		}
	})
	w.each(v.get("review"), depth, func(r *Value) { w.review(r) })
}

func (w *ldWriter) itemList(v *Value, depth int) {
	w.b.WriteString("<ol>")
	w.each(v.get("itemListElement"), depth, func(e *Value) {
		if item := e.get("item"); item != nil && item.kind == jsObject {
			e = item
		}
		name, text := ldText(e, "name"), ldText(e, "description")
		if name == "" {
			return
		}
		w.b.WriteString("<li><p>" + html.EscapeString(name) + "</p>")
		w.text(text)
		w.b.WriteString("</li>")
	})
	w.b.WriteString("</ol>")
}

// about writes a name and a description.
func (w *ldWriter) about(v *Value) {
	w.heading("h1", ldText(v, "name"))
	w.text(ldText(v, "description"))
}

// post writes a question, an answer or a comment: author, date, text, and the
// replies.
func (w *ldWriter) post(v *Value, title string, depth int) {
	if depth > 12 || w.nodes > maxLDWritten {
		return
	}
	w.nodes++
	w.heading(title, dom.FirstNonBlank(ldText(v, "headline"), ldText(v, "name")))
	w.b.WriteString(`<div class="topic-post post"><div class="names">`)
	w.line(nameOf(orNil(v.get("author")), 0), dayOf(dom.FirstNonBlank(v.text("datePublished"), v.text("dateCreated"))))
	w.b.WriteString(`</div><div class="cooked post">`)
	w.text(dom.FirstNonBlank(ldText(v, "text"), ldText(v, "articleBody")))
	w.b.WriteString("</div></div>")
	for _, k := range [...]string{"acceptedAnswer", "suggestedAnswer", "comment"} {
		w.each(v.get(k), depth, func(c *Value) { w.post(c, "h2", depth+1) })
	}
}

func (w *ldWriter) review(v *Value) {
	w.line(nameOf(orNil(v.get("author")), 0), dayOf(v.text("datePublished")))
	w.text(dom.FirstNonBlank(ldText(v, "reviewBody"), ldText(v, "description")))
}

// steps writes instructions: a text, a list of texts, of steps, or of sections
// of steps.
func (w *ldWriter) steps(v *Value, depth int) {
	if v == nil || depth > 12 {
		return
	}
	if v.kind == jsString {
		w.text(v.str)
		return
	}
	w.b.WriteString("<ol>")
	w.each(v, depth, func(s *Value) {
		w.b.WriteString("<li>")
		defer w.b.WriteString("</li>")
		name, text := ldText(s, "name"), dom.FirstNonBlank(s.str, ldText(s, "text"))
		if name == "" || strings.HasPrefix(text, name) {
			w.item(text)
		} else {
			w.b.WriteString("<p><strong>" + html.EscapeString(name) + "</strong></p>")
			w.text(text)
		}
		if m := s.get("itemListElement"); m != nil && text == "" {
			w.steps(m, depth+1)
		}
	})
	w.b.WriteString("</ol>")
}

func (w *ldWriter) bullets(v *Value) {
	if v == nil {
		return
	}
	w.b.WriteString("<ul>")
	w.each(v, 0, func(s *Value) {
		if text := dom.FirstNonBlank(s.str, s.text("name")); text != "" {
			w.b.WriteString("<li>")
			w.item(text)
			w.b.WriteString("</li>")
		}
	})
	w.b.WriteString("</ul>")
}

// each calls f for v, or for each member of a list.
func (w *ldWriter) each(v *Value, depth int, f func(*Value)) {
	switch {
	case v == nil || depth > 12:
	case v.kind == jsList:
		for i := range v.list {
			if w.nodes++; w.nodes > maxLDWritten {
				return
			}
			f(&v.list[i])
		}
	case v.kind == jsObject || v.kind == jsString:
		f(v)
	}
}

func (w *ldWriter) heading(tag, text string) {
	if text = strings.TrimSpace(text); text != "" {
		w.b.WriteString("<" + tag + ">" + html.EscapeString(html.UnescapeString(text)) + "</" + tag + ">")
	}
}

// line writes the parts that are not empty as a line.
func (w *ldWriter) line(parts ...string) {
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(parts) > 0 {
		w.b.WriteString("<p>" + html.EscapeString(strings.Join(parts, " ")) + "</p>")
	}
}

// item writes the text of an item of a list: without paragraphs where it is
// one line.
func (w *ldWriter) item(s string) {
	if strings.Contains(strings.TrimSpace(s), "\n") || isMarkup(s) {
		w.text(s)
		return
	}
	w.b.WriteString(html.EscapeString(s))
	w.body += len(strings.Fields(s))
}

func (w *ldWriter) text(s string) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "&lt;") {
		s = html.UnescapeString(s)
	}
	if s == "" {
		return
	}
	if isMarkup(s) {
		w.b.WriteString("<div>" + balanced(s) + "</div>")
	} else {
		w.b.WriteString(paragraphs(s))
	}
	w.body += len(strings.Fields(s))
}

// balanced closes all elements of markup, so that they do not contain the text that
// is written after it.
func balanced(s string) string {
	nodes := dom.ParseFragment(s)
	var b strings.Builder
	for _, n := range nodes {
		if html.Render(&b, n) != nil {
			return html.EscapeString(dom.TokenText([]byte(s)))
		}
	}
	return b.String()
}

// ldTypeOf is the type of an object, without its vocabulary; of several, the
// first.
func ldTypeOf(v *Value) string {
	t := v.get("@type")
	if t != nil && t.kind == jsList && len(t.list) > 0 {
		t = &t.list[0]
	}
	if t == nil || t.kind != jsString {
		return ""
	}
	return t.str[strings.LastIndexAny(t.str, ":/")+1:]
}

// ldText is a text member: a string, a list's first, or an object's @value.
func ldText(v *Value, key string) string {
	m := v.get(key)
	for range 3 {
		switch {
		case m == nil:
			return ""
		case m.kind == jsString:
			return m.str
		case m.kind == jsList && len(m.list) > 0 && m.list[0].kind == jsString:
			var parts []string
			for i := range m.list {
				parts = append(parts, m.list[i].str)
			}
			return strings.Join(parts, "\n")
		case m.kind == jsObject:
			m = m.get("@value")
		default:
			return ""
		}
	}
	return ""
}

// scalar is a number or a string member as text.
func scalar(v *Value, key string) string {
	if m := v.get(key); m != nil && (m.kind == jsNumber || m.kind == jsString) {
		return m.str
	}
	return ""
}

func orNil(v *Value) *Value {
	if v == nil {
		return &Value{}
	}
	return v
}
