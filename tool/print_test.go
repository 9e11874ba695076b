package tool

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPrint compares every printed form of the sample catalog with its golden.
func TestPrint(t *testing.T) {
	tools := sample(t).List()
	must := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, got := range map[string][]byte{
		"prompt.txt":     []byte(Prompt(tools)),
		"document.md":    []byte(Markdown(tools)),
		"tree.txt":       []byte(Tree(tools)),
		"json.json":      must(JSON(tools)),
		"openai.json":    must(OpenAI(tools)),
		"anthropic.json": must(Anthropic(tools)),
	} {
		file := filepath.Join("testdata", name)
		if filepath.Ext(name) == ".json" && !json.Valid(got) {
			t.Errorf("%s is not JSON", name)
		}
		if *update {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; run with -update and look at the change:\n%s", name, got)
		}
	}
}

// TestPromptLine holds the forms that SPEC section 7 writes out.
func TestPromptLine(t *testing.T) {
	for name, want := range map[string]string{
		"web_browse":    "- web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str",
		"google_search": "- google_search: Find pages. | args=(query: str, num_results: int = 10) -> dict | LEVEL 1 | browser_tool",
		"close_browser": "- close_browser: Close the browser. | args=() | LEVEL 4 | browser_tool",
		"web_fetch": "- web_fetch: Read a page. | args=(url: str | None = None, urls: list[str] | None = None, " +
			`mode: str = "markdown", max_length: int | None = None, start_index: int = 0, headers: dict | None = None, images: bool = False) -> dict`,
	} {
		d, _ := sample(t).Lookup(name)
		if got := d.PromptLine(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestSchemaHasNoTypeLists: some clients do not read them.
func TestSchemaHasNoTypeLists(t *testing.T) {
	data, err := JSON(sample(t).List())
	if err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if _, list := v["type"].([]any); list {
				t.Errorf("a list of types: %v", v)
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	var all any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	walk(all)
}
