package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// browses reads a page that needs scripts and acts on it with the browser tools.
// If no browser is installed, it says so; that does not count as wrong.
func (d *demo) browses() {
	board := d.site.Home + demosite.Board
	where, err := d.use("navigate_to_url", map[string]any{"url": board})
	var missing *tool.Error
	if errors.As(err, &missing) && missing.Type == tool.BrowserMissing {
		d.say("", "Skipped, because there is no browser to use: %s", missing.Message)
		d.detail("%s", missing.Hint)
		return
	}
	if err != nil {
		d.say("the page should open", "%s", err)
		return
	}
	d.say("", "%s", strings.TrimSpace(where.Text))

	_, err = d.use("browser_wait_for", map[string]any{"text": "Add sighting"})
	d.say(whyNot(err), "The page's script has loaded the list and shown it")
	seen, err := d.use("browser_snapshot", nil)
	if err != nil {
		d.say("the snapshot should show the page", "%s", err)
		return
	}
	field, button := refOf(seen.Text, "Place"), refOf(seen.Text, "Add sighting")
	d.say(unless(field != "" && button != "" && strings.Contains(seen.Text, demosite.Sightings()[0]), "the list, the field and the button should be there"),
		"Elements that can be acted on have refs: [Place](%s) [Add sighting](%s)", field, button)

	_, err = d.use("browser_type", map[string]any{"ref": field, "text": "the south pier"})
	d.say(whyNot(err), "Typed into the field")
	after, err := d.use("browser_click", map[string]any{"ref": button})
	d.say(whyNot(err), "The click changed:")
	const added = "A fin off the south pier, seen just now"
	change := "nothing"
	for line := range strings.Lines(after.Text) {
		if strings.HasPrefix(line, "+ ") && strings.Contains(line, added) {
			change = "+ " + added
		}
	}
	d.detail("%s", change)
	if change == "nothing" {
		d.say("the click should add a line", "%s", after.Text)
	}

	shot, err := d.use("take_web_screenshot", nil)
	var facts result.Screenshot
	if err == nil {
		facts, err = dataOf[result.Screenshot](shot)
	}
	if err != nil || len(shot.Pictures) != 1 {
		d.say("there should be a picture", "%v", err)
	} else {
		d.say("", "A picture of %d x %d, %s", facts.Width, facts.Height, size(int64(len(shot.Pictures[0].Data))))
	}

	r, err := d.get(demosite.Board, spyhop.FetchRequest{})
	if err != nil {
		d.say("the page should be read through the browser", "%s", err)
		return
	}
	d.say(unless(r.Metadata.Rendered && strings.Contains(r.Markdown, demosite.Sightings()[1]), "it should be rendered"),
		"%s; the HTML was empty without its script, so the browser rendered it", received(r))
}

// use calls a tool as a model does and prints the head of the step.
func (d *demo) use(name string, args map[string]any) (tool.Result, error) {
	if args == nil {
		args = map[string]any{}
	}
	data, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, err
	}
	d.call("%s(%s)", name, data)
	return d.client.Call(d.ctx, name, data, tool.Options{Caller: "demo", Given: true})
}

// refOf returns the ref of the element with this name in a snapshot, or "".
func refOf(snapshot, name string) string {
	m := regexp.MustCompile(`\[` + regexp.QuoteMeta(name) + `[^\]]*\]\((\w+)\)`).FindStringSubmatch(snapshot)
	if m == nil {
		return ""
	}
	return m[1]
}

func whyNot(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprint(err)
}
