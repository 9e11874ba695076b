package worker

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// In a worker, what holds before main holds from exec on.
var _ = func() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	var data, files, core unix.Rlimit
	_, _, _ = unix.Getrlimit(unix.RLIMIT_DATA, &data), unix.Getrlimit(unix.RLIMIT_NOFILE, &files), unix.Getrlimit(unix.RLIMIT_CORE, &core)
	_, fork := os.StartProcess("/spyhop-probe", []string{"spyhop-probe"}, &os.ProcAttr{})
	atStart = fmt.Sprintf("%s\ndata %d, files %d, core %d, socket: %v, fork: %v\n", status, data.Max, files.Max, core.Max, openSocket(), fork)
	return true
}()

// TestBeforeExec: limits, capabilities and a filter are in force when the program that reads
// documents starts, and not only once it has taken the rest.
func TestBeforeExec(t *testing.T) {
	const memory = 160 << 20
	got := mustDo(t, newPool(t, Options{Memory: memory}), "start")
	for _, want := range []string{"NoNewPrivs:\t1\n", "Seccomp:\t2\n", "CapEff:\t0000000000000000\n", "CapPrm:\t0000000000000000\n",
		fmt.Sprintf("\ndata %d, files 16, core 0, socket: operation not permitted, fork: ", 2*memory+raceMemory), "spyhop-probe: operation not permitted\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestInherited: a worker has nothing open that its parent has left open at exec, and is
// filtered. Root's powers can be given up in all threads only without cgo, which the race
// detector needs: TestDescriptors of internal/e2e looks at those of the command.
func TestInherited(t *testing.T) {
	leaked, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer leaked.Close()
	// As a program of C, or whoever started this one, leaves a descriptor open.
	if _, err := unix.FcntlInt(leaked.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	if could := probe(); !slices.Contains(could, "use what its parent has open") {
		t.Errorf("the probe finds only %q: it tests nothing", could)
	}
	p := newPool(t, Options{})
	if could, _, err := p.Probe(t.Context()); err != nil || len(could) > 0 {
		t.Errorf("a worker could %q (%v)", could, err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", mustDo(t, p, "pid")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"NoNewPrivs:\t1\n", "Seccomp:\t2\n"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
}

// TestOutlivesThread: a worker outlives the thread of the call that it was started for, and
// does not have its priority.
func TestOutlivesThread(t *testing.T) {
	p := newPool(t, Options{})
	var first string
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // it ends with this goroutine
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 7)
		first = mustDo(t, p, "pid")
	}()
	<-ended
	if nice, err := unix.Getpriority(unix.PRIO_PROCESS, number(t, first)); err != nil || 20-nice == 7 {
		t.Errorf("the worker has the priority %d (%v)", 20-nice, err)
	}
	for range 20 { // the thread ends some time after the goroutine
		if again := mustDo(t, p, "pid"); again != first {
			t.Fatalf("the worker %s was replaced by %s", first, again)
		}
		runtime.Gosched()
	}
}
