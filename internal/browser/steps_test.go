package browser_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// TestScript: what was done is a Playwright test with locators by role and name, in which neither
// a password nor a secret stands; a trace has a picture for each step.
func TestScript(t *testing.T) {
	t.Parallel()
	sites, err := weburl.ParseHostList([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := browser.NewSecrets([]browser.Secret{{Name: "api-key", Value: "canary-key", Sites: sites}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir, o.Secrets = t.TempDir(), secrets })
	url := site(t, map[string]string{"/": `<!doctype html><title>Form</title><label>Name <input name=n></label> <label>Password <input type=password></label> <label>Key <input name=k></label>
		<label><input type=checkbox> I agree</label> <select aria-label=Port><option>Riga<option>Turku</select> <button>Send</button><button>Send</button> <a href="#x">More</a><iframe srcdoc="<button>Inside</button>"></iframe>`})
	ctx, at := t.Context(), browser.Place{}
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.Navigate(ctx, at, browser.Navigation{URL: url + "/"}))
	began, err := b.Trace(ctx, at)
	if err != nil || began.Path != "" {
		t.Fatalf("%+v %v", began, err)
	}
	must(b.Type(ctx, at, browser.Typing{Ref: `textbox "Name"`, Text: `Ann "A" O'Hara`}))
	must(b.FillForm(ctx, at, []browser.Field{{Ref: `textbox "Password"`, Value: "canary-word"}, {Ref: `textbox "Key"`, Value: "k-${secret:api-key}"}, {Ref: `checkbox "I agree"`, Value: "true"}, {Ref: `combobox "Port"`, Value: "Turku"}}))
	must(b.Click(ctx, at, browser.Pointer{Ref: `button "Send"#2`, Modifiers: []string{"Shift"}}))
	must(b.PressKey(ctx, at, "Escape", ""))
	must(b.Click(ctx, at, browser.Pointer{At: &browser.Point{X: 5, Y: 5}}))
	code, where, err := b.Script(ctx, at)
	if err != nil || where.Tab != "t1" {
		t.Fatal(where, err)
	}
	want := `import { test } from '@playwright/test';

test('session', async ({ page }) => {
  await page.goto("` + url + `/");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ann \"A\" O'Hara");
  await page.getByLabel("Password", { exact: true }).fill(process.env.PASSWORD ?? '');
  await page.getByRole("textbox", { name: "Key", exact: true }).fill("k-" + (process.env.API_KEY ?? ''));
  await page.getByRole("checkbox", { name: "I agree", exact: true }).setChecked(true);
  await page.getByRole("combobox", { name: "Port", exact: true }).selectOption(["Turku"]);
  await page.getByRole("button", { name: "Send", exact: true }).nth(1).click({ modifiers: ["Shift"] });
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
});
`
	if code != want {
		t.Errorf("got:\n%s\nwant:\n%s", code, want)
	}
	trace, err := b.Trace(ctx, at)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(trace.Path)
	if text := string(data); err != nil || trace.Pages != 9 || strings.Count(text, "<li>") != 9 || strings.Count(text, "data:image/jpeg;base64,") < 4 || strings.Contains(text, "canary") {
		t.Errorf("%d steps, %d bytes, %v", trace.Pages, len(data), err)
	}
}
