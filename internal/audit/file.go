package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file has the log file and its rotation.
//
// Several processes append to one file without a lock, because a lock would have
// to be recovered after a crash. Before each line, a process checks whether the
// path still names the file that it has open, and opens it again when another
// process has rotated it. A process that finds the file too long renames it to a
// unique name (time and process), so that nothing is overwritten. A process that
// has not noticed yet goes on writing to the renamed file; when two processes
// rotate at once, the second renames a file with few lines or none. Then the
// oldest rotated files are removed.
//
// Within a process, one goroutine writes, and a call waits for its line, so that an answer
// is in the log. A disk that hangs, such as a frozen or a remote one, stops no call: the
// call goes on after hangLimit, later ones do not wait until the disk takes lines again,
// and what does not fit into the queue is lost and counted.

// The defaults of [FileOptions].
const (
	defaultMaxBytes = 16 << 20
	defaultKeep     = 4

	hangLimit   = 250 * time.Millisecond // for a line to be written
	waitingMost = 1024                   // lines
	endLimit    = time.Second            // for the lines that wait when the file is closed
	mendWait    = 20 * time.Millisecond  // within which a process has written its line
)

// FileOptions configure a [File]. The zero value has the defaults.
type FileOptions struct {
	// MaxBytes is the length in bytes from which the file is rotated; 0 means
	// defaultMaxBytes.
	MaxBytes int64
	// Keep is the number of rotated files to keep; 0 means defaultKeep.
	Keep int
}

// Retain returns the options with which the file and its rotated files have at most so
// many bytes together, less than a line aside; 0 or less means the defaults.
func Retain(bytes int64) FileOptions {
	if bytes <= 0 {
		return FileOptions{}
	}
	const files = defaultKeep + 1
	return FileOptions{MaxBytes: max(bytes/files, 1)}
}

// File is a file of JSON Lines with mode 0600. It is safe for concurrent use, also
// by several processes. Make one with [OpenFile].
type File struct {
	path     string
	maxBytes int64
	keep     int

	lines      chan line
	hangs      atomic.Bool   // the line that is written now takes longer than hangLimit
	lost       atomic.Uint64 // lines that were not written
	end, ended chan struct{} // closed when no line is taken any more, and when none is written
	close      func()        // closes end

	f      *os.File                // of the goroutine that writes; nil when the last attempt to open failed
	append func(line []byte) error // tests replace it
}

// line is a line that waits to be written, which is said by closing written.
type line struct {
	text    []byte
	written chan struct{}
}

// OpenFile opens a file for appending, and creates it and its folder when they are
// missing. It fails for anything but a regular file.
func OpenFile(path string, o FileOptions) (*File, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	a := &File{path: path, maxBytes: o.MaxBytes, keep: o.Keep, lines: make(chan line, waitingMost), end: make(chan struct{}), ended: make(chan struct{})}
	a.append, a.close = a.appendLine, sync.OnceFunc(func() { close(a.end) })
	err := a.open()
	if err == nil {
		err = a.mend()
	}
	if err != nil {
		if a.f != nil {
			_ = a.f.Close()
		}
		return nil, err
	}
	go a.run()
	return a, nil
}

// run writes lines until Close.
func (a *File) run() {
	defer close(a.ended)
	for {
		select {
		case l := <-a.lines:
			a.take(l)
		case <-a.end:
			for len(a.lines) > 0 {
				a.take(<-a.lines)
			}
			return
		}
	}
}

func (a *File) take(l line) {
	if a.append(l.text) != nil {
		a.lost.Add(1)
	}
	a.hangs.Store(false)
	close(l.written)
}

func (a *File) open() error {
	// With a pipe, every call would wait for the pipe's reader.
	if info, err := os.Stat(a.path); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: a.path, Err: errors.New("not a regular file")}
	}
	f, err := os.OpenFile(a.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	a.f = f
	return nil
}

// mend ends an incomplete last line, which a crash of the machine can leave. The line that
// another process is writing grows: it is incomplete for less than mendWait.
func (a *File) mend() error {
	for size := int64(-1); ; time.Sleep(mendWait) {
		info, err := a.f.Stat()
		if err != nil || info.Size() == 0 {
			return err
		}
		last := make([]byte, 1)
		if _, err = a.f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
			return err
		}
		if info.Size() == size {
			_, err = a.f.Write([]byte{'\n'})
			return err
		}
		size = info.Size()
	}
}

