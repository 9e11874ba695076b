package markdown

import "bytes"

// Each line begins with the prefix of the lists and quotations around it. maxIndent and
// maxPadding keep the text linear in the page.

// pad writes the prefix of a line, padEmpty that of one without text.
func (w *writer) pad()      { w.write(w.prefix) }
func (w *writer) padEmpty() { w.write(bytes.TrimRight(w.prefix, " ")) }

func (w *writer) write(prefix []byte) {
	w.b = append(w.b, prefix...)
	if w.padded += len(prefix); w.padded > maxPadding {
		w.flatten()
	}
}

// reserve is called before what has so many lines and must have the same prefix on each.
func (w *writer) reserve(lines int) {
	if len(w.prefix) > 0 && w.padded+lines*len(w.prefix) > maxPadding {
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
