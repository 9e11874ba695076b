package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// A search can return the content of its results. A page that cannot be read says
// why, and a page that the policy blocks is not among the results.
func TestSearchContent(t *testing.T) {
	n := newInternet(t, spyhop.Config{SearchProvider: "brave", SearchKeys: map[string]string{"brave": "0123456789"}, Blocklist: []string{"ads.example.net"}}, map[string]http.HandlerFunc{
		"api.search.brave.com": serves("application/json", `{"grounding":{"generic":[{"title":"Ad","url":"https://ads.example.net/"},{"title":"Fog","url":"https://fog.example.com/"},
			{"title":"Gone","url":"https://gone.example.org/"},{"title":"Inside","url":"https://inside.example.org/"}]}}`),
		"fog.example.com":  serves("text/html", article("Fog", story(40))),
		"gone.example.org": http.NotFound,
		"inside.example.org": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
		},
	})
	a, err := n.client(t).Search(context.Background(), spyhop.SearchRequest{Text: "fog", IncludeContent: true, MaxTokens: 500})
	if err != nil || len(a.Results) != 3 {
		t.Fatalf("%v %+v", err, a)
	}
	fog, gone, inside := a.Results[0], a.Results[1], a.Results[2]
	if !strings.HasPrefix(fog.Content, "# Fog\n") || !fog.Truncated || len(fog.Content) > 2000 || len(fog.Content) < 1500 || strings.Contains(fog.Content, "<error>") || fog.Error != nil {
		t.Errorf("%+v", fog)
	}
	if gone.Error == nil || gone.Error.Type != tool.HTTPError || inside.Error == nil || inside.Error.Type != tool.Blocked || gone.Content != "" {
		t.Errorf("%v %v", gone.Error, inside.Error)
	}
}
