package snapshot

import (
	"slices"
	"strconv"
)

// Node identifies an element: process tells the frames of different processes
// apart, ID is the protocol's backend node id, which a process gives
// to one element only.
type Node struct {
	Process string
	ID      int64
}

// Refs gives each element a short name, the same one each time: a letter for
// its kind and a number. No two elements of a document have the same, nor do
// those of a document and of the one before it, so that a ref that is stale
// says so. What takes the place of an element takes its ref ([Page.Keep]), unless it
// is in another record. It is not safe for concurrent use.
type Refs struct {
	names   map[Node]string
	nodes   map[string]Node
	marks   map[string][]Mark // the records that a ref was given in
	traces  map[string]trace
	numbers [128]numbers // by letter
}

// numbers are those of one letter. Short numbers cost fewer tokens: a document takes the
// lowest ones that the document before it did not use.
type numbers struct{ now, before []int } // of this document and the one before, ascending

func (n *numbers) next() int {
	i := 1
	if last := len(n.now) - 1; last >= 0 {
		i = n.now[last] + 1
	}
	at, used := slices.BinarySearch(n.before, i)
	for ; used; i++ {
		at++
		used = at < len(n.before) && n.before[at] == i+1
	}
	n.now = append(n.now, i)
	return i
}

// free takes back the number of a ref, when it was the last one given.
func (n *numbers) free(ref string) {
	if last := len(n.now) - 1; last >= 0 && ref[1:] == strconv.Itoa(n.now[last]) {
		n.now = n.now[:last]
	}
}

// turn begins a document. Where this one used no numbers, the ones to avoid stay.
func (n *numbers) turn() {
	if len(n.now) > 0 {
		n.now, n.before = n.before[:0], n.now
	}
}

// NewRefs returns Refs without a name.
func NewRefs() *Refs {
	return &Refs{names: make(map[Node]string), nodes: make(map[string]Node), marks: make(map[string][]Mark), traces: make(map[string]trace)}
}

// Forget makes every ref stale, as when the page was left.
func (r *Refs) Forget() {
	clear(r.names)
	clear(r.nodes)
	clear(r.marks)
	clear(r.traces)
	for i := range r.numbers {
		r.numbers[i].turn()
	}
}

// name returns the ref of an element of a kind that is in these records.
func (r *Refs) name(n Node, kind byte, marks []Mark) string {
	if ref, ok := r.names[n]; ok {
		if ref[0] == kind && !differ(r.marks[ref], marks) {
			r.marks[ref] = marks
			return ref
		}
		delete(r.nodes, ref)
		delete(r.marks, ref)
	}
	if len(r.names) >= maxRefs || len(r.traces) >= 2*maxRefs {
		r.Forget()
	}
	ref := string(kind&127) + strconv.Itoa(r.numbers[kind&127].next())
	r.names[n] = ref
	r.nodes[ref] = n
	r.marks[ref] = marks
	return ref
}

// move gives the element of a ref another one's ref in its place.
func (r *Refs) move(from, to string) {
	n := r.nodes[from]
	if old, ok := r.nodes[to]; ok {
		delete(r.names, old)
	}
	r.marks[to] = r.marks[from]
	delete(r.nodes, from)
	delete(r.marks, from)
	r.names[n], r.nodes[to] = to, n
	r.numbers[from[0]&127].free(from)
}

// Node returns the element of a ref; false when it names nothing on this page.
func (r *Refs) Node(ref string) (Node, bool) {
	n, ok := r.nodes[ref]
	return n, ok
}

// IsRef reports whether s has the form of a ref.
func IsRef(s string) bool {
	if len(s) < 2 || len(s) > 12 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
