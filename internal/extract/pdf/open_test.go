package pdf

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
	if n := entries(file(7)); n != 7 {
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
	if _, err := open([]byte(b.String()+"trailer<</Root 1 0 R>>\nstartxref\n5\n%%EOF"), nil); !isTooLarge(err) {
		t.Errorf("objects without a table: %v", err)
	}
}

func isTooLarge(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == TooLarge
}
