package frontiertest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// admin is a connection of its own to a database.
func admin(ctx context.Context, t *testing.T, place string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// waiting returns when n connections wait for locks, or when other has a result: it did
// not have to wait.
func waiting(ctx context.Context, t *testing.T, look *pgx.Conn, n int, other <-chan error) {
	t.Helper()
	for len(other) == 0 {
		var got int
		if err := look.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got >= n {
			return
		}
	}
}

// TestOpenAtOnce: processes that are the first ones and begin together make the tables once.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	place := postgresPlace(t)
	look, holder := admin(ctx, t, place), admin(ctx, t, place)
	tx, err := holder.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(7749001)`); err != nil {
		t.Fatal(err)
	}
	const n = 3
	opened := make(chan error, n)
	for range n {
		go func() {
			f, err := openPostgres(place, frontier.Options{})
			if err == nil {
				err = f.Close()
			}
			opened <- err
		}()
	}
	waiting(ctx, t, look, n, opened)
	if err := tx.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := <-opened; err != nil {
			t.Error(err)
		}
	}
}

// TestDropAlone: what a Drop meets half done does not wait for the Drop, so that
// PostgreSQL has no deadlock to end; it would take an hour here.
func TestDropAlone(t *testing.T) {
	lease := func(ctx context.Context, f *frontier.Frontier, j frontier.Job) error {
		_, err := f.Lease(ctx, frontier.LeaseRequest{Job: j.ID, Sites: 2})
		return err
	}
	for name, c := range map[string]struct {
		limits frontier.Limits
		meets  func(context.Context, *frontier.Frontier, frontier.Job) error
	}{
		"a lease near the limit of pages": {frontier.Limits{Pages: 3}, lease},
		"a greater budget for sites": {frontier.Limits{PerSite: 1}, func(ctx context.Context, f *frontier.Frontier, j frontier.Job) error {
			j.Limits.PerSite = 2
			_, err := f.Update(ctx, j)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := postgresPlace(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			look, holder := admin(ctx, t, place), admin(ctx, t, place)
			if _, err := look.Exec(ctx, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET deadlock_timeout = ''1h'' '; END $$`); err != nil {
				t.Fatal(err)
			}
			f, err := openPostgres(place, frontier.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			j, err := f.Create(ctx, frontier.Job{Owner: "local", Limits: c.limits})
			if err != nil {
				t.Fatal(err)
			}
			var links []frontier.Link
			for _, site := range []string{"a.com", "b.com"} {
				for _, path := range []string{"1", "2"} {
					links = append(links, link(site, path, 0))
				}
			}
			if _, err := f.Add(ctx, j.ID, links); err != nil {
				t.Fatal(err)
			}
			// One page is read, which uses up the budget of its site.
			turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: j.ID})
			if err != nil || len(turns) != 1 {
				t.Fatal(turns, err)
			}
			if _, err := f.Commit(ctx, []frontier.Commit{{Turn: turns[0], Outcomes: []frontier.Outcome{read(turns[0].Tasks[0])}}}); err != nil {
				t.Fatal(err)
			}
			if c.limits.PerSite > 0 { // the next lease notices it
				if err := lease(ctx, f, j); err != nil {
					t.Fatal(err)
				}
			}

			// The job's row is held until both wait for it, Drop first.
			tx, err := holder.Begin(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(ctx, `SELECT id FROM spyhop.job FOR NO KEY UPDATE`); err != nil {
				t.Fatal(err)
			}
			dropped, met := make(chan error, 1), make(chan error, 1)
			go func() { dropped <- f.Drop(ctx, j.ID) }()
			waiting(ctx, t, look, 1, nil)
			go func() { met <- c.meets(ctx, f, j) }()
			waiting(ctx, t, look, 2, met)
			if err := tx.Rollback(ctx); err != nil {
				t.Fatal(err)
			}
			if err := <-dropped; err != nil {
				t.Errorf("drop: %v", err)
			}
			if err := <-met; err != nil && frontier.CodeOf(err) != frontier.NotFound {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
