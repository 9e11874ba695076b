package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file writes the events of a calendar (RFC 5545) as mail programs show an invitation:
// what, when, where, by whom.

const maxEvents = 200

// calendar appends the events and tasks of a calendar, and reports whether there are any. Their
// descriptions are left out where a text beside the calendar says the same.
func (b *builder) calendar(s string, described bool) bool {
	var lines []page.Inline
	note, inside, count := "", 0, 0
	flush := func() {
		if len(lines) > 0 {
			b.add(page.Block{Kind: page.Paragraph, Inlines: lines})
		}
		if described {
			b.lines(note)
		}
		lines, note = nil, ""
	}
	add := func(name, value string) {
		if value = b.clean(value); value == "" {
			return
		}
		if len(lines) > 0 {
			lines = append(lines, page.Inline{Kind: page.Break})
		}
		lines = append(lines, page.Inline{Kind: page.Text, Text: name + ": " + value})
	}
	for line := range strings.Lines(unfoldCalendar(s)) {
		name, params, value := calendarLine(strings.TrimRight(line, "\r\n"))
		switch name {
		case "BEGIN":
			switch strings.ToUpper(value) {
			case "VEVENT", "VTODO", "VJOURNAL":
				flush() // the one before may lack its end
				if count++; count > maxEvents {
					b.cut = true
					return true
				}
				inside = 1
			default:
				if inside > 0 { // an alarm, for example
					inside++
				}
			}
			continue
		case "END":
			switch strings.ToUpper(value) {
			case "VEVENT", "VTODO", "VJOURNAL", "VCALENDAR":
				flush()
				inside = 0
			default:
				if inside > 1 {
					inside--
				}
			}
			continue
		}
		if inside != 1 {
			continue
		}
		switch name {
		case "SUMMARY":
			add("Event", unescapeCalendar(value))
		case "DTSTART":
			add("Begin", calendarTime(value, params["TZID"]))
		case "DTEND":
			add("End", calendarTime(value, params["TZID"]))
		case "DUE":
			add("Due", calendarTime(value, params["TZID"]))
		case "DURATION":
			add("Duration", value)
		case "RRULE":
			add("Repeats", value)
		case "LOCATION":
			add("Location", unescapeCalendar(value))
		case "STATUS":
			add("Status", strings.ToLower(value))
		case "ORGANIZER", "ATTENDEE":
			person := strings.TrimPrefix(strings.TrimPrefix(value, "mailto:"), "MAILTO:")
			if cn := params["CN"]; cn != "" && cn != person {
				person = cn + " <" + person + ">"
			}
			add(name[:1]+strings.ToLower(name[1:]), person)
		case "DESCRIPTION":
			note = unescapeCalendar(value)
		}
	}
	flush()
	return count > 0
}

// unfoldCalendar joins the lines that are folded: the next one begins with white space.
func unfoldCalendar(s string) string {
	return strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(s)
}

// calendarLine cuts a line into its name, its parameters and its value. A colon within
// quotation marks belongs to a parameter.
func calendarLine(line string) (name string, params map[string]string, value string) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			name, rest, _ := strings.Cut(line[:i], ";")
			for p := range strings.SplitSeq(rest, ";") {
				if k, v, ok := strings.Cut(p, "="); ok {
					if params == nil {
						params = map[string]string{}
					}
					params[strings.ToUpper(k)] = strings.Trim(v, `"`)
				}
			}
			return strings.ToUpper(name), params, line[i+1:]
		}
	}
	return "", nil, ""
}

func unescapeCalendar(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";").Replace(s)
}

// calendarTime writes 20260310T140000 as ISO 8601 does, with the name of its zone.
func calendarTime(s, zone string) string {
	if len(s) < 8 || strings.Trim(s[:8], "0123456789") != "" {
		return s
	}
	out := s[:4] + "-" + s[4:6] + "-" + s[6:8]
	if len(s) >= 13 && s[8] == 'T' {
		out += " " + s[9:11] + ":" + s[11:13]
		if strings.HasSuffix(s, "Z") {
			out += " UTC"
		} else if zone = text.Line(zone); zone != "" {
			out += " " + zone
		}
	}
	return out
}
