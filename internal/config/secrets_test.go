package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		{"unknown key", shop + "code = \"canary-2\"\n", 0o600, "it has the unknown key"},
		{"no TOML", shop + "value = canary-3", 0o600, "it is not TOML at line"},
	} {
		name := filepath.Join(t.TempDir(), "s.toml")
		if err := os.WriteFile(name, []byte(c.file), c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := ReadSecrets(name)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		case err != nil && strings.Contains(err.Error(), "canary"):
			t.Errorf("%s: the error has a value: %v", c.name, err)
		}
	}
}
