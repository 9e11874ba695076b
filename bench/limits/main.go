// Command limits measures what it costs to read documents: processor time and
// memory against size, for ordinary and hostile shapes of every format.
//
//	go run ./limits [--only WORDS] [--sizes 10,100,1000]
//
// Each document is read in this process, without a worker. Processor time is that
// of the process, with the garbage collector's; memory is the most that the heap
// held beyond what it held before. A shape whose last step costs more than 5 s or
// 200 MB is marked.
package main

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/shapes"
)

func main() {
	only := flag.String("only", "", "measure the shapes whose media type and name contain this")
	sizes := flag.String("sizes", "10,100,1000,5000", "sizes in KB; a shape that took more than 20 s is not made larger")
	flag.Parse()
	fmt.Printf("%-9s %-34s", "", "KB")
	for s := range strings.SplitSeq(*sizes, ",") {
		fmt.Printf(" %15s", s)
	}
	fmt.Println()
	for _, s := range shapes.All() {
		format := s.MediaType[strings.LastIndexAny(s.MediaType, "/.")+1:]
		if !strings.Contains(s.MediaType+" "+s.Name, *only) {
			continue
		}
		fmt.Printf("%-9.9s %-34.34s", format, s.Name)
		var cpu time.Duration
		var memory int64
		for size := range strings.SplitSeq(*sizes, ",") {
			kb, err := strconv.Atoi(size)
			if err != nil {
				panic(err)
			}
			if cpu > 20*time.Second {
				break
			}
			cpu, memory = measure(s, kb<<10)
			fmt.Printf(" %6.2f s %4d MB", cpu.Seconds(), memory>>20)
		}
		if cpu > 5*time.Second || memory > 200<<20 {
			fmt.Print(" !")
		}
		fmt.Println()
	}
}

func measure(s shapes.Shape, size int) (cpu time.Duration, memory int64) {
	body := s.Make(size)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := int64(m.HeapInuse)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			runtime.ReadMemStats(&m)
			memory = max(memory, int64(m.HeapInuse)-before)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	start := used()
	_, _ = extract.Document(body, s.MediaType, extract.Options{URL: "https://example.com/"})
	cpu = used() - start
	close(done)
	watching.Wait()
	return cpu, memory
}

func used() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
