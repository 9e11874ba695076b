package main

import (
	"io/fs"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

const (
	// idleMemory is what the server needs besides the pages that it reads.
	idleMemory = 64 << 20
	// ordinaryLimit is where the garbage collector becomes frugal when no control
	// group says how much memory there is.
	ordinaryLimit = 512 << 20
	// lazyCollection is GOGC of a process whose heap is small, and mostGarbage how much may
	// gather beside a heap that is not: a large page would else take five times what it needs.
	lazyCollection = 400
	mostGarbage    = 64 << 20
	// leastCollection is GOGC below which collecting would cost more than the pages.
	leastCollection = 50
	// pageMemory is what a large page may take before garbage is collected more often, and
	// furtherPage what each further one may; idleHeap is what the runtime and the heap of a
	// server take that does nothing.
	pageMemory, furtherPage, idleHeap = 136 << 20, 32 << 20, 24 << 20
	// muchMemory is enough for calls that all go on at the same time.
	muchMemory = 2 << 30
)

// limitMemory sets the limits of a process' memory: it tells the garbage collector
// to stay below 80 % of what the control group allows, and returns how many bytes
// the pages that are parsed at a time may need, 0 for no limit. GOMEMLIMIT and GOGC
// of the environment win. Commands and MCP on stdio have the limits of a server; a
// program that uses the library keeps its own, which are for all of it.
//
// Garbage is collected less often than by default: a call allocates much, and little
// of it lives longer than the call. With GOGC=400 instead of 100, a call of web_fetch
// took a fifth less processor time and 15 MB more memory. While much of the heap lives,
// garbage is collected more often, see [collection].
func limitMemory(system fs.FS) (forPages int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(lazyCollection)
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

// adjustCollection sets GOGC and the memory limit after each collection to what the heap and
// the callers then ask for, see [collection] and [memoryFor], unless the environment sets
// them. load returns how many large pages are parsed, and whether several callers make calls.
func adjustCollection(load func() (pages int, shared bool)) {
	setPercent, setLimit := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	if !setPercent && !setLimit {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	most := debug.SetMemoryLimit(-1)
	percent, limit := lazyCollection, most
	afterCollections(func() {
		metrics.Read(live)
		if live[0].Value.Kind() != metrics.KindUint64 {
			return
		}
		pages, shared := load()
		if next := collection(live[0].Value.Uint64(), shared); setPercent && next != percent {
			percent = next
			debug.SetGCPercent(next)
		}
		if next := memoryFor(pages, live[0].Value.Uint64(), shared, most); setLimit && next != limit {
			limit = next
			debug.SetMemoryLimit(next)
		}
	})
}

// collection is GOGC for a heap of which so many bytes live, in steps of 25. While several
// callers make calls, garbage is collected as seldom as in a small heap, up to the memory
// limit: each collection beside a large page stops the calls of all for milliseconds.
func collection(live uint64, shared bool) int {
	if shared {
		return lazyCollection
	}
	percent := int(min(mostGarbage*100/max(live, 1), lazyCollection))
	return max(percent/25*25, leastCollection)
}

// memoryFor is the memory limit while so many large pages are parsed and so many bytes live: a
// eighth more than lives at least (further pages are often small, or are stored), and at most most, which it is while several callers make
// calls. GOGC follows what lives only from one collection to the next: a page whose second
// form is twice as large as its first one took 60 MB more than with this limit.
func memoryFor(pages int, live uint64, shared bool, most int64) int64 {
	if shared {
		return most
	}
	return min(max(idleHeap+pageMemory+int64(max(pages-1, 0))*furtherPage, int64(live+live/8)), most)
}

// afterCollections calls f after each collection of garbage, in the goroutine of finalizers:
// the runtime has no other way to tell.
func afterCollections(f func()) {
	type garbage struct{ _ *byte } // a pointer: without one, objects share their memory
	var again func(*garbage)
	again = func(g *garbage) {
		f()
		runtime.SetFinalizer(g, again)
	}
	runtime.SetFinalizer(new(garbage), again)
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
