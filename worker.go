package spyhop

import (
	"context"
	"sync/atomic"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/jq"
	"github.com/spyhop-dev/spyhop/internal/worker"
)

// hasWorker says that this program was made for being started as a worker: what
// RunWorker did is a fact about the process, not about a Client.
var hasWorker atomic.Bool

// RunWorker lets clients of this program read documents (PDF, office files,
// books, zip files, mail) in processes of their own, which have no network and
// no files, and which are ended at a call's deadline. It must be the first call
// in main: each such process is this program, started once more, and there the
// call does not return.
//
//	func main() {
//		spyhop.RunWorker()
//		…
//	}
//
// A program that cannot call it sets [Config.Worker]. Without either, documents
// are read in the program's own process, with the same limits on what they
// unpack to; a reader that a document makes hang goes on after the deadline then.
func RunWorker() {
	worker.Serve(extract.Service(), serveRequest)
	hasWorker.Store(true)
}

// serveRequest answers a request in a worker: a filter or a document.
func serveRequest(request []byte) []byte {
	if reply, ok := jq.Serve(request); ok {
		return reply
	}
	return extract.Serve(request)
}

// openWorkers makes the pool; nothing is started before the first document.
func (s *Client) openWorkers(c Config) {
	if c.Worker == "" && !hasWorker.Load() {
		return
	}
	s.workers = worker.New(worker.Options{Service: extract.Service(), Program: c.Worker})
	s.onClose(s.workers.Close)
}

// WorkerFacts say what confines the processes that read documents.
type WorkerFacts struct {
	// Held names what took effect: limits, landlock, seccomp. Nil: nothing did.
	Held []string
	// Could names what such a process could do although it should not. Nil:
	// nothing.
	Could []string
}

// CheckWorker starts a process that reads documents, has it try to read and
// write a file, open a socket and start a program, and returns what it could do.
// ok is false where documents are read in this process.
func (s *Client) CheckWorker(ctx context.Context) (facts WorkerFacts, ok bool, err error) {
	if s.workers == nil {
		return WorkerFacts{}, false, nil
	}
	facts.Could, facts.Held, err = s.workers.Probe(ctx)
	return facts, true, err
}
