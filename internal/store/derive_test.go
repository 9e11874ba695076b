package store

import (
	"bytes"
	"path/filepath"
	"testing"
)

// A derived key follows from the file and the purpose, and from nothing else.
func TestDeriveKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	key := func(file, purpose string) []byte {
		t.Helper()
		k, err := DeriveKey(file, purpose)
		if err != nil || len(k) != 32 {
			t.Fatalf("%v, %d bytes", err, len(k))
		}
		return k
	}
	one := key(file, "webhooks")
	raw, err := readKey(file)
	if err != nil || bytes.Equal(one, raw) {
		t.Errorf("%v: the key itself is given away", err)
	}
	if !bytes.Equal(one, key(file, "webhooks")) || bytes.Equal(one, key(file, "other")) || bytes.Equal(one, key(filepath.Join(t.TempDir(), "key"), "webhooks")) {
		t.Error("the same key for another purpose or file, or another one for the same")
	}
	if _, err := DeriveKey(t.TempDir(), "webhooks"); err == nil {
		t.Error("a folder is no key")
	}
}
