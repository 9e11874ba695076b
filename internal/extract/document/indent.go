package document

import (
	"bytes"
	"encoding/json"
)

// IndentJSON sets JSON on lines that are indented by two spaces for each level.
// What is not JSON, and what indentation would make much longer (10,000
// brackets would become 200 MB), is not changed.
func IndentJSON(body []byte) []byte {
	body = bytes.TrimSpace(body)
	depth, added, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\':
			i++ // only strings have it
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			added += 2 * depth
		case c == ']' || c == '}':
			depth--
			added += 2 * max(depth, 0)
		case c == ',':
			added += 2 * max(depth, 0)
		}
	}
	var out bytes.Buffer
	if added > max(indentMinBytes, indentFactor*len(body)) || json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return out.Bytes()
}
