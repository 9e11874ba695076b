package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/toolset"
	"github.com/spyhop-dev/spyhop/tool"
)

// browserCmd has a command for each action of the browser in the background. The
// commands are made from the table of actions and the declarations of the tools: an
// argument of a tool is a flag, except for those that stand without a name.
type browserCmd struct{ kong.Plugins }

// action is a row of the table.
type action struct {
	name, help string
	tool       string
	// positional are the arguments without a flag, in order. The last one takes the
	// rest of the words if the tool wants a list.
	positional []string
	// optional reports whether the last positional may be left out.
	optional bool
	// fixed are arguments that the action sets.
	fixed map[string]any
	// hide are arguments that the action does not have.
	hide []string
}

// actions is the table, in the order in which help lists them.
var actions = []action{
	{name: "open", help: "Open a URL, and the browser if it is not open.", tool: "navigate_to_url", positional: []string{"url"}},
	{name: "snapshot", help: "Print the page with a ref on everything that can be acted on.", tool: "browser_snapshot"},
	{name: "find", help: "Print the lines of the page that contain a text, with their refs.", tool: "browser_find", positional: []string{"text"}, optional: true},
	{name: "read", help: "Print the main content of the page as Markdown.", tool: "extract_page_content", hide: []string{"url"}},
	{name: "click", help: "Click an element.", tool: "browser_click", positional: []string{"ref"}, optional: true},
	{name: "hover", help: "Move the pointer over an element.", tool: "browser_hover", positional: []string{"ref"}, hide: []string{"double", "button", "modifiers"}},
	{name: "type", help: "Type text into an element.", tool: "browser_type", positional: []string{"ref", "text"}},
	{name: "fill", help: "Fill several fields of a form.", tool: "browser_fill_form", positional: []string{"fields"}},
	{name: "select", help: "Choose options of a list.", tool: "browser_select_option", positional: []string{"ref", "values"}},
	{name: "press", help: "Press a key.", tool: "browser_press_key", positional: []string{"key"}},
	{name: "drag", help: "Drag an element to another one.", tool: "browser_drag", positional: []string{"from", "to"}},
	{name: "upload", help: "Choose files for a field (WEB_UPLOAD_DIR).", tool: "browser_upload_file", positional: []string{"ref", "paths"}},
	{name: "scroll", help: "Scroll the page or an element.", tool: "browser_scroll", positional: []string{"direction"}, optional: true},
	{name: "wait", help: "Wait for a text, an element or a URL.", tool: "browser_wait_for", positional: []string{"text"}, optional: true},
	{name: "back", help: "Go back in the history.", tool: "navigate_to_url", fixed: map[string]any{"url": "back"}, hide: []string{"url"}},
	{name: "forward", help: "Go forward in the history.", tool: "navigate_to_url", fixed: map[string]any{"url": "forward"}, hide: []string{"url"}},
	{name: "reload", help: "Load the page again.", tool: "navigate_to_url", fixed: map[string]any{"url": "reload"}, hide: []string{"url"}},
	{name: "tabs", help: "List, open, select or close tabs.", tool: "browser_tabs", positional: []string{"action"}, optional: true},
	{name: "dialog", help: "Answer a dialog of the page.", tool: "browser_dialog"},
	{name: "eval", help: "Run a script in the page (WEB_ALLOW_SCRIPT).", tool: "browser_evaluate", positional: []string{"script"}},
	{name: "cookies", help: "List, set or clear cookies.", tool: "browser_cookies", positional: []string{"action"}, optional: true},
	{name: "state", help: "Save or restore cookies and storage by name.", tool: "browser_state", positional: []string{"action", "name"}},
	{name: "log", help: "Print what the page logged, or its requests.", tool: "browser_log", positional: []string{"what"}, optional: true},
	{name: "script", help: "Print the session as a Playwright test.", tool: "browser_log", fixed: map[string]any{"what": "script"}, hide: []string{"what", "filter", "request"}},
	{name: "screenshot", help: "Take a screenshot of the page.", tool: "take_web_screenshot", hide: []string{"url"}},
	{name: "pdf", help: "Save the page as PDF.", tool: "save_page_as_pdf", hide: []string{"url"}},
	{name: "status", help: "Print whether a browser is open, and since when."},
	{name: "close", help: "Close the browser.", tool: "close_browser"},
}

