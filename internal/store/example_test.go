package store_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"time"

	"github.com/spyhop-dev/spyhop/internal/store"
)

func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s := store.New(store.Options{Dir: dir})
	defer s.Close()
	key := sha256.Sum256([]byte("https://example.com/"))
	s.Save(context.Background(), key, []byte("text/html"), []byte("<p>Hello"), time.Hour)
	s.Flush() // Load waits for a write of its key by itself, but not as long
	meta, body, ok := s.Load(context.Background(), key)
	fmt.Printf("%s %s %v\n", meta, body, ok)
	// Output: text/html <p>Hello true
}
