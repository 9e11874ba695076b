// Package leftover removes what a benchmark would leave behind when it is interrupted: its
// temporary folder, and the programs that it has started.
package leftover

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

var (
	mu      sync.Mutex
	started []*os.Process
)

// Folder makes a temporary folder. The caller removes it with remove; an interrupt and
// SIGTERM remove it too, after all programs of [Start] have been killed.
func Folder(pattern string) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ends
		mu.Lock() // for good: nothing is started any more
		for _, p := range started {
			_ = p.Kill() // of one that has been waited for, an error
			_, _ = p.Wait()
		}
		remove()
		os.Exit(130)
	}()
	return dir, remove, nil
}

// Start starts a command, which is killed when this process is interrupted.
func Start(cmd *exec.Cmd) error {
	mu.Lock()
	defer mu.Unlock()
	err := cmd.Start()
	if err == nil {
		started = append(started, cmd.Process)
	}
	return err
}
