package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spyhop-dev/spyhop/tool"
)

func ExampleCatalog_Call() {
	catalog := tool.NewCatalog()
	err := catalog.Register(tool.Declaration{
		Name:        "count_words",
		Description: "Count the words of a text.",
		Level:       tool.Read,
		Input:       tool.Object(tool.String("text", "the text").Require(), tool.Integer("limit", "stop here").WithDefault(100)),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: fmt.Sprintf("%s, up to %d", c.Args.String("text"), c.Args.Int("limit"))}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := catalog.Call(context.Background(), "countWords", json.RawMessage(`{"text":"a b","limit":"7"}`), tool.Options{})
	fmt.Println(r.Text, err)
	_, err = catalog.Call(context.Background(), "count_words", json.RawMessage(`{"txt":"a b"}`), tool.Options{})
	fmt.Println(tool.AsError(err).Text())
	// Output:
	// a b, up to 7 <nil>
	// argument "txt" is unknown
	// did you mean "text"?
}

func ExampleDeclaration_PromptLine() {
	d := tool.Declaration{
		Name:        "web_browse",
		Description: "Browse a website and return content as Markdown.",
		Input:       tool.Object(tool.String("url", "the address to read").Require()),
		Output:      tool.Text(),
	}
	fmt.Println(d.PromptLine())
	// Output:
	// - web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str
}

func ExampleNearest() {
	fmt.Println(tool.Nearest("maxlenght", []string{"max_length", "mode"}))
	// Output: max_length
}
