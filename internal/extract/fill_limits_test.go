package extract

import (
	"errors"
	"strings"
	"testing"
)

// TestFillWithinBounds: the values of one page have a budget together, in bytes and in
// steps of matching; what is cut is said.
func TestFillWithinBounds(t *testing.T) {
	field := func(selector string) *Field {
		s, attr, err := CompileField(selector)
		if err != nil {
			t.Fatal(err)
		}
		return &Field{Kind: ListField, Name: "a", Element: &Field{Selector: s, Attr: attr}}
	}
	object := func(n int, selector string) *Field {
		f := &Field{Kind: ObjectField}
		for range n {
			f.Members = append(f.Members, field(selector))
		}
		return f
	}
	long := "<p>" + strings.Repeat("word ", 10_000/5) + "</p>"
	if _, cut, err := Fill([]byte(strings.Repeat(long, 100)), "text/html", Options{}, object(90, "p")); err != nil || !cut {
		t.Errorf("bytes: cut %v, %v", cut, err)
	}
	if _, cut, err := Fill([]byte(strings.Repeat("<p>a</p>", 100)), "text/html", Options{}, object(90, "p")); err != nil || cut {
		t.Errorf("an ordinary page: cut %v, %v", cut, err)
	}
	var e *Error
	_, _, err := Fill([]byte(strings.Repeat("<i>a</i>", 3000)), "text/html", Options{}, object(90, "b ~ i ~ i ~ i"))
	if !errors.As(err, &e) || e.Code != BadSelector {
		t.Errorf("steps: %v", err)
	}
}
