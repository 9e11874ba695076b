package result

import (
	"encoding/json"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// The JSON form is the same on every surface: members that are not known are
// left out, and those that a program needs in any case are there.
func TestJSON(t *testing.T) {
	two := 2
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"a page": {&Fetch{URL: "https://example.com/", Verdict: VerdictComplete, NextStartIndex: &two},
			`{"success":false,"url":"https://example.com/","final_url":"","title":"","page_type":"","verdict":"complete","next_start_index":2,"truncated":false,"omitted":{"words":0,"blocks":0},` +
				`"upstream_status":0,"metadata":{"content_type":"","content_length":0,"cached":false,"rendered":false,"version":"","tokens":0,"hidden_check":"","timings":{"fetch_ms":0,"read_ms":0}}}`},
		"pages":        {FetchAll{Results: []*Fetch{}}, `{"results":[]}`},
		"a search":     {Search{Results: []Hit{}, Notices: []string{"clamped"}}, `{"results":[],"provider":"","cached":false,"notices":["clamped"]}`},
		"a step":       {Step{N: 1, Tool: "web_fetch", Title: "Fetch", Args: json.RawMessage(`{}`)}, `{"n":1,"tool":"web_fetch","args":{},"chars":0,"ms":0}`},
		"a step fails": {Step{N: 1, Tool: "x", Err: tool.NewError(tool.Blocked, "no", "")}, `{"n":1,"tool":"x","chars":0,"ms":0,"error":{"error":true,"error_type":"Blocked","error_message":"no","retry_possible":false}}`},
		"a quote":      {Quote{Text: "fog"}, `{"text":"fog","verified":false}`},
		"an event":     {Event{Kind: EventDecision, Decision: Block}, `{"time":"0001-01-01T00:00:00Z","kind":"verdict","decision":"block","bytes":0,"ms":0}`},
	} {
		if got, err := json.Marshal(c.value); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		(&Fetch{Metadata: Metadata{ReadAs: "raw file", ReadFrom: "https://raw.example.com/a/b"}}).ReadAs(): "raw file from raw.example.com",
		(&Fetch{}).ReadAs():                            "",
		(&Fetch{Content: "c"}).Body():                  "c",
		(&Fetch{Content: "c", Markdown: "m"}).Body():   "m",
		Source{N: 2, URL: "https://e.com/"}.String():   "[2] https://e.com/",
		Source{1, "https://e.com/", "E", "v"}.String(): "[1] E, https://e.com/",
		Changes{}.String():                             "not modified",
		Changes{Added: 1, Removed: 2}.String():         "1 added, 2 removed, 0 changed",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for v, want := range map[Verdict]bool{VerdictThin: true, VerdictComplete: true, VerdictPartial: true, VerdictDead: false, "": false} {
		if v.Success() != want {
			t.Error(v)
		}
	}
}
