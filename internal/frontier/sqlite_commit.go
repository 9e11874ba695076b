package frontier

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	segmentBytes = 256 << 20 // then another file begins
	listBytes    = 32 << 20  // the default of RecordQuery.Bytes
	maxReason    = 64
)

// pending is a record that a commit will write.
type pending struct {
	url    string
	meta   []byte
	frame  []byte // empty: no body
	hashes [2]uint64
	states [2]int // 0: the hash has no row to mark
	n      int
}

// Commit implements [Frontier]. The bodies are appended to the job's file and
// synced while the transaction is open: only one process appends at a time, and the
// file's length that the transaction commits never includes a body that is not on
// disk. What a killed process left behind that length is overwritten.
func (s *SQLite) Commit(ctx context.Context, commits []Commit) (lost []Token, err error) {
	const what = "commit turns"
	if err := checkCommits(what, commits); err != nil {
		return nil, err
	}
	// Compressing needs no lock.
	frames := make([][][]byte, len(commits))
	for i, c := range commits {
		frames[i] = make([][]byte, len(c.Outcomes))
		for k, o := range c.Outcomes {
			if len(o.Meta) > 0 && len(o.Body) > 0 {
				frames[i][k] = s.bodies.pack(o.Body)
			}
		}
	}
	err = s.write(ctx, what, func() error {
		lost = nil
		ledgers := map[string]*ledger{}
		records := map[string][]pending{}
		for i, c := range commits {
			l := ledgers[c.Turn.Job]
			if l == nil {
				var err error
				if l, _, err = s.ledger(c.Turn.Job); err != nil {
					if codeOf(err) == NotFound {
						lost = append(lost, c.Turn.Token)
						continue
					}
					return err
				}
				ledgers[c.Turn.Job] = l
			}
			held, err := s.commit(l, c, frames[i], func(p pending) { records[c.Turn.Job] = append(records[c.Turn.Job], p) })
			if err != nil {
				return err
			}
			if !held {
				lost = append(lost, c.Turn.Token)
			}
		}
		for job, l := range ledgers {
			if err := s.writeRecords(l, records[job]); err != nil {
				return err
			}
			if err := s.save(l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return lost, nil
}

// checkCommits refuses what breaks a limit.
func checkCommits(what string, commits []Commit) error {
	for _, c := range commits {
		for _, o := range c.Outcomes {
			switch {
			case o.End < Read || o.End > Later:
				return invalid(what, "an outcome does not say how the address ended")
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

// commit applies one turn; false: it is lost.
func (s *SQLite) commit(l *ledger, c Commit, frames [][]byte, record func(pending)) (bool, error) {
	now := s.micros()
	places := s.turns[c.Turn.Token]
	delete(s.turns, c.Turn.Token)
	const turn = `FROM turn t JOIN site s ON s.id = t.site WHERE s.name = ? AND t.token = ? AND t.until > ? AND t.job = ?`
	row, ok, err := s.db.get(`SELECT s.id, t.n, t.due, s.due, s.blocked, s.delay `+turn, c.Turn.Site, uint64(c.Turn.Token), now, l.id)
	if err != nil || !ok {
		return false, err
	}
	site := number(row[0])
	if c.Keep <= 0 {
		if err := s.endTurn(l, c, now, site, number(row[1]), number(row[2]), number(row[3]), number(row[4]), number(row[5])); err != nil {
			return false, err
		}
	}
	ended := int64(0)
	for i := range c.Outcomes {
		var hint place
		for k, t := range c.Turn.Tasks {
			if k < len(places) && t.URL == c.Outcomes[i].URL {
				hint = places[k]
			}
		}
		n, err := s.end(l, &c.Outcomes[i], hint, frames[i], record)
		if err != nil {
			return false, err
		}
		ended += n
	}
	if c.Keep <= 0 {
		return true, nil
	}
	s.turns[c.Turn.Token] = places
	_, err = s.db.exec(`UPDATE turn SET until = ?, tasks = max(tasks - ?, 0) WHERE token = ?`, now+c.Keep.Microseconds(), ended, uint64(c.Turn.Token))
	return true, err
}

// endTurn ends a turn of n URLs, and says when the site may be asked next. planned is when
// it may be according to this turn, due and blocked when it may be by now.
func (s *SQLite) endTurn(l *ledger, c Commit, now, site, n, planned, due, blocked, delay int64) error {
	if _, err := s.db.exec(`DELETE FROM turn WHERE token = ?`, uint64(c.Turn.Token)); err != nil {
		return err
	}
	next := due
	switch {
	case c.Idle && planned == due:
		next = now
	case !c.Idle && (n > 1 || delay > 0 || l.limits.AtOnce <= 1):
		// Its last request has begun at some time until now, or the delay is newer than the
		// turn. Where a site has one turn at a time, two requests are never closer than the
		// pace, however late each of them arrives.
		next = max(due, now+max(s.pace, delay))
	}
	if next != due {
		if _, err := s.db.exec(`UPDATE site SET due = ? WHERE id = ?`, next, site); err != nil {
			return err
		}
	}
	if next < due {
		_, err := s.db.exec(l.q.hostSoon, site)
		return err
	}
	l.host(site).ready = max(next, blocked)
	return nil
}

// end applies one outcome. It returns 1 when the address was queued, else 0.
func (s *SQLite) end(l *ledger, o *Outcome, p place, frame []byte, record func(pending)) (int64, error) {
	h := hashOf(o.URL)
	if l.ended[h] {
		return 0, nil
	}
	var row []driver.Value
	var err error
	ok := false
	if p.seq != 0 {
		if row, ok, err = s.db.get(l.q.takeQueue, p.site, p.prio, p.seq); err != nil {
			return 0, err
		}
	}
	if !ok { // it was ranked meanwhile, or is over
		if p, ok, err = s.placeOf(l, h); err != nil || !ok || p.state != inQueue {
			return 0, err
		}
		if row, ok, err = s.db.get(l.q.takeQueue, p.site, p.prio, p.seq); err != nil {
			return 0, err
		}
		if !ok {
			return 0, &Error{Code: Damaged, What: "commit turns", Cause: errors.New("an address that is queued has no row")}
		}
	}
	q := scanQueued(row)
	l.ended[h] = true
	host := l.host(p.site)
	host.queued--

	if o.End == Later {
		due := max(microsOf(o.Due), 1)
		if _, err := s.db.exec(l.q.insertWait, due, h, p.site, p.prio, p.seq, q.url, q.depth, q.template, q.note, q.tries+tried(o)); err != nil {
			return 0, err
		}
		if _, err := s.db.exec(`UPDATE seen_`+idOf(l.id)[1:]+` SET state = ?, prio = ? WHERE h = ?`, waiting, due, h); err != nil {
			return 0, err
		}
		delete(l.fresh, h)
		delete(s.recent, h)
		if o.Reason != "" {
			l.reasons[o.Reason]++
		}
		return 1, s.addAll(l, o.Links)
	}

	end, reason := o.End, o.Reason
	hf := uint64(0)
	mark := 0
	if o.Final != "" && o.Final != o.URL {
		hf = hashOf(o.Final)
		taken, err := s.claim(l, hf)
		if err != nil {
			return 0, err
		}
		if taken {
			end, reason = Skipped, ReasonSame
		} else {
			mark = 1
		}
	}
	state := wasSkipped
	switch end {
	case Read:
		state = wasRead
		l.read++
		host.over++
	case Failed:
		state = hasFailed
		l.failed++
	default:
		l.skipped++
	}
	l.queued--
	if reason != "" {
		l.reasons[reason]++
	}
	recorded := len(o.Meta) > 0 && (end == Read || end == Failed)
	if !recorded { // else with the record
		if _, err := s.db.exec(l.q.seenOver, state, nil, h); err != nil {
			return 0, err
		}
	}
	if q.template != 0 && l.limits.Duplicates > 0 && (end == Read || o.Duplicate) {
		if o.Duplicate {
			_, err = s.db.exec(l.q.templateRun, q.template, l.limits.Duplicates)
			delete(l.templates, uint64(q.template))
		} else {
			_, err = s.db.exec(l.q.templateReset, q.template)
		}
		if err != nil {
			return 0, err
		}
	}
	if recorded {
		r := pending{url: o.URL, meta: o.Meta, frame: frame, hashes: [2]uint64{h, hf}, states: [2]int{state, isFinal}, n: 1 + mark}
		if mark == 1 {
			r.url = o.Final
		}
		record(r)
	}
	return 1, s.addAll(l, o.Links)
}

// tried is 1 where an outcome counts as a try.
func tried(o *Outcome) int64 {
	if o.Again {
		return 0
	}
	return 1
}

func (s *SQLite) addAll(l *ledger, links []Link) error {
	for i := range links {
		if err := s.add(l, &links[i]); err != nil {
			return err
		}
	}
	return nil
}

// claim makes an address over because another one is recorded under it; taken: it
// was over before.
func (s *SQLite) claim(l *ledger, h uint64) (taken bool, err error) {
	p, known, err := s.placeOf(l, h)
	ended := l.ended[h]
	l.ended[h] = true
	switch {
	case ended:
		return true, nil
	case err != nil:
		return false, err
	case !known:
		l.known++
		_, err = s.db.exec(l.q.insertFinal, h, isFinal, nil)
		return false, err
	case p.state == inQueue:
		_, err = s.db.exec(l.q.takeQueue, p.site, p.prio, p.seq)
		l.host(p.site).queued--
	case p.state == waiting:
		_, err = s.db.exec(l.q.takeWait, p.prio, h)
	default:
		return true, nil
	}
	if err != nil {
		return false, err
	}
	l.queued--
	l.skipped++
	l.reasons[ReasonSame]++
	_, err = s.db.exec(l.q.seenOver, isFinal, nil, h)
	return false, err
}

// writeRecords appends bodies to the job's file, syncs it, and inserts the records.
func (s *SQLite) writeRecords(l *ledger, records []pending) (err error) {
	if len(records) == 0 {
		return nil
	}
	var buf []byte
	if l.length >= segmentBytes {
		l.segment, l.length = l.segment+1, 0
	}
	at := l.length
	for i := range records {
		r := &records[i]
		l.cursor++
		l.record++
		var offset, length any
		if len(r.frame) > 0 {
			offset, length = at+int64(len(buf)), int64(len(r.frame))
			buf = append(buf, r.frame...)
		}
		if _, err := s.db.exec(l.q.insertRecord, l.cursor, r.url, r.meta, l.segment, offset, length, r.states[0] == hasFailed); err != nil {
			return err
		}
		for k := range r.n {
			if _, err := s.db.exec(l.q.seenOver, r.states[k], l.cursor, r.hashes[k]); err != nil {
				return err
			}
		}
	}
	if len(buf) == 0 {
		return nil
	}
	path := s.segmentPath(l.id, l.segment)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(buf, at)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && at == 0 {
		err = syncFolder(filepath.Dir(path))
	}
	l.length = at + int64(len(buf))
	return err
}

// syncFolder makes a new file's name last; not every system has it.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	d.Sync()
	return d.Close()
}

func (s *SQLite) segmentPath(job, n int64) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%d.segment", idOf(job), n))
}

// bytes is how many bytes of bodies a list may have before its last record; below 0: none.
func (q RecordQuery) bytes() int64 {
	switch {
	case !q.Bodies:
		return -1
	case q.Bytes <= 0:
		return listBytes
	}
	return q.Bytes
}

// Records implements [Frontier].
func (s *SQLite) Records(ctx context.Context, q RecordQuery) (out []Record, err error) {
	if q.N <= 0 {
		q.N = 100
	}
	err = s.do(ctx, "list records", func() error {
		l, _, err := s.ledger(q.Job)
		if err != nil {
			return err
		}
		after := q.After
		if after < 0 {
			row, found, err := s.db.get(l.q.fromEnd, -after)
			if err != nil {
				return err
			}
			after = 0
			if found {
				after = number(row[0])
			}
		}
		query := l.q.records
		if q.Failed {
			query = l.q.failures
		}
		out, err = s.list(l, q.bytes(), query, after, q.N)
		return err
	})
	return out, err
}

// Find implements [Frontier].
func (s *SQLite) Find(ctx context.Context, job, url string) (r Record, err error) {
	err = s.do(ctx, "find a record", func() error {
		l, _, err := s.ledger(job)
		if err != nil {
			return err
		}
		p, _, err := s.placeOf(l, hashOf(url))
		if err != nil {
			return err
		}
		found, err := s.list(l, listBytes, l.q.record, p.record)
		if err == nil && len(found) == 0 {
			return &Error{Code: NotFound, What: "find a record"}
		}
		if err == nil {
			r = found[0]
		}
		return err
	})
	return r, err
}

// list reads records, with bodies until these have more than so many bytes; below 0: without.
func (s *SQLite) list(l *ledger, bodies int64, q string, args ...any) ([]Record, error) {
	type where struct{ segment, offset, length int64 }
	var out []Record
	var at []where
	err := s.db.query(q, func(row []driver.Value) error {
		out = append(out, Record{Cursor: number(row[0]), URL: str(row[1]), Meta: data(row[2])})
		at = append(at, where{number(row[3]), number(row[4]), number(row[5])})
		return nil
	}, args...)
	if err != nil || bodies < 0 {
		return out, err
	}
	var f *os.File
	defer func() {
		if f != nil {
			f.Close()
		}
	}()
	open, total := int64(0), int64(0)
	for i, w := range at {
		if total > bodies {
			return out[:i], nil
		}
		if w.length == 0 {
			continue
		}
		if open != w.segment {
			if f != nil {
				f.Close()
			}
			if f, err = os.Open(s.segmentPath(l.id, w.segment)); err != nil {
				return nil, err
			}
			open = w.segment
		}
		frame := make([]byte, w.length)
		if _, err := io.ReadFull(io.NewSectionReader(f, w.offset, w.length), frame); err != nil {
			return nil, &Error{Code: Damaged, What: "read a record", Cause: err}
		}
		if out[i].Body, err = s.bodies.unpack(frame); err != nil {
			return nil, &Error{Code: Damaged, What: "read a record", Cause: err}
		}
		total += int64(len(out[i].Body))
	}
	return out, nil
}

// Stats implements [Frontier].
func (s *SQLite) Stats(ctx context.Context, job string) (st Stats, err error) {
	err = s.do(ctx, "count addresses", func() error {
		l, _, err := s.ledger(job)
		if err != nil {
			return err
		}
		now := s.micros()
		row, _, err := s.db.get(`SELECT known, queued, read, failed, skipped, records,
			(SELECT coalesce(sum(tasks), 0) FROM turn WHERE job = ?1 AND until > ?2) FROM job WHERE id = ?1`, l.id, now)
		if err != nil {
			return err
		}
		st = Stats{Known: number(row[0]), Queued: number(row[1]), Read: number(row[2]), Failed: number(row[3]), Skipped: number(row[4]), Records: number(row[5]), Leased: number(row[6]), Reasons: map[string]int64{}}
		if row, _, err = s.db.get(l.q.hosts); err != nil {
			return err
		}
		st.Sites = number(row[0])
		if err := s.db.query(`SELECT name, n FROM reason WHERE job = ?`, func(row []driver.Value) error {
			st.Reasons[str(row[0])] = number(row[1])
			return nil
		}, l.id); err != nil {
			return err
		}
		if st.Queued == 0 || l.limits.Pages > 0 && st.Read >= int64(l.limits.Pages) {
			return nil
		}
		if row, _, err = s.db.get(l.q.readyAt, now, l.limits.PerSite, max(l.limits.AtOnce, 1)); err != nil {
			return err
		}
		next := number(row[0]) // NULL, when nothing is queued or the budgets of all sites are used up
		if row, _, err = s.db.get(l.q.nextWait); err != nil {
			return err
		}
		if wait := number(row[0]); wait != 0 && (next == 0 || wait < next) {
			next = wait
		}
		st.Next = timeOf(next)
		return nil
	})
	return st, err
}

// packer makes the frame of a body: its checksum, and its bytes compressed with
// zstd. The zero value is ready.
type packer struct {
	once    sync.Once
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	err     error
}

func (p *packer) init() {
	p.once.Do(func() {
		if p.encoder, p.err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20)); p.err != nil {
			return
		}
		p.decoder, p.err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*MaxBody))
	})
}

func (p *packer) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
}

const headBytes = 5 // the checksum, and 1 where the rest is compressed

func (p *packer) pack(body []byte) []byte {
	p.init()
	frame := make([]byte, headBytes, headBytes+len(body))
	if p.err == nil && len(body) >= 128 {
		if frame = p.encoder.EncodeAll(body, frame); len(frame) < headBytes+len(body) {
			frame[4] = 1
		} else {
			frame = frame[:headBytes]
		}
	}
	if frame[4] == 0 {
		frame = append(frame, body...)
	}
	binary.LittleEndian.PutUint32(frame, crc32.Checksum(frame[4:], crc32.MakeTable(crc32.Castagnoli)))
	return frame
}

func (p *packer) unpack(frame []byte) ([]byte, error) {
	p.init()
	if len(frame) < headBytes || binary.LittleEndian.Uint32(frame) != crc32.Checksum(frame[4:], crc32.MakeTable(crc32.Castagnoli)) {
		return nil, errors.New("its checksum is wrong")
	}
	if frame[4] == 0 {
		return frame[headBytes:], nil
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.decoder.DecodeAll(frame[headBytes:], nil)
}
