package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_log.md
var browserLogText string

// logAnswer has the last lines of a page's log.
type logAnswer struct {
	Lines   []string `json:"lines"`
	Total   int      `json:"total"`
	Tab     string   `json:"tab"`
	Context string   `json:"context"`
}

func browserLog(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_log",
		Title:       "Log",
		Description: browserLogText,
		Input: input(ignored("static", "includeStatic", "all"),
			tool.String("what", "").OneOf("console", "network").WithDefault("console"),
			tool.String("filter", "lines that hold this"),
			tool.String("level", "").OneOf(logLevels()...).Unlist(),
		),
		Data: placeForm(
			tool.Array("lines", "the last ones, the oldest first", tool.Text()),
			tool.Integer("total", "how many lines there were")),
		Annotations: tool.Annotations{ReadOnly: true},
		Variants: []tool.Variant{
			{Name: "browser_console_messages"},
			{Name: "browser_network_requests", Args: tool.Arguments{"what": "network"}},
		},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			j, err := o.Browser.Journal(ctx, o.place(c), c.Args.String("what"), c.Args.String("filter"))
			if err != nil {
				return tool.Result{}, err
			}
			return journalResult(j, c.Args.String("level")), nil
		},
	})
}

func journalResult(j browser.Journal, level string) tool.Result {
	lines := slices.DeleteFunc(j.Lines, func(l string) bool { return !atLevel(l, level) })
	const shown = 60
	n := len(lines)
	lines = lines[max(0, n-shown):]
	head := fmt.Sprintf("the last %d of %d lines; tab %s; context %s", len(lines), n+j.Dropped, j.Place.Tab, j.Place.Context)
	if len(lines) < n {
		head += "; filter finds others"
	}
	return tool.Result{Text: head + "\n" + tool.Fence(strings.Join(lines, "\n")), Data: logAnswer{append([]string{}, lines...), n + j.Dropped, j.Place.Tab, j.Place.Context}}
}

// logLevels are the levels of Playwright's tool, the most severe first; each
// holds those before it.
func logLevels() []string { return []string{"error", "warning", "info", "debug"} }

// atLevel reports whether a line of the console is as severe as a level; an
// empty one takes all.
func atLevel(line, level string) bool {
	kind, _, _ := strings.Cut(line, ":")
	of := len(logLevels()) - 1
	switch kind {
	case "error", "exception", "assert":
		of = 0
	case "warning":
		of = 1
	case "log", "info":
		of = 2
	}
	return level == "" || of <= slices.Index(logLevels(), level)
}
