package frontiertest

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// TestKill kills workers at any time (kill -9) and starts them again, until the
// whole synthetic web is read. The long run is
//
//	go test ./internal/frontier/frontiertest -run TestKill -v -timeout 1h -kill.pages 60000 -kill.times 30
var (
	killPages   = flag.Int("kill.pages", 1200, "pages of the web that TestKill reads")
	killTimes   = flag.Int("kill.times", 6, "how often TestKill kills a worker")
	killWorkers = flag.Int("kill.workers", 2, "processes that read at a time")
	killStalls  = flag.Bool("kill.stalls", false, "workers stall now and then for longer than a turn lasts")
)

// The environment of a worker: a child process runs the test binary once, as a
// worker, and starts no process itself.
const (
	childPlace = "SPYHOP_FRONTIER_PLACE"
	childName  = "SPYHOP_FRONTIER_NAME"
	childJob   = "SPYHOP_FRONTIER_JOB"
	childTTL   = 2 * time.Second
)

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(childPlace) != "" {
		if err := child(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if server.stop != nil {
		server.stop()
	}
	os.Exit(code)
}

// child is a worker. It writes a line before each commit.
func child() error {
	if host := os.Getenv(childHost); host != "" {
		return crawlChild(os.Getenv(childPlace), os.Getenv(childJob), host)
	}
	i := slices.IndexFunc(implementations, func(im implementation) bool { return im.name == os.Getenv(childName) })
	f, err := implementations[i].open(os.Getenv(childPlace), frontier.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, job := context.Background(), os.Getenv(childJob)
	if os.Getenv(childScale) != "" {
		return scaleChild(f, job)
	}
	for {
		turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: job, Worker: strconv.Itoa(os.Getpid()), Sites: 16, PerSite: 2, TTL: childTTL})
		if err != nil {
			return err
		}
		if len(turns) == 0 {
			s, err := f.Stats(ctx, job)
			if err != nil {
				return err
			}
			if s.Queued == 0 {
				return nil
			}
			time.Sleep(max(time.Until(s.Next), time.Millisecond))
			continue
		}
		var commits []frontier.Commit
		for _, turn := range turns {
			c := frontier.Commit{Turn: turn, Outcomes: readSynthetic(turn, uint64(*killPages))}
			start := time.Now()
			if *killStalls && rand.IntN(300) == 0 {
				time.Sleep(childTTL + childTTL/4)
			}
			for k := range c.Outcomes {
				o := &c.Outcomes[k]
				end := time.Now()
				o.Meta = fmt.Appendf(nil, "%s %d %d", turn.Site, start.UnixNano(), end.UnixNano())
				start = end
			}
			commits = append(commits, c)
		}
		fmt.Println("commit")
		if _, err := f.Commit(ctx, commits); err != nil {
			return err
		}
	}
}

func TestKill(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		t := b.t
		b.add(1, synthetic(0))
		type ended struct {
			killed bool
			err    error
		}
		results := make(chan ended)
		// run starts a worker, and kills it after so many lines; 0: never.
		run := func(lines int) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-kill.pages", strconv.Itoa(*killPages), "-kill.stalls="+strconv.FormatBool(*killStalls))
			cmd.Env = append(os.Environ(), childPlace+"="+b.place, childName+"="+b.im.name, childJob+"="+b.job)
			var errors strings.Builder
			cmd.Stderr = &errors
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				results <- ended{err: err}
				return
			}
			killed := false
			for s, n := bufio.NewScanner(out), 1; s.Scan(); n++ {
				if n == lines {
					killed = cmd.Process.Kill() == nil
				}
			}
			if err = cmd.Wait(); err != nil {
				err = fmt.Errorf("%w: %s", err, errors.String())
			}
			results <- ended{killed, err}
		}
		// Each life reads about its share of the pages.
		share := *killPages * *killWorkers / (*killTimes + *killWorkers) / 20
		life := func() int { return 1 + rand.IntN(max(2*share, 2)) }
		for range *killWorkers {
			go run(life())
		}
		kills, running := 0, *killWorkers
		for running > 0 {
			switch r := <-results; {
			case r.killed:
				if kills++; kills < *killTimes {
					go run(life())
				} else {
					go run(0)
				}
			case r.err != nil:
				t.Error(r.err)
				running--
			default:
				running--
			}
		}
		t.Logf("%d pages, %d kills", *killPages, kills)
		if kills == 0 {
			t.Error("no worker was killed")
		}
		b.clock.advance(1000 * time.Hour)
		checkKilled(b)
	})
}

// checkKilled wants each page in one record, and no two records of one site whose
// pages were read at the same time.
func checkKilled(b *bench) {
	type span struct {
		site       string
		start, end int64
	}
	var spans []span
	seen := map[string]int{}
	for after := int64(0); ; {
		list := b.records(frontier.RecordQuery{After: after, N: 1000, Bodies: true})
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			var s span
			if _, err := fmt.Sscan(string(r.Meta), &s.site, &s.start, &s.end); err != nil || string(r.Body) != "body "+r.URL {
				b.t.Fatalf("record of %s: %q, %q", r.URL, r.Meta, r.Body)
			}
			spans = append(spans, s)
			seen[r.URL]++
			after = r.Cursor
		}
	}
	twice, overlap := 0, 0
	for _, n := range seen {
		twice += n - 1
	}
	slices.SortFunc(spans, func(x, y span) int {
		return cmp.Or(cmp.Compare(x.site, y.site), cmp.Compare(x.start, y.start))
	})
	for i := 1; i < len(spans); i++ {
		if spans[i].site == spans[i-1].site && spans[i].start < spans[i-1].end {
			overlap++
		}
	}
	s := b.stats()
	b.t.Logf("lost %d, twice %d, overlapping reads of one site %d", *killPages-len(seen), twice, overlap)
	if len(seen) != *killPages || twice > 0 || overlap > 0 || s.Queued != 0 || int(s.Read) != *killPages {
		b.t.Errorf("lost %d, twice %d, overlapping %d; stats %+v", *killPages-len(seen), twice, overlap, s)
	}
}
