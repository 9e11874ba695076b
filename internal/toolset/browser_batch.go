package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// maxBatch bounds the steps of a batch, as those of a plan.
const maxBatch = tool.MaxPlanSteps

// browserBatch runs other tools of the catalog, one after the other.
func browserBatch(o Options, catalog *tool.Catalog) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:  "browser_batch",
		Title: "Several steps",
		Input: tool.Object(tool.Array("steps", "", tool.Object(
			tool.String("tool", "").Require(),
			tool.Member("args", "", tool.Schema{Type: tool.TypeObject, Open: true}),
		)).Require()),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			var args struct{ Steps []batchStep }
			if err := c.Args.Decode(&args); err != nil {
				return tool.Result{}, err
			}
			return o.batch(ctx, c, catalog, args.Steps)
		},
	})
}

// batchStep is a call of a browser tool.
type batchStep struct {
	Tool string
	Args map[string]any
}

// checkBatch returns the error of steps that cannot be run, before any is.
func checkBatch(catalog *tool.Catalog, steps []batchStep) error {
	if len(steps) == 0 || len(steps) > maxBatch {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("the batch has %s; it takes 1 to %d, and none was done", text.Count(len(steps), "step"), maxBatch), "do them in several calls")
	}
	for i, s := range steps {
		d, e := catalog.Find(s.Tool)
		if e != nil {
			return &tool.Error{Type: e.Type, Message: fmt.Sprintf("step %d of the batch: %s; no step was done", i+1, e.Message), Hint: e.Hint}
		}
		if d.Kind != tool.Browser || d.Name == "browser_batch" {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("step %d of the batch: %s cannot be a step; no step was done", i+1, text.Name(s.Tool)), "steps are tools of the browser, such as browser_type and browser_click")
		}
	}
	return nil
}

func (o Options) batch(ctx context.Context, c tool.Call, catalog *tool.Catalog, steps []batchStep) (tool.Result, error) {
	if err := checkBatch(catalog, steps); err != nil {
		return tool.Result{}, err
	}
	at := o.place(c)
	mark, err := o.Browser.Mark(ctx, at)
	if err != nil && !errors.Is(err, browser.ErrNothingOpen) {
		return tool.Result{}, err
	}
	var out tool.Result
	var notices, dialogs, read []string
	for i, s := range steps {
		r, err := s.do(ctx, c.Options, catalog, at)
		c.Report(tool.Progress{Message: s.Tool, Done: int64(i + 1), Total: int64(len(steps))})
		if err != nil {
			return out, o.stopped(ctx, at, mark, i, steps, err)
		}
		out.Pictures = append(out.Pictures, r.Pictures...)
		d, _ := catalog.Lookup(s.Tool)
		if page, ok := r.Data.(result.BrowserPage); ok && d.Permission == tool.Interactive {
			dialogs = append(dialogs, page.Dialogs...)
			for _, n := range page.Notices {
				if n != browser.NothingChanged && !slices.Contains(notices, n) {
					notices = append(notices, n)
				}
			}
		} else if d.Name != "navigate_to_url" {
			read = append(read, fmt.Sprintf("Step %d, %s:\n%s", i+1, d.Name, r.Text))
		}
	}
	ch, err := o.Browser.Since(ctx, at, mark)
	if errors.Is(err, browser.ErrNothingOpen) { // a step has closed it
		out.Text = strings.Join(append(read, text.Count(len(steps), "step")+" done"), "\n")
		return out, nil
	}
	if err != nil {
		return out, err
	}
	ch.Notices = append(append([]string{text.Count(len(steps), "step") + " done"}, notices...), ch.Notices...)
	ch.Dialogs = append(dialogs, ch.Dialogs...)
	done := answerOf(ch.Page, ch.Text).result()
	out.Data = done.Data
	out.Text = strings.Join(append(read, done.Text), "\n")
	return out, nil
}

// do does a step, in the place of the batch where the step names none.
func (s batchStep) do(ctx context.Context, options tool.Options, catalog *tool.Catalog, at browser.Place) (tool.Result, error) {
	args := maps.Clone(s.Args)
	if args == nil {
		args = make(map[string]any)
	}
	for name, value := range map[string]string{"tab": at.Tab, "context": at.Context} {
		if _, has := args[name]; value != "" && !has {
			args[name] = value
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, err
	}
	options.Progress = nil
	return catalog.Call(ctx, s.Tool, raw, options)
}

// stopped is the error of a step, with what the steps before it have changed.
func (o Options) stopped(ctx context.Context, at browser.Place, mark *browser.Mark, i int, steps []batchStep, err error) error {
	e := *tool.AsError(err)
	e.Message = fmt.Sprintf("step %d of %d (%s): %s", i+1, len(steps), text.Name(steps[i].Tool), e.Message)
	if i == 0 {
		e.Message += "; no step was done"
		return &e
	}
	done := "step 1 was done"
	if i > 1 {
		done = fmt.Sprintf("steps 1 to %d were done", i)
	}
	e.Hint = strings.TrimPrefix(e.Hint+"; "+done, "; ")
	if ch, failed := o.Browser.Since(ctx, at, mark); failed == nil {
		e.Hint += "; what they changed:\n" + tool.Fence(strings.TrimSuffix(ch.Text, "\n"))
	}
	return &e
}
