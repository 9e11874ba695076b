package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// shelf is a store with pages.
func shelf(t testing.TB, dir string) (*Recall, *store.Store) {
	s := store.New(store.Options{Dir: dir, File: "recall.db", Words: Words, Scope: "test", OnError: func(err error) { t.Error(err) }})
	t.Cleanup(func() { _ = s.Close() })
	return &Recall{Store: s, Reopen: func(_ context.Context, address string, _ []string) error {
		if strings.Contains(address, "refused") {
			return errors.New("refused")
		}
		return nil
	}}, s
}

func read(ctx context.Context, s *store.Store, url, title, md string) {
	v := store.Version{URL: url, Hops: []string{url}, Hash: fmt.Sprintf("%x", title+md), Title: title, Content: md, Job: JobOf(ctx)}
	s.PutVersion(ctx, v)
	for range 100 { // a search waits two seconds for what is being stored; so does each of these
		if _, ok := s.Version(ctx, "", v.Hash); ok {
			return
		}
	}
}

const filler = "The harbour has a quay of stone, and boats leave it when the tide allows. In the fog they wait.\n\n"

func TestSearch(t *testing.T) {
	r, s := shelf(t, "")
	ctx := t.Context()
	read(ctx, s, "https://docs.example.com/resource", "Resource Consumption", "# Resource Consumption\n\n"+strings.Repeat(filler, 20)+
		"- `work_mem` (`integer`): the [memory](/memory) that a sort may use.\n\n- `temp_limit`: how large files may grow.\n")
	read(ctx, s, "https://docs.example.com/hints", "Hints", "Where sorts of large tables are slow, a higher work_mem helps. A larger work_mem needs more memory, and work_mem counts for each sort.\n\n"+filler)
	read(ctx, s, "https://www.example.org/sql-createtable.html", "SQL", "# Syntax\n\n"+filler+"This long statement of the language, one of several, can create another table.\n")
	read(ctx, s, "https://www.example.org/all", "Everything", strings.Repeat("Boats leave the harbour early every single morning, they create waves, and nobody on deck has a table. ", 1)+filler)
	read(ctx, s, "https://refused.example.net/", "Refused", "An unusual word: zymurgy.\n\n"+filler)
	read(ctx, s, "https://ja.example.net/", "港", "霧の中で船は待つ。\n\n"+filler)
	for _, c := range []struct{ query, want, passage string }{
		{"work_mem", "https://docs.example.com/resource", "work_mem (integer): the memory that a sort may use."},
		{"what is temp_limit", "https://docs.example.com/resource", "temp_limit: how large files may grow."},
		{"create table", "https://www.example.org/sql-createtable.html", ""},
		{"霧の中", "https://ja.example.net/", "霧の中で船は待つ。"},
		{`he said "larger" OR NEAR(work_mem) -sorts *`, "https://docs.example.com/hints", ""},
	} {
		got, err := r.Search(ctx, Query{Text: c.query})
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		p := got.Pages[0]
		if p.URL != c.want || got.Searched != 6 || p.Score != 1 {
			t.Errorf("%s: %s of %d, score %v, want %s", c.query, p.URL, got.Searched, p.Score, c.want)
		}
		if c.passage != "" && !containsPassage(p, c.passage) {
			t.Errorf("%s: %+v, want %q", c.query, p.Passages, c.passage)
		}
	}
	for _, c := range []struct {
		query Query
		want  tool.ErrorType
	}{
		{Query{Text: "zymurgy"}, tool.Blocked},
		{Query{Text: "xylophone"}, tool.NoContent},
		{Query{Text: "work_mem", Site: "example.org"}, tool.NoContent},
		{Query{Text: "of the"}, tool.InvalidInput},
		{Query{}, tool.InvalidInput},
	} {
		_, err := r.Search(ctx, c.query)
		if e := tool.AsError(err); e == nil || e.Type != c.want {
			t.Errorf("%+v: %v, want %s", c.query, err, c.want)
		}
	}
	if got, err := r.Search(ctx, Query{Text: "harbour", Site: "example.com"}); err != nil || len(got.Pages) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := r.Search(ctx, Query{Text: "harbour zymurgy", Pages: 2}); err != nil || len(got.Pages) != 2 || got.Refused != 1 {
		t.Errorf("%+v %v", got, err)
	}
	empty, _ := shelf(t, "")
	if _, err := empty.Search(ctx, Query{Text: "harbour"}); tool.AsError(err) == nil || tool.AsError(err).Type != tool.NoContent || !strings.Contains(err.Error(), "yet") {
		t.Error(err)
	}
}

