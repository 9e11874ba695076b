package corpus

import (
	"runtime"
	"sync"
)

// Parallel calls f with 0 to n-1, on as many goroutines as there are processors, and waits.
func Parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
