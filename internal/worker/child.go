package worker

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// A process is a worker when it has this argument and this variable: neither
// comes about by accident, and one without the other is nothing.
const (
	argument = "spyhop-document-worker"
	variable = "SPYHOP_DOCUMENT_WORKER"
)

// collectAt has the collector run when the heap has grown to five times of what was in use.
// A worker's heap is small, so that the usual double would collect every few milliseconds;
// the memory limit keeps it small.
const collectAt = 400

// exitProtocol is the status of a worker that was asked for something else.
const exitProtocol = 70

// Serve turns this process into a worker when a [Pool] has started it, and then
// does not return; else it returns at once. service names the requests and
// replies that serve knows, with their version; the pool wants the same name.
//
// The process gives up its rights before it reads a byte of a request. It does
// so itself, at its start, and not before exec: a Go program cannot run code
// between fork and exec, and this program is trusted until it reads a document.
func Serve(service string, serve func(request []byte) (reply []byte)) {
	if len(os.Args) != 2 || os.Args[1] != argument || os.Getenv(variable) == "" {
		return
	}
	memory, err := strconv.ParseInt(os.Getenv(variable), 10, 64)
	if err != nil || memory <= 0 {
		return
	}
	in, out := os.Stdin, os.Stdout
	os.Stdout = os.Stderr // what a dependency prints is not a frame
	debug.SetGCPercent(collectAt)
	debug.SetMemoryLimit(memory * 3 / 4)
	held := confine(memory)
	if err := writeFrame(out, frameHello, []byte(protocol), []byte(service), []byte("\n"), []byte(strings.Join(held, ","))); err != nil {
		os.Exit(exitProtocol)
	}
	for {
		kind, request, err := readFrame(in, maxRequest, frameAsk, frameProbe)
		if err == io.EOF {
			os.Exit(0) // the pool is done with it
		}
		if err != nil || kind == frameAsk && len(request) < 8 {
			os.Exit(exitProtocol)
		}
		var reply []byte
		if kind == frameProbe {
			reply = []byte(strings.Join(probe(), "\n"))
		} else {
			// The pool ends a worker in time; this one ends itself where the pool
			// is gone and the system does not end children with their parent.
			left := time.Duration(binary.BigEndian.Uint64(request)) * time.Millisecond
			timer := time.AfterFunc(left+time.Second, func() { os.Exit(exitProtocol) })
			reply = serve(request[8:])
			timer.Stop()
		}
		if err := writeFrame(out, frameReply, reply); err != nil {
			os.Exit(exitProtocol)
		}
	}
}

// probe tries what a worker may not do, and names what it could do all the same.
func probe() (could []string) {
	if f, err := os.Open(os.Args[0]); err == nil {
		_ = f.Close()
		could = append(could, "read a file")
	}
	if f, err := os.CreateTemp("", "spyhop-probe-*"); err == nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		could = append(could, "write a file")
	}
	if err := openSocket(); err == nil {
		could = append(could, "open a socket")
	}
	if len(inherited()) > 0 {
		could = append(could, "use what its parent has open")
	}
	// A fork that the system allows fails later, at the file that is not there.
	if _, err := os.StartProcess("/spyhop-probe", []string{"spyhop-probe"}, &os.ProcAttr{}); errors.Is(err, os.ErrNotExist) {
		could = append(could, "start a process")
	}
	return could
}
