package browser

import (
	"context"
	"embed"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Our scripts run in a world of our own, where nothing that a page defines is found, with one
// exception: the fields of a form are members of it, in every world, and hide those that a form
// has by its type (HTML, section 4.10.3). A field named "parentNode" leads a loop over
// ancestors in a circle: members.js and up.js read the members of the types.

//go:embed js
var scripts embed.FS

// script returns js/NAME.js without the comment at its beginning. A line "// prelude: A B" there puts
// the files A and B at the beginning of the function that the file is.
func script(name string) string {
	code, err := scripts.ReadFile("js/" + name + ".js")
	if err != nil {
		panic(err) // TestScripts finds it
	}
	var prelude string
	rest := string(code)
	for strings.HasPrefix(rest, "//") {
		var comment string
		comment, rest, _ = strings.Cut(rest, "\n")
		if list, ok := strings.CutPrefix(comment, "// prelude: "); ok {
			prelude = list
		}
	}
	rest = strings.TrimSpace(rest)
	if prelude == "" {
		return rest
	}
	head, body, _ := strings.Cut(rest, "{")
	head += "{\n"
	for part := range strings.FieldsSeq(prelude) {
		head += script(part) + "\n"
	}
	return head + body
}

// ask reads what a script of ours says of the main document.
func (t *tab) ask(ctx context.Context, out any, script string) error {
	raw, err := t.main.ask(ctx, cdp.FrameID(t.target), script)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// is reports whether a script of ours says true of the main document; not where it cannot be asked.
func (t *tab) is(ctx context.Context, script string) (is bool) {
	return t.ask(ctx, &is, script) == nil && is
}

// ask runs a script of ours in a frame.
func (s *session) ask(ctx context.Context, frame cdp.FrameID, script string) (json.RawMessage, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: script, ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true)})
	if err != nil {
		return nil, err
	}
	return scriptValue(res.Result, res.ExceptionDetails)
}

// world is the name of the isolated world of our scripts: pages cannot change
// functions there.
const world = "spyhop"

// world returns our world in a frame.
func (s *session) world(ctx context.Context, frame cdp.FrameID) (runtime.ExecutionContextID, error) {
	res, err := call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: world})
	return res.ExecutionContextID, err
}

// resolve makes a node an object of our world in a frame. It belongs to the group of its name.
func (s *session) resolve(ctx context.Context, frame cdp.FrameID, node cdp.BackendNodeID) (runtime.RemoteObjectID, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return "", err
	}
	res, err := call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node, ExecutionContextID: w, ObjectGroup: world})
	if err != nil {
		return "", err
	}
	return res.Object.ObjectID, nil
}

// release gives up the objects of our world that scripts and nodes were made. It does not wait, since
// what was found on a page may move.
func (s *session) release(ctx context.Context) {
	s.post(ctx, runtime.ReleaseObjectGroup.Method, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
}

// function calls a function on an object and returns what it returns.
func (s *session) function(ctx context.Context, this runtime.RemoteObjectID, function string, args ...any) (json.RawMessage, error) {
	p := runtime.CallFunctionOnParams{ObjectID: this, ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true)}
	var err error
	if p.FunctionDeclaration, p.Arguments, err = withArguments(function, args); err != nil {
		return nil, err
	}
	res, err := call(ctx, s, runtime.CallFunctionOn, p)
	if err != nil {
		return nil, err
	}
	return scriptValue(res.Result, res.ExceptionDetails)
}

// withArguments returns a function of ours that takes its arguments as one list: the
// protocol's types leave out an argument that is "" or an empty list, which the function
// would get as undefined. An object of our world comes before the others.
func withArguments(function string, args []any) (string, []*runtime.CallArgument, error) {
	var all []*runtime.CallArgument
	if len(args) > 0 {
		if object, ok := args[0].(runtime.RemoteObjectID); ok {
			all, args = append(all, &runtime.CallArgument{ObjectID: object}), args[1:]
		}
	}
	if len(args) == 0 {
		return function, all, nil
	}
	list, err := json.Marshal(args)
	return "function(list, ...objects) { return (" + function + ").apply(this, [...objects, ...list]) }", append([]*runtime.CallArgument{{Value: list}}, all...), err
}

func scriptValue(v *runtime.RemoteObject, x *runtime.ExceptionDetails) (json.RawMessage, error) {
	if x != nil {
		what := x.Text
		if x.Exception != nil {
			what += " " + x.Exception.Description
		}
		return nil, tool.NewError(tool.InvalidInput, "the script failed: "+text.Quoted(what), "")
	}
	if v == nil || len(v.Value) == 0 {
		return json.RawMessage("null"), nil
	}
	return json.RawMessage(v.Value), nil
}

// quoteJS is a string of JavaScript.
func quoteJS(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}

// listJS is a list of strings of JavaScript.
func listJS(list []string) string {
	quoted, _ := json.Marshal(list)
	return string(quoted)
}
