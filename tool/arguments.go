package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// MaxArgumentBytes bounds the arguments of one call.
const MaxArgumentBytes = 1 << 20

// maxShown bounds what a message repeats of a value.
const maxShown = 80

// Arguments are the arguments of a call by declared name. The values have the
// types string, int, float64, bool, []any and map[string]any. An argument that
// was not given and has no default is absent.
type Arguments map[string]any

// Has reports whether the argument was given or has a default.
func (a Arguments) Has(name string) bool { _, ok := a[name]; return ok }

// String returns a string argument, or "".
func (a Arguments) String(name string) string { s, _ := a[name].(string); return s }

// Int returns an integer argument, or 0.
func (a Arguments) Int(name string) int { n, _ := a[name].(int); return n }

// IntPointer returns an integer argument, or nil.
func (a Arguments) IntPointer(name string) *int {
	if n, ok := a[name].(int); ok {
		return &n
	}
	return nil
}

// Float returns a number, or 0.
func (a Arguments) Float(name string) float64 { f, _ := float(a[name]); return f }

// Bool returns a boolean argument, or false.
func (a Arguments) Bool(name string) bool { b, _ := a[name].(bool); return b }

// Strings returns the strings of an array argument, or nil.
func (a Arguments) Strings(name string) []string {
	list, _ := a[name].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// Decode writes the arguments into the struct that v points to, by its json
// tags.
func (a Arguments) Decode(v any) error {
	data, err := json.Marshal(map[string]any(a))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// Read converts the JSON that a caller sent to arguments. Where the meaning is
// clear, it is lenient:
//
//   - empty input and null mean no arguments; a string that holds a JSON object
//     means that object; an argument that is null counts as not given;
//   - "5" and 5.0 are read as 5, "true" as true, and 5 as "5" where a string is
//     declared;
//   - one value is read as a list of one, and a list of one as its value; a
//     longer list goes to the property that Property.Plural names;
//   - names may have another case or other separators, and may be one of
//     Property.Aliases; values may be one of Property.Synonyms.
//
// Everything else is InvalidInput. Its message has the name and the value, its
// hint has the allowed values or the nearest right one. The notices say which
// numbers were clamped.
func (s *Schema) Read(raw json.RawMessage) (Arguments, []string, *Error) {
	given, err := members(raw)
	if err != nil {
		return nil, nil, NewError(InvalidInput, shorten(err.Error()), "give the arguments as one JSON object")
	}
	args, notices, problems := s.readAll(given, nil)
	if len(problems) > 0 {
		return nil, nil, problems[0]
	}
	return args, notices, nil
}

// readAll is Read, but returns every problem, in the order of the given
// arguments. Values for which later reports true are taken unchanged.
func (s *Schema) readAll(given []member, later func(Property, any) bool) (Arguments, []string, []*Error) {
	args := make(Arguments, len(s.Properties))
	var notices []string
	var problems []*Error
	wrong := func(message, hint string) { problems = append(problems, NewError(InvalidInput, message, hint)) }
	failed := make(map[string]bool)
	for _, m := range given {
		p, ok := s.find(m.name)
		if !ok {
			if s.Open {
				args[m.name] = plain(m.value)
				continue
			}
			problems = append(problems, s.unknown(m.name))
			continue
		}
		if m.value == nil {
			continue
		}
		if list, ok := m.value.([]any); ok && p.Plural != "" && len(list) != 1 {
			p, _ = s.Property(p.Plural)
		}
		if later != nil && later(p, m.value) {
			args[p.Name] = m.value
			continue
		}
		v, notice, problem := p.value(m.value)
		if problem != "" {
			failed[p.Name] = true
			wrong(fmt.Sprintf("argument %q: %s", p.Name, problem), fmt.Sprintf("%s takes %s", p.Name, p.want()))
			continue
		}
		if old, twice := args[p.Name]; twice && !equal(old, v) {
			wrong(fmt.Sprintf("argument %q is given twice with different values", p.Name), "give it once")
			continue
		}
		args[p.Name] = v
		if notice != "" {
			notices = append(notices, notice)
		}
	}
	return args, notices, append(problems, s.complete(args, failed)...)
}

// complete sets the defaults of arguments that are not there, and returns what is missing.
// Nothing is said of those that failed.
func (s *Schema) complete(args Arguments, failed map[string]bool) (problems []*Error) {
	for i := range s.Properties {
		p := &s.Properties[i]
		switch {
		case args.Has(p.Name), failed[p.Name], p.Plural != "" && p.Required && args.Has(p.Plural):
		case p.Required:
			problems = append(problems, NewError(InvalidInput, fmt.Sprintf("argument %q is missing", p.Name), fmt.Sprintf("%s takes %s", p.Name, p.want())))
		case p.Default != nil:
			args[p.Name] = p.Default
		}
	}
	return problems
}

// member is a name and its value, as the caller sent them.
type member struct {
	name  string
	value any
}

// members reads the outermost object in order, so that a message names the
// first wrong argument and not a random one.
func members(raw json.RawMessage) ([]member, error) {
	if len(raw) > MaxArgumentBytes {
		return nil, fmt.Errorf("the arguments are longer than %d bytes", MaxArgumentBytes)
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var inner string
		if json.Unmarshal(raw, &inner) == nil {
			raw = bytes.TrimSpace([]byte(inner))
		}
	}
	if !json.Valid(raw) {
		return nil, errors.New("the arguments are not JSON: " + shorten(string(raw)))
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, errors.New("the arguments are not a JSON object: " + shorten(string(raw)))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var out []member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{}
		m.name, _ = t.(string)
		if err := d.Decode(&m.value); err != nil && err != io.EOF {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// find returns the property with this name or alias; case and separators may
// differ.
func (s *Schema) find(name string) (Property, bool) {
	if p, ok := s.Property(name); ok {
		return p, true
	}
	for _, p := range s.Properties {
		if slices.Contains(p.Aliases, name) {
			return p, true
		}
	}
	want := snake(name)
	for _, p := range s.Properties {
		if snake(p.Name) == want {
			return p, true
		}
		for _, a := range p.Aliases {
			if snake(a) == want {
				return p, true
			}
		}
	}
	return Property{}, false
}

func (s *Schema) unknown(name string) *Error {
	var names []string
	for _, p := range s.listed() {
		names = append(names, p.Name)
	}
	e := NewError(InvalidInput, fmt.Sprintf("argument %q is unknown", shorten(name)), "")
	switch near := Nearest(name, names); {
	case near != "":
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	case len(names) == 0:
		e.Hint = "this tool takes no arguments"
	default:
		e.Hint = "the arguments are " + strings.Join(names, ", ")
	}
	return e
}

// value reads the value of a property. The problem is "" on success.
func (p *Property) value(v any) (value any, notice, problem string) {
	if s, ok := v.(string); ok {
		if to, ok := p.Synonyms[strings.ToLower(strings.TrimSpace(s))]; ok {
			v = to
		}
	}
	if b, ok := v.(bool); ok && p.Booleans {
		v = strconv.FormatBool(b)
	}
	value, problem = p.read(v)
	if problem == "" || !p.Clamped {
		return value, "", problem
	}
	f, ok := float(value)
	if !ok {
		return nil, "", problem
	}
	bound := f
	if p.Minimum != nil {
		bound = max(bound, *p.Minimum)
	}
	if p.Maximum != nil {
		bound = min(bound, *p.Maximum)
	}
	notice = fmt.Sprintf("%s=%s is out of bounds; %s was used", p.Name, number(f), number(bound))
	if p.Type == TypeInteger {
		return int(bound), notice, ""
	}
	return bound, notice, ""
}

// read converts v to the declared type. The problem is "" on success. When a
// number is out of bounds, read returns both the value and the problem.
func (s *Schema) read(v any) (any, string) {
	if list, ok := v.([]any); ok && s.Type != TypeArray && s.Type != "" {
		if len(list) != 1 {
			return nil, fmt.Sprintf("a list of %d values was given where one value is expected", len(list))
		}
		v = list[0]
	}
	switch s.Type {
	case TypeString:
		return s.readString(v)
	case TypeInteger, TypeNumber:
		return s.readNumber(v)
	case TypeBoolean:
		return readBoolean(v)
	case TypeArray:
		return s.readArray(v)
	case TypeObject:
		return s.readObject(v)
	}
	return plain(v), ""
}

func (s *Schema) readString(v any) (any, string) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	default:
		return nil, show(v) + " is not a string"
	}
	if s.Enum == nil || slices.Contains(s.Enum, text) {
		return text, ""
	}
	for _, e := range s.Enum {
		if strings.EqualFold(strings.TrimSpace(text), e) {
			return e, ""
		}
	}
	problem := show(text) + " is not allowed"
	if near := Nearest(text, s.Enum); near != "" {
		problem += fmt.Sprintf("; did you mean %q?", near)
	}
	return nil, problem
}

func (s *Schema) readNumber(v any) (any, string) {
	f, ok := float(v)
	if !ok {
		return nil, show(v) + " is not a number"
	}
	var value any = f
	if s.Type == TypeInteger {
		// 2^53: beyond it, a float64 no longer holds every integer.
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return nil, show(v) + " is not a whole number"
		}
		value = int(f)
	}
	if s.Minimum != nil && f < *s.Minimum {
		return value, fmt.Sprintf("%s is less than %s", number(f), number(*s.Minimum))
	}
	if s.Maximum != nil && f > *s.Maximum {
		return value, fmt.Sprintf("%s is more than %s", number(f), number(*s.Maximum))
	}
	return value, ""
}

func readBoolean(v any) (any, string) {
	switch v := v.(type) {
	case bool:
		return v, ""
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, ""
		case "false":
			return false, ""
		}
	}
	return nil, show(v) + " is neither true nor false"
}

func (s *Schema) readArray(v any) (any, string) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
		// Models often send a list as a string that holds JSON.
		if text, isText := v.(string); isText && strings.HasPrefix(strings.TrimSpace(text), "[") {
			var inner []any
			if json.Unmarshal([]byte(text), &inner) == nil {
				list = inner
			}
		}
	}
	out := make([]any, len(list))
	for i, e := range list {
		if s.Items == nil {
			out[i] = plain(e)
			continue
		}
		read, problem := s.Items.read(e)
		if problem != "" {
			return nil, fmt.Sprintf("element %d: %s", i+1, problem)
		}
		out[i] = read
	}
	return out, ""
}

