package main

import (
	"context"
	"io"
	"os"
)

// input is stdin for a command that reads it. On a terminal it says that it waits.
func (s *session) input() io.Reader {
	if f, ok := s.stdin.(*os.File); ok && isTerminal(f) {
		s.screen.fact("reading stdin", "end it with Ctrl-D on a line of its own, or stop with Ctrl-C")
	}
	return s.interruptible()
}

// interruptible is stdin as a reader whose reads Ctrl-C ends. A read of a terminal cannot be
// cancelled, so that the goroutine ends with the process.
func (s *session) interruptible() io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, s.stdin)
		w.CloseWithError(err) // nil is the end
	}()
	context.AfterFunc(s.ctx, func() { w.CloseWithError(s.ctx.Err()) })
	return r
}
