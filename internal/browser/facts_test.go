package browser

import (
	"testing"
	"time"
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
