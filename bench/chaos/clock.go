package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The row of jumping clocks runs the program with a wall clock that this command sets:
// go build -overlay puts a function between time.Now and the kernel. Nothing else of the
// program differs. A library between program and system, as libfaketime, does not see how
// a Go program asks for the time.

const (
	clockStub = `//go:build !faketime

package runtime

import (
	"internal/runtime/atomic"
	_ "unsafe"
)

//go:linkname clockJump
var clockJump int64 // seconds

func kernelNow() (sec int64, nsec int32, mono int64)

//go:linkname time_now time.now
func time_now() (sec int64, nsec int32, mono int64) {
	sec, nsec, mono = kernelNow()
	return sec + atomic.Loadint64(&clockJump), nsec, mono
}
`
	clockReader = `package main

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	_ "unsafe"
)

//go:linkname clockJump runtime.clockJump
var clockJump int64

func init() {
	go func() {
		for file := os.Getenv("SPYHOP_CLOCK"); file != ""; time.Sleep(10 * time.Millisecond) {
			data, _ := os.ReadFile(file)
			if n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil {
				atomic.StoreInt64(&clockJump, n)
			}
		}
	}()
}
`
)

// clockProgram builds the program with a clock that jumps, and returns its path.
func clockProgram(w *world) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	kernel := filepath.Join(strings.TrimSpace(string(root)), "src/runtime/time_linux_amd64.s")
	asm, err := os.ReadFile(kernel)
	if err != nil {
		return "", err
	}
	tree, err := w.tree()
	if err != nil {
		return "", err
	}
	dir := w.folder()
	replace := map[string]string{}
	for path, text := range map[string]string{
		kernel: strings.ReplaceAll(string(asm), "time·now<", "·kernelNow<"),
		filepath.Join(filepath.Dir(kernel), "timeasm.go"): clockStub,
		filepath.Join(tree, "cmd/spyhop/clock_jumps.go"):  clockReader,
	} {
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "spyhop")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-overlay", file, "-o", program, "./cmd/spyhop")
	build.Dir, build.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program with a clock that jumps cannot be built: %w: %.500s", err, said)
	}
	return program, nil
}

// clocks lets the wall clock jump under load: two hours on, a day back, and to what it
// should be.
func clocks(w *world) (string, bool, error) {
	program, err := clockProgram(w)
	if err != nil {
		return "", false, err
	}
	clock := filepath.Join(w.folder(), "clock")
	jump := func(seconds int) error {
		if err := os.WriteFile(clock+".new", []byte(fmt.Sprint(seconds)), 0o600); err != nil {
			return err
		}
		return os.Rename(clock+".new", clock)
	}
	s, err := w.serve("", nil, func(c *exec.Cmd) { c.Path, c.Args[0] = program, program }, "SPYHOP_CLOCK="+clock)
	if err != nil {
		return "", false, err
	}
	defer s.stop()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var calls, failed atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				url := w.fast + "/cached"
				if n%2 == 1 {
					url = fmt.Sprint(w.fast, "/clock", i, "/", n)
				}
				status, _, err := s.fetch(ctx, "", url, "")
				if ctx.Err() != nil {
					return
				}
				calls.Add(1)
				if err != nil || status != 200 {
					failed.Add(1)
				}
				wait(ctx, 10*time.Millisecond)
			}
		})
	}
	seen := func() string { // the hour that the server shows
		res, err := s.client.Get(s.url + "/healthz")
		if err != nil {
			return ""
		}
		defer res.Body.Close()
		at, _ := time.Parse(time.RFC1123, res.Header.Get("Date"))
		return time.Until(at).Round(time.Hour).String()
	}
	var shown, back []string
	ok := true
	for _, seconds := range []int{2 * 3600, -24 * 3600, 0} {
		wait(ctx, w.long(3*time.Second))
		if err := jump(seconds); err != nil {
			return "", false, err
		}
		want, off := (time.Duration(seconds) * time.Second).String(), seen()
		for begin := time.Now(); off != want && time.Since(begin) < 5*time.Second; off = seen() {
			wait(ctx, 5*time.Millisecond)
		}
		took := s.back("")
		shown, back = append(shown, off), append(back, took.Round(time.Millisecond).String())
		ok = ok && took <= 5*time.Second
	}
	wait(ctx, w.long(3*time.Second))
	end()
	all.Wait()
	return fmt.Sprintf("%d calls, %d failed; the server's clock was off by %s; stores and answers after %s", calls.Load(), failed.Load(), strings.Join(shown, ", "), strings.Join(back, ", ")),
		ok && failed.Load() == 0 && strings.Join(shown, " ") == "2h0m0s -24h0m0s 0s", nil
}
