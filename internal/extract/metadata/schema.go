package metadata

import (
	"slices"
	"strings"
)

// schemaFacts is what the structured data of a page says about it.
type schemaFacts struct {
	objects []*ldObject
	types   []string
	byID    map[string]*ldObject
	items   []string // names of what lists of items hold
	parts   []string // texts of what things are made of
	days    []string // on which events begin
	bytes   int      // of scripts read so far
}

// maxSchemaObjects bounds the objects of a page that are looked at.
const maxSchemaObjects = 400

// read adds one script.
func (f *schemaFacts) read(script string) {
	if f.bytes += len(script); f.bytes > maxLDTotal {
		return
	}
	f.collect(parseLD(script), 0)
}

// collect lists the objects that may be the page's subject: those on the top
// level, in a graph, and the main entities of these.
func (f *schemaFacts) collect(v *ldValue, depth int) {
	if v == nil || depth > 6 || len(f.objects) >= maxSchemaObjects {
		return
	}
	for _, m := range v.list {
		f.collect(m, depth+1)
	}
	o := v.object
	if o == nil {
		return
	}
	f.objects = append(f.objects, o)
	f.addTypes(o)
	if slices.Contains(o.types(), "ItemList") {
		f.list(o[ldElements])
	}
	f.addParts(o)
	if d := isoDate(o[ldStart].first(), true); len(d) >= 10 && len(f.days) < maxItems {
		f.days = append(f.days, d[:10])
	}
	if id := o[ldID].first(); id != "" && (o[ldName] != nil || o[ldHeadline] != nil) {
		if f.byID == nil {
			f.byID = make(map[string]*ldObject)
		}
		f.byID[id] = o
	}
	f.collect(o[ldGraph], depth+1)
	if slices.Contains(o.types(), "FAQPage") {
		f.questions(o[ldMainEntity])
	} else {
		f.collect(o[ldMainEntity], depth+1)
	}
	f.collect(o[ldMainEntityOfPage], depth+1)
}

// questions notes the parts of the questions of an FAQ: one of them, even the only one, is
// not what the page is about.
func (f *schemaFacts) questions(v *ldValue) {
	if v == nil {
		return
	}
	for _, m := range v.list {
		f.questions(m)
	}
	if v.object != nil {
		f.addTypes(v.object)
		f.addParts(v.object)
	}
}

// addTypes notes what the page says that it has.
func (f *schemaFacts) addTypes(o *ldObject) {
	for _, t := range o.types() {
		if len(f.types) < 64 && !slices.Contains(f.types, t) {
			f.types = append(f.types, t)
		}
	}
}

// maxItems bounds the names of a page's lists of items.
const maxItems = 500

// list notes the names of a list's items.
func (f *schemaFacts) list(elements *ldValue) {
	if elements == nil {
		return
	}
	for _, e := range elements.list {
		if e == nil || e.object == nil || len(f.items) == maxItems {
			continue
		}
		name := e.object[ldName].first()
		if item := e.object[ldItem]; item != nil && item.object != nil && name == "" {
			name = item.object[ldName].first()
		}
		if name = metaText(name, maxMetaText); name != "" {
			f.items = append(f.items, name)
		}
	}
}

// starts reports whether an event of the page begins on the day of a date: where the page
// shows it, it is not that of publication.
func (f *schemaFacts) starts(date string) bool {
	return len(date) >= 10 && slices.Contains(f.days, date[:10])
}

// Bounds of the texts of what things are made of.
const (
	maxParts    = 400
	maxPartText = 4_000 // characters
)

// addParts notes the texts that an object is made of: ingredients and steps of a
// recipe or of instructions, and its description; a question and its answer.
func (f *schemaFacts) addParts(o *ldObject) {
	for _, t := range o.types() {
		switch t {
		case "Recipe", "HowTo":
			f.partsIn(o[ldDescription], 0)
			f.partsIn(o[ldIngredients], 0)
			f.partsIn(o[ldInstructions], 0)
			f.partsIn(o[ldStep], 0)
		case "Question":
			f.partsIn(o[ldName], 0)
			f.partsIn(o[ldAnswer], 0)
		}
	}
}

// partsIn notes a text, those of a list, and the name and the text of an object and of
// what it holds: sections hold steps, steps hold directions.
func (f *schemaFacts) partsIn(v *ldValue, depth int) {
	if v == nil || depth > 5 || len(f.parts) >= maxParts {
		return
	}
	if s := metaText(v.text, maxPartText); s != "" {
		f.parts = append(f.parts, s)
	}
	for _, m := range v.list {
		f.partsIn(m, depth+1)
	}
	if o := v.object; o != nil {
		for _, k := range [...]ldKey{ldName, ldText, ldElements, ldItem, ldStep} {
			f.partsIn(o[k], depth+1)
		}
	}
}

