package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/wholefile"
)

// This file encrypts values that must not be readable on a stolen disk, with a
// key in a separate file: AES-256-GCM (NIST SP 800-38D) with random nonces of 96
// bits, which is safe for about 4 billion values per key.

const (
	keyBytes   = 32
	sealFormat = 1 // the first byte of what Seal returns
)

// sealer encrypts values. It is safe for concurrent use. Make one with
// [openSealer].
type sealer struct{ aead cipher.AEAD }

// ErrSealed is the cause when a value does not decrypt: the key or the name is
// another one, or bytes have changed. Which of these it is cannot be known.
var ErrSealed = errors.New("the value was sealed with another key or name, or has been changed")

// openSealer reads the key from a file; if none exists, it creates the file
// with a new key. It refuses a key file that belongs to another user or that other users can read, and one that
// does not have 32 bytes.
func openSealer(file string) (*sealer, error) {
	key, err := openKey(file)
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
	return &sealer{aead}, nil
}

// DeriveKey returns a key of 32 bytes for one purpose, which follows from the key in the
// file; it does not tell anything of that one, nor of those for other purposes. The
// file is as for [openSealer].
func DeriveKey(file, purpose string) ([]byte, error) {
	key, err := openKey(file)
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, key, nil, purpose, keyBytes)
}

// openKey reads the key of a file, and makes the file when there is none.
func openKey(file string) ([]byte, error) {
	key, err := readKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(file); err == nil {
			// Another process may have created it in the meantime.
			key, err = readKey(file)
		}
	}
	return key, err
}

func readKey(file string) ([]byte, error) {
	key, err := private.ReadFile(file, 1<<10)
	if err != nil {
		return nil, err
	}
	if len(key) != keyBytes {
		return nil, fmt.Errorf("key file %s does not contain a key of %d bytes: restore it, or remove it and lose what it encrypted", file, keyBytes)
	}
	return key, nil
}

// makeKey creates the file atomically: a process that finds it finds a complete
// key.
func makeKey(file string) error {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // does not fail
	err := wholefile.Create(file, key)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// seal encrypts a value. It decrypts only under the same name, so that one value
// cannot be put in the place of another.
func (v *sealer) seal(name string, plain []byte) []byte {
	n := v.aead.NonceSize()
	out := make([]byte, 1+n, 1+n+len(plain)+v.aead.Overhead())
	out[0] = sealFormat
	_, _ = rand.Read(out[1:]) // does not fail
	return v.aead.Seal(out, out[1:1+n], plain, []byte(name))
}

// open decrypts what Seal returned. Its error is [ErrSealed].
func (v *sealer) open(name string, sealed []byte) ([]byte, error) {
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
