package spyhop_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

// TestExamples: each operation of a Client has an example.
func TestExamples(t *testing.T) {
	b, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	client := reflect.TypeFor[*spyhop.Client]()
	for i := range client.NumMethod() {
		if name := client.Method(i).Name; name != "Close" && !strings.Contains(text, "\nfunc ExampleClient_"+name+"()") {
			t.Errorf("Client.%s has no example", name)
		}
	}
}

// TestOutside builds and runs a program of another module: what it needs for a
// tool of its own, a plan and the comparison of errors has names outside of
// this module's internal packages.
func TestOutside(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.work":     "go 1.26.0\n\nuse (\n\t./app\n\t" + here + "\n)\n",
		"app/go.mod":  "module example.com/app\n\ngo 1.26.0\n",
		"app/main.go": outsideProgram,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "run", ".")
	c.Dir = filepath.Join(dir, "app")
	c.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=")
	out, err := c.CombinedOutput()
	if want := "NOBODY ON DECK SPOKE\ntrue\n1 problem\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

const outsideProgram = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop"
)

func shout(_ context.Context, c spyhop.ToolCall) (spyhop.CallResult, error) {
	if c.Args.String("text") == "" {
		return spyhop.CallResult{}, spyhop.NewError(spyhop.InvalidInput, "there is no text", "")
	}
	return spyhop.CallResult{Text: strings.ToUpper(c.Args.String("text"))}, nil
}

func main() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		panic(err)
	}
	defer client.Close()
	err = client.Register(spyhop.Tool{Name: "shout", Description: "Say it louder.", Level: spyhop.LevelRead, Handler: shout,
		Input: spyhop.Object(spyhop.String("text", "what to say").Require()), Output: spyhop.Text()})
	if err != nil {
		panic(err)
	}
	r, err := client.Call(context.Background(), "shout", json.RawMessage(` + "`{\"text\":\"nobody on deck spoke\"}`" + `), spyhop.CallOptions{})
	fmt.Println(r.Text)
	_, err = client.Fetch(context.Background(), spyhop.FetchRequest{URL: "http://10.0.0.1/"})
	var e *spyhop.Error
	fmt.Println(errors.As(err, &e) && e.Type == spyhop.Blocked)
	plan, err := spyhop.ParsePlan([]byte(` + "`{\"steps\":[{\"id\":\"a\",\"tool\":\"shout\",\"args\":{\"txt\":\"x\",\"text\":\"y\"}}]}`" + `))
	if err != nil {
		panic(err)
	}
	fmt.Println(len(client.Catalog().CheckPlan(plan)), "problem")
}
`
