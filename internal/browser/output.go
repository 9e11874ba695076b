package browser

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

func (t *tail) lastLine() string {
	text := strings.TrimSpace(t.text())
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// captureName is a new name for a file of the captures, with the mark of its owner.
func captureName(mark, ending string) string {
	return time.Now().UTC().Format("20060102-150405") + "-" + random(20) + "-" + mark + "." + ending
}

func sweepCaptures(dir string, keep time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > keep {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func random(n int) string { return strings.ToLower(rand.Text())[:n] }
