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
// SPYHOP_INJECTION names the file, one page a line. What is to be dropped must
// not come out, in no mode; what is to be kept must stay in the whole page:
// the content model may leave it out of pages of three sentences.
func TestInjectionCases(t *testing.T) {
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
	n := 0
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
			if c.Expect == "drop" && has || c.Expect == "keep" && whole && !has {
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
}
