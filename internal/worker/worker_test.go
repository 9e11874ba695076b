package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const service = "test/1"

func TestMain(m *testing.M) {
	Serve(service, serve)
	os.Exit(m.Run())
}

// atStart is what held in this process before main, where a test of the system asks for it.
var atStart string

// serve is what workers of this test do.
func serve(request []byte) []byte {
	what, rest, _ := bytes.Cut(request, []byte(" "))
	switch string(what) {
	case "echo":
		return rest
	case "pid":
		return strconv.AppendInt(nil, int64(os.Getpid()), 10)
	case "spin":
		for {
			runtime.Gosched()
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "grow":
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
			if len(all) > 4096 {
				return nil
			}
		}
	case "panic":
		panic("on request")
	case "exit":
		os.Exit(0)
	case "large":
		return make([]byte, 2<<20)
	case "print":
		fmt.Println("this is not a frame")
		return []byte("printed")
	case "start":
		return []byte(atStart)
	case "environment":
		return []byte(strings.Join(os.Environ(), "\n"))
	}
	return nil
}

func newPool(t *testing.T, o Options) *Pool {
	o.Service = service
	p := New(o)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func mustDo(t *testing.T, p *Pool, request string) string {
	t.Helper()
	reply, err := p.Do(t.Context(), []byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return string(reply)
}

func TestReply(t *testing.T) {
	p := newPool(t, Options{})
	long := strings.Repeat("x", 5<<20)
	for _, c := range []struct{ request, want string }{
		{"echo a", "a"}, {"echo ", ""}, {"echo " + long, long}, {"print", "printed"},
	} {
		if got := mustDo(t, p, c.request); got != c.want {
			t.Errorf("%.20s: %.20q", c.request, got)
		}
	}
	t.Setenv("A_SECRET", "of the parent")
	if got := mustDo(t, p, "environment"); strings.Contains(got, "SECRET") || strings.Contains(got, "PATH") {
		t.Errorf("the worker sees %q", got)
	}
}

// TestConfined shows that a worker can neither open files and sockets nor start
// programs.
func TestConfined(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes the rights of a process")
	}
	could, held, err := newPool(t, Options{}).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(could) > 0 {
		t.Errorf("a worker could %q", could)
	}
	t.Logf("held: %q", held)
	if len(held) == 0 {
		t.Error("no confinement took effect")
	}
	if could := probe(); len(could) < 3 {
		t.Errorf("the probe finds only %q outside of a worker: it tests nothing", could)
	}
}

// TestEnds has rows of requests that end their worker; the next request of the
// same pool gets an answer.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		request string
		o       Options
		want    Code
		linux   bool
	}{
		{request: "spin", o: Options{CPU: 300 * time.Millisecond}, want: CPU, linux: true},
		{request: "grow", o: Options{Memory: 128 << 20}, want: Memory, linux: true},
		{request: "panic", want: Ended},
		{request: "exit", want: Ended},
		{request: "large", o: Options{MaxReply: 1 << 20}, want: Ended},
	} {
		t.Run(c.request, func(t *testing.T) {
			if c.linux && runtime.GOOS != "linux" {
				t.Skip("only Linux measures processes")
			}
			c.o.Size = 1
			p := newPool(t, c.o)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // where the pool does not end it
			defer cancel()
			_, err := p.Do(ctx, []byte(c.request))
			var e *Error
			if !errors.As(err, &e) || e.Code != c.want {
				t.Fatalf("got %v, want code %d", err, c.want)
			}
			if got := mustDo(t, p, "echo again"); got != "again" {
				t.Errorf("the next request: %q", got)
			}
		})
	}
}

// TestDeadline shows that a request ends with its context, and its process with
// it.
func TestDeadline(t *testing.T) {
	for _, request := range []string{"spin", "sleep"} {
		p := newPool(t, Options{Size: 1})
		pid := number(t, mustDo(t, p, "pid"))
		ctx, end := context.WithCancelCause(t.Context())
		go func() {
			for taken := false; !taken; runtime.Gosched() {
				p.mu.Lock()
				taken = len(p.idle) == 0
				p.mu.Unlock()
			}
			end(context.DeadlineExceeded) // the worker is alive and has the request, or gets it
		}()
		_, err := p.Do(ctx, []byte(request))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", request, err)
		}
		if alive(pid) {
			t.Errorf("%s: the worker lives on", request)
		}
	}
}

// endsWithReply is a context that ends while the reply is read: when it is asked again.
type endsWithReply struct {
	context.Context
	asked bool
}

func (c *endsWithReply) Err() error {
	if !c.asked {
		c.asked = true
		return nil
	}
	return context.DeadlineExceeded
}

