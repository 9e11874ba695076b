package config

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/weburl"
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

// secretsFile reads the secrets of a file. The error contains no value.
func secretsFile(v *Values, file string) error {
	if err := path(func(v *Values) *string { return new(string) })(v, file); err != nil {
		return err
	}
	data, err := private.ReadFile(file, maxFileBytes)
	if err != nil {
		return err
	}
	var f struct {
		Secret []SiteSecret `toml:"secret"`
	}
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) { // its text repeats the line
			return fmt.Errorf("%s is not TOML at line %d", file, pe.Position.Line)
		}
		return fmt.Errorf("%s is not a list of secrets", file)
	}
	if more := meta.Undecoded(); len(more) > 0 {
		return fmt.Errorf("%s has an unknown key: entries [[secret]] have name, value and sites", file)
	}
	var all []browser.Secret
	for i, e := range f.Secret {
		sites, err := weburl.ParseHostList(e.Sites)
		if err != nil {
			return fmt.Errorf("%s: the sites of entry %d are not hosts", file, i+1)
		}
		all = append(all, browser.Secret{Name: e.Name, Value: e.Value, Sites: sites})
	}
	if _, err := browser.NewSecrets(all); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	v.Secrets = f.Secret
	return nil
}
