package frontier

import "context"

// pgTask is the columns of an address in queue behind its priority.
const pgTask = `q.url, q.depth, q.template, q.note, q.tries`

// scanTask scans what stands before the priority into dest.
func scanTask(rows row, dest ...any) (t Task, err error) {
	var prio, depth, template, tries int64
	var url []byte
	err = rows.scan(append(dest, &prio, &url, &depth, &template, &t.Note, &tries)...)
	t.URL, t.Priority, t.Depth, t.Template, t.Tries = string(url), int32(-prio), int(depth), uint64(template), int(tries)
	return t, err
}

// Stats implements [Frontier].
func (p *Postgres) Stats(ctx context.Context, job string) (st Stats, err error) {
	number, ok := numberOf(job)
	if !ok {
		return st, notFound(job)
	}
	const look = 100 // sites that are looked at for Next
	err = p.do(ctx, "count addresses", false, func(ctx context.Context, c *pgConn) error {
		st = Stats{Reasons: map[string]int64{}}
		at := p.at()
		b := &batch{}
		b.queue(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
		b.queue(`SELECT known, queued, read, failed, skipped, cursor, sites, pages,
			(SELECT coalesce(sum(tasks), 0)::bigint FROM spyhop.turn, (SELECT spyhop.now($2) AS t) n WHERE job = $1 AND until > n.t), spyhop.now($2) FROM spyhop.job WHERE id = $1`, number, at)
		b.queue(`SELECT name, n FROM spyhop.reason WHERE job = $1`, number)
		// Of a site where all addresses wait for a later try, the first of these times.
		b.queue(`SELECT greatest(h.ready, CASE WHEN c.turns >= CASE WHEN s.width > 0 AND s.narrow > n.t THEN least(s.width, h.at_once) ELSE h.at_once END THEN c.until ELSE greatest(s.due, s.blocked) END,
				CASE WHEN EXISTS (SELECT FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site AND q.due <= n.t AND NOT EXISTS (SELECT FROM spyhop.turn t WHERE t.token = q.turn AND t.until > n.t)) THEN 0
					ELSE (SELECT coalesce(min(coalesce((SELECT t.until FROM spyhop.turn t WHERE t.token = q.turn AND t.until > n.t), q.due)), $3) FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site) END)
			FROM (SELECT h.*, greatest(j.at_once, 1) AS at_once FROM spyhop.host h JOIN spyhop.job j ON j.id = h.job WHERE h.job = $1 AND h.ready < $3 AND (j.per_site = 0 OR h.over < j.per_site) ORDER BY h.ready LIMIT $4) h
			JOIN spyhop.site s ON s.id = h.site CROSS JOIN (SELECT spyhop.now($2) AS t) n
			CROSS JOIN LATERAL (SELECT count(*) AS turns, coalesce(min(t.until), 0) AS until FROM spyhop.turn t WHERE t.site = h.site AND t.until > n.t) c`, number, at, int64(never), look)
		b.queue(`COMMIT`)
		r := c.send(ctx, b)
		r.exec()
		found, pages, now := false, int64(0), int64(0)
		r.rows(func(rows row) error {
			found = true
			return rows.scan(&st.Known, &st.Queued, &st.Read, &st.Failed, &st.Skipped, &st.Records, &st.Sites, &pages, &st.Leased, &now)
		})
		r.rows(func(rows row) error {
			var name []byte
			var n int64
			err := rows.scan(&name, &n)
			st.Reasons[string(name)] = n
			return err
		})
		next, hosts := int64(never), 0
		r.rows(func(rows row) error {
			var ready int64
			err := rows.scan(&ready)
			next = min(next, ready)
			hosts++
			return err
		})
		r.exec()
		if err := r.close(); err != nil {
			return err
		}
		switch {
		case !found:
			return notFound(job)
		case st.Queued == 0 || pages > 0 && st.Read >= pages:
		case next < never:
			st.Next = timeOf(max(next, 1))
		case hosts == look: // these have nothing left, others may; the next Lease finds out
			st.Next = timeOf(now)
		}
		return nil
	})
	if err != nil {
		return Stats{}, err
	}
	return st, nil
}

// Records implements [Frontier].
func (p *Postgres) Records(ctx context.Context, q RecordQuery) (out []Record, err error) {
	if q.N <= 0 {
		q.N = 100
	}
	number, ok := numberOf(q.Job)
	if !ok {
		return nil, notFound(q.Job)
	}
	body, failed, after, from := `NULL::bytea`, ``, `$2`, q.After
	if q.Failed {
		failed = `failed AND`
	}
	if q.Bodies {
		body = `body`
	}
	if from < 0 {
		after, from = `coalesce((SELECT cursor FROM spyhop.record WHERE job = $1 ORDER BY cursor DESC LIMIT 1 OFFSET $2), 0)`, -from
	}
	err = p.do(ctx, "list records", false, func(ctx context.Context, c *pgConn) error {
		b := &batch{}
		b.queue(`SELECT true FROM spyhop.job WHERE id = $1`, number)
		b.queue(`SELECT r.cursor, r.url, r.meta, `+body+` FROM spyhop.record r JOIN (
				SELECT job, cursor, sum(size) OVER (ORDER BY cursor) - size AS before
				FROM (SELECT job, cursor, size FROM spyhop.record WHERE job = $1 AND `+failed+` cursor > `+after+` ORDER BY cursor LIMIT $3) w
			) w ON w.job = r.job AND w.cursor = r.cursor WHERE $4 OR w.before <= $5 ORDER BY r.cursor`, number, from, q.N, !q.Bodies, q.bytes())
		r := c.send(ctx, b)
		found := false
		r.rows(func(rows row) error { return rows.scan(&found) })
		out = p.scanRecords(r)
		if err := r.close(); err != nil {
			return err
		}
		if !found {
			return notFound(q.Job)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (p *Postgres) scanRecords(r *results) (out []Record) {
	r.rows(func(rows row) error {
		var rec Record
		var url, frame []byte
		if err := rows.scan(&rec.Cursor, &url, &rec.Meta, &frame); err != nil {
			return err
		}
		rec.URL = string(url)
		if len(frame) > 0 {
			var err error
			if rec.Body, err = p.bodies.unpack(frame); err != nil {
				return &Error{Code: Damaged, What: "read a record", Cause: err}
			}
		}
		out = append(out, rec)
		return nil
	})
	return out
}

// Find implements [Frontier].
func (p *Postgres) Find(ctx context.Context, job, url string) (rec Record, err error) {
	number, ok := numberOf(job)
	if !ok {
		return rec, notFound(job)
	}
	err = p.do(ctx, "find a record", false, func(ctx context.Context, c *pgConn) error {
		h := wideHash(url)
		b := &batch{}
		b.queue(`SELECT true FROM spyhop.job WHERE id = $1`, number)
		b.queue(`SELECT cursor, url, meta, body FROM spyhop.record WHERE job = $1 AND h = $2
			UNION ALL SELECT cursor, url, meta, body FROM spyhop.record WHERE job = $1 AND final = $2 LIMIT 1`, number, h)
		r := c.send(ctx, b)
		known := false
		r.rows(func(rows row) error { return rows.scan(&known) })
		found := p.scanRecords(r)
		if err := r.close(); err != nil {
			return err
		}
		switch {
		case !known:
			return notFound(job)
		case len(found) == 0:
			return &Error{Code: NotFound, What: "find a record"}
		}
		rec = found[0]
		return nil
	})
	return rec, err
}
