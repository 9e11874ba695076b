// Package private provides files and folders that only this user can change: keys,
// tokens, and the folder of everything that Spyhop stores.
//
//	key, err := private.ReadFile("/home/ann/.cache/spyhop/session.key", 64)
//	err = private.Dir("/home/ann/.cache/spyhop")
//
// # Guarantees
//
// ReadFile returns only what a regular file holds that belongs to the effective
// user and that no other user can read or write. Both are checked on the open file,
// so that nobody can replace it after the check.
//
// # Limits
//
// Access control lists and mounts that show other modes than they enforce are not
// looked at. Windows has no such owners and modes: there, only the kind of a file
// is checked.
package private

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a file of secrets. The error is fs.ErrNotExist for a missing file;
// it names the file, the reason and the fix for one that others can read or that
// belongs to another user, and for one of more than most bytes.
func ReadFile(name string, most int64) ([]byte, error) {
	before, err := os.Stat(name) // opening a pipe would wait
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case !os.SameFile(before, info):
		return nil, fmt.Errorf("%s was replaced while it was opened: try again", name)
	case !ownedByUser(info):
		return nil, fmt.Errorf("%s belongs to another user: use a file of your own, or run chown on it", name)
	case hasModes && mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s has mode %04o, so other users can use it: run chmod 600 on it", name, mode.Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Dir checks a folder, and creates a missing one with mode 0700, with its parents.
// The error names the folder, the reason and the fix for one that belongs to another
// user, or in which other users may create files.
func Dir(name string) error {
	if err := CheckDir(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return err
	}
	return CheckDir(name) // another user can have been faster
}

// CheckDir is Dir for a folder that has to exist. The error is a *fs.PathError when it
// does not, or cannot be looked at, and of another type when it is not private.
func CheckDir(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a folder")}
	case !ownedByUser(info):
		return fmt.Errorf("the folder %s belongs to another user: use a folder of your own, or run chown on it", name)
	case hasModes && mode.Perm()&0o022 != 0:
		return fmt.Errorf("the folder %s has mode %04o, so other users can put files into it: run chmod 700 on it", name, mode.Perm())
	}
	return nil
}
