package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// This file adds a member to JSON that people edit: comments, trailing commas, the order
// of the members and the indentation stay as they are.

var errJSON = errors.New("it is not JSON (comments and trailing commas are allowed)")

// jsonObject is where an object stands in a text.
type jsonObject struct {
	open, end int // of its braces
	members   []jsonMember
	// comma is where the comma behind the last member stands; 0 if there is none.
	comma int
}

type jsonMember struct {
	name       string
	start      int // of the name
	value, end int
	object     *jsonObject // nil: the value is not an object
}

// jsonScanner reads a text from a place.
type jsonScanner struct {
	text  string
	at    int
	depth int
}

// space goes past white space and comments.
func (s *jsonScanner) space() {
	for s.at < len(s.text) {
		switch rest := s.text[s.at:]; {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			s.at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				s.at = len(s.text)
				return
			}
			s.at += end + 4
		default:
			return
		}
	}
}

func (s *jsonScanner) next(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// quoted reads a string.
func (s *jsonScanner) quoted() (string, error) {
	start := s.at
	if !s.next('"') {
		return "", errJSON
	}
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			var value string
			err := json.Unmarshal([]byte(s.text[start:s.at]), &value)
			return value, err
		}
		s.at++
	}
	return "", errJSON
}

// value reads a value; the object is nil for all others.
func (s *jsonScanner) value() (*jsonObject, error) {
	const mostDepth = 200
	if s.depth++; s.depth > mostDepth || s.at >= len(s.text) {
		return nil, errJSON
	}
	defer func() { s.depth-- }()
	switch s.text[s.at] {
	case '{':
		return s.object()
	case '[':
		s.at++
		for s.space(); !s.next(']'); s.space() {
			if _, err := s.value(); err != nil {
				return nil, err
			}
			s.space()
			if !s.next(',') && (s.at >= len(s.text) || s.text[s.at] != ']') {
				return nil, errJSON
			}
		}
		return nil, nil
	case '"':
		_, err := s.quoted()
		return nil, err
	}
	end := s.at
	for end < len(s.text) && strings.IndexByte(" \t\r\n,]}/", s.text[end]) < 0 {
		end++
	}
	if !json.Valid([]byte(s.text[s.at:end])) {
		return nil, errJSON
	}
	s.at = end
	return nil, nil
}

func (s *jsonScanner) object() (*jsonObject, error) {
	o := &jsonObject{open: s.at}
	s.at++
	for {
		s.space()
		if s.next('}') {
			o.end = s.at - 1
			return o, nil
		}
		if len(o.members) > 0 && o.comma == 0 {
			return nil, errJSON
		}
		m := jsonMember{start: s.at}
		var err error
		if m.name, err = s.quoted(); err != nil {
			return nil, err
		}
		if s.space(); !s.next(':') {
			return nil, errJSON
		}
		s.space()
		m.value = s.at
		if m.object, err = s.value(); err != nil {
			return nil, err
		}
		m.end = s.at
		o.members = append(o.members, m)
		s.space()
		o.comma = 0
		if s.next(',') {
			o.comma = s.at - 1
		}
	}
}

// rootObject reads a whole text.
func rootObject(text string) (*jsonObject, error) {
	s := jsonScanner{text: text}
	if s.space(); s.at >= len(s.text) || s.text[s.at] != '{' {
		return nil, errJSON
	}
	o, err := s.object()
	if err != nil {
		return nil, err
	}
	if s.space(); s.at < len(s.text) {
		return nil, errJSON
	}
	return o, nil
}

// errThere means that the member exists.
var errThere = errors.New("it is there already")

// addMember sets text[outer][name] to value, which is JSON. An empty text becomes a new
// object. The error is errThere if there is such a member.
func addMember(text, outer, name, value string) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	root, err := rootObject(text)
	if err != nil {
		return "", err
	}
	var out string
	if i := root.find(outer); i < 0 {
		out = root.insert(text, outer, "{}")
		if root, err = rootObject(out); err != nil {
			return "", err
		}
		out, err = root.members[root.find(outer)].object.insert(out, name, value), nil
	} else {
		inner := root.members[i].object
		switch {
		case inner == nil:
			return "", fmt.Errorf("its member %q is not an object", outer)
		case inner.find(name) >= 0:
			return "", errThere
		}
		out = inner.insert(text, name, value)
	}
	return out, onlyAdded(text, out, outer, name)
}

