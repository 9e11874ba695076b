package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// The carriers of a set of attacks that stands outside of this repository:
// SPYHOP_INJECTION names the file, one page a line. Removing hidden text is hygiene: of what is to
// be dropped, at least leastDropped must not come out, in no mode. What is to be kept must stay in
// the complete page: the content model may drop it from pages of three sentences. Of what is to
// be marked, text that a person reaches with a click must stay; that in attributes, data and
// markup of other kinds may come out in any form.
func TestInjectionCases(t *testing.T) {
	const leastDropped = .95
	reached := map[string]bool{"details closed": true, "hidden=until-found": true}
	name := os.Getenv("SPYHOP_INJECTION")
	if name == "" {
		t.Skip("SPYHOP_INJECTION does not name the file of cases")
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	n, drops, dropped := 0, 0, 0
	for lines.Scan() {
		var c struct {
			ID, Carrier, Expect, Canary, HTML string
			Visible                           []string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		for _, whole := range []bool{false, true} {
			p, err := HTML([]byte(c.HTML), Options{URL: "https://example.com/", Whole: whole})
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			text := markdown.Blocks(p.Blocks, markdown.Options{})
			has := strings.Contains(text, c.Canary)
			switch {
			case c.Expect == "drop":
				drops++
				if !has {
					dropped++
				} else {
					t.Logf("%s (%s), whole %v: not dropped", c.ID, c.Carrier, whole)
				}
			case whole && !has && (c.Expect == "keep" || c.Expect == "mark" && reached[c.Carrier]):
				t.Errorf("%s (%s), whole %v: %s, but there: %v\n%s", c.ID, c.Carrier, whole, c.Expect, has, text)
			}
			for _, v := range c.Visible {
				if !strings.Contains(text, v) {
					t.Errorf("%s (%s), whole %v: %s is lost", c.ID, c.Carrier, whole, v)
				}
			}
		}
	}
	if n == 0 {
		t.Fatal("no cases")
	}
	if float64(dropped) < leastDropped*float64(drops) {
		t.Errorf("%d of %d are dropped", dropped, drops)
	}
}
