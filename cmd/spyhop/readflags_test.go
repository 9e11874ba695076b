package main

import (
	"bufio"
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/readargs"
)

// flagsOf are the flags of a command by name, without the global ones.
func flagsOf(t *testing.T, command string) map[string]*kong.Flag {
	t.Helper()
	var out bytes.Buffer
	k, err := newParser(&session{cli: new(grammar), stdout: bufio.NewWriter(&out), stderr: &out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]*kong.Flag{}
	for _, n := range k.Model.Children {
		if n.Name == command {
			for _, f := range n.Flags {
				flags[f.Name] = f
			}
		}
	}
	if len(flags) == 0 {
		t.Fatalf("there is no command %s", command)
	}
	return flags
}

// TestReadFlags: each command that reads has a flag for each row of the table
// that it is to have, with the words and the values of that row, and no other
// flags but its own. Flags of several commands are the same in each.
func TestReadFlags(t *testing.T) {
	access := []string{"user-agent", "auth", "bearer", "cookie", "output"}
	for _, c := range []struct {
		command string
		has     func(readargs.Argument) bool
		own     []string
		rows    int
	}{
		{"fetch", func(readargs.Argument) bool { return true }, append([]string{"record", "replay"}, access...), 26},
		{"extract", func(a readargs.Argument) bool { return !a.Network }, []string{"url", "type", "explain", "batch", "query-budgets", "output"}, 15},
	} {
		flags := flagsOf(t, c.command)
		rows := 0
		for _, a := range readargs.Table() {
			f := flags[a.FlagName()]
			if want := !a.NoFlag && c.has(a); !want {
				if f != nil && !slices.Contains(c.own, f.Name) {
					t.Errorf("%s has --%s, which is not for it", c.command, f.Name)
				}
				continue
			}
			if rows++; f == nil {
				t.Errorf("%s has no --%s", c.command, a.FlagName())
				continue
			}
			if help := strings.ReplaceAll(a.FlagHelp(), "${enum}", strings.Join(a.Enum, ",")); f.Help != help || f.Enum != strings.Join(a.Enum, ",") || !slices.Equal(f.Aliases, a.FlagAliases) {
				t.Errorf("%s --%s: help %q, values %q, aliases %q", c.command, f.Name, f.Help, f.Enum, f.Aliases)
			}
			delete(flags, f.Name)
		}
		if rows != c.rows {
			t.Errorf("%s has %d flags of the table, want %d", c.command, rows, c.rows)
		}
		for name := range flags {
			if !slices.Contains(c.own, name) && name != "help" {
				t.Errorf("%s has --%s, which is neither its own nor a row", c.command, name)
			}
		}
	}
}

// TestFlagsAndFields: what a flag means is what the field of the library means:
// the flags that fetch has reach the FetchRequest and come out of it unchanged.
func TestFlagsAndFields(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--max-length 0 --max-age 0 --no-images", "MaxLength:-1 NoImages:true Revalidate:true"},
		{"--max-length 7 --max-age 1h --images", "MaxLength:7 MaxAge:3600000000000"},
		{"--max-tokens 9 --start-index 3 --timeout 2s", "MaxTokens:9 StartIndex:3 Timeout:2000000000"},
		{"--section a,b --section c --selector h1 --query q --prompt p", "Sections:[a b c] Selector:h1 Query:q Prompt:p"},
		{"--jq .a --must-contain m --since last --whole --fresh --login s", "JQ:.a MustContain:m Since:last Whole:true Login:s Fresh:true"},
		{"--comments never --render always --format text --links references --exclude .ad --exclude nav,p --remove images", "Mode:text Exclude:[.ad nav,p] Remove:[images] Links:references Comments:never Render:always"},
		{"--header Accept:a,b --header X-Y:z", "Header:map[Accept:a,b X-Y:z]"},
	} {
		var out bytes.Buffer
		s := &session{cli: new(grammar), stdout: bufio.NewWriter(&out), stderr: &out}
		k, err := newParser(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Parse(append([]string{"fetch", "example.com"}, strings.Fields(c.args)...)); err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		q, err := s.cli.Plugins[1].(*commands).Fetch.request(s)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if got := given(q); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

// given writes the fields of a struct that differ from what no flag gives.
func given(v any) string {
	var out []string
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		f := s.Field(i)
		switch name := s.Type().Field(i).Name; {
		case f.IsZero(), name == "Mode" && f.String() == "markdown", name == "Links" && f.String() == "inline", (name == "Comments" || name == "Render") && f.String() == "auto":
		default:
			out = append(out, name+":"+format(f))
		}
	}
	return strings.Join(out, " ")
}

// format writes a value; a duration as a number.
func format(f reflect.Value) string {
	if f.CanInt() {
		return fmt.Sprint(f.Int())
	}
	return fmt.Sprint(f.Interface())
}
