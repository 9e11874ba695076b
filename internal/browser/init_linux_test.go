package browser

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// asInitWord has the test's program be the init of a namespace, or the program
// that this init runs.
const asInitWord = "SPYHOP_TEST_INIT"

// orphans leaves three processes without a parent, waits until they have ended,
// and prints the zombies that are left in this namespace.
const orphans = `for i in 1 2 3; do sh -c 'sleep 0.2 & :' ; done
sleep 0.6
mount -t proc proc /proc 2>/dev/null
grep -l "^State:.Z" /proc/[0-9]*/status | wc -l`

// TestInit: as process 1 the program waits for the processes that others leave
// behind, passes signals on, and has the exit status of what it runs.
func TestInit(t *testing.T) {
	switch os.Getenv(asInitWord) {
	case "":
	case "plain": // process 1 does the work itself, as it would without AsInit
		runOrphans()
	default:
		if exit, done := AsInit(); done {
			os.Exit(exit)
		}
		runOrphans()
	}
	for _, c := range []struct{ mode, want string }{{"init", "0"}, {"plain", "3"}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInit$")
		cmd.Env = append(os.Environ(), asInitWord+"="+c.mode)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Skip("this kernel gives no process namespace: ", err)
		}
		_ = cmd.Wait()
		if exit := cmd.ProcessState.ExitCode(); exit != 7 || strings.TrimSpace(out.String()) != c.want {
			t.Errorf("%s: exit status %d, zombies %q; want 7, %s", c.mode, exit, out.String(), c.want)
		}
	}
}

func runOrphans() {
	cmd := exec.Command("sh", "-c", orphans)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	_ = cmd.Run()
	os.Exit(7)
}
