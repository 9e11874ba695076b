package store

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// benchPage is 100 KB that compress as pages do.
func benchPage() []byte {
	var b strings.Builder
	for i := 0; b.Len() < 100_000; i++ {
		fmt.Fprintf(&b, "<p class=\"c%d\">The sea rises and falls %d times, %x.</p>\n", i%7, i, noise(fmt.Sprint(i), 6))
	}
	return []byte(b.String())
}

func benchStore(b *testing.B) *Store {
	s := New(Options{Dir: b.TempDir(), OnError: func(err error) { b.Error(err) }})
	b.Cleanup(func() { s.Close() })
	for i := range 1000 {
		s.Save(b.Context(), keyOf(fmt.Sprint(i)), []byte("meta"), noise("x", 5000), time.Hour)
	}
	s.Flush()
	return s
}

// BenchmarkHit reads a page of 100 KB.
func BenchmarkHit(b *testing.B) {
	s, page, key := benchStore(b), benchPage(), keyOf("page")
	s.Save(b.Context(), key, []byte("meta"), page, time.Hour)
	s.Flush()
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if _, _, ok := s.Load(b.Context(), key); !ok {
			b.Fatal("miss")
		}
	}
}

// BenchmarkMiss asks for what is not there.
func BenchmarkMiss(b *testing.B) {
	s := benchStore(b)
	for b.Loop() {
		if _, _, ok := s.Load(b.Context(), keyOf("none")); ok {
			b.Fatal("hit")
		}
	}
}

// BenchmarkSave writes pages of 100 KB; the budget is reached on the way.
func BenchmarkSave(b *testing.B) {
	s, page := benchStore(b), benchPage()
	s.options.MaxBytes = 32 << 20
	b.SetBytes(int64(len(page)))
	i := 0
	for b.Loop() {
		i++
		s.Save(b.Context(), keyOf(fmt.Sprint("page ", i)), []byte("meta"), page, time.Hour)
	}
}

// BenchmarkOpen opens a file that is there, reads from it and closes it, as
// each run of the command does.
func BenchmarkOpen(b *testing.B) {
	s := benchStore(b)
	for b.Loop() {
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		if _, _, ok := s.Load(b.Context(), keyOf("7")); !ok {
			b.Fatal("miss")
		}
	}
}

// BenchmarkMake makes the file and its first row.
func BenchmarkMake(b *testing.B) {
	dir := b.TempDir()
	i := 0
	for b.Loop() {
		i++
		s := New(Options{Dir: fmt.Sprint(dir, "/", i)})
		s.Save(b.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun is what a run of the command adds to a page that is not cached:
// open, miss, save, close.
func BenchmarkRun(b *testing.B) {
	s, page := benchStore(b), benchPage()
	i := 0
	for b.Loop() {
		run := New(s.options)
		i++
		key := keyOf(fmt.Sprint("page ", i))
		run.Load(b.Context(), key)
		run.Save(b.Context(), key, []byte("meta"), page, time.Hour)
		if err := run.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
