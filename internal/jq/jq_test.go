package jq

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// served runs a filter as a process does.
func served(filter, document string) (string, bool, error) {
	reply, ok := Serve(bytes.Join(Request(filter, []byte(document)), nil))
	if !ok {
		return "", false, nil
	}
	return Reply(reply)
}

func TestFilters(t *testing.T) {
	const shop = `{"items":[{"name":"lamp","price":12.50,"id":9007199254740993},{"name":"rope","price":3}],"next":null}`
	for _, c := range []struct{ filter, document, want string }{
		{".items[].name", shop, "\"lamp\"\n\"rope\""},
		{".items | map(.price) | add", shop, "15.5"},
		{".items[0].id", shop, "9007199254740993"},
		{"[.items[] | select(.price > 5)]", shop, `[{"id":9007199254740993,"name":"lamp","price":12.50}]`},
		{".a", "{\"a\":1}\n{\"a\":2}\n", "1\n2"}, // JSON Lines
		{"empty", shop, ""},
		{"env | length, ($ENV | length)", "1", "0\n0"},
	} {
		if got, cut, err := served(c.filter, c.document); got != c.want || cut || err != nil {
			t.Errorf("%s: %q %t %v, want %q", c.filter, got, cut, err, c.want)
		}
	}
}

// TestRefused: what a filter may not do, and what does not fit, is an error that says so.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ filter, document, says string }{
		{".items[", "{}", "unexpected"},
		{".a.b", `{"a":1}`, "expected an object"},
		{".", "<html>", "not JSON"},
		{`include "x"; .`, "1", "module"},
		{"input", "1", "input"},
		{"repeat(1)|empty", "1", "it takes more than 3s"},
		{`"x" * 1e10`, "1", "too large"},
	} {
		start := time.Now()
		_, _, err := served(c.filter, c.document)
		if err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > maxCause {
			t.Errorf("%s: %v, want %q", c.filter, err, c.says)
		}
		if time.Since(start) > 2*maxTime {
			t.Errorf("%s: took %s", c.filter, time.Since(start))
		}
	}
	if err := Check(strings.Repeat("(", maxFilter+1)); err == nil {
		t.Error("a filter without end is accepted")
	}
	if out, cut, err := served("range(1e9)", "1"); err != nil || !cut || len(out) > maxOutput {
		t.Errorf("endless output: %d bytes, %t, %v", len(out), cut, err)
	}
}

// FuzzServe feeds the process, and the reader of its replies, with anything.
func FuzzServe(f *testing.F) {
	f.Add(".a[]", `{"a":[1]}`)
	f.Fuzz(func(t *testing.T, filter, document string) {
		if len(filter) > 20 { // longer filters take their time
			return
		}
		Reply([]byte(document))
		if _, _, err := served(filter, document); err != nil && err.Error() == "" {
			t.Error("an error without a word")
		}
	})
}
