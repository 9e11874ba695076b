package main

import (
	"bufio"
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestFlagsAndFields: what a flag means is what the field of the library means:
// the flags that fetch has reach the FetchRequest and come out of it unchanged.
func TestFlagsAndFields(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--max-length 0 --max-age 0 --no-images", "MaxLength:-1 NoImages:true Revalidate:true"},
		{"--max-length 7 --max-age 1h --images", "MaxLength:7 MaxAge:3600000000000"},
		{"--max-tokens 9 --start-index 3 --timeout 2s", "MaxTokens:9 StartIndex:3 Timeout:2000000000"},
		{"--section a,b --section c --selector h1 --query q --prompt p", "Query:q Prompt:p Sections:[a b c] Selector:h1"},
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
