package archtest_test

import (
	"log"
	"os"
	"testing"
)

// TestMain runs the tests in the root folder of the module, so that their
// paths, and those of their messages, are relative to it.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
