package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestExtracts: the rows of an extract come in parts, and stay when it fails or ends.
func TestExtracts(t *testing.T) {
	c := tool.NewCatalog()
	if err := c.Register(tool.Declaration{Name: "web_fetch", Description: "Reads.", Level: tool.Read, Handler: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }}); err != nil {
		t.Fatal(err)
	}
	var asked result.DataRequest
	s := newServer(t, Options{Catalog: c, Data: func(ctx context.Context, q result.DataRequest, each func(result.DataRow) error) (*result.DataSummary, error) {
		if q.MaxPages == 1500 {
			asked = q
		}
		for i := range q.MaxPages {
			if err := each(result.DataRow{URL: fmt.Sprint("https://example.com/", i), Data: json.RawMessage(`{"n":1}`)}); err != nil {
				return &result.DataSummary{}, err
			}
		}
		if q.Crawl {
			return &result.DataSummary{}, tool.NewError(tool.ConnectionError, "the site is gone", "try again")
		}
		if q.Prompt == "wait" {
			<-ctx.Done()
			return &result.DataSummary{}, ctx.Err()
		}
		return &result.DataSummary{Rows: q.MaxPages}, nil
	}})
	begin := func(body string) string {
		t.Helper()
		w := do(s, "POST", extractsPath, body)
		var out struct{ URL string }
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusAccepted {
			t.Fatal(w.Code, w.Body)
		}
		return out.URL
	}
	type state struct {
		State, Next string
		Rows        []result.DataRow
		Summary     *result.DataSummary
		Error       *tool.Error
	}
	get := func(method, path string) (out state) {
		t.Helper()
		if w := do(s, method, path, ""); json.Unmarshal(w.Body.Bytes(), &out) != nil || w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		return out
	}
	waiting := begin(`{"urls":["a"],"schema":{},"prompt":"wait"}`)
	if got := get("DELETE", waiting); got.State != "cancelled" {
		t.Errorf("%+v", got)
	}
	long := begin(`{"urls":["example.com/*"],"schema":{"type":"object"},"max_pages":1500}`)
	s.running.Wait()
	first := get("GET", long)
	second := get("GET", first.Next)
	if first.State != "completed" || len(first.Rows) != 1000 || len(second.Rows) != 500 || second.Next != "" || first.Summary.Rows != 1500 || second.Rows[0].URL != "https://example.com/1000" {
		t.Errorf("%s %d %d %q", first.State, len(first.Rows), len(second.Rows), second.Next)
	}
	if string(asked.Schema) != `{"type":"object"}` || asked.URLs[0] != "example.com/*" {
		t.Errorf("%+v", asked)
	}
	failed := begin(`{"urls":["a"],"schema":{},"crawl":true,"max_pages":2}`)
	s.running.Wait()
	if got := get("GET", failed); got.State != "failed" || len(got.Rows) != 2 || got.Error == nil || got.Error.Type != tool.ConnectionError {
		t.Errorf("%+v", got)
	}
	for body, status := range map[string]int{`{}`: 400, `{"urls":["a"]}`: 400, `{"urls":["a"],"schema":{},"max_pages":0}`: 202, `[]`: 400} {
		if w := do(s, "POST", extractsPath, body); w.Code != status {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for path, status := range map[string]int{long + "?cursor=-1": 400, long + "?cursor=99999": 200, extractsPath + "/nothing": 404} {
		if w := do(s, "GET", path, ""); w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := do(s, "GET", "/openapi.json", ""); !strings.Contains(w.Body.String(), extractsPath+"/{id}") {
		t.Error("the paths are not described")
	}
	s.running.Wait()
}
