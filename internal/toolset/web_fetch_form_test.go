package toolset

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/reader"
)

// The form that plans are checked against has every member of an answer, and
// no other.
func TestPageForm(t *testing.T) {
	form := pageForm()
	members := map[string]bool{}
	answer := reflect.TypeFor[reader.Answer]()
	for i := range answer.NumField() {
		name, _, _ := strings.Cut(answer.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		members[name] = true
		if _, ok := form.Property(name); !ok {
			t.Errorf("an answer has a member %q, its form has none", name)
		}
	}
	for _, p := range form.Properties {
		if !members[p.Name] {
			t.Errorf("the form has a member %q, an answer has none", p.Name)
		}
	}
}