// argumentHelp documents arguments that the tools leave to their names, or describe too
// briefly for a person. A key with the name of an action before it is for that one only.
var argumentHelp = map[string]string{
	"open url": "A URL; https:// is added if it has no scheme.", "find text": "Text to look for.",
	"find regex": "Regular expression to look for, in Go's syntax (RE2).", "find ref": "Say whether this element is visible, and its value.",
	"type submit": "Press Enter after the text.", "type slowly": "Press a key for each character.", "type text": "Text to type.", "type at": "Where the text goes.",
	"x": "Pixels from the left edge of the page, instead of a ref.", "y": "Pixels from the top of the page.",
	"press ref": "Press the key in this element.", "scroll ref": "Scroll this element into view.", "scroll amount": "Scroll by this many pixels.",
	"wait text": "Wait until the page shows this text.", "wait ref": "Wait until this element is visible.",
	"wait url": "Wait until the URL contains this.", "wait time": "Wait at most this many seconds; without anything else, exactly as long.",
	"tabs url": "Address to open in the new tab.", "cookies url": "Address for which a cookie is set.", "cookies name": "Name of the cookie.",
	"cookies value": "Value of the cookie.", "cookies domain": "List only cookies of this domain.", "state name": "Name of the saved state.",
	"log what": "What to print.", "log filter": "Print only lines that contain this.", "log request": "Print the request with this number in full.",
	"eval ref": "Element that the function gets as its argument.", "dialog text": "Text to enter in the prompt.",
	"ref": "Ref of an element, for example b12; a snapshot prints the refs.", "tab": "Tab, for example t2. Default: the current one.",
	"context": "Name of a browser profile of its own. Default: one for all commands.", "double": "Click twice.",
	"button": "Mouse button.", "modifiers": "Keys that are held: Alt, Control, Meta, Shift.",
	"key": "The key, for example Enter, Control+A.", "from": "Ref of the element to drag.", "to": "Ref of the target.",
	"values": "What to choose, by its text.", "paths": "Files inside WEB_UPLOAD_DIR.", "fields": "REF=VALUE, once for each field.",
	"snapshot": "Print the page.", "wait_until": "Event to wait for.", "full_page": "The whole page instead of the window.",
	"marks": "Draw the refs into the picture.", "format": "Format of the picture.", "diff": "Print only what changed since the last one.",
	"accept": "Accept the dialog; --no-accept dismisses it.", "direction": "Where to.", "action": "What to do.", "text_gone": "Wait until this text is gone.", "script": "The script, or a function.",
}

// declaredTools has the declarations of all tools, to be read and not to be called.
func declaredTools() *tool.Catalog {
	catalog := tool.NewCatalog()
	if err := toolset.Register(catalog, toolset.Options{Recaller: struct{ toolset.Recaller }{}, Browser: new(browser.Browser), AllowScript: true}); err != nil {
		panic(err) // a declaration is wrong, which tests of the catalog find
	}
	return catalog
}

// declare makes the commands.
func (c *browserCmd) declare() {
	catalog := declaredTools()
	var fields []reflect.StructField
	var values []actionCmd
	for _, a := range actions {
		d, _ := catalog.Lookup(a.tool)
		fields = append(fields, reflect.StructField{Name: "A_" + a.name, Type: reflect.TypeFor[actionCmd](),
			Tag: reflect.StructTag(fmt.Sprintf("cmd:%q name:%q help:%q", "", a.name, a.help))})
		values = append(values, actionCmd{Plugins: kong.Plugins{a.flags(d).Interface()}, action: a})
	}
	fields = append(fields, reflect.StructField{Name: "Background", Type: reflect.TypeFor[backgroundCmd](), Tag: `cmd:"" hidden:""`})
	all := reflect.New(reflect.StructOf(fields))
	for i, v := range values {
		all.Elem().Field(i).Set(reflect.ValueOf(v))
	}
	c.Plugins = kong.Plugins{all.Interface()}
}

