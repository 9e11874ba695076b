package document

import (
	"net/mail"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// zones are those that RFC 822 names; package mail takes others for UTC.
var zones = map[string]string{"UT": "+0000", "GMT": "+0000", "UTC": "+0000", "Z": "+0000", "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500",
	"MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700"}

const withZone = "2006-01-02T15:04:05Z07:00"

// day is a date of a feed or a mail in ISO 8601; "" for others. An unknown zone
// is left out.
func day(s string) string {
	s, _, _ = strings.Cut(text.Line(s), " (")
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Format(withZone)
	}
	layout := withZone
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		zone := s[i+1:]
		switch known := zones[strings.ToUpper(zone)]; {
		case known != "":
			s = s[:i+1] + known
		case zone != "" && strings.Trim(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
			s, layout = s[:i+1]+"+0000", strings.TrimSuffix(withZone, "Z07:00")
		}
	}
	if t, err := mail.ParseDate(s); err == nil {
		return t.Format(layout)
	}
	return isoDate(s)
}

// isoDate keeps a date that begins as in ISO 8601.
func isoDate(s string) string {
	s = text.Line(s)
	if len(s) < len(time.DateOnly) || len(s) > len(time.RFC3339Nano) || strings.ContainsAny(s, "<>") {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err != nil {
		return ""
	}
	return strings.Replace(s, " ", "T", 1)
}
