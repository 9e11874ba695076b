package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestTasks: a run in the background belongs to its caller, is bounded, says how it
// ended, and ends with its cancellation and with the server.
func TestTasks(t *testing.T) {
	c := tool.NewCatalog()
	open := make(chan struct{})
	asked := ""
	err := c.Register(tool.Declaration{Name: "web_answer", Description: "Answers.", Level: tool.Read, NeedsModel: true,
		Input: tool.Object(tool.String("question", "").Require(), tool.String("depth", ""), tool.Map("schema", ""), tool.Array("urls", "", tool.Text()), tool.Array("domains", "", tool.Text())),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			switch q := c.Args.String("question"); q {
			case "Earlier question: x\nIts answer: Yes  quick\n\ny":
				asked = q
			case "wait":
				select {
				case <-open:
				case <-ctx.Done():
					return tool.Result{}, ctx.Err()
				}
			case "fail":
				return tool.Result{}, tool.NewError(tool.NoContent, "nothing is there", "look elsewhere")
			case "crash":
				panic("at the disco")
			}
			return tool.Result{Data: &result.Answer{Text: "Yes " + strings.Join(c.Args.Strings("domains"), " ") + " " + c.Args.String("depth")}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	c.HasModel(true)
	var told []string
	tell := func(_ context.Context, url, id string, body any) (string, error) {
		if body == nil {
			return "secret of " + url, nil
		}
		raw, err := json.Marshal(body)
		told = append(told, string(raw))
		return "", err
	}
	s := newServer(t, Options{Catalog: c, Tell: tell})
	state := func(path string) map[string]any {
		t.Helper()
		w := do(s, "GET", path, "")
		var out map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	begin := func(path, body string) string {
		t.Helper()
		w := do(s, "POST", path, body)
		var out struct{ ID string }
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		return path + "/" + out.ID
	}
	waiting := begin("/v2/agent", `{"prompt":"wait"}`)
	if got := state(waiting); got["status"] != "processing" || got["data"] != nil {
		t.Errorf("%v", got)
	}
	cancelled := begin("/v2/agent", `{"prompt":"wait"}`)
	if w := do(s, "DELETE", cancelled, ""); w.Code != 200 || state(cancelled)["status"] != "cancelled" {
		t.Errorf("%d %v", w.Code, state(cancelled))
	}
	close(open)
	others := map[string]string{
		begin("/v2/agent", `{"prompt":"fail"}`):                                                                      "nothing is there",
		begin("/v2/agent", `{"prompt":"crash"}`):                                                                     "internal error",
		begin("/v2/agent", `{"prompt":"x","urls":["https://example.com/a"],"strictConstrainToURLs":true}`):           "Yes example.com deep",
		begin("/v2/agent", `{"prompt":"x","effort":"low"}`):                                                          "Yes  quick",
		begin("/v2/extract", `{"urls":["https://example.com/a"],"schema":{"type":"object"},"enableWebSearch":true}`): "Yes  deep",
	}
	s.running.Wait()
	talk := begin("/v2/agent", `{"prompt":"x","mode":"chat","effort":"low","webhook":{"url":"https://a.example/","metadata":{"a":"b"}}}`)
	s.running.Wait()
	thread := state(talk)["threadId"].(string)
	on := begin("/v2/agent", `{"prompt":"y","mode":"chat","threadId":"`+thread+`","webhook":{"url":"https://a.example/","events":["failed"]}}`)
	others[talk], others[on] = `"message":"Yes  quick"`, `"threadTurn":2`
	s.running.Wait()
	if len(told) != 2 || !strings.Contains(told[0], `"type":"agent.started"`) || !strings.Contains(told[1], `"message":"Yes  quick"}],"id":"`+thread+`","metadata":{"a":"b"},"success":true`) || !strings.Contains(told[1], `"type":"agent.completed"`) {
		t.Errorf("%q", told)
	}
	if asked == "" {
		t.Error("a run does not know the earlier one")
	}
	for path, want := range others {
		if got, err := json.Marshal(state(path)); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, want %q", path, got, want)
		}
	}
	if got := state(waiting); got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	silent := newServer(t, Options{Catalog: c})
	for body, want := range map[string]string{`{"prompt":"x","strictConstrainToURLs":true}`: "needs urls", `{"prompt":"x","threadId":"1"}`: "is not known", `{"prompt":"x","mode":"talk"}`: "mode", `{"prompt":"x","exchange":{}}`: "exchange", `{}`: "prompt", `{"prompt":"x","webhook":"https://a.example/"}`: "sends no webhooks"} {
		if w := do(silent, "POST", "/v2/agent", body); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if w := do(s, "POST", "/v2/extract", `{"prompt":"x"}`); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "/v2/agent") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(s, "GET", "/v2/extract/"+strings.TrimPrefix(waiting, "/v2/agent/"), ""); w.Code != http.StatusNotFound {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for range mostOwned {
		do(s, "POST", "/v2/agent", `{"prompt":"x"}`)
	}
	if w := do(s, "POST", "/v2/agent", `{"prompt":"x"}`); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.running.Wait()
}
