//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

func size(f *os.File) (columns, lines int, err error) {
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, err
	}
	return int(w.Col), int(w.Row), nil
}
