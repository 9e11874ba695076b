// Package wholefile provides atomic writes of files: another process finds either
// a complete file or none.
//
//	err := wholefile.Create("/var/lib/example/token", []byte("secret\n"))
//	if errors.Is(err, fs.ErrExist) {
//		// another process has created it first, and its file stays
//	}
//
// # Guarantees
//
// The bytes are written to a temporary file in the same folder, with mode 0600,
// and synced; then that file gets its name in one step. After an error, no
// temporary file is left.
//
// # Limits
//
// Create needs a file system with hard links. The folder itself is not synced.
package wholefile

import (
	"os"
	"path/filepath"
)

// Create creates a file. When the file exists, the error is fs.ErrExist and the
// file is not changed. Create creates a missing folder with mode 0700. It is safe
// for concurrent use, also by several processes.
func Create(file string, data []byte) error { return write(file, data, os.Link) }

// Replace creates a file, or replaces an existing one. It creates a missing folder
// with mode 0700. It is safe for concurrent use, also by several processes; the
// last call wins.
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
	defer os.Remove(f.Name()) // has no effect after a rename
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
