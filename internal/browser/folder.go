package browser

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of the folders that hold a browser's files while it runs:
//
//   - A folder belongs to one process of the browser. It has a lock file, which
//     dies with this process, and the profile, which is the only part that the
//     browser can write to.
//   - It is in a folder of this user, which no other user can write to: the one
//     that the operator gives, $XDG_CACHE_HOME/spyhop/browser, or, where the
//     browser has a user id of its own and cannot get there, /run/spyhop-browser.
//     What is left there by a process that was killed is removed at the next start.
//   - If none of these can be used, it is a new folder in the shared temporary
//     directory. Folders that exist there are never trusted or removed.

const (
	lockName    = "lock"
	profileName = "p"
	// sweepAge is how old the folder of a dead process has to be for its removal: one
	// that was made a moment ago may not have its lock yet.
	sweepAge = 5 * time.Second
	// longestTemp is how long the profile's name may be for Chromium's socket in it,
	// /org.chromium.Chromium.XXXXXX/SingletonSocket, to stay below the 108 bytes of
	// sun_path; Chromium ends itself beyond.
	longestTemp = 60
)

// A folder has the files of one process of the browser.
type folder struct {
	dir     string
	profile string
	unlock  func()
	root    string // made only for this folder; removed with it
	uid     int    // of the browser; ownUID: that of this process
}

// lend returns the names by which the browser can read files of this user: their
// own, or those of copies in the profile where it has another user id. The copies
// go with the folder.
func (f *folder) lend(names []string) ([]string, error) {
	if f.uid == ownUID {
		return names, nil
	}
	dir, err := os.MkdirTemp(f.profile, "lent")
	if err != nil {
		return nil, err
	}
	var out []string
	for i, name := range names {
		sub := filepath.Join(dir, strconv.Itoa(i)) // two files may have one name
		lent := filepath.Join(sub, filepath.Base(name))
		if err := copyFile(sub, lent, name); err != nil {
			return nil, err
		}
		for _, n := range []string{dir, sub, lent} {
			if err := os.Lchown(n, f.uid, f.uid); err != nil {
				return nil, err
			}
		}
		out = append(out, lent)
	}
	return out, nil
}

func copyFile(dir, to, from string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// runFolder is where folders are that a browser with a user id of its own has to
// reach: only root can make it.
const runFolder = "/run/spyhop-browser"

// newFolder makes a folder below wanted, which may be empty, for a browser that
// runs under uid.
func newFolder(wanted string, uid int) (_ *folder, err error) {
	root, private, err := rootFolder(wanted, uid)
	if err != nil {
		return nil, err
	}
	f := &folder{uid: uid}
	if private {
		f.root = root
	} else {
		sweep(root)
	}
	defer func() {
		if err != nil {
			f.remove()
		}
	}()
	if f.dir, err = os.MkdirTemp(root, ""); err != nil {
		return nil, err
	}
	if f.unlock, err = lockFile(filepath.Join(f.dir, lockName)); err != nil {
		return nil, err
	}
	f.profile = filepath.Join(f.dir, profileName)
	if err = os.Mkdir(f.profile, 0o700); err != nil {
		return nil, err
	}
	if uid != ownUID {
		if err = os.Chmod(f.dir, 0o711); err == nil { // to get through, and to see nothing
			err = os.Chown(f.profile, uid, uid)
		}
	}
	return f, err
}

// rootFolder returns the folder in which the folders of processes are made.
// private says that it is a new one, for one process.
func rootFolder(wanted string, uid int) (root string, private bool, err error) {
	mode := os.FileMode(0o700)
	choices := []string{wanted}
	if wanted == "" {
		choices = nil
		if cache, err := os.UserCacheDir(); err == nil {
			choices = []string{filepath.Join(cache, "spyhop", "browser")}
		}
	}
	if uid != ownUID {
		mode = 0o711
		choices = append(choices, runFolder)
	}
	for _, dir := range choices {
		if dir, err = ownFolder(dir, mode); err == nil && (uid == ownUID || passable(dir)) {
			return dir, false, nil
		}
	}
	if root, err = os.MkdirTemp("", "spyhop-"); err == nil {
		err = os.Chmod(root, mode)
	}
	return root, true, err
}

// remove removes the folder.
func (f *folder) remove() {
	if f.unlock != nil {
		f.unlock()
	}
	if f.dir != "" {
		removeAll(f.dir)
	}
	if f.root != "" {
		removeAll(f.root)
	}
}

// outer is what has to be removed when this process is killed.
func (f *folder) outer() string {
	if f.root != "" {
		return f.root
	}
	return f.dir
}

// sweep removes the folders below root whose owner has died.
func sweep(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		info, err := e.Info()
		if _, number := strconv.ParseUint(e.Name(), 10, 64); number != nil || err != nil || !info.IsDir() || time.Since(info.ModTime()) < sweepAge {
			continue
		}
		unlock, err := lockFile(filepath.Join(dir, lockName))
		if err != nil {
			continue // its process runs
		}
		killLeftovers("--user-data-dir=" + filepath.Join(dir, profileName))
		unlock()
		removeAll(dir)
	}
}

// passable reports whether everybody can get through to a folder.
func passable(dir string) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&1 == 0 {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return true
		}
		dir = up
	}
}

// removeAll removes a folder that a dying process may still write to.
func removeAll(dir string) {
	for i := range 20 {
		if err := os.RemoveAll(dir); err == nil {
			return
		}
		time.Sleep(time.Duration(i+1) * 5 * time.Millisecond)
	}
}

// lockProfile takes a profile for a browser that runs under uid.
func lockProfile(dir string, uid int) (unlock func(), err error) {
	inUse := func(by string) error {
		return &tool.Error{Type: tool.BrowserError, Message: "the profile " + text.Path(dir) + " is in use by " + by,
			Hint: "close that browser, or name another folder with WEB_BROWSER_PROFILE"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if unlock, err = lockFile(filepath.Join(dir, "spyhop.lock")); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, inUse("another spyhop")
		}
		return nil, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	// Chromium names the process that has a profile in a link, as host-number.
	if link, err := os.Readlink(filepath.Join(dir, "SingletonLock")); err == nil {
		host, _ := os.Hostname()
		pid, none := strconv.Atoi(strings.TrimPrefix(link, host+"-"))
		if none == nil && pid > 0 && lives(pid) {
			return unlock, inUse(fmt.Sprintf("the browser with the process id %d", pid))
		}
	}
	if uid == ownUID {
		return unlock, nil
	}
	return unlock, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, uid, uid)
	})
}
