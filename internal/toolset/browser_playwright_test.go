package toolset_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestPlaywrightNames: names and arguments that models know from Playwright's
// tools do what they do there, and are shown nowhere.
func TestPlaywrightNames(t *testing.T) {
	client, url := browserClient(t, spyhop.Config{AllowScript: true})
	seen := "" // the last snapshot, which the refs are taken from
	named := regexp.MustCompile(`REF\((\w+)\)`)
	for _, step := range []struct{ name, args, want string }{
		{"browser_navigate", `{"url":"URL"}`, `title "Shop"`},
		{"browser_snapshot", `{"filename":"x.md"}`, "[Buy](b1)"},
		{"browser_click", `{"element":"the buy button","ref":"REF(Buy)","doubleClick":false}`, "bought 1"},
		{"browser_type", `{"element":"the amount","target":"REF(Amount)","text":"7","submit":false}`, "7"},
		{"browser_navigate", `{"url":"URL/controls"}`, "Controls"},
		{"browser_snapshot", `{}`, "Agree"},
		{"browser_fill_form", `{"fields":[{"name":"Agree","type":"checkbox","ref":"REF(Agree)","value":true},{"name":"Name","type":"textbox","ref":"REF(Name)","value":5},{"name":"Many","type":"combobox","ref":"REF(Many)","value":["b","c"]}]}`, "[Agree; checked]("},
		{"browser_fill_form", `{"fields":[{"ref":"REF(Agree)","value":"false"}]}`, "[Agree]("},
		{"browser_select_option", `{"element":"One","ref":"REF(One)","values":["two"]}`, "two"},
		{"browser_evaluate", `{"function":"() => [...many.selectedOptions].map(o => o.value).join() + ' ' + n.value"}`, `"b,c 5"`},
		{"browser_evaluate", `{"function":"async () => await new Promise(r => setTimeout(r, 1, 'later'))"}`, `"later"`},
		{"browser_evaluate", `{"function":"e => e.id","element":"the box","ref":"REF(Agree)"}`, `"agree"`},
		{"browser_console_messages", `{}`, "log: said"},
		{"browser_console_messages", `{"level":"error"}`, "the last 1 of 1 line"},
		{"browser_network_requests", `{"static":true}`, "200 document GET URL/controls"},
		{"browser_log", `{"request":1}`, "request #1; tab t1; context c1"},
		{"browser_log", `{"request":0}`, "request 0 is not kept"},
		{"browser_find", `{"ref":"checkbox \"Agree\""}`, `"checkbox \"Agree\"" is visible, in the window`},
		{"browser_navigate_back", `{}`, `title "Shop"`},
		{"browser_navigate_forward", `{}`, `title "Controls"`},
		{"browser_tab_new", `{"url":"URL/account"}`, "* t2 "},
		{"browser_tab_list", `{}`, "* t2 "},
		{"browser_tabs", `{"action":"select","index":0}`, "* t1 "},
		{"browser_tab_close", `{"index":1}`, "* t1 "},
		{"browser_tabs", `{"action":"select","index":7}`, "there is no tab with index 7: the last one has 0"},
		{"browser_take_screenshot", `{"fullPage":true,"type":"jpeg","filename":"shop.jpg"}`, "filename is not used: the file is "},
		{"browser_snapshot", `{}`, "Ask"},
		{"browser_click", `{"element":"Ask","ref":"REF(Ask)"}`, "answer with browser_dialog"},
		{"browser_handle_dialog", `{"accept":true,"promptText":"fine"}`, "answered fine"},
		{"browser_pdf_save", `{"filename":"a.pdf"}`, "pdf_path"},
		{"browser_file_upload", `{"paths":["/etc/passwd"]}`, "uploads"},
		{"browser_close", `{}`, "the browser is closed"},
	} {
		args := named.ReplaceAllStringFunc(step.args, func(name string) string { return refOf(seen, named.FindStringSubmatch(name)[1]) })
		r, err := client.Call(t.Context(), step.name, json.RawMessage(strings.ReplaceAll(args, "URL", url)), tool.Options{Given: true})
		got := r.Text
		if step.name == "browser_snapshot" {
			seen = got
		}
		var te *tool.Error
		if errors.As(err, &te) {
			if te.Type == tool.BrowserMissing {
				t.Skip("no browser on this machine: scripts/setup installs one")
			}
			got = te.Text()
		}
		if !strings.Contains(got, strings.ReplaceAll(step.want, "URL", url)) {
			t.Errorf("%s %s: %s\nwant %s", step.name, step.args, got, step.want)
		}
	}
	listed, err := tool.JSON(client.Catalog().List())
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"browser_navigate", "browser_close", "browser_take_screenshot", "browser_console_messages", "browser_tab_list", `"element"`, "fullPage", "filename", "startElement"} {
		if strings.Contains(string(listed), word) {
			t.Errorf("%s is listed", word)
		}
	}
	for _, wrong := range []string{"browser_clik", "browser_typ", "click", "press_key", "browser_fill", "browser_run_code", "evaluate"} {
		_, e := client.Catalog().Find(wrong)
		for _, d := range client.Catalog().List() {
			if e == nil || d.Permission == tool.Interactive && strings.Contains(e.Hint, d.Name) {
				t.Errorf("%s is answered with %v, which names %s", wrong, e.Hint, d.Name)
			}
		}
	}
}

// refOf is the ref of what has a name in a snapshot.
func refOf(snapshot, name string) string {
	m := regexp.MustCompile(`\[` + name + `\b[^\]]*\]\((\w+)\)`).FindStringSubmatch(snapshot)
	if m == nil {
		return "none"
	}
	return m[1]
}
