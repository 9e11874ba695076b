package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretsPath is a file with one secret.
func secretsPath(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "secrets.toml")
	if err := os.WriteFile(name, []byte("[[secret]]\nname = \"shop\"\nvalue = \"canary-1\"\nsites = [\"shop.example.com\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestSecretsFile: a file that others can read or that is wrong is refused, and no error has a
// value.
func TestSecretsFile(t *testing.T) {
	const shop = "[[secret]]\nname = \"shop\"\nvalue = \"canary-1\"\nsites = [\"shop.example.com\"]\n"
	for _, c := range []struct {
		name, file string
		mode       os.FileMode
		want       string
	}{
		{"right", shop, 0o600, ""},
		{"readable", shop, 0o644, "run chmod 600"},
		{"no sites", "[[secret]]\nname = \"shop\"\nvalue = \"canary-1\"\n", 0o600, "shop has no sites"},
		{"not hosts", strings.ReplaceAll(shop, "shop.example.com", "a b"), 0o600, "the sites of entry 1 are not hosts"},
		{"short", strings.ReplaceAll(shop, "canary-1", "can"), 0o600, "fewer than 4 bytes"},
		{"twice", shop + shop, 0o600, "two entries have the name shop"},
		{"no name", strings.ReplaceAll(shop, `"shop"`, `""`), 0o600, "entry 1 has no name"},
		{"unknown key", shop + "code = \"canary-2\"\n", 0o600, "has an unknown key"},
		{"no TOML", shop + "value = canary-3", 0o600, "is not TOML at line"},
	} {
		name := filepath.Join(t.TempDir(), "s.toml")
		if err := os.WriteFile(name, []byte(c.file), c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := Load(Sources{Environment: func(n string) (string, bool) { return name, n == "WEB_SECRETS" }})
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		case err != nil && strings.Contains(err.Error(), "canary"):
			t.Errorf("%s: the error has a value: %v", c.name, err)
		}
	}
}
