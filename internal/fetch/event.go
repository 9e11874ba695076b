package fetch

// eventKind says what happened.
type eventKind uint8

const (
	// eventStart: a call begins.
	eventStart eventKind = iota
	// eventHeaders: the head of an answer came, with Status and Length. Once
	// per hop.
	eventHeaders
	// eventProgress: more of the body came; Bytes counts all of it.
	eventProgress
	// eventDone: the call ended, with Err when it failed.
	eventDone
)

// progressBytes is how much of a body comes between two eventProgress.
const progressBytes = 128 << 10

// Event is a step of a call, for progress.
type Event struct {
	Kind   eventKind
	URL    string // of the hop; without fragment, save in eventStart and eventDone
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
