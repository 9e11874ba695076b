package worker

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
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

// limited is the end of the variable's value in a process that was started with its rights
// taken already.
const limited = " limited"

// becoming is that end in a process that is to become another program; see [Pool.Run].
const becoming = " becoming"

// environment is all that a worker has: how much memory it may hold, and how its collector
// keeps within that. A worker's heap is small, so that the usual double would collect every
// few milliseconds.
func environment(memory int64, suffix string) []string {
	n := strconv.FormatInt(memory, 10)
	return []string{variable + "=" + n + suffix, "GOGC=400", "GOMEMLIMIT=" + strconv.FormatInt(memory*3/4, 10)}
}

// exitProtocol is the status of a worker that was asked for something else.
const exitProtocol = 70

// Serve turns this process into a worker when a [Pool] has started it, and then
// does not return; else it returns at once. service names the requests and
// replies that serve knows, with their version; the pool wants the same name.
//
// The process gives up its rights before it reads a byte of a request: Go cannot run code
// between fork and exec, so that the process takes what a program can start without
// (beforeExec), replaces itself by a second start of the program, and takes the rest there
// (confine).
func Serve(service string, serve func(request []byte) (reply []byte)) {
	if len(os.Args) < 2 || os.Args[1] != argument || os.Getenv(variable) == "" {
		return
	}
	value, isLimited := strings.CutSuffix(os.Getenv(variable), limited)
	value, isBecoming := strings.CutSuffix(value, becoming)
	memory, err := strconv.ParseInt(value, 10, 64)
	if err != nil || memory <= 0 || isBecoming != (len(os.Args) > 2) {
		return
	}
	if isBecoming {
		become(memory, os.Args[2:])
		os.Exit(exitProtocol)
	}
	if !isLimited {
		beforeExec(memory) // returns where the system refuses
	}
	in, out := os.Stdin, os.Stdout
	os.Stdout = os.Stderr // what a dependency prints is not a frame
	held := confine(memory)
	if err := writeFrame(out, frameHello, []byte(protocol), []byte(service), []byte("\n"), []byte(strings.Join(held, ","))); err != nil {
		os.Exit(exitProtocol)
	}
	for {
		answerOne(in, out, serve)
	}
}

// answerOne answers a request, or ends the process.
func answerOne(in, out *os.File, serve func(request []byte) (reply []byte)) {
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
		// The pool ends a worker in time; this one ends itself where the pool is gone and
		// the system does not end children with their parent.
		left := time.Duration(binary.BigEndian.Uint64(request)) * time.Millisecond
		timer := time.AfterFunc(left+time.Second, func() { os.Exit(exitProtocol) })
		reply = serve(request[8:])
		timer.Stop()
	}
	if err := writeFrame(out, frameReply, reply); err != nil {
		os.Exit(exitProtocol)
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
