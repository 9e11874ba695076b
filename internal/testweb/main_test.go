package testweb_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets as many tasks run at a time as there are contexts for agents: they mostly wait.
// The command line overrides it.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "4")
	os.Exit(m.Run())
}
