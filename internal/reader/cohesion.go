package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// What belongs together is chosen together: a label and what it names, a sentence that
// ends in a colon and what follows it, a block of code and the paragraph before it.
// A short text between two passages is written rather than a mark for a gap.

const (
	longLabel    = 60  // bytes of the longest label
	longQuestion = 200 // … question
	longestSign  = 3   // letters of a unit or a currency, such as USD
	longLead     = 400 // … of the longest paragraph that comes with the code below it
	longChain    = 3   // units that come with another one, on each side
	// bridge is how many characters may stand between two passages for them to be
	// joined.
	bridge = 160
)

// before is the unit before unit i, and after the one behind it, or -1: beside a unit of
// the main content is one of the main content, whatever was left out between them.
func (p *Passages) before(i int) int {
	k := i - 1
	for k >= 0 && !p.facts[i].aside && p.facts[k].aside {
		k--
	}
	if k >= 0 && p.facts[k].aside != p.facts[i].aside {
		return -1
	}
	return k
}

func (p *Passages) after(i int) int {
	k := i + 1
	for k < len(p.units) && !p.facts[i].aside && p.facts[k].aside {
		k++
	}
	if k == len(p.units) || p.facts[k].aside != p.facts[i].aside {
		return -1
	}
	return k
}

// findLeads finds the units that are nothing without the next one, or without the one
// before.
func (p *Passages) findLeads() {
	for i, u := range p.units {
		if u.table >= 0 || u.kind == codeUnit || u.kind == headingUnit {
			continue
		}
		f := &p.facts[i]
		f.trails = p.hasValue(i) && p.namedBefore(i)
		after := p.after(i)
		switch {
		case after < 0 || p.units[after].table >= 0:
		case isMark(p.words(i)):
			f.leads = true
		case p.units[after].kind != headingUnit:
			f.leads = p.announces(i, after) || u.kind == paragraphUnit && p.units[after].kind == paragraphUnit && p.names(i)
		}
	}
}

// hasValue reports whether unit i is a value.
func (p *Passages) hasValue(i int) bool {
	return p.units[i].kind == paragraphUnit && isValue(p.words(i))
}

// namedBefore reports whether a label stands before value i, or before the values that
// do.
func (p *Passages) namedBefore(i int) bool {
	k := p.before(i)
	return k >= 0 && p.units[k].kind == paragraphUnit && (p.facts[k].trails || isLabel(p.words(k)))
}

// announces reports whether unit i says that another one follows: with a colon, before
// code, or with a question.
func (p *Passages) announces(i, after int) bool {
	text := p.words(i)
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") ||
		p.units[after].kind == codeUnit && len(text) <= longLead ||
		isQuestion(text) && !isQuestion(p.words(after))
}

// names reports whether paragraph i belongs to the next one: as a label, except for that
// of the value before it, as a value without a label before it, or as the line between
// the two.
func (p *Passages) names(i int) bool {
	text := p.words(i)
	before := p.before(i)
	led := before >= 0 && p.facts[before].leads
	switch {
	case isRule(text):
		return led
	case isLabel(text):
		return !led || !isValue(p.words(before)) && !isRule(p.words(before))
	}
	return isValue(text) && !p.facts[i].trails
}

// words is the text of a unit without emphasis around it.
func (p *Passages) words(i int) string {
	return strings.Trim(p.md[p.units[i].from:p.units[i].to], " *_")
}

// isMark reports whether a text is nothing but the mark of what stands behind it.
func isMark(s string) bool {
	s = strings.TrimLeft(s, "- ")
	return s == page.Collapsed.String()
}

// isLabel reports whether a short text is not a sentence, and says nothing by itself: it
// has letters, and neither an amount nor the end of a sentence.
func isLabel(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return len(s) <= longLabel && !strings.ContainsRune(".!?。！？…", last) && strings.ContainsFunc(s, unicode.IsLetter) &&
		!isValue(s) && !hasAmount(s)
}

