package date

import (
	"testing"
	"time"
)

func TestISODate(t *testing.T) {
	for _, c := range []struct {
		in         string
		monthFirst bool
		want       string
	}{
		{"2025-09-04", false, "2025-09-04"},
		{" 2025-9-4 ", false, "2025-09-04"},
		{"2025/09/04", false, "2025-09-04"},
		{"2025-09", false, "2025-09"},
		{"20250904", false, "2025-09-04"},
		{"2025-09-04T10:30:00Z", false, "2025-09-04T10:30:00Z"},
		{"2025-09-04T10:30:00.123+02:00", false, "2025-09-04T10:30:00+02:00"},
		{"2025-09-04T10:30-0400", false, "2025-09-04T10:30:00-04:00"},
		{"2025-09-04 10:30:00", false, "2025-09-04T10:30:00"},
		{"2025-09-04T10:30:00 +00:00", false, "2025-09-04T10:30:00+00:00"},
		{"Thu, 04 Sep 2025 10:30:00 GMT", false, "2025-09-04T10:30:00Z"},
		{"September 4, 2025", false, "2025-09-04"},
		{"Sept. 4th, 2025 at 3:05 pm", false, "2025-09-04T15:05:00"},
		{"Published 10:19am 19 December 2025", false, "2025-12-19T10:19:00"},
		{"10.19 pm 9 December 2025", false, "2025-12-09T22:19:00"},
		{"3pm, March 5, 2024", true, "2024-03-05T15:00:00"},
		{"08:15, 2 Feb 2023", false, "2023-02-02T08:15:00"},
		{"9.10 March 2025", false, "2025-03-09"},
		{"4 September 2025", false, "2025-09-04"},
		{"4. März 2025", false, "2025-03-04"},
		{"mardi 4 février 2025", false, "2025-02-04"},
		{"3 de agosto de 2025", false, "2025-08-03"},
		{"Updated Nov 18, 2025", false, "2025-11-18"},
		{"DECEMBER 22, 2022", false, "2022-12-22"},
		{"04/09/2025", false, "2025-09-04"},
		{"04/09/2025", true, "2025-04-09"},
		{"25/12/2025", true, "2025-12-25"},
		{"12/25/2025", false, "2025-12-25"},
		{"04.09.2025", true, "2025-09-04"},
		{"03-09-2026", true, "2026-03-09"},
		{"2025年9月4日", true, "2025-09-04"},
		{"公開日：2025年12月4日 10:30", true, "2025-12-04T10:30:00"},
		{"2025년 9월 4일", true, "2025-09-04"},
		{"4 września 2025", false, "2025-09-04"},
		{"4 сентября 2025 г.", false, "2025-09-04"},
		{"4. marts 2025", false, "2025-03-04"},
		{"4 Eylül 2025", false, "2025-09-04"},
		{"1717374144", false, "2024-06-03T00:22:24Z"},
		{"1717374144000", false, "2024-06-03T00:22:24Z"},
		{"20250904103000", false, "2025-09-04T10:30:00"},

		// Fixed bugs: the third digit of 2/24/2026 stands where a year has its last.
		{"2/24/2026", true, "2026-02-24"},

		// Fixed bugs: an offset that no clock has.
		{"2000-01-01T10:00:00+70:00", false, "2000-01-01T10:00:00"},
		{"2000-01-01T10:00:00+02:70", false, "2000-01-01T10:00:00"},

		// Other scripts and calendars.
		{"2024. 5. 4.", true, "2024-05-04"},
		{"2024. május 4.", true, "2024-05-04"},
		{"٤ مايو ٢٠٢٤", false, "2024-05-04"},
		{"4 במאי 2024", false, "2024-05-04"},
		{"4 मई 2024", false, "2024-05-04"},
		{"20 अगस्त 2024", false, "2024-08-20"},
		{"4 Μαΐου 2024", false, "2024-05-04"},
		{"令和6年5月4日", false, "2024-05-04"},
		{"平成元年1月8日", false, "1989-01-08"},
		{"民國113年5月4日", false, "2024-05-04"},
		{"วันที่ 4 พฤษภาคม 2567 เวลา 10:30 น.", false, "2024-05-04"},
		{"4 พ.ค. 2567", false, "2024-05-04"},
		{"4 พฤศจิกายน 2024", false, "2024-11-04"},
		{"4 May 2567", false, ""},
		{"۱۵ اردیبهشت ۱۴۰۳", false, ""}, // the Persian calendar is unsupported
		{"۱۴۰۳/۰۲/۱۵", false, ""},
		{"1403/02/15", false, ""},
		{"۱۴۰۳/۱۳/۱۵", false, ""},

		{"2025-02-29", false, ""},
		{"2025-13-01", false, ""},
		{"0001-01-01T00:00:00Z", false, ""},
		{"yesterday", false, ""},
		{"3 days ago", false, ""},
		{"Mark, 34", false, ""},
		{"version 2025", false, ""},
		{"+1 555 2025 1999", false, ""},
		{"", false, ""},
		{"99999999999999999999", false, ""},
		{"४४x", false, ""},
		{"x平成", false, ""},
	} {
		if got := Parse(c.in, c.monthFirst); got != c.want {
			t.Errorf("Parse(%q, %v) = %q, want %q", c.in, c.monthFirst, got, c.want)
		}
	}
}

