package browser

import (
	"context"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// mostDescribed bounds the elements of a list that are looked up one by one.
const mostDescribed = 500

// idsOf returns the ids of the first n elements of a list in our world, which is an expression:
// where slots change the order of elements, their places do not tell which they are. It asks for
// all at once, because a page that is busy takes its time for each question.
func (t *tab) idsOf(ctx context.Context, list string, n int) ([]int64, error) {
	defer func() {
		_ = do(ctx, t.main, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}()
	w, err := t.main.world(ctx, cdp.FrameID(t.target))
	if err != nil {
		return nil, err
	}
	object, err := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: list + ".slice(0, " + strconv.Itoa(n) + ")", ObjectGroup: world})
	if err != nil {
		return nil, err
	}
	members, err := call(ctx, t.main, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: object.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil, err
	}
	ids := make([]int64, n)
	waits := make([]func(context.Context, any) error, n)
	for _, m := range members.Result {
		if k, err := strconv.Atoi(m.Name); err == nil && k >= 0 && k < n && m.Value != nil {
			waits[k] = t.main.post(ctx, dom.DescribeNode.Method, dom.DescribeNodeParams{ObjectID: m.Value.ObjectID})
		}
	}
	for k, wait := range waits {
		var found struct {
			Node struct {
				ID int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if wait != nil && wait(ctx, &found) == nil {
			ids[k] = found.Node.ID
		}
	}
	return ids, ctx.Err()
}
