package main

import "testing"

func TestCheckOwners(t *testing.T) {
	if c := checkOwners(t.Context()); c.State != "ok" {
		t.Errorf("%+v", c)
	}
	// A folder that cannot be used is not a proof.
	if err := tryOwners(t.Context(), "/dev/null/x"); err == nil {
		t.Error("the check passes without a store")
	}
}
