package toolset

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The form that plans are checked against has every member of an answer, for
// one address or several, and no other.
func TestFetchForm(t *testing.T) {
	compareForm(t, "an answer", fetchForm(), reflect.TypeFor[result.Fetch](), reflect.TypeFor[result.FetchAll]())
}

// compareForm compares the members of an object that may come in one of
// several Go types, and those of the objects in its lists.
func compareForm(t *testing.T, where string, form tool.Schema, types ...reflect.Type) {
	t.Helper()
	members := map[string]reflect.Type{}
	for _, typ := range types {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" {
				members[name] = typ.Field(i).Type
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		p, ok := form.Property(name)
		if !ok {
			t.Errorf("%s has a member %q, its form has none", where, name)
			continue
		}
		if typ := members[name]; typ.Kind() == reflect.Slice {
			item := typ.Elem()
			if item.Kind() == reflect.Pointer {
				item = item.Elem()
			}
			if item.Kind() == reflect.Struct {
				compareForm(t, where+"'s "+name, *p.Items, item)
			}
		}
	}
	for _, p := range form.Properties {
		if members[p.Name] == nil {
			t.Errorf("the form of %s has a member %q, it has none", where, p.Name)
		}
	}
}
