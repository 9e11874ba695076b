package store

import "context"

// This file runs writes in the background. Compressing and writing a page takes
// about as long as reading it; only a read of the same key, Flush and Close wait
// for it.

// maxWrites bounds the writes that run at the same time; further writes wait.
const maxWrites = 4

// later runs a write in a new goroutine, after the running writes of the same key.
func (s *Store) later(key string, write func()) {
	s.room <- struct{}{}
	done := make(chan struct{})
	s.mu.Lock()
	before := s.writes[key]
	s.writes[key] = done
	s.mu.Unlock()
	go func() {
		if before != nil {
			<-before
		}
		write()
		s.mu.Lock()
		if s.writes[key] == done {
			delete(s.writes, key)
		}
		s.mu.Unlock()
		close(done)
		<-s.room
	}()
}

// settled waits until the writes of a key have ended, or until ctx is done.
func (s *Store) settled(ctx context.Context, key string) {
	s.mu.Lock()
	done := s.writes[key]
	s.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Flush waits until everything that was saved before is in the file.
func (s *Store) Flush() {
	s.mu.Lock()
	all := make([]chan struct{}, 0, len(s.writes))
	for _, done := range s.writes {
		all = append(all, done)
	}
	s.mu.Unlock()
	for _, done := range all {
		<-done
	}
}
