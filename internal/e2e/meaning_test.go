package e2e_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
)

// synonyms are words that the embedding double takes for one.
var synonyms = map[string]string{"automobile": "car", "vehicle": "car", "car": "car", "repair": "mend", "fix": "mend", "mending": "mend", "cost": "price", "fee": "price", "charge": "price"}

// embeddings serves vectors that know synonyms and nothing else; down makes it fail, hang never answer.
func embeddings(t *testing.T) (url string, down, hang *atomic.Bool, asked *atomic.Int64) {
	down, hang, asked = new(atomic.Bool), new(atomic.Bool), new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var q struct{ Input []string }
		if hang.Load() {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || down.Load() || r.URL.Path != "/v1/embeddings" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		var data []map[string]any
		for i, input := range q.Input {
			v := make([]float32, 64)
			for _, w := range strings.FieldsFunc(strings.ToLower(input), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if known, ok := synonyms[w]; ok {
					h := fnv.New32()
					io.WriteString(h, known)
					v[h.Sum32()%63] += 1
				}
			}
			v[63] = .2 // what all texts have in common
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s.URL, down, hang, asked
}

// garage is a long page in which one sentence answers.
func garage(answer string) string {
	var b strings.Builder
	b.WriteString("<html><head><title>Notes</title></head><body><main><h1>Notes of a harbour</h1>")
	for i := range 120 {
		fmt.Fprintf(&b, "<h2>Day %d</h2><p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in, on day %d.</p>", i, i)
		if i == 77 {
			fmt.Fprintf(&b, "<p>%s</p>", answer)
		}
	}
	return b.String() + "</main></body></html>"
}

// TestMeaning: a question without a common word is found in a page and among pages that were
// read; a dead server leaves the words, with a notice; without a model nothing is asked.
func TestMeaning(t *testing.T) {
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/list" {
			for i := range 40 {
				fmt.Fprintf(w, `<p>The log of the harbour, day %d, with the weather: <a href="/list/%d">%s</a></p>`, i, i, map[bool]string{true: "Automobile mending", false: "Fog and ferries"}[i == 31])
			}
			return
		}
		answer := "Nothing happened."
		if r.URL.Path == "/garage" {
			answer = "Mending an automobile takes two days, for a small fee at the gate."
		}
		io.WriteString(w, garage(answer))
	}))
	t.Cleanup(pages.Close)
	const question = "vehicle repair cost"
	endpoint, down, hang, asked := embeddings(t)
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(pages.URL, "http://")}, DataDir: t.TempDir(), HostRate: -1, EmbedModel: "double", EmbedURL: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	fetch := func(c *spyhop.Client, path string) *spyhop.FetchResult {
		t.Helper()
		r, err := c.Fetch(t.Context(), spyhop.FetchRequest{URL: pages.URL + path, Query: question, MaxTokens: 300})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := fetch(client, "/garage"); !strings.Contains(r.Markdown, "Mending an automobile") || r.NoMatch {
		t.Errorf("query: %s", r.Markdown)
	}
	for i := range 8 {
		fetch(client, fmt.Sprintf("/day/%d", i))
	}
	found, err := client.Recall(t.Context(), spyhop.RecallRequest{Query: question})
	if err != nil || len(found.Pages) == 0 || !strings.HasSuffix(found.Pages[0].URL, "/garage") || !strings.Contains(fmt.Sprint(found.Pages[0].Passages), "Mending an automobile") {
		t.Fatalf("recall: %v, %+v", err, found)
	}
	before := asked.Load()
	if again, err := client.Recall(t.Context(), spyhop.RecallRequest{Query: question}); err != nil || len(again.Pages) != len(found.Pages) || asked.Load() != before+1 {
		t.Errorf("the vectors are stored: %v, %d requests", err, asked.Load()-before)
	}

	crawled := func(c *spyhop.Client) (read []string, notices []string) {
		t.Helper()
		job, err := c.Crawl(t.Context(), spyhop.CrawlRequest{URLs: []string{pages.URL + "/list"}, Query: question, MaxPages: 3, Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.CrawlPages(t.Context(), job.Job, 0, 10, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got.Pages {
			read = append(read, strings.TrimPrefix(p.URL, pages.URL))
		}
		return read, job.Notices
	}
	if read, notices := crawled(client); len(read) < 2 || read[1] != "/list/31" || strings.Contains(strings.Join(notices, " "), "by words alone") {
		t.Errorf("crawl: %q, %q", read, notices)
	}

	hang.Store(true)
	begun := time.Now()
	r, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: pages.URL + "/garage", Query: question, Timeout: 2 * time.Second})
	if err != nil || !r.NoMatch || time.Since(begun) > 2*time.Second || !strings.Contains(strings.Join(r.Notices, " "), "by words alone") {
		t.Errorf("a server that hangs: %v, %+v", err, r)
	}
	hang.Store(false)
	down.Store(true)
	if r := fetch(client, "/garage"); !r.NoMatch || !strings.Contains(strings.Join(r.Notices, " "), "by words alone") {
		t.Errorf("a dead server: %q", r.Notices)
	}
	if found, err = client.Recall(t.Context(), spyhop.RecallRequest{Query: "ferry dawn"}); err != nil || !strings.Contains(strings.Join(found.Notices, " "), "by words alone") {
		t.Errorf("recall with a dead server: %v, %+v", err, found)
	}
	byWords, notices := crawled(client)
	if !strings.Contains(strings.Join(notices, " "), "by words alone") {
		t.Errorf("crawl with a dead server: %q", notices)
	}
	words, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(pages.URL, "http://")}, HostRate: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer words.Close()
	before = asked.Load()
	if r := fetch(words, "/garage"); !r.NoMatch || asked.Load() != before {
		t.Errorf("without a model: %s", r.Markdown)
	}
	if read, _ := crawled(words); asked.Load() != before || fmt.Sprint(read) != fmt.Sprint(byWords) {
		t.Errorf("crawl without a model: %q, with a dead server %q", read, byWords)
	}
}
