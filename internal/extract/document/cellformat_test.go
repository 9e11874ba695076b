package document

import "testing"

func TestCellFormats(t *testing.T) {
	for _, c := range []struct{ format, v, want string }{
		{"yyyy-mm-dd", "45352", "2024-03-01"},
		{"d/m/yy h:mm", "45352.75", "2024-03-01 18:00"},
		{"dd.mm.yyyy hh:mm:ss", "45352.999994", "2024-03-01 23:59:59"},
		{"h:mm AM/PM", "0.5", "12:00"},
		{"[h]:mm", "1.5", "36:00:00"},
		{"mmm", "45352", "2024-03-01"},
		{"[$-409]mmmm d", "45352", "2024-03-01"},
		{"yyyy", "59", "1900-02-28"},
		{"yyyy", "61", "1900-03-01"},
		{"yyyy", "0", "0"},
		{"yyyy", "-1", "-1"},
		{"yyyy", "1e300", "1e+300"},
		{"yyyy", "NaN", "NaN"},
		{"0.00", "45352", "45352"},
		{"#,##0 \"days\"", "45352", "45352"},
		{"General", "45352", "45352"},
		{"[Red]0", "45352", "45352"},
		{"0\\d", "45352", "45352"},
		{"\"open", "45352", "45352"},
		{"[open", "45352", "45352"},
		{"", "0.30000000000000004", "0.3"},
		{"General", "33.333333333333336", "33.3333333333333"},
		{"", "1234567890123", "1234567890123"},
		{"", "4.1999999999999998E-7", "4.2e-07"},
		{"General", "9.4E-2", "0.094"},
		{"", "1.0", "1"},
		{"0.0", "n/a", "n/a"},
		{"0%", "0.25", "25%"},
		{"0.0%", "0.25", "25.0%"},
		{"0.00%", "0.12345", "12.35%"},
		{"0.##%", "0.25", "25%"},
		{"#,##0.0%;[Red]-0.0%", "-0.125", "-12.5%"},
		{"0.00%", "1", "100.00%"},
		{"0%", "", ""},
		{`0"%"`, "3", "3"}, // the sign is text
	} {
		if got := formatOf(c.format).text(c.v, false); got != c.want {
			t.Errorf("%s in %q is %q, want %q", c.v, c.format, got, c.want)
		}
	}
	if got := formatOf("yyyy").text("0", true); got != "1904-01-01" {
		t.Errorf("from 1904: %q", got)
	}
	for id, want := range map[string]string{"14": "2024-03-01", "0": "45352.25", "22": "2024-03-01 06:00", "9": "4535225%", "": "45352.25"} {
		if got := builtinFormat(id).text("45352.25", false); got != want {
			t.Errorf("format %q: %q, want %q", id, got, want)
		}
	}
}

func FuzzCellFormat(f *testing.F) {
	f.Add("[$-409]d-mmm-yy;@", "45352.5")
	f.Add("#,##0.0%", "-0.125")
	f.Fuzz(func(t *testing.T, format, number string) {
		if got := formatOf(format).text(number, false); got == "" && number != "" {
			t.Errorf("%q in %q is lost", number, format)
		}
	})
}
