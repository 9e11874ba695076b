package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTrouble: whatever is wrong with the file, nothing fails; it is said
// once, and where a new file helps there is one.
func TestTrouble(t *testing.T) {
	garble := func(from, n int64) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteAt(bytes.Repeat([]byte("garbled "), int(n/8)), from); err != nil {
				t.Fatal(err)
			}
		}
	}
	version := func(n int) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(fmt.Sprintf(`PRAGMA user_version = %d`, n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		code  errorCode
		heals bool
	}{
		{"header", garble(0, 96), codeDamaged, true},
		{"tables", garble(512, 80_000), codeDamaged, true},
		{"another file", func(t *testing.T, path string) {
			write(t, path, []byte("a letter to a friend, much longer than a header"))
		}, codeDamaged, true},
		{"cut off", func(t *testing.T, path string) {
			if err := os.Truncate(path, 20_000); err != nil {
				t.Fatal(err)
			}
		}, codeDamaged, true},
		{"empty", func(t *testing.T, path string) { write(t, path, nil) }, "", true},
		{"a folder", func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
				t.Fatal(err)
			}
		}, Unavailable, false},
		{"a later version", version(1000), codeNewer, false},
		{"an unknown version", version(1), codeDamaged, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, Options{Dir: dir})
			for i := range 50 {
				s.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, noise("x", 9000), time.Hour)
			}
			s.Close()
			c.spoil(t, s.path)
			var said []error
			s = open(t, Options{Dir: dir, OnError: func(err error) { said = append(said, err) }})
			for range 2 {
				for i := range 50 {
					s.Load(t.Context(), keyOf(fmt.Sprint(i)))
				}
				for i := range 50 {
					s.Save(t.Context(), keyOf(fmt.Sprint("new ", i)), nil, []byte("new"), time.Hour)
				}
			}
			s.Flush()
			_, body, ok := s.Load(t.Context(), keyOf("new 7"))
			if ok != c.heals || ok && string(body) != "new" {
				t.Errorf("afterwards: %v %q", ok, body)
			}
			var e *Error
			switch {
			case c.code == "" && len(said) > 0, c.code != "" && len(said) != 1, len(said) == 1 && !errors.As(said[0], &e):
				t.Errorf("said %v", said)
			case e != nil && (e.Code != c.code || e.File != s.path || e.Error() == ""):
				t.Errorf("said %v", e)
			}
			if _, err := os.Stat(aside(s.path)); (err == nil) != (c.code == codeDamaged) {
				t.Errorf("set aside: %v", err)
			}
			if c.heals {
				sum(t, s)
			}
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamageWhileOpen: two Stores on a file that goes bad beneath them; one
// sets it aside, and the other takes the new one instead of doing it again.
func TestDamageWhileOpen(t *testing.T) {
	dir := t.TempDir()
	var said []error
	o := Options{Dir: dir, OnError: func(err error) { said = append(said, err) }}
	a, b := open(t, o), open(t, o)
	for i := range 50 {
		a.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, noise("x", 9000), time.Hour)
	}
	a.Flush()
	b.Load(t.Context(), keyOf("1"))
	if err := a.do(t.Context(), writing, func(db *database) error {
		_, err := db.Exec(`PRAGMA wal_checkpoint(truncate)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	write(t, a.path, bytes.Repeat([]byte("garbled "), 80_000))
	for _, s := range []*Store{a, b} {
		for i := range 50 {
			s.Load(t.Context(), keyOf(fmt.Sprint(i)))
		}
		for i := range 5 {
			s.Save(t.Context(), keyOf(fmt.Sprint("new ", i)), nil, []byte("new"), time.Hour)
		}
	}
	for _, s := range []*Store{a, b} {
		if _, body, ok := s.Load(t.Context(), keyOf("new 4")); !ok || string(body) != "new" {
			t.Errorf("%v %q", ok, body)
		}
	}
	if len(said) != 1 {
		t.Errorf("said %v", said)
	}
}

// TestMoveAside: the damaged file goes with its log, and no other file does.
func TestMoveAside(t *testing.T) {
	s := open(t, Options{Dir: t.TempDir()})
	stat := func() os.FileInfo {
		info, err := os.Stat(s.path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	write(t, s.path, []byte("damaged"))
	bad := stat()
	write(t, s.path+"-wal", []byte("its log"))
	s.moveAside(bad)
	if left, _ := filepath.Glob(s.path + "*"); len(left) != 1 || left[0] != aside(s.path) {
		t.Errorf("left: %v", left)
	}
	write(t, s.path, []byte("begun by another process"))
	s.moveAside(bad)
	stat()
}

// TestVanished: a folder that is removed beneath a Store is noticed, said once, and
// made again.
func TestVanished(t *testing.T) {
	var said []error
	s := open(t, Options{OnError: func(err error) { said = append(said, err) }})
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	s.Flush() // removed in the middle of a write, it is trouble
	if err := os.RemoveAll(s.options.Dir); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.Load(t.Context(), keyOf("a")); ok {
		t.Error("an answer of a file that nobody else can find")
	}
	for range 2 {
		s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	}
	s.Flush()
	if _, err := os.Stat(s.path); err != nil {
		t.Error(err)
	}
	var e *Error
	if len(said) != 1 || !errors.As(said[0], &e) || e.Code != codeRemoved {
		t.Errorf("said %v", said)
	}
	s.Close()
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	s.Flush()
	if _, err := os.Stat(s.path); err != nil {
		t.Error(err)
	}
}

// TestVanishesWhileOpened: a folder that is removed while the file is opened is made again;
// where it is removed each time, that is said, and the next call tries again.
func TestVanishesWhileOpened(t *testing.T) {
	var said []error
	times := 1
	dir := t.TempDir()
	s := open(t, Options{Dir: dir, OnError: func(err error) { said = append(said, err) }, opening: func() {
		if times--; times >= 0 {
			if err := os.RemoveAll(dir); err != nil {
				t.Error(err)
			}
		}
	}})
	save := func() bool {
		s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
		s.Flush()
		_, _, ok := s.Load(t.Context(), keyOf("a"))
		return ok
	}
	if !save() || len(said) != 0 {
		t.Errorf("removed once: %v", said)
	}
	s.Close()
	times = 2
	if _, _, ok := s.Load(t.Context(), keyOf("a")); ok || len(said) != 0 { // once: a reader makes no file
		t.Errorf("read: %v, %v", ok, said)
	}
	times = 2
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	s.Flush()
	var e *Error
	if len(said) != 1 || !errors.As(said[0], &e) || e.Code != codeRemoved {
		t.Errorf("removed twice: %v", said)
	}
	if !save() {
		t.Error("the next call does not try again")
	}
}

// TestFull: a full disk costs the answers that it has no room for.
func TestFull(t *testing.T) {
	var said []error
	s := open(t, Options{maxPages: 100, OnError: func(err error) { said = append(said, err) }})
	for i := range 60 {
		s.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, noise(fmt.Sprint(i), 20_000), time.Hour)
	}
	kept := 0
	for i := range 60 {
		if _, body, ok := s.Load(t.Context(), keyOf(fmt.Sprint(i))); ok {
			kept++
			if !bytes.Equal(body, noise(fmt.Sprint(i), 20_000)) {
				t.Errorf("%d is not what was saved", i)
			}
		}
	}
	var e *Error
	if kept < 10 || kept > 20 || len(said) != 1 || !errors.As(said[0], &e) || e.Code != Full {
		t.Errorf("kept %d, said %v", kept, said)
	}
	sum(t, s)
}

// TestNoFolder: a folder that cannot be made is said once, and tried again
// after a while.
func TestNoFolder(t *testing.T) {
	block := filepath.Join(t.TempDir(), "block")
	write(t, block, nil)
	var said []error
	s := open(t, Options{Dir: filepath.Join(block, "data"), OnError: func(err error) { said = append(said, err) }})
	now := time.Now()
	s.now = func() time.Time { return now }
	for range 3 {
		s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	}
	s.Flush()
	var e *Error
	if len(said) != 1 || !errors.As(said[0], &e) || e.Code != Unavailable {
		t.Errorf("said %v", said)
	}
	if err := os.Remove(block); err != nil {
		t.Fatal(err)
	}
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	if _, _, ok := s.Load(t.Context(), keyOf("a")); ok {
		t.Error("tried again at once")
	}
	now = now.Add(retryAfter)
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	if _, _, ok := s.Load(t.Context(), keyOf("a")); !ok {
		t.Error("not tried again")
	}
}

// TestWrongByte: a row with one wrong byte is not given out.
func TestWrongByte(t *testing.T) {
	body := noise("a", 1000) // not compressed, so that zstd tells nothing
	wrong := bytes.Clone(body)
	wrong[200] ^= 1
	key := keyOf("a")
	for _, c := range []struct {
		change  string
		value   any
		version bool // as well
	}{
		{`UPDATE item SET meta = ? WHERE meta = x'61'`, []byte("c"), false},
		{`UPDATE item SET body = ? WHERE meta <> x'62'`, wrong, true},
		{`UPDATE item SET length = ? WHERE meta <> x'62'`, 1001, true},
		{`DELETE FROM item WHERE meta = x'61'; UPDATE item SET key = ? WHERE meta = x'62'`, key[:], false}, // another's answer
	} {
		s := open(t, Options{})
		s.Save(t.Context(), key, []byte("a"), body, time.Hour)
		s.Save(t.Context(), keyOf("b"), []byte("b"), noise("b", 1000), time.Hour)
		s.PutVersion(t.Context(), Version{URL: "https://example.com/", Hash: "h", Content: string(body)})
		s.Flush()
		if err := s.do(t.Context(), writing, func(db *database) error { _, err := db.Exec(c.change, c.value); return err }); err != nil {
			t.Fatal(err)
		}
		if meta, _, ok := s.Load(t.Context(), key); ok {
			t.Errorf("%s: given out, meta %q", c.change, meta)
		}
		if _, ok := s.Version(t.Context(), "", "h"); ok == c.version {
			t.Errorf("%s: the version: %v", c.change, ok)
		}
	}
}

// TestLocked: while another process keeps the file locked, reads go on, nobody waits
// for writes, which are dropped and counted, and the first one after a pause is kept.
func TestLocked(t *testing.T) {
	var said []error
	s := open(t, Options{OnError: func(err error) { said = append(said, err) }})
	var clock atomic.Int64
	began := time.Now()
	s.now = func() time.Time { return began.Add(time.Duration(clock.Load())) }
	s.Save(t.Context(), keyOf("before"), nil, []byte("x"), time.Hour)
	s.Flush()
	other, err := sql.Open("sqlite", s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	const writes = 20 // more than run at a time: the caller would wait for room
	for i := range writes {
		s.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, []byte("x"), time.Hour)
	}
	s.mu.Lock()
	waiting := len(s.writes)
	s.mu.Unlock()
	if waiting != writes {
		t.Errorf("%d writes wait, want %d: the caller has waited", waiting, writes)
	}
	if _, _, ok := s.Load(t.Context(), keyOf("before")); !ok {
		t.Error("reads wait for the lock")
	}
	for s.Health().Dropped < writes-1 { // one write was tried
		s.Flush()
	}
	s.Flush()
	s.Save(t.Context(), keyOf("paused"), nil, []byte("x"), time.Hour)
	if n := s.Health().Dropped; n != writes {
		t.Errorf("%d writes were dropped, want %d", n, writes)
	}
	var e *Error
	if len(said) != 1 || !errors.As(said[0], &e) || e.Code != Busy {
		t.Errorf("said %v", said)
	}
	if _, err := other.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	clock.Store(int64(busyPause))
	s.Save(t.Context(), keyOf("after"), nil, []byte("x"), time.Hour)
	if _, _, ok := s.Load(t.Context(), keyOf("after")); !ok {
		t.Error("nothing is kept after the lock")
	}
}

// TestAdmit: processor work for bodies waits for the gate, without taking room from the
// writes of others, and what the gate refuses is dropped.
func TestAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan error)
		var working atomic.Int64
		s := New(Options{Admit: func(_ context.Context, bytes int, work func()) error {
			if bytes >= 100 {
				if err := <-gate; err != nil {
					return err
				}
				working.Add(1)
				defer working.Add(-1)
			}
			work()
			return nil
		}})
		defer s.Close()
		large := bytes.Repeat([]byte("x"), 100)
		for i := range maxWrites + 1 {
			s.Save(t.Context(), keyOf(fmt.Sprint("large", i)), nil, large, time.Hour)
		}
		s.Save(t.Context(), keyOf("small"), nil, []byte("x"), time.Hour)
		if _, _, ok := s.Load(t.Context(), keyOf("small")); !ok {
			t.Error("the small body waits behind the large ones")
		}
		gate <- errors.New("busy")
		for range maxWrites {
			gate <- nil
		}
		s.Flush()
		stored := 0
		for i := range maxWrites + 1 {
			if _, _, ok := s.Load(t.Context(), keyOf(fmt.Sprint("large", i))); ok {
				stored++
			}
		}
		if stored != maxWrites || s.dropped.Load() != 1 || working.Load() != 0 {
			t.Errorf("%d stored, %d dropped, %d still work", stored, s.dropped.Load(), working.Load())
		}
	})
}

// TestRoom: a stored body is unpacked when there is room in memory, and not found
// without it. It stays stored.
func TestRoom(t *testing.T) {
	var full error
	asked, held := 0, 0
	s := open(t, Options{Room: func(_ context.Context, bytes int) (func(), error) {
		if asked = bytes; full != nil {
			return nil, full
		}
		held++
		return func() { held-- }, nil
	}})
	key := keyOf("large")
	s.Save(t.Context(), key, nil, bytes.Repeat([]byte("x"), 1000), time.Hour)
	for _, full = range []error{nil, errors.New("full"), nil} {
		if _, body, ok := s.Load(t.Context(), key); ok != (full == nil) || ok && len(body) != 1000 || asked != 1000 || held != 0 {
			t.Errorf("%v: %d bytes, asked for %d, %d held", full, len(body), asked, held)
		}
	}
}

// TestFlushEnds: Flush and Close end while a write cannot.
func TestFlushEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		stuck := make(chan struct{})
		s.later("a", 0, nil, func() { <-stuck })
		s.Flush()
		s.settled(t.Context(), "a")
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		close(stuck)
		s.Flush()
		if len(s.writes) != 0 {
			t.Error("the write has not ended")
		}
	})
}

// TestLogIsCut: the write-ahead log is cut after a reader kept it long.
func TestLogIsCut(t *testing.T) {
	s := open(t, Options{})
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	s.Flush()
	err := s.do(t.Context(), reading, func(db *database) error {
		var limit int64
		err := db.QueryRow(`PRAGMA journal_size_limit`).Scan(&limit)
		if err == nil && limit != logBytes {
			t.Errorf("the log may have %d bytes after a checkpoint", limit)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHangs: while a write takes so long that the disk hangs, no read waits for it, and
// writes are dropped; when it ends, everything works again.
func TestHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		defer s.Close()
		s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
		s.Flush()
		loads := func() bool {
			_, _, ok := s.Load(t.Context(), keyOf("a"))
			return ok
		}
		thawed := make(chan struct{})
		s.later("frozen", 1, nil, func() { s.alone(func() { <-thawed }) })
		synctest.Wait()
		s.put(t.Context(), item{key: []byte("frozen"), body: []byte("x"), keep: time.Hour})
		synctest.Wait()
		if time.Sleep(hangTime); !loads() {
			t.Error("a write that is slow stops reads")
		}
		time.Sleep(time.Millisecond)
		begin := time.Now()
		if loads() || s.Health().Trouble != Busy {
			t.Errorf("reads go to a disk that hangs, trouble %q", s.Health().Trouble)
		}
		s.Save(t.Context(), keyOf("b"), nil, []byte("x"), time.Hour)
		if s.Health().Dropped != 1 || time.Since(begin) != 0 {
			t.Errorf("%d writes were dropped after %v", s.Health().Dropped, time.Since(begin))
		}
		close(thawed)
		synctest.Wait()
		if !loads() || s.Health().Trouble != "" {
			t.Errorf("after it: trouble %q", s.Health().Trouble)
		}
	})
}
