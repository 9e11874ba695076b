// A program of another module, written from go doc only.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

type model struct{ page string } // reads one page, then answers

func (model) Name() string { return "example/model" }

func (m model) Ask(_ context.Context, q llm.Request) (*llm.Reply, error) {
	if len(q.Messages) == 1 {
		return &llm.Reply{Calls: []llm.Call{{ID: "1", Name: "web_fetch", Args: fmt.Sprintf(`{"url":%q}`, m.page)}}}, nil
	}
	return &llm.Reply{Text: `Boats "wait for the fog to lift" [1].`}, nil
}

func shout(_ context.Context, c tool.Call) (tool.Result, error) {
	return tool.Result{Text: strings.ToUpper(c.Args.String("text"))}, nil
}

func main() {
	ctx := context.Background()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>Fog</title><main><h1>Fog</h1><p>In thick weather the boats of the bay wait for the fog to lift, and nobody minds much.</p></main>")
	}))
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}, LanguageModel: model{site.URL}})
	fail(err)
	defer client.Close()
	page, err := client.Fetch(ctx, spyhop.FetchRequest{URL: site.URL, Mode: spyhop.ModeText, MaxLength: spyhop.NoLimit})
	fail(err)
	fmt.Println(page.Title, page.Verdict, page.Metadata.Status)
	fail(client.Register(tool.Declaration{Name: "shout", Title: "Shout", Description: "Say it louder.", Level: tool.Read,
		Input: tool.Object(tool.String("text", "what to say").Require()), Handler: shout}))
	said, err := client.Call(ctx, "shout", []byte(`{"text":"ahoy"}`), spyhop.CallOptions{})
	fail(err)
	answer, err := client.Answer(ctx, spyhop.AnswerRequest{Question: "What do boats do in fog?", Depth: spyhop.DepthDeep, Budget: spyhop.Budget{Calls: 3}})
	fail(err)
	fmt.Println(said.Text, answer.Text, answer.Unverified == 0, answer.Citations[0].Title)
	_, err = client.Fetch(ctx, spyhop.FetchRequest{URL: "http://169.254.169.254/"})
	fmt.Println(err.(*spyhop.Error).Type == tool.Blocked)
}

func fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
