package testweb_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/testweb"
)

// TestEveryGoal acts on each ref of each page that declares goals: all goals
// are reached by what a snapshot names, and little is named that does nothing.
func TestEveryGoal(t *testing.T) {
	w := newWeb(t, nil)
	var mu sync.Mutex
	goals, reached, named, idle := 0, 0, 0, 0
	t.Run("all", func(t *testing.T) {
		for _, name := range testweb.Names() {
			t.Run(strings.TrimSuffix(name, ".html"), func(t *testing.T) {
				t.Parallel()
				a := w.agent(t)
				nothing := a.explore("/" + name)
				var want string
				a.truth("document.documentElement.dataset.goals", &want)
				hits := a.hits()
				mu.Lock()
				defer mu.Unlock()
				for _, g := range strings.Fields(want) {
					goals++
					if hits[g] > 0 {
						reached++
					} else {
						t.Errorf("goal %s was not reached in:\n%s", g, a.page)
					}
				}
				named += len(refs(a.page))
				idle += len(nothing)
				if len(nothing) > 0 {
					t.Errorf("refs that do nothing: %v, in:\n%s", nothing, a.page)
				}
			})
		}
	})
	t.Logf("%d of %d goals reached; %d of %d refs do nothing", reached, goals, idle, named)
}
