package extract

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// filled sets each field of a value, so that a field that the wire form leaves
// out is seen.
func filled(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), depth)
		}
	case reflect.Slice:
		if depth < 3 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			for i := range 2 {
				filled(v.Index(i), depth+1)
			}
		}
	case reflect.Pointer:
		if depth < 3 {
			v.Set(reflect.New(v.Type().Elem()))
			filled(v.Elem(), depth+1)
		}
	case reflect.String:
		v.SetString("text é\n")
	case reflect.Int:
		v.SetInt(-7)
	case reflect.Uint8:
		v.SetUint(3)
	case reflect.Bool:
		v.SetBool(true)
	}
}

func TestWireForm(t *testing.T) {
	var in, out wireReply
	filled(reflect.ValueOf(&in).Elem(), 0)
	d := decoder{b: encode(in), memory: maxWireMemory}
	if err := d.decode(reflect.ValueOf(&out).Elem(), 0); err != nil || len(d.b) > 0 {
		t.Fatal(err, len(d.b))
	}
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v, want %+v", out, in)
	}
}

// TestElsewhere shows that a document that is read elsewhere gives the page, or
// the error, that it gives here.
func TestElsewhere(t *testing.T) {
	asked := 0
	o := Options{URL: "https://example.com/a", Elsewhere: func(request ...[]byte) ([]byte, error) {
		asked++
		return Serve(bytes.Join(request, nil)), nil
	}}
	here := o
	here.Elsewhere = nil
	for _, c := range []struct {
		mediaType, body string
		elsewhere       bool
	}{
		{"message/rfc822", "Subject: a\nFrom: b@example.com\n\nhello\n\nagain [x](https://example.com/)\n", true},
		{"application/zip", "PK\x05\x06" + strings.Repeat("\x00", 18), true},
		{"application/pdf", "%PDF-1.4 nothing", true},
		{"application/epub+zip", "not a zip", true},
		{"text/csv", "a,b\n1,2\n", false},
		{"text/plain", "a", false},
	} {
		asked = 0
		p, err := Document([]byte(c.body), c.mediaType, o)
		want, wantErr := Document([]byte(c.body), c.mediaType, here)
		if (asked == 1) != c.elsewhere {
			t.Errorf("%s: asked %d times", c.mediaType, asked)
		}
		if !reflect.DeepEqual(p, want) {
			t.Errorf("%s: got %+v, want %+v", c.mediaType, p, want)
		}
		var e, wantE *Error
		if errors.As(err, &e) != errors.As(wantErr, &wantE) || e != nil && (e.Code != wantE.Code || e.Error() != wantE.Error()) {
			t.Errorf("%s: got %v, want %v", c.mediaType, err, wantErr)
		}
	}
}

// TestHostileReply has replies that a document's reader cannot give.
func TestHostileReply(t *testing.T) {
	good := func() *page.Page {
		return &page.Page{URL: "https://example.com/a", Type: page.Document, Method: page.MethodDocument, Verdict: page.Complete,
			Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Text: "a"}}}}}
	}
	deep := page.Block{}
	for range page.MaxDepth + 2 {
		deep = page.Block{Kind: page.Quote, Children: []page.Block{deep}}
	}
	read := func(reply []byte) (*page.Page, error) {
		return Document(nil, "application/pdf", Options{URL: "https://example.com/a", Elsewhere: func(...[]byte) ([]byte, error) { return reply, nil }})
	}
	if _, err := read(encode(wireReply{Page: good()})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(p *page.Page){
		"another address":    func(p *page.Page) { p.URL = "https://example.org/" },
		"a script's address": func(p *page.Page) { p.Links = []page.Link{{URL: "javascript:alert(1)"}} },
		"a link":             func(p *page.Page) { p.Blocks[0].Inlines[0].URL = "file:///etc/passwd" },
		"escape sequences":   func(p *page.Page) { p.Blocks[0].Inlines[0].Text = "a\x1b[2J" },
		"not UTF-8":          func(p *page.Page) { p.Meta.Title = "\xff" },
		"a kind":             func(p *page.Page) { p.Blocks[0].Kind = 200 },
		"a level":            func(p *page.Page) { p.Blocks[0] = page.Block{Kind: page.Heading, Level: 7} },
		"no table":           func(p *page.Page) { p.Blocks[0].Kind = page.TableBlock },
		"spans": func(p *page.Page) {
			p.Blocks[0].Table = &page.Table{Rows: [][]page.Cell{{{ColSpan: 1 << 30, RowSpan: 1}}}}
		},
		"header rows": func(p *page.Page) { p.Blocks[0].Table = &page.Table{HeaderRows: 3} },
		"depth":       func(p *page.Page) { p.Blocks[0] = deep },
		"a verdict":   func(p *page.Page) { p.Verdict = page.LoginWall },
		"a method":    func(p *page.Page) { p.Method = page.MethodSpyhop },
	} {
		p := good()
		change(p)
		if got, err := read(encode(wireReply{Page: p})); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for name, reply := range map[string][]byte{
		"nothing":      {},
		"no page":      encode(wireReply{}),
		"more bytes":   append(encode(wireReply{Page: good()}), 0),
		"a long slice": append([]byte{1}, bytes.Repeat([]byte{0xff}, 9)...),
		"an error":     encode(wireReply{Error: &wireError{Code: 99}}),
	} {
		if got, err := read(reply); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func FuzzReply(f *testing.F) {
	p := &page.Page{URL: "u", Type: page.Document, Method: page.MethodDocument, Verdict: page.Complete, Blocks: []page.Block{{Kind: page.Code, Text: "a"}}}
	f.Add(encode(wireReply{Page: p}))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, reply []byte) {
		p, err := Document(nil, "application/pdf", Options{URL: "u", Elsewhere: func(...[]byte) ([]byte, error) { return reply, nil }})
		if err == nil && !plausible(p, "u") {
			t.Error("a page that is not plausible")
		}
	})
}
