package store

import (
	"context"
	"errors"
	"time"
)

// This file runs writes in the background. Compressing and writing a page takes
// about as long as reading it; only a read of the same key, Flush and Close wait
// for it, and they wait for a bounded time. A caller never waits for room: a write
// that finds none is dropped and counted.

const (
	// maxWrites bounds the writes that run at the same time, maxWaiting and
	// maxWaitingBytes those that wait for one of them.
	maxWrites       = 4
	maxWaiting      = 1024
	maxWaitingBytes = 64 << 20

	// busyPause is how long nothing is written after another process kept the lock
	// for longer than a write waits (busyMS).
	busyPause = 5 * time.Second
	// flushTime bounds Flush, settleTime the wait of a read for the write of its key.
	flushTime  = 2 * time.Second
	settleTime = 250 * time.Millisecond
	// hangTime is how long a write may take until the disk counts as one that hangs:
	// nothing is read or written until it ends. It is longer than busyMS.
	hangTime = 3 * time.Second
)

var errHangs = errors.New("the disk does not answer")

// later runs a write of about so many bytes in a new goroutine, after the writes of
// the same key, or drops it. Before that, prepare does what needs no room, and waits for no
// other write, because the disk may hang; without it, or if it returns true, the write
// follows. later reports whether it was not dropped at once.
func (s *Store) later(key string, bytes int64, prepare func() bool, write func()) bool {
	s.mu.Lock()
	if len(s.writes) >= maxWaiting || s.waiting > 0 && s.waiting+bytes > maxWaitingBytes || s.paused() {
		s.mu.Unlock()
		s.dropped.Add(1)
		return false
	}
	done := make(chan struct{})
	before := s.writes[key]
	s.writes[key] = done
	s.waiting += bytes
	s.mu.Unlock()
	go func() {
		ok := prepare == nil || prepare()
		if before != nil {
			<-before
		}
		if ok {
			s.room <- struct{}{}
			s.run(write)
			<-s.room
		}
		s.mu.Lock()
		s.waiting -= bytes
		if s.writes[key] == done {
			delete(s.writes, key)
		}
		s.mu.Unlock()
		close(done)
	}()
	return true
}

// run runs a write, unless nothing is written now.
func (s *Store) run(write func()) {
	s.mu.Lock()
	paused := s.paused()
	s.mu.Unlock()
	if paused {
		s.dropped.Add(1)
		return
	}
	write()
}

// alone runs a write while no other one does, unless nothing is written now.
func (s *Store) alone(write func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.run(func() {
		began := func(at time.Time) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.began = at
		}
		began(time.Now()) // not Store.now: what it says can jump
		defer began(time.Time{})
		write()
	})
}

// paused reports whether nothing is written now. The caller holds mu.
func (s *Store) paused() bool {
	return !s.pausedUntil.IsZero() && s.now().Before(s.pausedUntil) || s.hanging()
}

// hanging reports whether a write takes so long that the disk hangs. The caller holds mu.
func (s *Store) hanging() bool { return !s.began.IsZero() && time.Since(s.began) > hangTime }

func (s *Store) hangs() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hanging()
}

// settled waits until the writes of a key have ended, or until ctx is done, for at
// most settleTime.
func (s *Store) settled(ctx context.Context, key string) {
	s.mu.Lock()
	done := s.writes[key]
	s.mu.Unlock()
	if done == nil {
		return
	}
	timer := time.NewTimer(s.settleTime)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Flush waits until everything that was saved before is in the file or was dropped,
// for at most two seconds.
func (s *Store) Flush() {
	s.mu.Lock()
	all := make([]chan struct{}, 0, len(s.writes))
	for _, done := range s.writes {
		all = append(all, done)
	}
	s.mu.Unlock()
	if len(all) == 0 {
		return
	}
	timer := time.NewTimer(s.flushTime)
	defer timer.Stop()
	for _, done := range all {
		select {
		case <-done:
		case <-timer.C:
			return
		}
	}
}
