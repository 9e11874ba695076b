// Package audit provides the record of what was done: one event for each call
// and for each decision of the policy, passed to a file, to a live feed and to
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
// Package callrecord makes the events; other packages report to it through
// function fields.
//
// The file has a line of JSON for each call, with the decision of the policy.
// Decisions have lines of their own only where they name a caller, for example
// those about a browser's requests, which belong to no call. The feed
// ([Log.Subscribe]) gets every event, the counters ([Log.Metrics]) count them.
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

	"github.com/spyhop-dev/spyhop/result"
)

// Kind says what an event is about.
type Kind = result.EventKind

// The kinds and the decisions of events, as package result has them.
const (
	Call     = result.EventCall
	Decision = result.EventDecision
	Allow    = result.Allow
	Block    = result.Block
)

// Event is what happened. Strings may hold anything, and a zero Time means now:
// [Log.Record] masks and cuts the strings and fills in the time.
type Event = result.Event

// Metrics are counters of events.
type Metrics = result.Metrics

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
	count(&l.metrics, e)
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
	return clone(&l.metrics)
}

// Close closes the file. Events after it are not written.
func (l *Log) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}
