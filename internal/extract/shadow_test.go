package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// What a shadow root paints is content; what it does not is none.
func TestShadowRoots(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"in place of the children", `<div><template shadowrootmode=open><p>shadow</template><p>light</div>`, "shadow"},
		{"closed is as open", `<div><template shadowrootmode=closed><p>shadow</template></div>`, "shadow"},
		{"slots", `<my-card><template shadowrootmode=open><p><slot name=a>none</slot></p><p><slot>none</slot></p><p><slot name=b>none</slot></p></template>text<b slot=a>first</b><i slot=c>lost</i></my-card>`, "**first**\n\ntext\n\nnone"},
		{"one in another", `<div><template shadowrootmode=open><section><template shadowrootmode=open><p>inner</template></section></template></div>`, "inner"},
		{"the first counts", `<div><template shadowrootmode=open><p>one</template><template shadowrootmode=open><p>two</template></div>`, "one"},
		{"a table has none", `<ul><template shadowrootmode=open><p>none</template><li>item</ul>`, "- item"},
		{"a template is none", `<div><template><p>none</template><p>seen</div>`, "seen"},
	} {
		p, err := HTML([]byte("<p>before</p>"+c.html), Options{Whole: true})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := strings.TrimPrefix(markdown.Blocks(p.Blocks, markdown.Options{}), "before\n\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
