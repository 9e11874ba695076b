package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// childEnv makes the test binary a process that writes; see [child].
const childEnv = "SPYHOP_STORE_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child saves answers until its standard input ends or it is killed, and
// prints the name of each that is saved: what a locked file drops is not.
func child(dir string) {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	s := New(Options{Dir: dir, OnError: func(err error) { fmt.Println("error", err) }})
	s.flushTime = time.Hour // a name is printed only after it is in the file
	for i := 0; ; i++ {
		name := fmt.Sprintf("%d-%d", os.Getpid(), i)
		if saved(s, name, noise(name, 3000)) {
			fmt.Println(name)
		}
	}
}

// saved saves an answer and reports whether it was neither dropped nor failed.
func saved(s *Store, name string, body []byte) bool {
	lost := func() (n int64) {
		h := s.Health()
		n = h.Dropped
		for _, failed := range h.Errors {
			n += int64(failed)
		}
		return n
	}
	before := lost()
	s.Save(context.Background(), keyOf(name), []byte(name), body, time.Hour)
	s.Flush()
	return lost() == before
}

func keyOf(name string) Key { return sha256.Sum256([]byte(name)) }

// noise is n bytes that do not compress, the same for a name each time.
func noise(name string, n int) []byte {
	r := rand.NewChaCha8(sha256.Sum256([]byte(name)))
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

// open returns a Store that fails the test when there is trouble.
func open(t *testing.T, o Options) *Store {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "data")
	}
	if o.OnError == nil {
		o.OnError = func(err error) { t.Errorf("error: %v", err) }
	}
	s := New(o)
	s.flushTime, s.settleTime = time.Minute, time.Minute
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestCache: what is saved comes back, until it is expired, replaced or removed.
func TestCache(t *testing.T) {
	s := open(t, Options{})
	now := time.Now()
	s.now = func() time.Time { return now }
	page := []byte(strings.Repeat("the sea rises and falls ", 1000))
	load := func(name, meta string, body []byte) {
		t.Helper()
		m, b, ok := s.Load(t.Context(), keyOf(name))
		if ok != (body != nil) || string(m) != meta || !bytes.Equal(b, body) {
			t.Errorf("%s: %v, meta %q, %d bytes", name, ok, m, len(b))
		}
	}
	load("a", "", nil)
	if _, err := os.Stat(s.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading made the file: %v", err)
	}
	s.Save(t.Context(), keyOf("a"), []byte("meta a"), page, time.Hour)
	s.Save(t.Context(), keyOf("b"), nil, noise("b", 10_000), time.Minute)
	s.Save(t.Context(), keyOf("c"), []byte("meta c"), []byte{}, time.Hour)
	load("a", "meta a", page)
	load("b", "", noise("b", 10_000))
	load("c", "meta c", []byte{})
	if st, err := s.Stats(t.Context()); err != nil || st.Items != 3 || st.Bytes > 3*rowBytes+10_300 || st.Bytes < 10_000 {
		t.Errorf("%+v, %v: the page should be a few bytes", st, err)
	}
	s.Save(t.Context(), keyOf("a"), []byte("new"), []byte("short"), time.Hour)
	load("a", "new", []byte("short"))
	s.Refresh(t.Context(), keyOf("a"), []byte("refreshed"), 2*time.Hour)
	s.Refresh(t.Context(), keyOf("never saved"), []byte("refreshed"), time.Hour)
	load("a", "refreshed", []byte("short"))
	load("never saved", "", nil)
	now = now.Add(time.Minute)
	load("b", "", nil)
	now = now.Add(time.Hour)
	load("a", "refreshed", []byte("short"))
	load("c", "", nil)
	s.Remove(t.Context(), keyOf("a"))
	load("a", "", nil)
	s.Save(t.Context(), keyOf("d"), nil, []byte("x"), time.Hour)
	if st, _ := s.Stats(t.Context()); st.Items != 1 || st.Bytes != rowBytes+1 {
		t.Errorf("the expired are still there: %+v", st)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	load("d", "", []byte("x")) // opens again
}

// TestModes: nobody else may read.
// WarmUp opens a file, and makes none.
func TestWarmUp(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "data")}
	s := New(o)
	if s.WarmUp(); s.db != nil {
		t.Error("a file was made")
	}
	if _, err := os.Stat(o.Dir); !os.IsNotExist(err) {
		t.Error("a folder was made")
	}
	saved(s, "a", []byte("page"))
	s.Close()
	later := New(o)
	defer later.Close()
	if later.WarmUp(); later.db == nil {
		t.Error("the file is not open")
	}
}

