package result

import "time"

// Health is the state of a client's parts at one moment, for operators.
type Health struct {
	Queue   QueueHealth
	Store   StoreHealth
	Browser BrowserHealth
	Jobs    JobsHealth
}

// JobsHealth is the state of crawls and batches in the background.
type JobsHealth struct {
	// Running is how many run here now, Most how many may.
	Running, Most int
}

// QueueHealth is the state of the queues before large pages are read and parsed.
type QueueHealth struct {
	// Slots is how many pages are parsed at a time at most, Working how many are now,
	// Waiting how many wait for that, or for room for their bytes, of all callers. Full says that a caller's queue is full:
	// further calls of it fail with Busy.
	Slots, Working, Waiting int
	Full                    bool
	// Memory is how many bytes parsing may need at a time, 0 for no limit, and
	// InUse how many it is expected to need now.
	Memory, InUse int64
	// Admitted and Rejected count pages since the start, Waits how long the admitted
	// ones waited. Small pages do not wait and are not counted.
	Admitted, Rejected uint64
	Waits              Histogram
}

// StoreHealth is the state of the file with the cache and the page versions.
type StoreHealth struct {
	// Trouble is why nothing is stored now: unavailable, newer, busy; empty when
	// the store works or is off.
	Trouble string
	// Dropped counts writes that were left out so that no call waits for them.
	Dropped uint64
	// Errors counts failures by kind.
	Errors map[string]uint64
}

// BrowserHealth is the state of the browser.
type BrowserHealth struct {
	// Running says whether its process runs; it starts when it is needed.
	Running bool
	// Trouble is why no page can be made now: missing, does not start, makes no pages;
	// empty when the last one could be made, or none was asked for.
	Trouble string
	// Contexts and Tabs are those that are open, Calls the operations that use them.
	Contexts, Tabs, Calls int
	// Memory is the memory in bytes that its processes do not share with files; 0
	// where the system does not say it.
	Memory int64
}

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	seconds := d.Seconds()
	bounds := h.Bounds()
	i := 0
	for i < len(bounds) && seconds > bounds[i] {
		i++
	}
	h.Buckets[i]++
	h.Count++
	h.Sum += seconds
}