// isValue reports whether a short text is a number with its unit or its currency, which
// says nothing without a name.
func isValue(s string) bool {
	if len(s) > longLabel || !hasDigit(s) {
		return false
	}
	letters := 0 // in a row
	for _, r := range s {
		if !unicode.IsLetter(r) {
			letters = 0
		} else if letters++; letters > longestSign {
			return false
		}
	}
	return true
}

// isRule reports whether a text is a line across the page.
func isRule(s string) bool { return s != "" && strings.Trim(s, "-") == "" }

// asks reports whether a text has a question in it.
func asks(s string) bool { return strings.IndexByte(s, '?') >= 0 || strings.Contains(s, "？") }

// isQuestion reports whether a text is a short question, whose answer stands below it.
func isQuestion(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return (last == '?' || last == '？') && len(s) <= longQuestion
}

// together appends unit i to all, with what belongs to it, of what is not chosen yet;
// chosen may be nil.
func (p *Passages) together(all []int, i int, chosen []bool) []int {
	all = append(all, i)
	take := func(k int) {
		if chosen == nil || !chosen[k] {
			all = append(all, k)
		}
	}
	for k, n := i, 0; n < longChain; n++ {
		before := p.before(k)
		if before < 0 || !p.facts[before].leads && !p.facts[k].trails {
			break
		}
		take(before)
		k = before
	}
	k, n := i, 0
	if after := p.after(i); p.units[i].kind == headingUnit && after >= 0 && p.units[after].table < 0 && p.units[after].kind != headingUnit {
		take(after) // a heading comes with the beginning of its text
		k, n = after, 1
	}
	for ; n < longChain; n++ {
		after := p.after(k)
		if after < 0 || !p.facts[k].leads && !p.facts[after].trails {
			break
		}
		take(after)
		k = after
	}
	return all
}

// dropBare takes headings and labels without anything below them out of the choice.
func (p *Passages) dropBare(chosen []bool) {
	some := false
	for i := range chosen {
		some = some || chosen[i] && p.units[i].kind != headingUnit && !p.facts[i].leads
	}
	if !some {
		return // better than nothing
	}
	// What was met, backwards, in the main content and aside of it, as a heading aside is
	// not one of the main content.
	var met [2]struct {
		below bool // something is chosen below the heading that comes before
		level int  // of the last heading with something below it; 0: none
	}
	for i, u := range slices.Backward(p.units) {
		m := &met[p.side(i)]
		if u.kind != headingUnit {
			bare := p.facts[i].leads && !chosen[p.after(i)] && !p.isNamed(i, chosen)
			chosen[i] = chosen[i] && !bare
			m.below = m.below || chosen[i]
			continue
		}
		chosen[i] = chosen[i] && (m.below || p.facts[i].answers || m.level > u.level)
		if m.level = 0; chosen[i] || m.below {
			m.level = u.level
		}
		m.below = false
	}
}

// side is 0 for a unit of the main content, and 1 for one aside of it.
func (p *Passages) side(i int) int {
	if p.facts[i].aside {
		return 1
	}
	return 0
}

// isNamed reports whether a chosen label stands before unit i, so that it is what the
// label names, however much it looks like another one: "Yes".
func (p *Passages) isNamed(i int, chosen []bool) bool {
	before := p.before(i)
	return before >= 0 && chosen[before] && p.facts[before].leads
}

// join chooses what is short and stands between two chosen units of prose.
func (p *Passages) join(chosen []bool, left cost) {
	last := -1
	for i := range p.units {
		if !chosen[i] {
			continue
		}
		if last >= 0 && last < i-1 && p.units[last].table < 0 && p.units[i].table < 0 {
			if need, prose := p.between(last, i); prose && need.chars <= bridge && need.within(left) {
				left = left.minus(need)
				for k := last + 1; k < i; k++ {
					chosen[k] = !p.ignored(k)
				}
			}
		}
		last = i
	}
}