func TestDateInPath(t *testing.T) {
	for in, want := range map[string]string{
		"/2025/09/04/x": "2025-09-04", "/x-2025-09-04": "2025-09-04", "/2025/09/": "", "/12025-09-04": "", "/2025-99-99": "", "/2025-09/04": "", "": "", "/news/2023/october/03/x": "2023-10-03", "/2023/oct/3": "2023-10-03", "/2023/report/03": "",
	} {
		if got := InPath(in); got != want {
			t.Errorf("InPath(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever comes out is a date that package time reads too.
func FuzzISODate(f *testing.F) {
	f.Add("2025-09-04T10:30:00+02:00", true)
	f.Add("Sept. 4th, 2025 at 3:05 pm", false)
	f.Add("31.12.2099 23:59:60", false)
	f.Add("2024-02-29T1:2:3z", false)
	f.Add("สิ้น 4 ม.ค. 2567", true)
	f.Add("۱۴۷۳/۱۲/۳۰", true)
	f.Add("令和元年5月4日", true)
	f.Add("۴۴x", true)
	f.Add("2000A1A1a0:+70", true) // an offset that no clock has
	f.Fuzz(func(t *testing.T, s string, monthFirst bool) {
		got := Parse(s, monthFirst)
		if got == "" {
			return
		}
		for _, layout := range []string{time.DateOnly, "2006-01", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"} {
			if _, err := time.Parse(layout, got); err == nil {
				return
			}
		}
		t.Errorf("Parse(%q) = %q, which is not a date", s, got)
	})
}

func TestIsPlainDate(t *testing.T) {
	for in, want := range map[string]bool{
		"May 3, 2025": true, "Updated: 3 May 2025": true, "Sat, 20 Dec 2025 at 10:30 pm EST": true, "February 4, 2025 - 11 minutes": true, "2025-05-03": true, "23.07.2025": true, "4 พฤษภาคม 2567": true, "令和6年5月4日": true,
		"May 3": false, "In May 2025 we saw": false, "Version 2 of 2025": false, "": false,
	} {
		if got := IsPlain(in); got != want {
			t.Errorf("IsPlain(%q) = %v", in, got)
		}
	}
}

func TestSaysChanged(t *testing.T) {
	for s, want := range map[string]bool{
		"Updated May 3, 2025": true, "Last updated on": true, "This page was last updated on May 3": true, "LAST MODIFIED: 2025-05-03": true,
		"Zuletzt aktualisiert am 3. Mai 2025": true, "Mis à jour le 3 mai 2025": true, "Última actualización: 3 de mayo": true, "最終更新日：2025年9月4日": true,
		"May 3, 2025, updated May 5, 2025": false, "Published May 3": false, "Update us on May 3": false, "Aktualisiertes Programm": false, "更": false, "": false,
	} {
		if got := SaysChanged(s); got != want {
			t.Errorf("SaysChanged(%q) = %v", s, got)
		}
	}
}

func TestDatesIn(t *testing.T) {
	for _, c := range [][3]string{
		{"Published May 3, 2025 | Updated June 1, 2025", "2025-05-03", "2025-06-01"},
		{"Updated June 1, 2025 · May 3, 2025", "2025-05-03", "2025-06-01"},
		{"May 3, 2025 (last updated June 1, 2025)", "2025-05-03", "2025-06-01"},
		{"公開日：2024年5月4日 更新日：2024年6月1日", "2024-05-04", "2024-06-01"},
		{"May 3, 2025 | 10:30 am", "2025-05-03", ""},
		{"Last updated on June 1, 2025", "", "2025-06-01"},
		{"May 3, 2025 - May 9, 2025", "2025-05-03", ""},
		{"5 minutes to read", "", ""},
		{"", "", ""},
	} {
		if published, modified := In(c[0], true); published != c[1] || modified != c[2] {
			t.Errorf("In(%q) = %q, %q", c[0], published, modified)
		}
	}
}
