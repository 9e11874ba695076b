package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// The tools as plain HTTP: a call is a POST of its arguments as a JSON object,
// and its answer the tool's object; errors are in problem.go. What a tool says
// about how it understood the arguments stands in the object's notices and in
// Spyhop-Notice headers.

const toolsPath = "/v1/tools"

// writeTimeout is how long a client may take to read an answer, cutRetry when a client
// may call again whose call the end of the server cut.
const (
	writeTimeout = 30 * time.Second
	cutRetry     = 5 * time.Second
)

// list answers with the declarations of the tools.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	tools, err := s.described.tools()
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	answer(w, "application/json", tools)
}

// call answers with what a tool comes to.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	d, e := s.find(r.PathValue("name"))
	if e != nil {
		refuse(w, r, http.StatusNotFound, e)
		return
	}
	if r.Method != http.MethodPost && !gettable(d) {
		notAllowed(w, r, http.MethodPost)
		return
	}
	args, access, e := arguments(d, r)
	if e != nil {
		s.fail(w, r, e)
		return
	}
	ctx := r.Context()
	got, err := s.called(ctx, w, r.PathValue("name"), args, tool.Options{Given: true, Access: access})
	switch {
	case err != nil:
		s.fail(w, r, tool.AsError(err))
	case accepted(r.Header, formJSON, formMarkdown) == formMarkdown:
		s.answerText(w, got, formMarkdown)
	default:
		s.answerObject(w, r, got)
	}
}

// called calls a tool. The call has ended when it returns: a client that does not read
// its answer keeps nothing from others.
func (s *Server) called(ctx context.Context, w http.ResponseWriter, name string, args json.RawMessage, o tool.Options) (got tool.Result, err error) {
	err = s.quotas.counted(ctx, func(ctx context.Context) (err error) {
		bodyRead(ctx)
		if got, err = s.callTool(ctx, name, args, o); err != nil {
			err = ended(ctx, err)
		}
		return err
	})
	for _, n := range got.Notices {
		w.Header().Add("Spyhop-Notice", visible(n))
	}
	return got, err
}

// callTool calls a tool for a request that is counted already. Calls can be concurrent.
func (s *Server) callTool(ctx context.Context, name string, args json.RawMessage, o tool.Options) (tool.Result, error) {
	if o.Session == "" {
		o.Session = ownerOf(principal.Of(ctx))
	}
	return s.o.Catalog.Call(ctx, name, args, onSurface(ctx, o))
}

// find returns the tool that a path names, if it is served.
func (s *Server) find(name string) (tool.Declaration, *tool.Error) {
	d, e := s.o.Catalog.Find(name)
	if e == nil && !slices.ContainsFunc(s.tools, func(t tool.Declaration) bool { return t.Name == d.Name }) {
		e = tool.NewError(tool.InvalidInput, fmt.Sprintf("tool %q is not served here", d.Name), "GET /v1/tools lists the tools")
		if d.NeedsModel && !s.o.hasModel() {
			e.Hint = "it needs a language model: the operator can set WEB_MODEL"
		}
	}
	return d, e
}

// gettable reports whether a tool can be called with a query: it only reads, and what it
// needs are plain values. See also bodyOnly.
func gettable(d tool.Declaration) bool {
	return d.Annotations.ReadOnly && d.Permission != tool.Interactive &&
		!slices.ContainsFunc(d.Input.Properties, func(p tool.Property) bool { return p.Required && !plain(p.Schema) })
}

// plain reports whether a query can hold a value.
func plain(s tool.Schema) bool {
	return s.Type != tool.TypeObject && s.Type != "" && (s.Type != tool.TypeArray || s.Items != nil && plain(*s.Items))
}

