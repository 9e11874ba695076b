//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBatchProcessorTime: the cpu_ms of all pages is most of the processor time that the
// process took, the garbage collector included, and never more. The rest is the start of the
// process, which takes longer on a busy machine; a clock of one thread counts an eighth.
func TestBatchProcessorTime(t *testing.T) {
	dir := t.TempDir()
	var body, manifest strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&body, "<h2>Lamp %d</h2><p>Each lamp has a number, a <a href=/%d>page</a> and a day on which its glass was cleaned.</p>\n", i, i)
	}
	name := filepath.Join(dir, "lamps.html")
	if err := os.WriteFile(name, []byte(body.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		fmt.Fprintf(&manifest, "{\"id\":%d,\"url\":\"https://example.com/lamps\",\"path\":%q}\n", i, name)
	}
	c := exec.Command("spyhop", "extract", "--batch", "-")
	c.Stdin = strings.NewReader(manifest.String())
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	sum, rows := 0., json.NewDecoder(bytes.NewReader(out))
	for rows.More() {
		var row batchRow
		if err := rows.Decode(&row); err != nil || row.Error != "" {
			t.Fatal(err, row.Error)
		}
		sum += row.CPUMS
	}
	whole := milliseconds(c.ProcessState.UserTime() + c.ProcessState.SystemTime())
	if sum < .5*whole || sum > whole {
		t.Errorf("the pages took %.0f ms, the process %.0f ms", sum, whole)
	}
}
