package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// A page with actions, screenshots or mobile is read in a browser context of its own,
// which ends with the request. Every step is a call of a browser tool: what the operator
// has switched off stays off.

// visit is a request that a browser carries out.
type visit struct {
	s       *Server
	ctx     context.Context
	session string
	base    string // of the URLs of files
	q       scrapeRequest
	d       *firecrawl.Document
	focus   string // the selector of the last click
}

// needsBrowser reports whether a request is carried out in a browser context.
func (q scrapeRequest) needsBrowser() bool {
	return len(q.actions) > 0 || q.mobile || q.profile.name != "" || slices.ContainsFunc(q.formats, func(f format) bool { return f.kind == formatScreenshot })
}

// check refuses what a browser context cannot give.
func (q scrapeRequest) check() *tool.Error {
	if !q.needsBrowser() {
		return nil
	}
	for _, f := range q.formats {
		if !formatKinds()[f.kind].browser {
			return tool.NewError(tool.InvalidInput, "format "+text.Name(f.kind)+" does not go with actions, screenshots, mobile and profile", "request it in a call of its own")
		}
	}
	if q.args["headers"] != nil || q.args["stored"] != nil {
		return tool.NewError(tool.InvalidInput, "headers, location.languages, lockdown and minAge do not go with actions, screenshots, mobile and profile", "leave them out; a browser sends its own")
	}
	return nil
}

// visited reads a page in a browser.
func (s *Server) visited(ctx context.Context, address string, q scrapeRequest) (*firecrawl.Document, error) {
	if e := q.check(); e != nil {
		return nil, e
	}
	v := &visit{s: s, ctx: ctx, session: tool.Stateless + ":v2-" + rand.Text(), base: q.base, q: q, d: &firecrawl.Document{Actions: &firecrawl.Actions{}}}
	defer func() {
		v.ctx = context.WithoutCancel(ctx)
		_ = v.do("close_browser", nil) // it has nothing to say that the caller could use
	}()
	if err := v.open(address); err != nil {
		return nil, err
	}
	if err := v.fill(); err != nil {
		return nil, err
	}
	if err := v.save(); err != nil {
		return nil, err
	}
	if a := v.d.Actions; len(a.Screenshots)+len(a.PDFs)+len(a.Scrapes)+len(a.Returns) == 0 {
		v.d.Actions = nil
	}
	v.d.Warning = strings.Join(q.notices, " ")
	return v.d, nil
}

// open opens the page and carries out the actions.
func (v *visit) open(address string) error {
	if err := v.restore(); err != nil {
		return err
	}
	opened, err := v.page("navigate_to_url", map[string]any{"url": address, "snapshot": false})
	if err == nil && v.q.mobile { // only an open page can be resized, and it is another one for a phone
		if err = v.do("browser_resize", map[string]any{"media": "mobile"}); err == nil {
			err = v.do("navigate_to_url", map[string]any{"url": "reload", "snapshot": false})
		}
	}
	if err != nil {
		return err
	}
	v.d.Metadata = firecrawl.Metadata{Title: opened.Title, SourceURL: address, URL: opened.URL, StatusCode: opened.Status, CacheState: "miss"}
	for i, a := range v.q.actions {
		if err := v.act(a); err != nil {
			e := *tool.AsError(err)
			e.Message = fmt.Sprintf("action %d: %s", i+1, e.Message)
			return &e
		}
	}
	return nil
}

// profile is a saved browser state that a visit begins with. saves: what it is at the end is
// saved; the state need not exist then.
type profile struct {
	name  string
	saves bool
}

func profileOptions() options {
	return options{supported: []tool.Property{tool.String("name", "the browser state that is restored").Require(), tool.Boolean("saveChanges", "saves it at the end").WithDefault(true)}}
}

// profile reads the option of the same name.
func (o given) profile() profile {
	a := o.inner["profile"].args
	return profile{a.String("name"), a.Bool("saveChanges")}
}

// restore begins with the state of the profile, where there is one.
func (v *visit) restore() error {
	if v.q.profile.name == "" {
		return nil
	}
	err := v.do("browser_state", map[string]any{"action": "restore", "name": v.q.profile.name})
	switch {
	case err == nil:
	case v.q.profile.saves && tool.AsError(err).Type == tool.InvalidInput: // the first visit
		err = nil
	default:
		v.q.profile = profile{} // nothing is saved over it
	}
	return err
}

