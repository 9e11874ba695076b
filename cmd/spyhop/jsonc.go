package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// This file adds a member to JSON that people edit: comments, trailing commas, the order
// of the members and the indentation stay as they are.

var (
	errJSON = errors.New("it is not JSON (comments and trailing commas are allowed)")
	// errThere means that the member exists.
	errThere = errors.New("it is there already")
)

// plainJSON is a text with spaces in place of comments and trailing commas: what is in it
// has the same offsets.
func plainJSON(text string) []byte {
	out := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1 // one that nothing but space follows so far
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i = endOfString(text, i)
			comma = -1
		case strings.HasPrefix(text[i:], "//"):
			end := i + strings.IndexByte(text[i:]+"\n", '\n')
			blank(i, end)
			i = end - 1
		case strings.HasPrefix(text[i:], "/*"):
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				blank(i, i+n+4)
				i += n + 3
			}
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			blank(comma, comma+1)
			comma = -1
		case strings.IndexByte(" \t\r\n", c) < 0:
			comma = -1
		}
	}
	return out
}

// endOfString is the index of the quotation mark that ends the string which begins at i.
func endOfString(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// memberAt returns the offset and the text of a member's value in an object that begins at
// an offset; -1 if it has no such member. Of several, the last one counts.
func memberAt(plain []byte, from int, name string) (at int, value json.RawMessage) {
	at = -1
	d := json.NewDecoder(bytes.NewReader(plain[from:]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return at, nil
	}
	for d.More() {
		key, err := d.Token()
		var v json.RawMessage
		if err != nil || d.Decode(&v) != nil {
			return -1, nil
		}
		if key == name {
			at, value = from+int(d.InputOffset())-len(v), v
		}
	}
	return at, value
}

// addMember sets text[outer][name] to value, which is JSON. An empty text becomes a new
// object. The error is errThere if there is such a member.
func addMember(text, outer, name, value string) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	plain := plainJSON(text)
	var before map[string]any
	if json.Unmarshal(plain, &before) != nil || before == nil {
		return "", errJSON
	}
	root := bytes.IndexByte(plain, '{')
	at, servers := memberAt(plain, root, outer)
	var out string
	switch {
	case at < 0:
		out = insertMember(text, plain, root, outer, fmt.Sprintf("{%q:%s}", name, value))
	case servers[0] != '{':
		return "", fmt.Errorf("its member %q is not an object", outer)
	default:
		if found, _ := memberAt(plain, at, name); found >= 0 {
			return "", errThere
		}
		out = insertMember(text, plain, at, name, value)
	}
	// Both texts are read as a client does: nothing but the new member may differ.
	var after map[string]any
	err := json.Unmarshal(plainJSON(out), &after)
	inner, _ := after[outer].(map[string]any)
	if _, ok := inner[name]; err != nil || !ok {
		return "", errors.New("the new member cannot be read back")
	}
	delete(inner, name)
	if at < 0 {
		delete(after, outer)
	}
	if !reflect.DeepEqual(before, after) {
		return "", errors.New("more than the new member would change")
	}
	return out, nil
}

// insertMember adds a member at the beginning of the object that opens at an offset, on a
// line of its own.
func insertMember(text string, plain []byte, open int, name, value string) string {
	line, rest := text[strings.LastIndexByte(text[:open], '\n')+1:open], text[open+1:]
	outside, step := line[:len(line)-len(strings.TrimLeft(line, " \t"))], "  "
	if strings.Contains(text, "\n\t") {
		step = "\t"
	}
	inside, after := "\n"+outside+step, ","
	switch words := strings.TrimLeft(rest, " \t\r\n"); {
	case bytes.TrimLeft(plain[open+1:], " \t\r\n")[0] == '}': // the object is empty
		after, rest = "\n"+outside, words
	case !strings.Contains(rest[:len(rest)-len(words)], "\n"):
		after, rest = ","+inside, words
	}
	pretty, err := json.MarshalIndent(json.RawMessage(value), outside+step, step)
	if err != nil {
		pretty = []byte(value)
	}
	return text[:open+1] + inside + fmt.Sprintf("%q: %s", name, pretty) + after + rest
}