func containsPassage(p result.RecalledPage, want string) bool {
	for _, q := range p.Passages {
		if q.Text == want {
			return true
		}
	}
	return false
}

// A passage has the place of its words in the version.
// A page that is too large to be kept beside others is quoted as any other, and a search that
// is ended is no answer.
func TestLargePages(t *testing.T) {
	r, s := shelf(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	read(ctx, s, "https://docs.example.com/large", "Large", strings.Repeat(filler, 2*mostKept/len(filler))+"The word zymurgy stands here.\n")
	got, err := r.Search(ctx, Query{Text: "zymurgy"})
	if err != nil || len(got.Pages) != 1 || len(got.Pages[0].Passages) == 0 || got.Pages[0].Passages[0].Text != "The word zymurgy stands here." {
		t.Fatalf("%+v, %v", got, err)
	}
	r.Reopen = func(context.Context, string, []string) error { cancel(); return nil }
	var e *tool.Error
	if got, err := r.Search(ctx, Query{Text: "zymurgy"}); !errors.As(err, &e) || e.Type != tool.Cancelled {
		t.Errorf("cancelled: %+v, %v", got, err)
	}
}

func TestPlaces(t *testing.T) {
	r, s := shelf(t, "")
	md := "# Häfen\n\nVor dem Eingang.\n\n## Die **Fähre** im [Nebel](/nebel)\n\nDie *Fähre* wartet im [Nebel](/nebel) auf die Flut.\n\n| Ort | Höhe |\n| --- | --- |\n| Kai | 3 m |\n"
	read(t.Context(), s, "https://example.com/häfen", "Häfen", md)
	got, err := r.Search(t.Context(), Query{Text: "Fähre Nebel Kai"})
	if err != nil {
		t.Fatal(err)
	}
	runes := []rune(md)
	var all []string
	for _, p := range got.Pages[0].Passages {
		all = append(all, fmt.Sprintf("%s | %s | %s | %s", p.Text, p.Section, string(runes[p.Start:p.End]), p.Link))
	}
	want := []string{
		"Die Fähre wartet im Nebel auf die Flut. | Die Fähre im Nebel | Die *Fähre* wartet im [Nebel](/nebel) auf die Flut. | https://example.com/häfen#:~:text=Die%20F%C3%A4hre%20wartet%20im%20Nebel%20auf%20die%20Flut.",
		"Kai\n3 m | Die Fähre im Nebel | | Kai | 3 m | | https://example.com/häfen#:~:text=Kai,3%20m",
	}
	if strings.Join(all, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
}

// Each principal finds what it has read, and nobody finds what was read with other
// credentials than a login.
func TestOwners(t *testing.T) {
	r, s := shelf(t, "")
	alice, bob := principal.With(t.Context(), principal.Caller{Name: "alice"}), principal.With(t.Context(), principal.Caller{Name: "bob"})
	read(alice, s, "https://example.com/a", "Harbour", filler)
	s.PutVersion(alice, store.Version{URL: "https://example.com/login", Hash: "1", Title: "Login", Content: filler, Credentials: "c1"})
	s.PutVersion(alice, store.Version{URL: "https://example.com/bearer", Hash: "2", Title: "Bearer", Content: filler, Credentials: "c2", Private: true})
	got, err := r.Search(alice, Query{Text: "harbour"})
	if err != nil || got.Searched != 2 || len(got.Pages) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	for _, p := range got.Pages {
		if p.Login != (p.URL == "https://example.com/login") {
			t.Errorf("%+v", p)
		}
	}
	if _, err := r.Search(bob, Query{Text: "harbour"}); tool.AsError(err) == nil || !strings.Contains(err.Error(), "yet") {
		t.Error(err)
	}
	if n, err := r.Forget(bob, ""); n != 0 || err != nil {
		t.Errorf("bob forgot %d of alice's pages, %v", n, err)
	}
	if n, err := r.Forget(alice, ""); n != 3 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := r.Search(alice, Query{Text: "harbour"}); err == nil {
		t.Error("found after it was forgotten")
	}
}

// Forgetting removes the words from the file too.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	r, s := shelf(t, dir)
	read(t.Context(), s, "https://a.example.com/x", "One", "The password of the cellar is rumpelstiltskin.\n\n"+filler)
	read(t.Context(), s, "https://b.example.org/x", "Two", filler)
	if _, err := r.Search(t.Context(), Query{Text: "rumpelstiltskin"}); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Forget(t.Context(), "example.com"); n != 1 || err != nil {
		t.Fatalf("%d %v", n, err)
	}
	if _, err := r.Search(t.Context(), Query{Text: "rumpelstiltskin"}); tool.AsError(err) == nil || tool.AsError(err).Type != tool.NoContent {
		t.Error(err)
	}
	if _, err := r.Search(t.Context(), Query{Text: "harbour"}); err != nil {
		t.Error(err)
	}
	_ = s.Close()
	for _, name := range []string{"recall.db", "recall.db-wal"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, word := range []string{"umpelstil", "a.example.com"} {
			if strings.Contains(string(b), word) {
				t.Errorf("%s still has %q", name, word)
			}
		}
	}
}

// A changed page is shown as it was last read; filters keep what they name.
func TestVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, s := shelf(t, "")
		read(WithJob(t.Context(), "c1"), s, "https://example.com/x", "Old", "The ferry costs four crowns.\n\n"+filler)
		s.Flush()
		time.Sleep(time.Hour)
		start := time.Now()
		read(t.Context(), s, "https://example.com/x", "New", "The ferry costs five crowns.\n\n"+filler)
		got, err := r.Search(t.Context(), Query{Text: "what does the ferry cost"})
		if err != nil || len(got.Pages) != 1 || got.Pages[0].Title != "New" {
			t.Errorf("%+v %v", got, err)
		}
		got, err = r.Search(t.Context(), Query{Text: "ferry", Job: "c1"})
		if err != nil || len(got.Pages) != 1 || got.Pages[0].Title != "Old" {
			t.Errorf("%+v %v", got, err)
		}
		got, err = r.Search(t.Context(), Query{Text: "ferry", Since: start})
		if err != nil || len(got.Pages) != 1 || got.Pages[0].Title != "New" {
			t.Errorf("%+v %v", got, err)
		}
		// The same version, read again by a crawl a moment later, belongs to its job.
		read(WithJob(t.Context(), "c2"), s, "https://example.com/x", "New", "The ferry costs five crowns.\n\n"+filler)
		if _, err := r.Search(t.Context(), Query{Text: "ferry", Job: "c2"}); err != nil {
			t.Error(err)
		}
	})
}

