package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

// Two causes of published holes are about what a caller may say. The others
// have their tests in internal/egress.

// TestCauseC11CallerSetsTheWay: no argument of a tool names a proxy, a service
// or a flag, and no header of a call leads elsewhere.
func TestCauseC11CallerSetsTheWay(t *testing.T) {
	for tool, names := range arguments(t) {
		for _, name := range names {
			for _, part := range []string{"proxy", "base_url", "endpoint", "flags", "extra_args", "browser_args", "host", "resolver", "dns", "user_agent", "cookies", "api_key"} {
				if strings.Contains(name, part) {
					t.Errorf("%s takes %s", tool, name)
				}
			}
		}
	}
	inner := 0
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inner++ }))
	defer srv.Close()
	client, url := site(t, spyhop.Config{HeadersAllowed: []string{"X-Forwarded-Host", "Host", "Proxy-Authorization", "X-Atlassian-Jira-Url"}})
	args, _ := json.Marshal(map[string]any{
		"url": url + "/headers", "proxy": srv.URL, "proxy_config": srv.URL, "base_url": srv.URL,
		"headers": map[string]string{"Host": srv.Listener.Addr().String(), "X-Forwarded-Host": srv.URL, "X-Atlassian-Jira-Url": srv.URL},
	})
	_, _ = client.Call(t.Context(), "web_fetch", args, spyhop.CallOptions{})
	if inner != 0 {
		t.Error("a call was led to another server")
	}
}

// TestCauseC13CodeByRequest: no argument of a tool is run, written to a path or
// given to a program.
func TestCauseC13CodeByRequest(t *testing.T) {
	for tool, names := range arguments(t) {
		if tool == "browser_evaluate" {
			continue // off, unless the operator says otherwise
		}
		for _, name := range names {
			if tool == "browser_upload_file" && name == "paths" {
				continue // read, and only inside of the operator's folder
			}
			if tool == "browser_mouse" && name == "path" {
				continue // points on the screen
			}
			for _, part := range []string{"hook", "script", "code", "eval", "command", "output", "path", "file", "strategy", "template"} {
				if strings.Contains(name, part) {
					t.Errorf("%s takes %s", tool, name)
				}
			}
		}
	}
}

// arguments returns the names of the arguments of each tool.
func arguments(t *testing.T) map[string][]string {
	t.Helper()
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	all := map[string][]string{}
	for _, d := range client.Catalog().List() {
		raw, err := json.Marshal(d.Input)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		for name := range schema.Properties {
			all[d.Name] = append(all[d.Name], name)
		}
	}
	if !slices.Contains(all["web_fetch"], "url") {
		t.Fatalf("the arguments of web_fetch are %q", all["web_fetch"])
	}
	return all
}
