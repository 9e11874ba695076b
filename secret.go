package spyhop

import (
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// SiteSecret is a text that the browser types and that no caller sees.
type SiteSecret struct {
	Name, Value string
	// Sites are hosts, as in Config.Allowlist.
	Sites []string
}

// String hides the value.
func (s SiteSecret) String() string { return "secret " + s.Name }

// GoString hides the value.
func (s SiteSecret) GoString() string { return "spyhop.SiteSecret{…}" }

func (c Config) siteSecrets() (*browser.Secrets, error) {
	var all []browser.Secret
	for i, k := range c.SiteSecrets {
		sites, err := weburl.ParseHostList(k.Sites)
		if err != nil {
			return nil, invalid("SiteSecrets", "", fmt.Errorf("the sites of entry %d are not hosts", i+1))
		}
		all = append(all, browser.Secret{Name: k.Name, Value: k.Value, Sites: sites})
	}
	secrets, err := browser.NewSecrets(all)
	if err != nil {
		return nil, invalid("SiteSecrets", "", err)
	}
	return secrets, nil
}