// The budget bounds the index too: what is evicted is not found.
func TestRetention(t *testing.T) {
	s := store.New(store.Options{Words: Words, MaxBytes: 100 << 10})
	defer s.Close()
	r := &Recall{Store: s, Reopen: func(context.Context, string, []string) error { return nil }}
	for i := range 60 {
		read(t.Context(), s, fmt.Sprintf("https://example.com/%d", i), fmt.Sprintf("Page number%d", i), fmt.Sprintf("Only here stands number%d.\n\n", i)+filler)
		s.Flush()
	}
	stats, err := s.Stats(t.Context())
	if err != nil || stats.Bytes > stats.Limit || stats.Items < 10 || stats.Items > 40 {
		t.Fatalf("%+v %v", stats, err)
	}
	if _, err := r.Search(t.Context(), Query{Text: "number0"}); err == nil {
		t.Error("found what was evicted")
	}
	if got, err := r.Search(t.Context(), Query{Text: "number59"}); err != nil || got.Searched != stats.Items {
		t.Errorf("%+v, %d items, %v", got, stats.Items, err)
	}
}

func TestText(t *testing.T) {
	r, s := shelf(t, "")
	for i := range 8 {
		read(t.Context(), s, fmt.Sprintf("https://example.com/%d", i), "Har\u202ebour </123> "+strings.Repeat("long ", 60), strings.Repeat(filler, 3)+fmt.Sprintf("Boat %d.\n", i))
	}
	got, err := r.Search(t.Context(), Query{Text: "harbour boat"})
	if err != nil {
		t.Fatal(err)
	}
	text := Text(got, View{Tokens: 600, Bytes: 9500})
	if len(text) > 2600 || !strings.Contains(text, "8 of 8 pages") || !strings.Contains(text, "Call web_fetch") || !strings.Contains(text, "more pages.") || !strings.Contains(text, "#:~:text=") || strings.Contains(text, "\u202e") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
	inside, outside, found := strings.Cut(text, "<untrusted text ")
	if !found || strings.Contains(inside, "example.com") || !strings.Contains(outside, "example.com") {
		t.Errorf("page text stands outside of the fence:\n%s", text)
	}
	if all := Text(got, View{}); strings.Count(all, "(version ") != 8 {
		t.Errorf("%s", all)
	}
}

