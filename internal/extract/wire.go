package extract

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Documents whose readers are the largest can be read in another process
// ([Options.Elsewhere]). This file has the two ends: [Document] sends the
// document and checks the page that comes back, [Serve] reads it. A document may
// have taken over the process that read it: the page is decoded within bounds,
// and each value of it must be one that a reader may give.

// wireRequest is followed by the document.
type wireRequest struct {
	MediaType, URL string
	Whole, Scans   bool
}

// wireReply is a page, an error, or both.
type wireReply struct {
	Page  *page.Page
	Error *wireError
	Scans []scan
}

type wireError struct {
	Code      errorCode
	MediaType string
	Verdict   page.Verdict
	Cause     string
}

// The bounds of a reply.
const (
	maxWireDepth  = 4 * page.MaxDepth // of values in each other
	maxWireMemory = 256 << 20         // bytes of all decoded values
	maxWireCause  = 500               // bytes
)

var errWire = errors.New("the reply of the reading process breaks the protocol")

// Isolated reports whether documents of a media type are read in another
// process, if there is one: PDF, zip-based formats, mail.
func Isolated(mediaType string) bool {
	switch mediaType {
	case "application/pdf", "message/rfc822", "application/epub+zip", "application/zip", "application/x-zip-compressed", "application/java-archive":
		return true
	}
	for _, prefix := range []string{"application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.", "application/vnd.ms-"} {
		if strings.HasPrefix(mediaType, prefix) {
			return document.Reads(mediaType)
		}
	}
	return false
}

// Service names the protocol of [Serve], with a hash of the types that it
// carries: two versions of a program do not talk past each other.
func Service() string {
	h := fnv.New64a()
	describeType(h, reflect.TypeFor[wireRequest](), 0)
	describeType(h, reflect.TypeFor[wireReply](), 0)
	return "documents/" + hex.EncodeToString(h.Sum(nil))
}

func describeType(h interface{ Write([]byte) (int, error) }, t reflect.Type, depth int) {
	fmt.Fprint(h, t.Kind(), " ")
	if depth > 12 {
		return // a type that holds itself
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			fmt.Fprint(h, t.Field(i).Name, " ")
			describeType(h, t.Field(i).Type, depth+3)
		}
	case reflect.Slice, reflect.Pointer:
		describeType(h, t.Elem(), depth+1)
	}
}

// Serve reads the document of a request, and returns the reply.
func Serve(request []byte) []byte {
	var r wireRequest
	d := decoder{b: request, memory: len(request)}
	if err := d.decode(reflect.ValueOf(&r).Elem(), 0); err != nil {
		return encode(wireReply{Error: &wireError{Code: malformed, Cause: err.Error()}})
	}
	var reply wireReply
	o := Options{URL: r.URL, Whole: r.Whole}
	if r.Scans {
		o.scans = &reply.Scans
	}
	p, err := Document(d.b, r.MediaType, o)
	reply.Page = p
	if err != nil {
		reply.Error = &wireError{Code: malformed, MediaType: r.MediaType, Cause: err.Error()}
		var e *Error
		if errors.As(err, &e) {
			*reply.Error = wireError{Code: e.Code, MediaType: e.MediaType, Verdict: e.Verdict}
			if e.Cause != nil {
				reply.Error.Cause = e.Cause.Error()
			}
		}
		c := strings.ToValidUTF8(reply.Error.Cause, "")
		reply.Error.Cause = strings.ToValidUTF8(c[:min(len(c), maxWireCause)], "")
	}
	return encode(reply)
}

// elsewhere has another process read a document.
func elsewhere(body []byte, mediaType string, o Options) (*page.Page, error) {
	reply, err := o.Elsewhere(encode(wireRequest{mediaType, o.URL, o.Whole, o.scans != nil}), body)
	if err != nil {
		return nil, err
	}
	var r wireReply
	d := decoder{b: reply, memory: maxWireMemory}
	if err := d.decode(reflect.ValueOf(&r).Elem(), 0); err != nil {
		return nil, &Error{Code: malformed, MediaType: mediaType, Cause: err}
	}
	if len(d.b) > 0 || r.Page == nil && r.Error == nil || r.Page != nil && !plausible(r.Page, o.URL) || r.Error != nil && !r.Error.plausible() {
		return nil, &Error{Code: malformed, MediaType: mediaType, Cause: errWire}
	}
	if o.scans != nil {
		add := take(o.scans)
		for _, s := range r.Scans {
			add(s.Page, s.Picture)
		}
	}
	if r.Error == nil {
		return r.Page, nil
	}
	e := &Error{Code: r.Error.Code, MediaType: mediaType, Verdict: r.Error.Verdict}
	if r.Error.Cause != "" {
		e.Cause = errors.New(r.Error.Cause)
	}
	return r.Page, e
}

func (e *wireError) plausible() bool {
	return e.Code >= Unsupported && e.Code <= TooLarge && len(e.Cause) <= maxWireCause && len(e.Verdict) <= 40
}

