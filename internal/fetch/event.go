package fetch

// EventKind says what happened.
type EventKind uint8

const (
	// EventStart: a call begins.
	EventStart EventKind = iota
	// EventHeaders: the head of an answer came, with Status and Length. Once
	// per hop.
	EventHeaders
	// EventProgress: more of the body came; Bytes counts all of it.
	EventProgress
	// EventDone: the call ended, with Err when it failed.
	EventDone
)

// progressBytes is how much of a body comes between two EventProgress.
const progressBytes = 128 << 10

// Event is a step of a call, for progress.
type Event struct {
	Kind   EventKind
	URL    string // of the hop; without fragment, save in EventStart and EventDone
	Status int    // 0 before there is one
	Length int64  // the declared length on the wire in bytes; -1 when unknown
	Bytes  int64  // of the body, on the wire, so far
	Err    error
}

func (c *Client) observe(e Event) {
	if c.options.Observe != nil {
		c.options.Observe(e)
	}
}