// The pages of an archive are read before a search, by each caller once, and again by none
// that has their versions. One that cannot be read is tried once. What does not fit into
// the time is said, and read by the next search.
func TestArchivePages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, s := shelf(t, "")
		var mu sync.Mutex
		reads := map[string]int{}
		var pages []string
		step := 2 * runtime.GOMAXPROCS(0)
		n := 5 * step
		for i := range n {
			pages = append(pages, fmt.Sprintf("https://a.example.com/%d", i))
		}
		pages = append(pages, "https://a.example.com/broken")
		slow := time.Duration(0)
		archive := func() *Archive {
			return NewArchive(pages, func(ctx context.Context, address string) error {
				mu.Lock()
				reads[address]++
				mu.Unlock()
				if strings.HasSuffix(address, "broken") {
					return errors.New("broken")
				}
				select {
				case <-time.After(slow):
				case <-ctx.Done():
					return ctx.Err()
				}
				read(ctx, s, address, "Page", "Words of "+address+" about zymurgy.")
				return nil
			})
		}
		total := func() (sum int) {
			for _, k := range reads {
				sum += k
			}
			return sum
		}
		search := func(who string, within time.Duration) *result.Recall {
			t.Helper()
			ctx, stop := deadline.With(principal.With(t.Context(), principal.Caller{Name: who}), within)
			defer stop()
			out, err := r.Search(ctx, Query{Text: "zymurgy"})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		r.Archive = archive()
		for range 2 {
			if out := search("ann", time.Minute); out.Searched != n || len(out.Notices) != 0 || total() != n+1 {
				t.Errorf("%d reads, %+v", total(), out)
			}
		}
		r.Archive = archive() // another process: only what has no version is read
		if out := search("ann", time.Minute); out.Searched != n || total() != n+2 {
			t.Errorf("%d reads, %+v", total(), out)
		}
		slow = time.Second
		out := search("bob", 3*time.Second) // half of it: one step, and a second one that is cut
		if out.Searched != step || len(out.Notices) != 1 || !strings.HasPrefix(out.Notices[0], fmt.Sprintf("Not read in time, and not searched: %d pages of the archive", n+1-step)) || !strings.Contains(Text(out, View{}), out.Notices[0]) {
			t.Errorf("%+v", out)
		}
		if out := search("bob", time.Hour); out.Searched != n || len(out.Notices) != 0 {
			t.Errorf("%+v", out)
		}
	})
}

// TestDifferentWords: of a version with more different words than are indexed, the first are
// found, and those that are repeated.
func TestDifferentWords(t *testing.T) {
	var md strings.Builder
	for i := range 3 * maxStems {
		fmt.Fprintf(&md, "w%d first\n\n", i)
	}
	w := Words(store.Version{Content: md.String()})
	different := map[string]bool{}
	for s := range strings.FieldsSeq(w.Body) {
		different[s] = true
	}
	if n := len(different); n < maxStems || n > maxStems*11/10 || strings.Count(w.Body, "first ") != 3*maxStems {
		t.Errorf("%d different words, %d times the one that is repeated", n, strings.Count(w.Body, "first "))
	}
}
