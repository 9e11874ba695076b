package admission

import "syscall"

// lowNice is by how much the priority of low work is lower: it gets about a tenth of a processor that other
// threads of the program want, and all of one that they do not want. Beside a flood of
// pages of 5 MB, others' cached pages took 16.7 ms (p99; 29.7 without, 12.6 without a
// flood, on a busy machine); with SCHED_IDLE, which gets almost nothing beside others, 22.3.
// The collector stops all threads for a moment and waits for this one, too: where other
// programs keep every processor busy, that wait is longer than at the usual priority.
const lowNice = 10

// lowerPriority lowers the priority of the calling thread: on Linux, nice values belong to
// threads (sched(7)), and the system cuts them off at 19. One that forbids it goes on as before.
func lowerPriority() {
	if raw, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 20-raw+lowNice) // getpriority(2) returns 20 less the nice value
	}
}
