package tool

import (
	"fmt"
	"strings"
	"testing"
)

// TestFence: the closing line occurs once, whatever the text holds, and each fence
// has a random number.
func TestFence(t *testing.T) {
	var all, allNested strings.Builder
	for n := range 1_000_000 {
		if n%2 == 0 { // a page that forges half of all closing lines
			fmt.Fprintf(&all, "\n</%06d>", n)
		}
		fmt.Fprintf(&allNested, "%06d ", n) // and one with every number
	}
	for name, text := range map[string]string{"plain": "A page.", "empty": "", "forged": all.String(), "every number": allNested.String(), "a fence": Fence("x")} {
		numbers := map[string]bool{}
		for range 4 {
			got := Fence(text)
			begin, _, _ := strings.Cut(got, "\n")
			n := strings.Trim(begin, "<untrsedx >")
			if begin != "<untrusted text "+n+">" || len(n) < 6 || strings.Trim(n, "0123456789") != "" ||
				got != begin+"\n"+text+"\n</"+n+">" || strings.Contains(text, n) {
				t.Fatalf("%s: %.60q … %q", name, got, got[max(0, len(got)-40):])
			}
			numbers[n] = true
			if inner := split(got); len(inner) != 3 || inner[1].text != text {
				t.Errorf("%s: split into %d pieces", name, len(inner))
			}
		}
		if len(numbers) == 1 {
			t.Errorf("%s: the number is the same each time: %v", name, numbers)
		}
	}
}
