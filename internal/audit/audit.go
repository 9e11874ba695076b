// Package audit provides the record of what was done: one event for each call
// and for each verdict of the policy, passed to a file, to a live feed and to
// counters.
//
//	file, err := audit.OpenFile("/var/log/spyhop/audit.jsonl", audit.FileOptions{})
//	if err != nil {
//		return err
//	}
//	log := audit.New(audit.Options{File: file, Secrets: keys})
//	defer log.Close()
//	log.Record(audit.Event{Kind: audit.Call, Tool: "web_fetch", URL: u, Status: 200})
//
// Parts know nothing of this package: they report through function fields
// named Observe, which the root connects to [Log.Record].
//
// The file has a line of JSON for each call, with the decision of the policy.
// Verdicts have lines of their own only where they name a caller, as those about
// a browser's requests do, which belong to no call. The feed ([Log.Subscribe]) gets every event, the counters ([Log.Metrics]) count
// them.
//
// # Guarantees
//
// Every event is masked before any sink sees it ([Mask]): user information in
// addresses, query values and parameters of secret names, bearer tokens, and
// the secrets of the configuration wherever they stand. A line is written by
// one system call to a file that is opened for appending, so that several
// processes can share it and kill -9 loses nothing that was recorded. Record
// never fails and never waits for a reader of the feed: who is too slow loses
// events, which are counted. A Log is safe for concurrent use.
//
// # Limits
//
// Lines are not synced to the disk: what was recorded in the last seconds
// before a power failure can be lost. A secret in the path of an address, or
// under a name that nobody calls secret, is not known for one unless it stands
// in the configuration. A full disk costs events, not calls; they are counted.
package audit

import (
	"sync"
	"time"
)

// Kind says what an event is about.
type Kind string

const (
	// Call: a tool or an operation of the library ended, or one of the
	// addresses that it asked for.
	Call Kind = "call"
	// Verdict: the policy judged a request.
	Verdict Kind = "verdict"
)

// The decisions of an event.
const (
	Allow = "allow"
	Block = "block"
)

// Event is what happened. Strings may hold anything: [Log.Record] masks and
// cuts them.
type Event struct {
	// Time is when it ended; zero means now.
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	// Tool is the tool or the operation; Caller is the surface, as "cli",
	// "library" or "mcp".
	Tool   string `json:"tool,omitempty"`
	Caller string `json:"caller,omitempty"`
	// URL is what was asked for, FinalURL what answered.
	URL      string `json:"url,omitempty"`
	FinalURL string `json:"final_url,omitempty"`
	// Decision is Allow or Block, Rule the rule that decided; empty when
	// nothing was judged.
	Decision string `json:"decision,omitempty"`
	Rule     string `json:"rule,omitempty"`
	// Address is what was dialled or refused. It is for this log alone.
	Address string `json:"address,omitempty"`
	// Status is the HTTP status, or 0; Bytes counts the body on the wire.
	Status int   `json:"status,omitempty"`
	Bytes  int64 `json:"bytes"`
	// Milliseconds is how long a call took.
	Milliseconds float64 `json:"ms"`
	// Cache says what memory did: "hit", "stale", "negative", "shared" (an
	// equal request was in flight), or empty.
	Cache string `json:"cache,omitempty"`
	// Error is the type of the error, Detail what it said.
	Error  string `json:"error,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Options configure a [Log]. The zero value has no file.
type Options struct {
	// File gets the lines; nil: none. Close closes it.
	File *File
	// Secrets are masked wherever they stand. Those of less than 6 bytes are
	// passed over: they would mask ordinary words.
	Secrets []string
}

// Log takes events. Make one with [New]; a nil Log takes and forgets them.
type Log struct {
	file    *File
	secrets []string

	mu      sync.Mutex
	metrics Metrics
	readers map[*reader]struct{}
}

type reader struct{ events chan Event }

// New returns a Log.
func New(o Options) *Log {
	l := &Log{file: o.File, metrics: newMetrics(), readers: make(map[*reader]struct{})}
	for _, s := range o.Secrets {
		if len(s) >= minSecretBytes {
			l.secrets = append(l.secrets, s)
		}
	}
	return l
}

// Record masks an event and passes it on.
func (l *Log) Record(e Event) {
	if l == nil {
		return
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.UTC().Round(0)
	l.clean(&e)
	failed := false
	if l.file != nil && (e.Kind == Call || e.Caller != "") {
		failed = l.file.write(e) != nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.metrics.count(e)
	if failed {
		l.metrics.FileErrors++
	}
	for r := range l.readers {
		select {
		case r.events <- e:
		default:
			l.metrics.FeedDropped++
		}
	}
}

// Subscribe returns a channel of the events from now on, with room for buffer
// of them, and what ends the subscription and closes the channel. Events for
// which there is no room are dropped.
func (l *Log) Subscribe(buffer int) (events <-chan Event, end func()) {
	r := &reader{make(chan Event, max(buffer, 1))}
	if l == nil {
		return r.events, sync.OnceFunc(func() { close(r.events) })
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.readers[r] = struct{}{}
	return r.events, sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.readers, r)
		close(r.events)
	})
}

// Metrics returns the counters so far. The result is a copy.
func (l *Log) Metrics() Metrics {
	if l == nil {
		return newMetrics()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.metrics.clone()
}

// Close closes the file. Events after it are not written.
func (l *Log) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}
