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

var update = flag.Bool("update", false, "rewrite what the replies come to")

// wireOf is the wire that a case or a fuzz target is named after.
func wireOf(name string) wire {
	if strings.HasPrefix(name, "anthropic") {
		return messages{}
	}
	return chat{}
}

// outcome is a reply or an error as a case has it.
func outcome(r *llm.Reply, err error) string {
	var e *replyError
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

// TestReplies reads what endpoints send: the form of each wire, and what is
// wrong with it. The bodies were written by hand after the interfaces'
// documents; none is a recording.
func TestReplies(t *testing.T) {
	files, err := filepath.Glob("testdata/reply/*.txtar")
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
			var body, want string
			for _, f := range a.Files {
				switch f.Name {
				case "body":
					body = string(f.Data)
				case "want":
					want = string(f.Data)
				}
			}
			got := outcome(read(wireOf(name), []byte(strings.TrimSuffix(body, "\n")), &llm.Request{}))
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

// TestReplyBounds: what is longer than a reply can be is none.
func TestReplyBounds(t *testing.T) {
	body := func(message string) string {
		return `{"choices":[{"message":` + message + `,"finish_reason":"stop"}]}`
	}
	calls := func(n, size int) string {
		one := `{"id":"c","function":{"name":"x","arguments":"` + strings.Repeat("x", size) + `"}}`
		return body(`{"tool_calls":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}`)
	}
	for name, c := range map[string]struct {
		body   string
		tokens int
	}{
		"text":             {body(`{"content":"` + strings.Repeat("x", 10_000) + `"}`), 100},
		"calls":            {calls(maxCalls+1, 2), 0},
		"one call's args":  {calls(1, tool.MaxArgumentBytes+1), 0},
		"many calls' args": {calls(2, tool.MaxArgumentBytes/2+1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(chat{}, []byte(c.body), &llm.Request{MaxTokens: c.tokens})
			var e *replyError
			if !errors.As(err, &e) || e.Code != endless {
				t.Errorf("%v, want %s", err, endless)
			}
		})
	}
	if _, err := read(chat{}, []byte(calls(maxCalls, 2)), &llm.Request{}); err != nil {
		t.Errorf("as many calls as are allowed: %v", err)
	}
}

// FuzzChat and FuzzMessages feed the readers of the two wires with anything.
func FuzzChat(f *testing.F)     { fuzz(f, "openai") }
func FuzzMessages(f *testing.F) { fuzz(f, "anthropic") }

func fuzz(f *testing.F, name string) {
	files, err := filepath.Glob("testdata/reply/" + name + "-*.txtar")
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
		r, err := read(w, data, q)
		var e *replyError
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("an error that is not a *replyError: %v", err)
		case err == nil && (r.Stop == "" || r.Usage.In < 0 || r.Usage.Out < 0 || len(r.Calls) > maxCalls || len(r.Text) > 3*max(16*bytesPerToken, tool.MaxArgumentBytes)):
			t.Fatalf("a reply out of bounds: %+v", r)
		}
		if err != nil {
			return
		}
		// What came back can be sent again.
		c := &Client{provider: provider{wire: w}, model: "m"}
		next := llm.Request{Messages: []llm.Message{r.Message(), {Results: []llm.CallResult{{ID: "x", Text: "y"}}}}}
		if _, _, body := w.request(c, &next); body != nil {
			if _, err := json.Marshal(body); err != nil {
				t.Fatalf("the turn cannot be written: %v", err)
			}
		}
	})
}
