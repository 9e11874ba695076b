package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// selecting is a model that writes selectors: wrong ones first, then these.
type selecting struct {
	calls atomic.Int32
	right string
	seen  atomic.Value
}

func (*selecting) Name() string { return "double/selecting" }

func (m *selecting) Ask(_ context.Context, q llm.Request) (*llm.Reply, error) {
	m.seen.Store(q.Messages[0].Text)
	if m.calls.Add(1) == 1 {
		return &llm.Reply{Text: `{"/properties/name":"h9","/properties/price":"h9"}`, Stop: llm.StopEnd}, nil
	}
	if q.Schema != nil {
		return &llm.Reply{Text: m.right, Stop: llm.StopEnd}, nil
	}
	return &llm.Reply{Text: "Here:\n```json\n" + m.right + "\n```", Stop: llm.StopEnd}, nil
}

const productSchema = `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"stock":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},
	"reviews":{"type":"array","items":{"type":"object","properties":{"by":{"type":"string"},"stars":{"type":"integer"}}}},"warranty":{"type":"string"}},"required":["name","warranty"]}`

const productSelectors = `{"/properties/name":"h1.title","/properties/price":"[itemprop=price]@content","/properties/stock":".stock b","/properties/tags":"ul.tags li",
	"/properties/reviews":"div.review","/properties/reviews/items/properties/by":".by","/properties/reviews/items/properties/stars":"@data-stars","/properties/warranty":null}`

