package browser_test

import (
	"strings"
	"testing"
)

// TestSheetsOfTrees: a style sheet stands in the tree that it belongs to, also beside closed
// shadow trees, which the script that lists sheets does not see.
func TestSheetsOfTrees(t *testing.T) {
	b := newBrowser(t, nil)
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><title>Trees</title><template><style>.t{}</style></template><div id=shut></div><div id=wide><style></style></div><style id=late></style><script>
late.sheet.insertRule('.late{top:1px}');
const c = shut.attachShadow({mode: 'closed'});
c.innerHTML = '<style>.closed{}</style><p>closed words</p><div></div>';
c.querySelector('div').attachShadow({mode: 'open'}).innerHTML = '<style>.inner{}</style><p>inner words</p>';
const o = wide.attachShadow({mode: 'open'});
o.innerHTML = '<p>open words</p>';
wide.firstElementChild.sheet.insertRule('.unslotted{top:2px}');
</script>`})}
	a.open("/")
	c, err := b.Content(t.Context(), a.at)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"closed words", "inner words", "open words", ".late", ".unslotted"} {
		n := strings.Index(c.HTML[at:], want)
		if n < 0 {
			t.Fatalf("no %q after %d in\n%s", want, at, c.HTML)
		}
		at += n
	}
}
