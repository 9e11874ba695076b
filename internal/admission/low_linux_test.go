package admission

import (
	"context"
	"errors"
	"syscall"
	"testing"
)

// nice is the priority of the calling thread.
func nice(t *testing.T) int {
	t.Helper()
	raw, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	return 20 - raw // the system call returns it so, getpriority(2)
}

// TestDo: work that has a place yields to the calls of others, and nothing else does.
func TestDo(t *testing.T) {
	ctx, own := t.Context(), nice(t)
	g := New(Options{Slots: 4, Queue: 1})
	at := func(cost int64) (n int) {
		t.Helper()
		if err := g.Do(ctx, "a", cost, func() { n = nice(t) }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	g.Seen("a")
	if n := at(defaultShort + 1); n != own {
		t.Errorf("large work alone: %d, want %d", n, own)
	}
	g.Seen("b")
	g.Seen("a")
	if n := at(defaultShort); n != own {
		t.Errorf("short work: %d, want %d", n, own)
	}
	low := min(own+lowNice, 19) // also in a process that has a low priority itself
	for range 20 {
		if n := at(defaultShort + 1); n != low {
			t.Fatalf("large work beside others: %d, want %d", n, low)
		}
		if n := nice(t); n != own {
			t.Fatalf("after it: %d, want %d", n, own)
		}
	}
	func() {
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("a panic of the work: %v", p)
			}
		}()
		_ = g.Do(ctx, "a", defaultShort+1, func() { panic("broken") })
	}()
	if s := g.Stats(); s.Used != 0 {
		t.Errorf("%d places are taken", s.Used)
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	if err := New(Options{Slots: 1, Short: -1, Memory: 1}).Do(gone, "a", 1, func() {}); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
