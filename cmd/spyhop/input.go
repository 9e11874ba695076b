package main

import (
	"context"
	"io"
	"os"
)

// input is stdin for a command that reads it. On a terminal it says that it waits, and
// Ctrl-C ends the read; a read of a terminal cannot be cancelled, so that its goroutine
// ends with the process.
func (s *session) input() io.Reader {
	if f, ok := s.stdin.(*os.File); ok && isTerminal(f) {
		s.screen.fact("reading stdin", "end it with Ctrl-D on a line of its own, or stop with Ctrl-C")
	}
	return &cancelled{ctx: s.ctx, in: s.stdin}
}

// cancelled is a reader whose reads end with a context.
type cancelled struct {
	ctx context.Context
	in  io.Reader
	// read has the result of a read that has begun.
	read chan readResult
	rest []byte
	err  error
}

type readResult struct {
	data []byte
	err  error
}

func (c *cancelled) Read(p []byte) (int, error) {
	if len(c.rest) == 0 && c.err == nil {
		if c.read == nil {
			c.read = make(chan readResult, 1)
			go func(out chan<- readResult) {
				buffer := make([]byte, 64<<10)
				n, err := c.in.Read(buffer)
				out <- readResult{buffer[:n], err}
			}(c.read)
		}
		select {
		case <-c.ctx.Done():
			return 0, c.ctx.Err()
		case r := <-c.read:
			c.read, c.rest, c.err = nil, r.data, r.err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	if n > 0 {
		return n, nil
	}
	return 0, c.err
}