func (s *Schema) readObject(v any) (any, string) {
	if text, ok := v.(string); ok {
		var inner map[string]any
		if json.Unmarshal([]byte(text), &inner) == nil && inner != nil {
			v = inner
		}
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, show(v) + " is not an object"
	}
	if s.Open && s.Properties == nil {
		return plain(object), ""
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, "cannot be read"
	}
	args, _, e := s.Read(raw)
	if e != nil {
		return nil, e.Message
	}
	return map[string]any(args), ""
}

// want describes in words what the schema accepts.
func (s *Schema) want() string {
	switch {
	case s.Enum != nil:
		return "one of " + strings.Join(s.Enum, ", ")
	case s.Type == TypeInteger || s.Type == TypeNumber:
		kind := "a number"
		if s.Type == TypeInteger {
			kind = "a whole number"
		}
		switch {
		case s.Minimum != nil && s.Maximum != nil:
			return kind + " from " + number(*s.Minimum) + " to " + number(*s.Maximum)
		case s.Minimum != nil:
			return kind + ", " + number(*s.Minimum) + " or more"
		case s.Maximum != nil:
			return kind + ", at most " + number(*s.Maximum)
		}
		return kind
	case s.Type == TypeBoolean:
		return "true or false"
	case s.Type == TypeArray:
		return "a list"
	case s.Type == TypeObject:
		return "an object"
	case s.Type == TypeString:
		return "a string"
	}
	return "any value"
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case float64:
		return v, true
	case int:
		return float64(v), true
	case string:
		text := strings.TrimSpace(v)
		// ParseFloat also reads "inf", "0x1p2" and "1_000".
		if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
			return 0, false
		}
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	return 0, false
}

// plain replaces each json.Number in a value by an int, a float64 or a string.
// It recurses no deeper than encoding/json reads (10,000 levels).
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String() // too large for a float64
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = plain(v[k])
		}
		return out
	}
	return v
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// show writes a value for a message: as JSON, shortened.
func show(v any) string {
	data, err := encode(v)
	if err != nil {
		return "the value"
	}
	return shorten(string(data))
}

// shorten is what a caller sent, as messages repeat it: one line of at most
// maxShown bytes, without characters that nobody sees, as far as Go's tables know them:
// this package imports no other of ours.
func shorten(s string) string {
	cut := s[:min(len(s), maxShown)]
	cut = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(cut, ""))
	if len(s) > maxShown {
		cut += "…"
	}
	return cut
}
