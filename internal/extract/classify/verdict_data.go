package classify

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// kind is a group of phrases and marks: the first word of the name of a section.
type kind string

const (
	kindChallenge kind = "challenge"
	kindRate      kind = "rate_limited"
	kindRefused   kind = "refused_by_site"
	kindLogin     kind = "login_wall"
	kindDead      kind = "dead"
	kindShell     kind = "empty_shell"
	kindThin      kind = "thin"
	kindGate      kind = "gate"
	kindConsent   kind = "consent"
	kindGone      kind = "gone"
	kindAway      kind = "away"
)

// verdicts is verdict.txt.
type verdicts struct {
	lists    map[string][]string // by the name of the section, e.g. "dead heading"
	inMarkup *dom.Finder         // finds marks and widgets
	kinds    []kind              // … by number: those of the marks, "" for a widget
	inClass  *dom.Finder         // finds classes of error pages
}

//go:embed verdict.txt
var verdictFile string

var verdictData = sync.OnceValue(func() *verdicts {
	d := &verdicts{lists: text.Sections(verdictFile)}
	var marks []string
	for section, lines := range d.lists {
		switch name, place, _ := strings.Cut(section, " "); place {
		case "mark":
			marks, d.kinds = append(marks, lines...), append(d.kinds, slices.Repeat([]kind{kind(name)}, len(lines))...)
		case "widget":
			marks, d.kinds = append(marks, lines...), append(d.kinds, make([]kind, len(lines))...)
		}
	}
	d.inMarkup, d.inClass = dom.NewFinder(marks...), dom.NewFinder(d.lists["dead class"]...)
	return d
})

// list returns the phrases of a kind for a place.
func (d *verdicts) list(k kind, place string) []string { return d.lists[string(k)+" "+place] }
