package serve

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// owned are what a server keeps in memory for its callers. It is safe for concurrent use; the
// zero value is ready.
type owned[T interface {
	comparable
	of() (owner string)
	old() bool // it is forgotten
}] struct {
	mu  sync.Mutex
	all []T
}

// add keeps one more, of most that its owner may have; what says what they are.
func (o *owned[T]) add(one T, most int, what string) *tool.Error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = slices.DeleteFunc(o.all, T.old)
	own := 0
	for _, other := range o.all {
		if other.of() == one.of() {
			own++
		}
	}
	if own >= most {
		e := tool.NewError(tool.Busy, fmt.Sprintf("%d %s are kept already", own, what), "delete one, or try again later")
		e.RetryAfter = time.Minute
		return e
	}
	o.all = append(o.all, one)
	return nil
}

// those are what an owner has, the latest first.
func (o *owned[T]) those(owner string, is func(T) bool) (out []T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range slices.Backward(o.all) {
		if one.of() == owner && !one.old() && is(one) {
			out = append(out, one)
		}
	}
	return out
}

// remove takes one away; false: it was gone.
func (o *owned[T]) remove(one T) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := len(o.all)
	o.all = slices.DeleteFunc(o.all, func(other T) bool { return other == one })
	return len(o.all) < before
}
