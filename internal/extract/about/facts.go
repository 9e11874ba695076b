package about

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Page is what is known of a page beside its data.
type Page struct {
	// URL is that of the page, Title its title.
	URL, Title string
	// Several reports that the page is about several things of one kind, for
	// example a list of products: then a subject must have the page's title.
	Several bool
	// Text returns what the page shows, a line for each block. It is called only if
	// there is a subject.
	Text func() []byte
}

// subjectKind is a kind of subject.
type subjectKind struct {
	name  string
	types []string
	// beside: one may also be on a page about something else.
	beside bool
	facts  []fact
}

// fact is a fact of a subject: its name, how it is written, and the members of the item
// that have it, a path to them with dots.
type fact struct {
	name    string
	write   func(*collector, fact)
	members []string
}

// subjectKinds are the kinds of subjects. Where the data has several that fit alike, the
// first one counts.
var subjectKinds = [...]subjectKind{
	{name: "product", types: []string{"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Motorcycle", "SomeProducts"}, facts: productFacts},
	{name: "recipe", types: []string{"Recipe"}, facts: []fact{
		{"name", words, []string{"name"}}, {"author", names, []string{"author"}}, {"yield", longest, []string{"recipeYield", "yield"}},
		{"preparation", duration, []string{"prepTime"}}, {"cooking", duration, []string{"cookTime"}}, {"total time", duration, []string{"totalTime"}},
		{"calories", words, []string{"nutrition.calories"}}, {"rating", rating, nil}, {"published", moment, []string{"datePublished"}},
	}},
	{name: "job", types: []string{"JobPosting"}, facts: []fact{
		{"title", words, []string{"title", "name"}}, {"employer", words, []string{"hiringOrganization"}}, {"place", place, []string{"jobLocation"}},
		{"salary", salary, nil}, {"employment", constant, []string{"employmentType"}},
		{"posted", moment, []string{"datePosted"}}, {"valid until", moment, []string{"validThrough"}},
	}},
	{name: "event", types: []string{"Event", "BusinessEvent", "ChildrensEvent", "ComedyEvent", "CourseInstance", "DanceEvent", "EducationEvent", "EventSeries", "ExhibitionEvent", "Festival", "FoodEvent", "Hackathon", "LiteraryEvent", "MusicEvent", "ScreeningEvent", "SocialEvent", "SportsEvent", "TheaterEvent", "VisualArtsEvent"}, facts: []fact{
		{"name", words, []string{"name"}}, {"start", moment, []string{"startDate"}}, {"end", moment, []string{"endDate"}}, {"place", place, []string{"location"}},
		{"organizer", words, []string{"organizer"}}, {"status", constant, []string{"eventStatus"}}, {"price", price, nil},
	}},
	{name: "question", types: []string{"Question"}, beside: true, facts: []fact{
		{"title", words, []string{"name"}}, {"author", names, []string{"author"}}, {"asked", moment, []string{"dateCreated", "datePublished"}},
		{"votes", count, []string{"upvoteCount"}}, {"answers", count, []string{"answerCount"}}, {"accepted answer by", words, []string{"acceptedAnswer.author"}},
	}},
	{name: "article", types: []string{"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report", "AdvertiserContentArticle", "OpinionNewsArticle", "AnalysisNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "BackgroundNewsArticle", "LiveBlogPosting"}, facts: []fact{
		{"title", shownWords, []string{"headline", "name"}}, {"author", names, []string{"author", "creator"}}, {"published", moment, []string{"datePublished"}},
		{"modified", moment, []string{"dateModified"}}, {"publisher", words, []string{"publisher"}}, {"section", names, []string{"articleSection"}},
	}},
	{name: "video", types: []string{"VideoObject", "Movie", "Clip", "TVEpisode"}, beside: true, facts: []fact{
		{"name", words, []string{"name"}}, {"by", names, []string{"author", "creator", "director", "publisher"}}, {"duration", duration, []string{"duration"}},
		{"uploaded", moment, []string{"uploadDate", "datePublished"}}, {"rating", rating, nil},
	}},
	{name: "product", types: []string{"Book", "SoftwareApplication", "MobileApplication", "WebApplication", "VideoGame", "Course"}, beside: true, facts: productFacts},
}

var productFacts = []fact{
	{"name", words, []string{"name"}}, {"brand", words, []string{"brand", "manufacturer"}}, {"price", price, nil}, {"availability", availability, nil}, {"rating", rating, nil},
}

