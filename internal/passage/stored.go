package passage

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/result"
)

// Stored is the Markdown of a version of a page, cut into units, in which quotations are
// looked up. It is safe for concurrent use.
type Stored struct {
	url, version, md string
	sections         []markdown.Section
	normalized       normalized
	units            []unit
	norm             [][2]int // for each unit: its part of the normalized text
}

// NewStored reads a version of the page at url. sections are those of its Markdown, with
// which quotations name theirs; nil: they name none.
func NewStored(url, version, md string, sections []markdown.Section) *Stored {
	url, _, _ = strings.Cut(url, "#")
	s := newStored(url, version, md, normalize(md, false, true))
	s.sections = sections
	return s
}

// Markdown is the text of the version.
func (s *Stored) Markdown() string { return s.md }

func newStored(url, version, md string, n normalized) *Stored {
	s := &Stored{url: url, version: version, md: md, normalized: n, units: units(md, false)}
	s.norm = make([][2]int, len(s.units))
	i, last := 0, len(n.at)-1 // the last entry is the end
	for k, u := range s.units {
		for i < last && int(n.at[i]) < u.from {
			i++
		}
		from := i
		for i < last && int(n.at[i]) < u.to {
			i++
		}
		to := i
		for from < to && n.text[from] == ' ' {
			from++
		}
		s.norm[k] = [2]int{from, to}
	}
	return s
}

// Lines returns the texts of the units that have a text, word for word: paragraphs,
// items, rows of a table. At most 50.
func (s *Stored) Lines(quote string) (out []string) {
	const most = 50
	want := normalize(quote, false, false).text
	for at := 0; len(out) < most; {
		i := s.normalized.find(want, at, true)
		if i < 0 {
			return out
		}
		at = i + len(want)
		k := slices.IndexFunc(s.norm, func(n [2]int) bool { return n[0] <= i && at <= n[1] })
		if k >= 0 {
			out = append(out, strings.Join(s.visible(s.norm[k][0], s.norm[k][1]), "\n"))
		}
	}
	return out
}

// unit is the text of a unit without marks of Markdown and addresses of links.
func (s *Stored) unit(i int) string { return s.normalized.text[s.norm[i][0]:s.norm[i][1]] }

// words is the unit as its words are counted: normalized text has no underscores,
// because they can be marks, but work_mem has two words.
func (s *Stored) words(i int) string {
	md, text, at := s.md, s.normalized.text, s.normalized.at
	from, to := s.norm[i][0], s.norm[i][1]
	if strings.IndexByte(md[s.units[i].from:s.units[i].to], '_') < 0 {
		return text[from:to]
	}
	b := make([]byte, 0, to-from+16)
	for k := from; k < to; k++ {
		if k > from && at[k] > at[k-1]+1 && strings.IndexByte(md[at[k-1]:at[k]], '_') >= 0 {
			b = append(b, ' ')
		}
		b = append(b, text[k])
	}
	return string(b)
}

// partBytes is how much of a version is read for its words at a time. Parts end with a line,
// or where one has more than lineBytes.
const partBytes, lineBytes = 64 << 10, 256 << 10

// Words calls word for each word of a version as searches compare them: stems, without
// those that say nothing. Words of headings are passed with heading set. The version is
// read in parts: one of several megabytes would need many times its size.
func Words(md string, word func(stem []byte, heading bool)) {
	var f normalizer
	read := func(part string) {
		newStored("", "", part, f.read(part, false, true)).eachWord(word)
	}
	from, fence, c := 0, "", unitCutter{md: md} // fence opens the code in whose middle the part begins
	part := func(to int) {
		read(fence + md[from:to])
		from, fence = to, ""
		if c.fence != "" {
			fence = c.fence + "\n"
		}
	}
	for at := 0; at < len(md); {
		end := lineEnd(md, at)
		c.line(at, end)
		for end-from > lineBytes {
			part(from + spaceIn(md[from:from+lineBytes]))
		}
		at = min(end+1, len(md))
		if at-from >= partBytes {
			part(at)
			c.out = append(c.out[:0], c.out[max(len(c.out)-1, 0):]...) // the last one may go on
		}
	}
	read(fence + md[from:])
}

