package frontier

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestBusy: a transaction finds the short moment between those of another process, and
// waits no longer than busyTime for one that has no end.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.db")
	if err := os.WriteFile(path, nil, fileMode); err != nil {
		t.Fatal(err)
	}
	connect := func() *liteConn {
		c, err := openLite(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.close() })
		return c
	}
	a, b := connect(), connect()
	if err := a.script(t.Context(), sql{lite: `CREATE TABLE t (n)`}); err != nil {
		t.Fatal(err)
	}
	insert := func(c *liteConn, meanwhile time.Duration) error {
		return inTx(context.Background(), c, func() error {
			err := run(context.Background(), c, nil, both(`INSERT INTO t VALUES (1)`))
			time.Sleep(meanwhile)
			return err
		})
	}
	synctest.Test(t, func(t *testing.T) {
		begun, inserted, ended := time.Now(), make(chan error, 1), make(chan struct{})
		go func() {
			for range 50 {
				if err := insert(a, 90*time.Millisecond); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Millisecond)
			}
			close(ended)
		}()
		synctest.Wait()
		go func() { inserted <- insert(b, 0) }()
		if err := <-inserted; err != nil || time.Since(begun) > 200*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		<-ended
		begun = time.Now()
		if err := inTx(context.Background(), a, func() error { return insert(b, 0) }); new(liteDB).codeOf(err) != Unavailable || time.Since(begun) != busyTime {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}