// types returns the names of an object's types without their vocabulary.
func (o *ldObject) types() []string {
	v := o[ldType]
	if v == nil {
		return nil
	}
	var out []string
	for _, t := range append([]*ldValue{v}, v.list...) {
		if t != nil && t.text != "" {
			out = append(out, t.text[strings.LastIndexAny(t.text, "/:#")+1:])
		}
	}
	return out
}

// The ranks of an object as the subject of its page.
const (
	rankNone    = iota
	rankPage    // WebPage and kin: dates and language, seldom authors
	rankThing   // a product, a recipe, a video
	rankArticle // something written
)

func (o *ldObject) rank() int {
	best := rankNone
	for _, t := range o.types() {
		r := rankNone
		switch {
		case strings.HasSuffix(t, "Article"), strings.HasSuffix(t, "Posting") && t != "JobPosting", t == "Report", t == "Question", t == "Thesis":
			r = rankArticle
		case t == "WebPage", strings.HasSuffix(t, "Page"):
			r = rankPage
		case t == "Product", t == "Recipe", t == "HowTo", t == "Review", t == "Book", t == "Course", strings.HasSuffix(t, "Event"),
			t == "SoftwareApplication", t == "VideoObject", t == "Movie", t == "Dataset", t == "PodcastEpisode", t == "JobPosting",
			t == "CreativeWork", t == "SoftwareSourceCode", t == "Service", t == "Guide":
			r = rankThing
		}
		best = max(best, r)
	}
	return best
}

// subject returns the object that the page is about, and the WebPage beside
// it; either may be nil. If several have the highest rank, for example on a list of
// articles, subject returns only one that has the page's name.
func (f *schemaFacts) subject(named func(string) bool) (subject, webPage *ldObject) {
	best, count := rankPage, 0
	for _, o := range f.objects {
		r := o.rank()
		switch {
		case r == rankPage && webPage == nil:
			webPage = o
		case r > best:
			best, count, subject = r, 1, o
		case r == best && r > rankPage:
			count++
		}
	}
	if count > 1 {
		first := subject
		subject = nil
		for _, o := range f.objects {
			if o.rank() == best && (named(o.title()) || count <= 3 && o.title() == first.title()) {
				return o, webPage
			}
		}
	}
	return subject, webPage
}

func (o *ldObject) title() string {
	if t := o[ldHeadline].first(); t != "" {
		return t
	}
	return o[ldName].first()
}

// people returns the names in an author or publisher: first those of people and of
// objects without a type, then those of organisations.
func (f *schemaFacts) people(v *ldValue) (people, organisations []string) {
	n := schemaNames{facts: f}
	n.add(v, 0)
	return n.people, n.organisations
}

// schemaNames collects names.
type schemaNames struct {
	facts                 *schemaFacts
	people, organisations []string
}

func (n *schemaNames) add(v *ldValue, depth int) {
	if v == nil || depth > 3 || len(n.people)+len(n.organisations) >= maxAuthors {
		return
	}
	for _, m := range v.list {
		n.add(m, depth+1)
	}
	if v.text != "" {
		n.people = append(n.people, v.text)
	}
	if v.object != nil {
		n.object(v.object)
	}
}

// object adds the name of an object, or of the object that it refers to.
func (n *schemaNames) object(o *ldObject) {
	if named := n.facts.byID[o[ldID].first()]; named != nil && o[ldName] == nil {
		o = named
	}
	name := o[ldName]
	if name == nil {
		if o[ldGivenName] != nil || o[ldFamilyName] != nil {
			n.people = append(n.people, o[ldGivenName].first()+" "+o[ldFamilyName].first())
		}
		return
	}
	into := &n.people
	if slices.ContainsFunc(o.types(), isOrganisation) {
		into = &n.organisations
	}
	if len(name.list) == 0 {
		*into = append(*into, name.first())
	}
	for _, m := range name.list {
		*into = append(*into, m.first())
	}
}

func isOrganisation(schemaType string) bool {
	return strings.HasSuffix(schemaType, "Organization") || schemaType == "Corporation" || schemaType == "LocalBusiness" || schemaType == "Brand"
}

// siteName returns the name of the site that the structured data gives.
func (f *schemaFacts) siteName(subject *ldObject) string {
	for _, o := range f.objects {
		if slices.Contains(o.types(), "WebSite") {
			if n := o[ldName].first(); n != "" {
				return n
			}
		}
	}
	if subject != nil {
		people, organisations := f.people(subject[ldPublisher])
		for _, n := range append(organisations, people...) {
			return n
		}
	}
	return ""
}
