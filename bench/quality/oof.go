package main

import (
	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// read extracts a page with its cross-validated probabilities and page type; one that unseen does
// not have is read with the model that ships, which was trained on all pages of the corpus.
func read(unseen map[string]corpus.Unseen, id, address string, body []byte) (*page.Page, error) {
	if u, ok := unseen[id]; ok {
		return (&train.Sample{URL: address}).Read(body, u.Types, u.Prob)
	}
	return extract.HTML(body, extract.Options{URL: address})
}
