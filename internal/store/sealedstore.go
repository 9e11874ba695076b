package store

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/wholefile"
)

// MaxSealed is the longest value that a [SealedStore] keeps, in bytes.
const MaxSealed = 32 << 20

const (
	sealedEnding = ".sealed"
	maxNameBytes = 200 // file systems mostly end at 255
)

// The causes where Put keeps nothing.
var (
	ErrName    = errors.New("a name has from 1 to 200 bytes")
	ErrTooLong = errors.New("the value has more than 32 MiB")
)

// SealedStore keeps sealed values in a folder, a file each, which several processes
// may share. It is safe for concurrent use. The names are those of the files:
// they are not secret.
type SealedStore struct{ dir, key string }

// NewSealedStore returns a store in a folder, with the file of its key. Nothing is
// made before the first Put.
func NewSealedStore(dir, keyFile string) *SealedStore { return &SealedStore{dir, keyFile} }

// Put seals a value, in place of the one that had the name.
func (d *SealedStore) Put(name string, plain []byte) error {
	file, err := d.file(name)
	if err != nil {
		return err
	}
	if len(plain) > MaxSealed {
		return ErrTooLong
	}
	sealer, err := OpenSealer(d.key)
	if err != nil {
		return err
	}
	return wholefile.Replace(file, sealer.Seal(d.bound(name), plain))
}

// Get opens a value. The error is fs.ErrNotExist where there is none, and
// [ErrSealed] where the key is gone or another one.
func (d *SealedStore) Get(name string) ([]byte, error) {
	file, err := d.file(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sealed, err := io.ReadAll(io.LimitReader(f, MaxSealed+1<<10))
	if err != nil {
		return nil, err
	}
	// A new key would open nothing, and stand in the way of the right one.
	if _, err := os.Stat(d.key); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrSealed
	}
	sealer, err := OpenSealer(d.key)
	if err != nil {
		return nil, err
	}
	return sealer.Open(d.bound(name), sealed)
}

// SealedEntry is a name in a store, and when its value was put there.
type SealedEntry struct {
	Name string
	At   time.Time
}

// List returns the names in their order, without opening anything.
func (d *SealedStore) List() ([]SealedEntry, error) {
	entries, err := os.ReadDir(d.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []SealedEntry
	for _, e := range entries {
		escaped, ok := strings.CutSuffix(e.Name(), sealedEnding)
		name, bad := url.QueryUnescape(escaped)
		info, gone := e.Info()
		if ok && bad == nil && gone == nil && info.Mode().IsRegular() {
			out = append(out, SealedEntry{name, info.ModTime()})
		}
	}
	slices.SortFunc(out, func(a, b SealedEntry) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// Remove removes a value. The error is fs.ErrNotExist where there is none.
func (d *SealedStore) Remove(name string) error {
	file, err := d.file(name)
	if err != nil {
		return err
	}
	return os.Remove(file)
}

// file is where a value stands; an escaped name leads nowhere else.
func (d *SealedStore) file(name string) (string, error) {
	escaped := url.QueryEscape(name)
	if name == "" || len(escaped) > maxNameBytes {
		return "", ErrName
	}
	return filepath.Join(d.dir, escaped+sealedEnding), nil
}

// bound is what a value is sealed under: no file of another store, or of
// another name, opens in its place.
func (d *SealedStore) bound(name string) string { return filepath.Base(d.dir) + "/" + name }
