// Package audit provides the audit log: one event for each call and for each
// decision of the egress policy, written to a file, a live feed and counters.
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
// the secrets of the configuration everywhere. The log writes each line with one
// system call to a file that is opened for appending, so several processes can
// share the file, and kill -9 loses no recorded event. Record never fails and
// never waits for a reader of the feed: a slow reader loses events, which are
// counted. A Log is safe for concurrent use.
//
// # Limits
//
// Lines are not synced to the disk: a power failure can lose the events of the
// last seconds. The log does not recognize a secret in the path of an address, or
// under an ordinary name, unless the configuration contains it. A full disk loses
// events, not calls; lost events are counted.
package audit

import (
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// The kinds and the decisions of events; package result documents them.
const (
	Call     = result.EventCall
	Decision = result.EventDecision
	Allow    = result.Allow
	Block    = result.Block
)

// Event is one call or decision. Its strings can have any content, because
// [Log.Record] masks and cuts them. A zero Time means now.
type Event = result.Event

// Metrics are counters of events.
type Metrics = result.Metrics

// Options configure a [Log]. The zero value has no file.
type Options struct {
	// File is the file for the lines; nil writes none. Log.Close closes it.
	File *File
	// Secrets are masked everywhere. Those of less than 6 bytes are ignored,
	// because they would mask ordinary words.
	Secrets []string
}

// Log records events. It is safe for concurrent use; a nil Log ignores them. Make
// one with [New].
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

// Record masks an event, and passes it to the file, the feed and the counters.
func (l *Log) Record(e Event) {
	if l == nil {
		return
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.UTC().Round(0)
	l.clean(&e)
	if l.file != nil && (e.Kind == Call || e.Caller != "") {
		l.file.write(e)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	count(&l.metrics, e)
	for r := range l.readers {
		select {
		case r.events <- e:
		default:
			l.metrics.FeedDropped++
		}
	}
}

// Subscribe returns a channel of the events from now on, with a buffer for buffer
// events, and a function that ends the subscription and closes the channel. When
// the buffer is full, events are dropped.
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
	m := clone(&l.metrics)
	if l.file != nil {
		m.FileErrors = l.file.lost.Load()
	}
	return m
}

// Close closes the file. Later events are not written to it.
func (l *Log) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}
