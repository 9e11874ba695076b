package store

import (
	"strings"
	"testing"
)

// TestPack: what is compressed in parts is read as one body.
func TestPack(t *testing.T) {
	var p packer
	prose := strings.Repeat("The ferry leaves at six, says the harbour. ", 60_000)
	for _, unit := range []string{"", "a", "船", "The ferry leaves at six.\n", string(noise("a", 9_000)), prose} {
		for _, n := range []int{1, 40, 63, 64, 4096, 256<<10 - 1, 256 << 10, 256<<10 + 1, 2 << 20} {
			s := strings.Repeat(unit, n/max(len(unit), 1))
			packed := pack(s)
			if b, err := p.unpack(packed, len(s)); err != nil || string(b) != s {
				t.Errorf("%d bytes of %.20q: %d bytes are left: %v", len(s), unit, len(b), err)
			}
		}
	}
}
