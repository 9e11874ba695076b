package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/docs"
	"github.com/spyhop-dev/spyhop/llm"
)

// manualQuestions are questions about Spyhop's manual, each with words that a quotation that
// answers has.
var manualQuestions = []struct{ question, answer string }{
	{"How long is a response reused before the server is asked whether it has changed?", "15 minutes"},
	{"Which version of PostgreSQL does the database of crawls need?", "version 12"},
	{"How many screens does scroll go on until nothing new comes?", "30 screens"},
	{"Does Spyhop run on Windows and macOS, on x64 and arm64?", "Linux, macOS and Windows"},
	{"Which version of Go does building it need?", "Go 1.26"},
	{"When does a page of a monitor count as removed?", "404 or 410"},
	{"How large are the images with and without a browser?", "37 MB"},
	{"What must the mode of the secrets file WEB_SECRETS be?", "mode 0600"},
	{"How many bytes must the value of a secret have at least?", "4 bytes"},
	{"How many of the last requests of the tab does the HAR file have?", "100 requests"},
	{"How many steps and pictures may a recorded trace have at the limit?", "500 steps"},
	{"How does Spyhop send the password of the database without TLS?", "SCRAM"},
	{"Which profiles of tools are listed by default?", "core"},
	{"How many bytes does an answer over MCP stay under?", "10,000 bytes"},
	{"Which status does a request without a valid token get?", "401"},
	{"Which algorithms may the signed JWTs of OAuth have?", "RS256"},
	{"How many pages do patterns and crawls of data read at most?", "100 pages"},
	{"From how many pages does a model write the selectors of a schema?", "1 to 4 pages"},
	{"What does the unit of systemd write to?", "/var/lib/spyhop"},
	{"How does systemd-analyze rate the exposure of the unit?", "2.3"},
	{"What reaps the zombie processes that Chromium leaves?", "PID 1"},
	{"Of how much memory of the control group does the garbage collector stay below?", "80 %"},
	{"How long a stop time does a container need?", "135"},
	{"Which setting removes the tools that type, click and upload?", "WEB_ALLOW_INTERACTIVE=false"},
	{"What may the receiver of a webhook of a monitor not be, private or public?", "must be public"},
	{"How many steps does a plan of browser tools have at most?", "50 steps"},
	{"On which address does the socket of systemd listen?", "127.0.0.1:7749"},
	{"What is a call answered with beyond max_calls or calls_per_minute?", "status 429"},
	{"How much text do the results of Firecrawl's search have together?", "16 MB"},
	{"How many addresses may a batch of Firecrawl's API have?", "10,000"},
}

// stemsOf are the words of a text, cut to six letters.
func stemsOf(s string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if len(w) > 2 && !slices.Contains([]string{"the", "how", "what", "which", "does", "that", "and", "for", "has", "many", "long", "when", "with"}, w) {
			out = append(out, w[:min(len(w), 6)])
		}
	}
	return out
}

