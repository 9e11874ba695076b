package browser

// Mislead has the browser go to some hosts without the proxy, and takes away the
// flags that lead its traffic there.
func (b *Browser) Mislead(hosts string) { b.direct = hosts }
