package blocks

import "testing"

func TestModelFits(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.types) != len(PageTypes) || len(m.blocks[0].roots) < 100 {
		t.Errorf("%d type forests, %d trees", len(m.types), len(m.blocks[0].roots))
	}
	if n := len(modelFile); n > 1_500_000 {
		t.Errorf("the model has %d bytes", n)
	}
}

func FuzzModel(f *testing.F) {
	f.Add(modelFile)
	f.Add(modelFile[:len(modelFile)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeModel(b)
		if err != nil {
			return
		}
		rows, scores := make([]inputs, 2), make([]float32, 2)
		m.pick(&rows[0], nil, 0)
		m.judge(rows, scores) // ends, whatever the file says
	})
}

// BenchmarkModel is what the first page of a process pays.
func BenchmarkModel(b *testing.B) {
	for b.Loop() {
		if _, err := DecodeModel(modelFile); err != nil {
			b.Fatal(err)
		}
	}
}
