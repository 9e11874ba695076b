package classify

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// kind is a group of phrases and marks.
type kind uint8

const (
	kindChallenge kind = iota
	kindRate
	kindRefused
	kindLogin
	kindDead
	kindShell
	kindThin
	kindGate
	kindConsent
	kindGone
	kindAway
	numKinds
)

// verdicts is verdict.txt by place and kind.
type verdicts struct {
	headings, exact, texts, marks [numKinds][]string

	widgets []string // of challenges
	classes []string // of error pages
	begins  []string // beginnings of headings of forms to sign in
	codes   []string // names of inputs for a one-time code
	hints   []string // of paywalls
	empty   []string // a list says that it holds nothing
	talk    []string // words of a site about itself and to its visitor

	// Words of the lines in which pages count what they show, and lead on.
	of, to, about, nouns, shown, pages, next, loaders, more []string
	counts                                                  []string // names of attributes that count replies

	inMarkup *dom.Finder // finds marks and widgets
	kinds    []kind      // … by number: those of the marks, numKinds for a widget
	inClass  *dom.Finder // finds classes
}

//go:embed verdict.txt
var verdictFile string

var verdictData = sync.OnceValue(func() *verdicts {
	d := new(verdicts)
	var into *[]string
	for line := range strings.Lines(verdictFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			into = d.section(strings.Trim(line, "[]"))
		default:
			*into = append(*into, line)
		}
	}
	var all []string
	for k, marks := range d.marks {
		for _, m := range marks {
			all, d.kinds = append(all, m), append(d.kinds, kind(k))
		}
	}
	for _, m := range d.widgets {
		all, d.kinds = append(all, m), append(d.kinds, numKinds)
	}
	d.inMarkup, d.inClass = dom.NewFinder(all...), dom.NewFinder(d.classes...)
	return d
})

// section is the list for the name of a section; the file is ours, and a test
// reads it.
func (d *verdicts) section(name string) *[]string {
	verdict, place, _ := strings.Cut(name, " ")
	k := map[string]kind{"challenge": kindChallenge, "rate_limited": kindRate, "refused_by_site": kindRefused,
		"login_wall": kindLogin, "dead": kindDead, "empty_shell": kindShell, "thin": kindThin, "gate": kindGate, "consent": kindConsent, "gone": kindGone, "away": kindAway}[verdict]
	switch place {
	case "heading":
		return &d.headings[k]
	case "exact":
		return &d.exact[k]
	case "text":
		return &d.texts[k]
	case "mark":
		return &d.marks[k]
	case "widget":
		return &d.widgets
	case "class":
		return &d.classes
	case "begin":
		if k == kindLogin {
			return &d.begins
		}
	case "hint":
		return &d.hints
	case "code":
		return &d.codes
	case "empty":
		return &d.empty
	}
	if verdict == "talk" {
		return &d.talk
	}
	if verdict == "partial" {
		return map[string]*[]string{"of": &d.of, "to": &d.to, "about": &d.about, "noun": &d.nouns, "shown": &d.shown, "page": &d.pages,
			"next": &d.next, "loader": &d.loaders, "begin": &d.more, "count": &d.counts}[place]
	}
	return new([]string)
}
