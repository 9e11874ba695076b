package browser

import "context"

// RefAt is a ref and the line of the snapshot that it is in.
type RefAt struct{ Ref, Line string }

// Inspect calls f with the commands of the browser's protocol in a tab, and with the refs of a
// new snapshot by the protocol's ids of their elements. It is for measurements.
func (b *Browser) Inspect(ctx context.Context, at Place, f func(call func(method string, params, result any) error, refs map[int64]RefAt) error) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		p, err := t.look(ctx)
		if err != nil {
			return err
		}
		refs := make(map[int64]RefAt)
		for i := range p.Lines {
			for _, ref := range p.Lines[i].Refs {
				if n, ok := t.refs.Node(ref); ok && n.Process == string(t.main.id) {
					refs[n.ID] = RefAt{ref, p.Lines[i].Text}
				}
			}
		}
		return f(func(method string, params, result any) error { return t.main.Call(ctx, method, params, result) }, refs)
	})
}
