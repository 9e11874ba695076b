package text

import "testing"

func TestOwnMark(t *testing.T) {
	for code := range ownCodes {
		s := "a" + OwnMark(code, "b") + "c"
		before, got, marked, after, ok := CutOwnMark(s)
		if !ok || before != "a" || got != code || marked != "b" || after != "c" {
			t.Errorf("%d: %q, %d, %q, %q, %v", code, before, got, marked, after, ok)
		}
		if got := WithoutOwnMarks(s); got != "abc" {
			t.Errorf("%d: without marks: %q", code, got)
		}
	}
	for _, s := range []string{"", "plain", "\ufdef", "\ufdcf", "\ufdf0"} { // none of them begins a marked text
		if before, _, _, _, ok := CutOwnMark(s); ok || before != s {
			t.Errorf("%q: %q, %v", s, before, ok)
		}
	}
}
