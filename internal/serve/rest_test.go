package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestStatuses is the table of errors as plain HTTP shows them.
func TestStatuses(t *testing.T) {
	table := map[tool.ErrorType]int{
		tool.InvalidInput: 400, tool.InvalidURL: 400,
		tool.Blocked:            403,
		tool.TooLarge:           413,
		tool.UnsupportedContent: 415,
		tool.NoContent:          422, tool.ParseError: 422,
		tool.Cancelled: 499,
		tool.Internal:  500,
		tool.HTTPError: 502, tool.ConnectionError: 502, tool.TLSError: 502, tool.SearchError: 502, tool.ModelError: 502,
		tool.BrowserMissing: 503, tool.Busy: 503, tool.BrowserError: 503,
		tool.Timeout: 504,
	}
	if len(table) != len(tool.ErrorTypes()) {
		t.Errorf("%d types, the table has %d", len(tool.ErrorTypes()), len(table))
	}
	s := newServer(t, Options{})
	for typ, want := range table {
		w := do(s, "POST", "/v1/tools/fail", `{"type":"`+string(typ)+`"}`)
		p := problemOf(t, w)
		if w.Code != want || p.ErrorType != typ || p.Message != "it failed <here>" || p.Hint != "do something else" || p.Retryable != typ.RetryPossible(0) {
			t.Errorf("%s: %d %s, want %d", typ, w.Code, w.Body, want)
		}
		if w.Header().Get("Retry-After") != "" {
			t.Errorf("%s: Retry-After %q, which nobody has said", typ, w.Header().Get("Retry-After"))
		}
	}
	for milliseconds, want := range map[string]string{"1": "1", "1000": "1", "1001": "2", "86400000": "86400"} {
		w := do(s, "POST", "/v1/tools/fail", `{"type":"HTTPError","after":`+milliseconds+`}`)
		if got := w.Header().Get("Retry-After"); got != want {
			t.Errorf("%s ms: Retry-After %q, want %s", milliseconds, got, want)
		}
	}
}

// TestCalls: what is asked for and what comes back.
func TestCalls(t *testing.T) {
	f := newTestTools(t)
	close(f.open)
	s := newServer(t, Options{Catalog: f.Catalog, Tools: []string{"echo_text", "gate", "fail", "crash"}})
	for _, c := range []struct {
		name, method, path, body string
		want                     int
		has                      string // in the body, or in the header where that begins with "header "
	}{
		{"the object", "POST", "/v1/tools/echo_text", `{"text":"<a>"}`, 200, `{"caller":"rest","given":true,"list":null,"text":"<a>"}` + "\n"},
		{"a variant of a tool", "POST", "/v1/tools/greet", `{}`, 200, `"text":"hello"}`},
		{"a variant of a tool, by a query", "GET", "/v1/tools/greet", ``, 200, `"text":"hello"}`},
		{"text alone", "POST", "/v1/tools/gate", ``, 200, `{"result":"through <the> gate"}` + "\n"},
		{"an alias", "POST", "/v1/tools/mirror", `{"text":"a"}`, 200, `"text":"a"`},
		{"a reference name", "POST", "/v1/tools/echo-text", `{"text":"a"}`, 200, `"text":"a"`},
		{"in another case", "POST", "/v1/tools/EchoText", `{"TEXT":"a"}`, 200, `"text":"a"`},
		{"a notice", "POST", "/v1/tools/echo_text", `{"text":"a","times":9}`, 200, `header Spyhop-Notice: times=9 is out of bounds; 3 was used`},
		{"a query", "GET", "/v1/tools/echo_text?text=a%20b&times=2", ``, 200, `"text":"a ba b"`},
		{"a list in a query", "GET", "/v1/tools/echo_text?text=a&list=x&list=y", ``, 200, `"list":["x","y"]`},
		{"a list of one", "GET", "/v1/tools/echo_text?text=a&list=x", ``, 200, `"list":["x"]`},
		{"a query that lacks something", "GET", "/v1/tools/echo_text?times=2", ``, 400, `argument \"text\" is missing`},
		{"credentials in a query", "GET", "/v1/tools/echo_text?text=a&bearer=s3cr3t", ``, 400, `argument \"bearer\" is unknown`},
		{"a query that is none", "GET", "/v1/tools/echo_text?text=%zz&;", ``, 400, `argument \"text\" is missing`},
		{"a query to a tool that acts", "GET", "/v1/tools/gate", ``, 405, `header Allow: POST`},
		{"a query to a tool that may change things", "GET", "/v1/tools/fail?type=Blocked", ``, 405, `header Allow: POST`},
		{"HEAD", "HEAD", "/v1/tools", ``, 200, ``},
		{"another method", "DELETE", "/v1/tools/echo_text", ``, 405, `header Allow: GET, POST`},
		{"another method for the list", "POST", "/v1/tools", `{}`, 405, `header Allow: GET`},
		{"a wrong name", "POST", "/v1/tools/eco_text", `{}`, 404, `did you mean \"echo_text\"?`},
		{"a name that no tool has", "POST", "/v1/tools/xyzzy", `{}`, 404, `the tools that do not act on pages are echo_text, `},
		{"no name", "POST", "/v1/tools/", `{}`, 404, `path \"/v1/tools/\" does not exist`},
		{"a tool that is not served", "POST", "/v1/tools/wait", `{}`, 404, `tool \"wait\" is not served here`},
		{"a long name", "POST", "/v1/tools/" + strings.Repeat("x", 5000), `{}`, 404, `…`},
		{"a name that is no text", "POST", "/v1/tools/%ff%00%0a", `{}`, 404, `is unknown`},
		{"a path that is not there", "GET", "/nothing", ``, 404, `GET /docs`},
		{"a crash", "POST", "/v1/tools/crash", `{}`, 500, `internal error`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := do(s, c.method, c.path, c.body)
			got := w.Body.String()
			if strings.HasPrefix(c.has, "header ") {
				name, _, _ := strings.Cut(strings.TrimPrefix(c.has, "header "), ":")
				got = "header " + name + ": " + w.Header().Get(name)
			}
			if w.Code != c.want || !strings.Contains(got, c.has) || w.Code >= 400 && w.Body.Len() > 1000 {
				t.Fatalf("%d %s, want %d with %s", w.Code, got, c.want, c.has)
			}
			switch {
			case c.want >= 400:
				problemOf(t, w)
			case c.method != "HEAD" && w.Header().Get("Content-Type") != "application/json":
				t.Errorf("%v", w.Header())
			}
		})
	}
}

