package browser

import "testing"

func TestCutOffset(t *testing.T) {
	b := box{100, 50, 200, 40}
	for _, c := range []struct {
		ref, rest string
		ok        bool
		x, y      float64
	}{
		{"k3@10,20", "k3", true, 110, 70},
		{"k3@ 10px , 20px ", "k3", true, 110, 70},
		{"k3@-5,60", "k3", true, 95, 110},
		{"k3@0%,0%", "k3", true, 100, 50},
		{"k3@50%,100%", "k3", true, 200, 89},
		{"k3@100%,1", "k3", true, 299, 51},
		{"k3@150%,-50%", "k3", true, 400, 30},
		{"k3@10", "k3", false, 0, 0},
		{"k3@a,b", "k3", false, 0, 0},
		{"k3@1e9,1", "k3", false, 0, 0},
		{"k3@NaN,1", "k3", false, 0, 0},
		{"k3@", "k3", false, 0, 0},
	} {
		ref, at, ok := cutOffset(c.ref)
		if ref != c.rest || ok != c.ok {
			t.Errorf("%s: %q %v", c.ref, ref, ok)
		}
		if ok {
			if p := at.in(b).whole(); p != (point{c.x, c.y}) {
				t.Errorf("%s: %v, want %v %v", c.ref, p, c.x, c.y)
			}
		}
	}
	if ref, at, ok := cutOffset("b12"); ref != "b12" || at != nil || !ok {
		t.Errorf("%s %v %v", ref, at, ok)
	}
}

func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		key, name string
		times     int
		ok        bool
	}{
		{"Enter", "Enter", 1, true}, {"ArrowDown*5", "ArrowDown", 5, true}, {"*", "*", 1, true}, {"a * 3", "a", 3, true},
		{"a*0", "", 0, false}, {"a*501", "", 0, false}, {"a*b", "", 0, false},
	} {
		name, n, err := repeated(c.key)
		if name != c.name || n != c.times || (err == nil) != c.ok {
			t.Errorf("%s: %q %d %v", c.key, name, n, err)
		}
	}
}