// save keeps the state for further visits.
func (v *visit) save() error {
	if v.q.profile.name == "" || !v.q.profile.saves {
		return nil
	}
	return v.do("browser_state", map[string]any{"action": "save", "name": v.q.profile.name})
}

// call calls a browser tool in the context of the visit.
func (v *visit) call(name string, args map[string]any) (tool.Result, error) {
	if _, e := v.s.find(name); e != nil {
		return tool.Result{}, e
	}
	body, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, err
	}
	return v.s.callTool(v.ctx, name, body, tool.Options{Given: true, Session: v.session})
}

// page is call for a tool that answers with the page.
func (v *visit) page(name string, args map[string]any) (p result.BrowserPage, err error) {
	got, err := v.call(name, args)
	if err != nil {
		return p, err
	}
	of, ok := got.Data.(interface{ Page() result.BrowserPage })
	if !ok {
		return p, fmt.Errorf("%s does not say which page it read", name)
	}
	return of.Page(), nil
}

// act carries out an action.
func (v *visit) act(a tool.Arguments) (err error) {
	selector := a.String("selector")
	css := "css=" + selector
	switch a.String("type") {
	case "wait":
		if selector != "" {
			return v.patient(map[string]any{"ref": css})
		}
		return v.do("browser_wait_for", map[string]any{"time": a.Float("milliseconds") / 1000})
	case "click":
		v.focus = css
		return v.do("browser_click", map[string]any{"ref": css})
	case "write":
		if selector != "" {
			v.focus = css
		}
		if v.focus == "" {
			return tool.NewError(tool.InvalidInput, "write has no field to write to", "click on a field first, or give its selector")
		}
		return v.do("browser_type", map[string]any{"ref": v.focus, "text": a.String("text")})
	case "press":
		return v.do("browser_press_key", map[string]any{"key": a.String("key")})
	case "scroll":
		if selector != "" {
			return v.do("browser_scroll", map[string]any{"ref": css})
		}
		return v.do("browser_scroll", map[string]any{"direction": cmp.Or(a.String("direction"), "down")})
	case "screenshot":
		file, err := v.screenshot(a)
		v.d.Actions.Screenshots = append(v.d.Actions.Screenshots, file)
		return err
	case "pdf":
		args := maps.Clone(a)
		delete(args, "type")
		file, err := v.shoot("save_page_as_pdf", args)
		v.d.Actions.PDFs = append(v.d.Actions.PDFs, file)
		return err
	case "scrape":
		p, err := v.page("extract_page_content", map[string]any{"mode": "raw", "max_length": 0})
		v.d.Actions.Scrapes = append(v.d.Actions.Scrapes, firecrawl.ActionPage{URL: p.URL, HTML: p.Text})
		return err
	case "executeJavascript":
		got, err := v.call("browser_evaluate", map[string]any{"script": a.String("script")})
		if m, ok := got.Data.(map[string]any); ok {
			raw, _ := json.Marshal(m["value"])
			kind := map[byte]string{'"': "string", 't': "boolean", 'f': "boolean", 'n': "undefined", '{': "object", '[': "object"}[raw[0]]
			v.d.Actions.Returns = append(v.d.Actions.Returns, firecrawl.ActionValue{Type: cmp.Or(kind, "number"), Value: m["value"]})
		}
		return err
	}
	return nil // actionsOf reads no others
}

// do is call for a tool whose answer is not needed.
func (v *visit) do(name string, args map[string]any) error {
	_, err := v.call(name, args)
	return err
}

// shotOptions are what a screenshot takes.
func shotOptions() []tool.Property {
	return []tool.Property{tool.Boolean("fullPage", ""), tool.Map("viewport", "width and height"), tool.Integer("quality", "1 to 100")}
}

// screenshot takes a picture of the page, as a JPEG where a quality is given.
func (v *visit) screenshot(a tool.Arguments) (string, error) {
	if size, ok := a["viewport"].(map[string]any); ok {
		if err := v.do("browser_resize", map[string]any{"width": size["width"], "height": size["height"]}); err != nil {
			return "", err
		}
	}
	args := map[string]any{"full_page": a.Bool("fullPage")}
	if a.Has("quality") {
		args["format"], args["quality"] = "jpeg", a["quality"]
	}
	return v.shoot("take_web_screenshot", args)
}

