package main

import (
	"io"
	"log"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/spyhop-dev/spyhop"
)

func TestLimitMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	const mb = 1 << 20
	for _, c := range []struct {
		name   string
		files  map[string]string
		pages  int64
		memory int64
	}{
		{"nothing is known", nil, 0, 512 * mb},
		{"no limit", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n", "proc/meminfo": "MemTotal:  4194304 kB\n"}, 2048 * mb, 512 * mb},
		{"version 2, in a container", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "419430400\n"}, 256 * mb, 320 * mb},
		{"the slice above is tighter", map[string]string{"proc/self/cgroup": "0::/system.slice/spyhop.service\n",
			"sys/fs/cgroup/system.slice/memory.max": "419430400\n", "sys/fs/cgroup/system.slice/spyhop.service/memory.max": "1073741824\n"}, 256 * mb, 320 * mb},
		{"version 1", map[string]string{"proc/self/cgroup": "9:cpu,cpuacct:/x\n7:memory:/docker/1f\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/docker/1f/memory.limit_in_bytes": "419430400\n"}, 256 * mb, 320 * mb},
		{"hardly any", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "52428800\n"}, 10 * mb, 40 * mb},
		{"a path that leads out", map[string]string{"proc/self/cgroup": "0::/../../etc\n", "etc/memory.max": "1\n"}, 0, 512 * mb},
	} {
		system := fstest.MapFS{}
		for name, data := range c.files {
			system[name] = &fstest.MapFile{Data: []byte(data)}
		}
		pages := limitMemory(system)
		if memory := debug.SetMemoryLimit(-1); pages != c.pages || memory != c.memory {
			t.Errorf("%s: %d MB for pages, memory limit %d MB; want %d and %d", c.name, pages/mb, memory/mb, c.pages/mb, c.memory/mb)
		}
	}
}

func TestMoreProcessors(t *testing.T) {
	for _, c := range []struct {
		name               string
		set                string
		now, machine, want int
	}{
		{"one", "", 1, 1, 2}, {"few", "", 2, 2, 4}, {"some", "", 6, 6, 8}, {"many", "", 16, 16, 16}, {"a control group allows two of sixteen", "", 2, 16, 2}, {"the environment says two", "2", 2, 2, 2},
	} {
		t.Setenv("GOMAXPROCS", c.set)
		if got := moreProcessors(c.now, c.machine); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestLimitsOfClients: commands and MCP on stdio have a memory limit too, and nothing that
// servers send reaches stderr by way of net/http's log.
func TestLimitsOfClients(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	defer log.SetOutput(log.Writer())
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	client, err := new(session).clientOf(spyhop.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if limit := debug.SetMemoryLimit(-1); limit == math.MaxInt64 {
		t.Error("no memory limit")
	}
	if log.Writer() != io.Discard {
		t.Error("net/http logs what servers send")
	}
}
