package date

import "testing"

// A date is one of a period where a word right before it says so, not one of a place or a person.
func TestIsPeriod(t *testing.T) {
	for text, want := range map[string]bool{
		"From 5 May 2024":                     true,
		"Until the 5th of May 2024":           true,
		"Deadline for applications: 1 June":   true,
		"Bis zum 5. Mai 2024":                 true,
		"Jusqu'au 5 mai 2024":                 true,
		"3 March 1931 – 2 May 2024":           true,
		"From Anna Berg in Oslo, 5 May 2024":  false,
		"Desde Madrid, 5 de mayo de 2024":     false,
		"Dal nostro inviato, 5 maggio 2024":   false,
		"Sunday before Ascension, 5 May 2024": false,
		"Published 5 May 2024":                false,
	} {
		if got := IsPeriod(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
