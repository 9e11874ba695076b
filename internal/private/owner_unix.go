//go:build unix

package private

import (
	"io/fs"
	"os"
	"syscall"
)

// hasModes reports whether this system has owners and modes of files.
const hasModes = true

// ownedByUser reports whether a file belongs to the effective user.
func ownedByUser(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
