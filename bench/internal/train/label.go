package train

import (
	"math"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Truth is what is known of a page's main content: the complete content as HTML or as
// text, or segments of it.
type Truth struct {
	HTML []byte
	// Text often lacks captions, authors, dates and prices, which people who write down
	// the content of a page leave out. Blocks with them have no label.
	Text string
	// With are segments of the main content, Without segments of boilerplate.
	With, Without []string
}

// Partial reports whether only segments are known.
func (t *Truth) Partial() bool { return len(t.With)+len(t.Without) > 0 }

// Words returns the complete content as text, a line for each block of its HTML.
func (t *Truth) Words() (string, error) {
	if t.HTML == nil {
		return t.Text, nil
	}
	doc, err := dom.Parse(t.HTML, &page.Page{}, nil)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, b := range blocks.Segment(nil, doc, &page.Page{}).Blocks() {
		lines.Write(b.Text)
		lines.WriteByte('\n')
	}
	return lines.String(), nil
}

// Values of labels. A block of which at least half belongs to the main content is content.
const (
	content     = 1
	boilerplate = 0
	half        = .5
)

var unknown = float32(math.NaN())

// Distances in blocks. They were chosen, not measured.
const (
	beside  = 2  // of a byline, date, price or caption to the content that it belongs to
	shortly = 3  // of a heading to its body
	byline  = 12 // words of a byline, date or price
)

func (t *Truth) label(seg *blocks.Segmentation) ([]float32, error) {
	switch {
	case t.Partial():
		return labelSegments(seg, t.With, t.Without), nil
	case t.HTML != nil:
		return labelByHTML(seg, t.HTML)
	}
	y := labelBlocks(seg, blocks.HashWords(t.Text, math.MaxInt))
	omitUnwritten(seg, y)
	return y, nil
}

// labelByHTML labels by the content's own HTML. A block that the alignment did not find,
// for example a cell with a number, is content if the truth has the same block and the
// block before it is content.
func labelByHTML(seg *blocks.Segmentation, truth []byte) ([]float32, error) {
	doc, err := dom.Parse(truth, &page.Page{}, nil)
	if err != nil {
		return nil, err
	}
	var words []uint32
	same := map[string]bool{}
	for _, b := range blocks.Segment(nil, doc, &page.Page{}).Blocks() {
		words = append(words, b.Hashes...)
		same[string(b.Text)] = true
	}
	y := labelBlocks(seg, words)
	for i, b := range seg.Blocks() {
		if i > 0 && y[i-1] >= half && same[string(b.Text)] {
			y[i] = content
		}
	}
	return y, nil
}

// omitUnwritten removes the labels of captions, bylines, dates and prices beside content,
// and makes the heading of content content.
func omitUnwritten(seg *blocks.Segmentation, y []float32) {
	was := append([]float32(nil), y...)
	near := func(i, from, to int) bool {
		for k := max(i+from, 0); k <= min(i+to, len(was)-1); k++ {
			if was[k] >= half {
				return true
			}
		}
		return false
	}
	for i, b := range seg.Blocks() {
		if y[i] >= half {
			continue
		}
		line := int(b.Words) <= byline && (seg.IsByline(i) || date.IsDate(string(b.Text)))
		if (line || seg.InCaption(i)) && near(i, -beside, beside) {
			y[i] = unknown
		}
	}
	for i, b := range seg.Blocks() {
		if b.Level == 0 || was[i] >= half {
			continue
		}
		k := i + 1
		for k < len(y) && k < i+shortly && math.IsNaN(float64(y[k])) {
			k++
		}
		if k < len(y) && was[k] >= half {
			y[i] = content
		}
	}
}

// labelSegments labels a block that contains a wanted segment, or is contained in one, as
// content, one with an unwanted segment as boilerplate, and all others as unknown.
func labelSegments(seg *blocks.Segmentation, with, without []string) []float32 {
	var y []float32
	var all strings.Builder
	var owner []int // by byte
	for i, b := range seg.Blocks() {
		t := strings.Join(strings.Fields(string(b.Text)), " ")
		all.WriteString(t + " ")
		for range len(t) + 1 {
			owner = append(owner, i)
		}
		y = append(y, unknown)
	}
	mark := func(list []string, label float32) {
		for _, t := range list {
			t = strings.Join(strings.Fields(t), " ")
			for at := 0; t != ""; {
				i := strings.Index(all.String()[at:], t)
				if i < 0 {
					break
				}
				for j := owner[at+i]; j <= owner[at+i+len(t)-1]; j++ {
					y[j] = label
				}
				at += i + len(t)
			}
		}
	}
	mark(without, boilerplate)
	mark(with, content)
	return y
}
