package toolset

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// logAnswer has the last lines of a page's log.
type logAnswer struct {
	Lines   []string `json:"lines"`
	Total   int      `json:"total"`
	Tab     string   `json:"tab"`
	Context string   `json:"context"`
}

func browserLog(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "browser_log",
		Title: "Log",
		Input: input(ignored("static", "includeStatic", "all"),
			tool.String("what", "").OneOf("console", "network", "har", "script", "trace").WithDefault("console"),
			tool.String("filter", "lines with this"),
			tool.Integer("request", "12 for #12"),
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
			if c.Args.Has("request") {
				n := c.Args.Int("request")
				x, err := o.Browser.Exchange(ctx, o.place(c), n)
				if err != nil {
					return tool.Result{}, err
				}
				return exchangeResult(x, n, c.AnswerLimit()), nil
			}
			switch c.Args.String("what") {
			case "har":
				return o.har(ctx, c)
			case "script":
				return o.script(ctx, c)
			case "trace":
				return o.trace(ctx, c)
			}
			j, err := o.Browser.Journal(ctx, o.place(c), c.Args.String("what"), c.Args.String("filter"))
			if err != nil {
				return tool.Result{}, err
			}
			return journalResult(j, c.Args.String("level"), c.AnswerLimit()), nil
		},
	})
}

// har is the answer with the requests of a tab as a file.
func (o Options) har(ctx context.Context, c tool.Call) (tool.Result, error) {
	h, err := o.Browser.HAR(ctx, o.place(c))
	if err != nil {
		return tool.Result{}, err
	}
	line := fmt.Sprintf("%s as HAR in %s", text.Count(h.Pages, "request"), text.Path(h.Path))
	return tool.Result{Text: fmt.Sprintf("%s; tab %s; context %s", line, text.Name(h.Tab), text.Name(h.Context)), File: h.Path,
		Data: logAnswer{[]string{line}, h.Pages, h.Tab, h.Context}}, nil
}

// script is the answer with the session as a Playwright test.
func (o Options) script(ctx context.Context, c tool.Call) (tool.Result, error) {
	code, where, err := o.Browser.Script(ctx, o.place(c))
	if err != nil {
		return tool.Result{}, err
	}
	lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
	return tool.Result{Text: fmt.Sprintf("tab %s; context %s\n%s", text.Name(where.Tab), text.Name(where.Context), tool.Fence(strings.TrimSuffix(code, "\n"))),
		Data: logAnswer{lines, len(lines), where.Tab, where.Context}}, nil
}

// trace is the answer with the steps and their pictures as a file.
func (o Options) trace(ctx context.Context, c tool.Call) (tool.Result, error) {
	h, err := o.Browser.Trace(ctx, o.place(c))
	if err != nil {
		return tool.Result{}, err
	}
	line := "a picture is taken after each step from now on; call again for the file"
	if h.Path != "" {
		line = fmt.Sprintf("%s in %s", text.Count(h.Pages, "step"), text.Path(h.Path))
	}
	return tool.Result{Text: fmt.Sprintf("%s; tab %s; context %s", line, text.Name(h.Tab), text.Name(h.Context)), File: h.Path,
		Data: logAnswer{[]string{line}, h.Pages, h.Tab, h.Context}}, nil
}

// journalResult is the answer of the last lines of a level that have room within
// so many bytes; 0 means no limit.
func journalResult(j browser.Journal, level string, limit int) tool.Result {
	all := slices.DeleteFunc(j.Lines, func(l string) bool { return !atLevel(l, level) })
	const shown = 60
	total := len(all) + j.Dropped
	all = foldRepeats(all)
	for lines := all[max(0, len(all)-shown):]; ; lines = lines[1:] {
		head := fmt.Sprintf("the last %d of %s; tab %s; context %s", len(lines), text.Count(total, "line"), text.Name(j.Place.Tab), text.Name(j.Place.Context))
		if len(lines) < len(all) {
			head += "; filter finds others"
		}
		text := head + "\n" + tool.Fence(strings.Join(lines, "\n"))
		if limit == 0 || len(text) < limit || len(lines) <= 1 {
			return tool.Result{Text: text, Data: logAnswer{append([]string{}, lines...), total, j.Place.Tab, j.Place.Context}}
		}
	}
}

// foldRepeats keeps the last of lines in a row that say the same, but for where in a script it was said, with
// their number.
func foldRepeats(lines []string) []string {
	var out []string
	before, n := "", 1
	for _, l := range lines {
		said, _, _ := strings.Cut(l, " at http")
		if len(out) > 0 && said == before {
			n++
			out[len(out)-1] = fmt.Sprintf("%s (%d times)", l, n)
			continue
		}
		out, before, n = append(out, l), said, 1
	}
	return out
}

// exchangeResult is the answer about one request within so many bytes; 0 means no limit.
func exchangeResult(x browser.Exchange, number, limit int) tool.Result {
	head := fmt.Sprintf("request #%d; tab %s; context %s\n", number, text.Name(x.Place.Tab), text.Name(x.Place.Context))
	for shown := x.Text; ; shown = text.CutBytes(shown, len(shown)*9/10) {
		out := head + tool.Fence(strings.TrimSuffix(shown, "\n"))
		if limit == 0 || len(out) < limit || len(shown) < 100 {
			lines := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
			return tool.Result{Text: out, Data: logAnswer{lines, len(lines), x.Place.Tab, x.Place.Context}}
		}
	}
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