func (o *jsonObject) find(name string) int {
	for i, m := range o.members {
		if m.name == name {
			return i
		}
	}
	return -1
}

// insert adds a member at the end of an object, on a line of its own.
func (o *jsonObject) insert(text, name, value string) string {
	key, _ := json.Marshal(name) // a string
	outside := indentAt(text, o.open)
	inside := outside + "  "
	if strings.HasPrefix(outside, "\t") {
		inside = outside + "\t"
	}
	if len(o.members) == 0 {
		member := string(key) + ": " + indented(value, inside)
		return text[:o.open+1] + "\n" + inside + member + "\n" + outside + text[o.end:]
	}
	last := o.members[len(o.members)-1]
	if i := strings.LastIndexByte(text[:o.members[0].start], '\n'); i > o.open {
		inside = text[i+1 : o.members[0].start]
	}
	// Behind the comma, and behind the comments on its line.
	before, at := text[:last.end]+",", last.end
	if o.comma > 0 {
		before, at = text[:o.comma+1], o.comma+1
	}
	end := restOfLine(text[:o.end], at)
	after := text[end:]
	if strings.TrimSpace(text[end:o.end]) == "" && !strings.Contains(text[end:o.end], "\n") {
		after = "\n" + outside + text[o.end:]
	}
	return before + text[at:end] + "\n" + inside + string(key) + ": " + indented(value, inside) + after
}

// restOfLine is where the comments end that begin on the line of a place.
func restOfLine(text string, at int) int {
	for i := at; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				return i + end
			}
			return len(text)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return len(text)
			}
			i += end + 4
			at = i
		case strings.IndexByte(" \t\r", rest[0]) >= 0:
			i++
		default:
			return at
		}
	}
	return at
}

// indentAt is the white space that the line of a place begins with.
func indentAt(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// indented writes JSON on several lines below an indentation.
func indented(value, indent string) string {
	step := "  "
	if strings.HasPrefix(indent, "\t") {
		step = "\t"
	}
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return value
	}
	out, err := json.MarshalIndent(json.RawMessage(value), indent, step)
	if err != nil {
		return value
	}
	return string(out)
}

// onlyAdded reads both texts as a client does, and returns an error if anything but the
// new member differs.
func onlyAdded(before, after, outer, name string) error {
	old, err := decodeJSONC(before)
	if err != nil {
		return err
	}
	now, err := decodeJSONC(after)
	if err != nil {
		return err
	}
	inner, _ := now[outer].(map[string]any)
	if _, ok := inner[name]; !ok {
		return errors.New("the new member cannot be read back")
	}
	delete(inner, name)
	if _, ok := old[outer]; !ok && len(inner) == 0 {
		delete(now, outer)
	}
	if !reflect.DeepEqual(old, now) {
		return errors.New("more than the new member would change")
	}
	return nil
}

// decodeJSONC decodes JSON with comments and trailing commas.
func decodeJSONC(text string) (map[string]any, error) {
	var b strings.Builder
	s := jsonScanner{text: text}
	pending := false // a comma that is written when something follows it
	for {
		if s.space(); s.at >= len(s.text) {
			break
		}
		c := s.text[s.at]
		if pending && c != '}' && c != ']' {
			b.WriteByte(',')
		}
		if pending = c == ','; pending {
			s.at++
			continue
		}
		start := s.at
		if c == '"' {
			if _, err := s.quoted(); err != nil {
				return nil, err
			}
		} else {
			s.at++
		}
		b.WriteString(s.text[start:s.at])
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(b.String()), &out); err != nil {
		return nil, errJSON
	}
	return out, nil
}
