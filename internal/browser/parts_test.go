package browser_test

import (
	"strings"
	"testing"
)

// TestPartsOfShadowTrees: what has no box is judged in open shadow trees, as in the document.
func TestPartsOfShadowTrees(t *testing.T) {
	b := newBrowser(t, nil)
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><title>Parts</title><form name=f><input name=shadowRoot></form><div id=h></div>
<script>h.attachShadow({mode: 'open'}).innerHTML = '<div id=inner></div>';
h.shadowRoot.firstChild.attachShadow({mode: 'open'}).innerHTML = '<style>.c::placeholder{color:transparent}.w{color:#fff;background:#fff}p::first-line{color:transparent}</style>' +
'<input class=c placeholder=clearholder><input placeholder=plainholder><select><option>apple<option class=w>whiteoption</select><p>faint line</p><p style="color:#000">x</p>';</script>`})}
	a.open("/")
	content, snap := readBoth(t, b, a.at)
	for _, got := range []string{content, snap} {
		if strings.Contains(got, "clearholder") || strings.Contains(got, "whiteoption") {
			t.Error(got)
		}
	}
	if !strings.Contains(snap, "plainholder") || !strings.Contains(snap, "apple") || strings.Contains(strings.ReplaceAll(snap, "(visibility unknown) faint", ""), "faint line") {
		t.Error(snap)
	}
}

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
