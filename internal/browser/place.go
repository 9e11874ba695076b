package browser

import (
	"context"
	"fmt"

	"github.com/spyhop-dev/spyhop/tool"
)

// A Point is a place on a page, in CSS pixels from its upper left corner. A picture of the
// full page has the same coordinates; one of the window begins where the page is scrolled to.
type Point struct{ X, Y float64 }

// pointOf returns where a point of the page is in the window.
func (t *tab) pointOf(ctx context.Context, at Point) (point, error) {
	var is [4]float64
	if err := t.ask(ctx, &is, fmt.Sprintf("%s(%g, %g)", script("point"), at.X, at.Y)); err != nil {
		return point{}, err
	}
	if at.X < 0 || at.Y < 0 || at.X >= is[0] || at.Y >= is[1] {
		return point{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the point %g,%g is not on the page, which is %g pixels wide and %g high", at.X, at.Y, is[0], is[1]),
			"take_web_screenshot with full_page shows the page in these pixels")
	}
	return point{is[2], is[3]}.whole(), nil
}
