package admission_test

import (
	"context"
	"errors"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/admission"
)

// What a call holds is given back when it ends, or when the call around it does, where
// its bytes live on in that one.
func TestCall(t *testing.T) {
	hold := func(g *admission.Gate, ctx context.Context) func() {
		t.Helper()
		done, err := g.Hold(ctx, "ann", 5*mb)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	for _, c := range []struct {
		name string
		want []int // places in use
		run  func(g *admission.Gate) (used []int)
	}{
		{"without a call, until done", []int{1, 0}, func(g *admission.Gate) []int {
			done := hold(g, t.Context())
			was := g.Stats().Used
			done()
			return []int{was, g.Stats().Used}
		}},
		{"one place for all that a call reads, until its end", []int{1, 1, 0}, func(g *admission.Gate) []int {
			ctx, end := admission.Call(t.Context())
			hold(g, ctx)()
			first := g.Stats().Used
			hold(g, ctx)()
			second := g.Stats().Used
			end(false)
			end(false)
			return []int{first, second, g.Stats().Used}
		}},
		{"until the end of the call around it", []int{1, 0}, func(g *admission.Gate) []int {
			around, endAround := admission.Call(t.Context())
			ctx, end := admission.Call(around)
			hold(g, ctx)()
			end(true)
			answer := g.Stats().Used
			endAround(false)
			return []int{answer, g.Stats().Used}
		}},
		{"nothing lives on", []int{0}, func(g *admission.Gate) []int {
			around, _ := admission.Call(t.Context())
			ctx, end := admission.Call(around)
			hold(g, ctx)()
			end(false)
			return []int{g.Stats().Used}
		}},
		{"the call around it is over", []int{0}, func(g *admission.Gate) []int {
			around, endAround := admission.Call(t.Context())
			ctx, end := admission.Call(around)
			hold(g, ctx)()
			endAround(true)
			end(true)
			return []int{g.Stats().Used}
		}},
		{"after the end of a call, until done", []int{2, 0}, func(g *admission.Gate) []int {
			ctx, end := admission.Call(t.Context())
			end(false)
			done, second := hold(g, ctx), hold(g, ctx)
			was := g.Stats().Used
			done()
			second()
			return []int{was, g.Stats().Used}
		}},
		{"small bytes need none", []int{1}, func(g *admission.Gate) []int {
			ctx, _ := admission.Call(t.Context())
			if _, err := g.Hold(ctx, "ann", 1); err != nil {
				t.Error(err)
			}
			hold(g, ctx) // and leave the call its place
			return []int{g.Stats().Used}
		}},
	} {
		got := c.run(admission.New(admission.Options{Slots: 3, Short: 100}))
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%s: %d places in use, want %d", c.name, got, c.want)
				break
			}
		}
	}
}

// A call that gets no place holds none.
func TestCallRefused(t *testing.T) {
	g := admission.New(admission.Options{Slots: 1})
	if _, err := g.Hold(t.Context(), "bob", 5*mb); err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	ctx, end := admission.Call(left)
	if _, err := g.Hold(ctx, "ann", 5*mb); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	end(true)
	if s := g.Stats(); s.Used != 1 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
}