// TestData: selectors that a model has written once, from two pages, read the other pages
// of the site without a model; a site that has changed is noticed.
func TestData(t *testing.T) {
	const pages = 60
	var changed atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		switch _, err := fmt.Sscanf(r.URL.Path, "/shop/%d", &n); {
		case r.URL.Path == "/sitemap.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for i := range pages {
				fmt.Fprintf(w, `<url><loc>http://%s/shop/%d</loc></url><url><loc>http://%s/news/%d</loc></url>`, r.Host, i+1, r.Host, i+1)
			}
			fmt.Fprint(w, `</urlset>`)
		case r.URL.Path == "/shop/":
			fmt.Fprint(w, `<title>Shop</title><main><h1>Shop</h1><p>All lamps of the harbour are sold here, each with a history of its own and a light that does not go out.</p><a href="/shop/1">1</a></main>`)
		case err != nil || n > pages:
			http.NotFound(w, r)
		case changed.Load():
			fmt.Fprintf(w, `<title>Lamp %d</title><main><h1 class="title">Lamp %d</h1><p>A lamp of brass for the harbour of the north, made by hand.</p><span class="cost">%d.50</span></main>`, n, n, n)
		default:
			fmt.Fprintf(w, `<title>Lamp %d</title><script>var x = "never shown"</script><main><h1 class="title">Lamp %d</h1><p>A lamp of brass for the harbour of the north, made by hand.</p><span itemprop="price" content="%d.50">%d.50 EUR</span>
				<p class="stock">Still <b>%d</b> left</p><ul class="tags"><li>brass</li><li>tag%d</li></ul><div class="review" data-stars="%d"><span class="by">Ann %d</span></div></main>`, n, n, n, n, n*3, n, n%5+1, n)
		}
	}))
	defer site.Close()
	model := &selecting{right: productSelectors}
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}, LanguageModel: model, HostRate: -1, CacheTTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	learned, notices, err := client.LearnSchema(t.Context(), []string{site.URL + "/shop/1", site.URL + "/shop/2"}, json.RawMessage(productSchema), "")
	if err != nil || model.calls.Load() != 2 || len(notices) != 1 || !strings.Contains(notices[0], "/properties/warranty") {
		t.Fatalf("%v after %d calls: %q\n%s", err, model.calls.Load(), notices, learned)
	}
	if seen := model.seen.Load().(string); strings.Contains(seen, "never shown") || !strings.Contains(seen, `itemprop="price"`) || !strings.Contains(seen, "<<<page ") {
		t.Errorf("the model was shown\n%s", seen)
	}
	var l struct {
		Required []string
		Learned  struct{ Filled []string } `json:"x-learned"`
	}
	if err := json.Unmarshal(learned, &l); err != nil || !slices.Equal(l.Required, []string{"name"}) ||
		!slices.Equal(l.Learned.Filled, []string{"/name", "/price", "/reviews", "/reviews/*/by", "/reviews/*/stars", "/stock", "/tags", "/tags/*"}) {
		t.Errorf("%v\n%s", err, learned)
	}
	run := func(q spyhop.DataRequest) ([]spyhop.DataRow, *result.DataSummary) {
		t.Helper()
		var rows []spyhop.DataRow
		q.Schema = learned
		sum, err := client.Data(t.Context(), q, func(r spyhop.DataRow) error { rows = append(rows, r); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return rows, sum
	}
	rows, sum := run(spyhop.DataRequest{URLs: []string{site.URL + "/shop/*"}})
	if len(rows) != pages && len(rows) != pages+1 || sum.Changed != nil || model.calls.Load() != 2 {
		t.Errorf("%d rows, %+v, %d calls", len(rows), sum, model.calls.Load())
	}
	for _, r := range rows {
		var n int
		if _, err := fmt.Sscanf(r.URL[strings.LastIndex(r.URL, "/"):], "/%d", &n); err != nil {
			continue // the start
		}
		want := fmt.Sprintf(`{"name":"Lamp %d","price":%d.50,"reviews":[{"by":"Ann %d","stars":%d}],"stock":%d,"tags":["brass","tag%d"]}`, n, n, n, n%5+1, n*3, n)
		var got, wanted any
		if json.Unmarshal(r.Data, &got) != nil || json.Unmarshal([]byte(want), &wanted) != nil || fmt.Sprint(got) != fmt.Sprint(wanted) || r.Missing != nil {
			t.Errorf("%s: %s %v, want %s", r.URL, r.Data, r.Error, want)
		}
	}
	changed.Store(true)
	_, sum = run(spyhop.DataRequest{URLs: []string{site.URL + "/shop/*"}, MaxPages: 5})
	if len(sum.Changed) != 1 || len(sum.Notices) != 2 || !strings.Contains(strings.Join(sum.Notices, " "), "/price") || strings.Contains(strings.Join(sum.Notices, " "), "/name") {
		t.Errorf("%+v", sum)
	}
	rows, sum = run(spyhop.DataRequest{URLs: []string{site.URL + "/shop/1", site.URL + "/shop/99", "http://169.254.169.254/"}})
	if len(rows) != 3 || sum.Failed != 2 || sum.Rows != 1 {
		t.Errorf("%+v %+v", rows, sum)
	}
	stop := errors.New("stop")
	if _, err := client.Data(t.Context(), spyhop.DataRequest{URLs: []string{site.URL + "/shop/1", site.URL + "/shop/2"}, Schema: learned}, func(spyhop.DataRow) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	for name, q := range map[string]spyhop.DataRequest{
		"no page": {Schema: learned}, "no schema": {URLs: []string{"x"}}, "bad": {URLs: []string{"x"}, Schema: json.RawMessage(`{"type":"x"}`)},
		"some": {URLs: []string{"x"}, Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","x-selector":"h1"},"b":{"type":"string"}}}`)},
	} {
		var e *spyhop.Error
		if _, err := client.Data(t.Context(), q, nil); !errors.As(err, &e) || e.Type != tool.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Without selectors, the model reads each page, and each value has its evidence.
	model.right = `{"name":"Lamp 1"}`
	byModel, err := client.Data(t.Context(), spyhop.DataRequest{URLs: []string{site.URL + "/shop/1"}, Schema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}, func(r spyhop.DataRow) error {
		if string(r.Data) != `{"name":"Lamp 1"}` || len(r.Evidence) != 1 || r.Evidence[0].Confidence != "quoted" || r.Version == "" {
			t.Errorf("%+v %v", r, r.Error)
		}
		return nil
	})
	if err != nil || byModel.Usage.Turns != 1 {
		t.Errorf("%v %+v", err, byModel)
	}
}