// flags is a pointer to a struct with a field for each argument of a tool.
func (a action) flags(d tool.Declaration) reflect.Value {
	var fields []reflect.StructField
	add := func(p tool.Property, tags string) {
		help := cmp.Or(argumentHelp[a.name+" "+p.Name], argumentHelp[p.Name], sentence(p.Description), "The "+strings.ReplaceAll(p.Name, "_", " ")+".")
		if len(p.Enum) > 0 {
			help = strings.TrimSuffix(help, ".") + ": " + strings.Join(p.Enum, ", ") + "."
		}
		fields = append(fields, reflect.StructField{Name: "P_" + p.Name, Type: argumentType(p.Schema),
			Tag: reflect.StructTag(fmt.Sprintf("%s name:%q help:%q argument:%q", tags, strings.ReplaceAll(p.Name, "_", "-"), help, p.Name))})
	}
	for i, name := range a.positional {
		j := slices.IndexFunc(d.Input.Properties, func(p tool.Property) bool { return p.Name == name })
		tags := `arg:""`
		if a.optional && i == len(a.positional)-1 {
			tags += ` optional:""`
		}
		add(d.Input.Properties[j], tags)
	}
	for _, p := range d.Input.Properties {
		if p.Unlisted || slices.Contains(a.positional, p.Name) || slices.Contains(a.hide, p.Name) {
			continue
		}
		tags := fmt.Sprintf("placeholder:%q sep:%q", strings.ToUpper(strings.ReplaceAll(p.Name, "_", "-")), "none")
		if p.Type == tool.TypeBoolean {
			tags = `negatable:""`
		}
		add(p, tags)
	}
	if a.tool == "take_web_screenshot" || a.tool == "save_page_as_pdf" {
		fields = append(fields, reflect.StructField{Name: "Output", Type: reflect.TypeFor[string](),
			Tag: `name:"output" short:"o" help:"File to write. Default: a new file in the captures folder." placeholder:"FILE" type:"path"`})
	}
	if a.name == "open" {
		fields = append(fields, reflect.StructField{Name: "Idle", Type: reflect.TypeFor[time.Duration](),
			Tag: `name:"idle" help:"Close the browser after this time without a command." default:"15m" placeholder:"DURATION"`})
	}
	return reflect.New(reflect.StructOf(fields))
}

// sentence makes the help of a flag from the description of an argument.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// argumentType is the type of a flag. A pointer tells a flag that was not given.
func argumentType(s tool.Schema) reflect.Type {
	switch s.Type {
	case tool.TypeInteger:
		return reflect.TypeFor[*int]()
	case tool.TypeNumber:
		return reflect.TypeFor[*float64]()
	case tool.TypeBoolean:
		return reflect.TypeFor[*bool]()
	case tool.TypeArray:
		return reflect.TypeFor[[]string]()
	}
	return reflect.TypeFor[*string]()
}

// actionCmd is the command of an action.
type actionCmd struct {
	kong.Plugins
	action action `kong:"-"`
}

func (c *actionCmd) run(s *session) error {
	given := reflect.Indirect(reflect.ValueOf(c.Plugins[0]))
	args, err := c.arguments(given)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		return err
	}
	switch c.action.name {
	case "status":
		return s.backgroundStatus()
	case "open":
		idle, _ := given.FieldByName("Idle").Interface().(time.Duration)
		if err := s.startBackground(idle); err != nil {
			return err
		}
	}
	answer, err := s.inBackground(backgroundCall{Name: c.action.name, Tool: c.action.tool, Arguments: encoded, End: c.action.name == "close"})
	if c.action.name == "close" && isClosed(err) {
		answer, err = &backgroundAnswer{Text: "no browser is open", Object: json.RawMessage(`{"message":"no browser is open"}`)}, nil
	}
	if err != nil {
		return err
	}
	if output := given.FieldByName("Output"); output.IsValid() && output.String() != "" {
		if err := answer.save(output.String()); err != nil {
			return err
		}
	}
	if s.printed(answer.Object) {
		return nil
	}
	if s.screen.outTerminal {
		answer.Text = unfenced(answer.Text)
	}
	s.content(answer.Text)
	s.screen.facts("notice", answer.Notices)
	return nil
}

