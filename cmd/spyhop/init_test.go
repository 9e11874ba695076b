package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func TestAddMember(t *testing.T) {
	const value = `{"command":"spyhop","args":["mcp"]}`
	const server = "\"spyhop\": {\n    \"command\": \"spyhop\",\n    \"args\": [\n      \"mcp\"\n    ]\n  }"
	deeper := strings.ReplaceAll(server, "\n", "\n  ")
	member := "\"mcpServers\": {\n    " + deeper + "\n  }"
	tabs := strings.ReplaceAll(deeper, "  ", "\t")
	for _, c := range []struct{ name, in, want string }{
		{"empty file", "", "{\n  " + member + "\n}\n"},
		{"other servers", "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"}\n\t},\n\t\"theme\": \"dark\"\n}\n",
			"{\n\t\"mcpServers\": {\n\t\t" + tabs + ",\n\t\t\"a\": {\"command\": \"x\"}\n\t},\n\t\"theme\": \"dark\"\n}\n"},
		{"comments", "// mine\n{\n  // servers\n  \"mcpServers\": {\n    \"a\": {}, // the first\n  },\n}\n",
			"// mine\n{\n  // servers\n  \"mcpServers\": {\n    " + deeper + ",\n    \"a\": {}, // the first\n  },\n}\n"},
		{"another member", "{\n  \"a\": 1 // one\n}\n", "{\n  " + member + ",\n  \"a\": 1 // one\n}\n"},
		{"one line", `{"a": "}//", "mcpServers": {}}`, "{\"a\": \"}//\", \"mcpServers\": {\n  " + server + "\n}}"},
		{"one line with members", `{"a":{"b":1}}`, "{\n  " + member + ",\n  \"a\":{\"b\":1}}"},
		{"one line with a comma", `{ "a": 1 , }` + "\n", "{\n  " + member + ",\n  \"a\": 1 , }\n"},
		{"nothing but a comment", "{ /* one, two */ }", "{\n  " + member + "\n/* one, two */ }"},
	} {
		got, err := addMember(c.in, "mcpServers", "spyhop", value)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
		if _, err := addMember(got, "mcpServers", "spyhop", value); !errors.Is(err, errThere) {
			t.Errorf("%s: a second time: %v, want errThere", c.name, err)
		}
	}
	for _, bad := range []string{"[]", "{", `{"mcpServers": 3}`, `{"a": 1 "b": 2}`, "{} {}", `{"a": nul}`, "{\"a\": \"\n"} {
		if got, err := addMember(bad, "mcpServers", "spyhop", value); err == nil || errors.Is(err, errThere) {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

// FuzzAddMember holds what a change promises: only the new member differs, or there is
// an error.
func FuzzAddMember(f *testing.F) {
	f.Add("{\n  \"a\": 1, // one\n}")            // a comment and a trailing comma
	f.Add(`{"mcpServers":{"x":[1,{"y":"\""}]}}`) // nesting and an escaped quotation mark
	f.Add("/* */{/**/}//")                       // comments around nothing
	f.Fuzz(func(t *testing.T, in string) {
		out, err := addMember(in, "mcpServers", "spyhop", `{"command":"spyhop"}`)
		if err != nil {
			var was map[string]any
			plain, wrong := hujson.Standardize([]byte(in))
			if errors.Is(err, errThere) || wrong != nil || json.Unmarshal(plain, &was) != nil || was == nil {
				return
			}
			if _, object := was["mcpServers"].(map[string]any); object || was["mcpServers"] == nil && !strings.Contains(in, "mcpServers") {
				t.Fatalf("%q is JSON, and nothing was added: %v", in, err)
			}
			return
		}
		if _, err := addMember(out, "mcpServers", "spyhop", "{}"); !errors.Is(err, errThere) {
			t.Fatalf("%q became %q, in which it is not found: %v", in, out, err)
		}
		was, is := membersOf(t, in), membersOf(t, out)
		servers, _ := is["mcpServers"].(map[string]any)
		delete(servers, "spyhop")
		if was["mcpServers"] == nil {
			delete(is, "mcpServers")
		}
		if !reflect.DeepEqual(was, is) {
			t.Fatalf("%q became %q: more than the new member has changed", in, out)
		}
	})
}

// membersOf reads an object as a client does; an empty text is one without members.
func membersOf(t *testing.T, text string) map[string]any {
	out := map[string]any{}
	plain, err := hujson.Standardize([]byte(text))
	if err == nil && strings.TrimSpace(text) != "" {
		err = json.Unmarshal(plain, &out)
	}
	if err != nil && strings.TrimSpace(text) != "" {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}

func TestWithTOML(t *testing.T) {
	got, err := withTOML("model = \"x\"", `C:\bin\spyhop.exe`, []string{"mcp"})
	want := "model = \"x\"\n\n[mcp_servers.spyhop]\ncommand = \"C:\\\\bin\\\\spyhop.exe\"\nargs = [\"mcp\"]\n"
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if _, err := withTOML(got, "spyhop", nil); !errors.Is(err, errThere) {
		t.Errorf("a second time: %v", err)
	}
}

func TestClientPlaces(t *testing.T) {
	for system, want := range map[string]string{
		"linux":   "home/.config/Claude/claude_desktop_config.json",
		"darwin":  "home/Library/Application Support/Claude/claude_desktop_config.json",
		"windows": "data/Claude/claude_desktop_config.json",
	} {
		names := map[string]bool{}
		for _, c := range mcpClients(system, "home", "data", "") {
			names[c.name] = true
			if c.name == "claude-desktop" && filepath.ToSlash(c.file) != want {
				t.Errorf("%s: %s, want %s", system, c.file, want)
			}
			if len(c.marks) == 0 || strings.Contains(c.file, "//") {
				t.Errorf("%s: %+v", system, c)
			}
		}
		if len(names) != 8 {
			t.Errorf("%s has %d clients, want 8", system, len(names))
		}
	}
}
