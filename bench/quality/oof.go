package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// unseen are cross-validated probabilities of blocks: those of models that were
// trained without the page's domain. The training command writes them. The
// shipped model was trained on all pages of the corpus.
type unseen struct {
	prob map[string][]float32
	kind map[string]string
}

func loadUnseen(dir string) (*unseen, error) {
	read := func(name string) ([]string, error) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		return strings.Split(strings.TrimSpace(string(b)), "\n"), err
	}
	raw, err := os.ReadFile(filepath.Join(dir, "oof.f32"))
	if err != nil {
		return nil, fmt.Errorf("no cross-validated probabilities: run make train, which writes them: %w", err)
	}
	blocks, err := read("blocks.tsv")
	if err != nil {
		return nil, err
	}
	pages, err := read("pages.tsv")
	if err != nil {
		return nil, err
	}
	kinds, err := read("types.txt")
	if err != nil {
		return nil, err
	}
	if len(raw) != 4*len(blocks) || len(pages) != len(kinds) {
		return nil, fmt.Errorf("%s: the files are from different runs: run make train again", dir)
	}
	u := &unseen{map[string][]float32{}, map[string]string{}}
	id := make([]string, len(pages))
	for i, line := range pages {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			return nil, fmt.Errorf("%s/pages.tsv: line %d: %q", dir, i+1, line)
		}
		id[i] = f[1]
		u.prob[id[i]], u.kind[id[i]] = []float32{}, kinds[i]
	}
	for k, line := range blocks {
		page, _, _ := strings.Cut(line, "\t")
		i, err := strconv.Atoi(page)
		if err != nil || i >= len(id) {
			return nil, fmt.Errorf("%s/blocks.tsv: line %d: %q", dir, k+1, line)
		}
		u.prob[id[i]] = append(u.prob[id[i]], math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:])))
	}
	return u, nil
}

// read extracts a page with its cross-validated probabilities and page type; a nil
// u, or a page that u does not have, is read with the shipped model.
func (u *unseen) read(id, address string, body []byte) (*page.Page, error) {
	if u != nil {
		if prob, ok := u.prob[id]; ok {
			return (&train.Sample{URL: address}).Read(body, u.kind[id], prob)
		}
	}
	return extract.HTML(body, extract.Options{URL: address})
}
