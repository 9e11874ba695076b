package css

import "testing"

func TestCode(t *testing.T) {
	for why := range NumReasons {
		if got := LookOf((Look{Why: why}).Code()); got.Why != why || got.Traced {
			t.Errorf("%d: %+v", why, got)
		}
	}
	if got := LookOf((Look{Why: Color, Traced: true}).Code()); got.Why != Color || !got.Traced {
		t.Errorf("traced: %+v", got)
	}
	if got := LookOf(31); got.Why != InSight {
		t.Errorf("31: %+v", got)
	}
}

func TestClipBounds(t *testing.T) {
	for value, want := range map[string]Edges{
		"inset(10px)":                                 {10, 10, 190, 90},
		"inset(0% 50% 10px 25%)":                      {50, 0, 100, 90},
		"inset(0px 0px 60px round 8px)":               {0, 0, 200, 40},
		"circle(10px at 20px 30px)":                   {10, 20, 30, 40},
		"ellipse(10px 20px)":                          {90, 30, 110, 70},
		"polygon(0px 0px, 50% 0px, 10% 50%)":          {0, 0, 100, 50},
		"polygon(evenodd, 0px 0px, 50% 0px, 10% 50%)": {0, 0, 100, 50},
	} {
		if got, ok := ClipBounds(value, 200, 100); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", value, got, ok, want)
		}
	}
	for _, value := range []string{"none", "url(#x)", "inset(a)", "path('M0 0')", "inset(1px 1px 1px 1px 1px)"} {
		if got, ok := ClipBounds(value, 200, 100); ok {
			t.Errorf("%s: %v", value, got)
		}
	}
	if got, ok := ClipRect("rect(1px, 20px, auto, 3px)", 200, 100); !ok || got != (Edges{3, 1, 20, 100}) {
		t.Errorf("clip: %v, %v", got, ok)
	}
}
