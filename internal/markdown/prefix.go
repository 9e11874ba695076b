package markdown

import "bytes"

// Each line begins with the prefix of the lists and quotations around it. Two bounds keep
// the text linear in the page: how deep these are indented, and how many bytes of prefixes
// a text has.
const (
	// maxIndent is the number of nested lists and quotations that are indented. Without
	// it, the prefixes of all lines would be quadratic in the levels.
	maxIndent = 20
	// mostPadding is how many bytes of prefixes are written. What comes after them stands
	// at the margin, as if its lists and quotations had ended: lines of code that have a
	// letter each would else be forty times as long, in twenty quotations.
	mostPadding = 8 << 20
)

// pad writes the prefix of a line, padEmpty that of one without text.
func (w *writer) pad()      { w.write(w.prefix) }
func (w *writer) padEmpty() { w.write(bytes.TrimRight(w.prefix, " ")) }

func (w *writer) write(prefix []byte) {
	w.b = append(w.b, prefix...)
	if w.padded += len(prefix); w.padded > mostPadding {
		w.flatten()
	}
}

// reserve is called before what has so many lines and must have the same prefix on each.
func (w *writer) reserve(lines int) {
	if len(w.prefix) > 0 && w.padded+lines*len(w.prefix) > mostPadding {
		w.flatten()
		w.newline()
	}
}

// flatten leaves all containers for good.
func (w *writer) flatten() {
	w.flat, w.prefix = true, w.prefix[:0]
}

// canEnter reports whether what a container holds is indented.
func (w *writer) canEnter() bool { return w.level < maxIndent && !w.flat }

// enter adds to the prefix; leave takes it back.
func (w *writer) enter(prefix string) (length int) {
	w.level++
	length = len(w.prefix)
	w.prefix = append(w.prefix, prefix...)
	return length
}

func (w *writer) leave(length int) {
	w.level--
	if !w.flat {
		w.prefix = w.prefix[:length]
	}
}

// newline ends the line and begins the next one.
func (w *writer) newline() {
	w.trim(0)
	w.newlineKeep()
}

// blank ends the line and leaves one empty.
func (w *writer) blank() {
	w.trim(0)
	w.b = append(w.b, '\n')
	w.padEmpty()
	w.newlineKeep()
}

func (w *writer) newlineKeep() {
	w.b = append(w.b, '\n')
	w.pad()
	w.bol = len(w.b)
}