// unfenced is a text of a tool without the lines that mark what comes from the web, which
// are for models. A line that only looks like one stays.
func unfenced(s string) string {
	var out strings.Builder
	for {
		m := fenceLine.FindStringSubmatchIndex(s)
		if m == nil {
			return out.String() + s
		}
		within, after, ok := strings.Cut(s[m[1]:], "\n</"+s[m[2]:m[3]]+">")
		if !ok {
			return out.String() + s
		}
		out.WriteString(s[:m[0]] + within)
		s = after
	}
}

// fenceLine is the first line of tool.Fence.
var fenceLine = regexp.MustCompile(`(?m)^<untrusted text (\d{6,18})>\n`)

// arguments are those of the call. Paths become absolute, because the browser runs
// elsewhere. A picture gets the format that the name of its file says.
func (c *actionCmd) arguments(given reflect.Value) (map[string]any, error) {
	args := map[string]any{}
	for name, value := range c.action.fixed {
		args[name] = value
	}
	for field, value := range given.Fields() {
		name := field.Tag.Get("argument")
		if name == "" || value.IsZero() {
			continue
		}
		switch v := reflect.Indirect(value).Interface().(type) {
		case []string:
			switch name {
			case "fields":
				fields, err := formFields(v)
				if err != nil {
					return nil, err
				}
				args[name] = fields
			case "paths":
				paths := make([]string, len(v))
				for i, p := range v {
					var err error
					if paths[i], err = filepath.Abs(p); err != nil {
						return nil, err
					}
				}
				args[name] = paths
			default:
				args[name] = v
			}
		default:
			args[name] = v
		}
	}
	output := ""
	if f := given.FieldByName("Output"); f.IsValid() {
		output = f.String()
	}
	switch c.action.tool {
	case "take_web_screenshot":
		format, _ := args["format"].(string)
		format, err := pictureFormat(output, format)
		if err != nil {
			return nil, err
		}
		args["format"] = format
	case "save_page_as_pdf":
		if err := isPDFName(output); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// formFields reads fields as REF=VALUE.
func formFields(given []string) ([]map[string]string, error) {
	var out []map[string]string
	for _, g := range given {
		ref, value, ok := strings.Cut(g, "=")
		if !ok || ref == "" {
			return nil, tool.NewError(tool.InvalidInput, text.Quoted(g)+" is not a field", "use the form REF=VALUE, for example t1=ann")
		}
		out = append(out, map[string]string{"ref": ref, "value": value})
	}
	return out, nil
}

// save copies the file of a capture, which the browser has written, to another name.
func (a *backgroundAnswer) save(output string) error {
	var object map[string]any
	if err := json.Unmarshal(a.Object, &object); err != nil {
		return err
	}
	for _, member := range []string{"screenshot_path", "pdf_path"} {
		path, _ := object[member].(string)
		if path == "" {
			continue
		}
		if err := moveFile(path, output); err != nil {
			return err
		}
		object[member], a.Text = output, output
		var err error
		a.Object, err = json.Marshal(object)
		return err
	}
	return nil
}

// moveFile moves a capture to a file of the user's choice, also across file systems.
func moveFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		return err
	}
	_ = os.Remove(from)
	return nil
}

// since writes how long ago something was, for people.
func since(t time.Time) string {
	d := time.Since(t)
	if d < time.Minute {
		return strconv.Itoa(int(d.Seconds())) + " s"
	}
	return strconv.Itoa(int(d.Minutes())) + " min"
}
