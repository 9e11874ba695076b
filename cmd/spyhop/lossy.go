package main

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// A lossyWriter writes to another writer in the background. If that one does not take what
// it gets, as a pipe that nothing reads, writes are dropped and counted: the log of a
// server stops no call.
type lossyWriter struct {
	waiting chan []byte
	end     chan struct{} // closed by close
	ended   chan struct{} // everything that waited was written
	lost    atomic.Uint64
}

const (
	// mostLines bounds the writes that wait, each of them a line or two.
	mostLines = 1024
	// lastLines is how long what waits at the end may take.
	lastLines = time.Second
)

func newLossyWriter(to io.Writer) *lossyWriter {
	l := &lossyWriter{waiting: make(chan []byte, mostLines), end: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		write := func(p []byte) {
			if _, err := to.Write(p); err != nil {
				l.lost.Add(1)
			}
		}
		for {
			select {
			case p := <-l.waiting:
				write(p)
			case <-l.end:
				for len(l.waiting) > 0 {
					write(<-l.waiting)
				}
				return
			}
		}
	}()
	return l
}

// Write implements io.Writer. It never waits.
func (l *lossyWriter) Write(p []byte) (int, error) {
	select {
	case l.waiting <- bytes.Clone(p):
	default:
		l.lost.Add(1)
	}
	return len(p), nil
}

// close waits until everything is written, for at most lastLines. Nothing may be written
// any more.
func (l *lossyWriter) close() {
	close(l.end)
	timer := time.NewTimer(lastLines)
	defer timer.Stop()
	select {
	case <-l.ended:
	case <-timer.C:
	}
}