func TestModes(t *testing.T) {
	s := open(t, Options{Dir: filepath.Join(t.TempDir(), "a ? b # 100%", "data")})
	s.Save(t.Context(), keyOf("a"), nil, []byte("x"), time.Hour)
	s.Flush()
	for path, want := range map[string]os.FileMode{s.options.Dir: 0o700, s.path: 0o600, s.path + "-wal": 0o600, s.path + "-shm": 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

// TestBudget: however much is saved, it stays within the bound, and so does
// the file; who was used last stays.
func TestBudget(t *testing.T) {
	const limit = 1 << 20
	s := open(t, Options{MaxBytes: limit})
	now := time.Now()
	s.now = func() time.Time { return now }
	sizes := []int{100, 40_000, 3000, 200_000, 9000, 50}
	s.Save(t.Context(), keyOf("kept"), nil, noise("kept", 5000), time.Hour)
	for i := range 300 {
		now = now.Add(10 * time.Second)
		s.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, noise("x", sizes[i%len(sizes)]), 24*time.Hour)
		if st, err := s.Stats(t.Context()); err != nil || st.Bytes > limit {
			t.Fatalf("after %d: %+v, %v", i, st, err)
		}
		if i%10 == 0 { // more than a minute has passed
			if _, _, ok := s.Load(t.Context(), keyOf("kept")); !ok {
				t.Fatalf("what is used went first, after %d", i)
			}
		}
	}
	if _, _, ok := s.Load(t.Context(), keyOf("0")); ok {
		t.Error("the oldest is still there")
	}
	if _, _, ok := s.Load(t.Context(), keyOf("299")); !ok {
		t.Error("the newest is not there")
	}
	s.Save(t.Context(), keyOf("too large"), nil, noise("x", limit), time.Hour)
	if _, _, ok := s.Load(t.Context(), keyOf("too large")); ok {
		t.Error("more than the budget was kept")
	}
	if _, _, ok := s.Load(t.Context(), keyOf("299")); !ok {
		t.Error("what has no room made room all the same")
	}
	// Many small ones for a large one.
	for i := range 300 {
		s.Save(t.Context(), keyOf(fmt.Sprint("small ", i)), nil, []byte("x"), time.Hour)
	}
	s.Flush() // writes of different keys have no order
	s.Save(t.Context(), keyOf("large"), nil, noise("x", limit-10_000), time.Hour)
	if st, err := s.Stats(t.Context()); err != nil || st.Bytes > limit || st.Items > 5 {
		t.Errorf("%+v, %v", st, err)
	}
	sum(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(limit + freePages*4096); info.Size() > most {
		t.Errorf("the file has %d bytes, more than %d", info.Size(), most)
	}
}

// TestSmallerBudget: a file shrinks when the operator lowers its bound.
func TestSmallerBudget(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Dir: dir})
	for i := range 40 {
		s.Save(t.Context(), keyOf(fmt.Sprint(i)), nil, noise("x", 500_000), time.Hour)
	}
	s.Close()
	s = open(t, Options{Dir: dir, MaxBytes: 100_000})
	for i := range 20 {
		s.Save(t.Context(), keyOf(fmt.Sprint("then ", i)), nil, noise("x", 100), time.Hour)
	}
	s.Close()
	if info, err := os.Stat(s.path); err != nil || info.Size() > 8<<20 {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
}

// sum compares the running total with the rows, and looks for damage.
func sum(t *testing.T, s *Store) {
	t.Helper()
	s.Flush()
	err := s.do(t.Context(), reading, func(db *database) error {
		var items, bytes, wantItems, wantBytes int64
		var health string
		if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&health); err != nil || health != "ok" {
			return fmt.Errorf("%s, %w", health, err)
		}
		if err := db.QueryRow(`SELECT items, bytes FROM total`).Scan(&items, &bytes); err != nil {
			return err
		}
		if err := db.QueryRow(`SELECT count(*), coalesce(sum(size), 0) FROM item`).Scan(&wantItems, &wantBytes); err != nil {
			return err
		}
		if items != wantItems || bytes != wantBytes {
			t.Errorf("the total says %d and %d bytes, the rows %d and %d", items, bytes, wantItems, wantBytes)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestVersions: versions by page and by content, and nobody else's.
func TestVersions(t *testing.T) {
	s := open(t, Options{})
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return now }
	put := func(owner, url, hash, content string) {
		now = now.Add(time.Minute)
		s.PutVersion(t.Context(), Version{Credentials: owner, URL: url, Hash: hash, Content: content})
	}
	put("", "https://example.com/a", "h1", "one")
	put("", "https://example.com/a", "h2", "two")
	put("", "https://example.com/b", "h1", "one")
	put("mara", "https://example.com/a", "h3", "for mara")
	put("", "https://example.com/a", "h1", "one") // again
	for _, c := range []struct {
		owner, url string
		want       string
	}{
		{"", "https://example.com/a", "h1 03:05-03:09, h2 03:06-03:06"},
		{"", "https://example.com/b", "h1 03:07-03:07"},
		{"", "", "h1 03:05-03:09, h1 03:07-03:07, h2 03:06-03:06"},
		{"", "https://example.com/c", ""},
		{"mara", "https://example.com/a", "h3 03:08-03:08"},
	} {
		var got []string
		for _, v := range s.Versions(t.Context(), c.owner, c.url) {
			got = append(got, v.Hash+" "+v.FirstSeen.Format("15:04")+"-"+v.LastSeen.Format("15:04"))
			if v.Credentials != c.owner || c.url != "" && v.URL != c.url || v.Content != "" {
				t.Errorf("%+v", v)
			}
		}
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%q %s: %q, want %q", c.owner, c.url, g, c.want)
		}
	}
	for _, c := range []struct{ owner, hash, url, content string }{
		{"", "h1", "https://example.com/a", "one"},
		{"", "h2", "https://example.com/a", "two"},
		{"mara", "h3", "https://example.com/a", "for mara"},
		{"", "h3", "", ""},
		{"mara", "h1", "", ""},
	} {
		v, ok := s.Version(t.Context(), c.owner, c.hash)
		if ok != (c.url != "") || c.url != "" && v.URL != c.url || v.Content != c.content {
			t.Errorf("%q %s: %v %+v", c.owner, c.hash, ok, v)
		}
	}
	now = now.Add(keepVersions + time.Hour)
	if v := s.Versions(t.Context(), "", "https://example.com/a"); v != nil {
		t.Errorf("kept for ever: %+v", v)
	}
	sum(t, s)
}

// TestKeepVersions: a shorter time counts for versions that are stored already, a longer
// one brings them back until a write removes them, and LastSeen stays right.
func TestKeepVersions(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := start
	at := func(keep time.Duration) *Store {
		s := open(t, Options{Dir: dir, KeepVersions: keep})
		s.now = func() time.Time { return now }
		return s
	}
	s := at(0)
	s.PutVersion(t.Context(), Version{URL: "https://example.com/", Hash: "h", Content: "text"})
	s.Flush()
	now = start.Add(48 * time.Hour)
	if v := at(24*time.Hour).Versions(t.Context(), "", ""); v != nil {
		t.Errorf("older than a day: %+v", v)
	}
	if v := at(72*time.Hour).Versions(t.Context(), "", ""); len(v) != 1 || !v[0].LastSeen.Equal(start) {
		t.Errorf("within three days: %+v", v)
	}
	short := at(24 * time.Hour)
	short.Save(t.Context(), keyOf("other"), []byte("m"), []byte("b"), time.Hour)
	short.Flush()
	if v := at(0).Versions(t.Context(), "", ""); v != nil {
		t.Errorf("a write did not remove it: %+v", v)
	}
	sum(t, short)
}

// TestConcurrent: goroutines on one Store.
func TestConcurrent(t *testing.T) {
	s := open(t, Options{MaxBytes: 200_000})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 25 {
				name := fmt.Sprint((g + i) % 10)
				s.Save(t.Context(), keyOf(name), []byte(name), noise(name, 4000), time.Hour)
				if m, b, ok := s.Load(t.Context(), keyOf(name)); ok && (string(m) != name || !bytes.Equal(b, noise(name, 4000))) {
					t.Errorf("%s: another's answer", name)
				}
			}
		})
	}
	wg.Wait()
	sum(t, s)
}

