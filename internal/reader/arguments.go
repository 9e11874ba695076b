package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file has what the generated code about arguments calls (see [Request]).

// inUnits makes a duration of a number of units, for example of milliseconds.
func inUnits(n int, unit time.Duration) time.Duration {
	return min(time.Duration(n), math.MaxInt64/unit) * unit
}

// rawJSON writes an object of a call as JSON; nil for none.
func rawJSON(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	data, _ := json.Marshal(v) // it was read from JSON
	return data
}

// InFlag returns an error for a flag below least or above most; nil means that the flag was not
// given. A most of 0 means no bound. Least is 0, 1 or one unit: anything above 0.
func InFlag[N int | time.Duration](name string, v *N, least, most N) error {
	if v == nil || inRange(*v, least, most) {
		return nil
	}
	return outOfRange(name, *v, least, most, "")
}

// InField refuses a field of a struct in the same way, where 0 is not given and NoLimit may be
// allowed.
func InField[N int | time.Duration](name string, v, least, most N, noLimit bool) error {
	switch {
	case v == 0 || v == NoLimit && noLimit || inRange(v, least, most):
		return nil
	case noLimit:
		return outOfRange(name, v, least, most, ", or NoLimit")
	}
	return outOfRange(name, v, least, most, "")
}

func inRange[N int | time.Duration](v, least, most N) bool {
	return v > 0 && (most == 0 || v <= most) || v == 0 && least == 0
}

func outOfRange[N int | time.Duration](name string, v, least, most N, more string) error {
	what := "a number"
	if _, ok := any(v).(time.Duration); ok {
		what = "a duration"
	}
	allowed := what + " from "
	if least == 0 {
		allowed += "0 up" // not 0s
	} else {
		allowed += fmt.Sprint(least) + " up"
	}
	if most > 0 {
		allowed += " to " + fmt.Sprint(most)
	}
	return badRequest(fmt.Sprintf("%s %v is not allowed", name, v), "use "+allowed+more)
}

// OneOf refuses a word that is neither empty nor one of those allowed.
func OneOf(name, word string, allowed ...string) error {
	if word == "" || slices.Contains(allowed, word) {
		return nil
	}
	return badRequest(name+" "+text.Quoted(word)+" is not allowed", "use one of "+strings.Join(allowed, ", "))
}

// Clamped returns a number, or the largest one that is allowed with a notice.
func Clamped(name string, v, most time.Duration) (time.Duration, []string) {
	if v <= most {
		return v, nil
	}
	return most, []string{fmt.Sprintf("%s %v is out of bounds; %v was used.", name, v, most)}
}

func badRequest(message, hint string) error { return tool.NewError(tool.InvalidInput, message, hint) }
