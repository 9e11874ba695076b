// Package wholefile provides files that another process finds with all of their
// bytes or not at all.
//
//	err := wholefile.Create("/var/lib/example/token", []byte("secret\n"))
//	if errors.Is(err, fs.ErrExist) {
//		// another process has made it first, and its file stays
//	}
//
// # Guarantees
//
// The bytes are written beside the file, with mode 0600, and synced; then the
// file gets its name in one step. On an error no file is left behind.
//
// # Limits
//
// Create wants a file system with hard links. The folder itself is not synced.
package wholefile

import (
	"os"
	"path/filepath"
)

// Create makes a file that must not be there yet: else the error is
// fs.ErrExist, and the file stays as it is. A folder that is missing is made,
// with mode 0700. It is safe for concurrent use, by several processes too.
func Create(file string, data []byte) error { return write(file, data, os.Link) }

// Replace makes a file, in the place of one that is there. A folder that is
// missing is made, with mode 0700. It is safe for concurrent use, by several
// processes too; the last one stays.
func Replace(file string, data []byte) error { return write(file, data, os.Rename) }

func write(file string, data []byte, place func(from, to string) error) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // in vain where it has been renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return place(f.Name(), file)
}
