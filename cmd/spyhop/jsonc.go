package main

import (
	"encoding/json"
	"errors"
	"fmt"
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

// memberOf returns the value of an object's member; nil if it has none of that name. Of
// several, the last one counts.
func memberOf(o *hujson.Object, name string) (value *hujson.Value) {
	for i := range o.Members {
		if n, ok := o.Members[i].Name.Value.(hujson.Literal); ok && n.String() == name {
			value = &o.Members[i].Value
		}
	}
	return value
}

// addMember sets text[outer][name] to value, which is JSON. An empty text becomes a new
// object. The error is errThere if there is such a member.
func addMember(text, outer, name, value string) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	whole, err := hujson.Parse([]byte(text))
	root, ok := whole.Value.(*hujson.Object)
	if err != nil || !ok {
		return "", errJSON
	}
	at := memberOf(root, outer)
	if at == nil {
		return insertMember(text, whole.StartOffset, len(root.Members) == 0, outer, fmt.Sprintf("{%q:%s}", name, value)), nil
	}
	servers, ok := at.Value.(*hujson.Object)
	switch {
	case !ok:
		return "", fmt.Errorf("its member %q is not an object", outer)
	case memberOf(servers, name) != nil:
		return "", errThere
	}
	return insertMember(text, at.StartOffset, len(servers.Members) == 0, name, value), nil
}

// insertMember adds a member at the beginning of the object that opens at an offset, on a
// line of its own. empty: the object has no member.
func insertMember(text string, open int, empty bool, name, value string) string {
	line, rest := text[strings.LastIndexByte(text[:open], '\n')+1:open], text[open+1:]
	outside, step := line[:len(line)-len(strings.TrimLeft(line, " \t"))], "  "
	if strings.Contains(text, "\n\t") {
		step = "\t"
	}
	inside, after := "\n"+outside+step, ","
	switch words := strings.TrimLeft(rest, " \t\r\n"); {
	case empty:
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
