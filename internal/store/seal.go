package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/spyhop-dev/spyhop/internal/wholefile"
)

// This file seals values that must not be read from a stolen disk, with a key
// that lives in a file of its own: AES-256-GCM (NIST SP 800-38D) with random
// nonces of 96 bits, which one key may use some four thousand million times.

const (
	keyBytes   = 32
	sealFormat = 1 // the first byte of what Seal returns
)

// Sealer seals values. It is safe for concurrent use.
type Sealer struct{ aead cipher.AEAD }

// ErrSealed is the cause when a value does not open: another key, another
// name, or changed bytes; which of them cannot be told.
var ErrSealed = errors.New("the value was sealed with another key or name, or has been changed")

// OpenSealer reads the key from a file, and makes both when there is none. It
// refuses a key file that others may read, and one that is not 32 bytes long.
func OpenSealer(file string) (*Sealer, error) {
	key, err := readKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(file); err == nil {
			// What another process may have made in the same moment.
			key, err = readKey(file)
		}
	}
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &Sealer{aead}, nil
}

func readKey(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// Windows has no such modes.
	if mode := info.Mode(); runtime.GOOS != "windows" && mode.Perm()&0o077 != 0 {
		return nil, fmt.Errorf("key file %s has mode %04o, which others may read: chmod 600 it", file, mode.Perm())
	}
	key, err := io.ReadAll(io.LimitReader(f, keyBytes+1))
	if err != nil {
		return nil, err
	}
	if len(key) != keyBytes {
		return nil, fmt.Errorf("key file %s holds no key of %d bytes: restore it, or remove it to begin anew without what it sealed", file, keyBytes)
	}
	return key, nil
}

// makeKey makes the file with all of its bytes or not at all: a process that
// finds it finds a whole key.
func makeKey(file string) error {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // does not fail
	err := wholefile.Create(file, key)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Seal encrypts a value. It opens under the same name alone, so that one value
// cannot be put in the place of another.
func (v *Sealer) Seal(name string, plain []byte) []byte {
	n := v.aead.NonceSize()
	out := make([]byte, 1+n, 1+n+len(plain)+v.aead.Overhead())
	out[0] = sealFormat
	_, _ = rand.Read(out[1:]) // does not fail
	return v.aead.Seal(out, out[1:1+n], plain, []byte(name))
}

// Open decrypts what Seal returned. Its error is [ErrSealed].
func (v *Sealer) Open(name string, sealed []byte) ([]byte, error) {
	n := v.aead.NonceSize()
	if len(sealed) < 1+n || sealed[0] != sealFormat {
		return nil, ErrSealed
	}
	plain, err := v.aead.Open(nil, sealed[1:1+n], sealed[1+n:], []byte(name))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}