// spaceIn is where a part of a line can end: before a link, before a word, or before a
// character where it has no words.
func spaceIn(s string) int {
	for _, begin := range []string{" [", " "} {
		if i := strings.LastIndex(s, begin); i > len(s)/2 {
			return i
		}
	}
	i := len(s) - 1
	for i > len(s)-utf8.UTFMax && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func (s *Stored) eachWord(word func(stem []byte, heading bool)) {
	var x terms.Scanner
	heading := false
	each := func(w []byte) {
		if !terms.IsStopWord(string(w)) {
			word(terms.Stem(w), heading)
		}
	}
	for i, u := range s.units {
		heading = u.kind == headingUnit
		x.Scan(s.words(i), each)
	}
}

// WordCounts are what [Stored.Count] finds.
type WordCounts struct {
	// Words are how often each of the words is in the version, and Pairs how often it
	// follows the one before it. Pairs[0] is 0.
	Words, Pairs []int
	// Length is the number of words of the version.
	Length int
	// Lead is the largest share of the words, by weight, with which a unit begins: a
	// heading, the entry of a list of definitions, the row of a table. A page explains
	// what its units begin with, and mentions the rest.
	Lead float64
}

const (
	// leadWords is how many more words than those of a query are the beginning of a unit.
	leadWords = 3
	// lateLead is what a word counts there that stands behind another word, as
	// in "If work_mem is small". Numbers of sections do not count as words.
	lateLead = .5
)

// Count counts words, which are stems without those that say nothing, each once.
// weight has a weight for each of them; their sum is 1.
func (s *Stored) Count(words []string, weight []float64) WordCounts {
	c := WordCounts{Words: make([]int, len(words)), Pairs: make([]int, len(words))}
	seen := make([]bool, len(words))
	for i := range s.units {
		clear(seen)
		at, last, lead, share := 0, -1, 0., 1.
		terms.Scan(s.words(i), func(w []byte) {
			if terms.IsStopWord(string(w)) {
				share = lateLead
				return
			}
			at++
			k := slices.Index(words, string(terms.Stem(w)))
			switch {
			case k < 0 && (w[0] < '0' || w[0] > '9'):
				share = lateLead
			case k >= 0:
				c.Words[k]++
				if k > 0 && last == k-1 {
					c.Pairs[k]++
				}
				if at <= len(words)+leadWords && !seen[k] {
					seen[k] = true
					lead += share * weight[k]
				}
			}
			last = k
		})
		c.Length += at
		c.Lead = max(c.Lead, lead)
	}
	return c
}

// Excerpts returns the n passages of the version that match a query best, in the order
// of the page: units that stand alone, with the heading above them. Each is the text
// of the page, word for word. There are none where no word of the query is in the
// version.
func (s *Stored) Excerpts(query string, n int) (out []result.Passage) {
	p := &Passages{md: s.md, units: s.units, facts: make([]unitFacts, len(s.units)), unitText: s.words}
	t := readQuery(query)
	p.match(t)
	p.weigh(t.wanted)
	if !p.matched {
		return nil
	}
	order := make([]int, 0, len(s.units))
	for i, u := range s.units {
		if u.kind != headingUnit && u.kind != headUnit && p.facts[i].own > 0 && p.facts[i].likely > 0 && s.unit(i) != "" {
			order = append(order, i)
		}
	}
	order = ranked(order, func(i int) float64 { return p.facts[i].likely })[:min(n, len(order))]
	if len(order) == 0 {
		return nil
	}
	best := p.facts[order[0]].likely
	slices.Sort(order)
	for _, i := range order {
		out = append(out, s.passage(i, p.facts[i].heading, math.Round(1000*p.facts[i].likely/best)/1000))
	}
	return out
}

// Within returns the first n passages of the version between two bytes of its Markdown.
func (s *Stored) Within(from, to, n int) (out []result.Passage) {
	heading := -1
	for i, u := range s.units {
		switch {
		case u.from >= to || len(out) == n:
			return out
		case u.kind == headingUnit:
			heading = i
		case u.from >= from && u.kind != headUnit && s.unit(i) != "":
			out = append(out, s.passage(i, heading, 1))
		}
	}
	return out
}

// passage is a unit as a quotation.
func (s *Stored) passage(i, heading int, score float64) result.Passage {
	u := s.units[i]
	lines := s.visible(s.norm[i][0], s.norm[i][1])
	start := utf8.RuneCountInString(s.md[:u.from])
	p := result.Passage{Text: strings.Join(lines, "\n"), Start: start, End: start + utf8.RuneCountInString(s.md[u.from:u.to]), Score: score,
		Link: s.url + "#:~:text=" + textFragment(lines)}
	if u.kind == codeUnit {
		p.Text = codeOf(s.md[u.from:u.to])
	}
	if heading >= 0 {
		p.Section = s.unit(heading)
	}
	return p
}

// codeOf is a block of code without its fence: lines keep their indentation.
func codeOf(md string) string {
	var out []string
	for line := range strings.SplitSeq(strings.Trim(md, "\n"), "\n") {
		if bare := strings.TrimLeft(line, " "); !strings.HasPrefix(bare, "```") && !strings.HasPrefix(bare, "~~~") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