// between is what the units between two others cost, and whether they are prose.
func (p *Passages) between(i, j int) (need cost, prose bool) {
	prose = true
	for k := i + 1; k < j; k++ {
		if !p.ignored(k) {
			prose = prose && p.units[k].table < 0 && p.units[k].fence == "" && p.units[k].kind != headingUnit
			need = need.plus(p.facts[k].cost).plus(costOf("\n\n"))
		}
	}
	return need, prose
}

// wanted is what a question asks for by its kind.
type wanted uint8

const (
	anything wanted = iota
	anAmount
	aDate
)

// amountWords and dateWords are the beginnings of questions for them.
var (
	amountWords = [...]string{"how much", "price", "cost", "how expensive", "fee", "wie viel kost", "preis", "kostet", "combien", "prix", "cuánto cuesta", "precio", "quanto costa", "prezzo", "hoeveel kost"}
	dateWords   = [...]string{"when", "what date", "which date", "what day", "what year", "which year", "wann", "quand", "cuándo", "quando", "wanneer", "deadline", "release date"}
)

// wantedBy says what a query asks for.
func wantedBy(query string) wanted {
	q := " " + strings.ToLower(query) + " "
	has := func(list []string) bool {
		for _, w := range list {
			i := strings.Index(q, " "+w)
			if i < 0 {
				continue
			}
			rest := q[i+1+len(w):]
			if w == "how much" && !asksForMoney(rest) {
				continue
			}
			if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(r) || strings.HasPrefix(rest, "s ") {
				return true
			}
		}
		return false
	}
	switch {
	case has(amountWords[:]):
		return anAmount
	case has(dateWords[:]):
		return aDate
	}
	return anything
}

// asksForMoney reports whether what follows "how much" makes it a question for an amount of
// money, and not of a thing, as in "how much memory".
func asksForMoney(rest string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	switch strings.TrimRight(next, "?") {
	case "", "is", "are", "was", "were", "does", "do", "did", "will", "would", "should", "can", "must", "for", "to", "the", "a", "an", "money", "i", "you", "we", "per":
		return true
	}
	return false
}

// in reports whether a text has what is asked for.
func (w wanted) in(s string) bool {
	switch w {
	case anAmount:
		return hasAmount(s)
	case aDate:
		return hasDate(s)
	}
	return false
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			return true
		}
	}
	return false
}

// hasAmount reports whether a currency stands beside a number.
func hasAmount(s string) bool {
	if !hasDigit(s) {
		return false
	}
	for i, r := range s {
		if r != '$' && (r < utf8.RuneSelf || !unicode.Is(unicode.Sc, r)) {
			continue
		}
		after := strings.TrimLeft(s[i+utf8.RuneLen(r):], " \u00a0\u202f\\")
		before := strings.TrimRight(s[:i], " \u00a0\u202f")
		if after != "" && after[0] >= '0' && after[0] <= '9' || before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9' {
			return true
		}
	}
	lower := strings.ToLower(s)
	for _, c := range [...]string{"usd", "eur", "gbp", "chf", " kr", " zł", "kč"} {
		if i := strings.Index(lower, c); i >= 0 && strings.ContainsAny(lower[max(0, i-6):min(len(lower), i+len(c)+6)], "0123456789") {
			return true
		}
	}
	return false
}

// months are the beginnings of the names of months in English.
const months = "jan feb mar apr may jun jul aug sep oct nov dec"

// hasDate reports whether a text has a year, or a month beside a number.
func hasDate(s string) bool {
	if !hasDigit(s) {
		return false
	}
	number, month := false, false // of the word before
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) == 4 && strings.Trim(w, "0123456789") == "" && (w[:2] == "18" || w[:2] == "19" || w[:2] == "20") {
			return true
		}
		day, name := len(w) <= 4 && w[0] >= '0' && w[0] <= '9', isMonth(w)
		if name && number || day && month {
			return true
		}
		number, month = day, name
	}
	return false
}

// isMonth reports whether a word is a month, or begins as one.
func isMonth(w string) bool {
	return len(w) >= 3 && len(w) <= 9 && w[0] >= 'A' && w[0] <= 'Z' && strings.Contains(months, strings.ToLower(w[:3]))
}