// needed are facts of which a subject has one: stars alone advertise a service or a
// company, and an event without a day is none.
var needed = map[string][]string{"product": {"price", "availability"}, "event": {"start"}}

// Facts are the usual members of the item that is the subject of the page, nil where
// the data names none.
func (g *Graph) Facts(p Page) *result.Facts {
	k, it := g.factSubject(p)
	if k == nil {
		return nil
	}
	c := &collector{Graph: g, item: it, page: p, shown: newShown(p.Text())}
	for _, f := range k.facts {
		f.write(c, f)
	}
	if of := needed[k.name]; len(c.facts) == 0 || of != nil && !slices.ContainsFunc(c.facts, func(f result.Fact) bool { return slices.Contains(of, f.Name) }) {
		return nil
	}
	return &result.Facts{Type: k.name, Values: c.facts}
}

// factSubject chooses the item that the page is about. One of several is it only if
// it has the title of the page.
func (g *Graph) factSubject(p Page) (*subjectKind, *Item) {
	best, most, alike := -1, 0, 0
	var subject *Item
	titles := []string{p.Title, g.Property("og:title")}
	for it := range g.topItems() {
		i := slices.IndexFunc(subjectKinds[:], func(k subjectKind) bool { return it.Is(k.types...) })
		if i < 0 {
			continue
		}
		score := 1
		if sameTitle(titles, g.Text(it, "name", "headline", "title")) {
			score = 2
		}
		switch {
		case score > most || score == most && i < best:
			best, most, alike, subject = i, score, 1, it
		case score == most && i == best:
			alike++
		}
	}
	if best >= 0 && (most > 1 || alike == 1 && !p.Several && !subjectKinds[best].beside) {
		return &subjectKinds[best], subject
	}
	if t := g.Property("og:type"); !p.Several && strings.Contains(t, "product") && g.Property("product:price:amount", "og:price:amount") != "" {
		return &subjectKinds[0], new(Item)
	}
	return nil, nil
}

// collector writes the facts of an item.
type collector struct {
	*Graph
	item  *Item
	page  Page
	shown *shown
	facts []result.Fact
}

// put adds a fact, unless it is empty. The truth values of JSON are none.
func (c *collector) put(name, value string, isShown bool) {
	if value = text.Cut(text.Line(value), maxFact); value != "" && value != "true" && value != "false" {
		c.facts = append(c.facts, result.Fact{Name: name, Value: value, FromData: !isShown})
	}
}

// at is the first value of the members of a fact, and the item that has it.
func (c *collector) at(f fact) (*Item, []Value) {
	for _, path := range f.members {
		it := c.item
		for in, rest, ok := strings.Cut(path, "."); ok; in, rest, ok = strings.Cut(path, ".") {
			it, path = c.first(it, in), rest
		}
		if v := it.Values(path); len(v) > 0 {
			return it, v
		}
	}
	return nil, nil
}

func (c *collector) textAt(f fact) string {
	_, values := c.at(f)
	for _, v := range values {
		if s := c.textOf(v); s != "" {
			return s
		}
	}
	return ""
}

func words(c *collector, f fact) {
	s := c.textAt(f)
	if f.name == "name" {
		s = cmp.Or(s, c.Property("og:title"))
	}
	if f.name == "brand" {
		s = cmp.Or(s, c.Property("product:brand", "og:brand"))
	}
	c.put(f.name, s, c.shown.words(s))
}

// shownWords writes the first member that the page shows, or the first one.
func shownWords(c *collector, f fact) {
	for _, m := range f.members {
		if s := c.Text(c.item, m); s != "" && c.shown.words(s) {
			c.put(f.name, s, true)
			return
		}
	}
	words(c, f)
}

// names writes a list of names.
func names(c *collector, f fact) {
	_, values := c.at(f)
	var all []string
	for _, v := range values {
		if s := c.textOf(v); s != "" && !strings.Contains(s, "://") && !slices.Contains(all, s) && len(all) < maxNames {
			all = append(all, s)
		}
	}
	c.put(f.name, strings.Join(all, ", "), c.shown.all(all))
}

// longest writes the longest text: "4" and "4 servings" say the same.
func longest(c *collector, f fact) {
	_, values := c.at(f)
	best := ""
	for _, v := range values {
		if s := c.textOf(v); len(s) > len(best) {
			best = s
		}
	}
	c.put(f.name, best, c.shown.words(best))
}

