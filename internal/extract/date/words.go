package date

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
)

//go:embed words.txt
var wordsFile string

// words are the words of dates in words.txt.
type words struct {
	months                                   [][]string     // which dates also shorten
	whole                                    map[string]int // other names of months
	weekdays, times, periods, from, articles map[string]bool
	changes, leads                           []string
}

var known = sync.OnceValue(func() *words {
	lines := text.Sections(wordsFile)
	set := func(section string) map[string]bool {
		out := map[string]bool{}
		for _, line := range lines[section] {
			for word := range strings.FieldsSeq(line) {
				out[word] = true
			}
		}
		return out
	}
	w := &words{
		whole: map[string]int{}, weekdays: set("weekdays"), times: set("times"), periods: set("periods"), from: set("from"), articles: set("articles"),
		changes: lines["changes"], leads: lines["leads"],
	}
	for i, line := range lines["months"] {
		w.months = append(w.months, strings.Fields(line))
		for name := range strings.FieldsSeq(lines["whole"][i]) {
			w.whole[name] = i + 1
		}
	}
	return w
})

// Month returns the month that a word names or shortens to three letters or
// more, or 0.
func Month(word string) int {
	if len(word) < 3 || len(word) > 36 {
		return 0
	}
	w := strings.ToLower(word)
	for i, names := range known().months {
		for _, name := range names {
			if strings.HasPrefix(name, w) {
				return i + 1
			}
		}
	}
	return known().whole[w]
}

// IsWeekday reports whether a word is the name of a day or a short form of it.
func IsWeekday(w string) bool { return known().weekdays[strings.ToLower(strings.Trim(w, ".,"))] }

// isTimeWord reports whether a word belongs to a date or a time, for example the
// time zone "pst".
func isTimeWord(w string) bool { return known().times[w] || len(w) == 3 && strings.HasSuffix(w, "t") }

// changeSigns call a date one of a change in scripts without spaces.
var changeSigns = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("更新", "修改", "修正", "改定", "改訂", "수정", "업데이트")
})
