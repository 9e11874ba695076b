// Package frontier provides the state of crawls: which URLs are known, which
// are next, which site may be asked now, and the records of the pages that were
// read. [Frontier] is kept in SQLite, for one machine, or in PostgreSQL, for many; package
// frontiertest has the contract, which both keep. See lite in batch.go for how a statement
// serves both.
//
//	f, err := frontier.OpenSQLite(frontier.Options{Dir: dir})
//	if err != nil {
//		return err // always a *frontier.Error
//	}
//	defer f.Close()
//	job, err := f.Create(ctx, frontier.Job{Owner: "local", Kind: "crawl", Limits: frontier.Limits{Pages: 1000}})
//	added, err := f.Add(ctx, job.ID, []frontier.Link{{URL: start, Site: "example.com"}})
//	for {
//		turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: job.ID, Worker: "w1", Sites: 8, TTL: time.Minute})
//		…                                   // request turns[i].Tasks one after the other, turns[i].Pace apart
//		lost, err := f.Commit(ctx, commits) // pages, links and ends: all or nothing
//	}
//
// # Model
//
// A job holds URLs. A URL is known once it was added; then it is queued,
// in a turn, or over (read, failed or skipped). A site is what a pace belongs to: a
// registrable domain, or host and port where there is none. A lease is a site's
// turn: the right to make one request to the site at a time. A site has as many turns
// at a time as [Limits.AtOnce] says, over all jobs and workers, and each one begins a pace
// after the one before. So no URL has to be assigned to a machine.
//
// # Guarantees
//
// Each address of a job has at most one record, whatever is killed and whenever: a
// commit writes the records, the links and the ends of addresses in one
// transaction, and only while the lease is held and the address is not over. What
// was committed is on disk. What was leased and not committed comes back when the
// lease ends. A URL is in one turn at a time.
//
// A Frontier is safe for concurrent use, by several processes too.
//
// # Limits
//
// URLs are compared by a hash of 64 bits: among 10^7 of a job two collide with a probability of
// 3 in 10^6. The bytes in
// [Link.Note], [Record.Meta], [Record.Body], [Job.Options] and [Job.Progress] are
// the caller's; the frontier does not read them.
package frontier

import (
	"errors"
	"time"
)

// Limits of what one call may carry. More is an error with the code Invalid.
const (
	MaxURL  = 8 << 10  // bytes of an address
	MaxNote = 1 << 10  // bytes of Link.Note
	MaxMeta = 64 << 10 // bytes of Record.Meta, Job.Options and Job.Progress
	MaxBody = 16 << 20 // bytes of Record.Body
)

// State is what a job is doing.
type State string

// States of a job. The empty State in [JobQuery] means any.
const (
	Running State = "running" // addresses can be leased
	Stopped State = "stopped" // can be set to Running again
	Done    State = "done"    // complete for its reason; can be set to Running again
)

// Job is a set of addresses with an owner.
type Job struct {
	ID    string // short, given by Create: "c7"
	Owner string // the principal
	Kind  string // a word of the caller's: "crawl", "batch", "monitor"
	State State
	// Reason says why a job is not running, in one word of the caller's.
	Reason string
	Limits Limits
	// Options is what the job was started with; Progress is what its caller wants to
	// remember.
	Options, Progress []byte
	// Due is when somebody should look at the job; zero: never. Jobs can be selected
	// by it, and Update with its Revision claims one for one caller.
	Due time.Time

	Created, Updated time.Time
	Revision         int64 // changes with each Update
}

// Limits are the budgets of a job. A zero value means no limit.
type Limits struct {
	Pages       int // URLs that are leased; every outcome but Read gives the place back
	PerSite     int // the same, for each site
	PerTemplate int // addresses that are queued for each Link.Template; more are not added
	AtOnce      int // turns of a site at a time; 0: 1
}

// JobQuery selects jobs.
type JobQuery struct {
	Owner string // "": any
	Kind  string // "": any
	State State  // "": any
	// DueBy keeps jobs whose Due is set and not after it. Zero: all.
	DueBy time.Time
	N     int // at most; 0: 1000
}

// Link is an address to be added.
type Link struct {
	URL      string // canonical, without fragment
	Site     string // whose pace it is bound to
	Priority int32  // higher is earlier
	Depth    int
	Template uint64 // addresses of one kind have the same; 0: none
	Note     []byte // the caller's, kept until the address is over
	// LeftOut is why the address is not added: it is only counted in Stats.Reasons,
	// unless it is known. Empty: it is added.
	LeftOut string
}

// Rank is a new priority for an address.
type Rank struct {
	URL      string
	Priority int32
}

// Task is an address of a turn.
type Task struct {
	Link
	Tries int // outcomes with Later before
	seq   int64
}

// LeaseRequest asks for turns.
type LeaseRequest struct {
	Job     string
	Worker  string        // a name for people
	Sites   int           // turns at most, also several of one site; 0: 1
	PerSite int           // addresses of each at most; 0: 1
	TTL     time.Duration // until a turn is lost; 0: a minute
}

// Token identifies a turn. It is random, not 0, and never used again.
type Token uint64

