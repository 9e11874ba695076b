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

// ReadSecrets reads the secrets of the file WEB_SECRETS; an empty name is no file. The error is
// an [*Error], which contains no value.
func ReadSecrets(file string) ([]SiteSecret, error) {
	if file == "" {
		return nil, nil
	}
	all, err := readSecrets(file)
	if err != nil {
		return nil, &Error{Name: "WEB_SECRETS", From: file, What: "cannot be used: " + err.Error(), Form: "use a TOML file of your own with mode 0600, whose entries [[secret]] have name, value and sites", Cause: err}
	}
	return all, nil
}

func readSecrets(file string) ([]SiteSecret, error) {
	data, err := private.ReadFile(file, maxFileBytes)
	if err != nil {
		return nil, err
	}
	var f struct {
		Secret []SiteSecret `toml:"secret"`
	}
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) { // its text repeats the line
			return nil, fmt.Errorf("it is not TOML at line %d", pe.Position.Line)
		}
		return nil, errors.New("it is not a list of secrets")
	}
	if more := meta.Undecoded(); len(more) > 0 {
		return nil, errors.New("it has an unknown key")
	}
	var all []browser.Secret
	for i, e := range f.Secret {
		sites, err := weburl.ParseHostList(e.Sites)
		if err != nil {
			return nil, fmt.Errorf("the sites of entry %d are not hosts", i+1)
		}
		all = append(all, browser.Secret{Name: e.Name, Value: e.Value, Sites: sites})
	}
	if _, err := browser.NewSecrets(all); err != nil {
		return nil, err
	}
	return f.Secret, nil
}
