//go:build !unix

package browser

import "os"

// ownFolder makes a folder; the system's rules decide about who can write there.
func ownFolder(dir string, mode os.FileMode) (string, error) { return dir, os.MkdirAll(dir, mode) }

// lockFile creates the file. Folders of processes that were killed stay, because no
// lock shows on these systems whether their process runs.
func lockFile(name string) (func(), error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

func lives(int) bool { return false }
