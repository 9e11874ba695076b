package store

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/wholefile"
)

// maxSealed is the maximum length of a value in a [SealedStore], in bytes.
const maxSealed = 32 << 20

const (
	sealedEnding = ".sealed"
	maxNameBytes = 200 // most file systems allow 255
)

// The causes for which Put stores nothing.
var (
	errName    = errors.New("a name has from 1 to 200 bytes")
	errTooLong = errors.New("the value has more than 32 MiB")
)

// SealedStore stores encrypted values in a folder, one file for each. It is safe
// for concurrent use, also by several processes on one folder. The names of
// values are the names of files: they are not secret.
type SealedStore struct{ dir, key string }

// NewSealedStore returns a store in the folder dir with the key in keyFile. The
// first Put creates both when they are missing.
func NewSealedStore(dir, keyFile string) *SealedStore { return &SealedStore{dir, keyFile} }

// Put encrypts a value and stores it, replacing the previous value of that name.
// The error is [errName], [errTooLong], or that of the disk or the key file.
func (d *SealedStore) Put(name string, plain []byte) error {
	file, err := d.file(name)
	if err != nil {
		return err
	}
	if len(plain) > maxSealed {
		return errTooLong
	}
	sealer, err := openSealer(d.key)
	if err != nil {
		return err
	}
	return wholefile.Replace(file, sealer.seal(d.bound(name), plain))
}

// Get decrypts a value. The error is fs.ErrNotExist if none exists, and
// [ErrSealed] when the key is missing or is another one.
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
	sealed, err := io.ReadAll(io.LimitReader(f, maxSealed+1<<10))
	if err != nil {
		return nil, err
	}
	// openSealer would create a new key, which decrypts nothing and occupies the
	// place of the right one.
	if _, err := os.Stat(d.key); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrSealed
	}
	sealer, err := openSealer(d.key)
	if err != nil {
		return nil, err
	}
	return sealer.open(d.bound(name), sealed)
}

// SealedEntry is the name of a value and the time at which it was stored.
type SealedEntry struct {
	Name string
	At   time.Time
}

// List returns all names in alphabetical order. It decrypts nothing.
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
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, err
}

// Remove removes a value. The error is fs.ErrNotExist if none exists.
func (d *SealedStore) Remove(name string) error {
	file, err := d.file(name)
	if err != nil {
		return err
	}
	return os.Remove(file)
}

// file returns the path of a value. The name is escaped, so that the path cannot
// lead out of the folder.
func (d *SealedStore) file(name string) (string, error) {
	escaped := url.QueryEscape(name)
	if name == "" || len(escaped) > maxNameBytes {
		return "", errName
	}
	return filepath.Join(d.dir, escaped+sealedEnding), nil
}

// bound returns the name that a value is encrypted under. A file that was copied
// from another store or another name does not decrypt.
func (d *SealedStore) bound(name string) string { return filepath.Base(d.dir) + "/" + name }
