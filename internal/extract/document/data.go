package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

var errNesting = errors.New("it is nested too deep")

// OutlineJSON writes JSON with long arrays, objects and texts shortened and
// their lengths given, and with arrays of equal objects represented by their first
// ones. It fails on input that is not JSON.
func OutlineJSON(body []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	o := outline{d: d, lines: outlineLines}
	if err := o.value(0); err != nil {
		return "", err
	}
	return o.b.String(), nil
}

// outline reads a document token by token: no tree is built.
type outline struct {
	d     *json.Decoder
	b     strings.Builder
	lines int
	mute  int // deeper than this many levels nothing is written
}

func (o *outline) value(depth int) error {
	t, err := o.d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return o.nested(t, depth)
	case string:
		if r := []rune(t[:min(len(t), 4*outlineText+4)]); len(r) > outlineText {
			t = fmt.Sprintf("%s… (%d bytes)", string(r[:outlineText]), len(t))
		}
		o.write(quoted(t))
	case json.Number:
		o.write(t.String())
	case nil:
		o.write("null")
	default:
		o.write(fmt.Sprint(t))
	}
	return nil
}

// nested writes an array or an object; the items beyond the bounds are read
// and counted.
func (o *outline) nested(open json.Delim, depth int) error {
	if depth > maxJSONDepth {
		return errNesting
	}
	shown := outlineItems
	if open == '{' {
		shown = outlineKeys
	}
	o.write(open.String())
	n := 0
	for ; o.d.More(); n++ {
		hide := n >= shown || depth >= outlineDepth || o.lines <= 0
		if hide {
			o.mute++
		}
		o.line(depth + 1)
		if err := o.member(open == '{', depth+1); err != nil {
			return err
		}
		if hide {
			o.mute--
		}
	}
	end, err := o.d.Token()
	if err != nil {
		return err
	}
	if left := n - min(n, shown); left > 0 || depth >= outlineDepth && n > 0 {
		o.line(depth + 1)
		o.write(fmt.Sprintf("… %d in all", n))
	}
	if n > 0 {
		o.line(depth)
	}
	o.write(fmt.Sprint(end))
	return nil
}

// member writes an element, after its key where it has one.
func (o *outline) member(keyed bool, depth int) error {
	if keyed {
		key, err := o.d.Token()
		if err != nil {
			return err
		}
		o.write(quoted(fmt.Sprint(key)) + ": ")
	}
	return o.value(depth)
}

func (o *outline) line(depth int) {
	if o.mute == 0 {
		o.lines--
		o.b.WriteString("\n" + strings.Repeat("  ", depth))
	}
}

func (o *outline) write(s string) {
	if o.mute == 0 {
		o.b.WriteString(s)
	}
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
