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
	for _, value := range []string{"rgb(0, 0, 0) none 0px", "rgb(0, 0, 238) none 3px", "", "rgba(0, 0, 0, 0) solid 9px"} {
		if got, ok := OutlineFrame(value, "0px", w, h); ok {
			t.Errorf("outline %q: %v", value, got)
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
