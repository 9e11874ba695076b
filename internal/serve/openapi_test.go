package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

var update = flag.Bool("update", false, "rewrite goldens")

// TestOpenAPI is the description of the fixture's tools, to be read. That of the
// product passes "redocly lint" (@redocly/cli 2.77) and the schema of OpenAPI 3.1
// (@seriousme/openapi-schema-validator 2.11) without a warning.
func TestOpenAPI(t *testing.T) {
	w := do(newServer(t, Options{Version: "1.2.3", Tools: []string{"echo_text", "gate"}}), "GET", "/openapi.json", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	var got bytes.Buffer
	if err := json.Indent(&got, w.Body.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/openapi.json"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(want, got.Bytes()) {
		t.Errorf("not %s (%v); go test -update writes it:\n%s", golden, err, got.Bytes())
	}
}

// TestOpenAPIHolds: every path that answers is described and no other, every
// operation has its own name, and every reference leads somewhere.
func TestOpenAPIHolds(t *testing.T) {
	f := newTestTools(t)
	files, file := t.TempDir(), "a-"+principal.Caller{Name: "default"}.Mark()+".png"
	if err := os.WriteFile(filepath.Join(files, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, Options{Catalog: f.Catalog, Tokens: tokensOf(t, "sesame"), Tools: []string{"echo_text", "fail", "crash"}, Files: files})
	w := do(s, "GET", "/openapi.json", "", "Authorization", "Bearer sesame")
	var d map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{readPath + "{address}": true}
	for _, r := range s.routes() {
		switch r.path {
		case "/{$}", "/docs/{name}": // for people
		case "/v1/tools/{name}":
			for _, tool := range s.tools {
				want["/v1/tools/"+tool.Name] = true
			}
		default:
			want[r.path] = true
		}
	}
	paths := d["paths"].(map[string]any)
	if got := slices.Sorted(maps.Keys(paths)); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
		t.Errorf("paths %q, want %q", got, slices.Sorted(maps.Keys(want)))
	}
	ids := map[string]bool{}
	for path, item := range paths {
		for method, operation := range item.(map[string]any) {
			id, _ := operation.(map[string]any)["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: the name %q is empty or used twice", method, path, id)
			}
			ids[id] = true
			if w := do(s, strings.ToUpper(method), strings.Replace(path, "{id}", file, 1), "", "Authorization", "Bearer sesame"); w.Code == 404 || w.Code == 405 {
				t.Errorf("%s %s: %d", method, path, w.Code)
			}
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				ref, ok := e.(string)
				if k != "$ref" || !ok {
					walk(e)
					continue
				}
				at := any(d)
				for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
					m, _ := at.(map[string]any)
					at = m[name]
				}
				if at == nil {
					t.Errorf("%s leads nowhere", ref)
				}
			}
		}
	}
	walk(d)
	if security, _ := json.Marshal(d["security"]); string(security) != `[{"token":[]}]` {
		t.Errorf("with a token: security %s", security)
	}
}

// TestSecurityFollowsTokens: the description says whether a token is asked for now.
func TestSecurityFollowsTokens(t *testing.T) {
	s := newServer(t, Options{})
	for i, c := range []struct {
		tokens *principal.Tokens
		header []string
		want   string
	}{
		{nil, nil, `"security":[{"token":[]},{}]`},
		{tokensOf(t, "ann=a0"), []string{"Authorization", "Bearer a0"}, `"security":[{"token":[]}]`},
		{nil, nil, `"security":[{"token":[]},{}]`},
	} {
		s.SetTokens(c.tokens)
		w := do(s, "GET", "/openapi.json", "", c.header...)
		if again := do(s, "GET", "/openapi.json", "", c.header...); !strings.Contains(w.Body.String(), c.want) || again.Body.String() != w.Body.String() {
			t.Errorf("%d: %d, not %s", i, w.Code, c.want)
		}
	}
}
