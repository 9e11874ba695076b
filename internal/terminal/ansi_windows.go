package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// ANSI has the terminal that f is obey escape sequences, and reports whether it does. A
// console of Windows prints them as text until a program asks for that.
func ANSI(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 ||
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
