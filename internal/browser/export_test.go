package browser

// Mislead has the browser go to some hosts without the proxy, and takes away the
// flags that lead its traffic there.
func (b *Browser) Mislead(hosts string) { b.direct = hosts }

// With returns a helper that starts another program.
func (h Helper) With(program string) Helper {
	h.program = program
	return h
}
