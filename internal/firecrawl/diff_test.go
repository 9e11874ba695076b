package firecrawl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestNewDiff: the text is a unified diff, and the tree has the same lines.
func TestNewDiff(t *testing.T) {
	before := "# Prices\n\nStarter: 9\nPro: 29\n\nEnd"
	d := NewDiff(before, strings.Replace(before, "29", "39", 1)+"\nMore")
	want := "@@ -1,6 +1,7 @@\n # Prices\n \n Starter: 9\n-Pro: 29\n+Pro: 39\n \n End\n+More\n"
	if d.Text != want {
		t.Errorf("text\n%s", d.Text)
	}
	f := d.JSON.Files[0]
	if f.Additions != 2 || f.Deletions != 1 || len(f.Chunks) != 1 || f.Chunks[0].Content != "@@ -1,6 +1,7 @@" || len(f.Chunks[0].Changes) != 8 || f.Chunks[0].Changes[3] != (diffLine{"del", "-Pro: 29"}) {
		t.Errorf("%+v", f)
	}
	if raw, _ := json.Marshal(d.JSON); !strings.HasPrefix(string(raw), `{"files":[{"from":null,"to":null,`) {
		t.Errorf("%s", raw)
	}
	far := ""
	for i := range 50 {
		far += fmt.Sprintf("line %d\n", i)
	}
	if d := NewDiff("a\n"+far+"z", "b\n"+far+"y"); len(d.JSON.Files[0].Chunks) != 2 {
		t.Errorf("%+v", d.JSON)
	}
}
