package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the streams come to")

// wireOf is the wire that a case or a fuzz target is named after.
func wireOf(name string) wire {
	if strings.HasPrefix(name, "anthropic") {
		return messages{}
	}
	return chat{}
}

// outcome is a reply or an error as a case has it.
func outcome(r *llm.Reply, err error) string {
	var e *Error
	if errors.As(err, &e) {
		return fmt.Sprintf("error %s: %s\n", e.Code, e.Cause)
	}
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "text %q\n", r.Text)
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "call %s %s %s", c.ID, c.Name, c.Args)
		if c.State != "" {
			fmt.Fprintf(&b, " state %s", c.State)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "stop %s, read %d, wrote %d, estimated %t, model %s\n", r.Stop, r.Usage.In, r.Usage.Out, r.Usage.Estimated, r.Model)
	return b.String()
}

// TestStreams reads what endpoints send: the form of each wire, and what is
// wrong with it. The streams were written by hand after the interfaces'
// documents; none is a recording.
func TestStreams(t *testing.T) {
	files, err := filepath.Glob("testdata/stream/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var stream, want string
			for _, f := range a.Files {
				switch f.Name {
				case "stream":
					stream = string(f.Data)
				case "want":
					want = string(f.Data)
				}
			}
			got := outcome(readStream(wireOf(name), strings.NewReader(stream), &llm.Request{}))
			if *update {
				a.Files = []txtar.File{a.Files[0], {Name: "want", Data: []byte(got)}}
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestStreamBounds: our bounds end a stream that does not end.
func TestStreamBounds(t *testing.T) {
	chunk := func(delta string) string { return `data: {"choices":[{"delta":` + delta + `}]}` + "\n\n" }
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	calls := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"x","arguments":"{}"}}]}`, i, i)))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		stream string
		tokens int
	}{
		"text":            {many(chunk(`{"content":"`+many("x", 1000)+`"}`), 10), 100},
		"a line":          {"data: " + many("x", maxEvent+1), 0},
		"lines of one":    {many("data: "+many("x", 1<<20)+"\n", 5), 0},
		"empty events":    {many(":\n\n", maxStream/3+1), 0},
		"calls":           {calls(maxCalls + 1), 0},
		"one call's args": {many(chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"`+many("x", 64<<10)+`"}}]}`), tool.MaxArgumentBytes/(64<<10)+1), 0},
		"many calls' args": {chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"`+many("x", tool.MaxArgumentBytes/2+1)+`"}}]}`) +
			chunk(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"x","arguments":"`+many("x", tool.MaxArgumentBytes/2+1)+`"}}]}`), 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readStream(chat{}, strings.NewReader(c.stream), &llm.Request{MaxTokens: c.tokens})
			var e *Error
			if !errors.As(err, &e) || e.Code != Endless {
				t.Errorf("%v, want %s", err, Endless)
			}
		})
	}
	if _, err := readStream(chat{}, strings.NewReader(calls(maxCalls)+chunk(`{}`)+`data: {"choices":[{"finish_reason":"tool_calls"}]}`), &llm.Request{}); err != nil {
		t.Errorf("as many calls as are allowed: %v", err)
	}
}

// FuzzChat and FuzzMessages feed the readers of the two streams with anything.
func FuzzChat(f *testing.F)     { fuzz(f, "openai") }
func FuzzMessages(f *testing.F) { fuzz(f, "anthropic") }

func fuzz(f *testing.F, name string) {
	files, err := filepath.Glob("testdata/stream/" + name + "-*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data, false)
	}
	w := wireOf(name)
	f.Fuzz(func(t *testing.T, data []byte, schema bool) {
		q := &llm.Request{MaxTokens: 16}
		if schema {
			q.Schema = json.RawMessage(`{"type":"array"}`)
		}
		for _, read := range []func() (*llm.Reply, error){
			func() (*llm.Reply, error) { return readStream(w, bytes.NewReader(data), q) },
			func() (*llm.Reply, error) { return readPlain(w, bytes.NewReader(data), q) },
		} {
			r, err := read()
			var e *Error
			switch {
			case err != nil && !errors.As(err, &e):
				t.Fatalf("an error that is not an *Error: %v", err)
			case err == nil && (r.Stop == "" || r.Usage.In < 0 || r.Usage.Out < 0 || len(r.Calls) > maxCalls || len(r.Text) > 3*max(16*bytesPerToken, tool.MaxArgumentBytes)):
				t.Fatalf("a reply out of bounds: %+v", r)
			}
			if err != nil {
				continue
			}
			// What came back can be sent again.
			c := &Client{provider: provider{wire: w}, model: "m"}
			next := llm.Request{Messages: []llm.Message{r.Message(), {Results: []llm.CallResult{{ID: "x", Text: "y"}}}}}
			if _, _, body := w.request(c, &next); body != nil {
				if _, err := json.Marshal(body); err != nil {
					t.Fatalf("the turn cannot be written: %v", err)
				}
			}
		}
	})
}
