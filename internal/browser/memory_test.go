package browser

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// TestMemory: the memory of a process counts, and that of the processes it started.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	own := privateMemory(os.Getpid())
	if own < 1<<20 {
		t.Fatalf("this process has %d bytes", own)
	}
	child := exec.Command("cat") // until its input ends
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	alone := privateMemory(child.Process.Pid)
	_ = in.Close()
	_ = child.Wait()
	if gone := privateMemory(child.Process.Pid); alone <= 0 || gone != 0 {
		t.Errorf("a child has %d bytes, %d after its end", alone, gone)
	}
	if b := new(Browser); b.Memory() != 0 {
		t.Error("a browser that does not run has memory")
	}
}
