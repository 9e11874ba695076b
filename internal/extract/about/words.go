package about

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/text"
)

//go:embed words.txt
var wordsFile string

// phrases are the sections of words.txt.
var phrases = sync.OnceValue(func() map[string][]string {
	out := text.Sections(wordsFile)
	for _, section := range [...]string{"dropped parts", "dropped keys", "currencies"} {
		out[section] = strings.Fields(strings.Join(out[section], " "))
	}
	return out
})

func isWord(section, s string) bool { return slices.Contains(phrases()[section], s) }

// The sections that say what their words mean, by word.
var (
	metaNames = meanings("meta")
	keyNames  = meanings("keys")
	richTypes = meanings("rich")
	periods   = meanings("periods")
)

func meanings(section string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		out := map[string]string{}
		for _, line := range phrases()[section] {
			meaning, list, _ := strings.Cut(line, " = ")
			for word := range strings.FieldsSeq(list) {
				out[word] = meaning
			}
		}
		return out
	})
}
