package about

import (
	"iter"
	"slices"
	"strings"
)

// topItems are the items that may be the subject of the page: those of JSON-LD and
// microdata that are not values of others, and the main entities of these. The questions
// of an FAQ are not: even an only one is not what the page is about.
func (g *Graph) topItems() iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		for _, it := range g.Items {
			if !yield(it) {
				return
			}
			if it.Is("FAQPage") {
				continue
			}
			for _, name := range [...]string{"mainEntity", "mainEntityOfPage", "about"} {
				for _, v := range it.Values(name) {
					if of := g.resolved(v.Item); of != nil && len(of.Members) > 0 && !yield(of) {
						return
					}
				}
			}
		}
	}
}

// stated fills the hints from the graph.
func (r *reader) stated() {
	g, h := r.graph, &r.hints
	h.Graph = g
	for it := range g.topItems() {
		if it.Source == LinkedData {
			h.SchemaTypes = appendNew(h.SchemaTypes, it.Types...)
			h.Paid = h.Paid || strings.EqualFold(g.Text(it, "isAccessibleForFree"), "false")
		}
		if it.Is("ItemList") {
			for _, v := range it.Values("itemListElement") {
				name := g.Text(v.Item, "name")
				if name == "" {
					name = g.Text(g.first(v.Item, "item"), "name")
				}
				if name = metaText(name, maxMetaText); name != "" && len(h.Items) < maxHints {
					h.Items = append(h.Items, name)
				}
			}
		}
		r.parts(it)
		if it.Is("FAQPage") {
			for _, q := range g.Inner(it, "mainEntity") {
				h.SchemaTypes = appendNew(h.SchemaTypes, q.Types...)
				r.parts(q)
			}
		}
	}
}

// appendNew adds what a list does not have.
func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		if len(list) < maxHints && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// parts notes the texts that an item is made of: description, ingredients and steps of a
// recipe or of instructions; a question and its answer.
func (r *reader) parts(it *Item) {
	switch {
	case it.Is("Recipe", "HowTo"):
		r.partsOf(it, 0, "description", "recipeIngredient", "ingredients", "recipeInstructions", "step", "steps")
	case it.Is("Question"):
		r.partsOf(it, 0, "name", "acceptedAnswer")
	}
}

// partsOf notes the texts of members, and of what these contain: sections contain steps,
// steps contain directions.
func (r *reader) partsOf(it *Item, depth int, members ...string) {
	for _, name := range members {
		for _, v := range it.Values(name) {
			switch s := metaText(v.Text, maxPart); {
			case len(r.hints.Parts) >= maxHints || depth > maxItemDepth:
				return
			case v.Item != nil:
				r.partsOf(v.Item, depth+1, "name", "text", "itemListElement", "item", "step")
			case s != "":
				r.hints.Parts = append(r.hints.Parts, s)
			}
		}
	}
}

// The ranks of an item as the subject of its page.
const (
	rankNone    = iota
	rankPage    // WebPage and kin: dates and language, seldom authors
	rankThing   // a product, a recipe, a video
	rankArticle // something written
)

func (it *Item) rank() int {
	best := rankNone
	for _, t := range it.Types {
		r := rankNone
		switch {
		case strings.HasSuffix(t, "Article"), strings.HasSuffix(t, "Posting") && t != "JobPosting", t == "Report", t == "Question", t == "Thesis":
			r = rankArticle
		case strings.HasSuffix(t, "Page"):
			r = rankPage
		case strings.HasSuffix(t, "Event"), slices.Contains(things, t):
			r = rankThing
		}
		best = max(best, r)
	}
	return best
}

// things are types of what a page that is not written may be about.
var things = []string{"Product", "Recipe", "HowTo", "Review", "Book", "Course", "SoftwareApplication", "VideoObject", "Movie", "Dataset", "PodcastEpisode", "JobPosting",
	"CreativeWork", "SoftwareSourceCode", "Service", "Guide"}

// subject returns the item of JSON-LD that the page is about, and the WebPage beside
// it; either may be nil. If several have the highest rank, for example on a list of
// articles, it is only one that has the page's name.
func (g *Graph) subject(named func(string) bool) (subject, webPage *Item) {
	var best []*Item
	most := rankPage
	for it := range g.topItems() {
		switch k := it.rank(); {
		case it.Source != LinkedData:
		case k == rankPage && webPage == nil:
			webPage = it
		case k > most:
			most, best = k, append(best[:0], it)
		case k == most && k > rankPage:
			best = append(best, it)
		}
	}
	if len(best) == 1 {
		return best[0], webPage
	}
	for _, it := range best {
		if named(g.title(it)) || len(best) < maxAlike && g.title(it) == g.title(best[0]) {
			return it, webPage
		}
	}
	return nil, webPage
}

func (g *Graph) title(it *Item) string { return g.Text(it, "headline", "name") }

// sameTitle reports whether a name is one of the titles, or the beginning of one.
func sameTitle(titles []string, name string) bool {
	name = letters(name)
	return len(name) > 2 && slices.ContainsFunc(titles, func(t string) bool {
		t = letters(t)
		return t == name || min(len(t), len(name)) > minTitleLetters && (strings.Contains(t, name) || strings.Contains(name, t))
	})
}

// people returns the names in an author or publisher: of people and of items without a
// type, and those of organisations.
func (g *Graph) people(it *Item, member string) (people, organisations []string) {
	for _, v := range it.Values(member) {
		if v.Item == nil {
			people = append(people, v.String())
			continue
		}
		of := g.resolved(v.Item)
		names := []string{strings.TrimSpace(g.Text(of, "givenName") + " " + g.Text(of, "familyName"))}
		if given := of.Values("name"); given != nil {
			names = names[:0]
			for _, v := range given {
				names = append(names, g.textOf(v))
			}
		}
		if slices.ContainsFunc(of.Types, isOrganisation) {
			organisations = append(organisations, names...)
		} else {
			people = append(people, names...)
		}
	}
	return people[:min(len(people), maxAuthors)], organisations[:min(len(organisations), maxAuthors)]
}

func isOrganisation(schemaType string) bool {
	return strings.HasSuffix(schemaType, "Organization") || schemaType == "Corporation" || schemaType == "LocalBusiness" || schemaType == "Brand"
}

// siteName returns the name of the site that the structured data gives.
func (g *Graph) siteName(subject *Item) string {
	for _, it := range g.Items {
		if it.Source == LinkedData && it.Is("WebSite") {
			if n := g.Text(it, "name"); n != "" {
				return n
			}
		}
	}
	people, organisations := g.people(subject, "publisher")
	for _, n := range append(organisations, people...) {
		return n
	}
	return ""
}
