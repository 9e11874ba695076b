package snapshot

import "testing"

func TestPathCorners(t *testing.T) {
	for path, want := range map[string]int{
		"M60 20 L90 80 L30 80 Z":          3,
		"M0,-6.8L5.9,3.4L-5.9,3.4Z":       3,
		"m10-5 20 0 0 20-20 0z":           4,
		"M0 0H10V10H0Z":                   4,
		"M1e1,0 L2.5e+1.5 3Z":             0, // no number
		"M.5.5L1.5.5 1 2z ":               3,
		"M0 0L10 5L0 10L2 5Z":             0, // an arrow
		"M0 0h10v10h-10z":                 4,
		"M0 0L1 1L2 2Z":                   0, // a line
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

func FuzzPathCorners(f *testing.F) {
	f.Add("M60 20 L90 80 L30 80 Z") // a triangle
	f.Add("m10-5 20 0 0 20-20 0z")  // numbers that nothing sets apart
	f.Add("M1e1,0 L2.5e+1.5 3Z")    // an exponent with a point
	f.Fuzz(func(t *testing.T, path string) {
		if n := pathCorners(path); n < 0 || n > len(path) {
			t.Errorf("%q: %d corners", path, n)
		}
	})
}
