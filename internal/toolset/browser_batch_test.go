package toolset_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestBrowserBatch: several steps are one call, whose answer has what changed at the end; the
// first failure stops it, and its error has what was done before.
func TestBrowserBatch(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{})
	call := func(args string) (string, *tool.Error) {
		t.Helper()
		r, err := client.Call(t.Context(), "browser_batch", json.RawMessage(strings.ReplaceAll(args, "URL", url)), tool.Options{Caller: "test", Given: true})
		e := tool.AsError(err)
		if e != nil && e.Type == tool.BrowserMissing {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		return r.Text, e
	}
	type want struct{ name, args, text, message, hint string }
	for _, w := range []want{
		{"a new page", `{"steps":[{"tool":"navigate_to_url","args":{"url":"URL/controls"}},{"tool":"browser_type","args":{"ref":"textbox \"Name\"","text":"Ann"}}]}`, "2 steps done\n<untrusted", "", ""},
		{"a form", `{"steps":[{"tool":"browser_click","args":{"ref":"checkbox \"Agree\""}},{"tool":"browser_type","args":{"ref":"textbox \"Name\"","text":"Bea"}},{"tool":"browser_select_option","args":{"ref":"One","values":["two"]}}]}`, "", "step 3 of 3 (browser_select_option): ", "steps 1 to 2 were done; what they changed:\n<untrusted"},
		{"a look", `{"steps":[{"tool":"browser_type","args":{"ref":"textbox \"Name\"","text":"Cleo"}},{"tool":"browser_find","args":{"text":"Agree"}}]}`, "Step 2, browser_find:", "", ""},
		{"no tool", `{"steps":[{"tool":"browser_click","args":{"ref":"x1"}},{"tool":"browser_jump"}]}`, "", "step 2 of the batch: ", ""},
		{"another tool", `{"steps":[{"tool":"web_fetch","args":{"url":"URL"}}]}`, "", "web_fetch cannot be a step", ""},
		{"itself", `{"steps":[{"tool":"browser_batch","args":{"steps":[]}}]}`, "", "browser_batch cannot be a step", ""},
		{"none", `{"steps":[]}`, "", "the batch has 0 steps", ""},
		{"a thousand", `{"steps":[` + strings.TrimSuffix(strings.Repeat(`{"tool":"browser_press_key","args":{"key":"a"}},`, 1000), ",") + `]}`, "", "the batch has 1000 steps; it takes 1 to 50", ""},
	} {
		text, e := call(w.args)
		switch {
		case w.message == "" && (e != nil || !strings.Contains(text, w.text)):
			t.Errorf("%s: %v %s", w.name, e, text)
		case w.message != "" && (e == nil || !strings.Contains(e.Message, w.message) || !strings.Contains(e.Hint, w.hint)):
			t.Errorf("%s: %q %+v", w.name, text, e)
		}
	}
	text, e := call(`{"steps":[{"tool":"browser_type","args":{"ref":"textbox \"Name\"","text":"Dot"}},{"tool":"browser_click","args":{"ref":"checkbox \"Agree\""}}]}`)
	if e != nil || strings.Count(text, "<untrusted") != 1 || !strings.Contains(text, "Name=Dot") {
		t.Error(fmt.Sprint(e), text)
	}
}
