package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
		if len(f) < 4 || f[3] == "segments" {
			continue
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
		if id[i] != "" {
			u.prob[id[i]] = append(u.prob[id[i]], math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:])))
		}
	}
	return u, nil
}
