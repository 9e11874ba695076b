package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSealedStore(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	d := NewSealedStore(filepath.Join(dir, "logins"), key)
	if _, err := d.Get("example.com"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if names, err := d.List(); err != nil || names != nil {
		t.Errorf("nothing there: %v %v", names, err)
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("reading has made a key")
	}
	const secret = "canary-4711"
	for _, name := range []string{"example.com", "::1", "../../up", "a b/ü", "."} {
		if err := d.Put(name, []byte("old")); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if err := d.Put(name, []byte(secret+name)); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if got, err := d.Get(name); err != nil || string(got) != secret+name {
			t.Errorf("%q: %q %v", name, got, err)
		}
	}
	names, err := d.List()
	if err != nil || len(names) != 5 || names[0].Name != "." || names[1].Name != "../../up" || names[0].At.IsZero() {
		t.Errorf("%v %v", names, err)
	}
	// All that was written stands below the folder, is the owner's alone, and
	// shows nothing.
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" && path != dir && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if e.IsDir() {
			return nil
		}
		if path != key && filepath.Dir(path) != filepath.Join(dir, "logins") {
			t.Errorf("%s stands elsewhere", path)
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s is not sealed", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}

	// A file in the place of another does not open.
	if err := os.Rename(filepath.Join(dir, "logins", "example.com.sealed"), filepath.Join(dir, "logins", "evil.example.sealed")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get("evil.example"); !errors.Is(err, ErrSealed) {
		t.Errorf("another name: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "logins"), filepath.Join(dir, "states")); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSealedStore(filepath.Join(dir, "states"), key).Get("::1"); !errors.Is(err, ErrSealed) {
		t.Errorf("another store: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "states"), filepath.Join(dir, "logins")); err != nil {
		t.Fatal(err)
	}

	if err := d.Remove("::1"); err != nil {
		t.Error(err)
	}
	if err := d.Remove("::1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed twice: %v", err)
	}
	for _, name := range []string{"", strings.Repeat("x", 201), strings.Repeat("/", 70)} {
		if err := d.Put(name, nil); !errors.Is(err, errName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get("a b/ü"); !errors.Is(err, ErrSealed) {
		t.Errorf("without its key: %v", err)
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("a key was made that opens nothing")
	}
}