// TestReplyBeforeEnd: a reply that has come counts, although the context has ended since.
func TestReplyBeforeEnd(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	mustDo(t, p, "echo first")
	if got, err := p.Do(&endsWithReply{Context: context.Background()}, []byte("echo second")); err != nil || string(got) != "second" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestWaits shows that requests beyond the size of a pool wait, and that a
// context that ends while they do ends them.
func TestWaits(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	mustDo(t, p, "echo")
	ctx, cancel := context.WithCancel(t.Context())
	busy := make(chan error)
	go func() {
		_, err := p.Do(ctx, []byte("sleep"))
		busy <- err
	}()
	for len(p.slots) == 0 {
		runtime.Gosched()
	}
	second, stop := context.WithCancelCause(t.Context())
	why := errors.New("not needed any more")
	stop(why)
	if _, err := p.Do(second, []byte("echo")); !errors.Is(err, why) {
		t.Errorf("while all are busy: %v", err)
	}
	cancel()
	if err := <-busy; !errors.Is(err, context.Canceled) {
		t.Errorf("the busy one: %v", err)
	}
}

// TestReplaced shows that a worker serves so many requests and not more, and
// that one that was killed while it had no work costs no request.
func TestReplaced(t *testing.T) {
	p := newPool(t, Options{Size: 1, Requests: 3})
	var pids []int
	for range 6 {
		pids = append(pids, number(t, mustDo(t, p, "pid")))
	}
	if pids[0] != pids[2] || pids[2] == pids[3] || pids[3] != pids[5] {
		t.Errorf("pids %v, want two workers with three requests each", pids)
	}
	p = newPool(t, Options{Size: 1})
	pid := number(t, mustDo(t, p, "pid"))
	p.mu.Lock()
	w := p.idle[0]
	p.mu.Unlock()
	w.kill()
	<-w.exited
	if next := number(t, mustDo(t, p, "pid")); next == pid {
		t.Error("a worker that was killed has answered")
	}
}

func TestIdleEnds(t *testing.T) {
	p := newPool(t, Options{Size: 1, Idle: time.Millisecond})
	mustDo(t, p, "pid")
	p.ending.Wait() // returns once the idle worker has ended
	if got := mustDo(t, p, "echo a"); got != "a" {
		t.Error(got)
	}
}

// TestMany has 50 requests at once, of which each third ends its worker: each
// gets its own answer, and no process is left.
func TestMany(t *testing.T) {
	p := newPool(t, Options{Size: 3})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if i%3 == 0 {
				if _, err := p.Do(t.Context(), []byte("exit")); err == nil {
					t.Error("a worker that ended has replied")
				}
				return
			}
			want := fmt.Sprint("number ", i)
			if got, err := p.Do(t.Context(), []byte("echo "+want)); err != nil || string(got) != want {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
		})
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Do(t.Context(), []byte("echo")); err == nil {
		t.Error("a closed pool replies")
	}
}

func TestUnavailable(t *testing.T) {
	for name, o := range map[string]Options{
		"no program":      {Program: "/does/not/exist"},
		"another program": {Program: "/bin/true"},
		"another version": {Service: "test/2"},
	} {
		if o.Service == "" {
			o.Service = service
		}
		p := New(o)
		_, err := p.Do(t.Context(), []byte("echo"))
		var e *Error
		if !errors.As(err, &e) || e.Code != Unavailable {
			t.Errorf("%s: %v", name, err)
		}
		_ = p.Close()
	}
}

// FuzzFrame gives bytes of a worker to the pool's reader.
func FuzzFrame(f *testing.F) {
	var b bytes.Buffer
	_ = writeFrame(&b, frameReply, []byte("a"), []byte("b"))
	f.Add(b.Bytes())
	f.Add([]byte("R\xff\xff\xff\xff"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, in []byte) {
		_, payload, err := readFrame(bytes.NewReader(in), 1<<20, frameReply)
		if err == nil && (len(payload) > len(in) || in[0] != frameReply) {
			t.Errorf("%q gives %q", in, payload)
		}
	})
}

func TestFrameBound(t *testing.T) {
	for _, in := range []string{"R\x7f\xff\xff\xff", "X\x00\x00\x00\x00", "R\x00\x00\x00\x05ab", "R\x00"} {
		if _, _, err := readFrame(strings.NewReader(in), 1<<20, frameReply); err == nil || err == io.EOF {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// TestEndedWhileIdle: a worker that was killed while it had nothing to do costs no request, also
// where the pool learns that after it has taken the worker.
func TestEndedWhileIdle(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	mustDo(t, p, "echo first")
	w := p.idle[0]
	if err := w.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-w.exited
	late := make(chan struct{})
	w.exited = late
	go func() {
		defer close(late)
		for taken := false; !taken; runtime.Gosched() {
			p.mu.Lock()
			taken = len(p.idle) == 0
			p.mu.Unlock()
		}
	}()
	if got := mustDo(t, p, "echo second"); got != "second" {
		t.Errorf("%q", got)
	}
}