// Turn is a lease: a site's turn.
type Turn struct {
	Job   string
	Site  string
	Token Token
	Until time.Time     // when it is lost, by the clock of the frontier
	Pace  time.Duration // between two requests to the site
	Tasks []Task        // best first; never empty
	// AtOnce is how many turns the site could have at a time when this one began.
	AtOnce int
}

// seqOf is the number of a URL of the turn in the queue; 0 for another one.
func (t *Turn) seqOf(url string) int64 {
	for i := range t.Tasks {
		if t.Tasks[i].URL == url {
			return t.Tasks[i].seq
		}
	}
	return 0
}

// Commit is what became of a turn, or of a part of it.
type Commit struct {
	Turn     Turn // Job, Site and Token count
	Outcomes []Outcome
	// Keep is for how long the turn goes on from now, for the rest of its addresses.
	// 0 ends it: addresses without an outcome are queued as they were.
	Keep time.Duration
	// Idle says that the turn has made no request to the site, for example because the page
	// was in a cache: the next turn does not wait for the pace of this one.
	Idle bool
}

// turnEnd is how an address ended, or that it did not.
type turnEnd uint8

const (
	Read    turnEnd = iota + 1 // it was read
	Failed                     // it cannot be read; a record may say so
	Skipped                    // it was not read, for a reason
	Later                      // it is queued again, not before Due; it has no record
)

// The reasons that a frontier counts by itself.
const (
	ReasonLimit = "template_limit" // not added because of Limits.PerTemplate
	ReasonSame  = "same_page"      // the outcome's Final was over already
)

// Outcome is what became of an address.
type Outcome struct {
	URL string // as in the Task
	End turnEnd
	// Reason is counted in Stats.Reasons; "" is not. At most 64 bytes: a word of the
	// caller's, never text of a page.
	Reason string
	// Final is the address under which the page is recorded, when it is another (after
	// a redirect, or by rel=canonical). It becomes known and over with this outcome; if
	// it was queued, it counts as Skipped with ReasonSame. When it was over before, the
	// outcome becomes Skipped with ReasonSame: its links are added, its record is not
	// written.
	Final string
	Due   time.Time // of Later
	Again bool      // of Later: it does not count in Task.Tries
	// Meta and Body are the record. Without Meta nothing is recorded. Records can list
	// Meta without reading the bodies.
	Meta, Body []byte
	Links      []Link // as for Add
}

// RecordQuery selects records.
type RecordQuery struct {
	Job string
	// Failed lists only the records of outcomes with Failed. After is a Cursor; 0: from the first. Below 0 it counts from the end: -20 lists
	// the last 20.
	Failed bool
	After  int64
	N      int // at most; 0: 100
	// Bodies reads the bodies too. The list then ends with the record whose body brings
	// it above Bytes; 0: 32 MB.
	Bodies bool
	Bytes  int64
}

// Record is what a commit wrote about an address.
type Record struct {
	Cursor int64  // greater than 0
	URL    string // the Final of its outcome, else its URL
	Meta   []byte
	Body   []byte // nil unless it was asked for
}

// Stats counts the addresses of a job.
type Stats struct {
	Known   int64 // Queued, Read, Failed and Skipped, and each Final that was not added before
	Queued  int64 // those in turns, and those that wait for a later try, included
	Leased  int64 // in turns that are not over
	Read    int64
	Failed  int64
	Skipped int64
	Records int64
	Sites   int64 // that ever had an address of the job
	Reasons map[string]int64
	// Next is when a turn may be had: now or before, when one may be had at once; zero
	// when nothing is queued, or the limits leave nothing. While the only sites are in
	// turns, it is the end of the first of these.
	Next time.Time
}

// Options configure a frontier.
type Options struct {
	// Dir is the folder of crawl.db.
	Dir string
	// Pace is the shortest time between two requests to one site; 0: none.
	Pace time.Duration
	// Now is the clock; nil: that of this machine, or that of the database where
	// several machines share one.
	Now func() time.Time
	// Patience is for how long a call waits for a database that went away; 0: 30 s.
	Patience time.Duration
}

// Code is the kind of an [Error].
type Code uint8

const (
	Internal    Code = iota // none of the others
	NotFound                // no such job, or not of this owner; no such record
	Changed                 // the job was changed since it was read
	NotRunning              // the job is stopped or done
	Invalid                 // the call breaks a limit of this package
	Unavailable             // the database cannot be reached or opened now
	Full                    // the disk is full
	Damaged                 // the database or a segment cannot be read
	Newer                   // the database is of another version of this program
	Ended                   // the context ended, or the frontier is closed
)

var codeNames = [...]string{"internal", "not found", "changed", "not running", "invalid", "unavailable", "full", "damaged", "of another version", "ended"}

func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return "unknown"
}

// Error is the error of every function of this package. Nothing of a failed call
// is written, unless its code is Ended or Unavailable: then it may be. To commit
// again what was written is safe.
type Error struct {
	Code  Code
	What  string // one line of our own: what was wanted
	Cause error  // may be nil
}

func (e *Error) Error() string {
	s := "frontier: " + e.What + ": " + e.Code.String()
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns the code of an error of this package; of others Internal.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