// writer is a child process.
type writer struct {
	*exec.Cmd
	in  io.Closer
	out *bufio.Scanner
}

func startWriter(t *testing.T, dir string) *writer {
	t.Helper()
	w := &writer{Cmd: exec.CommandContext(t.Context(), os.Args[0])}
	w.Env = append(os.Environ(), childEnv+"="+dir, "GORACE=atexit_sleep_ms=0")
	in, err := w.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.Stderr = os.Stderr
	w.in, w.out = in, bufio.NewScanner(out)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	return w
}

// saved reads n names.
func (w *writer) saved(t *testing.T, n int) (names []string) {
	t.Helper()
	for len(names) < n {
		if !w.out.Scan() {
			t.Fatal("the child ended")
		}
		switch line := w.out.Text(); {
		case strings.HasPrefix(line, "error") && !strings.Contains(line, "another process locks"):
			t.Fatal(line)
		case !strings.HasPrefix(line, "error"):
			names = append(names, line)
		}
	}
	return names
}

// TestKill: processes that are killed while they write leave a good file, with
// all that they had saved; another goes on meanwhile.
func TestKill(t *testing.T) {
	s := open(t, Options{OnError: func(err error) {
		if !strings.Contains(err.Error(), "another process locks") {
			t.Errorf("error: %v", err)
		}
	}})
	var names []string
	for range 4 {
		a, b := startWriter(t, s.options.Dir), startWriter(t, s.options.Dir)
		names = append(names, a.saved(t, 20)...)
		if err := a.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		names = append(names, b.saved(t, 20)...)
		for !saved(s, "mine", []byte("x")) && t.Context().Err() == nil { // the file was locked for too long
			s.mu.Lock()
			s.pausedUntil = time.Time{}
			s.mu.Unlock()
		}
		if err := b.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = a.Wait(), b.Wait() // they were killed
	}
	for _, name := range append(names, "mine") {
		want := noise(name, 3000)
		if name == "mine" {
			want = []byte("x")
		}
		if _, body, ok := s.Load(t.Context(), keyOf(name)); !ok || !bytes.Equal(body, want) {
			t.Errorf("%s is lost", name)
		}
	}
	sum(t, s)
}

// TestTwoProcesses: two processes write at once and end well; nothing is lost.
func TestTwoProcesses(t *testing.T) {
	s := open(t, Options{})
	a, b := startWriter(t, s.options.Dir), startWriter(t, s.options.Dir)
	names := append(a.saved(t, 50), b.saved(t, 50)...)
	for _, w := range []*writer{a, b} {
		w.in.Close()
		for w.out.Scan() { // what else it had to say
		}
		if err := w.Wait(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range names {
		if _, body, ok := s.Load(t.Context(), keyOf(name)); !ok || !bytes.Equal(body, noise(name, 3000)) {
			t.Errorf("%s is lost", name)
		}
	}
	sum(t, s)
}
