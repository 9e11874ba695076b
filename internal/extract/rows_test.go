package extract

import (
	"fmt"
	"strings"
	"testing"
)

// No row of a long list is lost.
func TestRowsOfLongList(t *testing.T) {
	for _, row := range []string{
		"<div><a href=/p%d>Berth number %[1]d.</a></div>",
		"<div><a href=/p%d>Berth number %[1]d.</a> by the quay at eight</div>",
		"<div>Berth number %d.</div>",
	} {
		rows := ""
		for i := range 80 {
			rows += fmt.Sprintf(row, i)
		}
		p, err := HTML([]byte("<html><body>"+rows+"</body></html>"), Options{URL: "https://harbour.example/"})
		text := allText(p.Blocks)
		for i := range 80 {
			if !strings.Contains(text, fmt.Sprintf("Berth number %d.", i)) {
				t.Errorf("%s: row %d is lost: %v", row, i, err)
			}
		}
	}
}
