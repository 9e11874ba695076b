package audit

import (
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullEnv makes the test binary a process that may write only so many bytes to a file.
const fullEnv = "SPYHOP_TEST_FULL"

// TestFullDisk: a line that does not fit is absent, and lines that come when the disk
// has room again are whole. The limit of a process for its files stands for the disk.
func TestFullDisk(t *testing.T) {
	if path := os.Getenv(fullEnv); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		const room = 5000 // not a multiple of a line
		set := func(n uint64) {
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: 1 << 30}); err != nil {
				t.Fatal(err)
			}
		}
		set(room)
		file, err := OpenFile(path, FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		log := New(Options{File: file})
		for range 100 {
			log.Record(Event{Kind: Call, Tool: "before"})
		}
		lost := log.Metrics().FileErrors
		if lost == 0 || lost == 100 {
			t.Fatalf("%d lines were lost", lost)
		}
		set(1 << 30)
		log.Record(Event{Kind: Call, Tool: "after"})
		if log.Metrics().FileErrors != lost {
			t.Error("the line after it was lost")
		}
		return
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), fullEnv+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]int{}
	for line := range strings.Lines(string(data)) {
		var e Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		tools[e.Tool]++
	}
	if tools["before"] < 10 || tools["after"] != 1 {
		t.Errorf("%v", tools)
	}
}
