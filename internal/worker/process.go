package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

var errClosed = errors.New("the pool is closed")

const (
	startTime = 10 * time.Second      // for a worker to say that it is ready
	watchStep = 50 * time.Millisecond // between two looks at what a worker has taken
	noLimit   = 365 * 24 * time.Hour  // for a call without a deadline
	maxHello  = 4 << 10               // bytes
	maxStderr = 8 << 10               // bytes of what a worker says when it breaks
)

// process is a worker as its parent sees it. One call at a time uses it.
type process struct {
	pool   *Pool
	cmd    *exec.Cmd
	in     *os.File // to the worker
	out    *os.File // from it
	exited chan struct{}
	said   opening // on stderr; complete once exited is closed
	held   []string
	served int
	deaf   bool        // it ended before it had the whole request
	timer  *time.Timer // ends it when it has been idle
	killed atomic.Uint32
}

// start starts a worker and waits until it is ready. The caller has added it to
// p.ending.
func (p *Pool) start(ctx context.Context) (*process, error) {
	fail := func(err error) (*process, error) {
		p.ending.Done()
		return nil, &Error{Code: Unavailable, Cause: err}
	}
	path, err := p.program()
	if err != nil {
		return fail(err)
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		_, _ = childIn.Close(), in.Close()
		return fail(err)
	}
	w := &process{pool: p, in: in, out: out, exited: make(chan struct{})}
	w.cmd = exec.Command(path, argument)
	// The environment of this process holds secrets: a worker gets none of it.
	w.cmd.Env = environment(p.o.Memory, "")
	w.cmd.Dir = string(os.PathSeparator)
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = childIn, childOut, &w.said
	w.cmd.SysProcAttr = attributes()
	// The kernel ends the child with the thread that has started it (Pdeathsig), and the
	// child inherits its priority: not from a thread that ends with the call.
	started := make(chan error)
	go func() { started <- w.cmd.Start() }()
	err = <-started
	_, _ = childIn.Close(), childOut.Close()
	if err != nil {
		_, _ = in.Close(), out.Close()
		return fail(err)
	}
	go func() {
		_ = w.cmd.Wait()
		close(w.exited)
		p.ending.Done()
	}()
	stop := context.AfterFunc(ctx, w.kill)
	defer stop()
	_ = out.SetReadDeadline(time.Now().Add(startTime))
	_, hello, err := readFrame(out, maxHello, frameHello)
	_ = out.SetReadDeadline(time.Time{})
	if err == nil {
		rest, ok := bytes.CutPrefix(hello, []byte(protocol+p.o.Service+"\n"))
		if w.held = strings.FieldsFunc(string(rest), func(r rune) bool { return r == ',' }); !ok {
			err = errors.New("the program is of another version")
		}
	}
	if err != nil {
		w.end()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, &Error{Code: Unavailable, Cause: w.why(err)}
	}
	return w, nil
}

// program is the file that is started.
func (p *Pool) program() (string, error) {
	if p.o.Program != "" {
		return p.o.Program, nil
	}
	return program()
}

// ask has the worker serve one request.
func (w *process) ask(ctx context.Context, kind byte, request ...[]byte) ([]byte, error) {
	o := w.pool.o
	w.served++
	w.killed.Store(0)
	stop := context.AfterFunc(ctx, w.kill)
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		w.watch(done)
	}()
	defer func() {
		close(done)
		<-watched
	}()
	if kind == frameAsk {
		left := noLimit
		if deadline, ok := ctx.Deadline(); ok {
			left = max(time.Until(deadline), 0)
		}
		request = append([][]byte{binary.BigEndian.AppendUint64(nil, uint64(left.Milliseconds()))}, request...)
	}
	err := writeFrame(w.in, kind, request...)
	written := err == nil
	var reply []byte
	if err == nil {
		_, reply, err = readFrame(w.out, o.MaxReply, frameReply)
	}
	running := stop()
	if !running || err != nil {
		w.end()
	}
	if err == nil { // whatever ended since, it has come
		return reply, nil
	}
	switch code := Code(w.killed.Load()); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case code == CPU:
		return nil, &Error{Code: CPU, Limit: int64(o.CPU)}
	case code == Memory || w.noMemory():
		return nil, &Error{Code: Memory, Limit: o.Memory}
	}
	w.deaf = !written
	return nil, &Error{Code: Ended, Cause: w.why(err)}
}

// watch kills the worker when its request takes too much.
func (w *process) watch(done <-chan struct{}) {
	before, _, ok := usage(w.cmd.Process.Pid)
	if !ok {
		return
	}
	ticker := time.NewTicker(watchStep)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-w.exited:
			return
		case <-ticker.C:
		}
		cpu, memory, ok := usage(w.cmd.Process.Pid)
		switch {
		case !ok:
		case cpu-before > w.pool.o.CPU:
			w.killed.Store(uint32(CPU))
			w.kill()
		case memory > w.pool.o.Memory:
			w.killed.Store(uint32(Memory))
			w.kill()
		}
	}
}

func (w *process) kill() { _ = w.cmd.Process.Kill() }

// end kills the worker and waits until it has ended.
func (w *process) end() {
	w.kill()
	<-w.exited
	_, _ = w.in.Close(), w.out.Close()
}

func (w *process) ended() bool {
	select {
	case <-w.exited:
		return true
	default:
		return false
	}
}

// noMemory reports whether the worker has ended because the system gave it no more memory, for
// its heap or for the stack of a thread.
func (w *process) noMemory() bool {
	for _, s := range []string{"out of memory", "cannot allocate memory", "failed to create new OS thread", "pthread_create failed"} {
		if w.said.contains(s) {
			return true
		}
	}
	return false
}

// why is the reason of a worker that has ended, by what it has said.
func (w *process) why(err error) error {
	said := lines(w.said.String())
	if len(said) == 0 {
		return fmt.Errorf("%w (%v)", err, w.cmd.ProcessState)
	}
	return fmt.Errorf("%.200s (%v)", said[0], w.cmd.ProcessState)
}

// opening keeps the first bytes that are written to it.
type opening struct{ b []byte }

func (o *opening) Write(p []byte) (int, error) {
	o.b = append(o.b, p[:min(len(p), maxStderr-len(o.b))]...)
	return len(p), nil
}

func (o *opening) String() string         { return string(o.b) }
func (o *opening) contains(s string) bool { return bytes.Contains(o.b, []byte(s)) }

// lines are those that are not empty.
func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}