// TestList has the declarations of what is served, and no other.
func TestList(t *testing.T) {
	w := do(newServer(t, Options{Tools: []string{"echo_text", "wait"}}), "GET", "/v1/tools", "")
	var list struct {
		Tools []struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "echo_text" || list.Tools[0].Schema == nil {
		t.Errorf("%v %s", err, w.Body)
	}
	w = do(newServer(t, Options{Tools: []string{"classic"}}), "GET", "/v1/tools", "")
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Tools) != 0 {
		t.Errorf("none: %v %s", err, w.Body)
	}
}

// TestAccess: what a site may be shown of the caller reaches a call beside its
// arguments, and only tools that use it take it.
func TestAccess(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog})
	w := do(s, "POST", "/v1/tools/echo_text", `{"text":"a","user_agent":"whale/1","username":"u","password":"p","bearer":"b","cookie":"c=d"}`)
	if got := f.access.Load(); w.Code != 200 || got == nil || *got != (tool.Access{UserAgent: "whale/1", Username: "u", Password: "p", Bearer: "b", Cookie: "c=d"}) {
		t.Errorf("%d %s: %#v", w.Code, w.Body, got)
	}
	if w := do(s, "POST", "/v1/tools/echo_text", `{"text":"a"}`); w.Code != 200 || f.access.Load() != nil {
		t.Errorf("nothing given: %d, %#v", w.Code, f.access.Load())
	}
	if w := do(s, "POST", "/v1/tools/echo_text", `{"text":"a","bearer":5}`); w.Code != 400 || !strings.Contains(w.Body.String(), `field \"bearer\" is not a string`) {
		t.Errorf("a number: %d %s", w.Code, w.Body)
	}
	if w := do(s, "POST", "/v1/tools/fail", `{"type":"Timeout","bearer":"s3cr3t"}`); w.Code != 400 || strings.Contains(w.Body.String(), "s3cr3t") {
		t.Errorf("a tool that does not use it: %d %s", w.Code, w.Body)
	}
}

// FuzzCall: whatever is sent to a tool is answered with JSON, and is never a
// fault of the server.
func FuzzCall(f *testing.F) {
	s := newServer(f, Options{Tools: []string{"echo_text"}})
	f.Add("echo_text", "text=a&list=b", `{"text":"a"}`, "application/json")             // a call
	f.Add("EchoText", "a;b=%zz", `{"bearer":{},"text":1}`, "")                          // fields of a wrong type
	f.Add("x/../echo_text", "", `"{\"text\":\"a\",\"cookie\":\"=\"}"`, "a/b+json;c=\"") // an object in a string
	f.Add("%2e%2e", "&&==", "\x00\xff{", "multipart/form-data; boundary=")              // nothing that means anything
	f.Fuzz(func(t *testing.T, name, query, body, media string) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r := httptest.NewRequest(method, "/", strings.NewReader(body))
			r.Host, r.URL.Path, r.URL.RawQuery = "localhost", "/v1/tools/"+name, query
			r.Header.Set("Content-Type", media)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if w.Code/100 != 3 && !json.Valid(w.Body.Bytes()) {
				t.Errorf("no JSON: %s", w.Body)
			}
		}
	})
}

// BenchmarkCall is a call from the request to the answer, without the network
// and without the work of a tool.
func BenchmarkCall(b *testing.B) {
	s := newServer(b, Options{Tokens: tokensOf(b, "sesame")})
	body := `{"text":"` + strings.Repeat("a", 10_000) + `"}`
	b.ReportAllocs()
	for b.Loop() {
		if w := do(s, "POST", "/v1/tools/echo_text", body, "Authorization", "Bearer sesame"); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
