package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestSeal: a value opens with its key and name, unchanged, and in no other way.
func TestSeal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data", "session.key")
	v, err := openSealer(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := openSealer(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := openSealer(file + "2")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || info.Size() != keyBytes {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	secret := []byte("cookie=secret")
	sealed := v.seal("example.com", secret)
	if bytes.Contains(sealed, []byte("secret")) || bytes.Equal(sealed, v.seal("example.com", secret)) {
		t.Error("it is not sealed")
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	format := bytes.Clone(sealed)
	format[0] = 9
	for _, c := range []struct {
		name   string
		sealer *sealer
		of     string
		sealed []byte
		opens  bool
	}{
		{"same", v, "example.com", sealed, true},
		{"later", again, "example.com", sealed, true},
		{"another key", other, "example.com", sealed, false},
		{"another name", v, "example.org", sealed, false},
		{"changed", v, "example.com", changed, false},
		{"another format", v, "example.com", format, false},
		{"cut", v, "example.com", sealed[:20], false},
		{"nothing", v, "example.com", nil, false},
	} {
		plain, err := c.sealer.open(c.of, c.sealed)
		if c.opens && (err != nil || !bytes.Equal(plain, secret)) || !c.opens && !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %q, %v", c.name, plain, err)
		}
	}
	if plain, err := v.open("", v.seal("", nil)); err != nil || len(plain) != 0 {
		t.Errorf("empty: %q, %v", plain, err)
	}
}

// TestSealerRefuses: a key that others may read, or that is none.
func TestSealerRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		mode os.FileMode
		size int
		good bool
	}{
		"good":  {0o600, keyBytes, true},
		"group": {0o640, keyBytes, false},
		"all":   {0o644, keyBytes, false},
		"short": {0o600, keyBytes - 1, false},
		"long":  {0o600, keyBytes + 1, false},
		"empty": {0o600, 0, false},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, make([]byte, c.size), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, c.mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
		if _, err := openSealer(file); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzOpen: bytes from the disk open or do not, and nothing else happens.
func FuzzOpen(f *testing.F) {
	v, err := openSealer(filepath.Join(f.TempDir(), "key"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(v.seal("a", []byte("value"))) // opens
	f.Add([]byte{sealFormat})           // no nonce
	f.Fuzz(func(t *testing.T, sealed []byte) {
		if _, err := v.open("b", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("%x opens", sealed)
		}
	})
}

// FuzzUnpack: a body from the disk gives as many bytes as it should, or none.
func FuzzUnpack(f *testing.F) {
	var p packer
	page := bytes.Repeat([]byte("the sea rises and falls "), 100)
	packed := pack(page)
	if len(packed) == len(page) {
		f.Fatal("it is not shorter")
	}
	f.Add(packed, len(page))     // good
	f.Add(packed, len(page)+1)   // another length
	f.Add(packed[:20], 1<<30)    // cut, and a length that nobody has room for
	f.Add([]byte("plain"), 5)    // not compressed
	f.Add([]byte("too long"), 3) // cannot be
	f.Fuzz(func(t *testing.T, b []byte, length int) {
		if out, err := p.unpack(b, length); err == nil && len(out) != length {
			t.Errorf("%d bytes, want %d", len(out), length)
		}
	})
}