// constant writes the values of a list of schema.org: FULL_TIME as full time,
// EventCancelled as cancelled.
func constant(c *collector, f fact) {
	_, values := c.at(f)
	var all []string
	for _, v := range values {
		if s := strings.TrimPrefix(spaced(plainName(c.textOf(v))), "event "); s != "" && s != "scheduled" && len(all) < maxNames {
			all = append(all, s)
		}
	}
	c.put(f.name, strings.Join(all, ", "), c.shown.all(all))
}

// spaced writes InStock as in stock, and FULL_TIME as full time.
func spaced(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch isUpper := r >= 'A' && r <= 'Z'; {
		case r == '_' || r == '-':
			r = ' '
		case isUpper && i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z':
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func moment(c *collector, f fact) {
	if day, time := dayAndTime(c.textAt(f)); day != "" {
		c.put(f.name, day+time, c.shown.date(day))
	}
}

// dayAndTime splits an ISO 8601 date into its day and, as " 15:04 +02:00", a time other
// than midnight.
func dayAndTime(s string) (day, clock string) {
	s = date.Parse(s, true)
	day, clock, _ = strings.Cut(s, "T")
	if len(day) < len("2006-01-02") {
		return "", ""
	}
	const minutes = len("15:04")
	if len(clock) < minutes || clock[:minutes] == "00:00" {
		return day, ""
	}
	zone := strings.TrimLeft(clock[minutes:], ":0123456789")
	switch zone {
	case "":
		return day, " " + clock[:minutes]
	case "Z", "+00:00":
		return day, " " + clock[:minutes] + " UTC"
	}
	return day, " " + clock[:minutes] + " " + zone
}

// duration writes PT1H30M as 1 h 30 min.
func duration(c *collector, f fact) {
	var parts []string
	isShown := true
	for _, p := range durationParts(c.textAt(f)) {
		parts = append(parts, strconv.Itoa(p.n)+" "+p.unit)
		isShown = isShown && c.shown.number(amount(p.n)*hundred)
	}
	c.put(f.name, strings.Join(parts, " "), isShown)
}

// count writes a whole number.
func count(c *collector, f fact) {
	s := c.textAt(f)
	if n, err := strconv.Atoi(s); err == nil {
		c.put(f.name, s, c.shown.number(amount(max(n, -n))*hundred))
	}
}

func rating(c *collector, f fact) {
	r := c.first(c.item, "aggregateRating")
	value, ok := parseAmount(c.Text(r, "ratingValue"))
	if !ok || value <= 0 {
		return
	}
	s, isShown := value.short(), c.shown.number(value)
	if best, ok := parseAmount(c.Text(r, "bestRating")); ok && best >= value {
		s += " of " + best.short()
	}
	if n, ok := parseAmount(c.Text(r, "ratingCount", "reviewCount")); ok && n > 0 {
		s += " from " + n.String()
		isShown = isShown && c.shown.number(n)
	}
	c.put(f.name, s, isShown)
}

// place writes the name and the address of places.
func place(c *collector, f fact) {
	it, values := c.at(f)
	if it == nil {
		return
	}
	for i, v := range values {
		var parts []string
		add := func(s string) {
			if s != "" && !strings.Contains(s, "://") && !slices.Contains(parts, s) {
				parts = append(parts, s)
			}
		}
		add(c.textOf(v))
		where := c.resolved(v.Item)
		if a := c.first(where, "address"); a != nil {
			for _, m := range [...]string{"streetAddress", "addressLocality", "addressRegion", "addressCountry"} {
				add(c.Text(a, m))
			}
		} else {
			add(c.Text(where, "address"))
		}
		if i < maxNames {
			c.put(f.name, strings.Join(parts, ", "), c.shown.all(parts))
		}
	}
}

func salary(c *collector, f fact) {
	pay := c.first(c.item, "baseSalary", "estimatedSalary")
	of := cmp.Or(c.first(pay, "value"), pay)
	var p prices
	for _, m := range [...]string{"minValue", "maxValue", "value"} {
		p.add(c.Text(of, m), c.Text(pay, "currency"), periodOf(c.Text(of, "unitText")))
	}
	if len(p) == 1 {
		c.put(f.name, p[0].String(), c.shown.number(p[0].low) && c.shown.number(p[0].high))
	}
}
