package text

import "strings"

// Sections returns the lines of the sections of a data file of ours by the names of the
// sections, which are in brackets. Empty lines and those that begin with # are comments.
func Sections(file string) map[string][]string {
	out, section := map[string][]string{}, ""
	for line := range strings.Lines(file) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		default:
			out[section] = append(out[section], line)
		}
	}
	return out
}
