package main

import (
	"io/fs"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// idleMemory is what the server needs besides the pages that it reads.
	idleMemory = 64 << 20
	// ordinaryLimit is where the garbage collector becomes frugal when no control
	// group says how much memory there is.
	ordinaryLimit = 512 << 20
	// collectAt is GOGC. A call allocates much, and little of it lives longer than the call.
	collectAt = 200
	// muchMemory is enough for calls that all go on at the same time.
	muchMemory = 2 << 30
)

// limitMemory sets the limits of a process' memory: it tells the garbage collector
// to stay below 80 % of what the control group allows, and returns how many bytes
// the pages that are parsed at a time may need, 0 for no limit. GOMEMLIMIT and GOGC
// of the environment win. Commands and MCP on stdio have the limits of a server; a
// program that uses the library keeps its own, which are for all of it.
func limitMemory(system fs.FS) (forPages int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	limit := groupLimit(system)
	if limit == 0 {
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(ordinaryLimit)
		}
		return totalMemory(system) / 2
	}
	limit = limit / 5 * 4
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
	return max(limit-idleMemory, limit/4)
}

// moreThreads lets a server run more threads at a time where there is much memory.
func moreThreads(system fs.FS) {
	if limit := groupLimit(system); limit == 0 || limit >= muchMemory {
		runtime.GOMAXPROCS(moreProcessors(runtime.GOMAXPROCS(0), runtime.NumCPU()))
	}
}

// moreProcessors is GOMAXPROCS for a server on a machine with few processors. Go lets a
// call wait ten milliseconds behind each page that is parsed on its processor; the
// kernel lets it go first (decision 26). What the environment or a control group sets stays.
func moreProcessors(now, machine int) int {
	if os.Getenv("GOMAXPROCS") != "" || now != machine {
		return now
	}
	return max(now, min(2*now, 8)) // more of them hold more memory
}

// groupLimit is the least memory that the process' control group and those above it
// allow (cgroups(7): version 2, then version 1); 0 when none sets a limit.
func groupLimit(system fs.FS) (least int64) {
	lines, err := fs.ReadFile(system, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(lines)) {
		// "0::/user.slice" is version 2, "7:memory:/docker/1f" version 1.
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		root, name := "sys/fs/cgroup", "memory.max"
		switch {
		case controllers == "":
		case strings.Contains(","+controllers+",", ",memory,"):
			root, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for dir := path.Join(root, group); ; dir = path.Dir(dir) {
			if !strings.HasPrefix(dir, root) {
				break
			}
			data, _ := fs.ReadFile(system, path.Join(dir, name))
			// Version 1 says "no limit" with a number near 2^63.
			n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
			if err == nil && n > 0 && n < 1<<60 && (least == 0 || n < least) {
				least = n
			}
			if dir == root {
				break
			}
		}
	}
	return least
}

// totalMemory is the memory of the machine in bytes, 0 when it is not known.
func totalMemory(system fs.FS) int64 {
	data, _ := fs.ReadFile(system, "proc/meminfo")
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
