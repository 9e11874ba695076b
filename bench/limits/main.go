// Command limits measures what it costs to read documents: processor time and
// memory against size, for ordinary and hostile shapes of every format.
//
//	go run ./limits [--only WORDS] [--sizes 10,100,1000] [--ways extract,markdown]
//
// Each document is read in a process of its own, without a worker. The way "extract" is
// extraction alone; "deadline" is extraction that is to end after a second (or --deadline),
// and prints how much later it ended and what processor time it took from then on. All
// other ways are calls of the library with that mode or argument, with the pages stored and
// indexed for recall; the way "late" is a call with a deadline. "serve" and "serve-late" are
// the same over HTTP with the program, of which they start one for each document;
// "serve:query" and "serve-late:query" are other calls than web_fetch with an address;
// "stdio" and "stdio-late" are over "spyhop mcp", and "command" is "spyhop fetch".
// --crowd 50 reads all shapes through one server, 50 at a time, by two callers (crowd.go).
// These ways also meet answers that are hostile in how they are sent (answers.go).
//
// Processor time is that of the process, with the garbage collector's; memory is the most
// that the process held beyond what it held when it was idle, the document included. A row
// whose last step costs more than 5 s or 200 MB, or ends more than a second after its
// deadline, is marked. A call that asks for several documents may take 5 s for each; how many
// it asked for stands behind its figures.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/bench/internal/leftover"
	"github.com/spyhop-dev/spyhop/bench/internal/shapes"
)

func main() {
	spyhop.RunWorker()
	only := flag.String("only", "", "measure the shapes whose media type and name contain this, or one of these, separated by |")
	sizes := flag.String("sizes", "10,100,1000,10000", "sizes in KB; a shape that took more than 20 s is not made larger")
	wanted := flag.String("ways", "extract", "ways to read a document, or all: extract, deadline, command, stdio, stdio-late, serve, serve-late, "+strings.Join(wayNames(), ", ")+
		"; serve:CALL and serve-late:CALL, where CALL is "+strings.Join(overHTTPNames(), ", "))
	program := flag.String("spyhop", "../bin/spyhop", "the program, for the ways serve and serve-late")
	least := flag.Bool("marked", false, "print only the rows that are marked")
	one := flag.String("one", "", "used by the program itself: reads the document on stdin in this way")
	mediaType := flag.String("type", "", "used by the program itself: the media type of that document")
	many := flag.Int("crowd", 0, "instead: read all shapes, of the first of the sizes, through one server by two callers, so many at a time")
	flag.DurationVar(&deadline, "deadline", deadline, "of the ways deadline, late and serve-late")
	flag.Parse()
	if *one != "" {
		alone(*one, *mediaType, flag.Arg(0))
		return
	}
	var kilobytes []int
	for size := range strings.SplitSeq(*sizes, ",") {
		kb, err := strconv.Atoi(size)
		if err != nil {
			fmt.Fprintln(os.Stderr, "limits: a size is a number of KB:", size)
			os.Exit(2)
		}
		kilobytes = append(kilobytes, kb)
	}
	dir, remove, err := leftover.Folder("limits-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir) // of the processes that are started, and that may be killed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "limits:", err)
		os.Exit(1)
	}
	defer remove()
	if *wanted == "all" {
		*wanted = "extract,deadline,command,stdio,stdio-late,serve,serve-late," + strings.Join(wayNames(), ",")
	}
	chosen := func(name string) bool {
		return slices.ContainsFunc(strings.Split(*only, "|"), func(words string) bool { return strings.Contains(name, words) })
	}
	if *many > 0 {
		if err := crowd(*program, chosen, kilobytes[0]<<10, *many); err != nil {
			fmt.Fprintln(os.Stderr, "limits:", err)
			remove()
			os.Exit(1)
		}
		return
	}
	for way := range strings.SplitSeq(*wanted, ",") {
		fmt.Printf("%s\n%-9s %-38s", way, "", "KB")
		for _, kb := range kilobytes {
			fmt.Printf(" %15d", kb)
		}
		fmt.Println()
		kind, call, named := strings.Cut(way, ":")
		if !named {
			call = "fetch"
		}
		start, late := startServer, strings.HasSuffix(kind, "-late")
		overHTTP := slices.Contains([]string{"serve", "serve-late", "stdio", "stdio-late", "command"}, kind)
		if strings.HasPrefix(kind, "stdio") {
			start, call = startStdio, "mcp"
		}
		read := func(site http.HandlerFunc, mediaType string) (cost, error) {
			if kind == "command" {
				return commanded(*program, site)
			}
			return served(start, *program, site, mediaType, call, late)
		}
		for _, s := range shapes.All() {
			if chosen(s.MediaType + " " + s.Name) {
				format := s.MediaType[strings.LastIndexAny(s.MediaType, "/.")+1:]
				measure(format, s.Name, kilobytes, *least, kind, func(bytes int) (cost, error) {
					if overHTTP {
						return read(documentOf(s.MediaType, s.Make(bytes)), s.MediaType)
					}
					return fresh(s.Make(bytes), s.MediaType, way)
				})
			}
		}
		for _, a := range answers() {
			if overHTTP && chosen("answer "+a.name) {
				measure("answer", a.name, kilobytes, *least, kind, func(bytes int) (cost, error) {
					return read(a.make(bytes), "text/html")
				})
			}
		}
	}
}

// measure prints a row.
func measure(format, name string, sizes []int, least bool, kind string, read func(bytes int) (cost, error)) {
	row := fmt.Sprintf("%-9.9s %-38.38s", format, name)
	var c cost
	for _, kb := range sizes {
		if c.CPU > 20*time.Second {
			break
		}
		var err error
		if c, err = read(kb << 10); err != nil {
			row += " " + err.Error()
			c.CPU = time.Hour
			break
		}
		if kind == "deadline" || strings.HasSuffix(kind, "late") {
			row += fmt.Sprintf(" %+6.2f s %4.1f s", c.Late.Seconds(), c.After.Seconds())
		} else {
			row += fmt.Sprintf(" %6.2f s %4d MB", c.CPU.Seconds(), c.Memory>>20)
		}
	}
	if c.Asked > 1 {
		row += fmt.Sprintf(" for %d", c.Asked)
	}
	marked := c.CPU > 5*time.Second*time.Duration(max(c.Asked, 1)) || c.Memory > 200<<20 || c.Late > time.Second || c.After > time.Second
	if marked {
		row += " !"
	}
	if marked || !least {
		fmt.Println(row)
	}
}
