package inflight_test

import (
	"context"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/inflight"
)

func ExampleGroup() {
	var squares inflight.Group[int, int]
	square, shared, err := squares.Do(context.Background(), 12, func(context.Context) (int, error) { return 12 * 12, nil })
	fmt.Println(square, shared, err, squares.Len())
	// Output: 144 false <nil> 0
}
