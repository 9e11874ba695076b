package train_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
)

// What training writes is what the product reads, and a feature that it does not
// compute is refused.
func TestTrainedModelIsRead(t *testing.T) {
	body := []byte("<title>Ferries</title><main class=story><p>" + strings.Repeat("The ferry left the quay at dawn. ", 5) + "</p></main><footer class=legal><p>All rights reserved</p></footer>")
	var samples []*train.Sample
	for _, domain := range []string{"a.example", "b.example", "c.example"} {
		s, err := train.NewSample("1", domain, "https://"+domain+"/ferries", "article", body, train.Truth{Text: "The ferry left the quay at dawn."})
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, s)
	}
	forest := train.Forest{Base: .5, Trees: []train.Tree{{{Feature: 1, Value: 3, Left: 1, NaNRight: true}, {Value: -1}, {Value: 1}}}}
	types := make([]train.Forest, len(blocks.PageTypes))
	for i := range types {
		types[i] = forest
	}
	for features, ok := range map[string]bool{"w ld": true, "w novelty": false} {
		file, err := train.EncodeModel(strings.Fields(features), train.NewLexicon(samples, 3).Tokens(), []train.Forest{forest}, types)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := blocks.DecodeModel(file); (err == nil) != ok {
			t.Errorf("features %s: %v", features, err)
		}
		if _, err := blocks.DecodeModel(file[:len(file)-1]); err == nil {
			t.Error("a file that is cut off is read")
		}
	}
}