// plausible reports whether a page of a document is one that its reader may
// give: the guarantees of package page, and its address.
func plausible(p *page.Page, url string) bool {
	if p.URL != url || p.Type != page.Document && p.Type != page.Data && p.Type != page.Other || p.Method != page.MethodDocument ||
		!p.Verdict.Success() || p.Shell != "" || p.FromData || p.Recognized != 0 || p.Unrecognized != "" {
		return false
	}
	for _, s := range p.Missing {
		if s != (page.Sign{Kind: page.MissingParts}) && s != (page.Sign{Kind: page.MissingText}) && s != (page.Sign{Kind: page.MissingValues}) {
			return false
		}
	}
	for _, l := range p.Links {
		if !address(l.URL) || l.Count < 0 {
			return false
		}
	}
	for _, o := range p.Omissions {
		if o.Count < 0 || len(o.Kind) > 40 {
			return false
		}
	}
	return plausibleBlocks(p.Blocks, 0)
}

func plausibleBlocks(blocks []page.Block, depth int) bool {
	if depth > page.MaxDepth {
		return false
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Kind > page.Group || b.Level < 0 || b.Level > 6 || b.Kind == page.Heading && b.Level == 0 || b.Check > page.Checked || b.Start < 0 ||
			b.Kind == page.TableBlock && b.Table == nil || !plausibleInlines(b.Inlines, 0) || !plausibleBlocks(b.Children, depth+1) {
			return false
		}
		t := b.Table
		if t == nil {
			continue
		}
		if t.HeaderRows < 0 || t.HeaderRows > len(t.Rows) || !plausibleInlines(t.Caption, 0) {
			return false
		}
		for _, a := range t.Align {
			if a > page.AlignRight {
				return false
			}
		}
		for _, row := range t.Rows {
			for k := range row {
				c := &row[k]
				if c.ColSpan < 1 || c.ColSpan > 1000 || c.RowSpan < 1 || c.RowSpan > 65534 || !plausibleBlocks(c.Blocks, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

func plausibleInlines(inlines []page.Inline, depth int) bool {
	if depth > page.MaxDepth {
		return false
	}
	for i := range inlines {
		in := &inlines[i]
		if in.Kind > page.FootnoteRef || !address(in.URL) || !plausibleInlines(in.Children, depth+1) {
			return false
		}
	}
	return true
}

// address reports whether an address is empty or of a scheme that a page may
// link to; "#" leads within the page.
func address(s string) bool {
	if s == "" {
		return true
	}
	for _, prefix := range []string{"https://", "http://", "mailto:", "tel:", "#"} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// encode writes a value of structs, slices, pointers, strings and numbers:
// numbers as varints, lengths before strings and slices, 0 for a nil pointer.
func encode(v any) []byte { return appendValue(nil, reflect.ValueOf(v)) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		b = appendValue(append(b, 1), v.Elem())
	case reflect.String:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		b = append(b, v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		b = append(b, 0)
	case reflect.Int:
		b = binary.AppendVarint(b, v.Int())
	case reflect.Uint8:
		b = append(b, byte(v.Uint()))
	default:
		panic("extract: no wire form of " + v.Type().String())
	}
	return b
}

// decoder reads what encode writes, within bounds.
type decoder struct {
	b      []byte
	memory int // bytes that values may still take
}

func (d *decoder) decode(v reflect.Value, depth int) error {
	if depth > maxWireDepth {
		return errWire
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := d.decode(v.Field(i), depth); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		n, err := d.length()
		if err != nil || n == 0 {
			return err
		}
		if d.memory -= n * int(v.Type().Elem().Size()); d.memory < 0 {
			return errWire
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(d.b[:n])
			d.b = d.b[n:]
			return nil
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			if err := d.decode(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.String:
		n, err := d.length()
		if err != nil {
			return err
		}
		s := string(d.b[:n])
		d.b = d.b[n:]
		if d.memory -= n; d.memory < 0 || !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
			return errWire
		}
		v.SetString(s)
		return nil
	case reflect.Int:
		n, size := binary.Varint(d.b)
		if size <= 0 || n != int64(int32(n)) {
			return errWire
		}
		d.b = d.b[size:]
		v.SetInt(n)
		return nil
	}
	if len(d.b) == 0 {
		return errWire
	}
	c := d.b[0]
	d.b = d.b[1:]
	switch v.Kind() {
	case reflect.Pointer:
		if c == 0 {
			return nil
		}
		if d.memory -= int(v.Type().Elem().Size()); c != 1 || d.memory < 0 {
			return errWire
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.decode(v.Elem(), depth+1)
	case reflect.Bool:
		if c > 1 {
			return errWire
		}
		v.SetBool(c == 1)
	case reflect.Uint8:
		v.SetUint(uint64(c))
	}
	return nil
}

// length reads a length. Each element takes at least a byte, so that no length
// goes beyond what is left.
func (d *decoder) length() (int, error) {
	n, size := binary.Uvarint(d.b)
	if size <= 0 || n > uint64(len(d.b)-size) {
		return 0, errWire
	}
	d.b = d.b[size:]
	return int(n), nil
}

// isControl reports whether a character has no place in a page.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0
}
