package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

// TestLossyWriter: what is written arrives in order; a reader that stops makes no write
// wait, and what it does not take is counted.
func TestLossyWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		l := newLossyWriter(&got)
		want := ""
		for i := range mostLines {
			fmt.Fprintln(l, i)
			want += fmt.Sprintln(i)
		}
		l.close()
		if got.String() != want || l.lost.Load() != 0 {
			t.Errorf("%d lost, %.100q", l.lost.Load(), got.String())
		}

		r, w := io.Pipe()
		l = newLossyWriter(w)
		for range mostLines + 11 {
			fmt.Fprintln(l, "x")
		}
		synctest.Wait() // one may be in the hands of the writer
		if n := l.lost.Load(); n != 10 && n != 11 {
			t.Errorf("%d are lost", n)
		}
		l.close()
		kept := mostLines + 11 - int(l.lost.Load())
		_, _ = io.CopyN(io.Discard, r, int64(len("x\n")*kept)) // so that it ends
		<-l.ended
		_ = r.Close()

		l = newLossyWriter(failing{})
		fmt.Fprintln(l, strings.Repeat("x", 10))
		l.close()
		if l.lost.Load() != 1 {
			t.Errorf("%d are lost where writing fails", l.lost.Load())
		}
	})
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
