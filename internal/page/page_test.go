package page

import "testing"

func TestNotes(t *testing.T) {
	var p Page
	p.Omit(HiddenDisplay, 2)
	p.Omit(OmittedNodes, 0)
	p.Omit(HiddenDisplay, 3)
	if p.Omitted(HiddenDisplay) != 5 || p.Omitted(OmittedNodes) != 0 || len(p.Omissions) != 1 {
		t.Errorf("%v", p.Omissions)
	}
}

func TestVerdictSuccess(t *testing.T) {
	for v, want := range map[Verdict]bool{
		Complete: true, Partial: true, Thin: true,
		"": false, LoginWall: false, Challenge: false, EmptyShell: false, RateLimited: false, RefusedBySite: false, Dead: false,
	} {
		if v.Success() != want {
			t.Errorf("%q: %v", v, v.Success())
		}
	}
}

func TestInlineText(t *testing.T) {
	in := []Inline{
		{Kind: Text, Text: "a "},
		{Kind: Strong, Children: []Inline{{Kind: LinkInline, URL: "https://example.com/", Children: []Inline{{Kind: Text, Text: "b"}}}}},
		{Kind: Break},
		{Kind: ImageInline, Text: "alt"},
		{Kind: CodeSpan, Text: "c"},
	}
	if got := InlineText(in); got != "a b c" {
		t.Errorf("%q", got)
	}
}
