package extract

import (
	"errors"
	"fmt"
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

// TestStruckThrough: of prices, the one that is not struck through counts.
func TestStruckThrough(t *testing.T) {
	for name, c := range map[string]struct{ html, selector, want string }{
		"an element":     {`<p class="price"><del><b>$30.00</b></del> <ins><b>$20.00</b></ins></p>`, "p.price b", "20.00"},
		"a part":         {`<p class="price"><s>$30.00</s> $20.00</p>`, "p.price", "20.00"},
		"a style":        {`<p class="price"><b style="text-decoration: line-through">30.00</b> <b>20.00</b></p>`, "p.price b", "20.00"},
		"all":            {`<p><del>30.00</del></p>`, "del", "30.00"},
		"nothing struck": {`<p class="price"><b>30.00</b> <b>20.00</b></p>`, "p.price b", "30.00"},
	} {
		s, attr, err := CompileField(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := Fill([]byte("<body>"+c.html), "text/html", Options{}, &Field{Kind: NumberField, Selector: s, Attr: attr})
		if err != nil || fmt.Sprint(v) != c.want {
			t.Errorf("%s: %v %v, want %s", name, v, err, c.want)
		}
	}
}
