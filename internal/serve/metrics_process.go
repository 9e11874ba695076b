package serve

import (
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// The figures of the process, under the names that Prometheus' own client library
// uses, so that ordinary dashboards show them. What /proc does not say is left out.

// clockTick is USER_HZ, the unit of processor time in /proc; it is 100 on every
// architecture that Go supports.
const clockTick = 100

func (e *exposition) process(started time.Time) {
	e.family("go_info", "gauge", "The version of Go, as a label.")
	e.sample("go_info", "version", runtime.Version(), "1")
	for _, m := range []struct{ name, kind, help, source string }{
		{"go_goroutines", "gauge", "Goroutines that exist now.", "/sched/goroutines:goroutines"},
		{"go_sched_gomaxprocs_threads", "gauge", "Processors that Go uses at a time.", "/sched/gomaxprocs:threads"},
		{"go_gc_gomemlimit_bytes", "gauge", "Memory that the garbage collector tries to stay below.", "/gc/gomemlimit:bytes"},
		{"go_memstats_heap_alloc_bytes", "gauge", "Memory of objects, those included that are not collected yet.", "/memory/classes/heap/objects:bytes"},
		{"go_memstats_sys_bytes", "gauge", "Memory that Go has from the system.", "/memory/classes/total:bytes"},
		{"go_memstats_alloc_bytes_total", "counter", "Memory that was allocated so far.", "/gc/heap/allocs:bytes"},
		{"go_gc_cycles_total", "counter", "Garbage collections so far.", "/gc/cycles/total:gc-cycles"},
	} {
		sample := []metrics.Sample{{Name: m.source}}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			e.family(m.name, m.kind, m.help)
			e.sample(m.name, "", "", strconv.FormatUint(sample[0].Value.Uint64(), 10))
		}
	}

	e.number("process_start_time_seconds", "gauge", "When the server started, in seconds since 1970.", float64(started.Unix()))
	// proc_pid_stat(5): the numbers count from 1, and the second one is a name in
	// parentheses, which can have spaces.
	stat, _ := os.ReadFile("/proc/self/stat")
	if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 21 {
		number := func(i int) float64 { n, _ := strconv.ParseFloat(f[i-3], 64); return n }
		e.number("process_cpu_seconds_total", "counter", "Processor time of the process.", (number(14)+number(15))/clockTick)
		e.number("process_resident_memory_bytes", "gauge", "Memory of the process that is in use.", number(24)*float64(os.Getpagesize()))
	}
	if all, err := os.ReadDir("/proc/self/fd"); err == nil {
		e.gauge("process_open_fds", "Files and sockets that the process has open.", max(int64(len(all))-1, 0)) // without the one that lists them
	}
}

func (e *exposition) number(name, kind, help string, value float64) {
	e.family(name, kind, help)
	e.sample(name, "", "", strconv.FormatFloat(value, 'f', -1, 64))
}
