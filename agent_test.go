package spyhop_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

// parrot is a language model of a program's own: it reads one page, and says
// what stands there.
type parrot struct{ page string }

func (parrot) Name() string { return "parrot" }

func (p parrot) Ask(_ context.Context, q spyhop.ModelRequest) (*spyhop.ModelReply, error) {
	if len(q.Messages) == 1 {
		return &spyhop.ModelReply{Calls: []spyhop.ModelCall{{ID: "1", Name: "web_fetch", Args: `{"url":"` + p.page + `"}`}}}, nil
	}
	return &spyhop.ModelReply{Text: `Boats "wait for the fog to lift" [1].`}, nil
}

func ExampleClient_Agent() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<title>Fog</title><main><h1>Fog</h1><p>In thick weather the boats of the bay wait for the fog to lift, and nobody minds much.</p></main>")
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{
		AllowPrivate:  []string{strings.TrimPrefix(srv.URL, "http://")},
		LanguageModel: parrot{srv.URL}, // or Model: "ollama/qwen3"
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	agent, err := client.Agent(spyhop.AgentOptions{MaxSteps: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := agent.Ask(context.Background(), "What do boats do in fog?")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Text)
	fmt.Println(len(answer.Citations), answer.Quotes[0].Verified)
	// Output:
	// Boats "wait for the fog to lift" [1].
	// 1 true
}

// TestModelConfig: a model that cannot be used is refused at the start, and one
// on a private host opens no way there for pages.
func TestModelConfig(t *testing.T) {
	for _, c := range []struct{ model, url, bad string }{
		{"ollama/qwen3", "", ""},
		{"ollama/qwen3", "http://10.0.0.7:11434", ""},
		{"qwen3", "", "provider/name"},
		{"mine/qwen3", "", "WEB_MODEL_URL"},
		{"mine/qwen3", "http://user:secret@10.0.0.7/", "without user name"},
		{"mine/qwen3", "::", "ModelURL"},
	} {
		client, err := spyhop.New(spyhop.Config{Model: c.model, ModelURL: c.url})
		var e *spyhop.Error
		if c.bad != "" {
			if !errors.As(err, &e) || e.Type != "InvalidInput" || !strings.Contains(e.Message, c.bad) || strings.Contains(e.Message, "secret") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if _, d := client.Check(t.Context(), "http://10.0.0.7:11434/"); d.Allowed {
			t.Error("the endpoint can be read as a page")
		}
		client.Close()
	}
}
