package pagedata

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Page is what is known of a page beside its data.
type Page struct {
	// URL is its address, Title its title.
	URL, Title string
	// Several reports that the page is about several things of one kind, for
	// example a list of products: then a subject has to have the page's title.
	Several bool
	// Text returns what the page shows, a line for each block. It is asked where there
	// is a subject.
	Text func() []byte
}

// maxFact bounds the value of a fact, in characters.
const maxFact = 160

// kind is a kind of subject.
type kind struct {
	name  string
	types []string
	facts func(*collector)
	// beside: one may stand on a page about something else.
	beside bool
}

// kinds lists the kinds of subjects. Where the data has several that fit alike, the
// first one counts.
var kinds = [...]kind{
	{"product", []string{"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Motorcycle", "SomeProducts"}, (*collector).product, false},
	{"recipe", []string{"Recipe"}, (*collector).recipe, false},
	{"job", []string{"JobPosting"}, (*collector).job, false},
	{"event", []string{"Event", "BusinessEvent", "ChildrensEvent", "ComedyEvent", "CourseInstance", "DanceEvent", "EducationEvent", "EventSeries", "ExhibitionEvent", "Festival", "FoodEvent", "Hackathon", "LiteraryEvent", "MusicEvent", "ScreeningEvent", "SocialEvent", "SportsEvent", "TheaterEvent", "VisualArtsEvent"}, (*collector).event, false},
	{"question", []string{"Question"}, (*collector).question, true},
	{"article", []string{"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report", "AdvertiserContentArticle", "OpinionNewsArticle", "AnalysisNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "BackgroundNewsArticle", "LiveBlogPosting"}, (*collector).article, false},
	{"video", []string{"VideoObject", "Movie", "Clip", "TVEpisode"}, (*collector).video, true},
	{"product", []string{"Book", "SoftwareApplication", "MobileApplication", "WebApplication", "VideoGame", "Course"}, (*collector).product, true},
}

// Facts are the usual members of the item that is the subject of the page, nil where
// the data names none.
func (d *Data) Facts(p Page) *result.Facts {
	k, it := d.subject(p)
	if k == nil {
		return nil
	}
	c := &collector{data: d, item: it, shown: newShown(p.Text()), url: p.URL}
	k.facts(c)
	if len(c.facts) == 0 {
		return nil
	}
	return &result.Facts{Type: k.name, Values: c.facts}
}

// candidate is an item that may be the subject.
type candidate struct {
	kind  int
	item  *Item
	score int
}

// subject chooses the item that the page is about.
func (d *Data) subject(p Page) (*kind, *Item) {
	titles := []string{dom.PlainWords(p.Title), dom.PlainWords(d.get("og:title"))}
	var all []candidate
	count := [len(kinds)]int{}
	consider := func(it *Item, main int) {
		for i := range kinds {
			if !it.Is(kinds[i].types...) {
				continue
			}
			c := candidate{kind: i, item: it, score: main}
			if sameTitle(titles, dom.PlainWords(d.text(it, "name", "headline", "title"))) {
				c.score += 4
			}
			if id := cmp.Or(d.text(it, "url"), d.text(it, "mainEntityOfPage"), it.ID); id != "" && sameAddress(id, p.URL) {
				c.score += 2
			}
			count[i]++
			all = append(all, c)
			return
		}
	}
	for _, it := range d.Items {
		consider(it, 0)
		for _, v := range it.values("mainEntity", "about") {
			if main := d.resolved(v.Item); main != nil && !it.Is("FAQPage") {
				consider(main, 1)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.kind, b.kind))
	})
	for _, c := range all {
		// One of several says nothing about the page, unless it has its title; a video
		// or a question may stand on a page about something else.
		k := &kinds[c.kind]
		if c.score >= 4 || count[c.kind] == 1 && !p.Several && !k.beside {
			return k, c.item
		}
	}
	if t := d.get("og:type"); !p.Several && (t == "product" || t == "og:product" || t == "product.item") && d.get("product:price:amount", "og:price:amount") != "" {
		return &kinds[0], &Item{}
	}
	return nil, nil
}

// sameTitle reports whether a name is one of the titles, or the beginning of one.
func sameTitle(titles []string, name string) bool {
	if len(name) < 3 {
		return false
	}
	for _, t := range titles {
		if t == name || len(name) >= 8 && dom.HoldsWords(t, name) || len(t) >= 12 && dom.HoldsWords(name, t) {
			return true
		}
	}
	return false
}

// sameAddress compares addresses without scheme, query and fragment.
func sameAddress(a, b string) bool {
	strip := func(s string) string {
		if i := strings.IndexAny(s, "?#"); i >= 0 {
			s = s[:i]
		}
		_, s, _ = strings.Cut(s, "://")
		return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
	}
	return strip(a) != "" && strip(a) == strip(b) && strings.Contains(strip(a), "/")
}

// resolved is an item, or the one that its address names where it has only that.
func (d *Data) resolved(it *Item) *Item {
	if it != nil && len(it.Members) == 0 && it.ID != "" && d.byID[it.ID] != nil {
		return d.byID[it.ID]
	}
	return it
}

// text is the first text of a member: its value, or the name of its item.
func (d *Data) text(it *Item, names ...string) string {
	if it == nil {
		return ""
	}
	for _, name := range names {
		for _, v := range it.values(name) {
			if s := d.textOf(v); s != "" {
				return s
			}
		}
	}
	return ""
}

func (d *Data) textOf(v Value) string {
	if v.Item == nil {
		return v.Text
	}
	it := d.resolved(v.Item)
	for _, name := range []string{"name", "value", "text", "url"} {
		for _, inner := range it.values(name) {
			if inner.Item == nil && inner.Text != "" {
				return inner.Text
			}
		}
	}
	if strings.Contains(it.ID, "schema.org/") {
		return it.ID
	}
	return ""
}

// list joins the texts of a member, at most four.
func (d *Data) list(it *Item, names ...string) string {
	var all []string
	for _, v := range it.values(names...) {
		if s := d.textOf(v); s != "" && !strings.Contains(s, "://") && !slices.Contains(all, s) && len(all) < 4 {
			all = append(all, s)
		}
	}
	return strings.Join(all, ", ")
}

// longest is the longest text of a member: "4" and "4 servings" say the same.
func (d *Data) longest(it *Item, names ...string) (longest string) {
	for _, v := range it.values(names...) {
		if s := d.textOf(v); len(s) > len(longest) {
			longest = s
		}
	}
	return longest
}

// inner returns the items of a member.
func (d *Data) inner(it *Item, names ...string) (out []*Item) {
	if it == nil {
		return nil
	}
	for _, v := range it.values(names...) {
		if v.Item != nil {
			out = append(out, d.resolved(v.Item))
		}
	}
	return out
}

// first is the first item of a member, or nil.
func (d *Data) first(it *Item, names ...string) *Item {
	if all := d.inner(it, names...); len(all) > 0 {
		return all[0]
	}
	return nil
}

// collector writes the facts of an item.
type collector struct {
	data  *Data
	item  *Item
	shown *shown
	url   string // of the page
	facts []result.Fact
}

// put adds a fact, unless it is empty.
func (c *collector) put(name, value string, isShown bool) {
	if value = text.Cut(text.Line(value), maxFact); value != "" {
		c.facts = append(c.facts, result.Fact{Name: name, Value: value, FromData: !isShown})
	}
}

// words adds a fact that is shown as it is. The truth values of JSON are no names.
func (c *collector) words(name, value string) {
	if value != "true" && value != "false" {
		c.put(name, value, c.shown.words(value))
	}
}

// names adds a list of which each part has to be shown.
func (c *collector) names(name, value string) {
	all := true
	for part := range strings.SplitSeq(value, ", ") {
		all = all && c.shown.words(part)
	}
	c.put(name, value, all)
}

func (c *collector) date(name, value string) {
	if day, full := isoDate(value); day != "" {
		c.put(name, full, c.shown.date(day))
	}
}

func (c *collector) member(name string, members ...string) {
	c.words(name, c.data.text(c.item, members...))
}

func (c *collector) dateMember(name string, members ...string) {
	c.date(name, c.data.text(c.item, members...))
}

func (c *collector) product() {
	d := c.data
	name := d.text(c.item, "name")
	if name == "" {
		name = d.get("og:title")
	}
	c.words("name", name)
	c.words("brand", cmp.Or(d.text(c.item, "brand", "manufacturer"), d.get("product:brand", "og:brand")))
	offers := c.chosen(d.offers(c.item))
	if d.Cut && len(offers) > 1 {
		offers = nil // others may not have been read
	}
	c.price(offers)
	c.availability(offers)
	sold := slices.ContainsFunc(c.facts, func(f result.Fact) bool { return f.Name == "price" || f.Name == "availability" })
	if c.rating(); !sold {
		c.facts = nil // a service or a company that wants to be shown with stars
	}
}

// availabilities are the values of schema.org, with words by which pages show them.
var availabilities = [...]struct {
	name  string
	words []string
}{
	{"InStock", []string{"in stock", "auf lager", "lieferbar", "en stock", "disponible", "disponibile", "op voorraad", "em estoque", "på lager", "i lager", "na skladě", "在庫あり", "有货"}},
	{"OutOfStock", []string{"out of stock", "sold out", "nicht auf lager", "ausverkauft", "rupture de stock", "épuisé", "agotado", "esaurito", "uitverkocht", "esgotado", "unavailable", "not available", "no longer available", "nicht verfügbar", "indisponible", "indisponibile", "indisponível", "在庫切れ", "在庫なし", "缺货"}},
	{"SoldOut", []string{"sold out", "ausverkauft", "épuisé", "agotado", "esaurito", "uitverkocht"}},
	{"PreOrder", []string{"pre order", "preorder", "vorbestell", "précommande", "reserva"}},
	{"BackOrder", []string{"back order", "backorder"}},
	{"LimitedAvailability", []string{"limited availability", "left in stock", "low stock", "low in stock", "few left"}},
	{"Discontinued", []string{"discontinued"}},
	{"InStoreOnly", []string{"in store only", "store only"}},
	{"OnlineOnly", []string{"online only"}},
}

// availability is that of all offers, or nothing where they differ.
func (c *collector) availability(offers []*Item) {
	d := c.data
	found := ""
	for _, o := range offers {
		a := bareLetters(plainName(d.text(o, "availability")))
		if a == "" || found != "" && a != found {
			if a != "" {
				return
			}
			continue
		}
		found = a
	}
	if found == "" {
		if found = bareLetters(d.get("product:availability", "og:availability")); found == "oos" {
			found = "outofstock"
		}
	}
	for _, a := range availabilities {
		if found == strings.ToLower(a.name) {
			isShown := slices.ContainsFunc(a.words, c.shown.affirms)
			if a.name == "OutOfStock" || a.name == "SoldOut" {
				isShown = isShown || slices.ContainsFunc(availabilities[0].words, c.shown.denies)
			}
			c.put("availability", spaced(a.name), isShown)
		}
	}
}

// bareLetters are the letters of ASCII in a text, in lower case.
func bareLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r |= 0x20; r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// spaced writes InStock as in stock, and FULL_TIME as full time.
func spaced(s string) string {
	if strings.ToUpper(s) == s {
		return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(s))
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func (c *collector) rating() {
	d := c.data
	r := d.first(c.item, "aggregateRating")
	value, ok := parseAmount(d.text(r, "ratingValue"))
	if !ok || value <= 0 {
		return
	}
	s, isShown := value.short(), c.shown.number(value)
	if best, ok := parseAmount(d.text(r, "bestRating")); ok && best >= value {
		s += " of " + best.short()
	}
	if n, ok := wholeNumber(d.text(r, "ratingCount", "reviewCount")); ok && n > 0 {
		s += " from " + n.String()
		isShown = isShown && c.shown.number(n)
	}
	c.put("rating", s, isShown)
}

func (c *collector) article() {
	d := c.data
	title := d.text(c.item, "headline", "name")
	if name := d.text(c.item, "name"); name != "" && !c.shown.words(title) && c.shown.words(name) {
		title = name // the headline is a description
	}
	c.words("title", title)
	c.names("author", d.list(c.item, "author", "creator"))
	c.dateMember("published", "datePublished")
	c.dateMember("modified", "dateModified")
	c.member("publisher", "publisher")
	c.names("section", d.list(c.item, "articleSection"))
}

func (c *collector) event() {
	d := c.data
	if d.text(c.item, "startDate") == "" {
		return
	}
	c.member("name", "name")
	c.dateMember("start", "startDate")
	c.dateMember("end", "endDate")
	c.place("place", d.first(c.item, "location"))
	c.member("organizer", "organizer")
	if status := plainName(d.text(c.item, "eventStatus")); status != "" && status != "EventScheduled" {
		status = spaced(strings.TrimPrefix(status, "Event"))
		c.words("status", status)
	}
	c.price(d.inner(c.item, "offers"))
}

// place writes a name and an address.
func (c *collector) place(name string, it *Item) {
	d := c.data
	if it == nil {
		if name == "place" {
			c.member(name, "location")
		}
		return
	}
	var parts []string
	add := func(s string) {
		if s != "" && !strings.Contains(s, "://") && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	add(d.text(it, "name"))
	if a := d.first(it, "address"); a != nil {
		for _, m := range [...]string{"streetAddress", "addressLocality", "addressRegion", "addressCountry"} {
			add(d.text(a, m))
		}
	} else {
		add(d.text(it, "address"))
	}
	c.names(name, strings.Join(parts, ", "))
}

func (c *collector) recipe() {
	d := c.data
	c.member("name", "name")
	c.names("author", d.list(c.item, "author"))
	c.words("yield", d.longest(c.item, "recipeYield", "yield"))
	for _, t := range [...]struct{ name, member string }{{"preparation", "prepTime"}, {"cooking", "cookTime"}, {"total time", "totalTime"}} {
		c.duration(t.name, d.text(c.item, t.member))
	}
	c.words("calories", d.text(d.first(c.item, "nutrition"), "calories"))
	c.rating()
	c.dateMember("published", "datePublished")
}

// duration writes PT1H30M as 1 h 30 min.
func (c *collector) duration(name, value string) {
	var parts []string
	isShown := true
	for _, p := range durationParts(value) {
		parts = append(parts, strconv.Itoa(p.n)+" "+p.unit)
		isShown = isShown && c.shown.number(amount(p.n)*100)
	}
	c.put(name, strings.Join(parts, " "), isShown)
}

func (c *collector) job() {
	d := c.data
	c.member("title", "title", "name")
	c.member("employer", "hiringOrganization")
	for i, place := range d.inner(c.item, "jobLocation") {
		if i < 3 {
			c.place("place", place)
		}
	}
	if d.text(c.item, "jobLocationType") == "TELECOMMUTE" {
		c.put("remote", "yes", c.shown.affirms("remote"))
	}
	c.salary()
	var types []string
	isShown := true
	for _, v := range c.item.values("employmentType") {
		if s := spaced(d.textOf(v)); s != "" && len(types) < 4 {
			types = append(types, s)
			isShown = isShown && c.shown.words(s)
		}
	}
	c.put("employment", strings.Join(types, ", "), isShown)
	c.dateMember("posted", "datePosted")
	c.dateMember("valid until", "validThrough")
}

func (c *collector) salary() {
	d := c.data
	pay := d.first(c.item, "baseSalary", "estimatedSalary")
	of := d.first(pay, "value")
	if of == nil {
		of = pay
	}
	low, ok := parseAmount(d.text(of, "minValue", "value"))
	if !ok || low == 0 {
		return
	}
	high, _ := parseAmount(d.text(of, "maxValue"))
	high = max(high, low)
	s := low.String()
	if high != low {
		s += " to " + high.String()
	}
	if currency := d.text(pay, "currency"); len(currency) == 3 {
		s += " " + currency
	}
	if unit := d.text(of, "unitText"); unit != "" {
		article := " a "
		if unit = strings.ToLower(unit); unit == "hour" {
			article = " an "
		}
		s += article + unit
	}
	c.put("salary", s, c.shown.number(low) && c.shown.number(high))
}

func (c *collector) video() {
	d := c.data
	c.member("name", "name")
	c.names("by", d.list(c.item, "author", "creator", "director", "publisher"))
	if parts := durationParts(d.text(c.item, "duration")); len(parts) > 0 {
		var s []string
		for _, p := range parts {
			s = append(s, strconv.Itoa(p.n)+" "+p.unit)
		}
		c.put("duration", strings.Join(s, " "), c.shown.clock(parts))
	}
	c.dateMember("uploaded", "uploadDate", "datePublished")
	for _, stat := range d.inner(c.item, "interactionStatistic") {
		if n, ok := wholeNumber(d.text(stat, "userInteractionCount")); ok && strings.Contains(d.text(stat, "interactionType"), "Watch") {
			c.put("views", n.String(), c.shown.number(n))
		}
	}
	c.rating()
}

func (c *collector) question() {
	d := c.data
	c.member("title", "name")
	c.names("author", d.list(c.item, "author"))
	c.dateMember("asked", "dateCreated", "datePublished")
	c.count("votes", d.text(c.item, "upvoteCount"))
	c.count("answers", d.text(c.item, "answerCount"))
	if a := d.first(c.item, "acceptedAnswer"); a != nil {
		if by := d.text(a, "author"); by != "" {
			c.words("accepted answer by", by)
		} else if d.text(a, "text") != "" {
			c.put("accepted answer", "yes", c.shown.words("accepted"))
		}
	}
}

// count adds a whole number.
func (c *collector) count(name, value string) {
	if n, err := strconv.Atoi(value); err == nil {
		c.put(name, value, c.shown.number(amount(max(n, -n))*100))
	}
}
