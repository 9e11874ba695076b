package pdf

import "math"

// This file puts the glyphs of right-to-left writing together: which go on with
// a word, in which way they are drawn, and whose letter a mark belongs to.

const tatweel = "\u0640"

// gapOf is the gap that ends a word of right-to-left writing: a narrow one
// where spaces are not drawn, a wide one where they are.
func gapOf(glyphs []glyph) float64 {
	spaces, letters := 0, 0
	for i := range glyphs {
		if g := &glyphs[i]; g.space {
			spaces++
		} else if isRTL(g.text) && !isMark(g.text) {
			letters++
		}
	}
	if spaces*drawnSpaces > letters {
		return gapDrawn
	}
	return gapToLeft
}

// pen follows the drawing of a word that may run to the left.
type pen struct {
	placed     // the last letter, with what stretches it
	base, size float64
	gap        float64 // that ends a word
	way        int     // 1: letters are drawn to the right; -1: to the left
	letters    bool    // there was one, not only marks
}

func (p *pen) start(at placed, base, size float64) {
	*p = pen{placed: at, base: base, size: size, gap: p.gap}
}

// rides reports whether a glyph stands over or under another: a mark, or what
// has no width.
func rides(at placed, size float64) bool {
	return isMark(at.text) || at.x1-at.x0 < touching*size && at.text != tatweel
}

// stretches reports whether a glyph only makes the word longer: one without
// text, and all but the first of the strokes that justify Arabic lines. Then
// the first is none either, for no word is written with two.
func (p *pen) stretches(at placed, in []placed) bool {
	if last := &in[len(in)-1]; at.text == tatweel && p.text == tatweel {
		last.text = ""
	} else if at.text != "" {
		return false
	}
	p.x0, p.x1 = min(p.x0, at.x0), max(p.x1, at.x1)
	return true
}

// touches reports whether something stands at the last letter.
func (p *pen) touches(x0, x1, base, size float64) bool {
	return math.Abs(base-p.base) < ascent*size && x1 > p.x0-size/2 && x0 < p.x1+size/2
}

// fits reports whether a glyph goes on with the word. Glyphs of one word are
// drawn in one way, with marks in between.
func (p *pen) fits(at placed, base, size float64) bool {
	if math.Abs(size-p.size) > sameBase*size || !p.touches(at.x0, at.x1, base, size) {
		return false
	}
	if !p.letters || rides(at, size) {
		return true
	}
	if math.Abs(base-p.base) > sameBase*size {
		return false
	}
	way := 1
	if at.x0 < p.x0 {
		way = -1
	}
	if p.way != 0 {
		way = p.way
	}
	gap := at.x0 - p.x1
	if way < 0 {
		gap = p.x0 - at.x1
	}
	return gap > -size/2 && gap < p.gap*size
}

func (p *pen) move(at placed, base float64) {
	switch {
	case rides(at, p.size):
		return
	case p.letters && p.way == 0 && at.x0 < p.x0:
		p.way = -1
	case p.letters && p.way == 0:
		p.way = 1
	}
	p.placed, p.base, p.letters = at, base, true
}
