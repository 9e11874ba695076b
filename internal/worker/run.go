package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// This file runs an installed program, e.g. one that recognizes the text of pictures, in
// nearly the confinement of a worker: it may read and execute what is installed, and its
// own data.

// ErrNotInstalled is the cause of an [Error] with Code Unavailable for a program that is
// not on the path.
var ErrNotInstalled = errors.New("the program is not installed")

// runGrace is how long a program may take to end after it was killed.
const runGrace = time.Second

// Command is a program to run.
type Command struct {
	// Name is looked up in the path.
	Name string
	Args []string
	// Env are variables, as NAME=value. A value that is a folder can be read.
	Env   []string
	Input []byte // for stdin
}

// Run runs a program and returns what it writes to stdout, at most MaxReply bytes. It
// counts as a request of the pool, and is killed when the context ends. The error is the
// context's cause where that has ended, else an [*Error].
func (p *Pool) Run(ctx context.Context, c Command) ([]byte, error) {
	leave, err := p.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	found, err := exec.LookPath(c.Name)
	if err != nil {
		return nil, &Error{Code: Unavailable, Cause: fmt.Errorf("%s: %w", c.Name, ErrNotInstalled)}
	}
	out, said := bounded{left: p.o.MaxReply}, opening{}
	cmd := exec.CommandContext(ctx, found, c.Args...)
	if canBecome {
		if cmd.Path, err = p.program(); err != nil {
			return nil, &Error{Code: Unavailable, Cause: err}
		}
		cmd.Args = append([]string{cmd.Path, argument, found}, c.Args...)
	}
	cmd.Env = append(c.Env, variable+"="+strconv.FormatInt(p.o.Memory, 10)+becoming)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = string(os.PathSeparator), bytes.NewReader(c.Input), &out, &said
	cmd.SysProcAttr, cmd.WaitDelay = attributes(), runGrace
	ended := make(chan error)
	go func() { ended <- cmd.Run() }() // see start: not from a thread that ends with the call
	err = <-ended
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &Error{Code: Ended, Cause: fmt.Errorf("%s: %w: %.200s", c.Name, err, bytes.TrimSpace(said.b))}
	}
	return out.b.Bytes(), nil
}

// bounded is a buffer that takes so many bytes.
type bounded struct {
	b    bytes.Buffer
	left int
}

func (l *bounded) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("the output is too long")
	}
	return l.b.Write(p)
}
