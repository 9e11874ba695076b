package worker

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

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
