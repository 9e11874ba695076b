package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func skipWithoutModes(t *testing.T) {
	if !hasModes {
		t.Skip("this system has no modes of files")
	}
}

func TestReadFile(t *testing.T) {
	skipWithoutModes(t)
	dir := t.TempDir()
	write := func(name, data string, mode fs.FileMode) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil { // past the umask
			t.Fatal(err)
		}
		return name
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(write("target", "x", 0o600), link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, want, err string }{
		{"private", write("ok", "secret", 0o600), "secret", ""},
		{"only readable", write("read", "secret", 0o400), "secret", ""},
		{"a link to one", link, "x", ""},
		{"group", write("group", "secret", 0o640), "", "run chmod 600"},
		{"others", write("others", "secret", 0o604), "", "mode 0604"},
		{"writable for others", write("write", "secret", 0o602), "", "other users can use it"},
		{"long", write("long", "more than ten bytes", 0o600), "", "more than 10 bytes"},
		{"a folder", dir, "", "is not a regular file"},
	} {
		got, err := ReadFile(c.file, 10)
		if string(got) != c.want || (err != nil) != (c.err != "") || err != nil && (!strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), c.file)) {
			t.Errorf("%s: %q %v", c.name, got, err)
		}
	}
	if _, err := ReadFile(filepath.Join(dir, "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	foreign := write("foreign", "secret", 0o600)
	give(t, foreign)
	// As root, everything can be read: the owner alone says whose it is.
	if _, err := ReadFile(foreign, 10); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("another user's: %v", err)
	}
}

// give makes another user the owner of a file, which only root can do.
func give(t *testing.T, name string) {
	t.Helper()
	if err := os.Chown(name, 12345, 12345); err != nil {
		t.Skip("only root can give files away:", err)
	}
}

func TestDir(t *testing.T) {
	skipWithoutModes(t)
	top := t.TempDir()
	dir := func(name string, mode fs.FileMode) string {
		name = filepath.Join(top, name)
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file := filepath.Join(top, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(top, "a", "b")
	for _, c := range []struct{ name, dir, err string }{
		{"private", dir("ok", 0o700), ""},
		{"readable", dir("readable", 0o755), ""},
		{"writable for the group", dir("group", 0o770), "run chmod 700"},
		{"writable for all", dir("all", 0o777), "mode 0777"},
		{"like /tmp", dir("tmp", 0o777|fs.ModeSticky), "other users can put files"},
		{"missing", made, ""},
		{"a file", file, "it is not a folder"},
	} {
		if err := Dir(c.dir); (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if err := CheckDir(filepath.Join(top, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	foreign := dir("foreign", 0o700)
	give(t, foreign)
	if err := Dir(foreign); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("another user's: %v", err)
	}
}
