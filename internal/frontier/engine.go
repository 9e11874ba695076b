package frontier

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Frontier is the state of crawls. Make one with [OpenSQLite] or [OpenPostgres]. Errors are
// [*Error]; those of a context are their causes.
type Frontier struct {
	db       database
	pace     int64 // µs
	process  string
	patience time.Duration
	bodies   packer

	mu     sync.Mutex
	sites  map[string]int64
	reaped time.Time // when the processes of other turns were looked at
	// recent has URLs of one job that are known, with their priority, so that links that
	// every page has cost no query.
	recent    map[hash]int32
	recentJob int64
	closed    bool
}

const (
	maxSiteNames = 50_000
	maxRecent    = 50_000
	reapEvery    = time.Second
	// callTime bounds a call whose context does not.
	callTime = 2 * time.Minute
	// defaultPatience is that of [Options.Patience].
	defaultPatience = 30 * time.Second
	// openPatience is that of the first connection: a URL that is wrong is reported soon.
	openPatience = 5 * time.Second
	retryPause   = 200 * time.Millisecond
	mostRetry    = 10 // for deadlocks, and for what another transaction was quicker with
)

// errAgain is a transaction that met another one.
var errAgain = errors.New("another transaction was quicker")

// open opens the frontier in a database, and creates its tables where they are missing.
func open(ctx context.Context, what string, db database, process string, o Options) (*Frontier, error) {
	f := &Frontier{db: db, pace: o.Pace.Microseconds(), process: process, sites: map[string]int64{}, recent: map[hash]int32{}}
	patience := cmp.Or(max(o.Patience, 0), defaultPatience)
	f.patience = min(patience, openPatience)
	err := f.do(ctx, what, false, func(ctx context.Context, c conn) error { return migrate(ctx, c, what) })
	if err == nil {
		err = f.do(ctx, what, false, f.reap)
	}
	f.patience = patience
	if err != nil {
		db.close()
		return nil, err
	}
	return f, nil
}

// do calls work with a connection. It calls it again when another transaction made it
// fail, and when the database went away, for as long as patience and ctx last. A work
// that must not run twice is given with once: then only a connection is tried again.
func (f *Frontier) do(ctx context.Context, what string, once bool, work func(ctx context.Context, c conn) error) error {
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for start, retries := time.Now(), 0; ; {
		err := ctx.Err()
		if err == nil {
			err = f.db.with(call, func(c conn) error { return work(call, c) })
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return &Error{Code: Ended, What: what, Cause: context.Cause(ctx)}
		case f.db.again(err) && retries < mostRetry:
			retries++
			continue
		case f.db.away(err) && time.Since(start) < f.patience && (!once || f.db.unsent(err)):
			select {
			case <-time.After(retryPause):
			case <-ctx.Done():
			}
			continue
		}
		var own *Error
		if errors.As(err, &own) {
			return own
		}
		return &Error{Code: f.db.codeOf(err), What: what, Cause: f.db.plain(err)}
	}
}