// bestOf orders texts by the words that they share with a question, rare ones first.
func bestOf(question string, texts []string) []int {
	having := map[string]int{}
	all := make([]map[string]int, len(texts))
	for i, t := range texts {
		all[i] = map[string]int{}
		for _, w := range stemsOf(t) {
			all[i][w]++
		}
		for w := range all[i] {
			having[w]++
		}
	}
	score := make([]float64, len(texts))
	order := make([]int, len(texts))
	for i := range texts {
		order[i] = i
		for _, w := range stemsOf(question) {
			if all[i][w] > 0 {
				score[i] += math.Log(1+float64(len(texts))/float64(having[w])) * (1 + .1*math.Log(float64(all[i][w])))
			}
		}
		score[i] /= math.Sqrt(math.Log(20 + float64(len(texts[i]))))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// copyist is a double of a model: it answers with the five sentences of what it was given
// that share most words with the question, with those of their title and heading, and cites
// their pages.
type copyist struct{}

func (copyist) Name() string { return "double/copyist" }

var sentenceEnd = regexp.MustCompile(`\.\s+`)

func (copyist) Ask(_ context.Context, q llm.Request) (*llm.Reply, error) {
	text := q.Messages[len(q.Messages)-1].Text
	question := text[strings.LastIndex(text, "The question is: "):]
	var sentences, pages, scored []string
	page, title, heading, within := "", "", "", false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "Page ["):
			page = line[len("Page ["):strings.Index(line, "]")]
		case strings.HasPrefix(line, "<<<"):
			within = strings.HasPrefix(line, "<<<result")
		case strings.HasPrefix(line, "Title:"):
			title, heading = line, ""
		case strings.HasPrefix(line, "#"):
			heading = line
		case within:
			for _, s := range sentenceEnd.Split(strings.TrimLeft(line, "-|* 0123456789."), -1) {
				if s = strings.TrimRight(s, " .|"); len(stemsOf(s)) > 2 {
					sentences, pages, scored = append(sentences, s), append(pages, page), append(scored, s+" "+heading+" "+title)
				}
			}
		}
	}
	var b strings.Builder
	order := bestOf(question, scored)
	for _, i := range order[:min(5, len(order))] {
		fmt.Fprintf(&b, "%s [%s].\n", sentences[i], pages[i])
	}
	return &llm.Reply{Text: b.String(), Stop: llm.StopEnd}, nil
}

// manual serves Spyhop's manual, and a search of its pages as SearXNG has it.
func manual(t *testing.T) (url string) {
	var pages []docs.Page
	var texts []string
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, s := range docs.Sections() {
		for _, p := range s.Pages {
			pages, texts = append(pages, p), append(texts, p.Title+" "+p.Title+" "+tags.ReplaceAllString(p.HTML, " "))
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		var results []map[string]any
		for _, i := range bestOf(r.URL.Query().Get("q"), texts)[:8] {
			results = append(results, map[string]any{"url": url + "/docs/" + pages[i].Name, "title": pages[i].Title, "content": ""})
		}
		json.NewEncoder(w).Encode(map[string]any{"results": results})
	})
	mux.HandleFunc("/docs/{name}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := docs.Find(r.PathValue("name"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<html><head><title>"+p.Title+"</title></head><body><main>"+p.HTML+"</main></body></html>")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	url = s.URL
	return url
}

// TestManualQuestions: of 30 questions over the manual at least 25 get a quotation that has
// the answer, from a search, a fetch and a model that only copies; every sentence has a
// quotation, and every quotation is on its page.
func TestManualQuestions(t *testing.T) {
	url := manual(t)
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(url, "http://")}, HostRate: -1, SearchProvider: "searxng", SearxngURL: url, LanguageModel: copyist{}, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	found, sentences, without := 0, 0, 0
	for _, q := range manualQuestions {
		a, err := client.Answer(t.Context(), spyhop.AnswerRequest{Question: q.question})
		if err != nil {
			t.Errorf("%s: %v", q.question, err)
			continue
		}
		sentences += a.Statements
		without += a.Unverified
		has := false
		for _, c := range a.Citations {
			has = has || strings.Contains(strings.Join(strings.Fields(c.Quote), " "), q.answer)
			if v, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: c.URL, Whole: true, MustContain: c.Quote}); err != nil || !strings.HasPrefix(v.Body(), "Yes") {
				t.Errorf("%s: the quotation %q is not on %s", q.question, c.Quote, c.URL)
			}
		}
		if has {
			found++
		} else {
			t.Logf("%s\n%s", q.question, a.Text)
		}
	}
	t.Logf("%d of %d questions, %d sentences, %d of them unverified", found, len(manualQuestions), sentences, without)
	if found < 25 || without > 0 || sentences < 5*len(manualQuestions)-15 {
		t.Errorf("%d of %d questions, %d sentences, %d of them unverified", found, len(manualQuestions), sentences, without)
	}
}

// selectors is a double of a model that writes selectors: those that a person would.
type selectors struct {
	asked atomic.Int64
	reply string
}

func (*selectors) Name() string { return "double/selectors" }

func (s *selectors) Ask(context.Context, llm.Request) (*llm.Reply, error) {
	s.asked.Add(1)
	return &llm.Reply{Text: s.reply, Stop: llm.StopEnd}, nil
}
