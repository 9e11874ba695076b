package snapshot

import "testing"

func TestPathCorners(t *testing.T) {
	for path, want := range map[string]int{
		"M60 20 L90 80 L30 80 Z":          3,
		"M0,-6.8L5.9,3.4L-5.9,3.4Z":       3,
		"M1e1,0 L2.5e+1.5 3Z":             0, // no number
		"M0 0L1 1L2 0":                    0, // open
		"M0 0L1 1L2 0ZM5 5L6 6L7 5Z":      0, // two
		"M0 0C1 1 2 2 3 3Z":               0,
		"L0 0L1 1Z":                       0,
		"M0 0L1Z":                         0,
		"Z":                               0,
		"":                                0,
		"M-":                              0,
		"M0 0L 1e 1Z":                     0,
		"M 0 0 L 10 0 L 10 10 L 0 10 z\n": 4,
	} {
		if n := pathCorners(path); n != want {
			t.Errorf("%q: %d corners, want %d", path, n, want)
		}
	}
}
