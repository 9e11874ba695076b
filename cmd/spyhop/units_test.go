package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/config"
)

// TestUnits: the units of systemd fit the server that they run.
func TestUnits(t *testing.T) {
	unit := func(name string) map[string]string {
		data, err := os.ReadFile("../../packaging/systemd/" + name)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]string{}
		for line := range strings.Lines(string(data)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && key[0] != '#' {
				values[key] = value
			}
		}
		return values
	}
	// systemd must not kill a server that still lets its calls end, or that cuts them.
	stop, err := time.ParseDuration(unit("spyhop.service")["TimeoutStopSec"] + "s")
	if err != nil || stop < defaultGrace+5*time.Second {
		t.Errorf("TimeoutStopSec is %v (%v), the grace is %v", stop, err, defaultGrace)
	}
	if got, want := unit("spyhop.socket")["ListenStream"], (config.Values{}).ServeAddress(); got != want {
		t.Errorf("ListenStream is %s, WEB_SERVE_ADDR is %s by default", got, want)
	}
}
