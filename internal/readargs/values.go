package readargs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// NoLimit is the number that means no limit in a field of a struct.
const NoLimit = -1

// A field of a struct is bound to an argument by its tag, for example
// `argument:"max_length"`. After a comma may stand an option: "not" is a bool that is
// the opposite of the argument, "zero" a bool that means the argument's 0.
type binding struct {
	Argument
	field  reflect.StructField
	option string
}

// bindings lists the fields of a struct type that have a tag, in their order. A
// tag that names no argument is a programming error, and panics.
func bindings(t reflect.Type) []binding {
	var out []binding
	table := table()
	for field := range t.Fields() {
		tag := field.Tag.Get("argument")
		name, option, _ := strings.Cut(tag, ",")
		if name == "" {
			continue
		}
		i := slices.IndexFunc(table, func(a Argument) bool { return a.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("readargs: %s.%s: there is no argument %q", t, field.Name, name))
		}
		out = append(out, binding{table[i], field, option})
	}
	return out
}

// Values takes the arguments out of a struct, or a pointer to one. A zero field
// is not given, a pointer is given unless it is nil, and NoLimit means what the
// argument's row says. A value has the type that its field has, named types
// aside.
func Values(v any) tool.Arguments {
	out := tool.Arguments{}
	s := reflect.Indirect(reflect.ValueOf(v))
	for _, b := range bindings(s.Type()) {
		f := s.FieldByIndex(b.field.Index)
		switch {
		case b.option == "not":
			out[b.Name] = !f.Bool()
		case f.IsZero():
		case b.option == "zero":
			out[b.Name] = time.Duration(0)
		case f.Kind() == reflect.Pointer:
			out[b.Name] = f.Elem().Interface()
		case f.CanInt() && f.Int() == NoLimit && b.noLimit != nil:
			if b.noLimit != (omitted{}) {
				out[b.Name] = b.noLimit
			}
		case f.Kind() == reflect.String:
			out[b.Name] = f.String()
		default:
			out[b.Name] = f.Interface()
		}
	}
	return out
}

// Fill is the reverse of Values: it puts the arguments into the struct that
// target points to. Fields of arguments that are not given stay as they are.
func Fill(target any, values tool.Arguments) {
	s := reflect.ValueOf(target).Elem()
	for _, b := range bindings(s.Type()) {
		v, given := values[b.Name]
		if !given {
			continue
		}
		f := s.FieldByIndex(b.field.Index)
		switch x := reflect.ValueOf(v); {
		case b.option == "not":
			f.SetBool(!x.Bool())
		case b.option == "zero":
			f.SetBool(x.IsZero())
		case x.Comparable() && v == b.noLimit:
			f.SetInt(NoLimit)
		default:
			f.Set(x.Convert(f.Type()))
		}
	}
}

// Surface is how a surface names arguments in messages.
type Surface struct {
	// Prefix and Name together are the name of an argument.
	Prefix string
	Name   func(Argument) string
	// Strict refuses what other surfaces clamp.
	Strict bool
	// NoLimit: hints name it, where an argument takes it.
	NoLimit bool
}

// Flags names arguments as the command does.
func Flags() Surface { return Surface{Prefix: "--", Name: Argument.FlagName, Strict: true} }

// Fields names arguments by the fields of the library's struct type t.
func Fields(t reflect.Type) Surface {
	return Surface{Prefix: t.Name() + ".", NoLimit: true, Name: func(a Argument) string {
		for _, b := range bindings(t) {
			if b.Name == a.Name {
				return b.field.Name
			}
		}
		return a.Name
	}}
}

// Check holds values to the table, but for those of the tool, which its schema
// holds to it. It puts bounds in the place of numbers that may be clamped, and
// says so in the notices.
func Check(values tool.Arguments, s Surface) (notices []string, err error) {
	for _, a := range table() {
		v, given := values[a.Name]
		if !given {
			continue
		}
		fits, more := a.fits(v)
		switch {
		case fits:
		case more && a.Clamped && !s.Strict:
			top := time.Duration(*a.Max) * a.Unit
			values[a.Name] = top
			notices = append(notices, fmt.Sprintf("%s %s is out of bounds; %v was used.", s.Name(a), text.Name(fmt.Sprint(v)), top))
		default:
			allowed := a.allowed()
			if s.NoLimit && a.noLimit != nil {
				allowed += ", or NoLimit"
			}
			shown := text.Name(fmt.Sprint(v))
			if word, ok := v.(string); ok {
				shown = text.Quoted(word)
			}
			return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("%s%s %s is not allowed", s.Prefix, s.Name(a), shown), "use "+allowed)
		}
	}
	return notices, nil
}

// fits reports whether a value is one of Enum and within the bounds; more means
// that it is above them.
func (a Argument) fits(v any) (ok, more bool) {
	switch v := v.(type) {
	case string:
		return a.Enum == nil || slices.Contains(a.Enum, v), false
	case int:
		more = a.Max != nil && v > *a.Max
		return !more && (a.Min == nil || v >= *a.Min), more
	case time.Duration:
		// A part of a unit counts as a whole one.
		n := int(v / a.Unit)
		switch part := v % a.Unit; {
		case part > 0:
			n++
		case part < 0:
			n--
		}
		return a.fits(n)
	}
	return true, false
}

// allowed says what is allowed, to end a sentence that begins with "use".
func (a Argument) allowed() string {
	write := func(n int) string {
		if a.Unit > 0 && n > 0 {
			return (time.Duration(n) * a.Unit).String()
		}
		return fmt.Sprint(n)
	}
	what := "a number"
	if a.Unit > 0 {
		what = "a duration"
	}
	switch {
	case a.Enum != nil:
		return "one of " + strings.Join(a.Enum, ", ")
	case a.Min != nil && a.Max != nil:
		return what + " from " + write(*a.Min) + " up to " + write(*a.Max)
	case a.Min != nil:
		return what + " from " + write(*a.Min) + " up"
	}
	return what
}