// write appends an event as one line, and waits until it is written, unless the disk hangs.
func (a *File) write(e Event) {
	var whole bytes.Buffer
	enc := json.NewEncoder(&whole)
	enc.SetEscapeHTML(false)
	if enc.Encode(e) != nil {
		a.lost.Add(1)
		return
	}
	l := line{text.VisibleJSON(whole.Bytes()), make(chan struct{})} // people read the log on terminals
	select {
	case <-a.end:
		a.lost.Add(1)
		return
	default:
	}
	timer := time.NewTimer(hangLimit)
	defer timer.Stop()
	select {
	case a.lines <- l:
	default:
		// Many calls end at once, or the disk hangs.
		if a.hangs.Load() {
			a.lost.Add(1)
			return
		}
		select {
		case a.lines <- l:
		case <-a.ended:
			a.lost.Add(1)
			return
		case <-timer.C:
			a.hangs.Store(true)
			a.lost.Add(1)
			return
		}
	}
	if a.hangs.Load() {
		return
	}
	select {
	case <-l.written:
	case <-a.ended:
	case <-timer.C:
		a.hangs.Store(true)
	}
}

// appendLine appends a line with one system call. The line is whole or absent.
func (a *File) appendLine(whole []byte) error {
	if err := a.current(int64(len(whole))); err != nil {
		return err
	}
	n, err := a.f.Write(whole)
	if err != nil && n > 0 {
		a.takeBack(int64(n))
	}
	return err
}

// takeBack removes the beginning of a line that did not fit on the disk, so that the
// next line is whole. When another process has appended meanwhile, the beginning stays,
// and the next line begins on a line of its own.
func (a *File) takeBack(n int64) {
	end, err := a.f.Seek(0, io.SeekCurrent) // behind what was written
	if err != nil {
		return
	}
	if info, err := a.f.Stat(); err == nil && info.Size() == end && a.f.Truncate(end-n) == nil {
		return
	}
	_ = a.mend()
}

// current makes a.f the file at the path, and rotates it if n bytes do not fit.
func (a *File) current(n int64) error {
	if a.f != nil {
		mine, err := a.f.Stat()
		if err != nil {
			return err
		}
		named, err := os.Stat(a.path)
		if err == nil && os.SameFile(mine, named) {
			if named.Size() == 0 || named.Size()+n <= a.maxBytes {
				return nil
			}
			if err := a.rotate(); err != nil {
				return err
			}
		}
		_ = a.f.Close()
		a.f = nil
	}
	return a.open()
}

const rotatedForm = "20060102T150405.000000000"

// rotate renames the file, and removes the oldest rotated files. It is not an
// error when another process has already rotated the file.
func (a *File) rotate() error {
	to := fmt.Sprintf("%s.%s-%d", a.path, time.Now().UTC().Format(rotatedForm), os.Getpid())
	if err := os.Rename(a.path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// The names sort by time.
	dir, base := filepath.Split(a.path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil // the next rotation will remove them
	}
	var rotated []string
	for _, e := range entries {
		stamp, ok := strings.CutPrefix(e.Name(), base+".")
		if _, err := time.Parse(rotatedForm, stamp[:min(len(stamp), len(rotatedForm))]); ok && err == nil {
			rotated = append(rotated, e.Name())
		}
	}
	for len(rotated) > a.keep {
		_ = os.Remove(filepath.Join(dir, rotated[0]))
		rotated = rotated[1:]
	}
	return nil
}

// Close writes the lines that wait and closes the file. If the disk hangs, it gives up
// after a second.
func (a *File) Close() error {
	a.close()
	timer := time.NewTimer(endLimit)
	defer timer.Stop()
	select {
	case <-a.ended:
	case <-timer.C:
		return fmt.Errorf("the audit log %s does not take lines: %d are lost", a.path, len(a.lines)+1)
	}
	if a.f == nil {
		return nil
	}
	err := a.f.Close()
	a.f = nil
	return err
}
