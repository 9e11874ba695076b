package store

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// A Store without a folder keeps everything in memory, by the same rules, and
// touches no file.
func TestMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := context.Background()
	s := New(Options{MaxBytes: 60_000, OnError: func(err error) { t.Errorf("%v", err) }})
	s.flushTime, s.settleTime = time.Minute, time.Minute
	defer s.Close()
	now := time.Now()
	s.now = func() time.Time { return now }
	key := keyOf("a")
	if _, _, ok := s.Load(ctx, key); ok {
		t.Error("an empty store has an answer")
	}
	s.Save(ctx, key, []byte("meta"), noise("a", 5000), time.Hour)
	if meta, body, ok := s.Load(ctx, key); !ok || string(meta) != "meta" || string(body) != string(noise("a", 5000)) {
		t.Errorf("%v %q", ok, meta)
	}
	s.PutVersion(ctx, Version{URL: "https://example.com/", Hash: "1", Content: "text"})
	if v, ok := s.Version(ctx, "", "1"); !ok || v.Content != "text" || len(s.Versions(ctx, "", v.URL)) != 1 {
		t.Errorf("%v %+v", ok, v)
	}

	// A caller that goes away during a call takes nothing with it.
	gone, cancel := context.WithCancel(ctx)
	cancel()
	s.Load(gone, key)
	if _, _, ok := s.Load(ctx, key); !ok {
		t.Error("a cancelled call has emptied the store")
	}

	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			name := fmt.Sprint(i)
			s.Save(ctx, keyOf(name), nil, noise(name, 3000), time.Hour)
			s.Load(ctx, keyOf(name))
		})
	}
	all.Wait()
	if stats, err := s.Stats(ctx); err != nil || stats.File != "" || stats.Items == 0 || stats.Bytes > 60_000 || stats.Limit != 60_000 {
		t.Errorf("%+v %v", stats, err)
	}
	s.Save(ctx, key, nil, []byte("body"), time.Hour)
	if _, _, ok := s.Load(ctx, key); !ok {
		t.Error("the last answer is not there")
	}
	now = now.Add(2 * time.Hour)
	if _, _, ok := s.Load(ctx, key); ok {
		t.Error("an answer has outlived its time")
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("%v %v", files, err)
	}
	if got := New(Options{}).options.MaxBytes; got != defaultMemoryBytes {
		t.Errorf("the budget is %d", got)
	}
}
