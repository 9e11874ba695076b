package wholefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestCreate: of many concurrent calls for one file, one succeeds, and the others
// find the whole file.
func TestCreate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "token")
	var made sync.Map
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			data := bytes.Repeat([]byte{byte('a' + i)}, 10_000)
			switch err := Create(file, data); {
			case err == nil:
				made.Store(i, data)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
			if found, err := os.ReadFile(file); err != nil || len(found) != len(data) {
				t.Errorf("%d bytes, %v", len(found), err)
			}
		})
	}
	all.Wait()
	found, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	made.Range(func(_, data any) bool {
		n++
		if !bytes.Equal(data.([]byte), found) {
			t.Error("the file does not have the content of the call that succeeded")
		}
		return true
	})
	if n != 1 {
		t.Errorf("%d have made it", n)
	}
	onlyThis(t, file)
}

func TestReplace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ready")
	for i := range 3 {
		if err := Replace(file, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := os.ReadFile(file); err != nil || string(found) != "2" {
		t.Errorf("%q %v", found, err)
	}
	onlyThis(t, file)
	if err := os.Mkdir(filepath.Join(filepath.Dir(file), "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(filepath.Join(filepath.Dir(file), "taken"), nil); err == nil {
		t.Error("a folder was replaced by a file")
	}
}

// onlyThis holds the folder to one file of mode 0600.
func onlyThis(t *testing.T, file string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}
