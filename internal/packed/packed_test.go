package packed

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the packed texts")

// TestPacked: each packed text of the program is what stands beside it.
func TestPacked(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		text, isPacked := strings.CutSuffix(path, ".gz")
		if err != nil || !isPacked || d.IsDir() || strings.Contains(path, "testdata") {
			return err
		}
		found++
		want, err := os.ReadFile(text)
		if err != nil {
			return err
		}
		if *update {
			return os.WriteFile(path, pack(want), 0o644)
		}
		have, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := Text(string(have)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not %s (%v): run this test with -update", path, text, err)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d packed texts, %v", found, err)
	}
}
