package train

import (
	"fmt"
	"strings"
	"testing"
)

func TestLabels(t *testing.T) {
	const prose = "The ferry left the quay at dawn and reached the island before noon."
	tests := []struct {
		name  string
		body  string
		truth Truth
		want  string
	}{
		{
			name:  "text: byline, date and caption have no label, and the heading of content is content",
			body:  `<h2>Ferries</h2><div class=author>Ann Lee</div><p>` + prose + `</p><figure><figcaption>The quay in winter</figcaption></figure><nav>Home</nav>`,
			truth: Truth{Text: prose},
			want:  "1 ? 1 ? 0",
		},
		{
			name:  "text: a price among boilerplate is boilerplate",
			body:  `<p>` + prose + `</p><ul><li>Home<li>About<li>Shop<li>€ 12</ul>`,
			truth: Truth{Text: prose},
			want:  "1 0 0 0 0",
		},
		{
			name:  "HTML: a cell is content where its row is",
			body:  `<nav><a>3</a></nav><p>` + prose + `</p><table><tr><td>Cabins<td>3<td>3</table><footer>Legal notice</footer>`,
			truth: Truth{HTML: []byte(`<p>` + prose + `</p><table><tr><td>Cabins<td>3<td>3</table>`)},
			want:  "0 1 1 1 1 0",
		},
		{
			name:  "segments",
			body:  `<p>` + prose + `</p><p>Other</p><footer>Legal notice</footer>`,
			truth: Truth{With: []string{"reached the island"}, Without: []string{"Legal"}},
			want:  "1 ? 0",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := NewSample("1", "a.example", "https://a.example/", "article", []byte(test.body), test.truth)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Label), "[]"), "NaN", "?")
			if got != test.want {
				t.Errorf("labels %s, not %s", got, test.want)
			}
		})
	}
}
