package snapshot

import "testing"

// TestKinds: the letter of a ref says what can be done with it, so no two kinds
// have the same. Two equal cases would not compile.
func TestKinds(t *testing.T) {
	letter := func(k byte) bool {
		switch k {
		case kindLink, kindButton, kindCombo, kindFile, kindClick, kindOption, kindPassage, kindRadio, kindSlider, kindText, kindCheck, kindRegion:
			return true
		case labelControl, weakControl, saidControl, partControl, noControl:
		}
		return false
	}
	for _, role := range []string{"link", "button", "textbox", "combobox", "checkbox", "radio", "option", "slider"} {
		if !letter(roleKind(role)) {
			t.Errorf("%s has no letter", role)
		}
	}
}
