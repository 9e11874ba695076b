package document

import (
	"bytes"
	"encoding/json"
)

// IndentJSON sets JSON on lines that are indented by two spaces for each level.
// Arrays and objects that are nested too deep stay on one line, as deep as the
// added space allows; nothing else changes. What is not JSON comes back as it
// is.
func IndentJSON(body []byte) []byte {
	trimmed := bytes.TrimSpace(body)
	if !json.Valid(trimmed) {
		return body
	}
	// added[d] is the space that lines within d arrays and objects need.
	var added [indentDepth + 1]int
	walkJSON(trimmed, func(_ []byte, level, indent int) {
		if 0 < level && level <= indentDepth {
			added[level] += 1 + 2*indent
		}
	})
	left := max(indentMinBytes, indentFactor*len(trimmed))
	deepest := 0
	for deepest < indentDepth && left >= added[deepest+1] {
		deepest++
		left -= added[deepest]
	}
	out := make([]byte, 0, len(trimmed)+max(indentMinBytes, indentFactor*len(trimmed))-left+len(trimmed)/8)
	walkJSON(trimmed, func(token []byte, level, indent int) {
		if 0 < level && level <= deepest {
			out = append(out, '\n')
			for range indent {
				out = append(out, "  "...)
			}
		}
		if out = append(out, token...); token[0] == ':' {
			out = append(out, ' ')
		}
	})
	return out
}

// walkJSON calls visit for each token of valid JSON. level is not 0 where a
// line may begin: the number of arrays and objects around that line, or for the
// end of one, around its items. indent is how far the line is indented.
func walkJSON(body []byte, visit func(token []byte, level, indent int)) {
	depth, begins := 0, false // begins: the next token may begin a line
	for i := 0; i < len(body); {
		level := 0
		if begins {
			level = depth
		}
		switch c := body[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
			continue
		case '{', '[':
			visit(body[i:i+1], level, depth)
			depth++
			begins = true
			i++
		case '}', ']':
			if !begins { // it has items
				level = depth
			} else {
				level = 0
			}
			depth--
			visit(body[i:i+1], level, depth)
			begins = false
			i++
		case ',':
			visit(body[i:i+1], 0, 0)
			begins = true
			i++
		case ':':
			visit(body[i:i+1], 0, 0)
			begins = false
			i++
		default:
			n := tokenLength(body[i:])
			visit(body[i:i+n], level, depth)
			begins = false
			i += n
		}
	}
}

// tokenLength is the length of a string, number or name of valid JSON.
func tokenLength(s []byte) int {
	if s[0] != '"' {
		for n, c := range s {
			switch c {
			case ',', ':', ']', '}', ' ', '\t', '\n', '\r':
				return n
			}
		}
		return len(s)
	}
	for n := 1; n < len(s); n++ {
		switch s[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(s)
}
