//go:build !windows

package terminal

import "os"

// ANSI reports whether the terminal that f is obeys escape sequences.
func ANSI(*os.File) bool { return true }
