package recall

import (
	"context"
	"runtime"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/store"
)

// Archive has the pages of an archive that is replayed. A search reads those first that
// its caller has not read yet, so that it finds them. Make one with [NewArchive].
type Archive struct {
	pages []string
	read  func(ctx context.Context, address string) error

	turn chan struct{}  // holds one element while pages are read
	done map[string]int // by principal: so many pages from the first on need no look
}

// NewArchive returns an Archive of the pages at these addresses. read reads one, which
// stores its version; a page that cannot be read is left out.
func NewArchive(pages []string, read func(ctx context.Context, address string) error) *Archive {
	return &Archive{pages: pages, read: read, turn: make(chan struct{}, 1), done: map[string]int{}}
}

// load reads the pages that the principal of ctx has no version of, several at a time,
// within half of the time of ctx. left counts those that it did not come to. The error is
// that of ctx.
func (a *Archive) load(ctx context.Context, s *store.Store) (left int, err error) {
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { <-a.turn }()
	part, stop := deadline.Share(ctx, 2)
	defer stop()
	who := principal.Of(ctx).Name
	for step := 2 * runtime.GOMAXPROCS(0); a.done[who] < len(a.pages) && part.Err() == nil; {
		rest := a.pages[a.done[who]:]
		rest = rest[:min(step, len(rest))]
		var reading sync.WaitGroup
		for _, address := range rest {
			if len(s.Versions(part, "", address)) == 0 {
				reading.Go(func() { _ = a.read(part, address) })
			}
		}
		if reading.Wait(); part.Err() == nil {
			a.done[who] += len(rest)
		}
	}
	return len(a.pages) - a.done[who], ctx.Err()
}
