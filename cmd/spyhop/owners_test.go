package main

import (
	"strings"
	"testing"
)

func TestProveOwners(t *testing.T) {
	if err := proveOwners(t.Context()); err != nil {
		t.Error(err)
	}
	// A folder that cannot be used is not a proof.
	other := as(t.Context(), "other", "session-2")
	if err := tryOwners(t.Context(), "/dev/null/x", other); err == nil {
		t.Error("the check passes without a store")
	}
	// Whoever sees the things of another is found.
	same := as(t.Context(), "one", "session-1")
	if err := tryOwners(t.Context(), t.TempDir(), same); err == nil || !strings.Contains(err.Error(), "one caller sees another one's ") {
		t.Errorf("%v", err)
	}
}