// Close gives back the turns of this Frontier. A call that runs ends with the code
// Ended, and so does every later one.
func (f *Frontier) Close() error {
	f.mu.Lock()
	was := f.closed
	f.closed = true
	f.mu.Unlock()
	if was {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// Where the database is away, the turns end with their time.
	err := f.db.with(ctx, func(c conn) error { return f.giveBack(ctx, c, f.process) })
	if err2 := f.db.close(); err == nil {
		err = err2
	}
	f.bodies.close()
	if err != nil {
		return &Error{Code: f.db.codeOf(err), What: "close", Cause: f.db.plain(err)}
	}
	return nil
}

var (
	turnProcesses = sql{lite: `SELECT DISTINCT process FROM turn`} // of other machines nobody knows
	endTurns      = both(`DELETE FROM spyhop.turn WHERE process = $1 RETURNING job, site`)
	oldTurns      = both(`DELETE FROM spyhop.turn WHERE token IN (SELECT t.token FROM spyhop.turn t WHERE t.until <= spyhop.now($1) FOR UPDATE SKIP LOCKED)`)
	hostSoon      = update("host", "job, site", "ready = least(t.ready, spyhop.now($3))", "t.job = x.job AND t.site = x.site")
)

// reap gives back the turns of processes that have ended without doing so, and deletes those
// whose time is over, which count for nothing.
func (f *Frontier) reap(ctx context.Context, c conn) error {
	var others []string
	err := run(ctx, c, func(r row) error {
		var process string
		err := r.Scan(&process)
		if process != f.process && f.db.gone(process) {
			others = append(others, process)
		}
		return err
	}, turnProcesses)
	if err == nil {
		err = run(ctx, c, nil, oldTurns, f.db.clock())
	}
	for _, process := range others {
		if err == nil {
			err = f.giveBack(ctx, c, process)
		}
	}
	return err
}

// giveBack ends the turns of a process.
func (f *Frontier) giveBack(ctx context.Context, c conn, process string) error {
	return inTx(ctx, c, func() error {
		var jobs, sites []int64
		err := run(ctx, c, func(r row) error {
			var job, site int64
			err := r.Scan(&job, &site)
			jobs, sites = append(jobs, job), append(sites, site)
			return err
		}, endTurns, process)
		if err != nil || len(jobs) == 0 {
			return err
		}
		return run(ctx, c, nil, hostSoon, jobs, sites, f.db.clock())
	})
}

// hash is what URLs and names of sites are compared by.
type hash = int64

func hashOf(s string) hash {
	sum := sha256.Sum256([]byte(s))
	return hash(binary.LittleEndian.Uint64(sum[:]))
}

// newToken is a token that was never used.
func newToken() Token {
	var random [8]byte
	rand.Read(random[:])
	return Token(binary.LittleEndian.Uint64(random[:]) | 1)
}

func timeOf(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// numberOf is the number of a job's id: "c7" is 7.
func numberOf(id string) (int64, bool) {
	digits, ok := strings.CutPrefix(id, "c")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n > 0 && idOf(n) == id
}

func idOf(n int64) string { return "c" + strconv.FormatInt(n, 10) }

func invalid(what, why string) error {
	return &Error{Code: Invalid, What: what, Cause: errors.New(why)}
}

func notFound(id string) error {
	return &Error{Code: NotFound, What: "job " + strconv.Quote(id[:min(len(id), 24)])}
}

func checkWords(what string, words ...string) error {
	for _, w := range words {
		if !utf8.ValidString(w) || strings.ContainsRune(w, 0) {
			return invalid(what, "a name has a NUL byte or is not UTF-8")
		}
	}
	return nil
}

func checkJob(what string, j Job) error {
	if len(j.Options) > MaxMeta || len(j.Progress) > MaxMeta {
		return invalid(what, fmt.Sprintf("options or progress have more than %d bytes", MaxMeta))
	}
	return checkWords(what, j.Owner, j.Kind, string(j.State), j.Reason)
}

func checkLinks(what string, links []Link) error {
	for _, l := range links {
		switch {
		case l.URL == "" || l.Site == "":
			return invalid(what, "a link has no URL or no site")
		case len(l.URL) > MaxURL || len(l.Site) > MaxURL:
			return invalid(what, fmt.Sprintf("a URL has more than %d bytes", MaxURL))
		case len(l.Note) > MaxNote:
			return invalid(what, fmt.Sprintf("a note has more than %d bytes", MaxNote))
		case len(l.LeftOut) > maxReason:
			return invalid(what, fmt.Sprintf("a reason has more than %d bytes", maxReason))
		}
	}
	return nil
}

const maxReason = 64

// checkCommits refuses what breaks a limit.
func checkCommits(what string, commits []Commit) error {
	for _, c := range commits {
		for _, o := range c.Outcomes {
			switch {
			case o.End < Read || o.End > Later:
				return invalid(what, "an outcome does not say how the URL ended")
			case len(o.Meta) > MaxMeta || len(o.Body) > MaxBody || len(o.Reason) > maxReason || len(o.Final) > MaxURL:
				return invalid(what, "an outcome is too large")
			}
			if err := checkLinks(what, o.Links); err != nil {
				return err
			}
		}
	}
	return nil
}
