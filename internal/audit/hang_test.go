package audit

import (
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestHangs: a disk that hangs makes one call wait for a moment, and no other one; lines
// that wait are written when it takes lines again, and what does not fit is counted.
func TestHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, err := OpenFile(filepath.Join(t.TempDir(), "audit.jsonl"), FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		written, frozen := 0, make(chan struct{})
		file.append = func([]byte) error {
			<-frozen
			written++
			return nil
		}
		log := New(Options{File: file})
		begin := time.Now()
		for range 1 + waitingMost + 7 { // the first one is taken out of the queue
			log.Record(Event{Kind: Call, Tool: "web_fetch"})
		}
		if took := time.Since(begin); took != hangLimit {
			t.Errorf("the calls waited %v", took)
		}
		if n := log.Metrics().FileErrors; n != 7 {
			t.Errorf("%d lines are lost", n)
		}
		close(frozen)
		synctest.Wait()
		log.Record(Event{Kind: Call, Tool: "web_fetch"})
		if time.Since(begin) != hangLimit || written != 1+waitingMost+1 {
			t.Errorf("after %v %d lines are written", time.Since(begin), written)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		log.Record(Event{Kind: Call, Tool: "web_fetch"})
		if n := log.Metrics().FileErrors; n != 8 {
			t.Errorf("%d lines are lost after the end", n)
		}
	})
}

// TestManyAtOnce: a disk that takes lines loses none, however many calls end at once.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, err := OpenFile(filepath.Join(t.TempDir(), "audit.jsonl"), FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		file.append = func([]byte) error {
			time.Sleep(20 * time.Microsecond)
			written++
			return nil
		}
		log := New(Options{File: file})
		const calls = 3 * waitingMost
		var all sync.WaitGroup
		for range calls {
			all.Go(func() { log.Record(Event{Kind: Call, Tool: "web_fetch"}) })
		}
		all.Wait()
		if n := log.Metrics().FileErrors; n != 0 || written != calls {
			t.Errorf("%d lines are written, %d are lost", written, n)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestHangsAtTheEnd: closing the file of a disk that hangs ends, and says what is lost.
func TestHangsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, err := OpenFile(filepath.Join(t.TempDir(), "audit.jsonl"), FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		frozen := make(chan struct{})
		file.append = func([]byte) error { <-frozen; return nil }
		log := New(Options{File: file})
		log.Record(Event{Kind: Call, Tool: "web_fetch"})
		begin := time.Now()
		if err := log.Close(); err == nil || time.Since(begin) != endLimit {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		close(frozen)
		<-file.ended
		_ = file.f.Close()
	})
}
