//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

func width(f *os.File) (columns int, err error) {
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, err
	}
	return int(w.Col), nil
}
