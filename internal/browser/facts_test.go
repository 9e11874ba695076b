package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
)

// TestFactsWhileATabOpens: a tab that has no id yet gets one from whoever lists the tabs
// first, who may be asking for the facts and hold the lock of the browser.
func TestFactsWhileATabOpens(t *testing.T) {
	b := new(Browser)
	p := &browserContext{browser: b, tabs: []*tab{{}, {}}}
	b.contexts = map[contextKey]*browserContext{{owner: "ann", name: "c1"}: p}
	told := make(chan Facts, 1)
	go func() {
		f, _ := b.Facts() // the error says that no browser is installed
		told <- f
	}()
	select {
	case f := <-told:
		if f.Tabs != 2 || p.tabs[0].id == "" || p.tabs[0].id == p.tabs[1].id {
			t.Errorf("%d tabs, %q and %q", f.Tabs, p.tabs[0].id, p.tabs[1].id)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for itself")
	}
}

// TestTrouble: the facts say why no page can be made now, until one can be.
func TestTrouble(t *testing.T) {
	guard, err := egress.New(egress.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Options{Guard: guard, Path: filepath.Join(t.TempDir(), "none")})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	is := func(want string) {
		t.Helper()
		if f, _ := b.Facts(); f.Trouble != want { // the error says that no browser is installed
			t.Errorf("%q, want %q", f.Trouble, want)
		}
	}
	is("missing")
	b.options.Path = filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(b.options.Path, []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	is("")
	if _, err := b.Render(t.Context(), Navigation{URL: "https://example.com/"}); err == nil {
		t.Fatal("a page was made")
	}
	is("does not start")
	b.engine = &engine{ctx: t.Context(), process: &process{conn: &conn{lost: make(chan struct{})}, options: launchOptions{}}}
	b.engine.failures.Store(1)
	is("makes no pages")
	b.engine.failures.Store(0)
	is("")
	b.engine = nil
}
