package document

import "testing"

func TestDates(t *testing.T) {
	for _, c := range []struct {
		format, number, want string
		from1904             bool
	}{
		{"yyyy-mm-dd", "45352", "2024-03-01", false},
		{"d/m/yy h:mm", "45352.75", "2024-03-01 18:00", false},
		{"dd.mm.yyyy hh:mm:ss", "45352.999994", "2024-03-01 23:59:59", false},
		{"h:mm AM/PM", "0.5", "12:00", false},
		{"[h]:mm", "1.5", "36:00:00", false},
		{"mmm", "45352", "2024-03-01", false},
		{"[$-409]mmmm d", "45352", "2024-03-01", false},
		{"yyyy", "59", "1900-02-28", false},
		{"yyyy", "61", "1900-03-01", false},
		{"yyyy", "0", "1904-01-01", true},
		{"yyyy", "43890", "2024-03-01", true},
		{"yyyy", "0", "0", false},
		{"yyyy", "-1", "-1", false},
		{"yyyy", "1e300", "1e300", false},
		{"yyyy", "NaN", "NaN", false},
		{"0.00", "45352", "45352", false},
		{"#,##0 \"days\"", "45352", "45352", false},
		{"0.00E+00", "45352", "45352", false},
		{"General", "45352", "45352", false},
		{"[Red]0", "45352", "45352", false},
		{"0\\d", "45352", "45352", false},
		{"\"open", "45352", "45352", false},
		{"[open", "45352", "45352", false},
	} {
		d := dates{styles: []moment{momentOf(c.format)}, from1904: c.from1904}
		if got := d.text("0", c.number); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.format, c.number, got, c.want)
		}
	}
	d := dates{styles: []moment{builtinMoment(14), builtinMoment(0), builtinMoment(22)}}
	for style, want := range map[string]string{"0": "2024-03-01", "1": "45352.25", "2": "2024-03-01 06:00", "3": "45352.25", "": "45352.25", "-1": "45352.25"} {
		if got := d.text(style, "45352.25"); got != want {
			t.Errorf("style %q: %q, want %q", style, got, want)
		}
	}
}

func FuzzMoment(f *testing.F) {
	f.Add("[$-409]d-mmm-yy;@", "45352.5")
	f.Fuzz(func(t *testing.T, format, number string) {
		d := dates{styles: []moment{momentOf(format)}}
		if got := d.text("0", number); got == "" && number != "" {
			t.Errorf("%q in %q is lost", number, format)
		}
	})
}
