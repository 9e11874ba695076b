package spyhop_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

// TestSiteSecrets: a secret without a name, a value or sites is refused, and no error has a
// value.
func TestSiteSecrets(t *testing.T) {
	shop := spyhop.SiteSecret{Name: "shop", Value: "canary-1", Sites: []string{"shop.example.com"}}
	with := func(change func(*spyhop.SiteSecret)) []spyhop.SiteSecret {
		k := shop
		change(&k)
		return []spyhop.SiteSecret{k}
	}
	for want, secrets := range map[string][]spyhop.SiteSecret{
		"shop has no sites":                  with(func(k *spyhop.SiteSecret) { k.Sites = nil }),
		"the sites of entry 1 are not hosts": with(func(k *spyhop.SiteSecret) { k.Sites = []string{"a b"} }),
		"fewer than 4 bytes":                 with(func(k *spyhop.SiteSecret) { k.Value = "can" }),
		"two entries have the name shop":     {shop, shop},
		"entry 1 has no name":                with(func(k *spyhop.SiteSecret) { k.Name = "" }),
	} {
		client, err := spyhop.New(spyhop.Config{SiteSecrets: secrets, EnvironmentHints: true})
		if err == nil {
			client.Close()
			t.Errorf("no error: %s", want)
			continue
		}
		if !strings.Contains(err.Error(), "WEB_SECRETS") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
