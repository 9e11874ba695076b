package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/spyhop-dev/spyhop/tool"
)

// What comes on a line, and what is answered. Whatever is no message is
// answered and passed over.
func TestStdioLines(t *testing.T) {
	o, _ := fixture(t)
	for _, c := range []struct {
		name string
		line string
		want string // of the answer; empty: there is none
	}{
		{"no JSON", `{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"a batch", `[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"no request", `{"id":5,"what":1}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32600,`},
		{"an id of a wrong type", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"too long", `{"x":"` + strings.Repeat("y", maxBodyBytes) + `"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is longer than`},
		{"a byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"result":{}}`},
		{"an empty line", ``, ``},
		{"white space around", "  " + `{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\r", `{"jsonrpc":"2.0","id":6,"result":{}}`},
		{"a method that is none", `{"jsonrpc":"2.0","id":7,"method":"tools/burn"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,`},
		{"params of a wrong type", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[1]}`, `{"jsonrpc":"2.0","id":8,"error":{"code":`},
		{"a call", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"say_it","arguments":{"word":"ho"}}}`, `said ho`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, to := io.Pipe()
			from, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- Stdio(context.Background(), in, out, o) }()
			answers := bufio.NewReader(from)
			ask := func(line string) string {
				go io.WriteString(to, line+"\n")
				answer, err := answers.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
			ask(initializeBody)
			if c.want == "" {
				io.WriteString(to, c.line+"\n")
			} else if got := ask(c.line); !strings.Contains(got, c.want) {
				t.Errorf("%.300s, want %s", got, c.want)
			}
			if got := ask(`{"jsonrpc":"2.0","id":99,"method":"ping"}`); !strings.Contains(got, `"id":99,"result"`) {
				t.Errorf("it does not go on: %s", got)
			}
			to.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// A program may write its requests, close, and read the answers. What takes
// longer than the grace is cancelled.
func TestStdioEnd(t *testing.T) {
	const call = initializeBody + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}` + "\n"
	t.Run("answers first", func(t *testing.T) {
		o, p := fixture(t)
		o.Grace = time.Hour
		go func() {
			<-p.started
			close(p.let)
		}()
		var out bytes.Buffer
		if err := Stdio(t.Context(), strings.NewReader(call), &out, o); err != nil || !strings.Contains(out.String(), "slept") {
			t.Errorf("%v %s", err, out.String())
		}
	})
	t.Run("not for ever", func(t *testing.T) {
		o, p := fixture(t)
		o.Grace = time.Millisecond
		var out bytes.Buffer
		err := Stdio(t.Context(), io.MultiReader(strings.NewReader(call), endsAfter{p.started}), &out, o)
		if ended := <-p.ended; err != nil || !errors.Is(ended, context.Canceled) {
			t.Errorf("%v %v", err, ended)
		}
	})
	t.Run("when it is told to", func(t *testing.T) {
		o, p := fixture(t)
		ctx, cancel := context.WithCancel(t.Context())
		in, to := io.Pipe()
		go io.WriteString(to, call)
		go func() {
			<-p.started
			cancel()
		}()
		err := Stdio(ctx, in, io.Discard, o)
		if ended := <-p.ended; err != nil || !errors.Is(ended, context.Canceled) {
			t.Errorf("%v %v", err, ended)
		}
		if _, err := to.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the input is still open: %v", err)
		}
	})
	t.Run("when nobody reads", func(t *testing.T) {
		o, _ := fixture(t)
		if err := Stdio(t.Context(), io.MultiReader(strings.NewReader(call), forever{}), broken{}, o); err == nil {
			t.Error("no error")
		}
	})
}

// endsAfter is an input that ends when something has happened.
type endsAfter struct{ happened <-chan struct{} }

func (e endsAfter) Read([]byte) (int, error) {
	<-e.happened
	return 0, io.EOF
}

// forever is an input that is silent.
type forever struct{}

func (forever) Read([]byte) (int, error) { select {} }

// broken is an output that is closed.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestReadLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"", "EOF"},
		{"a\nb\n", "a|b|EOF"},
		{"a\n\n b \r\nc", "a||b|c|EOF"},
		{"123456789\n1\n", "long|1|EOF"},
		{"1234567\n", "1234567|EOF"},
		{strings.Repeat("x", 100) + "\nok", "long|ok|EOF"},
		{strings.Repeat("x", 100), "long|EOF"},
	} {
		r := bufio.NewReaderSize(strings.NewReader(c.in), 16)
		var got []string
		for len(got) < 10 {
			line, err := readLine(r, 8)
			switch {
			case errors.Is(err, errLong):
				got = append(got, "long")
				continue
			case err != nil:
				got = append(got, fmt.Sprint(err))
			default:
				got = append(got, string(line))
				continue
			}
			break
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, want %s", c.in, s, c.want)
		}
	}
}

// Any line is a message or has an answer that is JSON-RPC.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(initializeBody))
	f.Add([]byte(`{"jsonrpc":"2.0","id":null,"method":"x"}`)) // null is no id
	f.Add([]byte(`[1]`))
	f.Add([]byte(`{"id":1e400}`)) // a number that no float holds
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.TrimSpace(data)
		if len(data) == 0 {
			return
		}
		m, err := decode(data)
		if (m == nil) == (err == nil) {
			t.Fatalf("%v and %v", m, err)
		}
		var e *jsonrpc.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T", err)
		}
		if err != nil && !bytes.HasPrefix(errorMessage(idOf(data), e), []byte(`{"jsonrpc":"2.0","id":`)) {
			t.Fatal("no response")
		}
	})
}

// A call that its client has cancelled has no answer.
func TestStdioCancelled(t *testing.T) {
	o, _ := fixture(t)
	started := make(chan struct{})
	d := tool.Declaration{Name: "waits", Title: "Waits", Description: "Waits.", Level: tool.Read, Profile: tool.Core,
		Handler: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			close(started)
			<-ctx.Done()
			return tool.Result{Text: "over"}, nil
		}}
	d.Input = tool.Object()
	if err := o.Catalog.Register(d); err != nil {
		t.Fatal(err)
	}
	in, to := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Stdio(context.Background(), in, out, o); out.Close() }()
	answers := bufio.NewScanner(from)
	send := func(lines ...string) { go io.WriteString(to, strings.Join(lines, "\n")+"\n") }
	send(initializeBody)
	answers.Scan()
	send(`{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":"waits","arguments":{}}}`)
	<-started
	io.WriteString(to, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":41}}`+"\n")
	io.WriteString(to, `{"jsonrpc":"2.0","id":42,"method":"ping"}`+"\n")
	go to.Close()
	for answers.Scan() {
		if strings.Contains(answers.Text(), `"id":41`) {
			t.Errorf("a cancelled call is answered: %s", answers.Text())
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
