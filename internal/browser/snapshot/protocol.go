package snapshot

import "strings"

// Process is what one process of the browser says of the frames that it holds.
type Process struct {
	// Name is that of [Node].
	Name string
	DOM  DOM
	// AX holds the nodes of the accessibility trees of all frames; nil where the
	// browser gave none. Names, roles and states then come from the markup.
	AX []AXNode
	// Listeners are the handlers of events in all frames; nil where the browser
	// told none. What can be acted on is then read from the markup and from
	// Nodes.Clickable.
	Listeners []Listener
	// Revealed are the elements, by their ids, that were seen to lose their transparency when
	// the page was scrolled to them: their opacity does not count.
	Revealed map[int64]bool
}

// Listener is a handler of one event (DOMDebugger.getEventListeners).
type Listener struct {
	Type      string `json:"type"`
	BackendID int64  `json:"backendNodeId"`
}

// Input is a page.
type Input struct {
	// Processes are those that hold a part of the page, that of the main document
	// first.
	Processes []Process
	// Frames are the documents of other processes, by the element that they stand
	// in: the name of their process.
	Frames map[Node]string
}

// DOM is the result of DOMSnapshot.captureSnapshot (Chrome DevTools Protocol).
// Members that are not of use are left out.
type DOM struct {
	Documents []Document `json:"documents"`
	Strings   []string   `json:"strings"`
}

// Skips reports whether words of the first document have no box only because they are not
// near the window: the browser lays them out when a person scrolls there (content-visibility).
func (d *DOM) Skips() bool {
	if len(d.Documents) == 0 {
		return false
	}
	n, l := &d.Documents[0].Nodes, &d.Documents[0].Layout
	const drawn, late = 1, 2
	state := make([]uint8, len(n.Parent))
	found := false
	for k, i := range l.Node {
		if i < 0 || i >= len(state) || k >= len(l.Styles) {
			continue
		}
		state[i] = drawn
		if s := l.Styles[k]; len(s) > styleContentVisibility && s[styleContentVisibility] >= 0 && s[styleContentVisibility] < len(d.Strings) && d.Strings[s[styleContentVisibility]] == "auto" {
			state[i], found = late, true
		}
	}
	for i := 0; found && i < min(len(n.Type), len(n.Value), len(n.Parent)); i++ {
		if n.Type[i] != textNode || state[i] != 0 || n.Value[i] < 0 || n.Value[i] >= len(d.Strings) || strings.TrimSpace(d.Strings[n.Value[i]]) == "" {
			continue
		}
		at := n.Parent[i]
		for at > 0 && at < i && state[at] == 0 {
			at = n.Parent[at]
		}
		if at >= 0 && at < i && state[at] == late {
			return true
		}
	}
	return false
}

// Document is one frame of a DOM.
type Document struct {
	FrameID       int     `json:"frameId"`
	BaseURL       int     `json:"baseURL"`
	Nodes         Nodes   `json:"nodes"`
	Layout        Layout  `json:"layout"`
	ScrollX       float64 `json:"scrollOffsetX"`
	ScrollY       float64 `json:"scrollOffsetY"`
	ContentWidth  float64 `json:"contentWidth"`
	ContentHeight float64 `json:"contentHeight"`
}

// Nodes are the nodes of a document in document order, as columns.
type Nodes struct {
	Parent     []int   `json:"parentIndex"`
	Type       []int   `json:"nodeType"`
	Name       []int   `json:"nodeName"`
	Value      []int   `json:"nodeValue"`
	BackendID  []int64 `json:"backendNodeId"`
	Attributes [][]int `json:"attributes"`
	Shadow     rare    `json:"shadowRootType"`
	TextValue  rare    `json:"textValue"`
	InputValue rare    `json:"inputValue"`
	Checked    rare    `json:"inputChecked"`
	Selected   rare    `json:"optionSelected"`
	Content    rare    `json:"contentDocumentIndex"`
	Pseudo     rare    `json:"pseudoType"`
	Clickable  rare    `json:"isClickable"`
	Source     rare    `json:"currentSourceURL"`
}

// rare is a column that few rows have; without values it is a set.
type rare struct {
	Index []int `json:"index"`
	Value []int `json:"value"`
}

// Layout are the boxes of a document, as columns.
type Layout struct {
	Node   []int       `json:"nodeIndex"`
	Styles [][]int     `json:"styles"`
	Bounds [][]float64 `json:"bounds"` // x, y, width, height in CSS pixels of the document
	Text   []int       `json:"text"`
	Order  []int       `json:"paintOrders"`
}

// AXNode is a node of an accessibility tree (Accessibility.getFullAXTree).
type AXNode struct {
	Ignored    bool         `json:"ignored"`
	Role       axValue      `json:"role"`
	Name       axValue      `json:"name"`
	Value      axValue      `json:"value"`
	Properties []axProperty `json:"properties"`
	BackendID  int64        `json:"backendDOMNodeId"`
}

// axProperty is a state of an AXNode.
type axProperty struct {
	Name  string  `json:"name"`
	Value axValue `json:"value"`
}

// axValue is a string, a number or a bool.
type axValue struct {
	Value any `json:"value"`
}

func (v axValue) text() string {
	s, _ := v.Value.(string)
	return s
}

// on reports whether a state is set: true, or one of the words that mean it.
func (v axValue) on() bool {
	switch x := v.Value.(type) {
	case bool:
		return x
	case string:
		return x == "true" || x == "mixed"
	}
	return false
}
