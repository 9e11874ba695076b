package config

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

func TestTokens(t *testing.T) {
	hash := func(s string) string { sum := sha256.Sum256([]byte(s)); return hex.EncodeToString(sum[:]) }
	entry := func(name, token, more string) string {
		return "[[token]]\nname = \"" + name + "\"\nsha256 = \"" + hash(token) + "\"\n" + more
	}
	made, err := TokenEntry("made", "m0")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tokens.toml")
	for _, c := range []struct {
		name, text, own string
		want            map[string]string // names by token
		err             string
	}{
		{"two", entry("ann", "a0", "max_calls = 2\ncalls_per_minute = 60\nweight = 3\n") + entry("bob", "b0", ""), "", map[string]string{"a0": "ann", "b0": "bob", "x": ""}, ""},
		{"and our own", entry("ann", "a0", ""), "d0", map[string]string{"a0": "ann", "d0": "default"}, ""},
		{"as the command makes it", made, "", map[string]string{"m0": "made"}, ""},
		{"upper-case digits", strings.ToUpper(entry("x", "a0", ""))[:0] + "[[token]]\nname = \"ann\"\nsha256 = \"" + strings.ToUpper(hash("a0")) + "\"\n", "", map[string]string{"a0": "ann"}, ""},
		{"none", "# no tokens yet\n", "", map[string]string{"a0": ""}, ""},
		{"not TOML", "name = secret-thing", "", nil, "is not TOML at line 1"},
		{"not a list", "token = 5", "", nil, "is not a list of entries"},
		{"an unknown key", entry("ann", "a0", "quota = 5\n"), "", nil, `unknown key "token.quota"`},
		{"a token instead of its hash", "[[token]]\nname = \"ann\"\nsha256 = \"secret-thing\"\n", "", nil, "no SHA-256 of 64 hexadecimal digits in entry 1"},
		{"too many calls", entry("ann", "a0", "max_calls = 10001\n"), "", nil, "has max_calls = 10001"},
		{"a negative rate", entry("ann", "a0", "calls_per_minute = -1\n"), "", nil, "has calls_per_minute = -1"},
		{"a bad name", entry("../ann", "a0", ""), "", nil, "cannot be the name"},
		{"a reserved name", entry("local", "a0", ""), "", nil, "reserved"},
		{"twice", entry("ann", "a0", "") + entry("ann", "a1", ""), "", nil, "two tokens with the name"},
		{"default twice", entry("default", "a0", ""), "d0", nil, "two tokens with the name"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		tokens, err := Values{ServeTokens: file}.Tokens(c.own)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "WEB_SERVE_TOKENS") || strings.Contains(err.Error(), "secret-thing") {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for token, name := range c.want {
			if got, ok := tokens.Find(token); got.Name != name || ok != (name != "") {
				t.Errorf("%s: %q is %+v", c.name, token, got)
			}
		}
		if c.name == "two" && tokens.Quota("ann") != (principal.Quota{MaxCalls: 2, CallsPerMinute: 60, Weight: 3}) {
			t.Errorf("%+v", tokens.Quota("ann"))
		}
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := (Values{ServeTokens: file}).Tokens(""); err == nil || !strings.Contains(err.Error(), "run chmod 600") {
		t.Errorf("a file that others can read: %v", err)
	}
	if _, err := (Values{ServeTokens: file + ".none"}).Tokens(""); err == nil || !strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("no file: %v", err)
	}
	if tokens, err := (Values{}).Tokens("d0"); err != nil || tokens.Len() != 1 {
		t.Errorf("%v %v", tokens, err)
	}
	for _, name := range []string{"local", "anonymous", "default", "", "A"} {
		if _, err := TokenEntry(name, "x"); err == nil {
			t.Errorf("%q became the name of a token", name)
		}
	}
}

// TestQueryMasked: a key in the query of a URL is a secret.
func TestQueryMasked(t *testing.T) {
	env := map[string]string{"SEARXNG_URL": "https://search.example/?api=k3y-value&x=1", "WEB_MODEL_URL": "https://model.example/v1?key=m0del-key", "HOME": "/home/ann"}
	s, err := Load(Sources{Environment: func(n string) (string, bool) { v, ok := env[n]; return v, ok }})
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string]string)
	for _, set := range s.All {
		shown[set.Name] = set.Shown()
	}
	if shown["SEARXNG_URL"] != "https://search.example/?(set)" || shown["WEB_MODEL_URL"] != "https://model.example/v1?(set)" {
		t.Errorf("%q %q", shown["SEARXNG_URL"], shown["WEB_MODEL_URL"])
	}
	if secrets := strings.Join(s.Secrets(), " "); !strings.Contains(secrets, "k3y-value") || !strings.Contains(secrets, "m0del-key") {
		t.Errorf("the audit log does not mask them: %q", secrets)
	}
	for _, c := range []struct{ url, want string }{
		{"https://ann:k3y-value@search.example/p", "https://(set)@search.example/p"},
		{"https://k3y-value@search.example", "https://(set)@search.example"},
		{"https://search.example/p#k3y-value", "https://search.example/p#(set)"},
		{"https://search.example/p@q?", "https://search.example/p@q?"},
	} {
		shown, secrets := maskURL(c.url)
		if shown != c.want || strings.Contains(c.url, "k3y") && !slices.Contains(secrets, "k3y-value") {
			t.Errorf("%s: %q %q", c.url, shown, secrets)
		}
	}
	env["SEARXNG_URL"] = "ftp://ann:k3y-value@search.example/?api=k3y-value"
	if _, err := Load(Sources{Environment: func(n string) (string, bool) { v, ok := env[n]; return v, ok }}); err == nil || strings.Contains(err.Error(), "k3y-value") {
		t.Errorf("%v", err)
	}
}

// TestNoHome: without a home folder nothing is kept in one that others share.
func TestNoHome(t *testing.T) {
	s, err := Load(Sources{})
	if err != nil || s.Values.DataDir != "" || s.Values.AuditPath() != "" || s.File != "" {
		t.Errorf("%+v %v", s, err)
	}
}
