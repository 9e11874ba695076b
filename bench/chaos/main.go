// Command chaos puts faults and unfair loads on "spyhop serve", and prints a table of what
// happened beside what is to be reached:
//
//	go run ./chaos --spyhop ../bin/spyhop [--scale .2] [--only text]
//	go run ./chaos --spyhop ../bin/spyhop --soak 45m
//	go run ./chaos --spyhop ../bin/spyhop-race --mix 5m
//
// The sites that it reads are its own, on loopback, and some are slow. --scale makes
// every load shorter by a factor; figures of runs with the same scale can be compared.
// The command uses the same processors as the server, and a busy machine makes every time
// longer: each row that compares times measures the time without the load in the same run.
// It ends only processes that it has started.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/leftover"
)

// row is a line of the table.
type row struct {
	name  string
	reach string
	run   func(*world) (got string, ok bool, err error)
}

func main() {
	program := flag.String("spyhop", "../bin/spyhop", "path of the program")
	scale := flag.Float64("scale", 1, "factor for the length of every load")
	only := flag.String("only", "", "run the rows whose name contains this")
	soak := flag.Duration("soak", 0, "instead of the table, let sessions come and go for this long")
	vanish := flag.Bool("vanish", false, "with --soak, do not end half of the sessions")
	mix := flag.Duration("mix", 0, "instead of the table, let every part work at the same time for this long, and count the reports of the race detector")
	constant := flag.Bool("bare", false, "answer every request with a constant (the command starts itself so)")
	busy := flag.Float64("spin", 0, "keep so many processors busy (the command starts itself so)")
	flag.Parse()
	if *busy > 0 {
		spin(*busy)
	}
	if *constant {
		if err := bare(); err != nil {
			fmt.Fprintln(os.Stderr, "chaos:", err)
			os.Exit(1)
		}
	}
	if err := run(&world{program: *program, scale: *scale, vanish: *vanish}, *only, *soak, *mix); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

func run(w *world, only string, soak, mix time.Duration) error {
	dir, remove, err := leftover.Folder("spyhop-chaos-")
	if err != nil {
		return err
	}
	defer remove()
	w.dir = dir
	if err := w.sites(); err != nil {
		return err
	}
	fmt.Printf("%d processors, load %s, scale %g\n\n", runtime.NumCPU(), loadAverage(), w.scale)
	if soak > 0 {
		return w.soak(soak)
	}
	if mix > 0 {
		return w.mix(mix)
	}
	failed, none := 0, true
	fmt.Printf("| load or fault | measured | reach | |\n|---|---|---|---|\n")
	for _, r := range rows() {
		if !strings.Contains(r.name, only) {
			continue
		}
		none = false
		got, ok, err := r.run(w)
		mark := "ok"
		switch {
		case err != nil:
			got, mark = err.Error(), "not run"
			failed++
		case !ok:
			mark = "falls short"
			failed++
		}
		fmt.Printf("| %s | %s | %s | %s |\n", r.name, got, r.reach, mark)
	}
	if none {
		return fmt.Errorf("no row has %q in its name", only)
	}
	if failed > 0 {
		return fmt.Errorf("%d rows fall short or were not run", failed)
	}
	return nil
}

func loadAverage() string {
	data, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(data), " ")
	return first
}
