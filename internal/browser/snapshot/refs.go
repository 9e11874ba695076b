package snapshot

import (
	"strconv"
)

// Node names an element for good: process tells the frames of different
// processes apart, ID is the protocol's backend node id, which a process gives
// to one element only.
type Node struct {
	Process string
	ID      int64
}

// Refs gives each element a short name, the same one each time: a letter for
// its kind and a number that no other element of that kind had before. A ref
// of a page that was left therefore never names something on the next one. It
// is not safe for concurrent use.
type Refs struct {
	names map[Node]string
	nodes map[string]Node
	last  [128]int // by letter
}

// maxRefs bounds what is remembered; then the oldest document's refs go, with
// all others.
const maxRefs = 50_000

// NewRefs returns Refs without a name.
func NewRefs() *Refs {
	return &Refs{names: make(map[Node]string), nodes: make(map[string]Node)}
}

// Forget makes every ref stale, as when the page was left. Numbers go on.
func (r *Refs) Forget() {
	clear(r.names)
	clear(r.nodes)
}

// name returns the ref of an element of a kind.
func (r *Refs) name(n Node, kind byte) string {
	if ref, ok := r.names[n]; ok && ref[0] == kind {
		return ref
	}
	if len(r.names) >= maxRefs {
		r.Forget()
	}
	r.last[kind&127]++
	ref := string(kind&127) + strconv.Itoa(r.last[kind&127])
	r.names[n] = ref
	r.nodes[ref] = n
	return ref
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
