package browser

import (
	"os"
	"strconv"
	"strings"
)

// Memory is how many bytes of memory the processes of the browser have for
// themselves, without what they share with files and each other; 0 when none runs or
// the system has no /proc.
func (b *Browser) Memory() int64 {
	b.mu.Lock()
	e := b.engine
	b.mu.Unlock()
	if e == nil || !e.alive() {
		return 0
	}
	if e.isTheirs() {
		return 0
	}
	return privateMemory(e.process.cmd.Process.Pid)
}

// privateMemory sums the memory of a process and of those that it has started.
func privateMemory(root int) (sum int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	children := make(map[int][]int)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		// "pid (name) state parent …": the name can have spaces and parentheses.
		if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 1 {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	for all := []int{root}; len(all) > 0; {
		pid := all[0]
		all = append(all[1:], children[pid]...)
		statm, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		if f := strings.Fields(string(statm)); len(f) > 2 {
			resident, _ := strconv.ParseInt(f[1], 10, 64)
			shared, _ := strconv.ParseInt(f[2], 10, 64)
			sum += (resident - shared) * int64(os.Getpagesize())
		}
	}
	return sum
}
