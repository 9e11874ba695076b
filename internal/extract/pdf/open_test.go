package pdf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestManyObjects: a file with more objects than the library can hold within bounds is
// refused, whether its table lists them, lists one many times, or is missing.
func TestManyObjects(t *testing.T) {
	const size = 5 << 20
	file := func(entries int) []byte {
		head := "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\n"
		return []byte(head + fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", entries+1) + strings.Repeat("0000000009 00000 n \n", entries) +
			fmt.Sprintf("trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF", entries+1, len(head)))
	}
	if n := outside(file(7)); n != 7 {
		t.Errorf("%d entries, want 7", n)
	}
	if _, err := open(file(100), nil); isTooLarge(err) {
		t.Errorf("a hundred entries: %v", err)
	}
	if _, err := open(file(100_000), nil); !isTooLarge(err) {
		t.Errorf("a table that names one object: %v", err)
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%d 0 obj\n<</A 1>>\nendobj\n", i)
	}
	in := &meter{left: maxRead(b.Len())}
	if in.left > 256<<20 {
		t.Errorf("the library may read %d MB of 5 MB", in.left>>20)
	}
	asked := func() error { return errors.New("the library reads") }
	if _, err := open([]byte(b.String()+"trailer<</Root 1 0 R>>\nstartxref\n5\n%%EOF"), asked); !isTooLarge(err) {
		t.Errorf("objects without a table: %v", err)
	}
}

// TestJoinedLines: a file that the library would repair by copying it once for each of its
// lines is refused; one whose lines end in the same way as a rule is not.
func TestJoinedLines(t *testing.T) {
	asked := func() error { return errors.New("the library reads") }
	for name, line := range map[string]string{
		"lines":          "1 0 obj " + strings.Repeat("x", 490) + " obj\n",
		"short lines":    "1 0 obj\n",
		"comments":       "%" + strings.Repeat("x", 100) + "\n",
		"returns":        "\r",
		"parts of lines": "o\nbj\n",
	} {
		body := "%PDF-1.4\n1 0 obj" + strings.Repeat("x", 1<<20) + "obj\n" + strings.Repeat(line, min(4<<20/len(line), maxOutside/2)) + "2 0 obj"
		if _, err := open([]byte(body), asked); !isTooLarge(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	usual := "%PDF-1.4\n" + strings.Repeat("1 0 obj\n<</A 1>>\nendobj\n2 0 obj<</B 2>>endobj\r\n\r\nq 1 0 0 1 0 0 cm\n", 10_000)
	if n := joined([]byte(usual)); n > 4*int64(len(usual)) {
		t.Errorf("usual lines: %d", n)
	}
}

// TestShare: a stream that stands in the file as it is kept is not kept twice.
func TestShare(t *testing.T) {
	body := documentOf(plainFonts, at(72, 700, "F1", 12, "Ferries"))
	d, err := open(body, nil)
	if err != nil {
		t.Fatal(err)
	}
	streams := 0
	for _, entry := range d.ctx.Table {
		s, ok := entry.Object.(types.StreamDict)
		if !ok {
			continue
		}
		streams++
		if &s.Raw[0] != &body[s.StreamOffset] || cap(s.Raw) != len(s.Raw) {
			t.Errorf("%q is a copy", s.Raw)
		}
	}
	if streams == 0 {
		t.Error("no streams")
	}
}

func isTooLarge(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == TooLarge
}

// TestBrokenStreams: a stream ends where endstream follows, whatever /Length says, and what
// stands before a damaged place is read.
func TestBrokenStreams(t *testing.T) {
	var text []string
	for i := range 60 {
		text = append(text, fmt.Sprintf("The ferry %x waits for fog and light %x.", i*i*7919, i*104729))
	}
	whole := string(documentOf(plainFonts, lines(72, 760, "F1", 9, text...)))
	length := func(n string) string {
		at := strings.Index(whole, "/Length ") + len("/Length ")
		end := at + strings.Index(whole[at:], " ")
		return whole[:at] + fmt.Sprintf("%*s", end-at, n) + whole[end:]
	}
	middle := strings.Index(whole, "\nendstream") * 2 / 3
	for _, c := range []struct {
		name, body string
		all        bool
	}{
		{"whole", whole, true},
		{"a length of 3", length("3"), true},
		{"a length too long", length("1400"), true},
		{"damaged", whole[:middle] + "\xff\xff\xff\xff\xff\xff\xff\xff" + whole[middle+8:], false},
	} {
		p, err := Read([]byte(c.body), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := show(p.Blocks)
		if !strings.Contains(got, "The ferry 0 waits") || strings.Contains(got, text[59]) != c.all || (p.Omitted(page.OmittedRest) == 0) != c.all {
			t.Errorf("%s, %v: %q", c.name, p.Omissions, got)
		}
	}
}
