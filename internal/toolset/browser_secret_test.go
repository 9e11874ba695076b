package toolset_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestSecrets: a secret is typed at its own site and nowhere else, and nothing that a caller
// gets has it: not the page that prints what was typed, not an error, a log, a URL or a title.
func TestSecrets(t *testing.T) {
	const canary = `canary "5&7" horse`
	var posted string
	page := `<!doctype html><title>Sign in</title><form action=/in><label>Name <input name=n id=n></label> <label>Password <input type=password name=p id=p></label> <label>Plain <input name=q id=q></label><button>Sign in</button></form>
		<p id=o>-</p><select aria-label=One><option>one<option>two</select><script>for (const f of [p, q]) f.oninput = () => { o.textContent = 'typed ' + f.value + ' and ' + encodeURIComponent(f.value); document.title = 'T ' + f.value; console.log(f.value); fetch('/echo?x=' + encodeURIComponent(f.value)) }</script>`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/in" {
			posted = r.FormValue("p") + "|" + r.FormValue("q")
			fmt.Fprintf(w, "<!doctype html><title>In</title><p id=o>welcome %s", r.FormValue("q"))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	client, err := spyhop.New(spyhop.Config{AuditLog: audit, AllowScript: true, AllowPrivate: []string{"127.0.0.1" + port, "localhost" + port}, DataDir: t.TempDir(),
		SiteSecrets: []spyhop.SiteSecret{{Name: "shop", Value: canary, Sites: []string{"127.0.0.1"}}, {Name: "other", Value: "canary-other", Sites: []string{"other.example"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	var shown strings.Builder
	call := func(name, args string) (string, *tool.Error) {
		t.Helper()
		r, err := client.Call(t.Context(), name, json.RawMessage(args), tool.Options{Caller: "test", Given: true})
		data, bad := json.Marshal(r.Data)
		if bad != nil {
			t.Fatal(bad)
		}
		fmt.Fprintln(&shown, name, r.Text, string(data), r.Notices, err)
		e := tool.AsError(err)
		if e != nil && e.Type == tool.BrowserMissing {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		if e != nil {
			fmt.Fprintln(&shown, e.Hint, e.Cause)
		}
		return r.Text, e
	}
	must := func(name, args string) string {
		t.Helper()
		text, err := call(name, args)
		if err != nil {
			t.Fatalf("%s %s: %v", name, args, err)
		}
		return text
	}
	must("navigate_to_url", `{"url":"`+s.URL+`"}`)
	if text := must("browser_type", `{"ref":"textbox \"Plain\"","text":"${secret:shop}"}`); !strings.Contains(text, "typed ***") {
		t.Error(text)
	}
	must("browser_fill_form", `{"fields":[{"ref":"textbox \"Name\"","value":"ann"},{"ref":"textbox \"Password\"","value":"${secret:shop}"}]}`)
	for _, c := range []struct {
		args string
		kind tool.ErrorType
		want string
	}{
		{`{"ref":"textbox \"Name\"","text":"${secret:other}"}`, tool.Blocked, "is not for 127.0.0.1"},
		{`{"ref":"textbox \"Name\"","text":"${secret:none}"}`, tool.InvalidInput, "there is no secret"},
	} {
		if _, err := call("browser_type", c.args); err == nil || err.Type != c.kind || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	call("browser_select_option", `{"ref":"combobox \"One\"","values":["`+strings.ReplaceAll(canary, `"`, `\"`)+`"]}`)
	must("browser_snapshot", `{}`)
	must("browser_find", `{"text":"typed"}`)
	call("extract_page_content", `{}`) // whose error quotes the page
	must("browser_log", `{}`)
	must("browser_log", `{"what":"network"}`)
	must("browser_tabs", `{}`)
	must("browser_evaluate", `{"script":"document.title + q.value"}`)
	must("browser_evaluate", `{"script":"[q.value]"}`)
	must("browser_click", `{"ref":"button \"Sign in\""}`)
	must("browser_snapshot", `{}`)
	must("browser_log", `{"what":"network"}`)
	if posted != canary+"|"+canary {
		t.Errorf("the site got %q", posted)
	}
	log, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"canary", "5&7", "5%267", "horse"} {
		if all := shown.String() + string(log); strings.Contains(all, form) {
			i := strings.Index(all, form)
			t.Errorf("%q is shown: …%s…", form, all[max(0, i-200):min(len(all), i+100)])
		}
	}
	must("navigate_to_url", `{"url":"http://localhost`+port+`"}`)
	if _, err := call("browser_type", `{"ref":"textbox \"Plain\"","text":"x${secret:shop}"}`); err == nil || err.Type != tool.Blocked {
		t.Errorf("another site: %v", err)
	}
	if text := must("browser_snapshot", `{}`); strings.Contains(text, "typed") {
		t.Error("something was typed at another site:", text)
	}
}
