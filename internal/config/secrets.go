package config

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
	"github.com/spyhop-dev/spyhop/internal/private"
)

// SiteSecret is an entry of the file WEB_SECRETS:
//
//	[[secret]]
//	name = "shop"
//	value = "correct horse"
//	sites = ["shop.example.com"]
type SiteSecret struct {
	Name  string   `toml:"name"`
	Value string   `toml:"value"`
	Sites []string `toml:"sites"`
}

// ReadSecrets reads the secrets of the file WEB_SECRETS; without a name there are
// none. spyhop.New checks the entries. The error is an [*Error], which contains no value.
func ReadSecrets(file string) ([]SiteSecret, error) {
	if file == "" {
		return nil, nil
	}
	var f struct {
		Secret []SiteSecret `toml:"secret"`
	}
	if err := readEntries(file, &f); err != nil {
		return nil, &Error{Name: "WEB_SECRETS", From: file, What: "cannot be used: " + err.Error(), Form: "use a TOML file of your own with mode 0600, whose entries [[secret]] have name, value and sites", Cause: err}
	}
	return f.Secret, nil
}

// readEntries reads a TOML file of this user alone. The error repeats nothing of the file but
// a key.
func readEntries(file string, into any) error {
	data, err := private.ReadFile(file, maxFileBytes)
	if err != nil {
		return err
	}
	meta, err := toml.Decode(string(data), into)
	var pe toml.ParseError
	switch {
	case errors.As(err, &pe):
		return fmt.Errorf("it is not TOML at line %d", pe.Position.Line)
	case err != nil:
		return errors.New("it is not a list of entries")
	}
	if more := meta.Undecoded(); len(more) > 0 {
		return fmt.Errorf("it has the unknown key %.80q", more[0].String())
	}
	return nil
}
