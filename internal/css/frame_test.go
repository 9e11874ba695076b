package css

import (
	"slices"
	"testing"
)

func TestFrames(t *testing.T) {
	const w, h = 200, 100
	for _, c := range []struct {
		widths, colors string
		want           Frame
		ok             bool
	}{
		{"10px", "rgb(255, 255, 255)", Frame{Edges{0, 0, 200, 100}, Edges{10, 10, 190, 90}}, true},
		{"30px 0px 0px", "rgb(255, 255, 255) rgb(0, 0, 0)", Frame{Edges{0, 0, 200, 100}, Edges{0, 30, 200, 100}}, true},
		{"1px 2px 3px 4px", "rgb(1, 2, 3)", Frame{Edges{0, 0, 200, 100}, Edges{4, 1, 198, 97}}, true},
		{widths: "0px", colors: "rgb(0, 0, 0)"},
		{widths: "10px", colors: "rgba(0, 0, 0, 0.5)"},
		{widths: "50px", colors: "rgb(0, 0, 0) rgba(0, 0, 0, 0)"}, // a triangle
		{},
		{widths: "1px 1px 1px 1px 1px", colors: "rgb(0, 0, 0)"},
	} {
		if got, ok := BorderFrame(c.widths, c.colors, w, h); ok != c.ok || ok && got != c.want {
			t.Errorf("border %q %q: %v, %v", c.widths, c.colors, got, ok)
		}
	}
	for value, want := range map[string][]Frame{
		"rgb(255, 255, 255) 0px 0px 0px 20px":                    {{Edges{-20, -20, 220, 120}, Edges{0, 0, 200, 100}}},
		"rgb(255, 255, 255) 5px 0px 10px 20px":                   {{Edges{-5, -10, 215, 110}, Edges{0, 0, 200, 100}}},
		"rgb(255, 255, 255) 0px 0px 0px 60px inset":              {{Edges{0, 0, 200, 100}, Edges{60, 60, 140, 40}}},
		"rgba(0, 0, 0, 0.2) 0px 0px 0px 60px":                    nil,
		"none":                                                   nil,
		"rgb(0, 0, 0) 0px 1px, rgb(0, 0, 0) 0px 0px 0px":         nil,
		"rgba(0, 0, 0, 0) 0px 0px, rgb(0, 0, 0) 1px 2px 3px 4px": {{Edges{0, 1, 202, 103}, Edges{0, 0, 200, 100}}},
	} {
		if got := ShadowFrames(value, w, h); !slices.Equal(got, want) {
			t.Errorf("shadow %q: %v", value, got)
		}
	}
	if got, ok := OutlineFrame("rgb(255, 255, 255) solid 3px", "2px", w, h); !ok || got != (Frame{Edges{-5, -5, 205, 105}, Edges{-2, -2, 202, 102}}) {
		t.Errorf("outline: %v, %v", got, ok)
	}
	for _, value := range []string{"rgb(0, 0, 0) none 0px", "rgb(0, 0, 0) none 3px", "", "rgba(0, 0, 0, 0) solid 9px"} {
		if got, ok := OutlineFrame(value, "0px", w, h); ok {
			t.Errorf("outline %q: %v", value, got)
		}
	}
}

func TestShadowFill(t *testing.T) {
	for value, want := range map[string]string{
		"rgb(1, 2, 3) 0px 0px 0px 50px inset":                                     "rgb(1, 2, 3)",
		"rgb(1, 2, 3) 0px 100px 0px 0px inset":                                    "rgb(1, 2, 3)",
		"rgb(1, 2, 3) 0px 0px 0px 49px inset":                                     "",
		"rgb(1, 2, 3) 0px 0px 40px 60px inset":                                    "",
		"rgba(1, 2, 3, 0.5) 0px 0px 0px 50px inset":                               "",
		"rgb(1, 2, 3) 0px 0px 0px 50px":                                           "",
		"rgb(1, 2, 3) 0px 0px 0px 2px inset, rgb(4, 5, 6) 0px 0px 0px 60px inset": "rgb(4, 5, 6)",
		"none": "",
	} {
		if got := ShadowFill(value, 200, 100); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func TestSpace(t *testing.T) {
	turned := func(styles map[int]string) func(int) string { return func(k int) string { return styles[k] } }
	const half = "matrix3d(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1)"
	const edge = "matrix3d(0.7071, 0, -0.7071, 0, 0, 1, 0, 0, 0.7071, 0, 0.7071, 0, 0, 0, 0, 1)"
	for _, c := range []struct {
		name        string
		deep        bool
		perspective string
		outer       map[int]string
		inner       map[int]string
		want        Reason
	}{
		{"turned twice", true, "none", map[int]string{ComputedTransform: half}, map[int]string{ComputedTransform: half, ComputedBackface: "hidden"}, InSight},
		{"turned by the element around", true, "none", map[int]string{ComputedTransform: half}, map[int]string{ComputedBackface: "hidden"}, Size},
		{"to the edge in two steps", true, "none", map[int]string{ComputedTransform: edge}, map[int]string{ComputedTransform: edge}, Size},
		{"behind the eye", false, "100px", nil, map[int]string{ComputedTransform: "matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 200, 1)"}, Size},
		{"before the eye", false, "100px", nil, map[int]string{ComputedTransform: "matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 20, 1)"}, InSight},
	} {
		s, _ := (*Space)(nil).Enter(1, c.deep, c.perspective, turned(c.outer))
		if _, got := s.Enter(2, false, "none", turned(c.inner)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestFlatPicture(t *testing.T) {
	for value, want := range map[string]rgb{
		`url("data:image/gif;base64,R0lGODlhAQABAIAAAP///////yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==")`: white,
		`url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==)`:   black,
		`url("data:image/gif;base64,R0lGODlhAQ")`:                                                   {},
		`url("data:image/svg+xml,<svg/>")`:                                                          {},
		`url("a.gif")`:                                                                              {},
	} {
		if got, ok := flatPicture(value); ok != want.known || ok && got != want {
			t.Errorf("%s: %v, %v", value, got, ok)
		}
	}
}

func TestOpaqueImage(t *testing.T) {
	for value, want := range map[string]bool{
		"linear-gradient(rgb(255, 255, 255), rgb(0, 0, 0))":               true,
		"conic-gradient(rgb(255, 255, 255), rgb(238, 238, 238))":          true,
		"linear-gradient(rgb(255, 255, 255), rgba(0, 0, 0, 0))":           false,
		"linear-gradient(90deg, rgba(0, 0, 0, 0) 1px, rgb(0, 0, 0) 2px)":  false,
		`url("a.png"), linear-gradient(rgb(255, 255, 255), rgb(0, 0, 0))`: true,
		`url("a.png")`: false,
		"none":         false,
		"":             false,
	} {
		if got := OpaqueImage(value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

func TestStruck(t *testing.T) {
	for value, want := range map[string]bool{
		"line-through 48px rgb(255, 255, 255)":     true,
		"line-through 2px rgb(255, 255, 255)":      false,
		"underline 48px rgb(255, 255, 255)":        false,
		"line-through 48px rgba(255, 255, 255, 0)": false,
		"line-through rgb(255, 255, 255)":          false,
		"none":                                     false,
	} {
		if got := Struck(value, 16); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
