package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// This file adds a member to JSON that people edit: comments, trailing commas, the order
// of the members and the indentation stay as they are.

var (
	errJSON = errors.New("it is not JSON (comments and trailing commas are allowed)")
	// errThere means that the member exists.
	errThere = errors.New("it is there already")
)

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
	// What is in the plain text has the same offsets.
	plain, err := hujson.Standardize([]byte(text))
	var before map[string]any
	if err != nil || json.Unmarshal(plain, &before) != nil || before == nil {
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
	if plainOut, err := hujson.Standardize([]byte(out)); err == nil {
		_ = json.Unmarshal(plainOut, &after) // else the member is not in it
	}
	inner, _ := after[outer].(map[string]any)
	if _, ok := inner[name]; !ok {
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