// arguments takes the arguments of a call out of a request, and apart from them
// what the site may be shown of the caller.
func arguments(d tool.Declaration, r *http.Request) (json.RawMessage, *tool.Access, *tool.Error) {
	if r.Method != http.MethodPost {
		args, err := queryArguments(r)
		if err == nil {
			err = bodyOnly(d, args)
		}
		return args, nil, err
	}
	// curl -d says that it sends a form.
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "", media == "application/json", media == "application/x-www-form-urlencoded", strings.HasSuffix(media, "+json"):
	default:
		return nil, nil, tool.NewError(tool.UnsupportedContent, "a body of type "+quoted(media)+" is not read", "send the arguments as application/json")
	}
	body, err := io.ReadAll(r.Body) // bounded by the guard
	switch {
	case err != nil:
		return nil, nil, tool.AsError(err)
	case len(body) > tool.MaxArgumentBytes:
		return nil, nil, tool.NewError(tool.TooLarge, fmt.Sprintf("the arguments have %d bytes", len(body)),
			fmt.Sprintf("send at most %d", tool.MaxArgumentBytes))
	case !d.TakesAccess:
		return body, nil, nil
	}
	return splitAccess(body)
}

// bodyOnly refuses arguments of a query that use what is stored for the caller. Names
// are compared as the catalog reads them.
func bodyOnly(d tool.Declaration, query json.RawMessage) *tool.Error {
	read, _, err := d.Input.Read(query)
	if err != nil {
		return nil // the call says what is wrong
	}
	for _, p := range d.Input.Properties {
		if _, given := read[p.Name]; given && p.Stored {
			return tool.NewError(tool.InvalidInput, "argument "+quoted(p.Name)+" is not taken from a query, because it uses what is stored for the caller", "send the arguments with POST")
		}
	}
	return nil
}

// queryArguments makes a JSON object of a query: a name that stands there more
// than once is a list.
func queryArguments(r *http.Request) (json.RawMessage, *tool.Error) {
	object := make(map[string]any)
	for name, values := range r.URL.Query() {
		object[name] = values[0]
		if len(values) > 1 {
			object[name] = values
		}
	}
	args, err := json.Marshal(object)
	if err != nil {
		return nil, tool.AsError(err)
	}
	return args, nil
}

// accessFields are the members of a body that are not arguments: no model can
// give them.
func accessFields() []tool.Property {
	return []tool.Property{
		tool.String("user_agent", "the User-Agent header of this call"),
		tool.String("username", "for Basic authentication at the origin of url only"),
		tool.String("password", "for Basic authentication"),
		tool.String("bearer", "a bearer token for the origin of url only"),
		tool.String("cookie", "the Cookie header for the origin of url only, as name=value; name=value"),
	}
}

// splitAccess takes the access fields out of a body. The catalog refuses
// a body that is not an object.
func splitAccess(body []byte) (json.RawMessage, *tool.Access, *tool.Error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return body, nil, nil
	}
	given := make(map[string]string)
	for _, p := range accessFields() {
		raw, ok := members[p.Name]
		if !ok {
			continue
		}
		var value string
		if json.Unmarshal(raw, &value) != nil { // its error would show the value
			return nil, nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("field %q is not a string", p.Name), p.Name+" is "+p.Description)
		}
		given[p.Name] = value
		delete(members, p.Name)
	}
	if len(given) == 0 {
		return body, nil, nil
	}
	args, err := json.Marshal(members)
	if err != nil {
		return nil, nil, tool.AsError(err)
	}
	return args, &tool.Access{UserAgent: given["user_agent"], Username: given["username"], Password: given["password"],
		Bearer: given["bearer"], Cookie: given["cookie"]}, nil
}

// answer writes a body with the status 200.
func answer(w http.ResponseWriter, mediaType string, body []byte) {
	send(w, http.StatusOK, mediaType, body)
}

// send writes a body to a client that may read slowly, though not for ever.
func send(w http.ResponseWriter, status int, mediaType string, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// encode is json.Marshal without the escapes for <, > and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// visible keeps what a header can hold.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// fail answers with an error of a tool under the status of its type.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, e *tool.Error) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatFloat(math.Ceil(e.RetryAfter.Seconds()), 'f', 0, 64))
	}
	if e.Type == tool.Internal {
		s.o.OnError(fmt.Errorf("%s: %w", e.Message, e.Cause))
	}
	refuse(w, r, e.HTTPStatus(), e)
}