// patient waits until a selector matches something: each look takes a moment.
func (v *visit) patient(args map[string]any) error {
	for range 20 {
		err := v.do("browser_find", args)
		if e := tool.AsError(err); err == nil || e.Type != tool.NoContent {
			return err
		}
		if err := v.do("browser_wait_for", map[string]any{"time": .5}); err != nil {
			return err
		}
	}
	return v.do("browser_find", args)
}

// shoot makes a file and returns its URL, or its content where files are not served.
func (v *visit) shoot(name string, args map[string]any) (string, error) {
	got, err := v.call(name, args)
	if err != nil {
		return "", err
	}
	if v.s.o.Files != "" && filepath.Dir(got.File) == filepath.Clean(v.s.o.Files) {
		return v.base + filesPath + filepath.Base(got.File), nil
	}
	if len(got.Pictures) > 0 {
		return "data:" + got.Pictures[0].MediaType + ";base64," + base64.StdEncoding.EncodeToString(got.Pictures[0].Data), nil
	}
	return "", tool.NewError(tool.InvalidInput, "this server serves no files", "the operator can set WEB_DATA_DIR")
}

// fill reads the page as it is after the actions.
func (v *visit) fill() error {
	for _, f := range v.q.formats {
		if f.kind == formatScreenshot {
			var err error
			if v.d.Screenshot, err = v.screenshot(f.shot); err != nil {
				return err
			}
			continue
		}
		args := map[string]any{"max_length": 0}
		for _, name := range []string{"selector", "whole", "exclude"} {
			if value, ok := v.q.args[name]; ok {
				args[name] = value
			}
		}
		f.ask(args)
		if f.kind == formatRawHTML {
			delete(args, "exclude")
		}
		p, err := v.page("extract_page_content", args)
		if err != nil {
			return err
		}
		page := &result.Fetch{Content: p.Text}
		for _, u := range urlsOf(p.Text) {
			page.Links = append(page.Links, result.Link{URL: u})
		}
		if e := f.fill(v.d, page); e != nil {
			return e
		}
	}
	return nil
}

// urlsOf returns the URLs of the lines of mode=links: "- text: URL".
func urlsOf(list string) []string {
	out := []string{}
	for line := range strings.SplitSeq(list, "\n") {
		if i := strings.LastIndex(line, ": http"); strings.HasPrefix(line, "- ") && i > 0 {
			out = append(out, line[i+2:])
		}
	}
	return out
}

// attributesOf returns the texts between a mark and a quotation mark, each once, in HTML
// that this program wrote.
func attributesOf(html, mark string) []string {
	out := []string{}
	for {
		_, rest, ok := strings.Cut(html, mark)
		if !ok {
			return out
		}
		value, after, _ := strings.Cut(rest, `"`)
		if html = after; value != "" && !slices.Contains(out, value) {
			out = append(out, strings.ReplaceAll(value, "&amp;", "&"))
		}
	}
}

// actionOptions are what an action of each type takes.
func actionOptions() map[string]options {
	takes := func(members ...tool.Property) options { return options{supported: members} }
	selector := tool.String("selector", "CSS")
	return map[string]options{
		"wait": takes(tool.Number("milliseconds", "").AtLeast(0), selector), "click": takes(selector.Require()), "write": takes(tool.String("text", "").Require(), selector), "press": takes(tool.String("key", "").Require()),
		"scroll": takes(tool.String("direction", "").OneOf("up", "down"), selector), "screenshot": takes(shotOptions()...), "scrape": {}, "executeJavascript": takes(tool.String("script", "").Require()),
		"pdf": takes(tool.String("format", "paper"), tool.Boolean("landscape", ""), tool.Number("scale", "0.1 to 2")),
	}
}

// actionsOf reads the option actions.
func actionsOf(v any) (out []tool.Arguments, e *tool.Error) {
	list, _ := v.([]any)
	for i, one := range list {
		_, a, e := element(fmt.Sprintf("action %d:", i+1), one, actionOptions())
		if e != nil {
			return nil, e
		}
		out = append(out, a.args)
	}
	return out, nil
}
